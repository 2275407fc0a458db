#!/usr/bin/python3
"""Frames, versions and connections, at the level of bytes: every advertised API at every version, what is refused and how, answers
in request order, damage of every kind, and that none of it costs memory or disturbs a neighbour."""
import os
import select
import socket
import struct
import sys
import threading

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import KEYS, MESSAGES, NAMES, Client, Closed, Conn, batch, decode, is_flexible, request_bytes
from broker_proc import Broker, is_sanitized, run_with_broker
from check import equal, wait_for

broker = None
SUBSCRIPTION = struct.pack(">hiH1si", 0, 1, 1, b"t", -1)


def client():
    return Client(broker.port)


def bodies(c, topic):
    """A sensible request of each API, with content; fields that a version lacks are left out when it is encoded."""
    ident = c.topic_id(topic)
    whole = {"name": topic, "topic": topic, "topic_id": ident}

    def named(*keys, **more):
        return dict({k: whole[k] for k in keys}, **more)
    return {
        "Produce": {"acks": 1, "timeout_ms": 1000, "topics": [named("name", "topic_id", partitions=[
            {"index": 0, "records": batch([b"a", None], headers=[("h", b"v")])}, {"index": 99, "records": batch([b"x"])}])]},
        "Fetch": {"max_wait_ms": 0, "min_bytes": 1, "session_epoch": 0, "topics": [named("topic", "topic_id", partitions=[
            {"partition": i, "fetch_offset": 0, "partition_max_bytes": 1 << 20} for i in (0, 1, 99)])]},
        "ListOffsets": {"timeout_ms": 1000, "topics": [named("name", partitions=[
            {"partition_index": 0, "timestamp": -1}, {"partition_index": 1, "timestamp": -2}, {"partition_index": 99, "timestamp": 5}])]},
        "Metadata": {"topics": [{"name": topic}, {"name": "not there"}], "allow_auto_topic_creation": False, "include_topic_authorized_operations": True,
                     "include_cluster_authorized_operations": True},
        "OffsetCommit": {"group_id": "wire", "topics": [named("name", "topic_id", partitions=[
            {"partition_index": 0, "committed_offset": 1, "committed_metadata": "m"}, {"partition_index": 99, "committed_offset": 1}])]},
        "OffsetFetch": {"group_id": "wire", "topics": [{"name": topic, "partition_indexes": [0, 1]}], "groups": [
            {"group_id": "wire", "topics": [named("name", "topic_id", partition_indexes=[0, 1])]}, {"group_id": "none", "topics": []}]},
        "FindCoordinator": {"key": "wire", "coordinator_keys": ["wire", "other"]},
        "JoinGroup": {"group_id": "wire-join", "session_timeout_ms": 6000, "rebalance_timeout_ms": 6000, "protocol_type": "consumer",
                      "protocols": [{"name": "range", "metadata": SUBSCRIPTION}]},
        "Heartbeat": {"group_id": "wire", "generation_id": 1, "member_id": "m"},
        "LeaveGroup": {"group_id": "wire", "member_id": "m", "members": [{"member_id": "m"}, {"member_id": "", "group_instance_id": "i"}]},
        "SyncGroup": {"group_id": "wire", "generation_id": 1, "member_id": "m", "assignments": [{"member_id": "m", "assignment": b"abc"}]},
        "ApiVersions": {"client_software_name": "wire-test", "client_software_version": "1.0"},
        "CreateTopics": {"topics": [{"name": topic, "num_partitions": 1, "replication_factor": 1}, {"name": topic + "x", "num_partitions": 1,
                         "replication_factor": 1, "configs": [{"name": "retention.ms", "value": "1000"}]}], "timeout_ms": 1000, "validate_only": True},
        "DeleteTopics": {"topic_names": ["no-such"], "topics": [{"name": "no-such"}, {"topic_id": b"x" * 16}], "timeout_ms": 1000},
        "DeleteRecords": {"topics": [{"name": topic, "partitions": [{"partition_index": 0, "offset": 0}, {"partition_index": 99, "offset": 0}]}], "timeout_ms": 1000},
        "InitProducerId": {"transactional_id": None, "transaction_timeout_ms": 60000},
        "OffsetForLeaderEpoch": {"topics": [{"topic": topic, "partitions": [{"partition": 0, "leader_epoch": 0}, {"partition": 99, "leader_epoch": 0}]}]},
        "DescribeConfigs": {"resources": [{"resource_type": 2, "resource_name": topic}, {"resource_type": 2, "resource_name": "no-such"},
                                          {"resource_type": 4, "resource_name": "1"}], "include_synonyms": True, "include_documentation": True},
        "AlterConfigs": {"resources": [{"resource_type": 2, "resource_name": "no-such", "configs": [{"name": "retention.ms", "value": "1"}]}], "validate_only": True},
        "DescribeLogDirs": {"topics": None},
        "CreatePartitions": {"topics": [{"name": topic, "count": 3, "assignments": None}, {"name": "no-such", "count": 1}], "timeout_ms": 1000, "validate_only": True},
        "IncrementalAlterConfigs": {"resources": [{"resource_type": 2, "resource_name": topic, "configs": [
            {"name": "retention.ms", "config_operation": 0, "value": "1000"}]}], "validate_only": True},
        "ListPartitionReassignments": {"timeout_ms": 1000, "topics": None},
        "DescribeCluster": {"include_cluster_authorized_operations": True},
        "DescribeTopicPartitions": {"topics": [{"name": topic}, {"name": "no-such"}]},
    }


def ranges(c):
    answer = c.request("ApiVersions", 3, {"client_software_name": "wire-test", "client_software_version": "1.0"})
    equal(answer["error_code"], 0)
    return {a["api_key"]: (a["min_version"], a["max_version"]) for a in answer["api_keys"]}


def served_versions(api, low, high):
    """Produce is advertised from 0 because old librdkafka needs it; 0-2 are refused."""
    return range(max(low, MESSAGES[api + "Request"].first), high + 1)


# --- versions ---

def test_schema_and_advertised_apis_agree():
    with client() as c:
        got = ranges(c)
    equal(sorted(got), sorted(key for key in KEYS.values() if key < 10000), "advertised keys; our own are shown to libbraid alone")
    for key, (low, high) in got.items():
        m = MESSAGES[NAMES[key] + "Request"]
        equal(high, m.last, NAMES[key])
        equal(low, 0 if key == 0 else m.first, NAMES[key])


def test_every_advertised_version_is_answered_to_the_last_byte():
    with client() as c:
        topic = c.create("every-version", 2)
        c.append(topic, 0, [b"1", b"2", b"3"])
        c.append(topic, 1, [b"1", b"2", b"3"])
        table = bodies(c, topic)
        for key, (low, high) in sorted(ranges(c).items()):
            api = NAMES[key]
            for version in served_versions(api, low, high):
                for fields in (table[api], {}) if api not in ("ApiVersions", "JoinGroup", "Produce") else (table[api],):
                    body = dict(fields)
                    if api == "JoinGroup":
                        body["group_id"] = f"wire-join-{version}"
                    try:
                        c.request(api, version, body)
                    except (Closed, ValueError) as error:
                        raise AssertionError(f"{api} {version} {'with content' if fields else 'empty'}: {error or 'closed'}")


def test_unknown_tags_are_passed_over_everywhere():
    with client() as c:
        topic = c.create("noise", 2)
        table = bodies(c, topic)
        for key, (_, high) in sorted(ranges(c).items()):
            api = NAMES[key]
            if is_flexible(api, high):
                body = dict(table[api], **({"group_id": "wire-noise"} if api == "JoinGroup" else {}))
                try:
                    c.request(api, high, body, noise=True)
                except (Closed, ValueError) as error:
                    raise AssertionError(f"{api} {high}: {error or 'closed'}")


def test_fields_of_fetch_have_their_defaults():
    with client() as c:
        topic = c.create("fetch-fields", 2)
        c.append(topic, 0, [b"1", b"2", b"3"])
        c.append(topic, 1, [b"1", b"2", b"3"])
        for version in range(4, 19):
            ident = c.topic_id(topic)
            answer = c.request("Fetch", version, c.fetch_fields(topic, {0: 0, 1: 0}, 0, topic_id=ident))
            equal(len(answer["topics"]), 1)
            for part in answer["topics"][0]["partitions"]:
                equal(part["preferred_read_replica"], -1, f"version {version}")
                equal(part["aborted_transactions"], None, f"version {version}")
                equal(part["diverging_epoch"], {"epoch": -1, "end_offset": -1}, f"version {version}")
                equal((part["high_watermark"], part["last_stable_offset"]), (3, 3))
                equal(part["log_start_offset"], 0 if version >= 5 else -1, f"version {version}")
            equal(c.request("Fetch", version, c.fetch_fields(topic, 0, 0, topic_id=ident, isolation=1))["topics"][0]["partitions"][0]["aborted_transactions"], [])


def test_versions_outside_the_range_close_the_connection():
    with client() as c:
        advertised = ranges(c)
    for key, (low, high) in sorted(advertised.items()):
        if NAMES[key] == "ApiVersions":
            continue
        for version in {low - 1, high + 1, MESSAGES[NAMES[key] + "Request"].first - 1, 32767, -1}:
            with client() as c:
                c.send_bytes(request_bytes(key, version, b"\0" * 40, 7, "future"))
                if not c.is_closed():
                    raise AssertionError(f"{NAMES[key]} {version}: the connection stays open")
    for key in (-1, 4, 7, 52, 1000, 32767):
        with client() as c:
            c.send_bytes(request_bytes(key, 0, b"", 7))
            assert c.is_closed(), f"key {key}"


def test_refused_version_is_named_in_the_log():
    with Broker() as own:
        with Conn(own.port, "from-the-future") as c:
            c.send_bytes(request_bytes(1, 99, b"", 7, "from-the-future"))
            assert c.is_closed()
        line = wait_for(lambda: [s for s in own.log().splitlines() if "from-the-future" in s], 5, "a log line naming the client")[0]
        assert "Fetch" in line and "99" in line, line
        for _ in range(300):
            with Conn(own.port) as c:
                c.send_bytes(request_bytes(1, 99, b"", 7, "again"))
                assert c.is_closed()
        assert own.log().count("again") < 100, "the log is flooded"


def test_api_versions_from_the_future_is_answered_in_version_0():
    for version in (5, 99, 127, 32767):
        with client() as c:
            c.send_bytes(request_bytes(18, version, b"\xff" * 30, 7))
            data = c.receive_frame()
            equal(struct.unpack(">i", data[:4])[0], 7)
            answer = decode("ApiVersionsResponse", 0, data[4:])
            equal(answer["error_code"], 35)
            row = [a for a in answer["api_keys"] if a["api_key"] == 18]
            equal([(a["min_version"], a["max_version"]) for a in row], [(0, 4)])
            equal(c.request("ApiVersions", 3, {"client_software_name": "a", "client_software_version": "1"})["error_code"], 0)


def test_api_versions_answer_has_header_0_at_every_version():
    with client() as c:
        for version in range(5):
            n = c.send("ApiVersions", version, {"client_software_name": "a", "client_software_version": "1"})
            del c.asked[n]
            data = c.receive_frame()
            equal(data[4:6], b"\0\0", f"version {version}: the error code follows the correlation id")
            decode("ApiVersionsResponse", version, data[4:])


def test_bad_software_names_are_refused():
    with client() as c:
        for name, version, error in [("", "1", 42), ("a", "", 42), ("-a", "1", 42), ("a.", "1", 42), ("a b", "1", 42), ("ä", "1", 42),
                                     ("a-b.c", "1.2-3", 0), ("x", "0", 0)]:
            equal(c.request("ApiVersions", 3, {"client_software_name": name, "client_software_version": version})["error_code"], error, f"{name!r} {version!r}")


def test_client_id_may_be_null_in_both_headers():
    with Client(broker.port, client_id=None) as c:
        c.request("Metadata", 1, {"topics": []})
        c.request("Metadata", 12, {"topics": []})
    with Client(broker.port, client_id="ü" * 5000) as c:
        c.request("Metadata", 12, {"topics": []})


# --- order of answers ---

def test_answers_leave_in_request_order():
    with client() as c:
        topic = c.create("pipeline")
        asked = [c.send("Fetch", 12, c.fetch_fields(topic, 0, 0, wait=300)),
                 c.send("Metadata", 9, {"topics": []}),
                 c.send("Produce", 9, c.produce_fields(topic, 0, batch([b"x"]))),
                 c.send("Heartbeat", 3, {"group_id": "g", "generation_id": 1, "member_id": "m"}),
                 c.send("ApiVersions", 0)]
        equal([c.receive_any()[0] for _ in asked], asked)


def test_pipelined_answers_keep_their_order_under_load_and_slow_readers():
    sockets, each = (20, 100) if is_sanitized() else (60, 200)
    with client() as c:
        topic = c.create("pipeline-load", 4)
    conns = [client() for _ in range(sockets)]
    data = batch([b"y" * 200])
    asked = {}
    for k, c in enumerate(conns):
        frames = b""
        order = []
        for i in range(each):
            kind = (i * 7 + k) % 5
            if kind == 0:
                n, frame = c.frame("Fetch", 12, c.fetch_fields(topic, i % 4, 0, wait=1 if i % 10 else 20, min_bytes=1 << 20, part_bytes=1000))
            elif kind == 1:
                n, frame = c.frame("Produce", 9, c.produce_fields(topic, i % 4, data))
            elif kind == 2:
                n, frame = c.frame("Metadata", 9, {"topics": [{"name": topic}]})
            elif kind == 3:
                n, frame = c.frame("ListOffsets", 6, {"topics": [{"name": topic, "partitions": [{"partition_index": 0, "timestamp": -1}]}]})
            else:
                n, frame = c.frame("Heartbeat", 3, {"group_id": "g", "generation_id": 1, "member_id": "m"})
            order.append(n)
            frames += frame
        asked[c] = order
        threading.Thread(target=c.send_bytes, args=(frames,), daemon=True).start()
    for c in conns:  # the later ones are not read for a long time
        for n in asked[c]:
            c.receive(n)
        assert not c.has_answer(), "an answer too many"
        c.close()


def test_a_long_poll_delays_its_own_connection_only():
    with client() as a, client() as b:
        topic = a.create("longpoll")
        waiting = a.send("Fetch", 12, a.fetch_fields(topic, 0, 0, wait=2000))
        behind = a.send("Metadata", 9, {"topics": []})
        for _ in range(20):
            b.request("Metadata", 9, {"topics": []})
        assert not a.has_answer(), "the poll was answered early"
        b.append(topic, 0, [b"now"])
        a.receive(waiting)
        a.receive(behind)


def test_acks_0_is_never_answered():
    with client() as c:
        topic = c.create("acks0")
        for version in (3, 7, 9, 13):
            fields = c.produce_fields(topic, 0, batch([b"x"]), acks=0, topic_id=c.topic_id(topic))
            n = c.send("Produce", version, fields)
            del c.asked[n]
            c.request("Metadata", 9, {"topics": []})
        wait_for(lambda: c.end(topic) == 4, 5, "the four records")


def test_a_failed_write_with_acks_0_closes_the_connection():
    with client() as c:
        topic = c.create("acks0-fails")
    big = batch([os.urandom(2_000_000)])
    for name, data in [("no-such-topic", batch([b"x"])), (topic, big), (topic, batch([b"x"], bad_crc=True))]:
        with client() as c:
            n = c.send("Produce", 9, c.produce_fields(name, 0, data, acks=0))
            del c.asked[n]
            assert c.is_closed(), name


# --- damage ---

def grow(limit_kib, what):
    """A context that fails when the broker's resident memory grew by more than this."""
    class Grow:
        def __enter__(self):
            self.before = broker.rss_kib()

        def __exit__(self, kind, *_):
            if kind is None and not is_sanitized():
                more = broker.rss_kib() - self.before
                assert more < limit_kib, f"{what}: {more} KiB more"
    return Grow()


def test_hostile_first_bytes_close_the_connection_without_cost():
    hello = bytes.fromhex("16030100c8010000c40303") + os.urandom(190)
    sent = {"a length of 2 GiB": b"\x7f\xff\xff\xff", "length -1": b"\xff\xff\xff\xff", "length 0": bytes(4), "a length over the limit": struct.pack(">i", 104857601),
            "a TLS hello": hello, "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "a short header": struct.pack(">i", 3) + b"abc",
            "a client id longer than the frame": struct.pack(">ihhih", 10, 3, 1, 1, 500)}
    with grow(1024, "hostile bytes"):
        for what, data in sent.items():
            for _ in range(5):
                with client() as c:
                    c.send_bytes(data)
                    assert c.is_closed(), what
    with client() as c:
        c.request("Metadata", 9, {"topics": []})


def test_the_log_says_what_strange_bytes_look_like():
    with Broker() as own:
        for data, word in ((bytes.fromhex("16030100c8010000c40303"), "TLS"), (b"GET / HTTP/1.1\r\n\r\n", "HTTP")):
            with Client(own.port) as c:
                c.send_bytes(data)
                assert c.is_closed()
            wait_for(lambda: word in own.log(), 5, f"the word {word} in the log")


def test_absurd_counts_are_refused_before_they_cost_memory():
    i32 = struct.pack(">i", 2 ** 31 - 1)
    flexible = b"\xff\xff\xff\xff\x07"  # 2^31-1 as a varint
    sent = {"Metadata 1": (3, 1, i32), "Metadata 12": (3, 12, b"\0" + flexible),
            "OffsetCommit 2": (8, 2, struct.pack(">h1sih1sq", 1, b"g", -1, 0, b"", -1)[:-1] + i32),
            "Produce 3": (0, 3, struct.pack(">hhi", -1, -1, 1000) + i32), "Produce 9": (0, 9, b"\0\0" + struct.pack(">hi", -1, 1000) + flexible),
            "JoinGroup 0": (11, 0, struct.pack(">h1sih", 1, b"g", 6000, 0) + struct.pack(">h1s", 1, b"c") + i32),
            "Fetch 4": (1, 4, struct.pack(">iiiib", -1, 0, 1, 1000, 0) + i32),
            "tags": (3, 12, b"\0\x01\1\0\0" + flexible), "a varint of six bytes": (3, 12, b"\0\xff\xff\xff\xff\xff\x01"),
            "an endless varint": (3, 12, b"\0" + b"\xff" * 30), "a string of 2 GiB": (18, 3, b"\0" + flexible),
            "records of 2 GiB": (0, 3, struct.pack(">hhiih1sii", -1, -1, 1000, 1, 1, b"t", 1, 0) + i32)}
    with grow(1024, "absurd counts"):
        for what, (key, version, body) in sent.items():
            for _ in range(5):
                with client() as c:
                    c.send_bytes(request_bytes(key, version, body, 1))
                    assert c.is_closed(), what


def test_truncated_requests_close_the_connection():
    with client() as c:
        topic = c.create("truncated", 2)
        table = bodies(c, topic)
        versions = ranges(c)
    for key, (low, high) in sorted(versions.items()):
        api = NAMES[key]
        for version in {max(low, MESSAGES[api + "Request"].first), high}:
            whole = request_bytes(api, version, table[api], 1)
            cuts = {4, 5, 8, 11, 12, 13, 14, 16, len(whole) - 1, len(whole) - 2} | set(range(20, len(whole), 1 + len(whole) // 8))
            for cut in sorted(n for n in cuts if 4 <= n < len(whole)):
                with client() as c:
                    c.send_bytes(struct.pack(">i", cut - 4) + whole[4:cut])
                    if not c.is_closed():
                        raise AssertionError(f"{api} {version} cut at {cut} of {len(whole)}: still open")
    with client() as c:
        c.request("Metadata", 9, {"topics": []})


def test_garbled_requests_never_hurt_the_broker():
    """Each byte of a request in turn set to something else: any answer or a close is right, in time, and neighbours are served."""
    import random
    rng = random.Random(5)
    with client() as c:
        topic = c.create("garbled", 2)
        table = bodies(c, topic)
        versions = ranges(c)
        ident = c.topic_id(topic)
    table["Fetch"]["max_wait_ms"] = 0
    skip = ("JoinGroup", "SyncGroup", "Fetch", "ListOffsets")  # a garbled time-out would wait for long, rightly
    for key, (_, high) in sorted(versions.items()):
        api = NAMES[key]
        whole = bytearray(request_bytes(api, high, table[api], 1))
        for at in rng.sample(range(12, len(whole)), min(25, len(whole) - 12)):
            with client() as c:
                bad = bytearray(whole)
                bad[at] = rng.randrange(256)
                c.send_bytes(bytes(bad))
                if api not in skip:
                    readable = select.select([c.socket], [], [], 10)[0]
                    assert readable, f"{api} {high} with byte {at} set to {bad[at]}: nothing within 10 s"
    with client() as c:
        equal(c.topic_id(topic), ident)


# --- many and slow connections ---

def test_a_request_that_comes_byte_by_byte_is_answered():
    with client() as c:
        n, data = c.frame("Metadata", 12, {"topics": []})
        for i in range(len(data)):
            c.send_bytes(data[i:i + 1])
        c.receive(n)
        parts = [c.frame("Metadata", 9, {"topics": []}) for _ in range(10)]
        stream = b"".join(p[1] for p in parts)
        for at in range(0, len(stream), 7):
            c.send_bytes(stream[at:at + 7])
        for n, _ in parts:
            c.receive(n)


def test_a_sender_that_stops_in_the_middle_is_closed_in_time():
    with Broker({"braid.request.receive.timeout.ms": 1000}) as own:
        stuck = [Conn(own.port) for _ in range(50)]
        for i, c in enumerate(stuck):
            c.send_bytes(struct.pack(">i", 1000)[:1 + i % 4] if i % 2 else struct.pack(">i", 50_000_000) + b"abc")
        with Client(own.port) as c:
            c.request("Metadata", 9, {"topics": []})
        if not is_sanitized():
            assert own.rss_kib() < 64 * 1024, f"{own.rss_kib()} KiB for frames that did not come"
        for c in stuck:
            assert c.is_closed(10), "still open"


def test_idle_connections_are_closed_after_their_time():
    with Broker({"connections.max.idle.ms": 700}) as own:
        with Conn(own.port) as idle, Client(own.port) as busy:
            topic = busy.create("t")
            waiting = busy.send("Fetch", 12, busy.fetch_fields(topic, 0, 0, wait=2500))  # not idle: it waits for us
            assert idle.is_closed(8)
            busy.receive(waiting)


def test_500_idle_connections_cost_little_and_are_served():
    conns = []
    try:
        with grow(24 * 1024, "500 connections"):
            for _ in range(500):
                conns.append(client())
            for c in conns:
                c.asked.clear()
                c.n = c.send("ApiVersions", 0)
            for c in conns:
                c.receive(c.n)
    finally:
        for c in conns:
            c.close()
    with client() as c:
        c.request("Metadata", 9, {"topics": []})


def test_connections_that_come_and_go_leave_nothing_behind():
    def churn(rounds):
        for i in range(rounds):
            with client() as c:
                if i % 3 == 0:
                    c.send("Fetch", 12, c.fetch_fields("churn", 0, 0, wait=5000))
                elif i % 3 == 1:
                    c.send_bytes(b"\0\0")
                else:
                    c.request("Metadata", 9, {"topics": []})
    with client() as c:
        c.create("churn")
    churn(300)
    with grow(2048, "600 connections that came and went"):
        churn(600)


def test_requests_leave_memory_flat():
    with client() as c:
        topic = c.create("flat", 4)
        table = bodies(c, topic)
        big = batch([os.urandom(500_000)])
        order = [(NAMES[k], high) for k, (_, high) in sorted(ranges(c).items()) if NAMES[k] not in ("JoinGroup", "SyncGroup", "Produce", "Fetch")]

        def work(rounds):
            for _ in range(rounds):
                for api, version in order:
                    c.request(api, version, table[api])
                c.append(topic, 0, [b"x" * 100])
                c.fetch(topic, 0, 0, part_bytes=10000)
                got = c.produce(topic, 1, big)
                equal(got["error_code"], 0)
                c.fetch(topic, 1, 0)
        work(20)
        with grow(4096, "rounds of every request"):
            work(40)


def test_two_listeners_give_their_own_addresses():
    with Broker({"listeners": "IN://127.0.0.1:0,OUT://127.0.0.1:0", "listener.security.protocol.map": "IN:PLAINTEXT,OUT:PLAINTEXT",
                 "advertised.listeners": "IN://inside.example:1111,OUT://outside.example:2222", "inter.broker.listener.name": "IN"}, start=False) as own:
        own.spawn()
        lines = wait_for(lambda: [s for s in own.log().splitlines() if "listening" in s and "bound=" in s][1:2] and
                         [s for s in own.log().splitlines() if "listening" in s], 20, "two listeners")
        for line, want in zip(lines, ("inside.example", "outside.example")):
            port = int(line.split("bound=")[1].split()[0].rsplit(":", 1)[1])
            with Client(port) as c:
                got = c.request("Metadata", 9, {"topics": []})["brokers"]
                equal([b["host"] for b in got], [want])
                equal(c.request("FindCoordinator", 1, {"key": "g"})["host"], want)
                equal(c.request("DescribeCluster", 0, {})["brokers"][0]["host"], want)


def test_limits_of_connections_are_kept():
    with Broker({"max.connections.per.ip": 3}) as own:
        three = [Client(own.port) for _ in range(3)]
        for c in three:
            c.request("ApiVersions", 0)
        with Conn(own.port) as c:
            assert c.is_closed()
        three.pop().close()

        def served():
            with Client(own.port) as c:
                try:
                    return c.request("ApiVersions", 0)
                except Closed:
                    return None
        wait_for(served, 5, "a place for the next one")


if __name__ == "__main__":
    sys.exit(run_with_broker("wire", globals()))
