#!/usr/bin/python3
"""Topics, settings and what tools ask about the cluster: Metadata, creation and deletion, configuration, log directories, producer ids; by raw requests at every
version, and through the admin clients of librdkafka and python3-kafka."""
import base64
import os
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, batch
from broker_proc import Broker, is_sanitized, run_with_broker
from check import Skip, equal, wait_for

broker = None
ORDER, OFFSETS = "__order", "__consumer_offsets"
TOPIC, BROKER = 2, 4
SET, DELETE, APPEND, SUBTRACT = 0, 1, 2, 3
NOT_ASKED = -2147483648
TOPIC_RIGHTS = sum(1 << n for n in (3, 4, 5, 6, 7, 8, 10, 11))
CLUSTER_RIGHTS = sum(1 << n for n in (5, 7, 8, 9, 10, 11, 12))
NO_ID = bytes(16)
SETTINGS = {"num.partitions": 2, "offsets.topic.num.partitions": 3, "broker.rack": "r1"}


def client(of=None):
    return Client((of or broker).port)


def metadata(c, names, version=12, create=False, **more):
    """Topics of the answer by name."""
    fields = {"topics": None if names is None else [{"name": n} for n in names], "allow_auto_topic_creation": create}
    fields.update(more)
    return {t["name"]: t for t in c.request("Metadata", version, fields)["topics"]}


def create(c, topics, version=7, validate=False):
    """(error, message) by name; topics: dictionaries, or names."""
    asked = [t if isinstance(t, dict) else {"name": t, "num_partitions": 1, "replication_factor": 1} for t in topics]
    got = c.request("CreateTopics", version, {"topics": asked, "validate_only": validate, "timeout_ms": 5000})["topics"]
    return {t["name"]: (t["error_code"], t["error_message"]) for t in got}


def topic(name, partitions=1, factor=1, configs=None, **more):
    out = {"name": name, "num_partitions": partitions, "replication_factor": factor, "configs": [{"name": k, "value": v} for k, v in (configs or {}).items()]}
    out.update(more)
    return out


def create_error(c, asked, version=7):
    (got,) = create(c, [asked], version).values()
    return got[0]


def alter(c, resource, ops, version=1, validate=False, kind=TOPIC):
    """IncrementalAlterConfigs of one resource: (error, message)."""
    got = c.request("IncrementalAlterConfigs", version, {"validate_only": validate, "resources": [
        {"resource_type": kind, "resource_name": resource, "configs": [{"name": n, "config_operation": op, "value": v} for n, op, v in ops]}]})["responses"][0]
    return got["error_code"], got["error_message"]


def describe(c, resource, keys=None, version=4, kind=TOPIC, synonyms=True, docs=False):
    """(error, entries by name)"""
    got = c.request("DescribeConfigs", version, {"include_synonyms": synonyms, "include_documentation": docs, "resources": [
        {"resource_type": kind, "resource_name": resource, "configuration_keys": keys}]})["results"][0]
    equal((got["resource_type"], got["resource_name"]), (kind, resource))
    return got["error_code"], {e["name"]: e for e in got["configs"]}


def value(c, resource, key):
    return describe(c, resource, [key])[1][key]["value"]


# --- 3B: Metadata ---

def test_an_empty_list_is_all_in_version_0_and_none_later():
    with client() as c:
        c.create("lists")
        assert "lists" in metadata(c, [], version=0)
        for version in range(1, 14):
            equal(metadata(c, [], version=version), {}, f"version {version}")
            assert {"lists", ORDER} <= set(metadata(c, None, version=version)), f"version {version}"


def test_every_version_tells_the_same_of_a_topic():
    with client() as c:
        c.create("told", 3)
        topic_id = c.topic_id("told")
        assert topic_id != NO_ID
        epoch = None
        for version in range(14):
            got = c.request("Metadata", version, {"topics": [{"name": "told"}], "allow_auto_topic_creation": False})
            (node,) = got["brokers"]
            equal((node["host"], node["port"]), ("127.0.0.1", broker.port))
            t = got["topics"][0]
            equal((t["name"], t["error_code"], sorted(p["partition_index"] for p in t["partitions"])), ("told", 0, [0, 1, 2]))
            for p in t["partitions"]:
                equal((p["error_code"], p["leader_id"], p["replica_nodes"], p["isr_nodes"], p["offline_replicas"]), (0, node["node_id"], [node["node_id"]], [node["node_id"]], []))
                if version >= 7:
                    epoch = epoch if epoch is not None else p["leader_epoch"]
                    equal(p["leader_epoch"], epoch)
            if version >= 1:
                equal((got["controller_id"], node["rack"], t["is_internal"]), (node["node_id"], "r1", False))
            if version >= 2:
                equal(len(base64.urlsafe_b64decode(got["cluster_id"] + "==")), 16)
            if version >= 10:
                equal(t["topic_id"], topic_id)


def test_topics_are_found_by_id_from_version_12_on():
    with client() as c:
        c.create("by-id")
        topic_id = c.topic_id("by-id")
        for version in (12, 13):
            got = c.request("Metadata", version, {"topics": [{"topic_id": topic_id, "name": None}, {"topic_id": b"x" * 16, "name": None}]})["topics"]
            equal([(t["error_code"], t["name"], t["topic_id"]) for t in got], [(0, "by-id", topic_id), (100, None, b"x" * 16)])
        for version in (10, 11):
            got = c.request("Metadata", version, {"topics": [{"topic_id": topic_id, "name": None}]})["topics"]
            equal([t["error_code"] for t in got], [42], f"version {version}")


def test_bad_names_are_refused_and_not_made():
    with client() as c:
        for name in ("", ".", "..", "x" * 250, "a b", "a/b", "ä", "a:b", "a\x00b"):
            for version in (1, 12):
                equal([t["error_code"] for t in metadata(c, [name], version, create=True).values()], [17], repr(name))
            equal(create_error(c, topic(name)), 17, repr(name))
        equal(create_error(c, topic("x" * 249)), 0)


def test_a_topic_is_made_when_it_is_named_and_may_be():
    with client() as c:
        equal(metadata(c, ["auto-no"], create=False)["auto-no"]["error_code"], 3)
        metadata(c, None)
        equal(metadata(c, ["auto-no"], create=False)["auto-no"]["error_code"], 3)
        for version in (1, 3, 4, 9, 12):
            name = f"auto-{version}"
            metadata(c, [name], version, create=True)  # below 4 there is no such field: true
            asked = time.monotonic()
            got = wait_for(lambda: [t for t in [metadata(c, [name], version)[name]] if t["error_code"] == 0], 5, name)[0]
            assert is_sanitized() or time.monotonic() - asked < 0.1  # A35
            equal(len(got["partitions"]), 2)
            equal(c.append(name, 1, [b"at once"]), 0)
    with Broker({"auto.create.topics.enable": "false"}) as own:
        with client(own) as c:
            for _ in range(3):
                equal(metadata(c, ["none"], create=True)["none"]["error_code"], 3)


def test_racing_creations_make_a_topic_once():
    results, ids = [], set()

    def one(i):
        with client() as c:
            for k in range(20):
                if i % 2:
                    results.append(create_error(c, topic(f"race-{k}")))
                else:
                    metadata(c, [f"race-{k}"], create=True)

    threads = [threading.Thread(target=one, args=(i,)) for i in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert set(results) <= {0, 36}, results
    with client() as c:
        for k in range(20):
            t = wait_for(lambda: [x for x in [metadata(c, [f"race-{k}"])[f"race-{k}"]] if x["error_code"] == 0], 5, "the topic")[0]
            ids.add(t["topic_id"])
    equal(len(ids), 20)


def test_a_created_topic_serves_at_once_on_any_connection():
    with client() as c:
        for i in range(100):
            name = f"at-once-{i}"
            equal(create_error(c, topic(name, 3)), 0)
            with client() as other:
                for p in range(3):
                    equal(other.append(name, p, [b"x"]), 0)
                equal([p["error_code"] for p in metadata(other, [name])[name]["partitions"]], [0, 0, 0])


def test_dots_and_underscores_collide():
    with client() as c:
        equal(create_error(c, topic("a.b_c")), 0)
        got = create(c, ["a_b.c"])["a_b.c"]
        equal(got[0], 17)
        assert "a.b_c" in got[1], got
        equal(create_error(c, topic("a.b_c")), 36)
        got = create(c, ["x.y", "x_y"])  # in one request: the first one is still on its way
        equal(sorted(e for e, _ in got.values()), [0, 17])


def test_a_topic_made_again_is_another_topic():
    with client() as c:
        c.create("again")
        first = c.topic_id("again")
        c.append("again", 0, [b"old"] * 10)
        equal(c.delete_topic("again"), 0)
        equal(metadata(c, ["again"])["again"]["error_code"], 3)
        equal(c.request("Metadata", 12, {"topics": [{"topic_id": first, "name": None}]})["topics"][0]["error_code"], 100)
        c.create("again")
        assert c.topic_id("again") not in (first, NO_ID)
        equal((c.start("again"), c.end("again")), (0, 0))
        equal(c.fetch("again", 0, 10)["error_code"], 1)
        equal(c.append("again", 0, [b"new"]), 0)
        equal([r.value for r in c.read("again")], [b"new"])
        got = c.request("Fetch", 13, c.fetch_fields("again", 0, 0, topic_id=first))["topics"][0]["partitions"][0]
        equal(got["error_code"], 100)


def test_internal_topics_say_so():
    with client() as c:
        wait_for(lambda: c.request("FindCoordinator", 1, {"key": "g"})["error_code"] == 0, 10, "a coordinator")
        got = metadata(c, None)
        equal((got[OFFSETS]["is_internal"], got[ORDER]["is_internal"], len(got[OFFSETS]["partitions"]), len(got[ORDER]["partitions"])), (True, True, 3, 1))
        assert not any(t["is_internal"] for n, t in got.items() if not n.startswith("__"))
    with Broker({"offsets.topic.num.partitions": 4}) as own:
        with client(own) as c:
            metadata(c, [OFFSETS], create=True)  # also when a client names it first
            got = wait_for(lambda: [t for t in [metadata(c, [OFFSETS])[OFFSETS]] if t["error_code"] == 0], 5, "the topic")[0]
            equal((got["is_internal"], len(got["partitions"])), (True, 4))


def test_authorized_operations_are_all_when_asked_and_none_else():
    with client() as c:
        c.create("rights")
        for version in range(8, 14):
            for asked in (False, True):
                fields = {"topics": [{"name": "rights"}], "include_topic_authorized_operations": asked}
                if version <= 10:
                    fields["include_cluster_authorized_operations"] = asked
                got = c.request("Metadata", version, fields)
                equal(got["topics"][0]["topic_authorized_operations"], TOPIC_RIGHTS if asked else NOT_ASKED)
                if version <= 10:
                    equal(got["cluster_authorized_operations"], CLUSTER_RIGHTS if asked else NOT_ASKED)
        for version in range(3):
            for asked in (False, True):
                got = c.request("DescribeCluster", version, {"include_cluster_authorized_operations": asked})
                equal(got["cluster_authorized_operations"], CLUSTER_RIGHTS if asked else NOT_ASKED)


def test_leader_epochs_rise_with_each_start_and_ids_stay():
    with Broker() as own:
        with client(own) as c:
            c.create("kept", 2)
            before, order = metadata(c, ["kept"])["kept"], c.topic_id(ORDER)
            cluster = c.request("Metadata", 9, {"topics": []})["cluster_id"]
        for how in ("stop", "kill", "kill"):
            own.restart(how)
            with client(own) as c:
                after = metadata(c, ["kept"])["kept"]
                equal((after["topic_id"], c.topic_id(ORDER), c.request("Metadata", 9, {"topics": []})["cluster_id"]), (before["topic_id"], order, cluster))
                assert after["partitions"][0]["leader_epoch"] > before["partitions"][0]["leader_epoch"]
                equal(metadata(c, [ORDER])[ORDER]["partitions"][0]["leader_epoch"], 0)
                before = after


def test_each_listener_tells_its_own_address():
    with Broker({"listeners": "A://127.0.0.1:0,B://127.0.0.1:0", "listener.security.protocol.map": "A:PLAINTEXT,B:PLAINTEXT",
                 "advertised.listeners": "A://one.example:1111,B://two.example:2222"}) as own:
        ports = [int(line.split("bound=127.0.0.1:")[1].split()[0]) for line in own.log().splitlines() if "bound=" in line]
        want = [("one.example", 1111), ("two.example", 2222)]
        for _ in range(2):  # the second time from the cache
            for port, address in zip(ports, want):
                with Client(port) as c:
                    for names in (None, []):
                        node = c.request("Metadata", 9, {"topics": names})["brokers"][0]
                        equal((node["host"], node["port"]), address)
                    node = c.request("DescribeCluster", 0, {})["brokers"][0]
                    equal((node["host"], node["port"]), address)


def test_full_metadata_is_never_older_than_the_last_change():
    with client() as c, client() as other:
        for i in range(30):
            name = f"fresh-{i}"
            c.create(name)
            for version in (1, 9, 12):
                assert name in metadata(other, None, version), f"version {version}"
            c.request("CreatePartitions", 3, {"topics": [{"name": name, "count": 3}], "timeout_ms": 5000})
            equal(len(metadata(other, None)[name]["partitions"]), 3)
            c.delete_topic(name)
            assert name not in metadata(other, None)


def test_ten_thousand_partitions_answer_fast():
    with Broker() as own:
        with client(own) as c:
            started = time.monotonic()
            got = create(c, [topic(f"many-{i}", 100) for i in range(100)])
            equal({e for e, _ in got.values()}, {0})
            assert is_sanitized() or time.monotonic() - started < 10
            rss = own.rss_kib()
            times = []
            for _ in range(50):
                started = time.monotonic()
                c.send("Metadata", 12, {"topics": None})
                c.receive_frame()  # not decoded: Python would take longest
                times.append(time.monotonic() - started)
            assert is_sanitized() or sorted(times)[-2] < 0.1, times
            assert is_sanitized() or own.rss_kib() - rss < 64 << 10
            c.asked.clear()
            equal(sum(len(t["partitions"]) for t in metadata(c, None).values()), 10001)
        own.restart("kill")
        with client(own) as c:
            equal(sum(len(t["partitions"]) for t in metadata(c, None).values()), 10001)
            equal(c.append("many-99", 99, [b"x"]), 0)


# --- DescribeTopicPartitions, DescribeCluster, reassignments, log directories ---

def test_topics_are_described_page_by_page():
    with Broker({"max.request.partition.size.limit": 50}) as own, client(own) as c:
        for i, n in enumerate((30, 1, 120, 7)):
            c.create(f"page-{i}", n)
        want = [(f"page-{i}", p) for i, n in enumerate((30, 1, 120, 7)) for p in range(n)]
        for limit in (1, 7, 50, 2000):
            got, cursor, pages = [], None, 0
            while True:
                answer = c.request("DescribeTopicPartitions", 0, {"topics": [{"name": f"page-{i}"} for i in (3, 1, 2, 0, 1)] + [{"name": "page-none"}],
                                                                  "response_partition_limit": limit, "cursor": cursor})
                size = sum(len(t["partitions"]) for t in answer["topics"])
                assert size <= min(limit, 50)
                for t in answer["topics"]:
                    if t["name"] == "page-none":
                        equal((t["error_code"], pages), (3, 0))
                        continue
                    equal((t["error_code"], t["topic_authorized_operations"]), (0, TOPIC_RIGHTS))
                    got += [(t["name"], p["partition_index"]) for p in t["partitions"]]
                    assert all(p["leader_id"] == 1 and p["isr_nodes"] == [1] for p in t["partitions"])
                cursor, pages = answer["next_cursor"], pages + 1
                if cursor is None:
                    break
            equal(got, want, f"limit {limit}")
        names = [t["name"] for t in c.request("DescribeTopicPartitions", 0, {"topics": [], "response_partition_limit": 2000})["topics"]]
        assert ORDER in names and "page-0" in names
        equal(names, sorted(names))


def test_the_cluster_is_described():
    with client() as c:
        cluster = c.request("Metadata", 9, {"topics": []})["cluster_id"]
        for version in range(3):
            got = c.request("DescribeCluster", version, {})
            (node,) = got["brokers"]
            equal((got["error_code"], got["cluster_id"], got["controller_id"], node["broker_id"], node["port"], node["rack"]),
                  (0, cluster, node["broker_id"], 1, broker.port, "r1"))
        equal(c.request("DescribeCluster", 1, {"endpoint_type": 2})["error_code"], 114)
        equal(c.request("DescribeCluster", 1, {"endpoint_type": 9})["error_code"], 115)


def test_no_reassignment_is_under_way():
    with client() as c:
        for asked in (None, [{"name": "x", "partition_indexes": [0]}]):
            got = c.request("ListPartitionReassignments", 0, {"topics": asked, "timeout_ms": 1000})
            equal((got["error_code"], got["topics"]), (0, []))


def test_log_directories_show_what_partitions_take():
    with client() as c:
        c.create("sized", 3)
        for _ in range(20):
            c.append("sized", 1, [os.urandom(1000)])
        for version in range(1, 6):
            for asked in (None, [{"topic": "sized", "partitions": [1, 2, 9, -1]}, {"topic": "no-such", "partitions": [0]}]):
                got = c.request("DescribeLogDirs", version, {"topics": asked})
                (d,) = got["results"]
                equal((got["error_code"], d["error_code"], d["log_dir"]), (0, 0, broker.data))
                parts = {(t["name"], p["partition_index"]): p for t in d["topics"] for p in t["partitions"]}
                assert 20000 < parts["sized", 1]["partition_size"] < 30000
                equal((parts["sized", 2]["partition_size"], parts["sized", 1]["offset_lag"], parts["sized", 1]["is_future_key"]), (0, 0, False))
                equal(("sized", 0) in parts, asked is None)
                if asked:
                    equal(len(parts), 2)
                if version >= 4:
                    assert 0 < d["usable_bytes"] <= d["total_bytes"]


# --- 3J: creation, growth, deletion ---

def test_creation_answers_with_what_was_made():
    with client() as c:
        for version in range(2, 8):
            for validate in (True, False):
                name = f"made-{version}"
                got = c.request("CreateTopics", version, {"topics": [topic(name, 3, 1, {"retention.ms": "1234"})], "validate_only": validate})["topics"][0]
                equal((got["name"], got["error_code"], got["error_message"]), (name, 0, None))
                if version >= 5:
                    equal((got["num_partitions"], got["replication_factor"]), (3, 1))
                    configs = {e["name"]: e for e in got["configs"]}
                    equal((configs["retention.ms"]["value"], configs["retention.ms"]["config_source"]), ("1234", 1))
                    equal((configs["segment.bytes"]["value"], configs["segment.bytes"]["config_source"]), ("1073741824", 5))
                if validate:
                    equal(metadata(c, [name])[name]["error_code"], 3)
                elif version >= 7:
                    equal(got["topic_id"], c.topic_id(name))
            equal(create_error(c, topic(f"made-{version}")), 36)


def test_counts_are_checked():
    with client() as c:
        for version, error in ((4, 0), (7, 0), (2, 37), (3, 37)):
            equal(create_error(c, topic(f"default-{version}", -1, -1 if version >= 4 else 1), version), error, f"version {version}")
        equal(len(metadata(c, ["default-7"])["default-7"]["partitions"]), 2)
        for partitions, factor, error in ((0, 1, 37), (-2, 1, 37), (1, 0, 38), (1, -2, 38), (1, 2, 38), (1, 3, 38), (1_000_000, 1, 37), (2**31 - 1, 1, 37)):
            got = create(c, [topic("counted", partitions, factor)])["counted"]
            equal(got[0], error, f"{partitions} partitions, factor {factor}")
            assert got[1]
        one = {"partition_index": 0, "broker_ids": [1]}
        two = {"partition_index": 1, "broker_ids": [1]}
        for assignments, partitions, error in (([one, two], -1, 0), ([one], 1, 42), ([two], -1, 39), ([one, one], -1, 39), ([{"partition_index": 0, "broker_ids": [7]}], -1, 39),
                                               ([{"partition_index": 0, "broker_ids": []}], -1, 39), ([{"partition_index": 0, "broker_ids": [1, 1]}], -1, 39)):
            equal(create_error(c, topic(f"assigned-{error}", partitions, -1 if error != 42 else 1, assignments=assignments)), error, repr(assignments))
        equal(len(metadata(c, ["assigned-0"])["assigned-0"]["partitions"]), 2)


def test_good_topics_are_made_beside_bad_ones():
    with client() as c:
        asked = [topic("mixed-good"), topic("mixed-key", configs={"log.retention.minutes": "5"}), topic("mixed-value", configs={"retention.ms": "abc"}),
                 topic("mixed bad name"), topic("mixed-compact", configs={"cleanup.policy": "compact"}), topic("mixed-tier", configs={"remote.storage.enable": "true"}),
                 topic("mixed-null", configs={"retention.ms": None}), topic("mixed-zero", 0), topic("mixed-also", configs={"retention.ms": "5"}),
                 topic("mixed-view", configs={"braid.order.view": "a,,b"})]
        for validate in (True, False):
            got = create(c, asked, validate=validate)
            equal({n: e for n, (e, _) in got.items()}, {
                "mixed-good": 0, "mixed-key": 40, "mixed-value": 40, "mixed bad name": 17, "mixed-compact": 40, "mixed-tier": 40, "mixed-null": 40, "mixed-zero": 37,
                "mixed-also": 0, "mixed-view": 40})
            for name, word in (("mixed-key", "log.retention.minutes"), ("mixed-value", "abc"), ("mixed-compact", "compact"), ("mixed-null", "retention.ms")):
                assert word in got[name][1], got[name]
            assert "not available" in got["mixed-compact"][1]
        equal(sorted(n for n in metadata(c, None) if n.startswith("mixed")), ["mixed-also", "mixed-good"])


def test_keys_of_older_kafka_are_dropped_silently():
    with client() as c:
        old = {"message.format.version": "2.8-IV1", "message.downconversion.enable": "false", "message.timestamp.difference.max.ms": "1", "flush.ms": "1000"}
        equal(create_error(c, topic("older", configs=old)), 0)
        entries = describe(c, "older")[1]
        equal((entries["flush.ms"]["value"], "message.format.version" in entries), ("1000", False))
        equal(alter(c, "older", [("message.format.version", SET, "3.0")]), (0, None))


def test_a_name_given_twice_changes_nothing():
    with client() as c:
        got = c.request("CreateTopics", 7, {"topics": [topic("twice"), topic("twice", 2), topic("once")]})["topics"]
        equal({(t["name"], t["error_code"]) for t in got}, {("twice", 42), ("once", 0)})
        equal(metadata(c, ["twice"])["twice"]["error_code"], 3)
        c.create("twice")
        got = c.request("CreatePartitions", 3, {"topics": [{"name": "twice", "count": 2}, {"name": "twice", "count": 3}, {"name": "once", "count": 2}]})["results"]
        equal({(t["name"], t["error_code"]) for t in got}, {("twice", 42), ("once", 0)})
        for api, op in (("IncrementalAlterConfigs", {"config_operation": SET}), ("AlterConfigs", {})):
            one = {"resource_type": TOPIC, "resource_name": "twice", "configs": [dict(op, name="retention.ms", value="1")]}
            got = c.request(api, 1, {"resources": [one, one]})["responses"]
            equal({r["error_code"] for r in got}, {42}, api)
            one["configs"] *= 2
            equal([r["error_code"] for r in c.request(api, 1, {"resources": [one]})["responses"]], [42], api)
        equal((len(metadata(c, ["twice"])["twice"]["partitions"]), value(c, "twice", "retention.ms")), (1, "604800000"))
        topic_id = c.topic_id("twice")
        got = c.request("DeleteTopics", 6, {"topics": [{"name": "twice"}, {"name": None, "topic_id": topic_id}]})["responses"]
        equal({t["error_code"] for t in got}, {42})
        equal(metadata(c, ["twice"])["twice"]["error_code"], 0)


def test_the_number_of_partitions_is_limited_in_all():
    with Broker({"braid.partitions.max": 10}) as own, client(own) as c:
        equal(create_error(c, topic("big", 11)), 37)
        got = create(c, [topic(f"piece-{i}", 4) for i in range(3)])
        equal(sorted(e for e, _ in got.values()), [0, 0, 44])
        assert any("braid.partitions.max" in (m or "") for _, m in got.values())
        got = c.request("CreatePartitions", 3, {"topics": [{"name": "piece-0", "count": 6}, {"name": "piece-1", "count": 6}]})["results"]
        equal(sorted(r["error_code"] for r in got), [0, 44])
        equal(metadata(c, ["too-many"], create=True)["too-many"]["error_code"], 3)


def test_partitions_are_added():
    with client() as c:
        c.create("grown", 2)
        c.append("grown", 1, [b"kept"])

        def grow(name, count, version, validate=False, assignments=None):
            got = c.request("CreatePartitions", version, {"topics": [{"name": name, "count": count, "assignments": assignments}], "validate_only": validate, "timeout_ms": 5000})
            (one,) = got["results"]
            equal(one["name"], name)
            return one["error_code"]

        for version in range(4):
            count = 3 + version
            equal(grow("grown", count, version, True), 0)
            equal(len(metadata(c, ["grown"])["grown"]["partitions"]), count - 1)
            equal(grow("grown", count, version), 0)
            equal(c.append("grown", count - 1, [b"new"]), 0)
            for bad in (count, count - 1, 0, -1):
                equal(grow("grown", bad, version), 37)
            equal((grow("no-such", 3, version), grow(ORDER, 2, version), grow("grown", 1_000_000, version)), (3, 37, 37))
        equal(grow("grown", 8, 3, assignments=[{"broker_ids": [1]}]), 39)
        equal(grow("grown", 8, 3, assignments=[{"broker_ids": [1]}, {"broker_ids": [2]}]), 39)
        equal(grow("grown", 8, 3, assignments=[{"broker_ids": [1]}, {"broker_ids": [1]}]), 0)
        got = c.request("CreatePartitions", 3, {"topics": [{"name": "no-such", "count": 3}, {"name": "grown", "count": 9}, {"name": ORDER, "count": 3}]})
        equal([(r["name"], r["error_code"]) for r in got["results"]], [("no-such", 3), ("grown", 0), (ORDER, 37)])
        equal([r.value for r in c.read("grown", 1)], [b"kept"])


def test_racing_growths_never_overshoot():
    with client() as c:
        c.create("racing", 1)
        errors = []

        def one(n):
            with client() as mine:
                for count in range(2, 30):
                    errors.append(mine.request("CreatePartitions", 3, {"topics": [{"name": "racing", "count": count}]})["results"][0]["error_code"])

        threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert set(errors) <= {0, 37}, set(errors)
        equal((errors.count(0), len(metadata(c, ["racing"])["racing"]["partitions"])), (28, 29))


def test_topics_are_deleted_by_name_and_id():
    with client() as c:
        for version in range(1, 6):
            name = f"gone-{version}"
            c.create(name, 2)
            got = c.request("DeleteTopics", version, {"topic_names": [name, "no-such", ORDER], "timeout_ms": 5000})["responses"]
            equal([(r["name"], r["error_code"]) for r in got], [(name, 0), ("no-such", 3), (ORDER, 17)])
            equal(metadata(c, [name])[name]["error_code"], 3)
            equal(c.produce(name, 0, batch([b"x"]))["error_code"], 3)
        c.create("gone-6")
        c.create("gone-7")
        topic_id = c.topic_id("gone-7")
        got = c.request("DeleteTopics", 6, {"topics": [{"name": "gone-6"}, {"name": None, "topic_id": topic_id}, {"name": None, "topic_id": b"?" * 16}, {"name": None},
                                                       {"name": "gone-6", "topic_id": topic_id}, {"name": None, "topic_id": c.topic_id(ORDER)}]})["responses"]
        equal([r["error_code"] for r in got], [0, 0, 100, 42, 42, 17])
        equal([r["name"] for r in got[:2]], ["gone-6", "gone-7"])
    with Broker({"delete.topic.enable": "false"}) as own, client(own) as c:
        c.create("stays")
        for version in (1, 2, 3, 5, 6):
            fields = {"topics": [{"name": "stays"}]} if version == 6 else {"topic_names": ["stays"]}
            equal(c.request("DeleteTopics", version, fields)["responses"][0]["error_code"], 73 if version >= 3 else 42, f"version {version}")


def test_a_deleted_topic_leaves_nothing_on_disk():
    with Broker() as own, client(own) as c:
        c.create("files", 2)
        for p in range(2):
            c.append("files", p, [os.urandom(1000)])
        assert os.path.isdir(os.path.join(own.data, "files-0"))
        equal(c.delete_topic("files"), 0)
        wait_for(lambda: not [d for d in os.listdir(own.data) if d.startswith("files-")], 10, "the directories to go")
        own.restart("kill")
        with client(own) as d:
            equal(metadata(d, ["files"])["files"]["error_code"], 3)


def test_catalog_changes_survive_a_kill_at_once():
    with Broker() as own:
        for life in range(4):
            with client(own) as c:
                c.create(f"life-{life}", 3, {"retention.ms": str(1000 + life)})
                equal(c.request("CreatePartitions", 3, {"topics": [{"name": f"life-{life}", "count": 5}]})["results"][0]["error_code"], 0)
                equal(alter(c, f"life-{life}", [("segment.ms", SET, "7777")]), (0, None))
                if life:
                    equal(c.delete_topic(f"life-{life - 1}"), 0)
            own.restart("kill")
            with client(own) as c:
                names = sorted(n for n in metadata(c, None) if n.startswith("life"))
                equal(names, [f"life-{life}"])
                equal((len(metadata(c, names)[names[0]]["partitions"]), value(c, names[0], "retention.ms"), value(c, names[0], "segment.ms")), (5, str(1000 + life), "7777"))


def test_the_log_of_changes_does_not_grow_for_ever():
    with Broker({"log.retention.check.interval.ms": 100}) as own:
        log = os.path.join(own.data, "__braid_catalog-0")

        def size():
            return sum(os.path.getsize(os.path.join(log, f)) for f in os.listdir(log) if f.endswith(".log"))

        with client(own) as c:
            c.create("churn")
            for i in range(900):
                fields = {"resources": [{"resource_type": TOPIC, "resource_name": "churn", "configs": [
                    {"name": "leader.replication.throttled.replicas", "config_operation": SET, "value": f"{i}:" + "1" * 32000}]}]}
                equal(c.request("IncrementalAlterConfigs", 1, fields)["responses"][0]["error_code"], 0)
            assert size() > 16 << 20
            # Files go once a checkpoint lies behind them, at the latest at the next start.
        own.restart("kill")
        wait_for(lambda: size() < 24 << 20, 10, "old segments to go")
        own.restart("stop")
        with client(own) as c:
            assert value(c, "churn", "leader.replication.throttled.replicas").startswith("899:1111")
            equal(create_error(c, topic("after")), 0)


# --- configuration ---

def test_every_topic_key_is_described_with_source_type_and_synonyms():
    with Broker({"log.retention.hours": 2, "log.segment.bytes": 2000000}) as own, client(own) as c:
        c.create("described", 1, {"segment.bytes": "3000000", "cleanup.policy": "delete"})
        for keys in (None, []):
            error, entries = describe(c, "described", keys)
            equal((error, len(entries)), (0, 34))
        got = entries["segment.bytes"]
        equal((got["value"], got["config_source"], got["read_only"], got["is_sensitive"], got["config_type"]), ("3000000", 1, False, False, 3))
        equal([(s["name"], s["value"], s["source"]) for s in got["synonyms"]],
              [("segment.bytes", "3000000", 1), ("log.segment.bytes", "2000000", 4), ("log.segment.bytes", "1073741824", 5)])
        got = entries["retention.ms"]
        equal((got["value"], got["config_source"], got["config_type"]), ("7200000", 4, 5))
        equal([(s["name"], s["source"]) for s in got["synonyms"]], [("log.retention.hours", 4), ("log.retention.ms", 5)])
        got = entries["max.message.bytes"]
        equal((got["value"], got["config_source"], [(s["name"], s["source"]) for s in got["synonyms"]]), ("1048588", 5, [("message.max.bytes", 5)]))
        types = {"cleanup.policy": 7, "preallocate": 1, "compression.type": 2, "min.cleanable.dirty.ratio": 6, "braid.durability": 2}
        equal({k: entries[k]["config_type"] for k in types}, types)
        equal((entries["braid.durability"]["value"], entries["cleanup.policy"]["value"]), ("fsync", "delete"))
        for version in range(1, 5):
            error, entries = describe(c, "described", ["retention.ms", "no.such.key"], version, synonyms=False, docs=version >= 3)
            equal((error, list(entries), entries["retention.ms"]["synonyms"]), (0, ["retention.ms"], []))
            equal(bool(entries["retention.ms"]["documentation"]), version >= 3)
        equal((describe(c, "no-such")[0], describe(c, "bad name")[0], describe(c, ORDER)[0]), (3, 17, 0))


def test_internal_topics_show_what_is_in_force():
    with Broker({"log.retention.ms": 5000, "braid.durability": "page-cache", "offsets.topic.num.partitions": 1}) as own, client(own) as c:
        wait_for(lambda: c.request("FindCoordinator", 1, {"key": "g"})["error_code"] == 0, 10, "a coordinator")
        c.create("plain")
        equal((value(c, "plain", "retention.ms"), value(c, "plain", "braid.durability")), ("5000", "page-cache"))
        equal((value(c, OFFSETS, "retention.ms"), value(c, OFFSETS, "braid.durability"), value(c, OFFSETS, "cleanup.policy")), ("-1", "fsync", "delete"))
        error, message = alter(c, OFFSETS, [("retention.ms", SET, "1")])
        equal(error, 40)
        assert "internal" in message
        equal(alter(c, OFFSETS, [("segment.bytes", SET, "1048576")])[0], 0)
        equal(alter(c, ORDER, [("retention.ms", SET, "1")])[0], 40)


def test_a_broker_describes_itself_and_no_other():
    with Broker({"node.id": 7, "num.partitions": 3}) as own, client(own) as c:
        error, entries = describe(c, "7", kind=BROKER, docs=True)
        equal(error, 0)
        assert len(entries) > 100
        got = entries["num.partitions"]
        equal((got["value"], got["config_source"], got["read_only"], got["config_type"]), ("3", 4, True, 3))
        equal([(s["name"], s["value"], s["source"]) for s in got["synonyms"]], [("num.partitions", "3", 4), ("num.partitions", "1", 5)])
        equal((entries["default.replication.factor"]["value"], entries["default.replication.factor"]["config_source"]), ("1", 5))
        assert all(e["documentation"] for e in entries.values())
        for name in ("ssl.keystore.password", "sasl.jaas.config"):
            equal((entries[name]["is_sensitive"], entries[name]["value"]), (True, None))
        equal((describe(c, "8", kind=BROKER)[0], describe(c, "x", kind=BROKER)[0]), (42, 42))
        equal(describe(c, "", kind=BROKER), (0, {}))
        equal(list(describe(c, "7", ["num.partitions"], kind=BROKER)[1]), ["num.partitions"])
        equal((describe(c, "g", kind=32), describe(c, "m", kind=16)), ((0, {}), (0, {})))
        equal((describe(c, "7", kind=8)[0], describe(c, "7", kind=99)[0]), (42, 42))
        for name in ("7", ""):  # not built: refused, with the reason
            error, message = alter(c, name, [("log.retention.ms", SET, "1")], kind=BROKER)
            equal(error, 42)
            assert "server.properties" in message
            got = c.request("AlterConfigs", 2, {"resources": [{"resource_type": BROKER, "resource_name": name, "configs": [{"name": "log.retention.ms", "value": "1"}]}]})
            equal(got["responses"][0]["error_code"], 42)


def test_a_broker_tells_the_id_it_has_whether_set_or_not():
    for overrides, want, source in (({}, "1", 5), ({"broker.id": 7}, "7", 5), ({"node.id": 7}, "7", 4)):
        with Broker(overrides) as own, client(own) as c:
            entries = describe(c, want, ["node.id", "broker.id"], kind=BROKER)[1]
            equal((entries["node.id"]["value"], entries["broker.id"]["value"], entries["node.id"]["config_source"]), (want, want, source))


def test_settings_are_set_deleted_appended_and_subtracted():
    throttled = "leader.replication.throttled.replicas"
    with client() as c:
        c.create("altered", 1, {"segment.ms": "5000"})
        for version in (0, 1):
            equal(alter(c, "altered", [("retention.ms", SET, "1000"), ("segment.ms", DELETE, None)], version), (0, None))
            equal((value(c, "altered", "retention.ms"), value(c, "altered", "segment.ms")), ("1000", "604800000"))
            equal(alter(c, "altered", [(throttled, APPEND, "0:1")], version), (0, None))
            equal(alter(c, "altered", [(throttled, APPEND, "1:1,0:1")], version), (0, None))
            equal(value(c, "altered", throttled), "0:1,1:1")
            equal(alter(c, "altered", [(throttled, SUBTRACT, "0:1,7:7")], version), (0, None))
            equal(value(c, "altered", throttled), "1:1")
            equal(alter(c, "altered", [(throttled, DELETE, None), ("retention.ms", DELETE, None)], version), (0, None))
            equal(value(c, "altered", throttled), "")
            equal(alter(c, "altered", [("retention.ms", SET, "9")], version, validate=True), (0, None))
            equal(value(c, "altered", "retention.ms"), "604800000")
            for bad, error in ((("retention.ms", APPEND, "1"), 40), (("retention.ms", SUBTRACT, "1"), 40), (("retention.ms", SET, None), 42), ((throttled, APPEND, None), 42),
                               (("retention.ms", 9, "1"), 42), (("cleanup.policy", APPEND, "compact"), 40), (("cleanup.policy", SUBTRACT, "delete"), 40), (("no.such", SET, "1"), 40)):
                for validate in (True, False):
                    got = alter(c, "altered", [("segment.ms", SET, "1"), bad], version, validate)
                    equal(got[0], error, repr(bad))
                    assert got[1] and bad[0] in got[1] or "operation" in got[1], got
            equal(value(c, "altered", "segment.ms"), "604800000", "nothing of a refused change")


def test_one_bad_resource_spoils_no_other_and_no_connection():
    with client() as c:
        for name in ("well", "wrong-policy", "wrong-codec", "wrong-number"):
            c.create(name)
        for validate in (True, False):
            got = c.request("IncrementalAlterConfigs", 1, {"validate_only": validate, "resources": [
                {"resource_type": TOPIC, "resource_name": name, "configs": [{"name": key, "config_operation": SET, "value": v}]} for name, key, v in (
                    ("wrong-policy", "cleanup.policy", "compactt"), ("wrong-codec", "compression.type", "SNAPPY"), ("wrong-number", "retention.ms", "abc"), ("well", "retention.ms", "77"),
                    ("no-such", "retention.ms", "1"), ("bad name", "retention.ms", "1"), ("wrong-empty", "", ""))] + [
                {"resource_type": 32, "resource_name": "g", "configs": [{"name": "consumer.session.timeout.ms", "config_operation": SET, "value": "50000"}]}]})["responses"]
            equal([(r["resource_name"], r["error_code"]) for r in got], [("wrong-policy", 40), ("wrong-codec", 40), ("wrong-number", 40), ("well", 0), ("no-such", 3), ("bad name", 17),
                                                                         ("wrong-empty", 3), ("g", 42)])
            assert all(r["error_message"] for r in got if r["error_code"])
            equal(value(c, "well", "retention.ms"), "604800000" if validate else "77")


def test_alter_configs_replaces_all_settings():
    with client() as c:
        c.create("replaced", 1, {"segment.ms": "5000", "retention.ms": "6000"})

        def replace(configs, version, validate=False):
            got = c.request("AlterConfigs", version, {"validate_only": validate, "resources": [
                {"resource_type": TOPIC, "resource_name": "replaced", "configs": [{"name": k, "value": v} for k, v in configs.items()]}]})["responses"][0]
            return got["error_code"]

        for version in range(3):
            equal(replace({"retention.ms": "1", "flush.ms": "2"}, version), 0)
            equal([value(c, "replaced", k) for k in ("retention.ms", "flush.ms", "segment.ms")], ["1", "2", "604800000"])
            equal(replace({}, version, validate=True), 0)
            equal((replace({"retention.ms": "x"}, version), replace({"no.such": "1"}, version), replace({"retention.ms": None}, version)), (40, 40, 42))
            equal(value(c, "replaced", "retention.ms"), "1")
            equal(replace({"segment.ms": "5000"}, version), 0)
            equal([value(c, "replaced", k) for k in ("retention.ms", "flush.ms", "segment.ms")], ["604800000", "9223372036854775807", "5000"])


def test_racing_changes_of_different_keys_lose_none():
    keys = ("retention.ms", "segment.ms", "flush.ms", "file.delete.delay.ms", "max.message.bytes")
    with client() as c:
        c.create("raced")
        errors = []

        def one(key):
            with client() as mine:
                for n in range(1, 31):
                    errors.append(alter(mine, "raced", [(key, SET, str(n))])[0])

        threads = [threading.Thread(target=one, args=(k,)) for k in keys]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        equal(set(errors), {0})
        equal([value(c, "raced", k) for k in keys], ["30"] * len(keys))


def test_settings_act_at_once():
    with client() as c:
        c.create("acting")
        big = batch([os.urandom(5000)])
        equal(c.produce("acting", 0, big)["error_code"], 0)
        equal(alter(c, "acting", [("max.message.bytes", SET, "1000"), ("message.timestamp.type", SET, "LogAppendTime")])[0], 0)
        equal(c.produce("acting", 0, big)["error_code"], 10)
        assert c.produce("acting", 0, batch([b"x"]))["log_append_time_ms"] > 0
        equal(alter(c, "acting", [("max.message.bytes", DELETE, None)])[0], 0)
        equal(c.produce("acting", 0, big)["error_code"], 0)


# --- 3D: producer ids; DeleteRecords ---

def test_producer_ids_are_never_given_twice():
    with Broker() as own:
        seen = set()
        for life in range(4):
            with client(own) as a, client(own) as b:
                for c, version in [(a, v) for v in range(6)] + [(b, v) for v in range(6)]:
                    waiting = [c.send("InitProducerId", version, {"transactional_id": None, "transaction_timeout_ms": 60000}) for _ in range(200)]
                    for n in waiting:
                        got = c.receive(n)
                        equal((got["error_code"], got["producer_epoch"]), (0, 0))
                        assert got["producer_id"] >= 0 and got["producer_id"] not in seen
                        seen.add(got["producer_id"])
            own.restart("kill" if life % 2 else "stop")
        equal(len(seen), 4 * 12 * 200)


def test_an_id_that_is_sent_along_is_not_taken_over():
    with client() as c:
        first = c.producer_id()
        for version in (3, 4, 5):
            got = c.request("InitProducerId", version, {"transactional_id": None, "transaction_timeout_ms": 60000, "producer_id": first[0], "producer_epoch": 0})
            assert got["error_code"] == 0 and got["producer_epoch"] == 0 and got["producer_id"] != first[0], got


def test_transactions_are_refused_at_once():
    with client() as c:
        for version in range(6):
            got = c.request("InitProducerId", version, {"transactional_id": "t", "transaction_timeout_ms": 60000})
            equal((got["error_code"], got["producer_id"], got["producer_epoch"]), (53, -1, -1))
            equal(c.request("InitProducerId", version, {"transactional_id": "", "transaction_timeout_ms": 60000})["error_code"], 42)


def test_records_are_deleted_in_many_partitions_with_an_error_each():
    with client() as c:
        c.create("cut", 3)
        c.request("FindCoordinator", 1, {"key": "g"})
        for p in range(3):
            c.append("cut", p, [b"x"] * 10)
        for version in range(3):
            got = c.request("DeleteRecords", version, {"timeout_ms": 5000, "topics": [
                {"name": "cut", "partitions": [{"partition_index": 0, "offset": 3 + version}, {"partition_index": 1, "offset": 11}, {"partition_index": 2, "offset": -1},
                                               {"partition_index": 3, "offset": 0}, {"partition_index": 1, "offset": -2}]},
                {"name": ORDER, "partitions": [{"partition_index": 0, "offset": -1}]}, {"name": "no-such", "partitions": [{"partition_index": 0, "offset": 0}]}]})
            equal([(p["partition_index"], p["error_code"], p["low_watermark"]) for t in got["topics"] for p in t["partitions"]],
                  [(0, 0, 3 + version), (1, 1, -1), (2, 0, 10), (3, 3, -1), (1, 1, -1), (0, 17, -1), (0, 3, -1)])
            equal([c.start("cut", p) for p in range(3)], [3 + version, 0, 10])


# --- many pending changes, clients that go away ---

def test_clients_that_leave_in_the_middle_of_changes_harm_nothing():
    for i in range(30):
        c = client()
        c.send("CreateTopics", 7, {"topics": [topic(f"left-{i}-{k}", 5) for k in range(5)]})
        c.send("InitProducerId", 4, {"transactional_id": None, "transaction_timeout_ms": 1000})
        c.send("Metadata", 12, {"topics": [{"name": f"left-auto-{i}"}], "allow_auto_topic_creation": True})
        c.close()
    with client() as c:
        wait_for(lambda: len([n for n in metadata(c, None) if n.startswith("left-29-")]) in (0, 5), 5, "all or nothing of the last request")
        equal(create_error(c, topic("left-after")), 0)


def test_huge_requests_are_bounded():
    with client() as c:
        name = "x" * 200
        got = create(c, [topic(f"{name}{i}", configs={"retention.ms": "x"}) for i in range(5000)])
        equal({e for e, _ in got.values()}, {40})
        got = c.request("DescribeConfigs", 4, {"resources": [{"resource_type": TOPIC, "resource_name": f"{name}{i}"} for i in range(20000)]})["results"]
        equal({r["error_code"] for r in got}, {3})
        throttled = "leader.replication.throttled.replicas"
        long_value = "0:1," * 8191 + "0:1"  # 32767 bytes, the longest string that the protocol has
        equal(create_error(c, topic("long-value", configs={throttled: long_value})), 0)
        equal(value(c, "long-value", throttled), long_value)
        error, message = alter(c, "long-value", [(throttled, APPEND, "1:1")])
        equal(error, 40)
        assert len(message) < 1000
        equal(alter(c, "long-value", [(throttled, SUBTRACT, "0:1")]), (0, None))
        equal(value(c, "long-value", throttled), "")
        error, message = alter(c, "long-value", [("retention.ms", SET, "9" * 30000)])
        equal(error, 40)
        assert len(message) < 1000


# --- the clients' own admin calls ---

def confluent():
    try:
        import confluent_kafka.admin
    except ImportError:
        raise Skip("python3-confluent-kafka is not installed")
    return confluent_kafka.admin


def test_the_admin_client_of_librdkafka_is_served():
    ck = confluent()
    from confluent_kafka import KafkaException
    admin = ck.AdminClient({"bootstrap.servers": broker.address})

    def error(future):
        try:
            future.result(10)
            return 0
        except KafkaException as e:
            return e.args[0].code()

    made = admin.create_topics([ck.NewTopic("ck-good", 3, 1, config={"retention.ms": "5000"}), ck.NewTopic("ck-bad", 1, 1, config={"no.such.key": "1"}),
                                ck.NewTopic("ck-far", 1, 3)], operation_timeout=10)
    equal({n: error(f) for n, f in made.items()}, {"ck-good": 0, "ck-bad": 40, "ck-far": 38})
    equal(error(admin.create_topics([ck.NewTopic("ck-only-checked", 1, 1)], validate_only=True)["ck-only-checked"]), 0)
    equal({n: error(f) for n, f in admin.create_partitions([ck.NewPartitions("ck-good", 5)]).items()}, {"ck-good": 0})
    listed = admin.list_topics(timeout=10)
    equal((len(listed.topics["ck-good"].partitions), "ck-only-checked" in listed.topics, listed.controller_id), (5, False, 1))
    resource = ck.ConfigResource(ck.RESOURCE_TOPIC, "ck-good")
    entries = admin.describe_configs([resource])[resource].result(10)
    equal((entries["retention.ms"].value, entries["retention.ms"].source, entries["retention.ms"].is_read_only), ("5000", 1, False))
    assert "log.retention.ms" in entries["retention.ms"].synonyms
    equal([error(f) for f in admin.alter_configs([ck.ConfigResource(ck.RESOURCE_TOPIC, "ck-good", set_config={"segment.ms": "7000"})]).values()], [0])
    entries = admin.describe_configs([resource])[resource].result(10)
    equal((entries["retention.ms"].value, entries["segment.ms"].value), ("604800000", "7000"))
    node = ck.ConfigResource(ck.RESOURCE_BROKER, "1")
    assert len(admin.describe_configs([node])[node].result(10)) > 100
    equal([error(f) for f in admin.alter_configs([ck.ConfigResource(ck.RESOURCE_BROKER, "1", set_config={"log.retention.ms": "1"})]).values()], [42])
    equal({n: error(f) for n, f in admin.delete_topics(["ck-good", "ck-none", ORDER], operation_timeout=10).items()}, {"ck-good": 0, "ck-none": 3, ORDER: 17})
    assert "ck-good" not in admin.list_topics(timeout=10).topics


def test_the_admin_client_of_python3_kafka_is_served():
    try:
        import kafka
        from kafka import errors
        from kafka.admin import ConfigResource, ConfigResourceType, KafkaAdminClient, NewPartitions, NewTopic
    except ImportError:
        raise Skip("python3-kafka is not installed")
    admin = KafkaAdminClient(bootstrap_servers=broker.address)
    try:
        admin.create_topics([NewTopic("kp", 2, 1, topic_configs={"retention.ms": "5000"})])
        for bad, error in ((NewTopic("kp", 1, 1), errors.TopicAlreadyExistsError), (NewTopic("kp-far", 1, 2), errors.InvalidReplicationFactorError),
                           (NewTopic("kp-key", 1, 1, topic_configs={"no.such": "1"}), errors.InvalidConfigurationError)):
            try:
                admin.create_topics([bad])
                raise AssertionError(f"{bad.name} was made")
            except error:
                pass
        admin.create_partitions({"kp": NewPartitions(4)})
        (told,) = admin.describe_topics(["kp"])
        equal((told["error_code"], len(told["partitions"]), told["is_internal"]), (0, 4, False))
        assert "kp" in admin.list_topics()
        cluster = admin.describe_cluster()
        equal((cluster["controller_id"], len(cluster["brokers"]), len(cluster["cluster_id"])), (1, 1, 22))
        (told,) = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, "kp")])
        equal([e[1] for e in told.resources[0][4] if e[0] == "retention.ms"], ["5000"])
        admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, "kp", configs={"segment.ms": "7000"})])
        (told,) = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, "kp")])
        equal([e[1] for e in told.resources[0][4] if e[0] in ("retention.ms", "segment.ms")], ["604800000", "7000"])
        admin.delete_topics(["kp"])
        assert "kp" not in admin.list_topics()
    finally:
        admin.close()


if __name__ == "__main__":
    sys.exit(run_with_broker("admin", globals(), SETTINGS))
