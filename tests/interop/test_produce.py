#!/usr/bin/python3
"""Produce and the idempotent producer, at the newest and the oldest version: what is refused and with which code, what is stored
exactly as sent, codecs, timestamps, sequences across kill -9."""
import os
import struct
import sys
import time
import zlib

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import CODECS, PACK, Client, _snappy, batch, batches, crc32c, java_snappy_pack, now_ms, record, records_of, varint
from broker_proc import Broker, is_sanitized, run_with_broker
from check import Skip, equal, wait_for

broker = None
VERSIONS = range(3, 14)


def client(of=None):
    return Client((of or broker).port)


def refused(c, topic, data, codes, version=9, what=""):
    """One partition refuses with one of the codes, and nothing is appended."""
    codes = codes if isinstance(codes, tuple) else (codes,)
    before = c.end(topic)
    got = c.produce(topic, 0, data, version=version)
    assert got["error_code"] in codes, f"{what or 'batch'} at version {version}: error {got['error_code']}, want {codes}"
    equal(got["base_offset"], -1, what)
    equal(c.end(topic), before, f"{what}: the end moved")
    return got


# --- judges of the tools ---

def test_our_batches_are_those_of_python3_kafka():
    """The builder and the checksum of these tests against an implementation by others."""
    try:
        from kafka.record.default_records import DefaultRecordBatch
        from kafka.record._crc32c import crc
    except ImportError:
        raise Skip("python3-kafka is not installed")
    data = os.urandom(3000)
    equal(crc32c(data), crc(data) & 0xffffffff)
    made = batch([b"a", None, b"c" * 300], codec=1, times=[5, 4, 9], keys=[b"k", None, b""], headers=[("h", b"v"), ("n", None)])
    theirs = DefaultRecordBatch(made)
    assert theirs.validate_crc()
    equal([(r.offset, r.timestamp, r.key, r.value, r.headers) for r in theirs],
          [(r.offset, r.timestamp, r.key, r.value, [(k, v) for k, v in r.headers]) for r in batches(made)[0].records])


# --- 3C ---

def test_every_version_appends_and_answers_its_fields():
    with client() as c:
        topic = c.create("versions")
        for i, version in enumerate(VERSIONS):
            for acks in (-1, 1):
                got = c.produce(topic, 0, batch([b"a", b"b"]), acks=acks, version=version)
                equal((got["error_code"], got["base_offset"], got["log_append_time_ms"]), (0, 4 * i + (0 if acks < 0 else 2), -1), f"version {version}")
                equal(got["log_start_offset"], 0 if version >= 5 else -1, f"version {version}")
        wait_for(lambda: c.end(topic) == 4 * len(VERSIONS), 5, "the last one, of acks=1, to be done")
        equal(len(c.read(topic)), 4 * len(VERSIONS))


def test_exactly_one_batch_of_format_2():
    with client() as c:
        topic = c.create("one-batch")
        one = batch([b"x"])
        old = struct.pack(">qi", 0, 15) + (lambda m: struct.pack(">I", zlib.crc32(m)) + m)(b"\0\0" + struct.pack(">ii", -1, 1) + b"x")
        for version in (3, 9, 13):
            for what, data in [("no records", None), ("zero bytes", b""), ("two batches", one + one), ("format 0", old), ("format 3", batch([b"x"], magic=3)),
                               ("format 1", batch([b"x"], magic=1))]:
                refused(c, topic, data, 87, version, what)


def test_a_batch_must_begin_at_0_and_count_right():
    with client() as c:
        topic = c.create("counts")
        for version in (3, 9):
            refused(c, topic, batch([b"x"], base_offset=1), 87, version, "base offset 1")
            refused(c, topic, batch([b"x", b"y"], count=3), 87, version, "count above the delta")
            refused(c, topic, batch([b"x", b"y"], count=1), 87, version, "count below the delta")
            refused(c, topic, batch([], count=0), 87, version, "no record")
            refused(c, topic, batch([b"x"], count=-1), 87, version, "count -1")
            refused(c, topic, batch([b"x"], last_delta=-1), 87, version, "delta -1")
            refused(c, topic, batch([b"x"], attributes=32), 87, version, "a control batch")
            refused(c, topic, batch([b"x"], attributes=32 | 16), (87, 48, 53), version, "a transaction marker")
            whole = batch([b"x"])
            for wrong in (-1, 0, 48, len(whole) - 13, len(whole) - 11, 2 ** 31 - 1):
                refused(c, topic, whole[:8] + struct.pack(">i", wrong) + whole[12:], (2, 87), version, f"length {wrong}")
            refused(c, topic, whole[:-1], (2, 87), version, "a byte less")
            refused(c, topic, whole + b"\0", (2, 87), version, "a byte more")


def test_every_flipped_bit_is_noticed():
    with client() as c:
        topic = c.create("bits")
        whole = batch([b"value"], keys=[b"key"], headers=[("h", b"v")])
        for at in [17, 20] + list(range(21, len(whole), 3)):
            bad = bytearray(whole)
            bad[at] ^= 1 << (at % 8)
            refused(c, topic, bytes(bad), 2, 9, f"byte {at}")
        moved = bytearray(whole)
        moved[12:16] = struct.pack(">i", 77)  # the leader epoch lies outside the checksum
        equal(c.produce(topic, 0, bytes(moved))["error_code"], 0)


def test_large_batches_are_refused_by_size():
    with client() as c:
        topic = c.create("large")
        def sized(n):
            data = batch([b"x" * (n - 61 - 12)])
            return batch([b"x" * (n - 61 - 12 - (len(data) - n))])
        exact, over = sized(1048588), sized(1048589)
        equal((len(exact), len(over)), (1048588, 1048589))
        equal(c.produce(topic, 0, exact)["error_code"], 0)
        for version in (3, 9):
            refused(c, topic, over, 10, version, "a byte over max.message.bytes")
        small = c.create("large-small", configs={"max.message.bytes": 200})
        refused(c, small, batch([b"x" * 200]), 10)
        equal(c.produce(small, 0, batch([b"x" * 100]))["error_code"], 0)
        segments = c.create("large-segment", configs={"max.message.bytes": 3000000, "segment.bytes": 1048576})
        refused(c, segments, batch([os.urandom(2000000)]), 18)


def test_big_messages_come_back_whole():
    with Broker({"message.max.bytes": 40_000_000}) as own, client(own) as c:
        topic = c.create("big")
        values = [os.urandom(n) for n in (1, 100_000, 5_000_000, 30_000_000, 10)]
        for v in values:
            c.append(topic, 0, [v])
        equal([len(r.value) for r in c.read(topic, part_bytes=1)], [len(v) for v in values])
        assert [r.value for r in c.read(topic)] == values
        got = c.read("__order")
        assert [r.value for r in got] == values


def test_acks_must_be_known():
    with client() as c:
        topic = c.create("acks", 2)
        for acks in (2, -2, 100, 32767):
            answer = c.request("Produce", 9, c.produce_fields(topic, {0: batch([b"x"]), 1: batch([b"x"])}, None, acks=acks))
            equal([p["error_code"] for p in answer["topics"][0]["partitions"]], [21, 21])
        equal((c.end(topic, 0), c.end(topic, 1)), (0, 0))


def test_partitions_fail_one_by_one():
    with client() as c:
        topic = c.create("mixed", 4)
        for version in (3, 9):
            fields = c.produce_fields(topic, {0: batch([b"x"]), 1: batch([b"x"], bad_crc=True), 2: None, 3: batch([b"y"]), 4: batch([b"x"])}, None)
            fields["topics"].append({"name": "no-such", "partitions": [{"index": 0, "records": batch([b"z"])}]})
            answer = c.request("Produce", version, fields)
            parts = {(t["name"], p["index"]): p["error_code"] for t in answer["topics"] for p in t["partitions"]}
            equal(parts, {("mixed", 0): 0, ("mixed", 1): 2, ("mixed", 2): 87, ("mixed", 3): 0, ("mixed", 4): 3, ("no-such", 0): 3})
        equal([c.end(topic, i) for i in range(4)], [2, 0, 0, 2])


def test_min_insync_replicas_above_one_refuses_acks_all_only():
    with client() as c:
        topic = c.create("isr", configs={"min.insync.replicas": 2})
        equal(c.produce(topic, 0, batch([b"x"]))["error_code"], 19)
        equal(c.produce(topic, 0, batch([b"x"]), acks=1)["error_code"], 0)


def test_codecs_are_taken_in_every_form_and_kept():
    with client() as c:
        topic = c.create("codecs")
        big = [b"abc" * 30000, None, b"", os.urandom(5000)]
        for codec in range(5):
            c.append(topic, 0, big, codec=codec)
        c.append(topic, 0, big, codec=2, pack=java_snappy_pack)
        got = batches(c.fetch(topic, 0, 0)["records"])
        equal([b.attributes & 7 for b in got], [0, 1, 2, 3, 4, 2])
        for b in got:
            equal([r.value for r in b.records], big)


def test_zstd_needs_version_7():
    with client() as c:
        topic = c.create("zstd-old")
        for version in (3, 6):
            refused(c, topic, batch([b"x"], codec=4), 76, version)
        equal(c.produce(topic, 0, batch([b"x"], codec=4), version=7)["error_code"], 0)


def test_unknown_codecs_and_broken_bodies_fail_their_partition_only():
    with client() as c:
        topic = c.create("broken", 2)
        body = b"".join(record(i, b"v%d" % i * 50) for i in range(20))
        wrong = [("codec %d" % n, batch([b"x"] * 20, attributes=n, body=body)) for n in (5, 6, 7)]
        for codec in range(1, 5):
            packed = PACK[codec](body)
            wrong += [(f"{CODECS[codec]} cut", batch([b"x"] * 20, codec=codec, body=packed[:-5])), (f"{CODECS[codec]} empty", batch([b"x"] * 20, codec=codec, body=b"")),
                      (f"{CODECS[codec]} noise", batch([b"x"] * 20, codec=codec, body=os.urandom(40)))]
        for what, data in wrong:
            answer = c.request("Produce", 9, c.produce_fields(topic, {0: data, 1: batch([b"good"])}, None))
            codes = [p["error_code"] for p in answer["topics"][0]["partitions"]]
            assert codes[0] in (2, 76, 87), f"{what}: {codes[0]}"
            equal(codes[1], 0, what)
        equal((c.end(topic, 0), c.end(topic, 1)), (0, len(wrong)))


def test_records_inside_are_proved():
    with client() as c:
        topic = c.create("inside")
        good = [record(i, b"v") for i in range(3)]
        for codec in range(5):
            for what, body in [("a byte too many", b"".join(good) + b"\0"), ("a record too many", b"".join(good) + record(3, b"v")), ("a record too few", good[0] + good[1]),
                               ("offset deltas out of order", good[0] + good[2] + good[1]), ("a delta twice", good[0] + good[1] + good[1]),
                               ("a record longer than the rest", good[0] + good[1] + varint(500) + good[2][1:]), ("a negative length", varint(-5) + b"".join(good))]:
                refused(c, topic, batch([b"v"] * 3, codec=codec, body=PACK[codec](body)), 87, 9, f"{CODECS[codec]}: {what}")


def test_small_batches_that_inflate_without_end_are_refused():
    with client() as c:
        topic = c.create("bomb")
        c.append(topic, 0, [b"warm" * 1000], codec=4)
        before = broker.rss_kib()
        zeros = bytes(200 << 20)
        body = record(0, zeros)
        del zeros
        for codec in (1, 4):
            data = batch([b"x"], codec=codec, body=PACK[codec](body))
            assert len(data) < 1 << 20
            refused(c, topic, data, (10, 87), 9, CODECS[codec])
        del body
        more = broker.rss_kib() - before
        assert is_sanitized() or more < 80 * 1024, f"{more} KiB more"


def test_topic_codec_and_producer_codec_in_every_pair():
    with client() as c:
        values = [b"abc" * 200, None, b"", b"end"]
        for name in ("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"):
            topic = c.create(f"pair-{name}", configs={"compression.type": name})
            for codec in range(5):
                base = c.append(topic, 0, values, codec=codec, keys=[b"k", None, b"", b"x"], times=[10, 20, 15, 30], headers=[("h", b"1"), ("n", None)])
                equal(base, 4 * codec)
                got = [b for b in batches(c.fetch(topic, 0, base)["records"]) if b.base_offset == base][0]
                equal(got.attributes & 7, codec if name == "producer" else 0 if name == "uncompressed" else CODECS.index(name), f"{CODECS[codec]} into {name}")
                equal([(r.value, r.key, r.timestamp) for r in got.records], list(zip(values, [b"k", None, b"", b"x"], [10, 20, 15, 30])))
                equal([r.headers for r in got.records], [[("h", b"1"), ("n", None)]] * 4)
                equal((got.max_timestamp, got.last_offset_delta), (30, 3))


def test_append_time_topics_stamp_what_they_store():
    with client() as c:
        for ctype in ("producer", "gzip"):
            topic = c.create(f"stamp-{ctype}", configs={"message.timestamp.type": "LogAppendTime", "compression.type": ctype})
            last = 0
            for codec, version in [(0, 3), (1, 9), (4, 13)]:
                low = now_ms()
                got = c.produce(topic, 0, batch([b"a", b"b"], codec=codec, times=[5, 1]), version=version)
                equal(got["error_code"], 0)
                stamp = got["log_append_time_ms"]
                assert low - 50 <= stamp <= now_ms() + 50 and stamp >= last, (low, stamp)
                last = stamp
                b = [b for b in batches(c.fetch(topic, 0, got["base_offset"])["records"]) if b.base_offset == got["base_offset"]][0]
                equal((b.attributes & 8, b.max_timestamp, [r.timestamp for r in b.records]), (8, stamp, [stamp, stamp]))
        plain = c.create("stamp-not")
        refused(c, plain, batch([b"x"], attributes=8), 32)
        equal(c.produce(plain, 0, batch([b"x"]))["log_append_time_ms"], -1)


def test_timestamps_outside_the_bounds_are_named():
    with client() as c:
        topic = c.create("bounds", configs={"message.timestamp.before.max.ms": 60000, "message.timestamp.after.max.ms": 60000})
        now = now_ms()
        for codec in (0, 1):
            for times in ([now, now + 3600000, now], [now, now - 3600000, now]):
                for version in (3, 8, 13):
                    got = refused(c, topic, batch([b"a", b"b", b"c"], codec=codec, times=times), 32, version)
                    if version >= 8:
                        equal([e["batch_index"] for e in got["record_errors"]], [1])
                        assert got["error_message"]
        default = c.create("bounds-default")
        refused(c, default, batch([b"x"], time=now + 7200000), 32)
        for when in (0, -1, 1, now - 10 * 365 * 86400000):
            equal(c.produce(default, 0, batch([b"x"], time=when))["error_code"], 0, f"time {when}")


def test_a_wrong_max_timestamp_is_repaired():
    with client() as c:
        topic = c.create("maxtime")
        c.append(topic, 0, [b"a", b"b", b"c"], times=[100, 300, 200], max_time=100)
        c.append(topic, 0, [b"d"], times=[150], max_time=999)
        equal(c.list_offset(topic, 0, 250)["offset"], 1)
        equal(c.list_offset(topic, 0, -3)["offset"], 1)
        equal(c.list_offset(topic, 0, 301)["offset"], -1)


def test_topic_ids_name_topics_from_13_on():
    with client() as c:
        topic = c.create("ids")
        equal(c.produce(topic, 0, batch([b"x"]), version=13)["error_code"], 0)
        for ident in (bytes(16), b"x" * 16):
            answer = c.request("Produce", 13, c.produce_fields("", 0, batch([b"x"]), topic_id=ident))
            equal(answer["topics"][0]["topic_id"], ident)
            equal(answer["topics"][0]["partitions"][0]["error_code"], 100)


def test_internal_topics_and_views_cannot_be_written():
    with client() as c:
        c.request("FindCoordinator", 1, {"key": "g"})
        for topic in ("__consumer_offsets", "__order"):
            for acks in (-1, 1):
                equal(c.produce(topic, 0, batch([b"x"]), acks=acks)["error_code"], 17, topic)


def test_what_is_stored_is_what_was_sent():
    with client() as c:
        topic = c.create("same")
        sent = [batch([b"v", None, b""], keys=[None, b"", b"k"], times=[7, 3, 9], headers=[("", b""), ("dup", b"1"), ("dup", None), ("ü", b"\xff")], codec=n) for n in range(5)]
        for s in sent:
            equal(c.produce(topic, 0, s)["error_code"], 0)
        got = batches(c.fetch(topic, 0, 0)["records"])
        equal([b.raw[16:] for b in got], [s[16:] for s in sent])
        equal([b.base_offset for b in got], [0, 3, 6, 9, 12])
        equal([b.raw[8:12] for b in got], [s[8:12] for s in sent])


def test_pipelined_batches_keep_their_order():
    with client() as c:
        topic = c.create("arrival")
        asked = [c.send("Produce", 9, c.produce_fields(topic, 0, batch([b"%d" % i]), acks=(-1, 1)[i % 2])) for i in range(200)]
        bases = [c.receive(n)["topics"][0]["partitions"][0]["base_offset"] for n in asked]
        equal(bases, list(range(200)))
        equal([r.value for r in c.read(topic)], [b"%d" % i for i in range(200)])


def test_transactional_batches_are_refused_whole():
    with client() as c:
        topic = c.create("txn")
        for version in (3, 9, 13):
            refused(c, topic, batch([b"x"], attributes=16, producer=(1, 0, 0)), (48, 53), version)


def test_an_acknowledged_record_can_be_read_at_once():
    with client() as a, client() as b:
        topic = a.create("visible")
        for i in range(100):
            a.append(topic, 0, [b"%d" % i])
            equal(b.end(topic), i + 1)
            equal(records_of(b.fetch(topic, 0, i)["records"])[0].value, b"%d" % i)


def test_a_new_topic_takes_records_at_once():
    with client() as c:
        for i in range(30):
            topic = c.create(f"fresh-{i}", 3)
            with client() as d:
                for p in range(3):
                    equal(d.produce(topic, p, batch([b"x"]))["error_code"], 0)
        for i in range(10):
            name = f"auto-{i}"
            deadline = time.monotonic() + 5
            while True:
                got = c.request("Metadata", 8, {"topics": [{"name": name}]})["topics"][0]
                if got["error_code"] == 0:
                    break
                assert got["error_code"] in (3, 5) and time.monotonic() < deadline, got
            equal(c.produce(name, 0, batch([b"x"]))["error_code"], 0)


# --- 3D ---

def test_producer_ids_never_repeat():
    with Broker() as own:
        seen = []
        for how in ("kill", "stop", None):
            with client(own) as c:
                asked = [c.send("InitProducerId", v, {"transactional_id": None, "transaction_timeout_ms": 1, "producer_id": -1 if i % 2 else 5, "producer_epoch": 0 if i % 2 else 3})
                         for i in range(250) for v in (0, 2, 5)]
                for n in asked:
                    got = c.receive(n)
                    equal((got["error_code"], got["producer_epoch"]), (0, 0))
                    seen.append(got["producer_id"])
            if how:
                own.restart(how)
        equal(len(set(seen)), len(seen), "distinct ids")
        assert min(seen) >= 0


def seq(c, topic, pid, epoch, first, count=1, partition=0, version=9):
    got = c.produce(topic, partition, batch([b"s%d" % (first + i) for i in range(count)], producer=(pid, epoch, first)), version=version)
    return got["error_code"], got["base_offset"]


def test_the_last_five_batches_are_recognised():
    with client() as c:
        topic = c.create("dup")
        pid, epoch = c.producer_id()
        for i in range(5):
            equal(seq(c, topic, pid, epoch, i), (0, i))
        for version in (3, 9, 13):
            for i in (0, 3, 4, 1):
                equal(seq(c, topic, pid, epoch, i, version=version), (0, i))
        equal(c.end(topic), 5)
        for i in range(5, 13):
            equal(seq(c, topic, pid, epoch, i), (0, i))
        equal(seq(c, topic, pid, epoch, 0)[0], 45)
        equal(seq(c, topic, pid, epoch, 7)[0], 45)
        equal(seq(c, topic, pid, epoch, 8), (0, 8))
        equal(seq(c, topic, pid, epoch, 14)[0], 45, "a gap")
        equal(seq(c, topic, pid, epoch, 12, count=2)[0], 45, "overlaps the last batch")
        equal(c.end(topic), 13)


def test_duplicates_are_recognised_after_kill_9_and_restart():
    with Broker({"log.message.timestamp.type": "LogAppendTime"}) as own:
        with client(own) as c:
            topic = c.create("dup")
            pid, epoch = c.producer_id()
            first = [c.produce(topic, 0, batch([b"x"] * 3, producer=(pid, epoch, 3 * i))) for i in range(7)]
        for how in ("kill", "stop", "kill", "kill"):
            own.restart(how)
            with client(own) as c:
                for i in (2, 6, 4):
                    got = c.produce(topic, 0, batch([b"x"] * 3, producer=(pid, epoch, 3 * i)))
                    equal((got["error_code"], got["base_offset"], got["log_append_time_ms"]), (0, first[i]["base_offset"], first[i]["log_append_time_ms"]), f"after {how}")
                equal(seq(c, topic, pid, epoch, 0, 3)[0], 45)
                equal(seq(c, topic, pid, epoch, 24, 3)[0], 45)
                equal(c.end(topic), 21)
        with client(own) as c:
            equal(seq(c, topic, pid, epoch, 21, 3), (0, 21))


def test_epochs_fence():
    with client() as c:
        topic = c.create("epochs")
        pid, _ = c.producer_id()
        equal(seq(c, topic, pid, 1, 0), (0, 0))
        equal(seq(c, topic, pid, 0, 1)[0], 47)
        equal(seq(c, topic, pid, 2, 1)[0], 45)
        equal(seq(c, topic, pid, 2, 0), (0, 1))
        equal(seq(c, topic, pid, 1, 1)[0], 47)
        equal(seq(c, topic, pid, 2, 0), (0, 1), "a duplicate of the new epoch")
        equal(c.end(topic), 2)


def test_sequences_wrap():
    with client() as c:
        topic = c.create("wrap")
        c.append(topic, 0, [b"first"])
        pid, epoch = c.producer_id()
        equal(seq(c, topic, pid, epoch, 2147483645, 2), (0, 1), "an unknown producer on a partition with data")
        equal(seq(c, topic, pid, epoch, 2147483647, 3), (0, 3), "across the wrap")
        equal(seq(c, topic, pid, epoch, 2), (0, 6))
        equal(seq(c, topic, pid, epoch, 2147483647, 3), (0, 3), "its duplicate")
        again = c.producer_id()[0]
        equal(seq(c, topic, again, 0, 2147483647, 1), (0, 7))
        equal(seq(c, topic, again, 0, 0), (0, 8))


def test_an_empty_partition_wants_the_first_sequence():
    with client() as c:
        for i in range(20):
            topic = c.create(f"b12-{i}")
            pid, epoch = c.producer_id()
            equal(seq(c, topic, pid, epoch, 5, 5)[0], 45)
            sent = [c.send("Produce", 9, c.produce_fields(topic, 0, batch([b"x"] * 5, producer=(pid, epoch, n)))) for n in (0, 5, 10)]
            equal([c.receive(n)["topics"][0]["partitions"][0]["base_offset"] for n in sent], [0, 5, 10])


def test_deleted_records_do_not_stop_their_producer():
    with client() as c:
        topic = c.create("deleted")
        pid, epoch = c.producer_id()
        for i in range(3):
            seq(c, topic, pid, epoch, i)
        equal(c.delete_records(topic, 0, -1)["error_code"], 0)
        equal(seq(c, topic, pid, epoch, 3), (0, 3))
        equal(seq(c, topic, c.producer_id()[0], 0, 40), (0, 4), "one that is not known")


def test_negative_sequences_are_refused():
    with client() as c:
        topic = c.create("negative")
        pid, epoch = c.producer_id()
        for producer in ((pid, epoch, -1), (pid, -1, 0), (pid, epoch, -5)):
            refused(c, topic, batch([b"x"], producer=producer), 87, 9, f"{producer}")


def test_sequence_errors_stay_with_their_partition():
    with client() as c:
        topic = c.create("neighbours", 3)
        pid, epoch = c.producer_id()
        data = {p: batch([b"x"], producer=(pid, epoch, n)) for p, n in ((0, 0), (1, 7), (2, 0))}
        answer = c.request("Produce", 9, c.produce_fields(topic, data, None))
        equal([p["error_code"] for p in answer["topics"][0]["partitions"]], [0, 45, 0])
        equal([seq(c, topic, pid, epoch, 1, partition=p) for p in (0, 2)], [(0, 1), (0, 1)])


def test_sequences_in_flight_are_checked_in_order():
    with client() as c:
        topic = c.create("inflight")
        pid, epoch = c.producer_id()
        for round_ in range(20):
            numbers = [round_ * 5 + i for i in range(5)]
            sent = [c.send("Produce", 9, c.produce_fields(topic, 0, batch([b"x"], producer=(pid, epoch, n)))) for n in numbers + numbers]
            got = [c.receive(n)["topics"][0]["partitions"][0] for n in sent]
            equal([(p["error_code"], p["base_offset"]) for p in got], [(0, n) for n in numbers + numbers])
        equal(c.end(topic), 100)


def test_silent_producers_are_forgotten_after_their_time():
    with Broker({"producer.id.expiration.ms": 300, "log.retention.check.interval.ms": 100}) as own, client(own) as c:
        topic = c.create("expire")
        pid, epoch = c.producer_id()
        equal(seq(c, topic, pid, epoch, 0), (0, 0))
        deadline = time.monotonic() + 10
        while seq(c, topic, pid, epoch, 9) == (45, -1):
            assert time.monotonic() < deadline, "still known"
            time.sleep(0.4)  # longer than the expiry: each try would keep it alive otherwise
        equal(c.end(topic), 2)


def test_transactional_ids_are_refused_for_now():
    with client() as c:
        for version in range(6):
            got = c.request("InitProducerId", version, {"transactional_id": "t", "transaction_timeout_ms": 60000})
            equal((got["error_code"], got["producer_id"]), (53, -1), f"version {version}")


if __name__ == "__main__":
    sys.exit(run_with_broker("produce", globals()))
