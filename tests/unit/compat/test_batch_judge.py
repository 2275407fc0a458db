#!/usr/bin/python3
"""python3-kafka's own encoder and decoder of record batches against ours: each reads what the other wrote.

Codecs for which Python has no library are left out: test_batch_rdkafka.c and test_golden.c hold every codec against
librdkafka."""
import os
import random
import subprocess
import sys

GROUP = "batch_judge"
JUDGE = "tests/unit/compat/batch_judge"
CODECS = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}

try:
    from kafka import codec as python_codec
    from kafka.record import MemoryRecords
    from kafka.record.default_records import DefaultRecordBatchBuilder
except ImportError:
    print("SKIP %s: python3-kafka is not installed" % GROUP)
    sys.exit(0)

HAS = {0: True, 1: python_codec.has_gzip(), 2: python_codec.has_snappy(), 3: python_codec.has_lz4(),
       4: python_codec.has_zstd()}
failed = False


def result(name, why=None):
    global failed
    failed = failed or why is not None
    print("%s %s.%s%s" % ("FAIL" if why else "PASS", GROUP, name, ": " + why if why else ""))


def hex_or_null(value):
    return "null" if value is None else value.hex()


def as_line(offset, timestamp, key, value, headers):
    line = "%d %d 0 key=%s value=%s" % (offset, timestamp, hex_or_null(key), hex_or_null(value))
    return line + "".join(" header=%s is=%s" % (k.encode().hex(), hex_or_null(v)) for k, v in headers)


def ours(lines):
    """Verdict and records of each batch, as our code sees it."""
    done = subprocess.run([JUDGE, "check"], input="".join(line + "\n" for line in lines), capture_output=True,
                          text=True, check=True, timeout=120)
    answers = done.stdout.split("\n.\n")
    assert answers.pop() == "" and len(answers) == len(lines), (len(answers), len(lines))
    return [answer.split("\n") for answer in answers]


def random_bytes(rng, size_max, null=0.1):
    if rng.random() < null:
        return None
    return bytes(rng.choices(b"abcdefgh\x00\xff", k=rng.randrange(size_max)))


def random_records(rng):
    for offset in range(rng.randrange(1, 40)):
        headers = [("h%d" % i, random_bytes(rng, 40)) for i in range(rng.randrange(4))]
        yield (offset, 1700000000000 + rng.randrange(-2000, 2000), random_bytes(rng, 30), random_bytes(rng, 3000),
               headers)


def test_what_python_writes_we_read(codec):
    rng = random.Random(codec)
    batches, want = [], []
    for _ in range(60):
        records = list(random_records(rng))
        builder = DefaultRecordBatchBuilder(2, codec, False, -1, -1, -1, 1 << 24)
        for record in records:
            builder.append(*record)
        batches.append(bytes(builder.build()).hex())
        top = max(record[1] for record in records)
        first = next(record[0] for record in records if record[1] == top)
        want.append(["0 %d %d" % (top, first)] + [as_line(*record) for record in records])
    for got, line in zip(ours(batches), want):
        if got != line:
            return "got %s, want %s" % (got[:3], line[:3])
    return None


def python_lines(data):
    records = MemoryRecords(data)
    lines, count = [], 0
    while records.has_next():
        batch = records.next_batch()
        count += 1
        if not batch.validate_crc():
            return ["wrong CRC"]
        lines += [as_line(r.offset, r.timestamp, r.key, r.value, r.headers) for r in batch]
    return lines if count == 1 else ["%d batches" % count]


def test_what_we_write_python_reads(codec):
    made = subprocess.run([JUDGE, "make", str(100 + codec), "60", str(codec)], capture_output=True, text=True,
                          check=True, timeout=120).stdout.split()
    for line, answer in zip(made, ours(made)):
        got = python_lines(bytes.fromhex(line))
        if got != answer[1:]:
            return "got %s, want %s" % (got[:3], answer[1:4])
    return None


def main():
    if not os.path.exists(JUDGE):
        print("SKIP %s: %s is not built" % (GROUP, JUDGE))
        return
    for codec, name in CODECS.items():
        if not HAS[codec]:
            print("note: %s left out, Python has no library for it" % name)
            continue
        result("what_python_writes_in_%s_we_read" % name, test_what_python_writes_we_read(codec))
        result("what_we_write_in_%s_python_reads" % name, test_what_we_write_python_reads(codec))


main()
sys.exit(1 if failed else 0)
