#!/usr/bin/python3
"""The history test. Eight producers write to sixteen partitions, five requests in flight each, while the broker is killed and started
again three times. Afterwards everything acknowledged is held against what can be read:

  each acknowledged record is at its acknowledged offset, once (idempotent) or at least once, and at one position;
  if a was acknowledged before b was sent, the position of a is below that of b;
  `__order` and the partitions agree record by record; no end that anyone saw ever went back."""
import os
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, Closed
from broker_proc import Broker, is_sanitized
from check import Skip, equal, run, wait_for

PRODUCERS, TOPICS, PARTITIONS, KILLS = 8, ("h0", "h1"), 8, 3
ROUND_S = 1.6          # of load before and after each kill
PER_SECOND = 250       # records of one producer


class Sent:
    __slots__ = ("value", "topic", "partition", "sent", "acked", "offset", "error")

    def __init__(self, value, topic, partition):
        self.value, self.topic, self.partition = value, topic, partition
        self.sent, self.acked, self.offset, self.error = time.monotonic(), None, None, None


class Producer(threading.Thread):
    """Sends records as fast as told and notes when each was sent and acknowledged."""

    def __init__(self, number, address, idempotent, stop):
        super().__init__(daemon=True)
        import confluent_kafka
        self.number, self.stop = number, stop
        self.log, self.failure = [], None
        self.producer = confluent_kafka.Producer({
            "bootstrap.servers": address, "enable.idempotence": idempotent, "acks": "all", "max.in.flight.requests.per.connection": 5, "linger.ms": 2,
            "batch.num.messages": 20, "message.timeout.ms": 40000, "retry.backoff.ms": 50, "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200,
            "socket.timeout.ms": 10000, "log_level": 2, "compression.type": ("none", "lz4", "zstd", "snappy")[number % 4]})

    def run(self):
        try:
            began, i = time.monotonic(), 0
            while not self.stop.is_set():
                if i > (time.monotonic() - began) * PER_SECOND or len(self.producer) > 500:
                    self.producer.poll(0.005)
                    continue
                one = Sent(b"%d-%d" % (self.number, i), TOPICS[i % 2], (i // 2 + self.number) % PARTITIONS)
                self.log.append(one)
                self.producer.produce(one.topic, one.value, partition=one.partition, on_delivery=lambda e, m, s=one: self.delivered(s, e, m))
                self.producer.poll(0)
                i += 1
            left = self.producer.flush(45)
            if left:
                self.failure = f"{left} records were neither acknowledged nor refused"
        except Exception as error:  # noqa: a thread has nobody above it
            self.failure = repr(error)

    @staticmethod
    def delivered(one, error, message):
        one.acked = time.monotonic()
        if error:
            one.error = str(error)
        else:
            one.offset = message.offset()


class Watcher(threading.Thread):
    """Asks for the ends all the time, through kills, and keeps the largest seen: none may ever be smaller again."""

    def __init__(self, own, stop):
        super().__init__(daemon=True)
        self.own, self.stop, self.ends, self.asked, self.failure = own, stop, {}, 0, None

    def run(self):
        where = [(t, p) for t in TOPICS for p in range(PARTITIONS)] + [("__order", 0)]
        while not self.stop.is_set():
            try:
                with Client(self.own.port, timeout=5) as c:
                    while not self.stop.is_set():
                        for topic, p in where:
                            end = c.end(topic, p)
                            if end < self.ends.get((topic, p), 0):
                                self.failure = f"the end of {topic}-{p} went from {self.ends[(topic, p)]} back to {end}"
                                return
                            self.ends[(topic, p)] = end
                            self.asked += 1
                        time.sleep(0.01)
            except (OSError, Closed):
                time.sleep(0.02)  # it is being killed
            except AssertionError as error:
                self.failure = str(error)
                return


def record_history(own, idempotent):
    stop, halt = threading.Event(), threading.Event()
    watcher = Watcher(own, halt)
    producers = [Producer(n, own.address, idempotent, stop) for n in range(PRODUCERS)]
    for t in producers + [watcher]:
        t.start()
    for _ in range(KILLS):
        acked = sum(1 for p in producers for s in p.log if s.offset is not None)
        time.sleep(ROUND_S)  # load, not a wait for something
        wait_for(lambda: sum(1 for p in producers for s in p.log if s.offset is not None) > acked + 200, 30, "acknowledgements to come again")
        own.restart("kill")
    time.sleep(ROUND_S)
    stop.set()
    for p in producers:
        p.join(50)
        assert not p.is_alive(), "a producer hangs"
        equal(p.failure, None)
    halt.set()
    watcher.join(10)
    equal(watcher.failure, None)
    assert watcher.asked > 100, "the watcher saw nothing"
    return [s for p in producers for s in p.log], watcher.ends


def check_history(own, history, ends, idempotent):
    refused = [s for s in history if s.error]
    equal([s.error for s in refused[:3]], [], f"{len(refused)} of {len(history)} records were refused")
    with Client(own.port) as c:
        stored = {(t, p): c.read(t, p) for t in TOPICS for p in range(PARTITIONS)}
        for (topic, p), end in ends.items():
            assert c.end(topic, p) >= end, f"the end of {topic}-{p} was {end} once"
        order = c.read("__order")
    # the partitions
    copies = {}
    for where, records in stored.items():
        equal([r.offset for r in records], list(range(len(records))), f"{where}: offsets are dense")
        for r in records:
            copies.setdefault(r.value, []).append((where, r.offset))
    for s in history:
        at = copies.get(s.value, [])
        assert ((s.topic, s.partition), s.offset) in at, f"{s.value} was acknowledged at {s.topic}-{s.partition} {s.offset}, is at {at}"
        if idempotent:
            equal(len(at), 1, f"copies of {s.value}")
    known = {s.value for s in history}
    equal([v for v in copies if v not in known], [], "records nobody sent")
    # the order against the partitions
    position, by_partition = {}, {}
    for r in order:
        topic, p, offset = (v for _, v in r.headers[-3:])
        where = (topic.decode(), int(p))
        assert (where, int(offset)) not in position, f"{where} {offset} has two positions"
        position[(where, int(offset))] = r.offset
        by_partition.setdefault(where, []).append(r)
    for where, records in stored.items():
        ordered = by_partition.get(where, [])
        equal([r.value for r in ordered] == [r.value for r in records], True, f"{where}: the order and the partition disagree")
        equal([int(r.headers[-1][1]) for r in ordered] == [r.offset for r in records], True, f"{where}: offsets in the order")
    equal([r.offset for r in order] == sorted({r.offset for r in order}), True, "positions rise")
    # cause and effect: no record has one behind it that was acknowledged before it was sent
    history = sorted(history, key=lambda s: -position[((s.topic, s.partition), s.offset)])
    earliest, who = float("inf"), None
    for b in history:
        assert earliest >= b.sent, f"{who.value} was acknowledged {b.sent - earliest:.3f} s before {b.value} was sent, yet has the higher position"
        if b.acked < earliest:
            earliest, who = b.acked, b
    return len(history)


def history(durability, idempotent):
    try:
        import confluent_kafka  # noqa: F401
    except ImportError:
        raise Skip("python3-confluent-kafka is not installed")
    with Broker({"braid.durability": durability, "log.segment.bytes": 200000}, restarts=True) as own:
        with Client(own.port) as c:
            for t in TOPICS:
                c.create(t, PARTITIONS)
        sent, ends = record_history(own, idempotent)
        count = check_history(own, sent, ends, idempotent)
        assert count > (500 if is_sanitized() else 2000), f"{count} records are no load"
        own.restart("stop")
        check_history(own, sent, ends, idempotent)


def test_idempotent_producers_to_stable_storage():
    history("fsync", True)


def test_idempotent_producers_to_the_page_cache():
    history("page-cache", True)


def test_plain_producers_at_least_once():
    history("fsync", False)


for _test in (test_idempotent_producers_to_stable_storage, test_idempotent_producers_to_the_page_cache, test_plain_producers_at_least_once):
    _test.deadline_s = 120

if __name__ == "__main__":
    sys.exit(run("history", globals()))
