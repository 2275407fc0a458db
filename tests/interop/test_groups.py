#!/usr/bin/python3
"""Classic groups: the state machine by raw requests, committed offsets at every version and across restarts, and consumers of librdkafka
and python3-kafka that come and go under load."""
import os
import struct
import sys
import threading
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import Client, batches, decode
from broker_proc import Broker, is_sanitized, run_with_broker
from check import Skip, equal, wait_for

broker = None
# Short sessions, so that expiry can be seen; a join of an empty group is answered at once.
SETTINGS = {"group.min.session.timeout.ms": 200, "group.initial.rebalance.delay.ms": 0}


class GroupBroker(Broker):
    """Ready for groups: FindCoordinator, which every client asks first, makes __consumer_offsets."""

    def start(self):
        super().start()
        with Client(self.port) as c:
            wait_for(lambda: c.request("FindCoordinator", 1, {"key": "g"})["error_code"] == 0, 10, "a coordinator")
        return self


def client(of=None):
    return Client((of or broker).port)


class Member:
    """One member with its own connection."""

    def __init__(self, group, of=None, instance=None, version=5, protocols=(("range", b"meta"),), kind="consumer", session=10000, rebalance=10000):
        self.group, self.instance, self.version, self.protocols, self.kind = group, instance, version, protocols, kind
        self.session, self.rebalance = session, rebalance
        self.id, self.generation, self.leader, self.members = "", -1, None, []
        self.c = Client((of or broker).port, client_id="member")

    def ask_join(self):
        self.asked = self.c.send("JoinGroup", self.version, {
            "group_id": self.group, "session_timeout_ms": self.session, "rebalance_timeout_ms": self.rebalance, "member_id": self.id,
            "group_instance_id": self.instance, "protocol_type": self.kind, "protocols": [{"name": n, "metadata": m} for n, m in self.protocols]})
        return self

    def joined(self):
        """Receives the answer to ask_join; the error."""
        got = self.c.receive(self.asked)
        self.answer = got
        if got["member_id"]:
            self.id = got["member_id"]
        if got["error_code"] == 0:
            self.generation, self.leader, self.protocol = got["generation_id"], got["leader"], got["protocol_name"]
            self.members = got["members"]
        return got["error_code"]

    def get_id(self):
        """The first half of joining from version 4 on."""
        if not self.id and not self.instance and self.version >= 4:
            equal(self.ask_join().joined(), 79)
            assert self.id
        return self

    def join(self):
        self.get_id()
        equal(self.ask_join().joined(), 0, "join")
        return self

    def is_leader(self):
        return self.leader == self.id

    def ask_sync(self, assignments=None, **more):
        fields = {"group_id": self.group, "generation_id": self.generation, "member_id": self.id, "group_instance_id": self.instance,
                  "assignments": [{"member_id": m, "assignment": a} for m, a in (assignments or {}).items()]}
        fields.update(more)
        self.asked = self.c.send("SyncGroup", 5 if more else 3, fields)
        return self

    def synced(self):
        got = self.c.receive(self.asked)
        return got["error_code"], got["assignment"]

    def sync(self, assignments=None):
        return self.ask_sync(assignments).synced()

    def heartbeat(self, generation=None):
        return self.c.request("Heartbeat", 3, {"group_id": self.group, "generation_id": self.generation if generation is None else generation,
                                               "member_id": self.id, "group_instance_id": self.instance})["error_code"]

    def leave(self):
        got = self.c.request("LeaveGroup", 3, {"group_id": self.group, "members": [{"member_id": self.id, "group_instance_id": self.instance}]})
        return got["error_code"], [m["error_code"] for m in got["members"]]

    def commit(self, topic, offset, partition=0, generation=None, version=7, metadata=None):
        got = self.c.request("OffsetCommit", version, {"group_id": self.group, "generation_id_or_member_epoch": self.generation if generation is None else generation,
                                                       "member_id": self.id, "group_instance_id": self.instance, "topics": [{"name": topic, "partitions": [
                                                           {"partition_index": partition, "committed_offset": offset, "committed_metadata": metadata}]}]})
        return got["topics"][0]["partitions"][0]["error_code"]


def group_of(name, count, of=None, **how):
    """A stable group; the leader gave each member b"for <n>"."""
    members = [Member(name, of, **how).get_id() for _ in range(count)]
    rejoin(members)
    settle(members)
    return members


def rejoin(members):
    """All join, and again when told to, until one generation holds them all."""
    waiting = {m.ask_join() for m in members}

    def step():
        for m in members:
            if m in waiting and m.c.has_answer():
                equal(m.joined(), 0)
                waiting.remove(m)
            elif m not in waiting and m.heartbeat() == 27:
                waiting.add(m.ask_join())
        return not waiting and len({m.generation for m in members}) == 1 and any(len(m.members) == len(members) for m in members)
    wait_for(step, 10, "one generation of all")


def settle(members):
    leader = [m for m in members if m.is_leader()][0]
    for m in members:
        m.ask_sync({x.id: b"for %d" % i for i, x in enumerate(members)} if m is leader else None)
    for i, m in enumerate(members):
        equal(m.synced(), (0, b"for %d" % i))


def commit(c, group, topic, offset, partition=0, version=2, **more):
    got = c.request("OffsetCommit", version, {"group_id": group, "topics": [{"name": topic, "topic_id": more.pop("topic_id", bytes(16)), "partitions": [
        dict({"partition_index": partition, "committed_offset": offset}, **more)]}]})
    return got["topics"][0]["partitions"][0]["error_code"]


def fetch_offset(c, group, topic, partition=0, version=7):
    """(error, offset, metadata) of one partition, wherever the version puts the error."""
    if version >= 8:
        ident = c.topic_id(topic) if version >= 10 else bytes(16)
        got = c.request("OffsetFetch", version, {"groups": [{"group_id": group, "topics": [{"name": topic, "topic_id": ident, "partition_indexes": [partition]}]}]})["groups"][0]
    else:
        got = c.request("OffsetFetch", version, {"group_id": group, "topics": [{"name": topic, "partition_indexes": [partition]}]})
    equal(len(got["topics"]), 1)
    part = got["topics"][0]["partitions"][0]
    equal(part["partition_index"], partition)
    return part["error_code"] or got["error_code"], part["committed_offset"], part["metadata"]


# --- finding the coordinator ---

def test_the_coordinator_is_found_at_every_version():
    with client() as c:
        node = c.request("Metadata", 1, {"topics": []})["brokers"][0]
        want = (0, node["node_id"], node["host"], node["port"])
        for version in range(7):
            got = c.request("FindCoordinator", version, {"key": "g", "coordinator_keys": ["g", "h", "h"]})
            for a in got["coordinators"] if version >= 4 else [got]:
                equal((a["error_code"], a["node_id"], a["host"], a["port"]), want, f"version {version}")
            if version >= 4:
                equal([a["key"] for a in got["coordinators"]], ["g", "h", "h"])
        for version in (1, 6):
            for kind in (2, 3, -1):
                got = c.request("FindCoordinator", version, {"key": "g", "key_type": kind, "coordinator_keys": ["g"]})
                equal((got["coordinators"][0] if version >= 4 else got)["error_code"], 42, f"type {kind}")


def test_group_records_lie_where_tools_look_for_them():
    def java_hash(text):
        h = 0
        for b in text.encode("utf-16-be")[1::2]:
            h = h * 31 + b & 0xffffffff
        return h & 0x7fffffff

    def string(data):
        n = struct.unpack(">h", data[:2])[0]
        return data[2:2 + n], data[2 + n:]
    with client() as c:
        c.create("tools")
        c.request("FindCoordinator", 1, {"key": "g"})
        for group in ("tools", "a", "some-longer-group.name_1"):
            equal(commit(c, group, "tools", 42, committed_metadata="meta"), 0)
            found = [r for r in c.read("__consumer_offsets", java_hash(group) % 50) if r.key[2:4 + len(group)] == struct.pack(">h", len(group)) + group.encode()]
            key = found[-1].key
            equal(struct.unpack(">h", key[:2])[0], 1)
            equal(decode("OffsetCommitKey", 1, key[2:]), {"group": group, "topic": "tools", "partition": 0})
            version = struct.unpack(">h", found[-1].value[:2])[0]
            value = decode("OffsetCommitValue", version, found[-1].value[2:])
            equal((value["offset"], value["metadata"]), (42, "meta"))
        m = group_of("tools-member", 1)[0]
        found = [r for r in c.read("__consumer_offsets", java_hash("tools-member") % 50) if r.key[:2] == b"\0\2"]
        version = struct.unpack(">h", found[-1].value[:2])[0]
        value = decode("GroupMetadataValue", version, found[-1].value[2:])
        equal((value["protocol_type"], value["generation"], value["protocol"], value["leader"]), ("consumer", m.generation, "range", m.id))
        equal([(x["member_id"], x["client_id"], x["subscription"], x["assignment"]) for x in value["members"]], [(m.id, "member", b"meta", b"for 0")])


# --- joining ---

def test_every_version_joins_syncs_beats_and_leaves():
    with client() as c:
        for version in range(10):
            m = Member(f"v{version}", version=version).join()
            equal((m.is_leader(), [x["member_id"] for x in m.members], m.protocol, m.generation), (True, [m.id], "range", 1))
            if version >= 7:
                equal(m.answer["protocol_type"], "consumer")
            v = min(version, 5)
            got = m.c.request("SyncGroup", v, {"group_id": m.group, "generation_id": 1, "member_id": m.id, "protocol_type": "consumer", "protocol_name": "range",
                                               "assignments": [{"member_id": m.id, "assignment": b"A"}]})
            equal((got["error_code"], got["assignment"]), (0, b"A"))
            equal(m.c.request("Heartbeat", min(version, 4), {"group_id": m.group, "generation_id": 1, "member_id": m.id})["error_code"], 0)
            got = m.c.request("LeaveGroup", v, {"group_id": m.group, "member_id": m.id, "members": [{"member_id": m.id}]})
            equal(got["error_code"], 0)
            equal(m.heartbeat(), 25)


def test_member_ids_are_given_out_first_from_version_4_on():
    m = Member("ids", session=300, rebalance=300)
    equal(m.ask_join().joined(), 79)
    assert m.id.startswith("member-"), m.id
    first = m.id
    other = Member("ids-other").get_id()
    assert other.id != first
    deadline = time.monotonic() + 10
    while m.ask_join().joined() == 0:  # it is still good: give it back and let a fresh one grow old
        m.leave()
        m = Member("ids", session=300, rebalance=300).get_id()
        time.sleep(0.8)  # past its session
        assert time.monotonic() < deadline, "ids that were never used do not expire"
    unknown = Member("ids")
    unknown.id = "member-never-given"
    equal(unknown.ask_join().joined(), 25)


def test_bad_joins_are_refused_and_change_nothing():
    m = group_of("bad", 1)[0]
    for what, how, error in [("an empty group", {"group": ""}, 24), ("a short session", {"session": 100}, 26), ("a long session", {"session": 1800001}, 26),
                             ("another protocol type", {"kind": "connect"}, 23), ("no common protocol", {"protocols": (("other", b""),)}, 23),
                             ("no protocol", {"protocols": ()}, 23), ("a NUL in the group", {"group": "bad\0x"}, 24),
                             ("a NUL in a protocol", {"protocols": (("range", b""), ("r\0s", b""))}, 42), ("a NUL in the type", {"kind": "consumer\0"}, 42)]:
        bad = Member(how.pop("group", "bad"), version=3, **how)
        equal(bad.ask_join().joined(), error, what)
    equal(m.heartbeat(), 0, "the member did not notice")
    fresh = Member("bad-fresh", version=3, protocols=())
    equal(fresh.ask_join().joined(), 23)
    fresh = Member("bad-fresh", version=3, kind="")
    equal(fresh.ask_join().joined(), 23)


def test_all_members_of_a_generation_are_answered_together():
    a = group_of("together", 1)[0]
    equal(a.generation, 1)
    b = Member("together").get_id().ask_join()
    wait_for(lambda: a.heartbeat() == 27, 5, "the rebalance to begin")
    assert not b.c.has_answer(0.05), "answered before the other member joined"
    a.ask_join()
    equal((a.joined(), b.joined()), (0, 0))
    equal((a.generation, b.generation), (2, 2))
    equal(sorted(x["member_id"] for x in (a.members or b.members)), sorted([a.id, b.id]))
    equal(len(a.members) * len(b.members), 0, "only the leader gets the members")
    equal(a.leader, b.leader)
    settle([a, b])


def test_the_protocol_is_one_that_all_support_by_votes():
    members = [Member("votes", protocols=p).get_id() for p in ((("x", b"1x"), ("y", b"1y"), ("z", b"1z")), (("y", b"2y"), ("z", b"2z")), (("z", b"3z"), ("y", b"3y")))]
    rejoin(members)
    equal({m.protocol for m in members}, {"y"})
    leader = [m for m in members if m.is_leader()][0]
    equal({x["metadata"] for x in leader.members}, {b"1y", b"2y", b"3y"})


def test_protocol_types_and_bytes_are_opaque():
    for kind, meta in (("connect", os.urandom(300)), ("sr", b""), ("own", b"\xff" * 10)):
        m = Member(f"opaque-{kind}", kind=kind, protocols=(("p", meta),)).join()
        equal(m.members[0]["metadata"], meta)
        equal(m.sync({m.id: meta * 2}), (0, meta * 2))


def test_heartbeats_tell_the_state():
    a, b = group_of("beats", 2)
    equal((a.heartbeat(), a.heartbeat(a.generation + 1), a.heartbeat(a.generation - 1)), (0, 22, 22))
    stranger = Member("beats")
    stranger.id, stranger.generation = "nobody", a.generation
    equal((stranger.heartbeat(), stranger.commit("t", 1), stranger.sync()[0]), (25, 25, 25))
    nowhere = Member("no-such-group")
    nowhere.id = "x"
    equal(nowhere.heartbeat(1), 25)
    a.ask_join()
    if b.heartbeat() == 0:  # a was no leader, with the same metadata: nothing happens
        equal(a.joined(), 0)
        equal(a.generation, b.generation)
        b, a = a, b
        a.ask_join()
    wait_for(lambda: b.heartbeat() == 27, 5, "the leader's join to begin a rebalance")
    equal(b.sync()[0], 27)
    b.ask_join()
    equal((a.joined(), b.joined()), (0, 0))
    leader, other = (a, b) if a.is_leader() else (b, a)
    equal(other.heartbeat(), 0, "completing")
    equal(other.commit("t", 1), 27, "completing")
    settle([a, b])


def test_a_follower_that_repeats_its_join_gets_the_generation():
    members = group_of("follower", 3)
    follower = [m for m in members if not m.is_leader()][0]
    before = follower.generation
    equal(follower.ask_join().joined(), 0)
    equal((follower.generation, follower.members), (before, []))
    equal([m.heartbeat() for m in members], [0, 0, 0])
    follower.protocols = (("range", b"other"),)
    follower.ask_join()
    wait_for(lambda: all(m.heartbeat() == 27 for m in members if m is not follower), 5, "new metadata to begin a rebalance")


def test_sync_waits_for_the_leader_and_fills_gaps_with_nothing():
    members = [Member("sync").get_id() for _ in range(3)]
    rejoin(members)
    leader = [m for m in members if m.is_leader()][0]
    others = [m for m in members if m is not leader]
    others[0].ask_sync()
    assert not others[0].c.has_answer(0.05)
    leader.ask_sync({others[0].id: b"one", leader.id: b"lead"})
    equal((others[0].synced(), leader.synced()), ((0, b"one"), (0, b"lead")))
    equal(others[1].sync(), (0, b""), "not named by the leader")
    equal(others[0].sync(), (0, b"one"), "again, when stable")
    for what, more in (("another type", {"protocol_type": "connect", "protocol_name": "range"}), ("another name", {"protocol_type": "consumer", "protocol_name": "sticky"})):
        equal(others[0].ask_sync(None, **more).synced()[0], 23, what)
    equal(others[0].ask_sync(None, protocol_type="consumer", protocol_name="range").synced(), (0, b"one"))
    others[0].generation += 1
    equal(others[0].sync()[0], 22)


def test_leaving_begins_a_rebalance_at_once():
    a, b, d = group_of("leaving", 3)
    equal(b.leave(), (0, [0]))
    equal(b.leave(), (0, [25]))
    equal((a.heartbeat(), d.heartbeat(), b.heartbeat()), (27, 27, 25))
    rejoin([a, d])
    settle([a, d])
    got = a.c.request("LeaveGroup", 4, {"group_id": "leaving", "members": [{"member_id": a.id}, {"member_id": "x"}, {"member_id": d.id}]})
    equal((got["error_code"], [m["error_code"] for m in got["members"]]), (0, [0, 25, 0]))
    equal(a.c.request("LeaveGroup", 1, {"group_id": "leaving", "member_id": "x"})["error_code"], 25)


def test_members_that_fall_silent_are_removed():
    a, b = group_of("silent", 2, session=400, rebalance=400)
    deadline = time.monotonic() + 10
    while a.heartbeat() == 0:
        assert time.monotonic() < deadline, "the silent one stays"
        time.sleep(0.05)
    equal(a.ask_join().joined(), 0)
    equal([x["member_id"] for x in a.members], [a.id])
    equal(b.heartbeat(), 25)


def test_members_that_do_not_rejoin_in_time_are_removed():
    a, b = group_of("late", 2, session=10000, rebalance=500)
    began = time.monotonic()
    newcomer = Member("late", rebalance=500).get_id().ask_join()
    wait_for(lambda: a.heartbeat() == 27, 5, "the rebalance")
    a.ask_join()
    equal((a.joined(), newcomer.joined()), (0, 0))
    assert time.monotonic() - began < 8
    equal(a.generation, newcomer.generation)
    equal(b.heartbeat(), 25, "b did not come")


def test_members_that_join_but_do_not_sync_are_removed():
    members = [Member("nosync", session=10000, rebalance=500).get_id() for _ in range(2)]
    rejoin(members)
    follower = [m for m in members if not m.is_leader()][0]
    follower.ask_sync()
    equal(follower.synced()[0], 27, "the leader never synced: join again")
    equal(follower.ask_join().joined(), 0)
    equal([x["member_id"] for x in follower.members], [follower.id])


def test_heartbeats_during_a_slow_rebalance_keep_members():
    a, b, d = group_of("slow", 3, session=600, rebalance=10000)
    first = a.generation
    newcomer = Member("slow", session=10000).get_id().ask_join()
    wait_for(lambda: a.heartbeat() == 27, 5, "the rebalance")
    end = time.monotonic() + 1.5  # well past a session
    while time.monotonic() < end:
        equal((a.heartbeat(), b.heartbeat(), d.heartbeat()), (27, 27, 27))
        time.sleep(0.1)
    for m in (a, b, d):
        m.ask_join()
    equal([m.joined() for m in (a, b, d, newcomer)], [0] * 4)
    equal({m.generation for m in (a, b, d, newcomer)}, {first + 1}, "one generation only")
    leader = [m for m in (a, b, d, newcomer) if m.is_leader()][0]
    others = [m for m in (a, b, d, newcomer) if m is not leader]
    end = time.monotonic() + 1.2
    while time.monotonic() < end:  # a slow leader
        equal([m.heartbeat() for m in others], [0] * 3)
        leader.heartbeat()
        time.sleep(0.1)
    settle([a, b, d, newcomer])


def test_members_whose_sockets_die_during_a_join_go_by_their_time():
    members = group_of("dying", 3, session=500, rebalance=500)
    newcomer = Member("dying", session=10000, rebalance=500).get_id().ask_join()
    wait_for(lambda: members[0].heartbeat() == 27, 5, "the rebalance")
    for m in members[:2]:
        m.ask_join()
        m.c.close()
    members[2].c.close()
    equal(newcomer.joined(), 0)
    deadline = time.monotonic() + 15
    while len(newcomer.members) != 1:  # those who had joined go by their sessions
        assert time.monotonic() < deadline, newcomer.members
        if newcomer.is_leader():
            newcomer.sync({newcomer.id: b"all"})
        if newcomer.heartbeat() in (27, 22) or not newcomer.is_leader():
            equal(newcomer.ask_join().joined(), 0)
        time.sleep(0.05)
    equal(newcomer.sync({newcomer.id: b"all"}), (0, b"all"))
    newcomer.c.close()


def test_a_group_is_limited_in_size():
    with GroupBroker(dict(SETTINGS, **{"group.max.size": 2})) as own:
        members = group_of("small", 2, own)
        third = Member("small", own, version=3)
        equal(third.ask_join().joined(), 81)
        equal([m.heartbeat() for m in members], [0, 0])


def test_the_first_join_waits_for_others():
    with GroupBroker({"group.min.session.timeout.ms": 200, "group.initial.rebalance.delay.ms": 700}) as own:
        began = time.monotonic()
        a = Member("delay", own).get_id().ask_join()
        time.sleep(0.3)  # comes a while later, within the delay
        b = Member("delay", own).get_id().ask_join()
        equal((a.joined(), b.joined()), (0, 0))
        took = time.monotonic() - began
        equal((a.generation, b.generation), (1, 1))
        assert 0.65 < took < 5, f"{took:.2f} s"


# --- static members ---

def test_a_static_member_comes_back_without_a_rebalance():
    for version in (5, 9):
        name = f"static-{version}"
        a = Member(name, instance="one", version=version).join()
        b = Member(name, instance="two", version=version).ask_join()
        wait_for(lambda: a.heartbeat() == 27, 5, "the rebalance")
        rejoin_static = [a, b]
        a.ask_join()
        equal((a.joined(), b.joined()), (0, 0))
        settle(rejoin_static)
        generation = a.generation
        again = Member(name, instance="two", version=version)
        equal(again.ask_join().joined(), 0)
        assert again.id != b.id
        equal((again.generation, a.heartbeat()), (generation, 0), "no rebalance")
        equal(again.sync(), (0, b"for 1"), "the assignment stays")
        equal((b.heartbeat(), b.commit("t", 1), b.sync()[0], b.ask_join().joined()), (82, 82, 82, 82), "the old id is fenced")
        equal(again.heartbeat(), 0)
        # the client repeats its own join: never fenced by itself
        equal(again.ask_join().joined(), 0)
        equal(again.heartbeat(), 0)
        leader = Member(name, instance="one", version=version)
        equal(leader.ask_join().joined(), 0)
        if version >= 9 and leader.generation == generation:
            equal(leader.answer["skip_assignment"], True)
            equal(len(leader.members), 2)


def test_a_static_member_whose_answer_was_lost_comes_back():
    lost = Member("lost", instance="i1")
    lost.ask_join()
    wait_for(lost.c.has_answer, 5, "an answer")
    lost.c.close()
    back = Member("lost", instance="i1").join()
    equal(back.sync({back.id: b"x"}), (0, b"x"))
    equal(back.heartbeat(), 0)


def test_a_static_member_survives_a_restart():
    with GroupBroker(SETTINGS) as own:
        a = Member("st", own, instance="i", session=30000).join()
        equal(a.sync({a.id: b"mine"}), (0, b"mine"))
        for how in ("kill", "stop"):
            own.restart(how)
            a.c = client(own)
            equal(a.heartbeat(), 0, f"known after {how}")
            equal(a.sync(), (0, b"mine"))
            b = Member("st", own, instance="i", session=30000)
            equal(b.ask_join().joined(), 0)
            equal((b.generation, a.heartbeat()), (a.generation, 82))
            equal(b.sync(), (0, b"mine"))
            a = b


def test_leaving_as_a_static_member_is_by_instance():
    a = Member("st-leave", instance="i").join()
    a.sync({a.id: b"x"})
    got = a.c.request("LeaveGroup", 3, {"group_id": "st-leave", "members": [{"member_id": "", "group_instance_id": "i"}, {"member_id": "", "group_instance_id": "no"}]})
    equal([m["error_code"] for m in got["members"]], [0, 25])
    equal(a.heartbeat() in (25, 82), True)


# --- offsets ---

def test_commits_come_back_at_every_pair_of_versions():
    with client() as c:
        topic = c.create("pairs", 2)
        ident = c.topic_id(topic)
        offset = 0
        for write in range(2, 11):
            for read in range(1, 11):
                offset += 1
                equal(commit(c, "pairs", topic, offset, 0, write, topic_id=ident, committed_metadata=f"m{offset}", committed_leader_epoch=7), 0, f"commit {write}")
                equal(fetch_offset(c, "pairs", topic, 0, read), (0, offset, f"m{offset}"), f"commit {write}, fetch {read}")
                equal(fetch_offset(c, "pairs", topic, 1, read), (0, -1, ""), "never committed")
                equal(fetch_offset(c, "pairs-unknown", topic, 0, read), (0, -1, ""), "a group nobody knows")
        equal(commit(c, "pairs", topic, 5, 0, 6, committed_leader_epoch=3), 0)
        got = c.request("OffsetFetch", 5, {"group_id": "pairs", "topics": [{"name": topic, "partition_indexes": [0]}]})
        equal(got["topics"][0]["partitions"][0]["committed_leader_epoch"], 3)


def test_all_offsets_and_many_groups_in_one_request():
    with client() as c:
        topics = [c.create(f"all-{i}", 2) for i in range(2)]
        for g in ("all-g1", "all-g2"):
            for i, t in enumerate(topics):
                equal(commit(c, g, t, 10 + i, i), 0)
        for version in range(2, 8):
            got = c.request("OffsetFetch", version, {"group_id": "all-g1", "topics": None})
            equal(sorted((t["name"], p["partition_index"], p["committed_offset"]) for t in got["topics"] for p in t["partitions"]),
                  [("all-0", 0, 10), ("all-1", 1, 11)], f"version {version}")
            equal(c.request("OffsetFetch", version, {"group_id": "all-none", "topics": None})["topics"], [])
            equal(c.request("OffsetFetch", version, {"group_id": "all-g1", "topics": []})["topics"], [])
        for version in (8, 9, 10):
            got = c.request("OffsetFetch", version, {"groups": [{"group_id": g, "topics": None} for g in ("all-g1", "all-none", "all-g2")]})["groups"]
            equal([(g["group_id"], g["error_code"], sum(len(t["partitions"]) for t in g["topics"])) for g in got], [("all-g1", 0, 2), ("all-none", 0, 0), ("all-g2", 0, 2)])
            if version >= 10:
                equal(sorted(t["topic_id"] for t in got[0]["topics"]), sorted(c.topic_id(t) for t in topics))


def test_commits_check_who_commits():
    with client() as c:
        c.create("who")
        m = group_of("who", 1)[0]
        equal(m.commit("who", 1), 0)
        equal(m.commit("who", 2, generation=m.generation + 1), 22)
        equal(commit(c, "who", "who", 3), 25, "from outside while there are members")
        equal(fetch_offset(c, "who", "who")[1], 1)
        m.leave()
        equal(commit(c, "who", "who", 4), 0, "the group is empty")
        for version, error in ((7, 22), (8, 22), (9, 69)):
            got = c.request("OffsetCommit", version, {"group_id": "who-none", "generation_id_or_member_epoch": 3, "member_id": "m",
                                                      "topics": [{"name": "who", "partitions": [{"partition_index": 0, "committed_offset": 1}]}]})
            equal(got["topics"][0]["partitions"][0]["error_code"], error, f"no such group, version {version}")
        equal(commit(c, "", "who", 1), 24)
        equal(commit(c, "who\0x", "who", 99), 24, "a name that ends inside for C")
        equal(fetch_offset(c, "who", "who")[1], 4)


def test_commits_of_unknown_topics_fail_alone():
    with client() as c:
        topic = c.create("some")
        got = c.request("OffsetCommit", 6, {"group_id": "some", "topics": [
            {"name": topic, "partitions": [{"partition_index": 0, "committed_offset": 1}, {"partition_index": 9, "committed_offset": 1}]},
            {"name": "no-such", "partitions": [{"partition_index": 0, "committed_offset": 1}]}]})
        equal([[p["error_code"] for p in t["partitions"]] for t in got["topics"]], [[0, 3], [3]])
        equal(commit(c, "some", "", 1, 0, 10, topic_id=b"z" * 16), 100)


def test_metadata_may_be_null_empty_and_just_so_long():
    with client() as c:
        topic = c.create("meta", 2)
        for version in range(2, 11):
            ident = c.topic_id(topic)
            for text, error, back in ((None, 0, ""), ("", 0, ""), ("x" * 4096, 0, "x" * 4096), ("y" * 5000, 12, "x" * 4096), ("ü\x00ÿ", 0, "ü\x00ÿ")):
                got = c.request("OffsetCommit", version, {"group_id": "meta", "topics": [{"name": topic, "topic_id": ident, "partitions": [
                    {"partition_index": 0, "committed_offset": 5, "committed_metadata": text}, {"partition_index": 1, "committed_offset": 5}]}]})
                equal([p["error_code"] for p in got["topics"][0]["partitions"]], [error, 0], f"version {version}")
                equal(fetch_offset(c, "meta", topic)[2], back)
        equal(commit(c, "meta", topic, 1, committed_metadata=b"\xff\xfe".decode("latin-1")), 0)


def test_commits_survive_kill_9_and_restart():
    with GroupBroker(SETTINGS) as own:
        groups = 20
        with client(own) as c:
            topic = c.create("t", 3)
            for g in range(groups):
                for i in range(5):
                    equal(commit(c, f"g{g}", topic, g * 100 + i, g % 3, committed_metadata=f"{g}"), 0)
        for how in ("kill", "stop", "kill"):
            own.restart(how)
            with client(own) as c:
                for g in range(groups):
                    equal(fetch_offset(c, f"g{g}", topic, g % 3), (0, g * 100 + 4, f"{g}"), f"after {how}")
                    equal(fetch_offset(c, f"g{g}", topic, (g + 1) % 3)[1], -1)


def test_an_acknowledged_commit_never_goes_back():
    """Commits in a stream while the broker is killed: what OffsetFetch says afterwards is the last acknowledged one or a later one."""
    with GroupBroker(SETTINGS) as own:
        with client(own) as c:
            topic = c.create("t")
            equal(commit(c, "g", topic, 0), 0)
        last = 0
        for _ in range(4):
            c = client(own)
            sent = [c.send("OffsetCommit", 2, {"group_id": "g", "topics": [{"name": topic, "partitions": [{"partition_index": 0, "committed_offset": last + 1 + i}]}]}) for i in range(60)]
            for n in sent[:30]:
                equal(c.receive(n)["topics"][0]["partitions"][0]["error_code"], 0)
            acked = last + 30
            own.restart("kill")
            c.close()
            with client(own) as c:
                error, got, _ = fetch_offset(c, "g", topic)
                equal(error, 0)
                assert acked <= got <= last + 60, f"{got} after {acked} was acknowledged"
                last = got


def test_members_survive_kill_9():
    with GroupBroker(SETTINGS) as own:
        members = group_of("g", 3, own, session=30000, rebalance=30000)
        own.restart("kill")
        for i, m in enumerate(members):
            m.c = client(own)
            equal(m.heartbeat(), 0, "the member is still known")
            equal(m.sync(), (0, b"for %d" % i))
        members[0].leave()
        equal(members[1].heartbeat(), 27)


def test_offsets_of_a_deleted_topic_are_gone():
    with GroupBroker(SETTINGS) as own:
        with client(own) as c:
            for name in ("keep", "drop"):
                c.create(name)
                c.append(name, 0, [b"x"] * 10)
                equal(commit(c, "g", name, 10), 0)
            equal(c.delete_topic("drop"), 0)
            equal(fetch_offset(c, "g", "drop")[1], -1)
            c.create("drop")
            equal(fetch_offset(c, "g", "drop")[1], -1)
            equal(fetch_offset(c, "g", "keep")[1], 10)
            c.append("drop", 0, [b"new"] * 5)
            equal(c.fetch("drop", 0, 10)["error_code"], 1)
        for how in ("kill", "stop"):
            own.restart(how)
            with client(own) as c:
                equal((fetch_offset(c, "g", "drop")[1], fetch_offset(c, "g", "keep")[1]), (-1, 10))


def test_a_retention_time_in_the_commit_is_kept_to():
    """Versions 2-4 name a time of their own: short enough to be seen."""
    with GroupBroker(dict(SETTINGS, **{"offsets.retention.check.interval.ms": 50})) as own:
        with client(own) as c:
            topic = c.create("t", 2)
            equal(commit(c, "lone", topic, 1), 0)
            got = c.request("OffsetCommit", 3, {"group_id": "lone", "retention_time_ms": 300, "topics": [{"name": topic, "partitions": [{"partition_index": 1, "committed_offset": 2}]}]})
            equal(got["topics"][0]["partitions"][0]["error_code"], 0)
            equal(fetch_offset(c, "lone", topic, 1)[1], 2)
            wait_for(lambda: fetch_offset(c, "lone", topic, 1)[1] == -1, 10, "the offset to expire")
            equal(fetch_offset(c, "lone", topic, 0)[1], 1)
        own.restart("kill")
        with client(own) as c:
            equal([fetch_offset(c, "lone", topic, p)[1] for p in (0, 1)], [1, -1])


# --- real consumers ---

class Tally:
    """What consumers got: (partition, offset) by consumer and generation."""

    def __init__(self):
        self.lock = threading.Lock()
        self.got = {}

    def add(self, who, partition, offset):
        with self.lock:
            self.got.setdefault((partition, offset), []).append(who)

    def count(self):
        with self.lock:
            return len(self.got)


def produce_in_background(own, topic, partitions, total):
    def work():
        with client(own) as p:
            for i in range(total):
                p.append(topic, i % partitions, [b"%d" % i])
                if i % 50 == 49:
                    time.sleep(0.05)  # the load is to last as long as members come and go
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def check_tally(own, tally, topic, partitions):
    with client(own) as c:
        ends = [c.end(topic, p) for p in range(partitions)]
    missing = [(p, o) for p in range(partitions) for o in range(ends[p]) if (p, o) not in tally.got]
    equal(missing[:5], [], f"{len(missing)} of {sum(ends)} records never delivered")
    for where, who in tally.got.items():
        generations = [w[1] for w in who]
        assert len(generations) == len(set(generations)), f"{where} twice in one generation: {who}"


def test_librdkafka_consumers_come_and_go_without_loss():
    try:
        import confluent_kafka as ck
    except ImportError:
        raise Skip("python3-confluent-kafka is not installed")
    with GroupBroker({"group.min.session.timeout.ms": 1000, "group.initial.rebalance.delay.ms": 100}) as own:
        partitions, total = 6, 1500
        with client(own) as c:
            c.create("load", partitions)
        tally, stop = Tally(), threading.Event()

        def consumer(n, leave):
            k = ck.Consumer({"bootstrap.servers": own.address, "group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False,
                             "session.timeout.ms": 6000, "heartbeat.interval.ms": 200, "fetch.wait.max.ms": 50})
            era = [0]

            def revoke(k, _parts):
                try:
                    k.commit(asynchronous=False)
                except ck.KafkaException as error:
                    if error.args[0].code() not in (ck.KafkaError._NO_OFFSET, ck.KafkaError.REBALANCE_IN_PROGRESS, ck.KafkaError.ILLEGAL_GENERATION, ck.KafkaError.UNKNOWN_MEMBER_ID):
                        raise

            def assign(_k, _parts):
                era[0] += 1
            k.subscribe(["load"], on_assign=assign, on_revoke=revoke)
            while not stop.is_set() and not leave.is_set():
                m = k.poll(0.05)
                if m is not None and not m.error():
                    tally.add((n, (n, era[0])), m.partition(), m.offset())  # the generation is not told: one assignment of one member is in one
            k.close()
        feeder = produce_in_background(own, "load", partitions, total)
        leaves, threads = [], []
        for n in range(4):
            leaves.append(threading.Event())
            threads.append(threading.Thread(target=consumer, args=(n, leaves[n]), daemon=True))
            threads[-1].start()
            goal = tally.count() + 100
            wait_for(lambda: tally.count() >= min(goal, total), 30, f"deliveries with {n + 1} consumers")
            if n >= 2:
                leaves[n - 2].set()
        feeder.join(30)
        wait_for(lambda: tally.count() == total, 30, f"all {total} records")
        stop.set()
        for t in threads:
            t.join(20)
            assert not t.is_alive(), "close() hangs"
        check_tally(own, tally, "load", partitions)


def test_python3_kafka_consumers_share_and_take_over():
    try:
        import kafka
    except ImportError:
        raise Skip("python3-kafka is not installed")
    with GroupBroker({"group.min.session.timeout.ms": 1000, "group.initial.rebalance.delay.ms": 100}) as own:
        partitions, total = 4, 600
        with client(own) as c:
            c.create("load", partitions)
        tally, stop = Tally(), threading.Event()

        def consumer(n, leave):
            k = kafka.KafkaConsumer("load", bootstrap_servers=own.address, group_id="g", auto_offset_reset="earliest", enable_auto_commit=True, auto_commit_interval_ms=200,
                                    session_timeout_ms=6000, heartbeat_interval_ms=200, fetch_max_wait_ms=50, metadata_max_age_ms=1000)
            while not stop.is_set() and not leave.is_set():
                for part, records in k.poll(50).items():
                    for r in records:
                        tally.add((n, k._coordinator._generation.generation_id), r.partition, r.offset)
            k.close()
        feeder = produce_in_background(own, "load", partitions, total)
        leaves = [threading.Event() for _ in range(3)]
        threads = [threading.Thread(target=consumer, args=(n, leaves[n]), daemon=True) for n in range(3)]
        threads[0].start()
        wait_for(lambda: tally.count() >= 50, 30, "deliveries with one consumer")
        threads[1].start()
        threads[2].start()
        wait_for(lambda: tally.count() >= 300, 30, "deliveries with three")
        leaves[0].set()
        feeder.join(30)
        wait_for(lambda: tally.count() == total, 30, f"all {total} records")
        stop.set()
        for t in threads:
            t.join(20)
            assert not t.is_alive(), "close() hangs"
        check_tally(own, tally, "load", partitions)


def test_a_consumer_goes_on_after_kill_9_of_the_broker():
    try:
        import confluent_kafka as ck
    except ImportError:
        raise Skip("python3-confluent-kafka is not installed")
    with GroupBroker(SETTINGS, restarts=True) as own:
        with client(own) as c:
            c.create("t", 2)
            for i in range(20):
                c.append("t", i % 2, [b"%d" % i])
        k = ck.Consumer({"bootstrap.servers": own.address, "group.id": "g", "auto.offset.reset": "earliest", "enable.auto.commit": False, "session.timeout.ms": 10000,
                         "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200, "log_level": 2})
        k.subscribe(["t"])
        got = []

        def more(n):
            end = time.monotonic() + 20
            while len(got) < n:
                assert time.monotonic() < end, f"{len(got)} of {n}"
                m = k.poll(0.2)
                if m is not None and not m.error():
                    got.append(int(m.value()))
        more(20)
        k.commit(asynchronous=False)
        own.restart("kill")
        with client(own) as c:
            for i in range(20, 40):
                c.append("t", i % 2, [b"%d" % i])
        more(40)
        equal(sorted(got), list(range(40)))
        k.commit(asynchronous=False)
        k.close()
        with client(own) as c:
            equal([fetch_offset(c, "g", "t", p)[1] for p in (0, 1)], [20, 20])


if __name__ == "__main__":
    sys.exit(run_with_broker("groups", globals(), SETTINGS, GroupBroker))
