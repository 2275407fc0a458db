#!/usr/bin/python3
"""Connections from outside: half-closed ones, slow and greedy senders beside normal clients, limits, time of waits, stopping under polls."""
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
from broker_proc import BRAIDD, Broker, is_sanitized, run_with_broker  # noqa: E402
from check import equal, wait_for  # noqa: E402
from rawkafka import Client, Closed, Conn, batch, request_bytes  # noqa: E402

broker = None
SLOW = 4 if is_sanitized() else 1


def client():
    return Client(broker.port)


def connect_from(address, port):
    """A connection whose own end has this address."""
    s = socket.socket()
    s.settimeout(10)
    s.bind((address, 0))
    s.connect(("127.0.0.1", port))
    return s


# --- half-closed connections ---

def test_a_client_that_sends_no_more_gets_its_answers():
    with client() as c:
        topic = c.create("halfclose")
    with client() as c:
        sent = [c.send("Produce", 9, c.produce_fields(topic, 0, batch([b"x"]))) for _ in range(5)]
        sent += [c.send("Metadata", 9, {"topics": []}) for _ in range(20)]
        c.socket.shutdown(socket.SHUT_WR)
        for n in sent:
            c.receive(n)
        assert c.is_closed(5), "still open after its last answer"
    with client() as c:
        equal(c.end(topic), 5)


def test_an_answer_larger_than_the_socket_takes_reaches_a_half_closed_client():
    with client() as c:
        topic = c.create("halfclosebig")
        for _ in range(12):
            equal(c.produce(topic, 0, batch([os.urandom(900_000)]))["error_code"], 0)
    with client() as c:
        n = c.send("Fetch", 11, c.fetch_fields(topic, 0, 0))
        c.socket.shutdown(socket.SHUT_WR)
        time.sleep(0.2)  # the answer fills the socket; nobody reads
        got = c.receive(n)
        assert len(got["topics"][0]["partitions"][0]["records"]) > 10_000_000
        assert c.is_closed(5)


def test_a_poller_that_went_away_is_let_go_at_once():
    with Broker() as own:
        def sockets():
            folder, count = f"/proc/{own.process.pid}/fd", 0
            for name in os.listdir(folder):
                try:
                    count += os.readlink(os.path.join(folder, name)).startswith("socket:")
                except FileNotFoundError:
                    pass
            return count
        with Client(own.port) as control:
            topic = control.create("gone")
            before = sockets()
            conns = []
            for _ in range(30):
                c = Client(own.port)
                c.send("Fetch", 12, c.fetch_fields(topic, 0, 0, wait=60000))
                conns.append(c)
            wait_for(lambda: sockets() >= before + 30, 5, "thirty pollers")
            control.request("Metadata", 9, {"topics": []})
            for i, c in enumerate(conns):
                if i % 2:
                    c.close()
                else:
                    c.socket.shutdown(socket.SHUT_WR)
            wait_for(lambda: sockets() <= before, 5, "all let go")
            for c in conns[::2]:
                c.close()


# --- waits ---

def test_a_poll_after_a_pause_waits_its_whole_time():
    """The loop's time is that of the event, not of when it fell asleep."""
    with client() as c:
        topic = c.create("pause")
        for pause in (0, 0.15, 0.4, 0.7):
            time.sleep(pause)
            began = time.monotonic()
            c.request("Fetch", 12, c.fetch_fields(topic, 0, 0, wait=300))
            took = time.monotonic() - began
            assert 0.295 <= took < 1.5 * SLOW, f"after {pause} s of silence a poll of 300 ms took {took * 1000:.0f} ms"


def test_append_times_are_those_of_the_append():
    with client() as c:
        topic = c.create("times", configs={"message.timestamp.type": "LogAppendTime"})
        for pause in (0.3, 0.6):
            time.sleep(pause)
            before = time.time() * 1000
            at = c.produce(topic, 0, batch([b"x"]))["log_append_time_ms"]
            assert before - 5 <= at <= time.time() * 1000 + 5, f"{before - at:.0f} ms early"


# --- greedy and slow senders ---

def test_senders_that_announce_much_take_no_room_from_others():
    with Broker({"braid.request.receive.timeout.ms": 60000}) as own:
        greedy = [Conn(own.port) for _ in range(40)]
        for c in greedy:
            c.send_bytes(struct.pack(">i", 100_000_000) + b"\0\0\0\x09abc")  # 4 GB in all
        with Client(own.port) as c:
            topic = c.create("t")
            for _ in range(5):
                began = time.monotonic()
                equal(c.produce(topic, 0, batch([os.urandom(1_000_000)]))["error_code"], 0)
                assert time.monotonic() - began < 2 * SLOW
        if not is_sanitized():
            assert own.rss_kib() < 64 * 1024, f"{own.rss_kib()} KiB"
        for c in greedy:
            c.close()


def test_many_that_send_three_bytes_and_stop_cost_little():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    count = min(2000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
    conns = []
    before = broker.rss_kib()
    try:
        for _ in range(count):
            s = socket.create_connection(("127.0.0.1", broker.port))
            s.sendall(b"\0\0\1")
            conns.append(s)
        with client() as c:
            c.request("Metadata", 9, {"topics": []})
        if not is_sanitized():
            each = (broker.rss_kib() - before) * 1024 / count
            assert each < 16384, f"{each:.0f} bytes for each of {count}"
    finally:
        for s in conns:
            s.close()


def test_a_thousand_waiting_polls_cost_little():
    with client() as c:
        topic = c.create("manypolls")
    conns = []
    before = broker.rss_kib()
    try:
        for _ in range(1000):
            c = client()
            c.waiting = c.send("Fetch", 12, c.fetch_fields(topic, 0, 0, wait=30000))
            conns.append(c)
        with client() as c:
            c.request("Metadata", 9, {"topics": []})
            if not is_sanitized():
                each = (broker.rss_kib() - before) * 1024 / len(conns)
                assert each < 24576, f"{each:.0f} bytes each"
            cpu = broker.cpu_s()
            time.sleep(1)  # measures: nobody spins
            assert broker.cpu_s() - cpu < 0.2 * SLOW
            c.append(topic, 0, [b"now"])
        for w in conns:
            w.receive(w.waiting)
    finally:
        for c in conns:
            c.close()


def test_a_reader_that_stops_reading_stops_being_served_only():
    with client() as c:
        topic = c.create("stuckreader")
        equal(c.produce(topic, 0, batch([os.urandom(1_000_000)]))["error_code"], 0)
    with client() as stuck:
        stuck.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        before = broker.rss_kib()
        frames = b"".join(stuck.frame("Fetch", 12, stuck.fetch_fields(topic, 0, 0))[1] for _ in range(300))
        stuck.send_bytes(frames)
        with client() as c:
            for _ in range(50):
                began = time.monotonic()
                c.request("Metadata", 9, {"topics": []})
                assert time.monotonic() - began < 1 * SLOW
        if not is_sanitized():
            assert broker.rss_kib() - before < 32 * 1024, f"{broker.rss_kib() - before} KiB for one that does not read"


# --- limits ---

def test_waiting_requests_keep_no_more_than_their_budget():
    with Broker({"queued.max.request.bytes": 1 << 20}) as own:
        with Client(own.port) as c:
            topic = c.create("t", 1000)
        conns = []
        for _ in range(40):
            c = Client(own.port)
            c.send("Fetch", 12, c.fetch_fields(topic, {i: 0 for i in range(1000)}, None, wait=60000))
            conns.append(c)
        wait_for(lambda: "used up by waiting requests" in own.log(), 5, "the line that says so")
        with Client(own.port) as c:  # what does not wait is served
            c.request("Metadata", 9, {"topics": []})
            equal(c.produce(topic, 0, batch([b"x"]))["error_code"], 0)
        closed = [c.is_closed(2) for c in conns[-3:]]
        equal(closed, [True] * 3, "the last ones were refused")
        conns[0].receive_any()  # the first one waited, and was woken
        for c in conns:
            c.close()


def test_limits_of_single_addresses_override_the_common_one():
    with Broker({"listeners": "PLAINTEXT://127.0.0.1:0", "max.connections.per.ip": 2, "max.connections.per.ip.overrides": "127.0.0.2:4, 127.0.0.3:0"}) as own:
        def served(address, n):
            out = []
            for _ in range(n):
                s = connect_from(address, own.port)
                s.sendall(request_bytes("ApiVersions", 0, {}, 1))
                try:
                    out.append(len(s.recv(4)) == 4)
                except ConnectionError:
                    out.append(False)
                held.append(s)
            return out
        held = []
        equal(served("127.0.0.1", 3), [True, True, False])
        equal(served("127.0.0.2", 5), [True] * 4 + [False])
        equal(served("127.0.0.3", 1), [False])
        for s in held:
            s.close()


def test_max_connections_holds_for_all_together():
    with Broker({"max.connections": 5}) as own:
        conns = [Client(own.port) for _ in range(5)]
        for c in conns:
            c.request("ApiVersions", 0)
        with Conn(own.port) as c:
            assert c.is_closed()
        for c in conns:
            c.close()


def test_more_partitions_than_descriptors_leave_some_for_clients():
    own = Broker(start=False)
    plain = own.command()
    own.command = lambda: ["prlimit", "--nofile=64:64", "--", *plain]
    own.start()
    with Client(own.port) as c:
        c.create("many", 100)
        equal({c.produce("many", i, batch([b"x"]))["error_code"] for i in range(100)}, {0})
        with Client(own.port) as another:
            equal(another.end("many", 99), 1)
    own.restart("kill")
    own.close()


def test_without_descriptors_the_broker_neither_spins_nor_dies():
    """New connections wait until some are closed; those that are there are served."""
    with Broker() as own:
        with Client(own.port) as c:
            topic = c.create("t")
            equal(c.produce(topic, 0, batch([b"x"]))["error_code"], 0)
        used = len(os.listdir(f"/proc/{own.process.pid}/fd"))
        limit = used + 30
        resource.prlimit(own.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
        conns = [socket.create_connection(("127.0.0.1", own.port)) for _ in range(45)]
        wait_for(lambda: "cannot accept" in own.log(), 5, "the line that says so")
        cpu = own.cpu_s()
        time.sleep(1)  # measures: nobody spins
        assert own.cpu_s() - cpu < 0.3 * SLOW, f"{own.cpu_s() - cpu:.2f} s of CPU in a second"
        conns[0].sendall(request_bytes("ApiVersions", 0, {}, 1))
        conns[0].settimeout(10)
        equal(len(conns[0].recv(4)), 4)
        for s in conns[:20]:
            s.close()
        conns[-1].settimeout(10)
        conns[-1].sendall(request_bytes("ApiVersions", 0, {}, 1))
        equal(len(conns[-1].recv(4)), 4)
        for s in conns[20:]:
            s.close()


# --- addresses ---

def test_localhost_is_both_addresses_on_one_port():
    with Broker({"listeners": "PLAINTEXT://localhost:0"}) as own:
        addresses = {a[4][0] for a in socket.getaddrinfo("localhost", own.port, type=socket.SOCK_STREAM)}
        for address in addresses:
            with socket.create_connection((address, own.port), 10) as s:
                s.sendall(request_bytes("ApiVersions", 0, {}, 1))
                equal(len(s.recv(4)), 4, address)


def test_every_interface_advertises_this_machines_name():
    with Broker({"listeners": "PLAINTEXT://:0"}) as own:
        with Client(own.port) as c:
            host = c.request("Metadata", 1, {"topics": []})["brokers"][0]
        equal(host["port"], own.port)
        assert host["host"] not in ("", "0.0.0.0", "::"), host
        socket.getaddrinfo(host["host"], own.port)  # resolves


# --- stopping ---

def test_a_stop_does_not_wait_for_polls_but_for_writes():
    with Broker() as own:
        with Client(own.port) as c:
            topic = c.create("t")
        polls = [Client(own.port) for _ in range(20)]
        for p in polls:
            p.send("Fetch", 12, p.fetch_fields(topic, 0, 0, wait=60000))
        member = Client(own.port)
        member.send("JoinGroup", 5, {"group_id": "g", "session_timeout_ms": 30000, "rebalance_timeout_ms": 60000, "protocol_type": "consumer",
                                     "protocols": [{"name": "range", "metadata": b""}]})
        writer = Client(own.port)
        sent = [writer.send("Produce", 9, writer.produce_fields(topic, 0, batch([b"x"]))) for _ in range(5)]
        writer.receive(sent[0])  # they are on their way
        own.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        for n in sent[1:]:
            writer.receive(n)
        equal(own.process.wait(10), 0)
        took = time.monotonic() - began
        own.process = None
        assert took < 1 * SLOW, f"{took:.2f} s"
        for c in polls + [member, writer]:
            c.close()
        own.start()
        with Client(own.port) as c:
            equal(c.end(topic), 5)


def test_a_second_signal_ends_a_stop_that_waits():
    with Broker() as own:
        with Client(own.port) as c:
            topic = c.create("t")
            for _ in range(12):
                equal(c.produce(topic, 0, batch([os.urandom(900_000)]))["error_code"], 0)
        with Client(own.port) as c:
            c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            c.send("Fetch", 12, c.fetch_fields(topic, 0, 0))  # never read: its answer holds the stop
            assert select.select([c.socket], [], [], 10)[0]
            own.process.send_signal(signal.SIGTERM)
            wait_for(lambda: "stopping" in own.log(), 5, "the stop to begin")
            own.process.send_signal(signal.SIGTERM)
            equal(own.process.wait(10), 0)
            own.process = None


def test_a_stop_during_the_start_is_a_clean_one():
    for delay in (0, 0.002, 0.005, 0.01, 0.02, 0.05):
        own = Broker(start=False)
        try:
            own.spawn()
            time.sleep(delay)  # any moment will do
            own.process.send_signal(signal.SIGTERM)
            status = own.process.wait(10)
            own.process = None
            assert status in (0, -signal.SIGTERM), status  # before the handler is set, the signal itself
        finally:
            own.close()


def test_the_configuration_is_printed_for_the_manual():
    out = subprocess.run([BRAIDD, "--keys"], capture_output=True, text=True, timeout=20).stdout.splitlines()
    assert len(out) > 150
    for line in out:
        name, kind, _default, _valid, doc = line.split("\t")
        assert kind in ("acts", "accepted", "refused", "topic") and name and doc, line


if __name__ == "__main__":
    sys.exit(run_with_broker("connections", globals()))
