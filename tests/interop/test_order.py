#!/usr/bin/python3
"""`__order`, the topic whose offset is the position: what it holds, that cause comes before effect, that its end covers what was
acknowledged and never goes back, and that nothing that is removed strands a reader."""
import os
import random
import subprocess
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, Conn, batch, batches, records_of
from broker_proc import Broker, is_sanitized, run_with_broker
from check import Skip, equal, wait_for

broker = None
ORDER = "__order"


def client(of=None):
    return Client((of or broker).port)


def source(record):
    """Where a record of the view came from: (topic, partition, offset); these headers stand last."""
    names = [k for k, _ in record.headers[-3:]]
    equal(names, ["braid.topic", "braid.partition", "braid.offset"])
    topic, partition, offset = (v for _, v in record.headers[-3:])
    return topic.decode(), int(partition), int(offset)


def content(record):
    return record.key, record.value, record.timestamp, record.headers


def check_against_partitions(c, records):
    """Records of the view, whole: each record of each partition once, in its order, with the same content."""
    by_source = {}
    last = -1
    for r in records:
        assert r.offset > last, f"position {r.offset} after {last}"
        last = r.offset
        where = source(r)
        assert where not in by_source, f"{where} is there twice"
        by_source[where] = r
    topics = {}
    for topic, partition, _ in by_source:
        topics.setdefault((topic, partition), []).append(1)
    for topic, partition in topics:
        stored = c.read(topic, partition)
        positions = []
        for s in stored:
            r = by_source.pop((topic, partition, s.offset), None)
            assert r, f"{topic}-{partition} offset {s.offset} has no position"
            equal(content(r)[:3] + (r.headers[:-3],), content(s), f"{topic}-{partition} offset {s.offset}")
            positions.append(r.offset)
        assert positions == sorted(positions), f"{topic}-{partition}: positions and offsets disagree"
    equal(by_source, {}, "records of the view that no partition has")


def test_the_view_is_an_internal_topic_of_one_partition():
    with client() as c:
        for version in (1, 5, 9, 12):
            got = c.request("Metadata", version, {"topics": [{"name": ORDER}]})["topics"][0]
            equal((got["error_code"], got["is_internal"], len(got["partitions"])), (0, True, 1))
            part = got["partitions"][0]
            equal((part["error_code"], part["leader_id"]), (0, c.request("Metadata", 1, {"topics": []})["controller_id"]))
        names = [t["name"] for t in c.request("Metadata", 12, {"topics": None})["topics"]]
        assert ORDER in names, names


def test_an_empty_view_can_be_read():
    with Broker() as own, client(own) as c:
        equal((c.start(ORDER), c.end(ORDER)), (c.end(ORDER), c.end(ORDER)))
        got = c.fetch(ORDER, 0, c.end(ORDER))
        equal((got["error_code"], got["records"] or b""), (0, b""))
        c.create("t")
        equal(c.read(ORDER), [])
        equal([r.value for r in subprocess_lines(own, "-e", "-o", "beginning")], [])


class Line:
    def __init__(self, text):
        self.offset, self.value, self.headers = text.split("\t")


def subprocess_lines(of, *arguments):
    out = subprocess.run(["kcat", "-C", "-b", of.address, "-t", ORDER, "-q", "-f", "%o\t%s\t%h\n", *arguments], capture_output=True, text=True, timeout=30)
    if out.returncode:
        raise AssertionError(f"kcat: {out.stderr}")
    return [Line(t) for t in out.stdout.splitlines()]


def fill(c, topics, rounds, rng):
    """Records of every shape, round about over the topics."""
    for i in range(rounds):
        topic, parts = rng.choice(topics)
        n = rng.randrange(1, 5)
        c.append(topic, rng.randrange(parts), [rng.choice([None, b"", b"v%d" % i, b"x" * 2000]) for _ in range(n)], codec=rng.randrange(5),
                 keys=[rng.choice([None, b"", b"k"]) for _ in range(n)], times=[1000 + rng.randrange(1000) for _ in range(n)],
                 headers=rng.choice([(), [("h", b"1")], [("a", None), ("a", b""), ("ü", b"2")]]))


def test_the_view_holds_every_record_once_with_its_content():
    rng = random.Random(1)
    with Broker() as own:
        with client(own) as c:
            topics = [("a", 3), ("b.c", 1), ("d_e", 5)]
            for name, parts in topics:
                c.create(name, parts)
            c.create("stamped", 1, {"message.timestamp.type": "LogAppendTime"})
            fill(c, topics + [("stamped", 1)], 120, rng)
            c.create("late", 2)
            fill(c, topics + [("late", 2), ("stamped", 1)], 60, rng)
            want = c.read(ORDER)
            check_against_partitions(c, want)
            equal(len(want), sum(c.end(t, p) for t, n in topics + [("late", 2), ("stamped", 1)] for p in range(n)))
            # from every position, in any piece, the same
            for _ in range(60):
                at = rng.randrange(want[0].offset, want[-1].offset + 1)
                got = c.read(ORDER, offset=at, part_bytes=rng.choice([1, 500, 5000, 1 << 20]))
                equal(got, [r for r in want if r.offset >= at], f"from position {at}")
            for version in (4, 7, 11, 12, 13, 18):
                got = records_of(c.fetch(ORDER, 0, want[0].offset, version=version, part_bytes=2000)["records"])
                equal(got, want[:len(got)], f"version {version}")
            stamped = [r for r in want if source(r)[0] == "stamped"]
            assert stamped and all(r.timestamp > 10 ** 12 for r in stamped)
        for how in ("stop", "kill", "kill"):
            own.restart(how)
            with client(own) as c:
                equal(c.read(ORDER) == want, True, f"the same after {how}")
                equal(c.end(ORDER), want[-1].offset + 1)
        with client(own) as c:
            fill(c, topics, 20, rng)
            more = c.read(ORDER)
            equal(more[:len(want)] == want, True)
            check_against_partitions(c, more)


def test_batches_of_the_view_say_whose_time_they_carry():
    with Broker() as own, client(own) as c:
        c.create("create")
        c.create("append", 1, {"message.timestamp.type": "LogAppendTime"})
        for i in range(6):
            c.append(("create", "append")[i % 2], 0, [b"x", b"y"], times=[5, 9])
        start = c.start(ORDER)
        got = batches(c.fetch(ORDER, 0, start)["records"])
        equal([(b.attributes & 15, b.producer_id, b.producer_epoch, b.base_sequence) for b in got], [(8 * (i % 2), -1, -1, -1) for i in range(6)])
        for b in got:
            equal(b.max_timestamp, max(r.timestamp for r in b.records))
            equal(b.last_offset_delta, b.records[-1].offset - b.base_offset)


def test_records_larger_than_an_answer_pass_through():
    with Broker({"message.max.bytes": 20_000_000}) as own, client(own) as c:
        c.create("big")
        values = [os.urandom(n) for n in (3_000_000, 10, 15_000_000, 10)]
        for v in values:
            c.append("big", 0, [v, b"small"], codec=0)
        c.append("big", 0, [b"x" * 200_000] * 20, codec=4)
        for part_bytes in (1, 1 << 20):
            got = c.read(ORDER, part_bytes=part_bytes)
            equal([len(r.value) for r in got[:8]], [n for v in values for n in (len(v), 5)])
            equal([r.value == v for r, v in zip(got[:8:2], values)], [True] * 4)
            equal([len(r.value) for r in got[8:]], [200_000] * 20)


def test_large_records_cost_slow_readers_little():
    """A record of 16 MB that took 16 kB to store: ten readers ask for it and take nothing."""
    if is_sanitized():
        raise Skip("memory under a sanitizer says little")
    with Broker() as own, client(own) as c:
        c.create("bomb")
        value = bytes(16_000_000)
        c.append("bomb", 0, [value], codec=1)
        conns = [Conn(own.port) for _ in range(10)]
        asked = [conn.send("Fetch", 11, c.fetch_fields(ORDER, 0, 0)) for conn in conns]
        equal(len(c.read(ORDER)[0].value), len(value))
        assert own.rss_kib() < 100 * 1024, f"{own.rss_kib()} KiB"
        for conn, n in zip(conns, asked):
            answer = conn.receive(n)
            equal(len(records_of(answer["topics"][0]["partitions"][0]["records"])[0].value), len(value))
            conn.close()
        assert own.rss_kib() < 64 * 1024, f"{own.rss_kib()} KiB afterwards"


def test_groups_are_no_part_of_the_view():
    with Broker() as own, client(own) as c:
        c.create("t")
        c.append("t", 0, [b"before"])
        wait_for(lambda: c.request("FindCoordinator", 1, {"key": "g"})["error_code"] == 0, 10, "a coordinator")
        for i in range(5):
            answer = c.request("OffsetCommit", 2, {"group_id": "g", "topics": [{"name": "t", "partitions": [{"partition_index": 0, "committed_offset": i}]}]})
            equal(answer["topics"][0]["partitions"][0]["error_code"], 0)
        end = c.end(ORDER)
        c.append("t", 0, [b"after"])
        equal([r.value for r in c.read(ORDER)], [b"before", b"after"])
        assert c.end(ORDER) > end
        c.request("OffsetCommit", 2, {"group_id": "g", "topics": [{"name": "t", "partitions": [{"partition_index": 0, "committed_offset": 9}]}]})
        equal(c.end(ORDER), c.read(ORDER)[-1].offset + 1, "the end is one past the last visible record")
        equal(len(subprocess_lines(own, "-e", "-o", "beginning")), 2)


def test_the_end_covers_what_was_acknowledged():
    with client() as a, client() as b:
        topic = a.create("covers", 4)
        last = a.end(ORDER)
        for i in range(150):
            p = i % 4
            base = a.append(topic, p, [b"%d" % i])
            end = b.end(ORDER)
            assert end > last, "LATEST does not cover an acknowledged append"
            got = records_of(b.fetch(ORDER, 0, end - 1)["records"])
            equal((source(got[-1]), got[-1].value), ((topic, p, base), b"%d" % i))
            last = end


def test_an_effect_never_comes_before_its_cause():
    """A token goes round: each holder waits for the acknowledgement of its record before the next one, on another topic and
    connection, sends its own. Others write all the while."""
    rounds, stop = (40 if is_sanitized() else 150), threading.Event()
    with client() as c:
        for t in range(3):
            c.create(f"cause-{t}", 4)
        c.create("noise", 4)

        def noise(k):
            with client() as n:
                i = 0
                while not stop.is_set():
                    sent = [n.send("Produce", 9, n.produce_fields("noise", (k + i + j) % 4, batch([b"n"] * 3))) for j in range(5)]
                    for s in sent:
                        n.receive(s)
                    i += 1
        threads = [threading.Thread(target=noise, args=(k,), daemon=True) for k in range(3)]
        for t in threads:
            t.start()
        holders = [client() for _ in range(6)]
        start = c.end(ORDER)
        chain = []
        for i in range(rounds):
            h = holders[i % 6]
            topic, p = f"cause-{i % 3}", i % 4
            chain.append((topic, p, h.append(topic, p, [b"t%d" % i], codec=i % 5)))
        stop.set()
        for t in threads:
            t.join()
        records = c.read(ORDER, offset=start)
        where = {source(r): r.offset for r in records}
        positions = [where[link] for link in chain]
        assert positions == sorted(positions), "an effect has a lower position than its cause"
        assert any(source(r)[0] == "noise" for r in records)
        for h in holders:
            h.close()


def test_readers_see_one_order_while_it_is_written():
    with Broker() as own, client(own) as w:
        w.create("one", 3)
        w.create("two", 2)
        total, logs = 400, [[], [], []]

        def reader(log, wait):
            with client(own) as c:
                at = 0
                while len(log) < total:
                    got = c.fetch(ORDER, 0, max(at, c.start(ORDER)), wait=wait)
                    equal(got["error_code"], 0)
                    for b in batches(got["records"] or b""):
                        log += [(r.offset, source(r)) for r in b.records if r.offset >= at and not b.attributes & 32]
                        at = b.base_offset + b.last_offset_delta + 1
        threads = [threading.Thread(target=reader, args=(logs[i], 500), daemon=True) for i in range(2)]
        for t in threads:
            t.start()
        sent = [w.send("Produce", 9, w.produce_fields(("one", "two")[i % 2], i % 2, batch([b"x"]), acks=(-1, 1)[i % 3 == 0])) for i in range(total)]
        for s in sent:
            w.receive(s)
        reader(logs[2], 0)
        for t in threads:
            t.join(20)
        equal(logs[0] == logs[2] and logs[1] == logs[2], True, "three readers, one order")
        equal(len({p for p, _ in logs[0]}), total)


def test_a_waiting_reader_is_woken():
    with client() as a, client() as b:
        topic = b.create("wakes")
        took = []
        for i in range(30):
            end = a.end(ORDER)
            n = a.send("Fetch", 12, a.fetch_fields(ORDER, 0, end, wait=10000))
            assert not a.has_answer(0.002)
            began = time.monotonic()
            b.append(topic, 0, [b"w%d" % i])
            got = a.receive(n)["topics"][0]["partitions"][0]
            took.append(time.monotonic() - began)
            equal([r.value for r in records_of(got["records"]) if r.offset >= end], [b"w%d" % i])
        took.sort()
        assert is_sanitized() or took[15] < 0.1, f"median {took[15] * 1000:.0f} ms"
        began = time.monotonic()
        got = a.fetch(ORDER, 0, a.end(ORDER), wait=300)
        assert 0.28 < time.monotonic() - began < 2
        equal(got["records"] or b"", b"")


def test_a_session_may_hold_the_view_and_partitions():
    with client() as a, client() as b:
        topic = b.create("session")
        end = a.end(ORDER)
        def ask(session, epoch, topics):
            return a.request("Fetch", 12, {"max_wait_ms": 0, "min_bytes": 1, "session_id": session, "session_epoch": epoch,
                                           "topics": [{"topic": t, "partitions": [{"partition": 0, "fetch_offset": o, "partition_max_bytes": 1 << 20}]} for t, o in topics]})
        got = ask(0, 0, [(ORDER, end), (topic, 0)])
        session = got["session_id"]
        equal(sorted(t["topic"] for t in got["topics"]), sorted([ORDER, topic]))
        equal(ask(session, 1, [])["topics"], [])
        b.append(topic, 0, [b"x"])
        b.end(ORDER)
        got = ask(session, 2, [])
        equal(sorted(t["topic"] for t in got["topics"]), sorted([ORDER, topic]))
        equal(ask(session, 3, [(ORDER, a.end(ORDER)), (topic, 1)])["topics"], [])


def test_the_view_cannot_be_changed():
    with client() as c:
        for version in (3, 9, 13):
            for acks in (-1, 1):
                equal(c.produce(ORDER, 0, batch([b"x"]), acks=acks, version=version)["error_code"], 17)
        equal(c.delete_topic(ORDER), 17)
        got = c.request("CreatePartitions", 2, {"topics": [{"name": ORDER, "count": 3, "assignments": None}], "timeout_ms": 1000})
        equal(got["results"][0]["error_code"], 37)
        got = c.request("CreateTopics", 5, {"topics": [{"name": ORDER, "num_partitions": 1, "replication_factor": 1}], "timeout_ms": 1000})
        assert got["topics"][0]["error_code"] in (17, 36), got
        assert c.delete_records(ORDER, 0, 0)["error_code"] != 0
        got = c.request("IncrementalAlterConfigs", 1, {"resources": [{"resource_type": 2, "resource_name": ORDER, "configs": [
            {"name": "retention.ms", "config_operation": 0, "value": "1"}]}]})
        assert got["responses"][0]["error_code"] != 0, got


def test_offsets_and_epochs_of_the_view():
    with client() as c:
        topic = c.create("listed")
        c.append(topic, 0, [b"x"])
        for version in range(1, 12):
            latest, earliest = (c.list_offset(ORDER, 0, t, version) for t in (-1, -2))
            equal((latest["error_code"], earliest["error_code"]), (0, 0))
            assert earliest["offset"] < latest["offset"]
            if version >= 4:
                equal(latest["leader_epoch"], 0)
        got = c.request("OffsetForLeaderEpoch", 3, {"topics": [{"topic": ORDER, "partitions": [{"partition": 0, "leader_epoch": 0}]}]})["topics"][0]["partitions"][0]
        equal((got["error_code"], got["leader_epoch"], got["end_offset"]), (0, 0, c.end(ORDER)))
        for current, error in [(0, 0), (5, 75), (-1, 0)]:
            fields = c.fetch_fields(ORDER, 0, c.start(ORDER))
            fields["topics"][0]["partitions"][0]["current_leader_epoch"] = current
            equal(c.request("Fetch", 12, fields)["topics"][0]["partitions"][0]["error_code"], error)
        for offset in (c.end(ORDER) + 1, -1, 1 << 50):
            equal(c.fetch(ORDER, 0, offset)["error_code"], 1, f"position {offset}")
        first = c.start(ORDER)
        for t in c.request("Metadata", 1, {"topics": None})["topics"]:
            if not t["is_internal"]:
                c.delete_records(t["name"], 0, -1)
        for offset in (0, first):
            equal(c.fetch(ORDER, 0, offset)["error_code"], 1, f"position {offset}, whose records were removed")


def test_a_time_is_looked_up_in_position_order():
    with Broker() as own, client(own) as c:
        equal([(g["error_code"], g["offset"]) for g in (c.list_offset(ORDER, 0, t) for t in (0, 1700000000000, -3))], [(0, -1)] * 3, "an empty order")
        c.create("t", 2)
        for i, t in enumerate([5000, 1000, 7000, 3000, 7000]):
            c.append("t", i % 2, [b"x"], times=[t])
        at = [r.offset for r in c.read(ORDER)]
        for t, k in ((0, 0), (5000, 0), (5001, 2), (7000, 2), (-3, 2)):
            got = c.list_offset(ORDER, 0, t)
            equal((got["error_code"], got["offset"]), (0, at[k]), f"time {t}: the first record, not the oldest")
        equal(c.list_offset(ORDER, 0, 7001)["offset"], -1)


def test_a_reader_that_missed_nothing_is_never_out_of_range():
    """Positions that no record ever had lie between a reader at the end and the next record: they are no loss."""
    with Broker() as own, client(own) as c:
        at = c.end(ORDER)
        for i in range(5):
            c.create(f"t{i}")
            c.create(f"u{i}", 3)
            c.delete_topic(f"u{i}")
            c.append(f"t{i}", 0, [b"%d" % i])
            got = c.fetch(ORDER, 0, at)
            equal((got["error_code"], [r.value for r in records_of(got["records"])]), (0, [b"%d" % i]), f"from position {at}")
            at = c.end(ORDER)
            c.delete_records(f"t{i}", 0, -1)  # read already
        own.restart("kill")
    with Broker() as own, client(own) as c:
        n = c.send("Fetch", 12, c.fetch_fields(ORDER, 0, 0, wait=5000))
        with client(own) as w:
            w.create("first")
            w.append("first", 0, [b"x"])
        got = c.receive(n)["topics"][0]["partitions"][0]
        equal((got["error_code"], [r.value for r in records_of(got["records"])]), (0, [b"x"]), "a waiting reader of an empty view")


# --- removal ---

def reach_end(c, at, part_bytes=1 << 20, wait=0):
    """Reads from at to the end as a plain consumer that starts over at the start on error 1. Records seen."""
    end, out = c.end(ORDER), []
    for _ in range(10000):
        if at >= end:
            return out, end
        got = c.fetch(ORDER, 0, at, part_bytes=part_bytes, wait=wait)
        if got["error_code"] == 1:
            assert got["log_start_offset"] > at, f"no start to go on from at {at}: {got['log_start_offset']}"
            at = got["log_start_offset"]
            continue
        equal(got["error_code"], 0)
        found = batches(got["records"] or b"")
        assert found, f"stranded at {at}, the end is {end}"
        for b in found:
            if not b.attributes & 32:
                out += [r for r in b.records if r.offset >= at]
            after = b.base_offset + b.last_offset_delta + 1
            assert after > at or b is not found[-1], f"no progress at {at}"
            at = max(at, after)
    raise AssertionError("the end is not reached")


def test_removed_records_never_strand_a_reader():
    rng = random.Random(4)
    with Broker({"log.segment.bytes": 14000}) as own:
        with client(own) as c:
            names = [("keep", 2), ("cut", 3), ("gone", 2), ("tail", 1)]
            for name, parts in names:
                c.create(name, parts)
            fill(c, names[:3], 120, rng)
            fill(c, names, 30, rng)
            c.append("tail", 0, [b"the very last"] * 3)
            before = c.read(ORDER)
            end = c.end(ORDER)
            steps = [lambda: c.delete_records("cut", 0, -1), lambda: c.delete_records("cut", 1, c.end("cut", 1) // 2), lambda: c.delete_topic("gone"),
                     lambda: c.delete_records("tail", 0, -1), lambda: c.delete_records("keep", 0, 3), lambda: c.delete_topic("tail"), lambda: c.delete_topic("cut")]
            for n, step in enumerate(steps):
                step()
                check_removed(c, before, end, rng, f"step {n}")
        for how in ("kill", "stop"):
            own.restart(how)
            with client(own) as c:
                check_removed(c, before, end, rng, f"after {how}")
        with client(own) as c:
            c.create("new")
            c.append("new", 0, [b"goes on"])
            equal(reach_end(c, end)[0][-1].value, b"goes on")
            assert c.end(ORDER) > end


def check_removed(c, before, end, rng, what):
    """What is left of `before`, from many positions; the end as it was."""
    assert c.end(ORDER) >= end, f"{what}: the end went back"
    exists = {t["name"] for t in c.request("Metadata", 1, {"topics": None})["topics"]}
    starts = {}
    for r in before:
        topic, p, _ = source(r)
        if topic in exists and (topic, p) not in starts:
            starts[(topic, p)] = c.start(topic, p)
    left = [r for r in before if source(r)[2] >= starts.get(source(r)[:2], 1 << 60)]
    equal(c.start(ORDER), left[0].offset if left else c.end(ORDER), f"{what}: EARLIEST is the first record left")
    positions = [before[0].offset, c.start(ORDER), end - 1, end] + [rng.randrange(end + 1) for _ in range(25)]
    for at in positions:
        got, _ = reach_end(c, at, rng.choice([1, 3000, 1 << 20]), wait=rng.choice([0, 1000]))
        equal([r.offset for r in got], [r.offset for r in left if r.offset >= at], f"{what}: from {at}")
        equal(got == [r for r in left if r.offset >= at], True, f"{what}: content from {at}")


def test_removing_everything_leaves_a_reachable_end():
    with Broker() as own:
        with client(own) as c:
            c.create("t")
            c.append("t", 0, [b"x"] * 10)
            end = c.end(ORDER)
            middle = end - 5
            c.delete_records("t", 0, -1)
            for at in (middle, end - 1, end):
                equal(reach_end(c, at)[0], [])
            equal((c.start(ORDER), c.end(ORDER)), (end, end))
            equal(subprocess_lines(own, "-e", "-o", "beginning"), [])
            c.delete_topic("t")
            equal(c.end(ORDER), end)
        own.restart("kill")
        with client(own) as c:
            equal((c.start(ORDER), c.end(ORDER)), (end, end))
            c.create("t")
            c.append("t", 0, [b"again"])
            equal([(r.value, source(r)) for r in reach_end(c, end)[0]], [(b"again", ("t", 0, 0))])


def test_a_gap_before_the_end_is_one_control_batch():
    with Broker() as own, client(own) as c:
        c.create("first")
        c.create("last")
        c.append("first", 0, [b"stays"])
        c.append("last", 0, [b"goes"] * 5)
        positions = [r.offset for r in c.read(ORDER)]
        end = c.end(ORDER)
        c.delete_records("last", 0, -1)
        equal(c.end(ORDER), end)
        got = batches(c.fetch(ORDER, 0, positions[1])["records"])
        equal([(b.base_offset, b.base_offset + b.last_offset_delta + 1, b.attributes & 32, b.count) for b in got], [(positions[1], end, 32, 1)])
        equal(got[0].records[0].key, b"\0\0\x7f\xff")


def test_retention_and_deletion_under_a_slow_reader():
    with Broker({"log.segment.bytes": 14000, "log.retention.check.interval.ms": 20, "log.retention.bytes": 20000}) as own, client(own) as c, client(own) as w:
        for t in ("r1", "r2"):
            w.create(t, 2)
        at, seen, last_end = c.start(ORDER), -1, 0
        for i in range(200):
            w.append(("r1", "r2")[i % 2], i // 2 % 2, [b"%05d" % i + os.urandom(900)], codec=i % 5)
            if i == 120:
                w.delete_topic("r2")
                w.create("r2", 2)
            end = c.end(ORDER)
            assert end > last_end
            last_end = end
            if i % 50 == 49:
                got, at = reach_end(c, at, 3000)
                numbers = [int(r.value[:5]) for r in got]
                assert numbers == sorted(set(numbers)) and (not numbers or numbers[0] > seen), "in order, none twice"
                equal(numbers[-1], i, "the newest record is reached")
                seen = numbers[-1]


def test_the_order_log_is_trimmed_behind_what_is_removed():
    """Many rows are written and removed: the start moves on, and so does a reader from the very beginning, in bounded steps."""
    with Broker() as own, client(own) as c:
        c.create("churn")
        for _ in range(20):
            sent = [c.send("Produce", 9, c.produce_fields("churn", 0, batch([b"x"]))) for _ in range(200)]
            for n in sent:
                c.receive(n)
            c.delete_records("churn", 0, -1)
        c.append("churn", 0, [b"end"])
        equal([r.value for r in reach_end(c, 0)[0]], [b"end"])
        equal(c.start(ORDER), c.end(ORDER) - 1)


# --- by real clients ---

def test_kcat_reads_to_the_end_and_stops():
    rng = random.Random(9)
    with Broker() as own, client(own) as c:
        c.create("a", 2)
        c.create("b", 1)
        fill(c, [("a", 2), ("b", 1)], 40, rng)
        want = c.read(ORDER)
        got = subprocess_lines(own, "-e", "-o", "beginning")
        equal([int(g.offset) for g in got], [r.offset for r in want])
        for g, r in zip(got, want):
            topic, partition, offset = source(r)
            assert g.headers.endswith(f"braid.topic={topic},braid.partition={partition},braid.offset={offset}"), g.headers
        middle = want[len(want) // 2].offset
        equal([int(g.offset) for g in subprocess_lines(own, "-e", "-o", str(middle))], [r.offset for r in want if r.offset >= middle])
        equal(subprocess_lines(own, "-e", "-o", "end"), [])
        c.delete_records("b", 0, -1)
        c.delete_records("a", 1, -1)
        left = [r.offset for r in want if source(r)[:2] == ("a", 0)]
        equal([int(g.offset) for g in subprocess_lines(own, "-e", "-o", "beginning")], left)


def test_groups_of_librdkafka_read_the_view():
    try:
        import confluent_kafka as ck
    except ImportError:
        raise Skip("python3-confluent-kafka is not installed")
    with Broker() as own, client(own) as c:
        c.create("t", 3)
        for i in range(50):
            c.append("t", i % 3, [b"%d" % i])
        conf = {"bootstrap.servers": own.address, "group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False, "enable.partition.eof": True}
        for expect in (range(50), range(50, 60)):
            consumer = ck.Consumer(conf)
            consumer.subscribe([ORDER])
            got = []
            while True:
                m = consumer.poll(10)
                assert m is not None, "nothing for 10 s"
                if m.error():
                    equal(m.error().code(), ck.KafkaError._PARTITION_EOF)
                    break
                got.append(int(m.value()))
            equal(got, list(expect))
            consumer.commit(asynchronous=False)
            consumer.close()
            for i in range(50, 60):
                c.append("t", i % 3, [b"%d" % i])
        pattern = ck.Consumer(dict(conf, **{"group.id": "p"}))
        pattern.subscribe(["^.*"])
        topics = set()
        end = time.monotonic() + 15
        while time.monotonic() < end and not topics:
            pattern.poll(0.2)
            topics = {t.topic for t in pattern.assignment()}
        pattern.close()
        equal("t" in topics, True)


def test_groups_of_python3_kafka_read_the_view():
    try:
        import kafka
    except ImportError:
        raise Skip("python3-kafka is not installed")
    with Broker() as own, client(own) as c:
        c.create("t", 3)
        for i in range(50):
            c.append("t", i % 3, [b"%d" % i], codec=i % 2)
        for expect in (range(50), range(50, 60)):
            consumer = kafka.KafkaConsumer(ORDER, bootstrap_servers=own.address, group_id="g", auto_offset_reset="earliest", enable_auto_commit=False, consumer_timeout_ms=20000)
            got = []
            for m in consumer:
                got.append(int(m.value))
                equal([k for k, _ in m.headers], ["braid.topic", "braid.partition", "braid.offset"])
                if len(got) == len(expect):
                    break
            equal(got, list(expect))
            consumer.commit()
            consumer.close()
            for i in range(50, 60):
                c.append("t", i % 3, [b"%d" % i])


if __name__ == "__main__":
    sys.exit(run_with_broker("order", globals()))
