#!/usr/bin/python3
"""Braid's own requests about the order (keys from 10000), by raw frames: who may ask, the end, waiting, cuts."""
import os
import random
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, Closed, Conn, batch, batches
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


# --- appends ---

def one(topic, partition=0, records=(b"v",), end=-1, **more):
    return {"topic": topic, "partition": partition, "expected_end": end, "records": batch(list(records), **more)}


def append(conn, *appends, sync=True, timeout_ms=15000):
    return conn.request("OrderAppend", 0, {"sync": sync, "timeout_ms": timeout_ms, "appends": list(appends)})


def refused(conn, code, index, *appends):
    answer = append(conn, *appends)
    equal((answer["error_code"], answer["failed_index"]), (code, index), answer)
    return answer


def fsync_topic(c, name, partitions=1):
    c.create(name, partitions=partitions, configs={"braid.durability": "fsync"})


def test_an_append_says_where_its_records_are():
    c = client()
    c.create("own")
    with ours() as conn:
        begin = tail(conn)
        answer = append(conn, one("own", records=[b"a", b"b"]))
        equal((answer["error_code"], answer["failed_index"]), (0, -1))
        equal(answer["appends"], [{"base_offset": 0, "end_offset": 2, "position": begin}])
        answer = append(conn, one("own", records=[b"c"]), sync=False)
        equal(answer["appends"], [{"base_offset": 2, "end_offset": 3, "position": -1}])
        equal([r.value for r in c.read("own", 0)], [b"a", b"b", b"c"])
        equal(tail(conn), begin + 3)


def test_several_appends_take_consecutive_positions_and_no_cut_falls_between():
    c = client()
    fsync_topic(c, "many", 3)
    with ours() as conn:
        append(conn, one("many", 1))
        begin = tail(conn)
        answer = append(conn, one("many", 0, [b"a", b"b"]), one("many", 1, [b"c"]), one("many", 2, [b"d", b"e", b"f"]))
        equal(answer["error_code"], 0)
        equal([(a["base_offset"], a["end_offset"], a["position"] - begin) for a in answer["appends"]], [(0, 2, 0), (1, 2, 2), (0, 3, 3)])
        equal(append(conn, one("many", 1))["appends"][0]["position"], begin + 6)
        before = {("many", 0): 0, ("many", 1): 1, ("many", 2): 0}
        for restarted in (False, True):
            if restarted:
                broker.restart("kill")
                conn = ours()
            for at in range(begin, begin + 6):
                got, offsets = cut(conn, at, ["many"])
                equal((got, offsets), (begin, before))
            equal(cut(conn, begin + 6, ["many"]), (begin + 6, {("many", 0): 2, ("many", 1): 2, ("many", 2): 3}))
        conn.close()


def test_what_is_refused_leaves_nothing():
    c = client()
    fsync_topic(c, "fit", 2)
    c.create("loose", configs={"braid.durability": "page-cache"})
    c.create("seen", configs={"braid.order.view": "fit"})
    with ours() as conn:
        good = one("fit", 0)
        refused(conn, 3, 1, good, one("nobody"))
        refused(conn, 3, 1, good, one("fit", 2))
        refused(conn, 17, 1, good, one("seen"))
        refused(conn, 17, 1, good, one("__order"))
        refused(conn, 44, 1, good, one("loose"))
        refused(conn, 42, 1, good, good)
        refused(conn, 42, 1, good, one("fit", 1, end=-2))
        refused(conn, 42, -1)
        refused(conn, 42, -1, *[good] * 257)
        refused(conn, 87, 1, good, one("fit", 1, producer=(7, 0, 0)))
        broken = one("fit", 1)
        broken["records"] = broken["records"][:-1] + bytes([broken["records"][-1] ^ 1])
        refused(conn, 2, 1, good, broken)
        refused(conn, 10, 1, good, one("fit", 1, [b"x" * 2000000]))
        answer = refused(conn, 10000, 1, good, one("fit", 1, end=5))
        equal(answer["appends"][1]["end_offset"], 0)
        equal((c.end("fit", 0), c.end("fit", 1)), (0, 0))
        equal(append(conn, good, one("fit", 1, end=0))["error_code"], 0)
        equal(append(conn, one("loose", end=0))["error_code"], 0)


def test_of_those_who_expect_one_end_one_wins():
    c = client()
    fsync_topic(c, "race")
    wins, losses = [], []

    def play(name):
        with ours() as conn:
            end = 0
            while end < 60:
                answer = append(conn, one("race", 0, [b"%d" % name], end=end), sync=name % 2 == 0)
                if answer["error_code"] == 0:
                    equal(answer["appends"][0]["base_offset"], end)
                    wins.append((end, name))
                    end += 1
                else:
                    equal((answer["error_code"], answer["failed_index"]), (10000, 0))
                    assert answer["appends"][0]["end_offset"] > end
                    losses.append(end)
                    end = answer["appends"][0]["end_offset"]

    players = [threading.Thread(target=play, args=(i,)) for i in range(8)]
    for p in players:
        p.start()
    for p in players:
        p.join()
    offsets = [o for o, _ in wins]
    equal(sorted(offsets), list(range(len(offsets))))
    assert len(offsets) >= 60 and losses, (len(offsets), len(losses))
    equal([r.value for r in c.read("race", 0)], [b"%d" % name for _, name in sorted(wins)])


def test_several_appends_are_there_all_or_none_after_a_kill():
    c = client()
    fsync_topic(c, "whole", 3)
    acknowledged, sent = 0, 0
    for life in range(6):
        started = threading.Event()
        done = []

        def play():
            try:
                with ours() as conn:
                    for i in range(100000):
                        size = 20000 if i % 3 == 0 else 10
                        value = b"%d." % (sent + len(done)) + b"x" * size
                        done.append(False)
                        answer = append(conn, *[one("whole", p, [value] * (p + 1)) for p in range(3)], sync=life % 2 == 0)
                        equal(answer["error_code"], 0)
                        done[-1] = True
                        if i > 3:
                            started.set()
            except (Closed, OSError):
                started.set()

        player = threading.Thread(target=play)
        player.start()
        started.wait(20)
        time.sleep(random.Random(life).random() / 20)
        broker.kill()
        player.join()
        broker.start()
        c = client()
        ends = [c.end("whole", p) for p in range(3)]
        equal(ends, [ends[0], 2 * ends[0], 3 * ends[0]])
        acknowledged = sent + sum(done)
        assert acknowledged <= ends[0] <= sent + len(done), (acknowledged, ends, sent, len(done))
        sent = ends[0]
    values = [[r.value for r in c.read("whole", p)] for p in range(3)]
    for p in range(3):
        equal(values[p], [v for v in values[0] for _ in range(p + 1)])
    equal([int(v.split(b".")[0]) for v in values[0]], list(range(sent)))


def test_an_append_of_a_client_that_goes_at_once_is_whole():
    """Its bytes are borrowed by the journal for longer than the connection lives."""
    c = client()
    fsync_topic(c, "gone", 2)
    for i in range(30):
        conn = ours()
        conn.send("OrderAppend", 0, {"sync": True, "timeout_ms": 1000, "appends": [one("gone", p, [b"y" * 15000]) for p in range(2)]})
        conn.close()
    with ours() as conn:
        equal(append(conn, one("gone", 0), one("gone", 1))["error_code"], 0)
    broker.restart("kill")
    c = client()
    ends = [c.end("gone", p) for p in range(2)]
    equal(ends[0], ends[1])
    assert all(r.value in (b"y" * 15000, b"v") for p in range(2) for r in c.read("gone", p))


def test_the_end_is_linearizable_beside_producers():
    """Each answer lies above what was acknowledged before the question, and below what was appended after it."""
    c = client()
    fsync_topic(c, "lin", 4)
    c.create("lin-loose", configs={"braid.durability": "page-cache"})
    stop = threading.Event()
    acknowledged = [0] * 4  # a producer's own: one past its last position
    tails = [0]

    def play(i):
        with ours() as conn:
            while not stop.is_set():
                floor = tails[0]
                parts = [one("lin", p) for p in range(2)] if i == 0 else [one("lin-loose" if i == 1 else "lin", 0 if i == 1 else i)]
                answer = append(conn, *parts)
                equal(answer["error_code"], 0)
                position = answer["appends"][-1]["position"]
                assert answer["appends"][0]["position"] >= floor, (answer, floor)
                acknowledged[i] = position + 1

    with ours() as conn:
        begin = tail(conn)
    players = [threading.Thread(target=play, args=(i,)) for i in range(4)]
    for p in players:
        p.start()
    count = 0
    try:
        with ours() as conn:
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline:
                before = max(acknowledged)
                now = tail(conn)
                assert now >= before and now >= tails[0], (now, before, tails)
                tails[0] = now
                got, offsets = cut(conn, topics=["lin"])
                assert got >= now
                if count % 25 == 0:  # a cut holds what the order has below it
                    below = [e for e in read_all(conn, begin, got, topics=["lin"]) if e["position"] < got]
                    equal(sum(offsets.values()), len(below))
                    assert not below or below[-1]["flags"] & 2, "the cut parts what was appended together"
                count += 1
    finally:
        stop.set()
        for p in players:
            p.join()
    assert count > 50, count


# --- reading ---

def read(conn, position, max_bytes=1 << 20, max_wait_ms=0, topics=None, speculative=False):
    return conn.request("OrderRead", 0, {"position": position, "max_bytes": max_bytes, "max_wait_ms": max_wait_ms, "topics": topics, "speculative": speculative})


def read_all(conn, position, end, **how):
    """Entries up to a position; every answer goes on."""
    out = []
    while position < end:
        answer = read(conn, position, **how)
        equal((answer["error_code"], answer["error_message"]), (0, None))
        assert position < answer["next_position"] <= answer["stable"]
        assert all(e["position"] < answer["next_position"] for e in answer["entries"])
        out += answer["entries"]
        position = answer["next_position"]
    return out


def where(entries):
    return [(e["position"], e["topic"], e["partition"], batches(e["batch"])[0].base_offset) for e in entries]


def test_reading_gives_the_stored_batches_in_order():
    c = client()
    rng = random.Random(5)
    names = ["read-a", "read-b", "other"]
    for name in names:
        c.create(name, partitions=2)
    with ours() as conn:
        begin = position = tail(conn)
        want = []
        for i in range(120):
            key = rng.choice(names), rng.randrange(2)
            n = rng.randrange(1, 5)
            base = c.append(*key, [b"%d" % i] * n, codec=rng.randrange(5))
            want.append((position, *key, base))
            position += n
        got = read_all(conn, begin, position)
        equal(where(got), want)
        assert all(e["flags"] == 3 and e["first_offset"] == batches(e["batch"])[0].base_offset for e in got)
        for name in names:
            equal({e["topic_id"] for e in got if e["topic"] == name}, {c.topic_id(name)})
            for i in range(2):
                stored = b"".join(e["batch"] for e in got if (e["topic"], e["partition"]) == (name, i))
                equal(stored, c.fetch(name, i, 0)["records"], "untouched")
        equal(where(read_all(conn, begin, position, max_bytes=1)), want)
        equal(where(read_all(conn, begin, position, topics=["read-*"])), [w for w in want if w[1] != "other"])
        equal(where(read_all(conn, begin, position, topics=["other", "read-b"])), [w for w in want if w[1] != "read-a"])
        equal(read(conn, begin, topics=[])["entries"], [])
        for at, *rest in rng.sample(want, 20):  # a position within a batch gives the whole batch
            size = [e for e in got if e["position"] == at][0]
            inside = at + rng.randrange(batches(size["batch"])[0].count)
            equal(where(read(conn, inside, max_bytes=1)["entries"]), [(at, *rest)])
        equal(read(conn, tail(conn) + 1)["error_code"], 1)
        equal(read(conn, -1)["error_code"], 1)
        broker.restart("kill")
    with ours() as conn:
        equal(where(read_all(conn, begin, position)), want)


def test_a_read_at_the_end_waits_for_what_comes():
    c = client()
    c.create("await")
    c.create("ignored")
    with ours() as conn:
        at = tail(conn)
        begun = time.monotonic()
        answer = read(conn, at, max_wait_ms=200)
        equal((answer["entries"], answer["next_position"], answer["error_code"]), ([], at, 0))
        assert time.monotonic() - begun >= 0.19
        for speculative in (False, True):
            at = tail(conn)
            n = conn.send("OrderRead", 0, {"position": at, "max_bytes": 1000, "max_wait_ms": 30000, "topics": ["await"], "speculative": speculative})
            for _ in range(3):
                c.append("ignored", 0, [b"x"])
            assert not conn.has_answer(0.1)
            begun = time.monotonic()
            c.append("await", 0, [b"y"])
            answer = conn.receive(n)
            assert time.monotonic() - begun < 5
            equal([(e["position"], e["topic"]) for e in answer["entries"]], [(at + 3, "await")])
            equal(answer["next_position"], at + 4)
        conn.send("OrderRead", 0, {"position": tail(conn), "max_wait_ms": 30000})  # one that goes away waiting
    assert broker.answers()


def test_rows_of_others_are_passed_in_bounded_calls():
    c = client()
    c.create("noise")
    c.create("rare")
    with ours() as conn:
        at = tail(conn)
        for _ in range(40):  # pipelined: many small batches
            sent = [c.send("Produce", 9, c.produce_fields("noise", 0, batch([b"n"]))) for _ in range(100)]
            for n in sent:
                c.receive(n)
        c.append("rare", 0, [b"r"])
        got = read_all(conn, at, tail(conn), topics=["rare"], max_wait_ms=1000)
        equal([(e["position"], e["topic"]) for e in got], [(at + 4000, "rare")])


def test_speculation_shows_what_is_done_in_the_order_that_becomes_stable():
    c = client()
    fsync_topic(c, "slow", 2)
    c.create("quick", configs={"braid.durability": "page-cache"})
    stop = threading.Event()

    def play(name, parts, rng):
        own = client()
        while not stop.is_set():
            own.append(name, rng.randrange(parts), [b"v"] * rng.randrange(1, 4))

    players = [threading.Thread(target=play, args=("slow", 2, random.Random(1))), threading.Thread(target=play, args=("quick", 1, random.Random(2))),
               threading.Thread(target=play, args=("quick", 1, random.Random(3)))]
    with ours() as conn, ours() as other:
        at = begin = tail(conn)
        seen, ahead = [], 0
        for p in players:
            p.start()
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            answer = read(conn, at, max_wait_ms=500, speculative=True)
            equal(answer["error_code"], 0)
            seen += where(answer["entries"])
            ahead += sum(e["position"] >= answer["stable"] for e in answer["entries"])
            at = answer["next_position"]
        stop.set()
        for p in players:
            p.join()
        equal(other.request("OrderWait", 0, {"position": at, "timeout_ms": 10000})["error_code"], 0)
        stable = [w for w in where(read_all(other, begin, at)) if w[0] < at]
        equal(seen, stable[:len(seen)])
        equal(len(seen), len(stable))
        print(f"--- {len(seen)} entries, {ahead} before they were stable")


# --- trimming ---

def trim(conn, position):
    answer = conn.request("OrderTrim", 0, {"position": position, "timeout_ms": 15000})
    equal((answer["error_code"], answer["error_message"]), (0, None))
    return answer["start"]


def test_a_trim_removes_what_lies_below_and_nothing_else():
    c = client()
    rng = random.Random(8)
    fsync_topic(c, "trim", 3)
    with ours() as conn:
        trim(conn, -1)
        for _ in range(60):
            if rng.randrange(3) == 0:
                answer = append(conn, *[one("trim", p, [b"g"] * rng.randrange(1, 3)) for p in range(3)])
                equal(answer["error_code"], 0)
            else:
                c.append("trim", rng.randrange(3), [b"s"] * rng.randrange(1, 4))
        end = tail(conn)
        equal(conn.request("OrderTrim", 0, {"position": end + 1, "timeout_ms": 100})["error_code"], 1)
        equal(conn.request("OrderTrim", 0, {"position": -2, "timeout_ms": 100})["error_code"], 1)
        at = [c.start("trim", p) for p in range(3)]
        for _ in range(8):
            first = conn.request("OrderTail", 0, {"linearizable": True, "timeout_ms": 5000})["start"]
            position = rng.randrange(first, end)
            got, offsets = cut(conn, position)
            trim(conn, position)
            at = [max(at[p], offsets["trim", p]) for p in range(3)]
            equal([c.start("trim", p) for p in range(3)], at)
            if got > first + 1:
                left = read(conn, max(got - 1, 0))
                assert left["error_code"] in (0, 1)
        broker.restart("kill")
    c = client()
    with ours() as conn:
        equal([c.start("trim", p) for p in range(3)], at)
        end = tail(conn)
        trim(conn, -1)
        equal([c.start("trim", p) for p in range(3)], [c.end("trim", p) for p in range(3)])


def test_a_reader_of_what_was_trimmed_is_told_where_to_go_on():
    c = client()
    with ours() as conn:
        for name in [t["name"] for t in c.request("Metadata", 12, {"topics": None})["topics"] if not t["is_internal"]]:
            c.delete_topic(name)
        c.create("left", partitions=2)
        begin = tail(conn)
        for i in range(20):
            c.append("left", i % 2, [b"%d" % i] * 3)
        end = tail(conn)
        equal(end, begin + 60)
        equal(trim(conn, begin + 31), begin + 31)  # inside a batch of three
        answer = read(conn, begin)
        equal((answer["error_code"], answer["start"]), (1, begin + 31))
        equal(read(conn, begin + 30)["error_code"], 1)
        answer = read(conn, begin + 31)
        equal(answer["error_code"], 0)
        first = answer["entries"][0]
        equal((first["position"], first["first_offset"] - batches(first["batch"])[0].base_offset), (begin + 30, 1))
        equal(where(read_all(conn, begin + 32, end))[0][0], begin + 30)
        equal(conn.request("OrderTail", 0, {"linearizable": True, "timeout_ms": 5000})["start"], begin + 31)
        now = trim(conn, -1)
        assert now >= end, (now, end)
        equal(read(conn, begin + 31)["error_code"], 1)
        at = tail(conn)
        equal(read(conn, at)["entries"], [])
        c.append("left", 0, [b"again"])
        equal(len(read(conn, at)["entries"]), 1)


if __name__ == "__main__":
    sys.exit(run_with_broker("order_api", globals()))
