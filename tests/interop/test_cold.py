#!/usr/bin/python3
"""Data that is not in the page cache: answers are right, and the loop waits for no device while it finds them (S-14). The system calls of the loop's thread are
watched with strace where there is one; records leave by sendfile."""
import os
import re
import shutil
import subprocess
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, batches, records_of
from broker_proc import Broker, is_sanitized
from check import Skip, equal, run, wait_for

ORDER = "__order"
EPOCH = 1_600_000_000_000
SETTINGS = {"log.segment.bytes": 100_000, "log.retention.ms": -1, "log.index.interval.bytes": 1000}
WATCHED = "/^(read|pread|preadv|sendfile|splice|copy_file)"
KINDS = (".log", ".order", ".positions", ".timeindex", ".index")
CALL = re.compile(r"^(\w+)\((.*)$")


def can_trace():
    if not shutil.which("strace") or is_sanitized():
        return False
    got = subprocess.run(["strace", "-D", "-y", "-o", os.devnull, "-e", "trace=" + WATCHED, "true"], capture_output=True)
    return got.returncode == 0


class WatchedBroker(Broker):
    """strace without -f follows the first thread alone: it is the loop."""

    def command(self):
        self.trace = os.path.join(self.home, "trace")
        if not can_trace():
            return super().command()
        return ["strace", "-D", "-y", "-A", "-o", self.trace, "-e", "trace=" + WATCHED] + super().command()

    def mark(self):
        return os.path.getsize(self.trace) if os.path.exists(self.trace) else None

    def calls_since(self, mark):
        """(name, arguments) of the watched calls that name a file of the data directory."""
        with open(self.trace) as f:
            f.seek(mark)
            found = [CALL.match(line) for line in f]
        return [m.groups() for m in found if m and f"<{self.data}/" in m.group(2)]

    def check_loop_since(self, mark):
        """No call that may wait; returns the calls, or None where nothing is watched."""
        if mark is None:
            return None
        calls = self.calls_since(mark)
        waiting = [c for c in calls if not (c[0] == "sendfile" or (c[0] == "preadv2" and "RWF_NOWAIT" in c[1]))]
        equal(waiting, [], "calls of the loop that may wait for the device")
        assert any("EAGAIN" in args for _, args in calls), "nothing was cold"
        return calls


def files_below(path):
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]


def is_cold(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(fd)


def chill(own):
    """Takes the data directory out of the page cache. A page that is in use just then stays, so more than once."""
    for _ in range(100):
        paths = [p for p in files_below(own.data) if p.endswith(KINDS) and os.path.getsize(p) > 0]
        for path in paths:
            fd = os.open(path, os.O_RDONLY)
            os.fsync(fd)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)
        warm = [p for p in paths if not is_cold(p)]
        if not warm:
            return
    raise Skip(f"the file system keeps {os.path.basename(warm[0])} in the page cache")


def fill(c, topic, count, time=lambda i: EPOCH + i * 10):
    """Batches of ten; returns (offset, timestamp, value) of each record."""
    want = []
    for base in range(0, count, 10):
        indexes = range(base, min(base + 10, count))
        values = [b"%08d" % i + bytes(150) for i in indexes]
        times = [time(i) for i in indexes]
        c.append(topic, 0, values, times=times)
        want += [(i, t, v) for i, t, v in zip(indexes, times, values)]
    return want


def restarted(own):
    own.restart()
    chill(own)


def read_all(c, topic, offset, end):
    got = []
    while offset < end:
        part = c.fetch(topic, 0, offset, part_bytes=200_000)
        equal(part["error_code"], 0)
        found = records_of(part["records"])
        assert found, f"nothing at {offset} of {topic}"
        got += [r for r in found if r.offset >= offset]
        last = batches(part["records"])[-1]
        offset = last.base_offset + last.last_offset_delta + 1
    return got


def test_cold_records_are_fetched_and_leave_by_sendfile():
    with WatchedBroker(SETTINGS) as own:
        with Client(own.port) as c:
            c.create("cold")
            want = fill(c, "cold", 4000)
        restarted(own)
        mark = own.mark()
        with Client(own.port) as c:
            got = [(r.offset, r.timestamp, r.value) for r in read_all(c, "cold", 0, 4000)]
        equal(got, want)
        calls = own.check_loop_since(mark)
        if calls is None:
            raise Skip("the records are right; nothing watches the calls: that takes strace, and no sanitizer")
        sent = sum(int(args.rsplit("= ", 1)[1]) for name, args in calls if name == "sendfile" and "= -1" not in args)
        assert sent > 4000 * 150 * 0.9, f"{sent} bytes left by sendfile"


def test_cold_lookups_by_time_are_right():
    with WatchedBroker(SETTINGS) as own:
        with Client(own.port) as c:
            c.create("cold")
            want = fill(c, "cold", 4000, lambda i: EPOCH + (i * 7919 % 4000 if i % 3 else i) * 10)
        restarted(own)
        mark = own.mark()
        with Client(own.port) as c:
            for n, t in enumerate([EPOCH, EPOCH + 1, EPOCH + 12345, EPOCH + 20000, EPOCH + 39980, EPOCH + 50000]):
                if n:
                    chill(own)
                part = c.list_offset("cold", 0, t)
                found = next(((o, s) for o, s, _ in want if s >= t), (-1, -1))
                equal((part["error_code"], part["offset"], part["timestamp"]), (0,) + found, f"first record at or after {t}")
            chill(own)
            part = c.list_offset("cold", 0, -3)
            largest = max(s for _, s, _ in want)
            equal((part["offset"], part["timestamp"]), next((o, s) for o, s, _ in want if s == largest))
        if own.check_loop_since(mark) is None:
            raise Skip("the answers are right; nothing watches the calls: that takes strace, and no sanitizer")


def test_many_cold_lookups_of_one_request_are_right():
    with WatchedBroker(SETTINGS) as own:
        with Client(own.port) as c:
            c.create("cold", 1)
            c.create("other", 1)
            want = {"cold": fill(c, "cold", 1500), "other": fill(c, "other", 1500, lambda i: EPOCH + i * 3)}
        restarted(own)
        mark = own.mark()
        with Client(own.port) as c:
            ask = {"replica_id": -1, "isolation_level": 0, "topics": [
                {"name": "cold", "partitions": [{"partition_index": 0, "current_leader_epoch": -1, "timestamp": EPOCH + 7777}]},
                {"name": "none", "partitions": [{"partition_index": 0, "current_leader_epoch": -1, "timestamp": EPOCH}]},
                {"name": "other", "partitions": [{"partition_index": 0, "current_leader_epoch": -1, "timestamp": -3},
                                                 {"partition_index": 1, "current_leader_epoch": -1, "timestamp": EPOCH}]},
                {"name": ORDER, "partitions": [{"partition_index": 0, "current_leader_epoch": -1, "timestamp": -1}]}]}
            got = c.request("ListOffsets", 9, ask)["topics"]
        parts = {(t["name"], p["partition_index"]): p for t in got for p in t["partitions"]}
        equal(parts["cold", 0]["offset"], next(o for o, s, _ in want["cold"] if s >= EPOCH + 7777))
        equal((parts["none", 0]["error_code"], parts["other", 1]["error_code"]), (3, 3))
        equal(parts["other", 0]["offset"], 1499)
        assert parts[ORDER, 0]["offset"] >= 3000, parts[ORDER, 0]
        own.check_loop_since(mark)


def test_a_connection_that_closes_and_a_topic_that_goes_while_it_is_warmed_do_no_harm():
    with Broker(SETTINGS) as own:
        with Client(own.port) as c:
            c.create("cold")
            fill(c, "cold", 1000)
        for _ in range(20):
            restarted(own) if _ % 10 == 0 else chill(own)
            clients = [Client(own.port) for _ in range(6)]
            for i, c in enumerate(clients):
                if i % 2:
                    c.send("Fetch", 12, c.fetch_fields("cold", 0, 10 * i))
                else:
                    c.send("ListOffsets", 9, {"replica_id": -1, "isolation_level": 0, "topics": [
                        {"name": "cold", "partitions": [{"partition_index": 0, "current_leader_epoch": -1, "timestamp": EPOCH + 100 * i}]}]})
            for c in clients:
                c.close()
        chill(own)
        with Client(own.port) as reader, Client(own.port) as c:
            reader.send("Fetch", 12, reader.fetch_fields("cold", 0, 0))
            c.delete_topic("cold")
            equal(c.request("ApiVersions", 0)["error_code"], 0)
            reader.receive_any()


def test_cold_rows_of_the_order_are_read():
    with WatchedBroker(SETTINGS) as own:
        with Client(own.port) as c:
            c.create("one")
            c.create("two")
            want = [v for _, _, v in fill(c, "one", 2000)] + [v for _, _, v in fill(c, "two", 3000)]
        restarted(own)
        mark = own.mark()
        with Client(own.port) as c:
            end = c.end(ORDER)
            got = read_all(c, ORDER, c.start(ORDER), end)
            equal([r.value for r in got], want)
            for t in (EPOCH, EPOCH + 12345, EPOCH + 25000, EPOCH + 40000):
                chill(own)
                part = c.list_offset(ORDER, 0, t)
                found = next(((r.offset, r.timestamp) for r in got if r.timestamp >= t), (-1, -1))
                equal((part["error_code"], part["offset"], part["timestamp"]), (0,) + found, f"first record of the order at or after {t}")
            chill(own)
            equal(c.list_offset(ORDER, 0, -3)["offset"], got[-1].offset)
            c.delete_records("one", 0, 1234)
            chill(own)
            first = wait_for(lambda: [r for r in records_of(c.fetch(ORDER, 0, c.start(ORDER))["records"]) if r.value], 10, "a record of the view")[0]
            equal(first.value, want[1234])
        if own.check_loop_since(mark) is None:
            raise Skip("the records are right; nothing watches the calls: that takes strace, and no sanitizer")


if __name__ == "__main__":
    sys.exit(run("interop.cold", globals()))
