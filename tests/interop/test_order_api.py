#!/usr/bin/python3
"""Braid's own requests about the order (keys from 10000), by raw frames: who may ask, the end, waiting, cuts."""
import os
import random
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, Closed, Conn
from broker_proc import run_with_broker
from check import equal

broker = None


def ours(name="libbraid"):
    """A connection of a client that names itself so."""
    conn = Conn(broker.port)
    conn.known = conn.request("ApiVersions", 3, {"client_software_name": name, "client_software_version": "1"})
    return conn


def client():
    return Client(broker.port)


def tail(conn, linearizable=True):
    answer = conn.request("OrderTail", 0, {"linearizable": linearizable, "timeout_ms": 5000})
    equal(answer["error_code"], 0)
    return answer["tail"]


def cut(conn, position=-1, topics=None):
    """Position and {(topic, partition): offset}."""
    answer = conn.request("OrderCut", 0, {"position": position, "topics": topics, "timeout_ms": 10000})
    equal((answer["error_code"], answer["error_message"]), (0, None))
    return answer["position"], {(t["name"], p["partition"]): p["offset"] for t in answer["topics"] for p in t["partitions"]}


def test_own_keys_are_for_libbraid_alone():
    with ours() as conn:
        keys = [k["api_key"] for k in conn.known["api_keys"]]
        assert 10000 in keys and 10001 in keys and 10003 in keys, keys
        tail(conn)
    for name in ("librdkafka", "libbraid2", None):
        with (ours(name) if name else Conn(broker.port)) as conn:
            if name:
                assert all(k["api_key"] < 10000 for k in conn.known["api_keys"])
            try:
                conn.request("OrderTail", 0, {})
            except Closed:
                continue
            raise AssertionError(f"{name} was answered")


def test_the_end_covers_what_was_acknowledged():
    c = client()
    c.create("tail")
    with ours() as conn:
        last = tail(conn)
        for _ in range(50):
            c.append("tail", 0, [b"a", b"b"])
            now = tail(conn)
            assert now >= last + 2, (last, now)
            assert tail(conn, linearizable=False) <= tail(conn)
            last = now


def test_a_wait_ends_when_the_position_is_stable():
    c = client()
    c.create("wait")
    with ours() as conn, ours() as other:
        at = tail(other)
        equal(conn.request("OrderWait", 0, {"position": at, "timeout_ms": 0})["error_code"], 0)
        late = conn.request("OrderWait", 0, {"position": at + 1, "timeout_ms": 50})
        equal((late["error_code"], late["stable"]), (7, at))
        equal(conn.request("OrderWait", 0, {"position": -1, "timeout_ms": 50})["error_code"], 42)
        asked = conn.send("OrderWait", 0, {"position": at + 3, "timeout_ms": 20000})
        c.append("wait", 0, [b"1"])
        c.append("wait", 0, [b"2", b"3"])
        answer = conn.receive(asked)
        equal(answer["error_code"], 0)
        assert answer["stable"] >= at + 3


def test_a_cut_holds_what_lies_below_its_position():
    c = client()
    rng = random.Random(3)
    names = ["cut-a", "cut-b", "else"]
    for name in names:
        c.create(name, partitions=3)
    order = []  # (position, topic, partition) as acknowledged one after the other
    with ours() as conn:
        begin = tail(conn)
        counts = {(n, i): 0 for n in names for i in range(3)}
        history = {begin: dict(counts)}
        position = begin
        for _ in range(150):
            key = rng.choice(names), rng.randrange(3)
            n = rng.randrange(1, 4)
            c.append(*key, [b"v"] * n)
            for _ in range(n):
                counts[key] += 1
                position += 1
                history[position] = dict(counts)
        equal(tail(conn), position, "nobody else appends")
        for at in rng.sample(sorted(history), 60) + [begin, position]:
            got, offsets = cut(conn, at)
            equal(got, at)
            equal({k: offsets[k] for k in counts}, history[at])
        got, offsets = cut(conn, topics=["cut-*"])
        equal(got, position)
        equal(offsets, {k: v for k, v in counts.items() if k[0] != "else"})
        equal(sorted(cut(conn, topics=["else"])[1]), [("else", i) for i in range(3)])
        equal(cut(conn, topics=[])[1], {})
        equal(conn.request("OrderCut", 0, {"position": position + 1, "topics": None, "timeout_ms": 100})["error_code"], 1)
        equal(conn.request("OrderCut", 0, {"position": -2, "topics": None, "timeout_ms": 100})["error_code"], 1)


def test_positions_and_offsets_name_each_other():
    c = client()
    c.create("named", partitions=2)
    c.create("named-gone")
    with ours() as conn:
        begin = tail(conn)
        want = {}  # position -> (topic, partition, offset)
        counts = {}
        for i in range(40):
            key = ("named", i % 2) if i % 5 else ("named-gone", 0)
            n = 1 + i % 3
            c.append(*key, [b"v"] * n)
            for _ in range(n):
                want[begin + len(want)] = (*key, counts.setdefault(key, 0))
                counts[key] += 1
        asked = [{"topic": t, "partition": p, "offset": o} for t, p, o in want.values()]
        answer = conn.request("OrderPosition", 0, {"offsets": asked, "positions": list(want)})
        equal([(o["error_code"], o["position"]) for o in answer["offsets"]], [(0, p) for p in want])
        equal([(p["error_code"], p["topic"], p["partition"], p["offset"]) for p in answer["positions"]], [(0, *where) for where in want.values()])
        odd = [("nobody", 0, 0), ("named", 2, 0), ("named", 0, -1), ("named", 0, counts["named", 0]), ("__order", 0, 0)]
        answer = conn.request("OrderPosition", 0, {"offsets": [{"topic": t, "partition": p, "offset": o} for t, p, o in odd],
                                                   "positions": [-1, begin + len(want), 2 ** 62]})
        equal([o["error_code"] for o in answer["offsets"]], [3, 3, 1, 1, 17])
        equal([p["error_code"] for p in answer["positions"]], [1, 78, 78])
        equal(c.delete_records("named", 0, 3)["error_code"], 0)
        c.delete_topic("named-gone")
        answer = conn.request("OrderPosition", 0, {"offsets": [], "positions": list(want)})
        for got, where in zip(answer["positions"], want.values()):
            is_gone = where[0] == "named-gone" or (where[1] == 0 and where[2] < 3)
            equal(got["error_code"], 1 if is_gone else 0, where)


def test_a_cut_now_covers_what_was_acknowledged_and_is_one_moment():
    """A token goes from topic to topic: at each moment the first has as many records as the second, or one more."""
    c = client()
    c.create("ping")
    c.create("pong")
    stop = threading.Event()

    def play():
        own = client()
        while not stop.is_set():
            own.append("ping", 0, [b"x"])
            own.append("pong", 0, [b"x"])

    player = threading.Thread(target=play)
    player.start()
    try:
        with ours() as conn:
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline:
                before = c.end("pong")
                _, offsets = cut(conn, topics=["ping", "pong"])
                assert offsets["ping", 0] - offsets["pong", 0] in (0, 1), offsets
                assert offsets["pong", 0] >= before, (before, offsets)
    finally:
        stop.set()
        player.join()


if __name__ == "__main__":
    sys.exit(run_with_broker("order_api", globals()))
