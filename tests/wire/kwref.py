"""A second encoder, written from compat/schema/README.md and Kafka's public protocol guide alone: it shares no
code with kwgen.py or the C codec. It makes random messages of every version of every schema file, encodes and
prints them its own way, and compares with what the C codec (tests/wire/kwecho) makes of the bytes:

  - decoding and encoding again must give the same bytes, and the text of both sides must agree;
  - the same message with tags nobody knows in every tag section, defaults sent although they need not be, and tags
    in another order must decode to the same.

One result line a message. `kwref.py SEED` repeats a seed; `kwref.py --corpus DIR` writes a small message of the first
and the last version of each API as seeds for tests/fuzz/fuzz_wire.
"""
import base64
import glob
import os
import random
import re
import struct
import subprocess
import sys

TOP = os.environ.get("srcdir") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ECHO = os.path.join(os.environ.get("builddir") or ".", "tests", "wire", "kwecho")
ROUNDS = 16  # messages of each version

NUMBERS = {"int8": ">b", "int16": ">h", "uint16": ">H", "int32": ">i", "uint32": ">I", "int64": ">q",
           "float64": ">d", "error": ">h", "bool": ">?"}


class Node:
    """A message or field."""

    def __init__(self, name, first, last):
        self.name, self.first, self.last = name, first, last
        self.fields = []


def versions(word, outer):
    body = word[1:]
    if body.endswith("+"):
        return int(body[:-1]), outer
    if "-" in body:
        a, b = body.split("-")
        return int(a), int(b)
    return int(body), int(body)


def field(words, parent):
    name, kind = words[0].rstrip(":"), words[1]
    f = Node(name, parent.first, parent.last)
    f.array = kind.startswith("[]")
    f.kind = kind.replace("[]", "")
    f.null_from, f.tag, f.secret, f.default = None, None, False, None
    rest = words[2:]
    if rest and rest[0].startswith("v"):
        f.first, f.last = versions(rest.pop(0), parent.last)
    while rest:
        word = rest.pop(0)
        if word == "null":
            f.null_from = f.first
            if rest and rest[0].startswith("v"):
                f.null_from = versions(rest.pop(0), 0)[0]
        elif word == "tag":
            f.tag = int(rest.pop(0))
        elif word == "secret":
            f.secret = True
        elif word == "=":
            f.default = rest.pop(0)
        else:
            raise ValueError(f"{name}: {word}?")
    return f


def load(path):
    messages, chain, api = [], [], None
    for line in open(path):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "api":
            api = words
            continue
        level = (len(line) - len(line.lstrip())) // 2
        if level == 0:
            head, name = (words, words[1]) if words[0] == "message" else (api, api[2] + words[0].capitalize())
            lo, hi = head[head.index("versions") + 1].split("-")
            m = Node(name, int(lo), int(hi))
            flexible = head[-1]
            m.flexible = 10 ** 6 if flexible == "none" else int(flexible.rstrip("+"))
            m.api = int(api[1]) if api and head is api else -1
            messages.append(m)
            chain = [m]
        else:
            f = field(words, chain[level - 1])
            chain[level - 1].fields.append(f)
            chain[level:] = [f]
    return messages


def default(f):
    """The value of a field that nobody set, as random_value would make it."""
    null = f.null_from == f.first and f.default != "empty"
    if f.array:
        return None if null else []
    if f.kind in NUMBERS:
        return {None: 0, "true": True}.get(f.default) if f.default in (None, "true") else int(f.default)
    if f.kind in ("string", "bytes", "records"):
        return None if null else b""
    if f.kind == "uuid":
        return bytes(16)
    return None if null else {c.name: default(c) for c in f.fields}


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a[k], b[k]) for k in b)
    return a == b and (a is None) == (b is None)


class Maker:
    def __init__(self, rng, version, flexible):
        self.rng, self.version, self.flexible = rng, version, flexible

    def has(self, f):
        return f.first <= self.version <= f.last

    # random values

    def number(self, kind):
        if kind == "bool":
            return self.rng.random() < 0.5
        if kind == "float64":
            return self.rng.choice([0.0, -1.5, 1e300, 0.1])
        size = struct.calcsize(NUMBERS[kind]) * 8
        low, high = (0, 2 ** size - 1) if kind.startswith("u") else (-2 ** (size - 1), 2 ** (size - 1) - 1)
        return self.rng.choice([0, low, high, 1, max(low, -1), self.rng.randint(low, high)])

    def blob(self):
        n = self.rng.choice([0, 1, 2, 5, 16, 17, self.rng.choice([126, 127, 128, 300])])
        return bytes(self.rng.randrange(256) for _ in range(n))

    def single(self, f):
        if f.kind in NUMBERS:
            return self.number(f.kind)
        if f.kind in ("string", "bytes", "records"):
            return self.blob()
        if f.kind == "uuid":
            return self.rng.choice([bytes(16), self.rng.randbytes(16)])
        return self.record(f.fields)

    def value(self, f):
        if self.rng.random() < (0.1 if f.tag is None else 0.5):
            return default(f) if not (default(f) is None and not self.nullable(f)) else self.single(f)
        if self.nullable(f) and self.rng.random() < 0.25:
            return None
        if f.array:
            return [self.single(f) for _ in range(self.rng.choice([0, 1, 2, 3] if f.fields else [0, 1, 3, 130]))]
        return self.single(f)

    def record(self, fields):
        return {f.name: self.value(f) if self.has(f) else default(f) for f in fields}

    def nullable(self, f):
        return f.null_from is not None and f.null_from <= self.version

    # bytes

    @staticmethod
    def uvarint(n):
        out = b""
        while n > 127:
            out += bytes([n & 127 | 128])
            n >>= 7
        return out + bytes([n])

    def length(self, n, short=False):
        if self.flexible:
            return self.uvarint(n + 1)
        return struct.pack(">h" if short else ">i", n)

    def put(self, f, v, noise):
        if f.array:
            if v is None:
                return self.length(-1)
            return self.length(len(v)) + b"".join(self.put_single(f, item, noise) for item in v)
        if f.fields and f.null_from is not None:
            return b"\xff" if v is None else b"\x01" + self.put_single(f, v, noise)
        return self.put_single(f, v, noise)

    def put_single(self, f, v, noise):
        if f.kind in NUMBERS:
            return struct.pack(NUMBERS[f.kind], v)
        if f.kind == "uuid":
            return v
        if f.kind in ("string", "bytes", "records"):
            short = f.kind == "string"
            return self.length(-1, short) if v is None else self.length(len(v), short) + v
        return self.put_record(f.fields, v, noise)

    def put_record(self, fields, v, noise):
        """With noise, also what a reader must see through."""
        out = b"".join(self.put(f, v[f.name], noise) for f in fields if f.tag is None and self.has(f))
        if not self.flexible:
            return out
        tags = []
        for f in fields:
            if f.tag is not None and self.has(f):
                if not same(v[f.name], default(f)) or (noise and self.rng.random() < 0.5):
                    tags.append((f.tag, self.put(f, v[f.name], noise)))
        if noise:
            known = {f.tag for f in fields if f.tag is not None and self.has(f)}
            for tag in {90, 127, 128, 70000, 2 ** 32 - 1, self.rng.randrange(12)} - known:
                tags.append((tag, self.blob()))
            self.rng.shuffle(tags)
        return out + self.uvarint(len(tags)) + b"".join(
            self.uvarint(tag) + self.uvarint(len(body)) + body for tag, body in tags)

    # text

    def show(self, f, v):
        if f.secret:
            return "***"
        if v is None:
            return "null"
        if f.array:
            return "[" + ", ".join(self.show_single(f, item) for item in v) + "]"
        return self.show_single(f, v)

    def show_single(self, f, v):
        if f.kind == "bool":
            return "true" if v else "false"
        if f.kind == "error":
            return ERRORS.get(v, str(v))
        if f.kind == "float64":
            return "%.17g" % v
        if f.kind in NUMBERS:
            return str(v)
        if f.kind == "uuid":
            return base64.urlsafe_b64encode(v).decode().rstrip("=")
        if f.kind == "string":
            return '"' + "".join(self.char(c) for c in v) + '"'
        if f.kind in ("bytes", "records"):
            return f"{len(v)} bytes" + (" " + v[:16].hex() if v else "") + (".." if len(v) > 16 else "")
        return self.show_record(f.fields, v)

    @staticmethod
    def char(c):
        if c in b'"\\':
            return "\\" + chr(c)
        return chr(c) if 0x20 <= c <= 0x7e else f"\\x{c:02x}"

    def show_record(self, fields, v):
        return "{" + ", ".join(f"{f.name}={self.show(f, v[f.name])}" for f in fields
                               if self.has(f) and (f.tag is None or not same(v[f.name], default(f)))) + "}"


def error_names():
    text = open(os.path.join(TOP, "compat/wire/error.h")).read()
    return {int(code): name for code, name in re.findall(r"X\((-?\d+), (\w+),", text)}


def write_corpus(folder):
    rng = random.Random(1)
    records = 0
    for path in sorted(glob.glob(os.path.join(TOP, "compat/schema/*.kw"))):
        for m in load(path):
            kind, key = (2, records) if m.api < 0 else (int(m.name.endswith("Response")), m.api)
            records += m.api < 0
            for version in {m.first, m.last}:
                maker = Maker(rng, version, version >= m.flexible)
                tries = [maker.put_record(m.fields, maker.record(m.fields), version == m.last) for _ in range(40)]
                body = min((t for t in tries if len(t) > 40), key=len, default=max(tries, key=len))
                with open(os.path.join(folder, f"{m.name}_{version}"), "wb") as out:
                    out.write(bytes([kind, key, version - m.first]) + body)


def main():
    global ERRORS
    ERRORS = error_names()
    if sys.argv[1:2] == ["--corpus"]:
        return write_corpus(sys.argv[2])
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rng = random.Random(seed)
    wanted = []  # (message name, version, canonical hex, text), a row for each line asked
    asked = []
    names = []
    for path in sorted(glob.glob(os.path.join(TOP, "compat/schema/*.kw"))):
        for m in load(path):
            names.append(m.name)
            for version in range(m.first, m.last + 1):
                for n in range(ROUNDS):
                    maker = Maker(rng, version, version >= m.flexible)
                    v = maker.record(m.fields)
                    plain = maker.put_record(m.fields, v, False)
                    noisy = maker.put_record(m.fields, v, True) if n % 2 else plain
                    asked.append(f"{m.name} {version} {noisy.hex()}\n")
                    wanted.append((m.name, version, plain.hex(), m.name + maker.show_record(m.fields, v)))
    answer = subprocess.run([ECHO], input="".join(asked), capture_output=True, text=True, check=True)
    lines = answer.stdout.split("\n")[:-1]
    wrong, count = {}, {}
    for row, want in enumerate(wanted):
        name, version, plain, text = want
        count[name] = count.get(name, 0) + 1
        got = lines[row] if row < len(lines) else "no answer"
        if got != f"{plain} {text}" and name not in wrong:
            wrong[name] = f"version {version}, seed {seed}"
            print(f"sent {asked[row]}want {plain} {text}\ngot  {got}")
    for name in names:
        print(f"FAIL wire.second_encoder.{name}: {wrong[name]}" if name in wrong
              else f"PASS wire.second_encoder.{name}")
    print(f"{len(wanted)} messages")
    return 1 if wrong or len(lines) != len(wanted) or not names else 0


if __name__ == "__main__":
    sys.exit(main())
