"""Request frames of real clients (tests/golden/frames/*.frames: a line of hex, a line of text, in turn) decoded twice: by the second encoder here and by the C
codec (tests/wire/kwecho), which must also make the same bytes of what it understood. One result line a file."""
import glob
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "interop")]
import kwref  # noqa: E402
from rawkafka import MESSAGES, NAMES, decode  # noqa: E402

if not hasattr(kwref, "ERRORS"):
    kwref.ERRORS = kwref.error_names()


def split(frame):
    """(API, version, correlation, client id or None, body)"""
    key, version, correlation, size = struct.unpack(">hhih", frame[:10])
    at = 10 + max(size, 0)
    client = frame[10:at].decode() if size >= 0 else None
    if version >= MESSAGES[NAMES[key] + "Request"].flexible:
        if frame[at] != 0:
            raise ValueError("tags in the header")
        at += 1
    return NAMES[key], version, correlation, client, frame[at:]


def text(api, version, body):
    m = MESSAGES[api + "Request"]
    return m.name + kwref.Maker(None, version, version >= m.flexible).show_record(m.fields, decode(m.name, version, body, False))


def describe(frame):
    """The line of text of a frame."""
    api, version, correlation, client, body = split(frame)
    return f"version {version} correlation {correlation} client {'null' if client is None else client}: {text(api, version, body)}"


def codec_of(frame):
    """The codec of the first batch of a Produce request of format 2, else None."""
    api, version, _, _, body = split(frame)
    if api != "Produce":
        return None
    records = decode("ProduceRequest", version, body)["topics"][0]["partitions"][0]["records"]
    return records[22] & 7


def load(path):
    with open(path) as f:
        lines = f.read().splitlines()
    return list(zip(map(bytes.fromhex, lines[::2]), lines[1::2]))


def check(path):
    pairs = load(path)
    asked, wanted = [], []
    for frame, line in pairs:
        if describe(frame) != line:
            return f"second encoder: {describe(frame)} instead of {line}"
        api, version, _, _, body = split(frame)
        asked.append(f"{api}Request {version} {body.hex()}\n")
        wanted.append(f"{body.hex()} {line.split(': ', 1)[1]}")
    answer = subprocess.run([kwref.ECHO], input="".join(asked), capture_output=True, text=True, check=True).stdout.splitlines()
    for got, want in zip(answer, wanted):
        if got != want:
            return f"C codec: {got} instead of {want}"
    return None if len(answer) == len(pairs) and pairs else f"{len(answer)} answers to {len(pairs)} frames"


def main():
    paths = sorted(glob.glob(os.path.join(kwref.TOP, "tests/golden/frames/*.frames")))
    status = 0 if paths else 1
    for path in paths:
        name, why = os.path.basename(path)[:-len(".frames")], check(path)
        print(f"FAIL wire.frames.{name}: {why}" if why else f"PASS wire.frames.{name}")
        status = status or (1 if why else 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
