#!/usr/bin/python3
"""Files that somebody damaged or took away: an error or a line in the log that names what is gone, never silence, never another reader's trouble."""
import glob
import os
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, records_of
from broker_proc import Broker
from check import equal, run


def filled(count=60, **overrides):
    """A broker with one topic of several segments, its client."""
    own = Broker({"log.segment.bytes": 4000, **overrides})
    c = Client(own.port)
    c.create("t")
    for i in range(count):
        c.append("t", 0, [b"%04d" % i + b"x" * 296])
    return own, c


def read_all(c):
    values, offset = [], 0
    while True:
        part = c.fetch("t", 0, offset)
        equal(part["error_code"], 0)
        records = records_of(part["records"] or b"")
        if not records:
            return values
        values += [r.value[:4] for r in records]
        offset = records[-1].offset + 1


def flip(path, at):
    with open(path, "r+b") as f:
        f.seek(at)
        byte = f.read(1)
        f.seek(at)
        f.write(bytes([byte[0] ^ 0x55]))


def refuses(own, *words):
    own.spawn()
    status = own.process.wait(20)
    own.process = None
    assert status > 0, status
    last = own.log(True).strip().splitlines()[-1]
    for word in words:
        assert word in last, (word, last)
    own.close()


def test_a_damaged_head_of_a_batch_is_an_error_and_no_empty_answer():
    own, c = filled()
    own.stop()
    log = sorted(glob.glob(own.data + "/t-0/*.log"))[1]
    base = int(os.path.basename(log)[:20])
    for at in (7, 8, 11, 16):
        flip(log, at)
        own.start()
        c = Client(own.port)
        equal(c.fetch("t", 0, base)["error_code"], 2)
        assert f"damaged batch log=t-0 offset={base}" in own.log(True)
        equal(c.fetch("t", 0, 0)["error_code"], 0, "others are read")
        equal(c.fetch("t", 0, base + 1)["error_code"], 0, "others are read")
        own.stop()
        flip(log, at)
    own.start()
    equal(read_all(Client(own.port)), [b"%04d" % i for i in range(60)])
    own.close()


def test_an_order_log_that_ends_too_early_is_no_start():
    for how in ("gone", "half"):
        own, c = filled(count=10)
        own.stop()
        path = sorted(glob.glob(own.data + "/order/*.order"))[-1]
        if how == "gone":
            os.unlink(path)
        else:
            os.truncate(path, os.path.getsize(path) - 64 * 3)
        refuses(own, "/order", "rows or files are gone")


def test_records_without_their_journal_are_cut_with_a_word():
    own, c = filled(count=5)
    own.restart("stop")
    c = Client(own.port)
    for i in range(5, 30):
        c.append("t", 0, [b"%04d" % i + b"x" * 296])
    own.kill()
    newest = max(glob.glob(own.data + "/journal/*"), key=lambda p: (os.path.getmtime(p), p))
    os.unlink(newest)
    own.start()
    kept = len(read_all(Client(own.port)))
    assert kept < 30, kept
    assert "the journal does not have" in own.log(True), own.log(True)
    own.close()


if __name__ == "__main__":
    sys.exit(run("damage", globals()))
