#!/usr/bin/python3
"""Fetch with and without sessions, long polls and limits; ListOffsets against a search by hand, leader epochs, DeleteRecords, retention."""
import os
import random
import sys
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import CODECS, Client, batch, batches, now_ms, records_of
from broker_proc import Broker, is_sanitized, run_with_broker
from check import equal, wait_for

broker = None
LATEST, EARLIEST, MAX_TIME, LOCAL, TIERED, PENDING = -1, -2, -3, -4, -5, -6


def client(of=None):
    return Client((of or broker).port)


def bases(part):
    return [b.base_offset for b in batches(part["records"] or b"")]


# --- 3E: what is read ---

def test_every_version_reads_the_same_bytes():
    with client() as c:
        topic = c.create("versions", 2)
        c.append(topic, 0, [b"a", b"b"], codec=1)
        c.append(topic, 0, [b"c"])
        want = c.fetch(topic, 0, 0, version=4)["records"]
        equal([r.value for r in records_of(want)], [b"a", b"b", b"c"])
        for version in range(4, 19):
            for isolation in (0, 1):
                got = c.fetch(topic, 0, 0, version=version, isolation=isolation)
                equal((got["error_code"], got["records"]), (0, want), f"version {version}")
            got = c.fetch(topic, 1, 0, version=version)
            assert got["records"] in (b"", None), f"version {version}"
            equal(got["high_watermark"], 0)


def test_an_offset_inside_a_batch_gives_the_whole_batch():
    with client() as c:
        topic = c.create("inside")
        for codec in range(5):
            c.append(topic, 0, [b"%d" % i for i in range(10)], codec=codec)
        for offset in range(50):
            for version in (4, 12, 18):
                equal(bases(c.fetch(topic, 0, offset, version=version))[0], offset // 10 * 10, f"offset {offset}")


def test_the_first_batch_comes_whatever_its_size():
    with client() as c:
        topic = c.create("first", 3)
        value = os.urandom(900_000)
        for p in range(3):
            for _ in range(2):
                c.append(topic, p, [value])
        for limit in ({"max_bytes": 1, "part_bytes": 1}, {"max_bytes": 0, "part_bytes": 0}, {"max_bytes": 1}, {"part_bytes": 1}):
            answer = c.request("Fetch", 12, c.fetch_fields(topic, {0: 0, 1: 0, 2: 0}, None, **limit))
            got = [len(batches(p["records"] or b"")) for p in answer["topics"][0]["partitions"]]
            equal(got[0], 1 if "part_bytes" in limit or limit["max_bytes"] <= 1 else 2, f"{limit}")
            equal(got[1:], [0, 0], f"{limit}")
        answer = c.request("Fetch", 12, c.fetch_fields(topic, {1: 2, 0: 1, 2: 0}, None, max_bytes=1))
        equal([bases(p) for p in answer["topics"][0]["partitions"]], [[], [1], []], "an empty one does not use up the right")


def test_limits_are_kept_and_the_reader_moves_on():
    with client() as c:
        topic = c.create("limits", 2)
        sizes = []
        for i in range(60):
            data = batch([b"x" * (500 + 37 * i)])
            sizes.append(len(data))
            equal(c.produce(topic, 0, data)["error_code"], 0)
            c.produce(topic, 1, data)
        for limit in (1000, 5000, 20000):
            at = rounds = 0
            while at < 60:
                answer = c.request("Fetch", 12, c.fetch_fields(topic, {0: at, 1: at}, None, max_bytes=limit, part_bytes=limit))
                parts = answer["topics"][0]["partitions"]
                total = sum(len(p["records"] or b"") for p in parts)
                assert total <= limit + max(sizes), f"{total} bytes for {limit}"
                assert bases(parts[0]), f"no progress at {at}"
                at = bases(parts[0])[-1] + 1
                rounds += 1
            assert rounds <= 60


def test_the_brokers_own_cap_holds():
    with Broker({"fetch.max.bytes": 100000}) as own, client(own) as c:
        topic = c.create("cap", 2)
        for p in range(2):
            for _ in range(20):
                c.append(topic, p, [os.urandom(9000)])
        answer = c.request("Fetch", 12, c.fetch_fields(topic, {0: 0, 1: 0}, None, max_bytes=2 ** 31 - 1, part_bytes=2 ** 31 - 1))
        total = sum(len(p["records"] or b"") for p in answer["topics"][0]["partitions"])
        assert 80000 < total <= 100000, total


def test_large_answers_arrive_whole_from_files_and_memory():
    """Small pieces are read, large ones leave as file ranges: both mixed in one answer, and to a reader that is slow."""
    with client() as c:
        topic = c.create("ranges", 8)
        rng = random.Random(3)
        sent = {}
        for p in range(8):
            sent[p] = [rng.randbytes(rng.choice([10, 1000, 40_000, 300_000])) for _ in range(10)]
            for v in sent[p]:
                c.append(topic, p, [v])
        fields = c.fetch_fields(topic, {p: 0 for p in range(8)}, None)
        asked = [c.send("Fetch", v, fields) for v in (4, 12, 4, 12)]
        time.sleep(0.2)  # the answers pile up
        for n in asked:
            for p in c.receive(n)["topics"][0]["partitions"]:
                equal([r.value == v for r, v in zip(records_of(p["records"]), sent[p["partition_index"]])], [True] * 10)


def test_offsets_outside_the_log_are_an_error_at_once():
    with client() as c:
        topic = c.create("outside", 2)
        c.append(topic, 0, [b"x"] * 10)
        c.delete_records(topic, 0, 4)
        for version in (4, 12, 18):
            for offset in (0, 3, 11, 1 << 40, -1, -100):
                began = time.monotonic()
                got = c.fetch(topic, 0, offset, version=version, wait=5000)
                equal(got["error_code"], 1, f"offset {offset} at version {version}")
                assert not got["records"]
                assert time.monotonic() - began < 2
                if version >= 5:
                    equal(got["log_start_offset"], 4, "a start to go on from")
            equal(c.fetch(topic, 0, 10, version=version)["error_code"], 0)
            equal(bases(c.fetch(topic, 0, 4, version=version)), [0])


def test_unknown_topics_by_name_and_by_id():
    with client() as c:
        c.create("known")
        equal(c.request("Fetch", 12, c.fetch_fields("no-such", 0, 0))["topics"][0]["partitions"][0]["error_code"], 3)
        equal(c.fetch("known", 5, 0)["error_code"], 3)
        for version in (13, 18):
            for ident in (bytes(16), b"y" * 16):
                got = c.request("Fetch", version, c.fetch_fields("", 0, 0, topic_id=ident))
                equal(got["topics"][0]["partitions"][0]["error_code"], 100)
        equal(c.fetch("known", 5, 0, version=13)["error_code"], 3)


def test_a_topic_made_again_is_another_topic():
    with client() as c:
        topic = c.create("again")
        old = c.topic_id(topic)
        c.append(topic, 0, [b"old"] * 10)
        equal(c.delete_topic(topic), 0)
        equal(c.fetch(topic, 0, 0)["error_code"], 3)
        c.create(topic)
        new = c.topic_id(topic)
        assert new != old
        equal(c.end(topic), 0)
        c.append(topic, 0, [b"new"])
        equal(c.request("Fetch", 13, c.fetch_fields("", 0, 0, topic_id=old))["topics"][0]["partitions"][0]["error_code"], 100)
        equal(c.fetch(topic, 0, 10)["error_code"], 1)
        equal([r.value for r in c.read(topic)], [b"new"])


def test_leader_epochs_are_checked():
    with Broker() as own:
        for restarts in range(2):
            with client(own) as c:
                topic = c.create("epochs") if not restarts else "epochs"
                c.append(topic, 0, [b"x"])
                epoch = c.request("Metadata", 9, {"topics": [{"name": topic}]})["topics"][0]["partitions"][0]["leader_epoch"]
                for version in (9, 12, 16, 18):
                    ident = c.topic_id(topic)
                    for current, error in [(epoch, 0), (-1, 0), (epoch + 1, 75)] + ([(epoch - 1, 74)] if epoch else []):
                        fields = c.fetch_fields(topic, 0, 0, topic_id=ident)
                        fields["topics"][0]["partitions"][0]["current_leader_epoch"] = current
                        got = c.request("Fetch", version, fields)["topics"][0]["partitions"][0]
                        equal(got["error_code"], error, f"epoch {current} against {epoch} at version {version}")
                        if error == 74 and version >= 16:
                            equal(got["current_leader"]["leader_epoch"], epoch)
                for current, error in [(epoch, 0), (epoch + 1, 75)]:
                    got = c.request("ListOffsets", 4, {"topics": [{"name": topic, "partitions": [
                        {"partition_index": 0, "timestamp": -1, "current_leader_epoch": current}]}]})["topics"][0]["partitions"][0]
                    equal((got["error_code"], got["leader_epoch"]), (error, -1 if error else epoch))
            if not restarts:
                own.restart("kill")


def test_ends_of_leader_epochs_and_divergence():
    with Broker() as own:
        marks = []
        for how in ("kill", "stop", None):
            with client(own) as c:
                topic = "t" if marks else c.create("t")
                c.append(topic, 0, [b"x"] * 3)
                marks.append((c.request("Metadata", 9, {"topics": [{"name": topic}]})["topics"][0]["partitions"][0]["leader_epoch"], c.end(topic)))
                equal(batches(c.fetch(topic, 0, marks[-1][1] - 1)["records"])[-1].leader_epoch, marks[-1][0])
            if how:
                own.restart(how)
        with client(own) as c:
            assert marks[0][0] < marks[1][0] < marks[2][0], f"epochs only rise: {marks}"

            def ask(epoch, version):
                got = c.request("OffsetForLeaderEpoch", version, {"topics": [{"topic": "t", "partitions": [{"partition": 0, "leader_epoch": epoch}]}]})
                p = got["topics"][0]["partitions"][0]
                return p["error_code"], p["leader_epoch"], p["end_offset"]
            for version in (2, 3, 4):
                for epoch, end in marks:
                    equal(ask(epoch, version), (0, epoch, end))
                equal(ask(marks[2][0] + 5, version)[2], -1 if ask(marks[2][0] + 5, version)[1] == -1 else marks[2][1])
                equal(ask(-1, version), (0, -1, -1))
                if marks[0][0] > 0:
                    equal(ask(marks[0][0] - 1, version), (0, -1, -1) if ask(marks[0][0] - 1, version)[1] < 0 else (0, marks[0][0] - 1, 0))
            for last, offset, diverges in [(marks[2][0], 9, False), (marks[0][0], 3, False), (marks[0][0], 5, True), (marks[1][0], 6, False), (marks[1][0], 8, True)]:
                fields = c.fetch_fields("t", 0, offset)
                fields["topics"][0]["partitions"][0]["last_fetched_epoch"] = last
                got = c.request("Fetch", 12, fields)["topics"][0]["partitions"][0]
                equal(got["diverging_epoch"]["epoch"] >= 0, diverges, f"last fetched epoch {last}, offset {offset}")
                if diverges:
                    equal(got["diverging_epoch"], dict(zip(("epoch", "end_offset"), [m for m in marks if m[0] == last][0])))
                    assert not got["records"]


# --- 3E: waiting ---

def timed(c, *what):
    began = time.monotonic()
    return c.request(*what), time.monotonic() - began


def test_a_fetch_answers_at_once_when_it_should():
    with client() as c:
        topic = c.create("at-once", 2)
        c.append(topic, 0, [b"x" * 100])
        for what, fields in [("no wait", c.fetch_fields(topic, 1, 0, wait=0)), ("a negative wait", c.fetch_fields(topic, 1, 0, wait=-5)),
                             ("min_bytes 0", c.fetch_fields(topic, 1, 0, wait=5000, min_bytes=0)), ("data", c.fetch_fields(topic, 0, 0, wait=5000)),
                             ("an error beside", c.fetch_fields(topic, {1: 0, 9: 0}, None, wait=5000)),
                             ("enough bytes", c.fetch_fields(topic, {0: 0, 1: 0}, None, wait=5000, min_bytes=100)),
                             ("no partition", dict(c.fetch_fields(topic, {}, None, wait=5000), topics=[]))]:
            for version in (4, 12):
                _, took = timed(c, "Fetch", version, fields)
                assert took < 2, f"{what}: {took:.1f} s"


def test_a_fetch_waits_as_long_as_told():
    with client() as c:
        topic = c.create("waits", 2)
        c.append(topic, 0, [b"x" * 100])
        for fields in (c.fetch_fields(topic, 1, 0, wait=300), c.fetch_fields(topic, 0, 0, wait=300, min_bytes=100000), c.fetch_fields(topic, 0, 1, wait=300)):
            answer, took = timed(c, "Fetch", 12, fields)
            assert 0.28 < took < 2, f"{took:.2f} s"
        answer, _ = timed(c, "Fetch", 12, c.fetch_fields(topic, 0, 0, wait=200, min_bytes=100000))
        equal(bases(answer["topics"][0]["partitions"][0]), [0], "what there is comes at the end of the wait")


def test_a_waiting_fetch_is_woken_by_the_append():
    with client() as a, client() as b:
        topic = a.create("woken", 3)
        took = []
        for i in range(30):
            n = a.send("Fetch", 12, a.fetch_fields(topic, {0: 0, 1: i, 2: 0}, None, wait=10000))
            assert not a.has_answer(0.002)
            began = time.monotonic()
            b.append(topic, 1, [b"x"], codec=i % 5)
            got = a.receive(n)
            took.append(time.monotonic() - began)
            equal([bases(p) for p in got["topics"][0]["partitions"]], [[], [i], []])
        took.sort()
        assert is_sanitized() or took[15] < 0.1, f"median {took[15] * 1000:.0f} ms"


def test_a_waiting_fetch_wants_its_bytes():
    with client() as a, client() as b:
        topic = a.create("wants")
        n = a.send("Fetch", 12, a.fetch_fields(topic, 0, 0, wait=20000, min_bytes=20000))
        for i in range(19):  # of 1072 bytes
            assert not a.has_answer(), f"after {i} records"
            b.append(topic, 0, [b"x" * 1000])
        equal(len(bases(a.receive(n)["topics"][0]["partitions"][0])), 19)


def test_many_waiting_fetches_are_all_woken_and_cost_no_time():
    with client() as b:
        topic = b.create("herd", 4)
        conns = [client() for _ in range(200)]
        asked = [(c, c.send("Fetch", 12, c.fetch_fields(topic, {p: 0 for p in range(4)}, None, wait=15000))) for c in conns]
        b.request("Metadata", 9, {"topics": []})
        before, began = broker.cpu_s(), time.monotonic()
        time.sleep(1)  # measured, not waited for
        used = (broker.cpu_s() - before) / (time.monotonic() - began)
        assert used < 0.2, f"{used:.0%} of a processor while nothing happens"
        b.append(topic, 2, [b"x"])
        for c, n in asked:
            equal(bases(c.receive(n)["topics"][0]["partitions"][2]), [0])
            c.close()


def test_deleting_the_topic_ends_a_wait():
    with client() as a, client() as b:
        for version in (12, 13):
            topic = b.create(f"gone-{version}")
            ident = b.topic_id(topic)
            n = a.send("Fetch", version, a.fetch_fields(topic, 0, 0, wait=3000, topic_id=ident))
            b.request("Metadata", 9, {"topics": []})
            equal(b.delete_topic(topic), 0)
            equal(a.receive(n)["topics"][0]["partitions"][0]["error_code"], 3 if version == 12 else 100)


def test_a_fetch_of_a_closed_connection_is_forgotten():
    with client() as b:
        topic = b.create("dropped")
        for _ in range(50):
            c = client()
            c.send("Fetch", 12, c.fetch_fields(topic, 0, 0, wait=30000))
            c.close()
        b.append(topic, 0, [b"x"])
        equal(b.end(topic), 1)


# --- 3E: sessions ---

class Session:
    """A client with a session, kept beside a model of what it must show."""

    def __init__(self, c, version):
        self.c, self.version, self.id, self.epoch = c, version, 0, 0

    def fetch(self, parts=None, forget=None, wait=0, epoch=None, session=None):
        """parts: {(topic, id, partition): offset}. Answer: {(topic or id, partition): answer}."""
        def grouped(keys, make):
            out = {}
            for topic, ident, p in keys:
                out.setdefault((topic, ident), []).append(make((topic, ident, p)))
            return [{"topic": t, "topic_id": i, "partitions": ps} for (t, i), ps in out.items()]
        parts = parts or {}
        answer = self.c.request("Fetch", self.version, {
            "max_wait_ms": wait, "min_bytes": 1, "session_id": self.id if session is None else session, "session_epoch": self.epoch if epoch is None else epoch,
            "topics": grouped(parts, lambda k: {"partition": k[2], "fetch_offset": parts[k], "partition_max_bytes": 1 << 20}),
            "forgotten_topics": grouped(forget or [], lambda k: k[2])})
        self.error = answer["error_code"]
        if not self.error and epoch is None:
            self.id = answer["session_id"]
            self.epoch += 1
        self.answered_id = answer["session_id"]
        return {(t["topic"] if self.version < 13 else t["topic_id"], p["partition_index"]): p for t in answer["topics"] for p in t["partitions"]}


def test_sessions_omit_what_did_not_change():
    with client() as c, client() as w:
        topic = c.create("session", 4)
        ident = c.topic_id(topic)
        for version in (7, 12, 13, 18):
            name = topic if version < 13 else ident
            keys = [(topic, ident, p) for p in range(4)]
            at = {k: w.end(topic, k[2]) for k in keys}
            s = Session(c, version)
            first = s.fetch(at)
            equal((s.error, sorted(first)), (0, [(name, p) for p in range(4)]), "a full fetch names all")
            assert s.id > 0
            equal(s.fetch(), {}, "nothing changed")
            base = w.append(topic, 2, [b"x"])
            got = s.fetch()
            equal(sorted(got), [(name, 2)])
            equal(bases(got[(name, 2)]), [base])
            got = s.fetch({(topic, ident, 2): base + 1})
            equal(got, {}, "read up to the end: no change since")
            equal(s.fetch(), {})
            # a new high watermark alone (the reader stands elsewhere) is news
            w.append(topic, 1, [b"y"] * 3)
            got = s.fetch({(topic, ident, 1): w.end(topic, 1)})
            equal([(k, p["high_watermark"], p["records"] or b"") for k, p in got.items()], [((name, 1), w.end(topic, 1), b"")])
            equal(s.fetch(), {})
            # so is a new log start
            w.delete_records(topic, 1, w.end(topic, 1))
            got = s.fetch()
            equal([(k, p["log_start_offset"]) for k, p in got.items()], [((name, 1), w.end(topic, 1))])
            # errors are told every time
            equal([p["error_code"] for p in s.fetch({(topic, ident, 3): 10 ** 6}).values()], [1])
            equal([p["error_code"] for p in s.fetch().values()], [1])
            equal(s.fetch({(topic, ident, 3): w.end(topic, 3)})[(name, 3)]["error_code"] if version else 0, 0, "and that it is over")
            # forgotten ones stay out
            s.fetch(forget=[(topic, ident, 2)])
            w.append(topic, 2, [b"z"])
            equal(s.fetch(), {}, "forgotten")
            base = w.append(topic, 0, [b"z"])
            equal(sorted(s.fetch()), [(name, 0)])


def test_sessions_check_id_and_epoch():
    with client() as c:
        topic = c.create("session-epochs")
        ident = c.topic_id(topic)
        key = (topic, ident, 0)
        for version in (7, 12, 18):
            s = Session(c, version)
            s.fetch({key: 0})
            for epoch in (2, 5, 2 ** 31 - 1):
                s.fetch(epoch=epoch)
                equal(s.error, 71, f"epoch {epoch}")
            s.fetch(session=s.id ^ 1, epoch=1)
            equal(s.error, 70)
            s.fetch()
            equal(s.error, 0, "still in order")
            s.fetch(epoch=1)
            equal(s.error, 71, "used")
            old = s.id
            s.fetch({key: 0}, epoch=0)
            assert s.answered_id not in (0, old), "epoch 0 makes a new one"
            new = s.answered_id
            s.fetch(epoch=2)
            equal(s.error, 70, "the old one is gone")
            s.id, s.epoch = new, 1
            s.fetch()
            equal(s.error, 0)
            got = s.fetch({key: 0}, epoch=-1)
            equal((s.error, s.answered_id, len(got)), (0, 0, 1), "closed; a full fetch without a session")
            s.fetch()
            equal(s.error, 70)


def test_names_and_ids_do_not_mix_in_a_session():
    with client() as c:
        topic = c.create("session-mix")
        key = (topic, c.topic_id(topic), 0)
        s = Session(c, 12)
        s.fetch({key: 0})
        s.version = 13
        s.fetch()
        equal(s.error, 106)


def test_session_slots_are_limited():
    with Broker({"max.incremental.fetch.session.cache.slots": 3}) as own, client(own) as c:
        topic = c.create("t")
        key = (topic, c.topic_id(topic), 0)
        c.append(topic, 0, [b"x"])
        ids = []
        for _ in range(5):
            s = Session(c, 12)
            got = s.fetch({key: 0})
            ids.append(s.answered_id)
            equal(bases(got[(topic, 0)]), [0], "served with or without a session")
        equal([bool(i) for i in ids], [True] * 3 + [False] * 2)


def test_sessions_know_a_topic_that_was_made_again():
    with client() as c:
        topic = c.create("session-again")
        for version in (12, 13):
            old = c.topic_id(topic)
            s = Session(c, version)
            s.fetch({(topic, old, 0): 0})
            equal(c.delete_topic(topic), 0)
            equal([p["error_code"] for p in s.fetch().values()], [3 if version == 12 else 100])
            c.create(topic)
            c.append(topic, 0, [b"n"])
            if version == 13:
                new = c.topic_id(topic)
                got = s.fetch({(topic, new, 0): 0}, forget=[(topic, old, 0)])
                equal(bases(got[(new, 0)]), [0])


def test_sessions_equal_full_fetches_for_a_random_reader():
    """Two readers over the same steps, one with a session: they must see the same."""
    rng = random.Random(11)
    with client() as c, client() as w:
        topic = c.create("session-random", 6)
        ident = c.topic_id(topic)
        s = Session(c, 12)
        at = {(topic, ident, p): 0 for p in range(6)}
        seen = {p: [] for p in range(6)}
        wrote = {p: [] for p in range(6)}
        s.fetch(at)
        for step in range(150):
            for _ in range(rng.randrange(3)):
                p = rng.randrange(6)
                value = b"%d" % step
                w.append(topic, p, [value] * rng.randrange(1, 4), codec=rng.randrange(5))
                wrote[p] = w.end(topic, p)
            got = s.fetch({k: o for k, o in at.items() if rng.random() < 0.3} if rng.random() < 0.3 else s.changed if hasattr(s, "changed") else at)
            equal(s.error, 0)
            s.changed = {}
            for (_, p), part in got.items():
                equal(part["error_code"], 0)
                key = (topic, ident, p)
                found = [r.offset for r in records_of(part["records"]) if r.offset >= at[key]]
                if found:
                    equal(found, list(range(at[key], found[-1] + 1)))
                    seen[p] += found
                    at[key] = found[-1] + 1
                    s.changed[key] = at[key]
                if part["records"] and not found:
                    s.changed[key] = at[key]
        for _ in range(20):
            for (_, p), part in s.fetch(at).items():
                found = [r.offset for r in records_of(part["records"]) if r.offset >= at[(topic, ident, p)]]
                seen[p] += found
                at[(topic, ident, p)] += len(found)
        for p in range(6):
            equal(seen[p], list(range(w.end(topic, p))), f"partition {p}")


def test_no_partition_starves_in_a_session():
    with client() as c:
        topic = c.create("starve", 3)
        ident = c.topic_id(topic)
        for p in range(3):
            for _ in range(5):
                c.append(topic, p, [os.urandom(30000)])
        s = Session(c, 12)
        at = {(topic, ident, p): 0 for p in range(3)}
        order = []
        real = c.request
        c.request = lambda api, v, f: real(api, v, dict(f, max_bytes=31000))
        ask = at
        for _ in range(9):
            got = s.fetch(ask)
            ask = {}
            for (_, p), part in got.items():
                if bases(part):
                    order.append(p)
                    at[(topic, ident, p)] = bases(part)[-1] + 1
                    ask[(topic, ident, p)] = at[(topic, ident, p)]
        equal(sorted(order[:6]), [0, 0, 1, 1, 2, 2], f"in turn: {order}")


# --- 3F ---

def brute_force(records, t):
    """The first record in offset order whose time is at or after t."""
    for r in records:
        if r.timestamp >= t:
            return r.offset, r.timestamp
    return -1, -1


def latest_time(records):
    best = max((r.timestamp for r in records), default=-1)
    return next(((r.offset, r.timestamp) for r in records if r.timestamp == best), (-1, -1))


def check_lookups(c, topic, versions=(1, 4, 7, 11)):
    records = c.read(topic)
    times = sorted({r.timestamp + d for r in records for d in (-1, 0, 1)} | {0, 1, 2 ** 62})
    for version in versions:
        for isolation in (0, 1):
            for t in times if version == 7 else times[::7]:
                got = c.list_offset(topic, 0, t, version, isolation)
                equal((got["error_code"], got["offset"], got["timestamp"]), (0,) + brute_force(records, t), f"{topic}: time {t} at version {version}")
        if version >= 7:
            got = c.list_offset(topic, 0, MAX_TIME, version)
            equal((got["offset"], got["timestamp"]), latest_time(records), f"{topic}: largest time")


def test_lookup_by_time_in_one_batch_of_every_codec():
    with client() as c:
        for codec in range(5):
            topic = c.create(f"time-{CODECS[codec]}")
            c.append(topic, 0, [b"%d" % i for i in range(20)], codec=codec, times=[1000 + i for i in range(1, 21)])
            for k in range(1, 21):
                got = c.list_offset(topic, 0, 1000 + k, 7)
                equal((got["offset"], got["timestamp"]), (k - 1, 1000 + k))
            topic = c.create(f"time-equal-{CODECS[codec]}")
            c.append(topic, 0, [b"x"] * 4, codec=codec, times=[100, 110, 110, 120])
            equal([c.list_offset(topic, 0, t, 7)["offset"] for t in (105, 110)], [1, 1])


def test_lookup_by_time_equals_a_search_by_hand():
    rng = random.Random(7)
    with client() as c:
        for kind in ("CreateTime", "LogAppendTime"):
            for codec in range(5):
                topic = c.create(f"search-{kind}-{CODECS[codec]}", configs={"message.timestamp.type": kind})
                for _ in range(12):
                    n = rng.randrange(1, 6)
                    c.append(topic, 0, [b"v"] * n, codec=codec, times=[10 ** 6 + rng.randrange(40) for _ in range(n)])
                check_lookups(c, topic)


def test_lookup_by_time_over_many_segments_and_restarts():
    rng = random.Random(8)
    with Broker({"log.segment.bytes": 14000, "log.index.interval.bytes": 1000}) as own:
        with client(own) as c:
            topic = c.create("segments")
            for i in range(60):
                n = rng.randrange(1, 5)
                c.append(topic, 0, [os.urandom(400)] * n, codec=rng.randrange(5), times=[10 ** 6 + i // 3 * 10 + rng.randrange(-15, 15) for _ in range(n)])
            check_lookups(c, topic, (7,))
        for how in ("kill", "stop"):
            own.restart(how)
            with client(own) as c:
                check_lookups(c, topic, (7,))
        with client(own) as c:
            middle = c.end(topic) // 2 + 1
            equal(c.delete_records(topic, 0, middle)["error_code"], 0)
            check_lookups(c, topic, (7,))


def test_special_times_of_list_offsets():
    with client() as c:
        topic = c.create("special")
        empty = c.create("special-empty")
        c.append(topic, 0, [b"x"] * 10, times=list(range(100, 110)))
        c.delete_records(topic, 0, 3)
        for version in range(1, 12):
            for t, since, want in [(LATEST, 0, 10), (EARLIEST, 0, 3), (MAX_TIME, 7, 9), (LOCAL, 8, 3), (TIERED, 9, -1), (PENDING, 11, None), (-7, 99, None), (-99, 99, None), (-2 ** 63, 99, None)]:
                got = c.list_offset(topic, 0, t, version)
                if version < since:
                    equal((got["error_code"], got["offset"]), (35, -1), f"{t} at version {version}")
                elif want is not None:
                    equal((got["error_code"], got["offset"]), (0, want), f"{t} at version {version}")
                    equal(got["timestamp"], 109 if t == MAX_TIME else -1)
            equal([c.list_offset(empty, 0, t, version)["offset"] for t in (LATEST, EARLIEST, 0)], [0, 0, -1])
            if version >= 7:
                got = c.list_offset(empty, 0, MAX_TIME, version)
                equal((got["error_code"], got["offset"], got["timestamp"]), (0, -1, -1))


def test_entries_of_list_offsets_do_not_touch_each_other():
    with client() as c:
        topic = c.create("entries", 3)
        c.append(topic, 0, [b"x"], time=5)
        answer = c.request("ListOffsets", 6, {"topics": [
            {"name": topic, "partitions": [{"partition_index": 0, "timestamp": 5}, {"partition_index": 1, "timestamp": -1}, {"partition_index": 1, "timestamp": -2},
                                           {"partition_index": 2, "timestamp": -3}, {"partition_index": 7, "timestamp": -1}]},
            {"name": "no-such", "partitions": [{"partition_index": 0, "timestamp": -1}]}]})
        equal([(t["name"], p["partition_index"], p["error_code"], p["offset"]) for t in answer["topics"] for p in t["partitions"]],
              [(topic, 0, 0, 0), (topic, 1, 42, -1), (topic, 1, 42, -1), (topic, 2, 35, -1), (topic, 7, 3, -1), ("no-such", 0, 3, -1)])


def test_delete_records_moves_the_start_for_good():
    with Broker({"log.segment.bytes": 14000}) as own:
        with client(own) as c:
            topic = c.create("cut", 2)
            for i in range(50):
                c.append(topic, 0, [os.urandom(500)] * 2)
            for version in (0, 1, 2):
                def cut(offset, p=0, name=topic):
                    got = c.request("DeleteRecords", version, {"timeout_ms": 5000, "topics": [{"name": name, "partitions": [{"partition_index": p, "offset": offset}]}]})
                    part = got["topics"][0]["partitions"][0]
                    return part["error_code"], part["low_watermark"]
                equal(cut(31 + version), (0, 31 + version))
                equal(cut(5), (0, 31 + version), "below the start: nothing to do")
                equal(cut(101)[0], 1)
                equal(cut(-2)[0], 1)
                equal(cut(0, 9)[0], 3)
                equal(cut(0, 0, "no-such")[0], 3)
            equal(c.start(topic), 33)
            equal(bases(c.fetch(topic, 0, 33))[0], 32)
            equal(c.fetch(topic, 0, 32)["error_code"], 1)
        for how in ("kill", "stop"):
            own.restart(how)
            with client(own) as c:
                equal((c.start(topic), c.end(topic)), (33, 100))
                equal(c.fetch(topic, 0, 32)["error_code"], 1)
                equal([r.offset for r in c.read(topic)], list(range(33, 100)))
        with client(own) as c:
            equal(c.delete_records(topic, 0, -1), {"partition_index": 0, "low_watermark": 100, "error_code": 0})
            equal((c.start(topic), c.end(topic)), (100, 100))
            equal(c.append(topic, 0, [b"next"]), 100)
        own.restart("kill")
        with client(own) as c:
            equal((c.start(topic), c.end(topic)), (100, 101))


def test_internal_topics_cannot_be_cut():
    with client() as c:
        c.request("FindCoordinator", 1, {"key": "g"})
        equal(c.delete_records("__consumer_offsets", 0, -1)["error_code"], 17)
        assert c.delete_records("__order", 0, -1)["error_code"] != 0


def test_retention_by_size_and_time_moves_the_start():
    with Broker({"log.segment.bytes": 14000, "log.retention.check.interval.ms": 50}) as own:
        with client(own) as c:
            size = c.create("by-size", configs={"retention.bytes": 30000})
            age = c.create("by-age", configs={"retention.ms": 400, "segment.ms": 100})
            for i in range(60):
                c.append(size, 0, [os.urandom(2000)])
            c.append(age, 0, [b"x" * 100])
            wait_for(lambda: c.start(size) > 30, 10, "the start to move by size")
            wait_for(lambda: c.start(age) == 1 or c.append(age, 0, [b"y"]) * 0 or c.start(age) > 0, 10, "the start to move by age")
            start = c.start(size)
            equal([r.offset for r in c.read(size, offset=start)], list(range(start, 60)))
            equal(c.fetch(size, 0, start - 1)["error_code"], 1)
        own.restart("kill")
        with client(own) as c:
            assert c.start(size) >= start, "the start went back"
            equal(c.append(size, 0, [b"z"]), 60)


def test_a_reader_slower_than_retention_gets_a_usable_start():
    with Broker({"log.segment.bytes": 14000, "log.retention.check.interval.ms": 20, "log.retention.bytes": 30000}) as own:
        with client(own) as c, client(own) as w:
            topic = c.create("slow")
            at, resets = 0, 0
            for i in range(150):
                w.append(topic, 0, [b"%05d" % i + os.urandom(1500)])
                if i % 40 == 39:
                    for _ in range(100):
                        got = c.fetch(topic, 0, at, part_bytes=4000)
                        if got["error_code"] == 1:
                            assert got["log_start_offset"] > at, "a start to go on from"
                            at, resets = got["log_start_offset"], resets + 1
                            continue
                        equal(got["error_code"], 0)
                        for r in records_of(got["records"]):
                            if r.offset >= at:
                                equal((r.offset, r.value[:5]), (at, b"%05d" % at))
                                at += 1
                        if at == got["high_watermark"]:
                            break
                    equal(at, w.end(topic))


def test_zstd_topics_need_fetch_10():
    with client() as c:
        topic = c.create("zstd-fetch", configs={"compression.type": "zstd"})
        c.append(topic, 0, [b"x"])
        for version in (4, 9):
            equal(c.fetch(topic, 0, 0, version=version)["error_code"], 76)
        equal(c.fetch(topic, 0, 0, version=10)["error_code"], 0)


def test_two_reads_of_an_offset_are_the_same_after_restarts():
    with Broker() as own:
        with client(own) as c:
            topic = c.create("same", 2)
            for i in range(20):
                c.append(topic, i % 2, [os.urandom(100)] * 3, codec=i % 5)
            want = [c.fetch(topic, p, 0)["records"] for p in range(2)]
        for how in ("kill", "stop", "kill"):
            own.restart(how)
            with client(own) as c:
                for p in range(2):
                    assert c.fetch(topic, p, 0)["records"] == want[p], f"other bytes after {how}"
                equal([c.end(topic, p) for p in range(2)], [30, 30])


if __name__ == "__main__":
    sys.exit(run_with_broker("fetch", globals()))
