#!/usr/bin/python3
"""Random work by one client against a model: topics come and go, batches of every kind are appended, logs cut, offsets committed, the broker is
stopped and killed in the middle of requests; all settings that make things rare are small. After each step some of what the broker says is held against
the model, after each restart all of it: every record, every offset by time, every position of `__order`.

    test_random.py SEED      one seed, and the steps it takes"""
import os
import random
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, Closed, batch, batches, now_ms, records_of
from broker_proc import Broker, is_sanitized
from check import equal, run

ORDER = "__order"
VERBOSE = len(sys.argv) > 1 and sys.argv[1].isdigit()


class Partition:
    def __init__(self, topic, index):
        self.topic, self.index, self.start, self.records = topic, index, 0, []
        self.sequences = {}  # producer id -> next sequence

    def left(self):
        return [r for r in self.records if r.offset >= self.start]


class World:
    """What must be true, and the client that makes it so."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.topics, self.order, self.committed, self.made, self.steps = {}, [], {}, 0, []
        pick = self.rng.choice
        segment = pick([5000, 14000, 1 << 20])
        self.large = min(segment // 2, 100000)
        self.broker = Broker({"braid.durability": pick(["fsync", "page-cache"]), "log.segment.bytes": segment,
                              "braid.journal.file.bytes": 1 << 20, "braid.ring.entries": pick([64, 65536]), "braid.files.max": pick([64, 8192]),
                              "log.index.interval.bytes": pick([0, 4096]), "log.retention.check.interval.ms": pick([20, 300000])})
        self.c = self.client()
        self.producers = [self.c.producer_id() for _ in range(3)]

    def client(self):
        c = Client(self.broker.port)
        while c.request("FindCoordinator", 1, {"key": "g"})["error_code"]:
            pass
        return c

    def say(self, *what):
        self.steps.append(what)
        if VERBOSE:
            print(*what)

    def some_partition(self):
        parts = [p for ps in self.topics.values() for p in ps]
        return self.rng.choice(parts) if parts else None

    # making batches

    def values(self):
        n = self.rng.choice([1, 1, 2, 5, 20])
        size = self.rng.choice([0, 10, 100, self.large if n == 1 else 50])
        return [self.rng.choice([None, b"", self.rng.randbytes(size), self.rng.randbytes(size)]) for _ in range(n)]

    def make(self, p):
        """(bytes, records without offsets, producer id or None) of a new batch."""
        rng, values = self.rng, self.values()
        base = now_ms() - rng.choice([0, 1000, 10 ** 9])
        times = [base + rng.randrange(100) for _ in values]
        keys = [rng.choice([None, b"k%d" % rng.randrange(9)]) for _ in values]
        headers = rng.choice([[], [("a", b"1"), ("b", None)]])
        producer, who = (-1, -1, -1), None
        if rng.random() < 0.4:
            who, epoch = rng.choice(self.producers)
            producer = (who, epoch, p.sequences.get(who, 0))
        data = batch(values, codec=rng.randrange(5), times=times, keys=keys, headers=headers, producer=producer)
        return data, [(t, k, v, headers) for t, k, v in zip(times, keys, values)], who

    def note(self, p, base, content, who):
        equal(base, len(p.records), f"base offset in {p.topic}-{p.index}")
        from rawkafka import Record
        for i, (t, k, v, h) in enumerate(content):
            r = Record(base + i, t, k, v, h)
            p.records.append(r)
            self.order.append((p, r))
        if who is not None:
            p.sequences[who] = p.sequences.get(who, 0) + len(content)

    # steps

    def do_create(self):
        if len(self.topics) >= 6:
            return
        name, parts = f"t{self.made % 9}", self.rng.choice([1, 1, 2, 5])
        if name in self.topics:
            return
        self.made += 1
        self.say("create", name, parts)
        self.c.create(name, parts)
        self.topics[name] = [Partition(name, i) for i in range(parts)]

    def do_delete(self):
        if len(self.topics) < 3 or self.rng.random() < 0.5:
            return
        name = self.rng.choice(sorted(self.topics))
        self.say("delete", name)
        equal(self.c.delete_topic(name), 0)
        gone = self.topics.pop(name)
        self.order = [(p, r) for p, r in self.order if p not in gone]
        self.committed = {k: v for k, v in self.committed.items() if k[0] != name}

    def do_append(self):
        """Several requests in flight."""
        asked = []
        for _ in range(self.rng.choice([1, 1, 5, 20])):
            p = self.some_partition()
            if not p or any(q is p for q, _, _, _ in asked):
                continue
            data, content, who = self.make(p)
            asked.append((p, self.c.send("Produce", 9, self.c.produce_fields(p.topic, p.index, data)), content, who))
        self.say("append", [(p.topic, p.index, len(c)) for p, _, c, _ in asked])
        for p, n, content, who in asked:
            got = self.c.receive(n)["topics"][0]["partitions"][0]
            equal(got["error_code"], 0)
            self.note(p, got["base_offset"], content, who)

    def do_resend(self):
        p = self.some_partition()
        if p and p.sequences:
            who = self.rng.choice(sorted(p.sequences))
            self.say("resend", p.topic, p.index)
            got = self.c.produce(p.topic, p.index, batch([b"x"], producer=(who, 0, p.sequences[who] + 1)))
            equal((got["error_code"], self.c.end(p.topic, p.index)), (45, len(p.records)), "a gap in the sequence")

    def do_cut(self):
        p = self.some_partition()
        if p and p.records:
            at = self.rng.choice([len(p.records), self.rng.randrange(len(p.records) + 1)])
            self.say("cut", p.topic, p.index, at)
            got = self.c.delete_records(p.topic, p.index, at)
            p.start = max(p.start, at)
            equal((got["error_code"], got["low_watermark"]), (0, p.start))

    def do_commit(self):
        p = self.some_partition()
        if p:
            key = (p.topic, p.index, f"g{self.rng.randrange(3)}")
            self.committed[key] = self.rng.randrange(1000)
            self.say("commit", key)
            got = self.c.request("OffsetCommit", 2, {"group_id": key[2], "topics": [{"name": p.topic, "partitions": [{"partition_index": p.index, "committed_offset": self.committed[key]}]}]})
            equal(got["topics"][0]["partitions"][0]["error_code"], 0)

    def do_read(self):
        p = self.some_partition()
        if p:
            self.check_partition(p, self.rng.choice([200, 5000, 1 << 20]))

    def do_read_order(self):
        self.check_order(self.rng.randrange(max(self.c.end(ORDER), 1)))

    def do_stop(self):
        self.say("stop")
        self.c.close()
        self.broker.restart("stop")
        self.c = self.client()
        self.check_all()

    def do_kill(self):
        """Dies with requests in flight: those acknowledged are there, of the others the first ones."""
        asked = []
        for _ in range(self.rng.choice([0, 1, 10, 40])):
            p = self.some_partition()
            if not p or any(q is p for q, _, _, _ in asked):
                continue
            data, content, who = self.make(p)
            asked.append((p, self.c.send("Produce", 9, self.c.produce_fields(p.topic, p.index, data)), content, who))
        acked = self.rng.randrange(len(asked) + 1)
        self.say("kill", len(asked), acked)
        for p, n, content, who in asked[:acked]:
            got = self.c.receive(n)["topics"][0]["partitions"][0]
            equal(got["error_code"], 0)
            self.note(p, got["base_offset"], content, who)
        self.broker.restart("kill")
        self.c.close()
        self.c = self.client()
        missing = False
        for p, _, content, who in asked[acked:]:
            end = self.c.end(p.topic, p.index)
            if end == len(p.records):
                missing = True
                continue
            equal(end, len(p.records) + len(content), f"{p.topic}-{p.index} has a part of a batch")
            assert not missing, "a later request survived an earlier one of the same connection"
            self.note(p, len(p.records), content, who)
        self.check_all()

    # what must be true

    def check_partition(self, p, part_bytes=1 << 20):
        name = f"{p.topic}-{p.index}"
        equal((self.c.start(p.topic, p.index), self.c.end(p.topic, p.index)), (p.start, len(p.records)), name)
        got = self.c.read(p.topic, p.index, part_bytes=part_bytes)
        equal([r.offset for r in got], [r.offset for r in p.left()], name)
        for a, b in zip(got, p.left()):
            equal(a, b, name)
        if p.records:
            t = self.rng.choice(p.records).timestamp + self.rng.choice([-1, 0, 1])
            want = next(((r.offset, r.timestamp) for r in p.left() if r.timestamp >= t), (-1, -1))
            found = self.c.list_offset(p.topic, p.index, t, 7)
            equal((found["offset"], found["timestamp"]), want, f"{name} at time {t}")
            best = max((r.timestamp for r in p.left()), default=-1)
            want = next(((r.offset, r.timestamp) for r in p.left() if r.timestamp == best), (-1, -1))
            found = self.c.list_offset(p.topic, p.index, -3, 7)
            equal((found["offset"], found["timestamp"]), want, f"{name}: the largest time")

    def check_order(self, at):
        """A reader from position `at`, starting over at the start when told, ends at the end and sees the records left, in the order of the appends."""
        end, begin, got = self.c.end(ORDER), at, []
        while at < end:
            answer = self.c.fetch(ORDER, 0, at, part_bytes=self.rng.choice([1, 3000, 1 << 20]))
            if answer["error_code"] == 1:
                assert answer["log_start_offset"] > at, f"error 1 at {at}, start {answer['log_start_offset']}, end {end}"
                at = answer["log_start_offset"]
                continue
            equal(answer["error_code"], 0)
            found = batches(answer["records"] or b"")
            assert found, f"stranded at {at} before {end}"
            got += [r for r in records_of(answer["records"]) if r.offset >= at]
            at = found[-1].base_offset + found[-1].last_offset_delta + 1
        left = [(p, r) for p, r in self.order if r.offset >= p.start]
        tail = left[len(left) - len(got):]
        equal(len(got) <= len(left), True)
        if begin == 0:
            equal(len(got), len(left), "records of the order")
        for g, (p, r) in zip(got, tail):
            topic, partition, offset = (v for _, v in g.headers[-3:])
            equal((topic.decode(), int(partition), int(offset)), (p.topic, p.index, r.offset), f"position {g.offset}")
            equal((g.timestamp, g.key, g.value, g.headers[:-3]), r[1:], f"position {g.offset}")
        positions = [g.offset for g in got]
        equal(positions, sorted(set(positions)), "positions rise")

    def check_all(self):
        listed = {t["name"]: len(t["partitions"]) for t in self.c.request("Metadata", 1, {"topics": None})["topics"] if not t["is_internal"]}
        equal(listed, {n: len(ps) for n, ps in self.topics.items()})
        for ps in self.topics.values():
            for p in ps:
                self.check_partition(p)
        self.check_order(0)
        for (topic, partition, group), offset in self.committed.items():
            got = self.c.request("OffsetFetch", 5, {"group_id": group, "topics": [{"name": topic, "partition_indexes": [partition]}]})
            equal(got["topics"][0]["partitions"][0]["committed_offset"], offset, f"{group} on {topic}-{partition}")

    def run(self, steps):
        doing = [self.do_create] * 3 + [self.do_append] * 20 + [self.do_delete, self.do_resend, self.do_cut, self.do_cut] + [self.do_commit, self.do_read, self.do_read_order] * 2 + \
                [self.do_stop, self.do_kill, self.do_kill]
        for _ in range(steps):
            self.rng.choice(doing)()
        self.do_kill()
        self.do_stop()


def one(seed, steps):
    world = World(seed)
    with world.broker:
        try:
            world.run(steps)
        except (AssertionError, Closed, OSError, ValueError) as error:
            for step in world.steps[-12:]:
                print("  ", *step)
            raise AssertionError(f"seed {seed}, step {len(world.steps)}: {error or type(error).__name__}") from error
        world.c.close()


def seeds(first, count, steps):
    def test():
        for seed in range(first, first + count):
            one(seed, steps // 4 if is_sanitized() else steps)
    test.deadline_s = 120
    return test


test_seeds_1_to_4 = seeds(1, 4, 150)
test_seeds_5_to_8 = seeds(5, 4, 150)

if __name__ == "__main__":
    if VERBOSE:
        one(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 150)
        print("good")
    else:
        sys.exit(run("random", globals()))
