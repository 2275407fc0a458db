#!/usr/bin/python3
"""Captures record batches as librdkafka writes them: a socket that answers just enough to be produced to.

    capture.py            writes NAME.hex for every case, and small.txt, beside itself

NAME.hex is the batch as it stood in the Produce request; small.txt is what was given to the client in the small cases,
in the form that the tests print records (the large ones are lines that a test makes again). Needs Debian's
python3-confluent-kafka. Nothing runs this in a check: the files are kept."""
import os
import socket
import struct
import threading

import confluent_kafka

HERE = os.path.dirname(os.path.abspath(__file__))
# Produce from 0, or the client drops compression; Fetch 4 for format 2, FindCoordinator for lz4, Fetch 10 for zstd.
OLD = [(0, 0, 2), (3, 0, 1), (18, 0, 3)]
NEW = [(0, 0, 7), (1, 0, 10), (3, 0, 1), (10, 0, 0), (18, 0, 3), (22, 0, 0)]


def string(text):
    return struct.pack(">h", len(text)) + text.encode()


def api_versions(versions):
    rows = b"".join(struct.pack(">hhhb", key, low, high, 0) for key, low, high in versions)
    return struct.pack(">hb", 0, len(versions) + 1) + rows + struct.pack(">ib", 0, 0)


def metadata(port):
    broker = struct.pack(">ii", 1, 1) + string("127.0.0.1") + struct.pack(">ih", port, -1)
    partition = struct.pack(">ihiiiiii", 1, 0, 0, 1, 1, 1, 1, 1)
    return broker + struct.pack(">i", 1) + struct.pack(">ih", 1, 0) + string("t") + b"\0" + partition


class Listener(threading.Thread):
    """Serves connections one thread each and keeps the batches of Produce requests."""

    def __init__(self, versions):
        super().__init__(daemon=True)
        self.versions = versions
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.batches = []

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        stream = connection.makefile("rb")
        while True:
            head = stream.read(4)
            if len(head) < 4:
                return
            request = stream.read(struct.unpack(">i", head)[0])
            key, version, correlation = struct.unpack(">hhi", request[:8])
            answer = struct.pack(">i", correlation) + self.answer(key, version, request)
            connection.sendall(struct.pack(">i", len(answer)) + answer)

    def answer(self, key, version, request):
        if key == 18:
            return api_versions(self.versions)
        if key == 3:
            return metadata(self.port)
        if key == 22:
            return struct.pack(">ihqh", 0, 0, 4711, 2)
        at = 10 + struct.unpack(">h", request[8:10])[0]  # after the client id
        if version >= 3:
            at += 2 + max(0, struct.unpack(">h", request[at:at + 2])[0])  # transactional id
        at += 2 + 4 + 4  # acks, timeout, count of topics
        at += 2 + struct.unpack(">h", request[at:at + 2])[0]
        at += 4 + 4  # count of partitions, partition
        size = struct.unpack(">i", request[at:at + 4])[0]
        self.batches.append(request[at + 4:at + 4 + size])
        tail = struct.pack(">q", 0) if version >= 5 else b""  # log start offset
        return (struct.pack(">i", 1) + string("t") + struct.pack(">iihq", 1, 0, 0, 0)
                + (struct.pack(">q", -1) if version >= 2 else b"") + tail
                + (struct.pack(">i", 0) if version >= 1 else b""))


def small():
    yield 1700000000000, b"key", b"value", [("h", b"1"), ("empty", b""), ("null", None)]
    yield 1700000000005, None, b"no key", []
    yield 1699999999999, b"", b"", []
    yield 1700000000005, b"tombstone", None, []
    yield 1700000000001, "clé".encode(), b"\x00\xff" * 70, [("h", b"1"), ("h", b"2")]


def large():
    for i in range(300):
        yield 1700000000000 + i, b"k%d" % (i % 7), b'{"line":"the same again and again"}' * (20 + i % 3), []


def hex_or_null(value):
    return "null" if value is None else value.hex()


def capture(name, records, versions=NEW, **config):
    listener = Listener(versions)
    listener.start()
    producer = confluent_kafka.Producer({
        "bootstrap.servers": "127.0.0.1:%d" % listener.port, "linger.ms": 500, "message.timeout.ms": 20000,
        "compression.level": -1, **config})
    for timestamp, key, value, headers in records:
        producer.produce("t", partition=0, key=key, value=value, headers=headers, timestamp=timestamp)
    producer.poll(1)  # the linger time, so that all go in one batch
    assert producer.flush(20) == 0
    assert len(listener.batches) == 1, [b[:61].hex() for b in listener.batches]
    data = listener.batches[0].hex()
    with open(os.path.join(HERE, name + ".hex"), "w", encoding="ascii") as out:
        out.write("# librdkafka %s, %s\n" % (confluent_kafka.libversion()[0], config or "defaults"))
        out.writelines(data[i:i + 128] + "\n" for i in range(0, len(data), 128))


def write_text(name, records):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as out:
        for offset, (timestamp, key, value, headers) in enumerate(records):
            out.write("%d %d 0 key=%s value=%s" % (offset, timestamp, hex_or_null(key), hex_or_null(value)))
            out.writelines(" header=%s is=%s" % (k.encode().hex(), hex_or_null(v)) for k, v in headers)
            out.write("\n")


def main():
    write_text("small.txt", small())
    capture("old-format", small(), OLD)
    capture("none", small())
    capture("idempotent", small(), **{"enable.idempotence": True})
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        capture(codec, small(), **{"compression.codec": codec})
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        capture(codec + "-large", large(), **{"compression.codec": codec})


if __name__ == "__main__":
    main()
