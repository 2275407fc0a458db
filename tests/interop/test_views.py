#!/usr/bin/python3
"""Filtered order views: topics made with braid.order.view, whose offsets are positions. What they show, how they begin and end, that nothing that is removed or
restarted sends them back, and lookups by time, in them and in `__order`."""
import os
import random
import subprocess
import sys
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import CODECS, Client, batch, batches, now_ms, records_of
from broker_proc import Broker, is_sanitized, run_with_broker
from check import Skip, equal, wait_for

broker = None
ORDER = "__order"
OURS = ("braid.topic", "braid.partition", "braid.offset")


def client(of=None):
    return Client((of or broker).port)


def source(record):
    """Where a record of a view with headers came from: (topic, partition, offset)."""
    equal(tuple(k for k, _ in record.headers[-3:]), OURS)
    topic, partition, offset = (v for _, v in record.headers[-3:])
    return topic.decode(), int(partition), int(offset)


def make_view(c, name, members, **configs):
    return c.create(name, 1, dict({"braid.order.view": members}, **{k.replace("_", "."): v for k, v in configs.items()}))


def try_create(c, name, configs, partitions=1, replication=1):
    """Error code and message."""
    got = c.request("CreateTopics", 5, {"topics": [{"name": name, "num_partitions": partitions, "replication_factor": replication,
                                                    "configs": [{"name": k, "value": v} for k, v in configs.items()]}]})["topics"][0]
    return got["error_code"], got["error_message"] or ""


def is_in(members, topic):
    return any(topic.startswith(m[:-1]) if m.endswith("*") else topic == m for m in members.split(","))


def fill(c, topics, rounds, rng):
    """Records of every shape, round about over (topic, partitions)."""
    for i in range(rounds):
        topic, parts = rng.choice(topics)
        n = rng.randrange(1, 5)
        c.append(topic, rng.randrange(parts), [rng.choice([None, b"", b"v%d" % i, b"x" * 2000]) for _ in range(n)], codec=rng.randrange(5),
                 keys=[rng.choice([None, b"", b"k"]) for _ in range(n)], times=[1000 + rng.randrange(1000) for _ in range(n)],
                 headers=rng.choice([(), [("h", b"1")], [("a", None), ("a", b""), ("ü", b"2")]]))


def reach_end(c, topic, at, part_bytes=1 << 20, wait=0):
    """Reads from at to the end as a plain consumer that starts over at the start on error 1. Records seen."""
    end, out = c.end(topic), []
    for _ in range(10000):
        if at >= end:
            return out
        got = c.fetch(topic, 0, at, part_bytes=part_bytes, wait=wait)
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


def configs_of(c, topic):
    got = c.request("DescribeConfigs", 4, {"resources": [{"resource_type": 2, "resource_name": topic, "configuration_keys": None}]})["results"][0]
    equal(got["error_code"], 0)
    return {e["name"]: e for e in got["configs"]}


# --- as a topic ---

def test_a_view_is_an_ordinary_topic_of_one_partition():
    with Broker({"num.partitions": 4, "compression.type": "gzip"}) as own:
        with client(own) as c:
            c.create("orders")
            code, message = try_create(c, "audit", {"braid.order.view": "orders, app-*"}, partitions=-1, replication=-1)
            equal((code, message), (0, ""), "-1: one partition, not num.partitions")
            ident = c.topic_id("audit")
            c.append("orders", 0, [b"x"])
        for how in (None, "kill", "stop", "kill"):
            if how:
                own.restart(how)
            with client(own) as c:
                for version in (1, 5, 9, 12):
                    got = c.request("Metadata", version, {"topics": [{"name": "audit"}]})["topics"][0]
                    equal((got["error_code"], got["is_internal"], len(got["partitions"])), (0, False, 1))
                    equal((got["partitions"][0]["error_code"], got["partitions"][0]["partition_index"]), (0, 0))
                equal(c.topic_id("audit"), ident, "the id stays")
                got = c.request("DescribeTopicPartitions", 0, {"topics": [{"name": "audit"}], "response_partition_limit": 10})["topics"][0]
                equal((got["error_code"], got["topic_id"], len(got["partitions"])), (0, ident, 1))
                configs = configs_of(c, "audit")
                equal((configs["braid.order.view"]["value"], configs["braid.order.view"]["config_source"], configs["braid.order.view"]["read_only"]), ("orders, app-*", 1, True))
                equal((configs["compression.type"]["value"], configs["compression.type"]["config_source"]), ("uncompressed", 5), "the broker's codec is for stored batches")
                equal(configs["braid.order.headers"]["value"], "true")
                equal([k for t in ("orders", ORDER) for k in configs_of(c, t) if k.startswith("braid.order")], [], "settings of views only")
                dirs = c.request("DescribeLogDirs", 4, {"topics": None})["results"][0]
                equal([t["name"] for t in dirs["topics"]], ["orders"], "no data of its own")
                equal([source(r) for r in c.read("audit")], [("orders", 0, 0)])
        assert not [d for d in os.listdir(own.data) if d.startswith("audit")], os.listdir(own.data)


def test_unfit_values_are_refused_and_named():
    with client() as c:
        make_view(c, "there", "a")
        for value, culprit in [("", "''"), ("ok,,b", "''"), ("ok,", "''"), ("a b", "'a b'"), ("ok,b*c", "'b*c'"), ("ok,a/b", "'a/b'"), ("*,**", "'**'"),
                               ("ok,__order", "__order"), ("__consumer_offsets", "__consumer_offsets"), ("ok,there", "there"), ("ok,self", "self")]:
            code, message = try_create(c, "self", {"braid.order.view": value})
            equal(code, 40, f"{value!r}: {message}")
            assert "braid.order.view" in message and culprit in message, f"{value!r}: {message}"
        for configs in ({"cleanup.policy": "compact"}, {"cleanup.policy": "delete"}, {"min.insync.replicas": "1"}, {"retention.ms": "5"}, {"braid.durability": "fsync"},
                        {"braid.order.headers": "maybe"}, {"compression.type": "producer"}, {"compression.type": "rar"},
                        {"braid.order.headers": "false", "compression.type": "zstd"}):
            code, message = try_create(c, "self", dict(configs, **{"braid.order.view": "a"}))
            equal(code, 40, f"{configs}: {message}")
            assert list(configs)[-1] in message, message
        equal(try_create(c, "self", {"braid.order.headers": "false"})[0], 40, "a setting of views only")
        for name in ("__consumer_offsets", "__transaction_state"):
            equal(try_create(c, name, {"braid.order.view": "a"})[0], 40, f"{name} keeps data of its own")
        for partitions in (0, 2, 100):
            equal(try_create(c, "self", {"braid.order.view": "a"}, partitions=partitions)[0], 37)
        equal(try_create(c, "self", {"braid.order.view": "a"}, replication=2)[0], 38)
        equal(try_create(c, "there", {"braid.order.view": "a"})[0], 36)
        got = c.request("CreateTopics", 5, {"topics": [{"name": "self", "num_partitions": 1, "replication_factor": 1, "configs": [{"name": "braid.order.view", "value": "a"}]}],
                                            "validate_only": True})["topics"][0]
        equal(got["error_code"], 0)
        names = [t["name"] for t in c.request("Metadata", 12, {"topics": None})["topics"]]
        assert "self" not in names, names
        c.delete_topic("there")


def alter(c, topic, name, value, op=0):
    got = c.request("IncrementalAlterConfigs", 1, {"resources": [{"resource_type": 2, "resource_name": topic, "configs": [
        {"name": name, "config_operation": op, "value": value}]}]})["responses"][0]
    return got["error_code"], got["error_message"] or ""


def alter_all(c, topic, configs):
    got = c.request("AlterConfigs", 1, {"resources": [{"resource_type": 2, "resource_name": topic, "configs": [
        {"name": k, "value": v} for k, v in configs.items()]}]})["responses"][0]
    return got["error_code"], got["error_message"] or ""


def test_what_a_view_shows_is_fixed_and_how_is_not():
    with Broker() as own:
        with client(own) as c:
            c.create("m")
            make_view(c, "fixed", "m")
            c.append("m", 0, [b"x" * 500])
            for value, op in (("m,n", 0), (None, 1), ("n", 2), ("m", 3)):
                code, message = alter(c, "fixed", "braid.order.view", value, op)
                equal(code, 40)
                assert "braid.order.view" in message and "fixed" in message, message
            for topic in ("fixed", "m"):
                code, message = alter_all(c, topic, {"braid.order.view": "n"})
                equal(code, 40)
                assert "fixed" in message, message
            equal(alter(c, "m", "braid.order.headers", "false")[0], 40)
            equal(alter(c, "fixed", "retention.ms", "5")[0], 40)
            equal(alter(c, "fixed", "compression.type", "zstd"), (0, ""))
            equal(alter(c, "fixed", "braid.order.headers", "false")[0], 40, "not together")
            equal(alter(c, ORDER, "compression.type", "zstd")[0], 40)
            equal(batches(c.fetch("fixed", 0, c.start("fixed"))["records"])[0].attributes & 7, 4)
            equal(alter_all(c, "fixed", {"braid.order.headers": "false"}), (0, ""), "what is not named returns to its default, but the members stay")
        for how in ("kill", "stop"):
            with client(own) as c:
                configs = configs_of(c, "fixed")
                equal([configs[k]["value"] for k in ("braid.order.view", "braid.order.headers", "compression.type")], ["m", "false", "producer"])
                equal([r.headers for r in c.read("fixed")], [[]])
            own.restart(how)


def test_a_view_cannot_be_written_or_cut_and_may_be_deleted():
    with Broker() as own, client(own) as c:
        c.create("m")
        make_view(c, "v", "m")
        c.append("m", 0, [b"x"])
        for version in (3, 9, 13):
            for acks in (-1, 1):
                equal(c.produce("v", 0, batch([b"x"]), acks=acks, version=version)["error_code"], 17)
                equal(c.produce(ORDER, 0, batch([b"x"]), acks=acks, version=version)["error_code"], 17)
        equal(c.delete_records("v", 0, -1)["error_code"], 44)
        equal(c.delete_records(ORDER, 0, -1)["error_code"], 17)
        got = c.request("CreatePartitions", 2, {"topics": [{"name": "v", "count": 3, "assignments": None}], "timeout_ms": 1000})
        equal(got["results"][0]["error_code"], 37)
        equal(c.delete_topic(ORDER), 17)
        equal(c.fetch("v", 1, 0)["error_code"], 3)
        n = c.send("Fetch", 12, c.fetch_fields("v", 0, c.end("v"), wait=10000))
        with client(own) as d:
            equal(d.delete_topic("v"), 0)
        equal(c.receive(n)["topics"][0]["partitions"][0]["error_code"], 3, "who waits is told")
        equal(c.fetch("v", 0, 0)["error_code"], 3)
        equal(c.list_offset("v", 0, 5)["error_code"], 3)
        equal(len(c.read(ORDER)), 1, "its members' records stay")
        make_view(c, "v", "m")
        equal(len(c.read("v")), 1)
        own.restart("kill")
        with client(own) as d:
            equal(len(d.read("v")), 1)


def test_offsets_and_epochs_of_a_view():
    with Broker() as own, client(own) as c:
        c.create("m")
        make_view(c, "v", "m")
        c.append("m", 0, [b"x"])
        for version in range(1, 12):
            latest, earliest = (c.list_offset("v", 0, t, version) for t in (-1, -2))
            equal((latest["error_code"], earliest["error_code"], latest["offset"] - earliest["offset"]), (0, 0, 1))
            if version >= 4:
                equal(latest["leader_epoch"], 0)
        got = c.request("OffsetForLeaderEpoch", 3, {"topics": [{"topic": "v", "partitions": [{"partition": 0, "leader_epoch": 0}]}]})["topics"][0]["partitions"][0]
        equal((got["error_code"], got["leader_epoch"], got["end_offset"]), (0, 0, c.end("v")))
        for current, error in [(0, 0), (5, 75), (-1, 0)]:
            fields = c.fetch_fields("v", 0, c.start("v"))
            fields["topics"][0]["partitions"][0]["current_leader_epoch"] = current
            equal(c.request("Fetch", 12, fields)["topics"][0]["partitions"][0]["error_code"], error)
        for offset in (c.end("v") + 1, -1, 1 << 50):
            equal(c.fetch("v", 0, offset)["error_code"], 1, f"position {offset}")
        for version in (4, 7, 11, 12, 13, 18):
            got = c.fetch("v", 0, c.start("v"), version=version)
            equal((got["high_watermark"], got["last_stable_offset"], len(records_of(got["records"]))), (c.end("v"), c.end("v"), 1))
            equal([b.leader_epoch for b in batches(got["records"])], [0])


# --- content ---

def test_a_view_holds_the_records_of_its_members_each_at_its_position():
    rng = random.Random(1)
    views = {"v-names": "a,b.c", "v-prefix": "app-*,a", "v-all": "*", "v-none": "nobody", "v-later": "late*"}
    with Broker() as own:
        with client(own) as c:
            topics = [("a", 3), ("b.c", 1), ("app-1", 2), ("apple", 2)]
            for name, parts in topics:
                c.create(name, parts)
            fill(c, topics, 60, rng)
            for v, members in views.items():
                make_view(c, v, members)
            c.create("late-1", 2)
            c.create("app-2", 1)
            fill(c, topics + [("late-1", 2), ("app-2", 1)], 120, rng)
            wait_for(lambda: c.request("FindCoordinator", 1, {"key": "g"})["error_code"] == 0, 10, "a coordinator")
            c.request("OffsetCommit", 2, {"group_id": "g", "topics": [{"name": "v-all", "partitions": [{"partition_index": 0, "committed_offset": 3}]}]})
            everything = c.read(ORDER)
            for v, members in views.items():
                want = [r for r in everything if is_in(members, source(r)[0])]
                equal(c.read(v) == want, True, f"{v} is what {ORDER} has of {members}")
                equal((c.start(v), c.end(v)), (want[0].offset, want[-1].offset + 1) if want else (0, 0))
                for _ in range(25 if want else 0):
                    at = rng.randrange(want[-1].offset + 1)
                    got = reach_end(c, v, at, rng.choice([1, 500, 5000, 1 << 20]))
                    equal(got == [r for r in want if r.offset >= at], True, f"{v} from position {at}")
        for how in ("kill", "stop"):
            own.restart(how)
            with client(own) as c:
                for v, members in views.items():
                    want = [r for r in everything if is_in(members, source(r)[0])]
                    equal(c.read(v) == want, True, f"{v} after {how}")
                    equal(c.end(v), want[-1].offset + 1 if want else 0)
        with client(own) as c:
            equal(c.fetch("v-none", 0, 0)["error_code"], 0)
            c.create("nobody")
            c.append("nobody", 0, [b"now"])
            equal([r.value for r in reach_end(c, "v-none", 0)], [b"now"])


def test_a_view_is_compressed_as_it_says():
    rng = random.Random(2)
    with Broker() as own, client(own) as c:
        c.create("m", 3)
        c.create("stamped", 1, {"message.timestamp.type": "LogAppendTime"})
        fill(c, [("m", 3), ("stamped", 1)], 60, rng)
        want = c.read(ORDER)
        for n, codec in enumerate(CODECS):
            make_view(c, f"v-{codec}", "m,stamped", compression_type=codec if n else "uncompressed")
            got = batches(c.fetch(f"v-{codec}", 0, want[0].offset)["records"])
            equal({b.attributes & 7 for b in got}, {n}, codec)
            equal({(b.producer_id, b.producer_epoch, b.base_sequence, b.leader_epoch) for b in got}, {(-1, -1, -1, 0)})
            equal({b.attributes & 8 for b in got}, {0, 8}, "runs of equal timestamp type")
            equal(c.read(f"v-{codec}") == want, True)
            equal(c.read(f"v-{codec}", part_bytes=3000) == want, True)
        size = {codec: len(c.fetch(f"v-{codec}", 0, want[0].offset)["records"]) for codec in CODECS}
        assert all(size[codec] < size["none"] / 2 for codec in CODECS[1:]), size
        equal(c.fetch("v-zstd", 0, want[0].offset, version=9)["error_code"], 76, "a client that does not know zstd")


def test_without_headers_stored_batches_are_served_as_they_are():
    rng = random.Random(3)
    with Broker() as own, client(own) as c:
        c.create("m", 2)
        c.create("other")
        c.create("stamped", 1, {"message.timestamp.type": "LogAppendTime"})
        make_view(c, "raw", "m,stamped", braid_order_headers="false")
        make_view(c, "dressed", "m,stamped")
        producer, epoch = c.producer_id()
        for i in range(4):
            equal(c.produce("m", 0, batch([b"p%d" % i] * 3, producer=(producer, epoch, i * 3)))["error_code"], 0)
        fill(c, [("m", 2), ("other", 1), ("stamped", 1)], 60, rng)
        stored = {}
        for topic, part in (("m", 0), ("m", 1), ("stamped", 0)):
            for b in batches(c.fetch(topic, part, 0)["records"]):
                stored[(topic, part, b.base_offset)] = b
        dressed = c.read("dressed")
        first_of = {r.offset: source(r) for r in dressed}
        got = batches(c.fetch("raw", 0, c.start("raw"))["records"])
        equal(len(got), len(stored), "one batch each")
        for b in got:
            s = stored[first_of[b.base_offset]]
            equal(b.raw[16:], s.raw[16:], "all but base offset, length and epoch")
            equal((b.raw[8:12], b.leader_epoch, b.producer_id), (s.raw[8:12], 0, s.producer_id))
        assert {b.attributes & 7 for b in got} == set(range(5)) and {b.attributes & 8 for b in got} == {0, 8} and producer in {b.producer_id for b in got}
        raw = c.read("raw")
        equal([r.offset for r in raw], [r.offset for r in dressed])
        equal([r.headers for r in raw], [r.headers[:-3] for r in dressed])
        for _ in range(20):
            at = rng.choice(raw).offset
            equal(reach_end(c, "raw", at, rng.choice([1, 2000, 1 << 20])) == [r for r in raw if r.offset >= at], True)
        # records removed from the middle of a batch are not shown to a reader that stands before it
        c.create("before")
        make_view(c, "raw2", "before,cut", braid_order_headers="false")
        c.create("cut")
        c.append("before", 0, [b"first"])
        c.append("cut", 0, [b"r%d" % i for i in range(6)], codec=4)
        at = c.start("raw2")
        c.delete_records("cut", 0, 4)
        equal([r.value for r in reach_end(c, "raw2", at)], [b"first", b"r4", b"r5"])
        got = batches(c.fetch("raw2", 0, at)["records"])
        equal([(b.attributes & 7, b.count) for b in got], [(0, 1), (4, 2)])


def test_records_larger_than_an_answer_pass_through():
    with Broker({"message.max.bytes": 20_000_000}) as own, client(own) as c:
        c.create("big")
        make_view(c, "raw", "big", braid_order_headers="false")
        make_view(c, "packed", "big", compression_type="lz4")
        values = [os.urandom(n) for n in (3_000_000, 10, 15_000_000, 10)]
        for v in values:
            c.append("big", 0, [v, b"small"], codec=0)
        c.append("big", 0, [b"x" * 200_000] * 20, codec=4)
        for view in ("raw", "packed"):
            for part_bytes in (1, 1 << 20):
                got = c.read(view, part_bytes=part_bytes)
                equal([len(r.value) for r in got], [n for v in values for n in (len(v), 5)] + [200_000] * 20)
                equal([r.value == v for r, v in zip(got[:8:2], values)], [True] * 4)


# --- end and start ---

def test_the_end_covers_what_was_acknowledged_and_others_do_not_move_it():
    with Broker() as own, client(own) as a, client(own) as b:
        a.create("m", 4)
        a.create("n", 4)
        make_view(a, "v", "m")
        last = a.end("v")
        for i in range(150):
            base = a.append("m", i % 4, [b"%d" % i])
            end = b.end("v")
            assert end > last, "LATEST does not cover an acknowledged append"
            got = records_of(b.fetch("v", 0, end - 1)["records"])
            equal((source(got[-1]), got[-1].value), (("m", i % 4, base), b"%d" % i))
            last = end
            a.append("n", i % 4, [b"other"])
            equal(b.end("v"), last)
        assert b.end(ORDER) > last


def test_a_waiting_reader_is_woken_by_members_only():
    with Broker() as own, client(own) as a, client(own) as b:
        b.create("m")
        b.create("n")
        make_view(b, "v", "m")
        took = []
        for i in range(20):
            end = a.end("v")
            n = a.send("Fetch", 12, a.fetch_fields("v", 0, end, wait=10000))
            b.append("n", 0, [b"other"])
            assert not a.has_answer(0.02), "woken by a record that is not of the view"
            began = time.monotonic()
            b.append("m", 0, [b"w%d" % i])
            got = a.receive(n)["topics"][0]["partitions"][0]
            took.append(time.monotonic() - began)
            equal([r.value for r in records_of(got["records"])], [b"w%d" % i])
        took.sort()
        assert is_sanitized() or took[10] < 0.1, f"median {took[10] * 1000:.0f} ms"
        began = time.monotonic()
        equal(a.fetch("v", 0, a.end("v"), wait=300)["records"] or b"", b"")
        assert 0.28 < time.monotonic() - began < 2
        b.create("m2")
        n = a.send("Fetch", 12, a.fetch_fields("v2", 0, 0, wait=10000))
        equal(a.receive(n)["topics"][0]["partitions"][0]["error_code"], 3)
        make_view(b, "v2", "m2")
        n = a.send("Fetch", 12, a.fetch_fields("v2", 0, 0, wait=10000))
        b.append("m2", 0, [b"first"])
        equal([r.value for r in records_of(a.receive(n)["topics"][0]["partitions"][0]["records"])], [b"first"], "a waiting reader of an empty view")


def test_a_session_may_hold_views_and_partitions():
    with Broker() as own, client(own) as a, client(own) as b:
        for t in ("m", "n"):
            b.create(t)
        make_view(b, "vm", "m")
        make_view(b, "vn", "n")

        def ask(session, epoch, topics):
            return a.request("Fetch", 12, {"max_wait_ms": 0, "min_bytes": 1, "session_id": session, "session_epoch": epoch,
                                           "topics": [{"topic": t, "partitions": [{"partition": 0, "fetch_offset": o, "partition_max_bytes": 1 << 20}]} for t, o in topics]})
        got = ask(0, 0, [("vm", 0), ("vn", 0), ("m", 0), (ORDER, 0)])
        session = got["session_id"]
        equal(sorted(t["topic"] for t in got["topics"]), sorted(["vm", "vn", "m", ORDER]))
        equal(ask(session, 1, [])["topics"], [])
        b.append("m", 0, [b"x"])
        b.end("vm")
        got = ask(session, 2, [])
        equal(sorted(t["topic"] for t in got["topics"]), sorted(["vm", "m", ORDER]))
        equal([[r.value for r in records_of(t["partitions"][0]["records"])] for t in got["topics"]], [[b"x"]] * 3)
        equal(ask(session, 3, [("vm", a.end("vm")), ("m", 1), (ORDER, a.end(ORDER))])["topics"], [])
        b.append("n", 0, [b"y"])
        b.end("vn")
        equal(sorted(t["topic"] for t in ask(session, 4, [])["topics"]), sorted(["vn", ORDER]))
        b.delete_topic("vn")
        got = {t["topic"]: t["partitions"][0]["error_code"] for t in ask(session, 5, [])["topics"]}
        equal(got["vn"], 3)


def test_a_gap_before_the_end_is_one_control_batch():
    with Broker() as own, client(own) as c:
        for t in ("first", "last", "other"):
            c.create(t)
        make_view(c, "v", "first,last")
        c.append("first", 0, [b"stays"])
        c.append("other", 0, [b"between"] * 3)
        c.append("last", 0, [b"goes"] * 5)
        c.append("other", 0, [b"behind"])
        positions = [r.offset for r in c.read("v")]
        end = c.end("v")
        equal(end, positions[-1] + 1)
        c.delete_records("last", 0, -1)
        equal((c.start("v"), c.end("v")), (positions[0], end), "the end stays")
        at = positions[0] + 1
        got = batches(c.fetch("v", 0, at)["records"])
        equal([(b.base_offset, b.base_offset + b.last_offset_delta + 1, b.attributes & 32, b.count, b.leader_epoch) for b in got], [(at, end, 32, 1, 0)])
        equal(got[0].records[0].key, b"\0\0\x7f\xff")


def test_a_reader_that_missed_nothing_is_never_out_of_range():
    """Records of others, positions without a record, and what was read before it was removed: no loss."""
    with Broker() as own, client(own) as c:
        c.create("other", 1)
        make_view(c, "v", "t*")
        at = c.end("v")
        for i in range(6):
            c.append("other", 0, [b"x"] * 3)
            c.create(f"t{i}")
            c.create(f"gone{i}")
            c.append(f"gone{i}", 0, [b"x"])
            c.append(f"t{i}", 0, [b"%d" % i])
            c.delete_topic(f"gone{i}")
            got = c.fetch("v", 0, at)
            equal((got["error_code"], [r.value for r in records_of(got["records"])]), (0, [b"%d" % i]), f"from position {at}")
            at = c.end("v")
            (c.delete_topic(f"t{i}") if i % 2 else c.delete_records(f"t{i}", 0, -1))  # read already
            if i == 3:
                own.restart("kill")
                c.close()
                c.__init__(own.port)
                equal(c.end("v"), at)


def test_a_reader_that_missed_a_record_is_told():
    with Broker() as own, client(own) as c:
        c.create("m")
        c.create("other")
        make_view(c, "v", "m")
        for i in range(4):
            c.append("m", 0, [b"%d" % i])
            c.append("other", 0, [b"x"])
        positions = [r.offset for r in c.read("v")]
        c.delete_records("m", 0, 2)
        for at, error in ((0, 1), (positions[0], 1), (positions[0] + 1, 1), (positions[1], 1), (positions[1] + 1, 0), (positions[2], 0)):
            got = c.fetch("v", 0, at)
            equal((got["error_code"], got["log_start_offset"]), (error, positions[2]), f"from {at}, positions {positions}")
        equal(c.start("v"), positions[2])


def test_a_member_that_is_made_again_joins_and_its_old_records_do_not_come_back():
    with Broker() as own:
        with client(own) as c:
            make_view(c, "v", "m,keep")
            c.create("keep")
            c.append("keep", 0, [b"kept"])
            ends = [c.end("v")]
            for life in range(4):
                c.create("m", 1 + life)
                c.append("m", life, [b"life %d" % life] * 3)
                equal([r.value for r in c.read("v", offset=ends[-1])], [b"life %d" % life] * 3)
                ends.append(c.end("v"))
                c.delete_topic("m")
                equal(c.end("v"), ends[-1], "the end stays")
                equal([r.value for r in reach_end(c, "v", c.start("v"))], [b"kept"])
                if life % 2:
                    own.restart("kill")
                    c.close()
                    c.__init__(own.port)
                    equal(c.end("v"), ends[-1], "after kill -9, though nobody has those records any more")
            c.create("m", 1)
        own.restart("stop")
        with client(own) as c:
            equal(c.end("v"), ends[-1])
            c.append("m", 0, [b"new"])
            equal([r.value for r in reach_end(c, "v", 0)], [b"kept", b"new"])


def test_the_end_of_a_new_view_survives_the_deletion_of_what_it_shows():
    """View made over records from before the last checkpoint, members deleted, kill -9: nothing but the creation says how far it went."""
    for how in ("kill", "stop"):
        with Broker() as own:
            with client(own) as c:
                c.create("old")
                c.append("old", 0, [b"x"] * 10)
            own.restart("stop")
            with client(own) as c:
                c.create("other")
                c.append("other", 0, [b"y"])
                make_view(c, "v", "old")
                end = c.end("v")
                equal(end, c.read(ORDER)[9].offset + 1)
                c.delete_topic("old")
                equal((c.end("v"), c.start("v")), (end, end))
            for _ in range(2):
                own.restart(how)
                with client(own) as c:
                    equal((c.end("v"), c.start("v")), (end, end))
                    equal(reach_end(c, "v", 0), [])


def test_retention_and_deletion_under_a_slow_reader():
    with Broker({"log.segment.bytes": 14000, "log.retention.check.interval.ms": 20, "log.retention.bytes": 20000}) as own, client(own) as c, client(own) as w:
        for t in ("r1", "r2", "other"):
            w.create(t, 2)
        make_view(c, "v", "r*")
        at, seen, last_end = c.start("v"), -1, 0
        for i in range(200):
            w.append(("r1", "r2")[i % 2], i // 2 % 2, [b"%05d" % i + os.urandom(900)], codec=i % 5)
            w.append("other", i % 2, [os.urandom(300)])
            if i == 120:
                w.delete_topic("r2")
                w.create("r2", 2)
            end = c.end("v")
            assert end > last_end
            last_end = end
            if i % 50 == 49:
                got = reach_end(c, "v", at, 3000)
                numbers = [int(r.value[:5]) for r in got]
                assert numbers == sorted(set(numbers)) and (not numbers or numbers[0] > seen), "in order, none twice"
                equal(numbers[-1], i, "the newest record is reached")
                seen, at = numbers[-1], end


# --- size ---

def produce_rows(c, topic, partitions, rounds):
    """One row of the order log a partition and round."""
    one = batch([b"r"])
    sent = []
    for _ in range(rounds):
        sent.append(c.send("Produce", 9, c.produce_fields(topic, {i: one for i in range(partitions)}, None)))
        if len(sent) == 20:
            for n in sent:
                c.receive(n)
            sent = []
    for n in sent:
        c.receive(n)


def test_a_sparse_view_is_read_without_looking_at_every_row():
    with Broker({"braid.durability": "page-cache"}) as own, client(own) as c:
        c.create("rare", 3)
        c.create("much", 500)
        make_view(c, "v", "rare")
        for part, value in ((1, b"1"), (0, b"2"), (2, b"3"), (1, b"4")):
            c.append("rare", part, [value])
            if value != b"4":
                produce_rows(c, "much", 500, 160 if not is_sanitized() else 20)
        positions = [r.offset for r in c.read("v")]
        began, cpu = time.monotonic(), own.cpu_s()
        for _ in range(50):
            got = c.fetch("v", 0, positions[0])
            equal([r.value for r in records_of(got["records"])], [b"1", b"2", b"3", b"4"], "one answer")
        assert is_sanitized() or own.cpu_s() - cpu < 1, f"{own.cpu_s() - cpu:.2f} s of processor, {time.monotonic() - began:.2f} s"
        c.delete_records("rare", 1, 1)
        equal(c.start("v"), positions[1], "EARLIEST is exact")
        c.delete_records("rare", 2, 1)
        equal(c.start("v"), positions[1])
        c.delete_records("rare", 0, 1)
        equal(c.start("v"), positions[3])
        equal(c.fetch("v", 0, positions[1])["error_code"], 1)
        equal([r.value for r in reach_end(c, "v", positions[2] + 1)], [b"4"])
        c.append("rare", 2, [b"5"])
        end = c.end("v")
        for part in range(3):
            c.delete_records("rare", part, -1)
        equal((c.start("v"), c.end("v")), (end, end))
        own.restart("kill")
        with client(own) as d:
            equal((d.start("v"), d.end("v")), (end, end))


test_a_sparse_view_is_read_without_looking_at_every_row.deadline_s = 180  # it writes 240,000 rows


def test_an_idle_reader_of_a_thousand_partitions_costs_nothing():
    with Broker({"braid.durability": "page-cache"}) as own, client(own) as c:
        c.create("one")
        c.create("many", 1000)
        c.create("other")
        make_view(c, "v1", "one")
        make_view(c, "v1000", "many")
        produce_rows(c, "many", 1000, 2)
        c.append("one", 0, [b"x"])
        cost = {}
        for view in ("v1", "v1000"):
            end = c.end(view)
            cpu = own.cpu_s()
            for i in range(1500):
                got = c.fetch(view, 0, end)
                assert not got["records"] and got["high_watermark"] == end
                if i % 10 == 0:
                    c.append("other", 0, [b"y"])
            cost[view] = own.cpu_s() - cpu
        assert is_sanitized() or cost["v1000"] < 2 * cost["v1"] + 0.1, cost
        equal(len(c.read("v1000")), 2000)
        equal([source(r)[1] for r in c.read("v1000")[:1000]], list(range(1000)))
        got = c.list_offset("v1000", 0, 0)
        equal(got["offset"], c.start("v1000"))
        c.delete_topic("many")
        equal(c.start("v1000"), c.end("v1000"))
        own.kill()  # a clean stop would sync thousands of files


# --- by time ---

def first_at(records, t):
    found = [r for r in records if r.timestamp >= t]
    return (found[0].offset, found[0].timestamp) if found else (-1, -1)


def largest(records):
    best = max(records, key=lambda r: (r.timestamp, -r.offset), default=None)
    return (best.offset, best.timestamp) if best else (-1, -1)


def check_times(c, views, rng):
    for view, records in views.items():
        for t in [0, 1, 999, 1000, 2000, now_ms() + 10 ** 6] + [rng.choice(records).timestamp + rng.randrange(3) - 1 for _ in range(12) if records]:
            got = c.list_offset(view, 0, t, version=rng.choice([1, 2, 5, 9, 11]))
            equal((got["error_code"], got["offset"], got["timestamp"]), (0,) + first_at(records, t), f"{view} at {t}")
        got = c.list_offset(view, 0, -3)
        equal((got["error_code"], got["offset"], got["timestamp"]), (0,) + largest(records), f"{view}, largest")


def test_positions_are_found_by_time():
    rng = random.Random(5)
    with Broker({"log.segment.bytes": 14000, "log.index.interval.bytes": 100}) as own:
        with client(own) as c:
            make_view(c, "v", "a,s*")
            make_view(c, "none", "nobody")
            check_times(c, {ORDER: [], "v": []}, rng)
            c.create("stamped", 1, {"message.timestamp.type": "LogAppendTime"})
            topics = [("a", 3), ("b", 2), ("stamped", 1)]
            for name, parts in topics[:2]:
                c.create(name, parts)
            fill(c, topics, 150, rng)

            def shown():
                everything = c.read(ORDER)
                return {ORDER: everything, "v": [r for r in everything if is_in("a,s*", source(r)[0])], "none": []}
            check_times(c, shown(), rng)
            c.delete_records("a", 0, c.end("a", 0) // 2 + 1)
            c.delete_records("stamped", 0, 3)
            check_times(c, shown(), rng)
            c.delete_topic("b")
            check_times(c, shown(), rng)
        for how in ("kill", "stop"):
            own.restart(how)
            with client(own) as c:
                check_times(c, shown(), rng)
        with client(own) as c:  # many at once, views and partitions mixed, one named twice, one unknown
            want = shown()
            parts = [{"partition_index": 0, "timestamp": t} for t in (1500,)]
            got = c.request("ListOffsets", 9, {"isolation_level": 0, "topics": [{"name": n, "partitions": parts} for n in (ORDER, "a", "v", "nowhere")] +
                                               [{"name": "none", "partitions": parts * 2}]})
            by_name = {t["name"]: [(p["error_code"], p["offset"]) for p in t["partitions"]] for t in got["topics"]}
            equal((by_name[ORDER], by_name["v"]), ([(0, first_at(want[ORDER], 1500)[0])], [(0, first_at(want["v"], 1500)[0])]))
            equal((by_name["nowhere"], by_name["none"]), ([(3, -1)], [(42, -1)] * 2))


def test_a_time_covers_what_was_acknowledged_in_a_view_of_many_partitions():
    with Broker() as own, client(own) as a, client(own) as b:
        a.create("m", 300)
        make_view(a, "v", "m")
        now = now_ms() - 10 ** 6
        for i in range(40):
            a.append("m", i * 7 % 300, [b"x"], time=now + i)
            got = b.list_offset("v", 0, now + i)
            equal((got["error_code"], got["offset"], got["timestamp"]), (0, b.end("v") - 1, now + i))
            equal(b.list_offset("v", 0, now + i + 1)["offset"], -1)
            equal(b.list_offset(ORDER, 0, -3)["offset"], b.end(ORDER) - 1)
        n = [b.send("ListOffsets", 9, {"isolation_level": 0, "topics": [{"name": "v", "partitions": [{"partition_index": 0, "timestamp": now + 20}]}]}) for _ in range(20)]
        b.receive(n[0])
        b.close()  # the others are under way
        equal(a.list_offset("v", 0, now)["offset"], a.start("v"))


def test_lost_sidecars_come_back_under_a_view():
    rng = random.Random(6)
    with Broker({"log.segment.bytes": 14000}) as own:
        with client(own) as c:
            c.create("m", 2)
            c.create("other")
            make_view(c, "v", "m")
            fill(c, [("m", 2), ("other", 1)], 150, rng)
            want = c.read("v")
        own.stop()
        for name in ("m-0", "m-1"):
            for f in os.listdir(os.path.join(own.data, name)):
                if f.endswith(".positions"):
                    os.unlink(os.path.join(own.data, name, f))
        own.start()
        with client(own) as c:
            equal((c.start("v"), c.end("v"), c.read("v") == want), (want[0].offset, want[-1].offset + 1, True))
            got = wait_for(lambda: [g for g in [c.list_offset("v", 0, 1500)] if g["error_code"] == 0], 10, "positions to be known")[0]
            equal((got["offset"], got["timestamp"]), first_at(want, 1500))
            make_view(c, "v2", "m")
            equal(c.read("v2") == want, True)


# --- by real clients ---

def kcat_lines(of, topic, *arguments):
    out = subprocess.run(["kcat", "-C", "-b", of.address, "-t", topic, "-q", "-f", "%o\t%s\t%h\n", *arguments], capture_output=True, text=True, timeout=30)
    if out.returncode:
        raise AssertionError(f"kcat: {out.stderr}")
    return [tuple(line.split("\t")) for line in out.stdout.splitlines()]


def test_kcat_reads_a_view_to_its_end_and_stops():
    with Broker() as own, client(own) as c:
        for t in ("m", "n", "o"):
            c.create(t, 2)
        make_view(c, "v", "m,n", compression_type="lz4")
        make_view(c, "raw", "m,n", braid_order_headers="false")
        equal(kcat_lines(own, "v", "-e", "-o", "beginning"), [])
        for i in range(60):
            c.append("mno"[i % 3], i % 2, [b"%d" % i] * (1 + i % 3), codec=i % 5, time=1000 * (i + 1))
        want = c.read("v")
        for view in ("v", "raw"):
            got = kcat_lines(own, view, "-e", "-o", "beginning")
            equal([int(o) for o, _, _ in got], [r.offset for r in want])
            middle = want[len(want) // 2].offset
            equal([int(o) for o, _, _ in kcat_lines(own, view, "-e", "-o", str(middle))], [r.offset for r in want if r.offset >= middle])
            equal(kcat_lines(own, view, "-e", "-o", "end"), [])
            equal([int(o) for o, _, _ in kcat_lines(own, view, "-e", "-o", "s@30000")], [r.offset for r in want if r.offset >= first_at(want, 30000)[0]])
        equal([h for _, _, h in kcat_lines(own, "v", "-e", "-o", "beginning")],
              [",".join(f"{k}={v}" for k, v in zip(OURS, source(r))) for r in want])
        c.delete_records("n", 0, -1)
        c.delete_records("n", 1, -1)
        c.delete_records("m", 1, -1)
        left = [r.offset for r in want if source(r)[:2] == ("m", 0)]
        for view in ("v", "raw"):
            equal([int(o) for o, _, _ in kcat_lines(own, view, "-e", "-o", "beginning")], left)
        c.delete_topic("m")
        equal(kcat_lines(own, "v", "-e", "-o", "beginning"), [])
        own.restart("kill")
        equal(kcat_lines(own, "v", "-e", "-o", "beginning"), [])


def test_librdkafka_makes_a_view_reads_it_in_a_group_and_finds_times():
    try:
        import confluent_kafka as ck
        from confluent_kafka import admin as cka
    except ImportError:
        raise Skip("python3-confluent-kafka is not installed")
    with Broker() as own, client(own) as c:
        c.create("t", 3)
        c.create("u", 3)
        admin = cka.AdminClient({"bootstrap.servers": own.address})
        for f in admin.create_topics([cka.NewTopic("v", 1, 1, config={"braid.order.view": "t", "compression.type": "zstd"})]).values():
            f.result(10)
        try:
            for f in admin.create_topics([cka.NewTopic("w", 1, 1, config={"braid.order.view": "t,v"})]).values():
                f.result(10)
            raise AssertionError("a view of a view was made")
        except ck.KafkaException as error:
            equal(error.args[0].code(), ck.KafkaError.INVALID_CONFIG)
            assert "v is an order view" in error.args[0].str(), error
        for i in range(50):
            c.append("tu"[i % 2], i % 3, [b"%d" % i], time=1000 + i)
        conf = {"bootstrap.servers": own.address, "group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False, "enable.partition.eof": True}
        for expect in (range(0, 50, 2), range(50, 60, 2)):
            consumer = ck.Consumer(conf)
            consumer.subscribe(["v"])
            got = []
            while True:
                m = consumer.poll(10)
                assert m is not None, "nothing for 10 s"
                if m.error():
                    equal(m.error().code(), ck.KafkaError._PARTITION_EOF)
                    break
                got.append(int(m.value()))
                equal([k for k, _ in m.headers()], list(OURS))
            equal(got, list(expect))
            consumer.commit(asynchronous=False)
            low, high = consumer.get_watermark_offsets(ck.TopicPartition("v", 0), timeout=10)
            equal((low, high), (c.start("v"), c.end("v")))
            found = consumer.offsets_for_times([ck.TopicPartition("v", 0, 1010)], timeout=10)[0]
            equal(found.offset, first_at(c.read("v"), 1010)[0])
            equal(consumer.offsets_for_times([ck.TopicPartition(ORDER, 0, 1011)], timeout=10)[0].offset, first_at(c.read(ORDER), 1011)[0])
            consumer.close()
            for i in range(50, 60):
                c.append("tu"[i % 2], i % 3, [b"%d" % i], time=2000 + i)
        for f in admin.delete_topics(["v"]).values():
            f.result(10)


def test_python3_kafka_makes_a_view_reads_it_in_a_group_and_finds_times():
    try:
        import kafka
        from kafka.admin import KafkaAdminClient, NewTopic
    except ImportError:
        raise Skip("python3-kafka is not installed")
    with Broker() as own, client(own) as c:
        c.create("t", 3)
        c.create("u")
        admin = KafkaAdminClient(bootstrap_servers=own.address)
        admin.create_topics([NewTopic("v", 1, 1, topic_configs={"braid.order.view": "t", "compression.type": "gzip"})])
        for i in range(50):
            c.append("t", i % 3, [b"%d" % i], codec=i % 2, time=1000 + i)
            c.append("u", 0, [b"no"])
        for expect in (range(50), range(50, 60)):
            consumer = kafka.KafkaConsumer("v", bootstrap_servers=own.address, group_id="g", auto_offset_reset="earliest", enable_auto_commit=False, consumer_timeout_ms=20000)
            got = []
            for m in consumer:
                got.append(int(m.value))
                equal([k for k, _ in m.headers], list(OURS))
                if len(got) == len(expect):
                    break
            equal(got, list(expect))
            consumer.commit()
            part = kafka.TopicPartition("v", 0)
            equal((consumer.beginning_offsets([part])[part], consumer.end_offsets([part])[part]), (c.start("v"), c.end("v")))
            found = consumer.offsets_for_times({part: 1010})[part]
            equal((found.offset, found.timestamp), first_at(c.read("v"), 1010))
            consumer.close()
            for i in range(50, 60):
                c.append("t", i % 3, [b"%d" % i], time=2000 + i)
        admin.delete_topics(["v"])
        admin.close()


# --- a model ---

class Model:
    """What a broker was told, and what its views must show."""

    def __init__(self, rng):
        self.rng = rng
        self.records = []   # (position, life, partition, offset, record as __order has it)
        self.topics = {}    # name -> (life, partitions)
        self.views = {}     # name -> [members, end]
        self.lives = 0
        self.end = 0        # of __order

    def learn(self, c):
        """New records, with their positions."""
        for r in c.read(ORDER, offset=max(self.end, c.start(ORDER))):
            topic, p, offset = source(r)
            self.records.append((r.offset, self.topics[topic][0], p, offset, r))
            self.end = r.offset + 1
            for v in self.views.values():
                if is_in(v[0], topic):
                    v[1] = r.offset + 1

    def visible(self, members, starts):
        lives = {life: name for name, (life, _) in self.topics.items() if is_in(members, name)}
        return [r for _, life, p, offset, r in self.records if life in lives and offset >= starts[(lives[life], p)]]

    def starts(self, c):
        return {(t, p): c.start(t, p) for t, (_, parts) in self.topics.items() for p in range(parts)}


def model_step(c, m):
    rng, what = m.rng, m.rng.random()
    names = [f"t{i}" for i in range(4)] + [f"app-{i}" for i in range(3)]
    if what < 0.15 or not m.topics:
        name = rng.choice(names)
        if name not in m.topics:
            m.lives += 1
            m.topics[name] = (m.lives, rng.randrange(1, 4))
            c.create(name, m.topics[name][1], rng.choice([{}, {"retention.bytes": 8000, "segment.bytes": 1 << 20}, {"message.timestamp.type": "LogAppendTime"}]))
    elif what < 0.21:
        name = rng.choice(list(m.topics))
        equal(c.delete_topic(name), 0)
        del m.topics[name]
    elif what < 0.31:
        name = rng.choice(list(m.topics))
        p = rng.randrange(m.topics[name][1])
        equal(c.delete_records(name, p, rng.randrange(c.end(name, p) + 1))["error_code"], 0)
    elif what < 0.38:
        name = f"view{rng.randrange(5)}"
        if name in m.views:
            equal(c.delete_topic(name), 0)
            del m.views[name]
        else:
            members = ",".join(rng.sample(names + ["t*", "app-*"], rng.randrange(1, 4))) if rng.random() < 0.9 else "*"
            make_view(c, name, members, **rng.choice([{}, {"compression_type": "zstd"}, {"braid_order_headers": "false"}, {"compression_type": "gzip"}]))
            shown = m.visible(members, m.starts(c))
            m.views[name] = [members, shown[-1].offset + 1 if shown else 0]
    else:
        for _ in range(rng.randrange(1, 8)):
            name = rng.choice(list(m.topics))
            n = rng.randrange(1, 6)
            c.append(name, rng.randrange(m.topics[name][1]), [b"%d" % rng.randrange(10 ** 9) + b"." * rng.randrange(400) for _ in range(n)], codec=rng.randrange(5),
                     times=[1000 + rng.randrange(500) for _ in range(n)])
        m.learn(c)


def plain(r):
    """A record without the headers of ours, which a view may leave out."""
    return r._replace(headers=[h for h in r.headers if h[0] not in OURS])


def check_model(c, m, how_many=3):
    starts = m.starts(c)
    for name in m.rng.sample(list(m.views), min(how_many, len(m.views))) + [ORDER]:
        members, end = m.views.get(name, ("*", m.end))
        want = [plain(r) for r in m.visible(members, starts)]
        start = want[0].offset if want else end
        equal((c.start(name), c.end(name)), (start, end), f"{name} of {members}")
        for at in [start, m.rng.randrange(end + 1)]:
            got = [plain(r) for r in reach_end(c, name, at, m.rng.choice([1, 2000, 1 << 20]), wait=m.rng.choice([0, 500]))]
            left = [r for r in want if r.offset >= at]
            if got != left:
                raise AssertionError(f"{name} of {members} from {at}: {[r.offset for r in got]} want {[r.offset for r in left]}")
        t = 900 + m.rng.randrange(700)
        got = c.list_offset(name, 0, t)
        equal((got["error_code"], got["offset"], got["timestamp"]), (0,) + first_at(want, t), f"{name} at {t}")
        got = c.list_offset(name, 0, -3)
        equal((got["error_code"], got["offset"], got["timestamp"]), (0,) + largest(want), f"{name}, largest")


def run_model(seed, steps):
    m = Model(random.Random(seed))
    own = Broker({"log.retention.check.interval.ms": 100000, "log.segment.bytes": 1 << 20, "log.index.interval.bytes": 300})
    with own:
        c = client(own)
        for step in range(steps):
            try:
                model_step(c, m)
                check_model(c, m, 1 if step % 10 else 5)
            except Exception as error:
                raise AssertionError(f"seed {seed}, step {step}: {error}") from error
            if m.rng.random() < 0.02:
                c.close()
                own.restart(m.rng.choice(["kill", "kill", "stop"]))
                c = client(own)
                check_model(c, m, 5)
        c.close()


def test_views_are_the_filter_of_a_model_at_all_times():
    for seed in range(1, 5):
        run_model(seed, 25 if is_sanitized() else 70)


test_views_are_the_filter_of_a_model_at_all_times.deadline_s = 180


def test_views_follow_retention():
    """As the model, while the broker removes segments on its own: what is left is asked before and after."""
    rng = random.Random(8)
    own = Broker({"log.retention.check.interval.ms": 5, "log.segment.bytes": 14000, "log.retention.bytes": 20000})
    with own, client(own) as c:
        m = Model(rng)
        for name in ("t1", "t2", "other"):
            m.lives += 1
            m.topics[name] = (m.lives, 2)
            c.create(name, 2)
        for name, members in (("v1", "t1"), ("v12", "t1,t2"), ("all", "*")):
            make_view(c, name, members)
            m.views[name] = [members, 0]
        checked = 0
        for i in range(60):
            for _ in range(5):
                c.append(rng.choice(list(m.topics)), rng.randrange(2), [os.urandom(700) for _ in range(rng.randrange(1, 4))], codec=rng.randrange(5))
            m.learn(c)
            before = m.starts(c)
            view = rng.choice(list(m.views))
            got, start = reach_end(c, view, c.start(view)), c.start(view)
            if m.starts(c) != before:
                continue
            checked += 1
            want = m.visible(m.views[view][0], before)
            equal(([r.offset for r in got], start), ([r.offset for r in want], want[0].offset if want else m.views[view][1]), f"round {i}, {view}")
        assert checked >= 5 and sum(before.values()) > 0, (checked, before)


if __name__ == "__main__":
    sys.exit(run_with_broker("views", globals()))
