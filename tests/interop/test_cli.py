#!/usr/bin/python3
"""braidd as an operator meets it, and kcat as a user does: starting, refusing to start with one clear line, stopping; produce, consume and
list with every codec, keys and headers."""
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from rawkafka import CODECS, Client, batch, batches
from broker_proc import BRAIDD, Broker, free_port, is_sanitized, run_with_broker
from check import Skip, equal, wait_for

broker = None
HERE = os.path.dirname(os.path.abspath(__file__))


def client(of=None):
    return Client((of or broker).port)


def kcat(*arguments, data=None, of=None, timeout=30):
    out = subprocess.run(["kcat", "-b", (of or broker).address, *arguments], input=data, capture_output=True, timeout=timeout)
    if out.returncode:
        raise AssertionError(f"kcat {' '.join(arguments)}: {out.stderr.decode()}")
    return out.stdout


# --- kcat ---

def test_kcat_produces_and_consumes_with_every_codec():
    for codec in CODECS:
        topic = f"kcat-{codec}"
        lines = b"".join(b"k%d\tvalue %d of %s%s\n" % (i, i, codec.encode(), b"x" * 100) for i in range(50))
        kcat("-P", "-t", topic, "-K", "\t", "-z", codec, "-H", "h1=v1", "-H", "h2=", "-H", "h3", data=lines)
        equal(kcat("-C", "-t", topic, "-K", "\t", "-e", "-q", "-o", "beginning"), lines)
        out = kcat("-C", "-t", topic, "-e", "-q", "-f", "%t %p %o %K %S %h\n", "-o", "beginning").decode().splitlines()
        equal(out[3], f"{topic} 0 3 2 {len(lines.splitlines()[3]) - 3} h1=v1,h2=,h3=NULL")
        with client() as c:
            stored = batches(c.fetch(topic, 0, 0)["records"])
            equal({b.attributes & 7 for b in stored}, {CODECS.index(codec)}, "stored as it was sent")


def test_kcat_starts_anywhere_and_ends():
    with client() as c:
        c.create("anywhere", 3)
    kcat("-P", "-t", "anywhere", "-p", "1", data=b"".join(b"%d\n" % i for i in range(100)))
    equal(kcat("-C", "-t", "anywhere", "-p", "1", "-o", "95", "-e", "-q"), b"95\n96\n97\n98\n99\n")
    equal(kcat("-C", "-t", "anywhere", "-p", "1", "-o", "-2", "-e", "-q"), b"98\n99\n")
    equal(kcat("-C", "-t", "anywhere", "-p", "1", "-o", "end", "-e", "-q"), b"")
    equal(kcat("-C", "-t", "anywhere", "-p", "1", "-c", "3", "-q"), b"0\n1\n2\n")
    equal(len(kcat("-C", "-t", "anywhere", "-o", "beginning", "-e", "-q").split()), 100)
    equal(re.findall(rb"offset (\d+)", kcat("-Q", "-t", "anywhere:1:-1")), [b"100"])


def test_kcat_finds_offsets_by_time():
    with client() as c:
        c.create("times")
        for i in range(5):
            c.append("times", 0, [b"%d" % i], time=1000 * (i + 1))
    for t, want in ((1000, b"0"), (1001, b"1"), (5000, b"4")):
        equal(re.findall(rb"offset (-?\d+)", kcat("-Q", "-t", f"times:0:{t}")), [want], f"time {t}")
    equal(kcat("-C", "-t", "times", "-o", "s@3000", "-e", "-q"), b"2\n3\n4\n")


def test_kcat_lists_the_cluster():
    with client() as c:
        c.create("listed", 3)
    text = kcat("-L", "-J")
    got = json.loads(text)
    equal([b["name"] for b in got["brokers"]], [broker.address])
    equal(got["controllerid"], got["brokers"][0]["id"])
    topics = {t["topic"]: t for t in got["topics"]}
    equal(len(topics["listed"]["partitions"]), 3)
    assert "__order" in topics
    for t in topics.values():
        for p in t["partitions"]:
            equal((p["leader"], [r["id"] for r in p["replicas"]], [r["id"] for r in p["isrs"]]), (got["controllerid"],) + ([got["controllerid"]],) * 2)
    equal([t["topic"] for t in json.loads(kcat("-L", "-J", "-t", "listed"))["topics"]], ["listed"])


def test_kcat_consumes_in_a_group():
    kcat("-P", "-t", "grouped", data=b"".join(b"%d\n" % i for i in range(20)))
    for more in (0, 5):
        if more:
            kcat("-P", "-t", "grouped", data=b"more\n" * more)
        out = subprocess.run(["kcat", "-b", broker.address, "-G", "cli-group", "-X", "auto.offset.reset=earliest", "-e", "-q", "grouped"], capture_output=True, timeout=30)
        equal(len(out.stdout.split()), more or 20, out.stderr.decode())


def test_kcat_is_idempotent_if_told():
    kcat("-P", "-t", "idem", "-X", "enable.idempotence=true", data=b"".join(b"%d\n" % i for i in range(1000)))
    with client() as c:
        equal([r.value for r in c.read("idem")], [b"%d" % i for i in range(1000)])
        assert batches(c.fetch("idem", 0, 0)["records"])[0].producer_id >= 0


def test_kcat_carries_big_and_empty_values():
    big = os.urandom(700_000).replace(b"\n", b"x") + b"\n"
    kcat("-P", "-t", "bigline", data=big)
    equal(kcat("-C", "-t", "bigline", "-e", "-q") == big, True)
    kcat("-P", "-t", "empties", "-Z", "-K", ":", data=b":v\nk:\n:\n")
    with client() as c:
        equal([(r.key, r.value) for r in c.read("empties")], [(None, b"v"), (b"k", None), (None, None)])


# --- starting ---

def refuse(overrides, *words, arguments=(), prepare=None):
    """braidd ends by itself, not with 0, and says why in one line that has the words."""
    own = Broker(overrides, arguments=arguments, start=False)
    try:
        if prepare:
            prepare(own)
        own.spawn()
        status = own.process.wait(20)
        own.process = None
        lines = [s for s in own.log().splitlines() if s.strip()]
        assert status > 0, f"status {status}: {lines}"
        said = [s for s in lines if s.startswith("braidd:")]
        equal(len(said), 1, f"one line of reason: {lines}")
        for w in words:
            assert w in said[0], f"{w!r} is not in {said[0]!r}"
        return said[0]
    finally:
        if own.process:
            own.process.kill()
            own.process.wait()
            own.process = None
        own.close()


def test_bad_values_are_named():
    for key, value in (("num.partitions", "many"), ("num.partitions", "0"), ("log.segment.bytes", "-5"), ("braid.durability", "maybe"), ("compression.type", "rar"),
                       ("listeners", "nonsense"), ("listeners", "SSL://127.0.0.1:0"), ("log.retention.ms", "1h"), ("auto.create.topics.enable", "perhaps")):
        refuse({key: value}, key)


def test_what_would_weaken_security_is_refused():
    for key, value in (("sasl.enabled.mechanisms", "PLAIN"), ("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
                       ("ssl.keystore.location", "/etc/keys.p12"), ("log.cleanup.policy", "compact"), ("listener.name.plaintext.sasl.enabled.mechanisms", "PLAIN")):
        refuse({key: value}, key)


def test_a_missing_file_and_bad_arguments_are_refused():
    refuse({}, "/no/such/file", arguments=["/no/such/file"])
    refuse({}, "--nonsense", arguments=["--nonsense"])
    for arguments, status in ((["--override"], 2), (["a", "b"], 2)):
        out = subprocess.run([BRAIDD, *arguments], capture_output=True, text=True, timeout=20)
        assert out.returncode > 0, arguments
        assert out.stderr.strip()


def test_a_taken_port_is_named():
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        refuse({"listeners": f"PLAINTEXT://127.0.0.1:{port}"}, str(port), "in use")


def test_a_second_process_on_the_directory_is_refused():
    said = refuse({"log.dirs": broker.data}, broker.data)
    assert re.search("lock|use|process", said), said
    with client() as c:
        c.create("still-served")


def test_a_directory_that_cannot_be_written_is_named():
    if os.geteuid() == 0:
        for path in ("/proc/braid-data", "/dev/null/data"):
            refuse({"log.dirs": path}, path)
    else:
        def close(own):
            os.mkdir(own.data, 0o555)
        refuse({}, "data", prepare=close)


def test_an_unknown_format_is_refused():
    """Each file that begins with a magic and a version, with the version raised."""
    with Broker() as own:
        with client(own) as c:
            c.create("t")
            c.append("t", 0, [b"x"])
        own.stop()
        state = [os.path.join(d, f) for d, _, fs in os.walk(own.data) for f in fs if os.path.getsize(os.path.join(d, f)) > 16]
        heads = {p: open(p, "rb").read(16) for p in state}
        ours = [p for p, h in heads.items() if re.match(rb"[A-Za-z]{3,8}", h) and not p.endswith(("partition.metadata", ".positions"))]  # Kafka's; a cache that is made again
        assert ours, f"no file of ours: {heads}"
        for path in ours:
            whole = open(path, "rb").read()
            n = len(re.match(rb"[A-Za-z]+", whole).group())
            for at in range(n, n + 8):
                damaged = bytearray(whole)
                damaged[at] ^= 0x7f
                open(path, "wb").write(damaged)
                own.spawn()
                try:
                    status = own.process.wait(5)
                    own.process = None
                    said = [s for s in own.log(True).splitlines() if s.startswith("braidd:")]
                    assert status > 0 and len(said) == 1, own.log(True)
                    break
                except subprocess.TimeoutExpired:
                    own.process.kill()
                    own.process.wait()
                    own.process = None
            else:
                raise AssertionError(f"{path}: starts with any version")
            open(path, "wb").write(whole)
        own.start()
        with client(own) as c:
            equal([r.value for r in c.read("t")], [b"x"])


def test_directories_of_another_node_or_cluster_are_refused():
    with Broker({"node.id": 3}) as own:
        own.stop()
        own.overrides["node.id"] = 4
        own.spawn()
        assert own.process.wait(20) > 0
        own.process = None
        assert "node.id" in own.log(True), own.log(True)
        own.overrides["node.id"] = 3
        own.overrides["cluster.id"] = "AAAAAAAAAAAAAAAAAAAAAQ"
        own.spawn()
        assert own.process.wait(20) > 0
        own.process = None
        assert "cluster" in own.log(True), own.log(True)
        del own.overrides["cluster.id"]
        own.start()


def stock(name):
    """Starts with a stock file, only directory and port replaced."""
    return Broker({"advertised.listeners": None, "group.initial.rebalance.delay.ms": None}, arguments=[os.path.join(HERE, "properties", name)])


def test_a_kraft_file_starts_the_broker():
    own = Broker({"group.initial.rebalance.delay.ms": None, "advertised.listeners": "PLAINTEXT://127.0.0.1:9092", "listeners": "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0"},
                 arguments=[os.path.join(HERE, "properties", "kraft.properties")], start=False)
    try:
        own.spawn()
        line = wait_for(lambda: [s for s in own.log().splitlines() if "listening" in s], 20, "the start line")[0]
        port = int(re.search(r"bound=[^ ]*:(\d+)", line).group(1))
        assert "advertised=127.0.0.1:9092" in line, line
        assert "CONTROLLER" not in line
        with Client(port) as c:
            equal(c.request("Metadata", 1, {"topics": []})["controller_id"], 1)
            c.create("t")
            c.append("t", 0, [b"x"])
    finally:
        own.close()


def test_a_zookeeper_file_starts_the_broker():
    with stock("zookeeper.properties") as own, client(own) as c:
        equal(c.request("Metadata", 1, {"topics": []})["controller_id"], 7)
        c.request("Metadata", 4, {"topics": [{"name": "auto"}]})
        got = wait_for(lambda: [t for t in c.request("Metadata", 4, {"topics": [{"name": "auto"}]})["topics"] if t["error_code"] == 0], 5, "the topic")
        equal(len(got[0]["partitions"]), 4, "num.partitions of the file")
        named = [s for s in own.log().splitlines() if "zookeeper.connect" in s]
        assert named, "the log does not say which keys have no effect"


def test_unknown_keys_only_warn():
    with Broker({"no.such.key": "1", "confluent.something": "x"}) as own:
        assert "no.such.key" in own.log(), own.log()


def test_help_version_and_keys():
    for argument, word in (("--help", "usage"), ("--version", "braidd"), ("--keys", "num.partitions")):
        out = subprocess.run([BRAIDD, argument], capture_output=True, text=True, timeout=20)
        equal(out.returncode, 0)
        assert word in out.stdout, out.stdout


# --- stopping ---

def test_sigterm_stops_quickly_with_work_in_flight():
    with Broker() as own:
        with client(own) as c:
            topic = c.create("t", 4)
        waiting = [client(own) for _ in range(50)]
        for w in waiting:
            w.n = w.send("Fetch", 12, w.fetch_fields(topic, 0, 0, wait=60000))
        busy = client(own)
        sent = [busy.send("Produce", 9, busy.produce_fields(topic, i % 4, batch([b"x"] * 10))) for i in range(100)]
        busy.receive(sent[0])
        began = time.monotonic()
        own.stop()
        took = time.monotonic() - began
        assert took < (8 if is_sanitized() else 2.5), f"{took:.1f} s"
        for w in waiting + [busy]:
            w.close()
        own.start()
        with client(own) as c:
            total = sum(c.end(topic, p) for p in range(4))
            assert total >= 10
        assert "recovered=true" not in own.log(True), "a stop by SIGTERM is a clean one"


def test_sigint_stops_too():
    own = Broker()
    own.process.send_signal(signal.SIGINT)
    equal(own.process.wait(10), 0)
    own.process = None
    own.close()


def test_a_hangup_stops_unless_it_is_ignored():
    own = Broker()
    own.process.send_signal(signal.SIGHUP)
    equal(own.process.wait(10), 0)
    own.process = None
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        own.start()
    finally:
        signal.signal(signal.SIGHUP, before)
    own.process.send_signal(signal.SIGHUP)
    assert own.answers(), "as under nohup"
    own.close()


def test_closed_standard_files_are_given_to_nothing_else():
    own = Broker(start=False)
    own.overrides["listeners"] = f"PLAINTEXT://127.0.0.1:{free_port()}"
    own.port = int(own.overrides["listeners"].rsplit(":", 1)[1])
    process = subprocess.Popen(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *own.command()], cwd=own.home)
    own.process = process
    wait_for(own.answers, 10, "the broker to listen")
    equal([os.readlink(f"/proc/{process.pid}/fd/{i}") for i in range(3)], ["/dev/null"] * 3)
    own.close()


def test_a_limit_on_files_refuses_writes_and_ends_nothing():
    own = Broker()
    c = Client(own.port)
    c.create("limit")
    c.request("FindCoordinator", 3, {"key": "limit"})
    resource.prlimit(own.process.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    equal(c.produce("limit", 0, batch([b"v"]))["error_code"], 56)
    answer = c.request("OffsetCommit", 7, {"group_id": "limit", "topics": [{"name": "limit", "partitions": [{"partition_index": 0}]}]})
    equal(answer["topics"][0]["partitions"][0]["error_code"], 16, "what consumers try again")
    joined = c.request("JoinGroup", 3, {"group_id": "limit", "session_timeout_ms": 30000, "rebalance_timeout_ms": 30000, "protocol_type": "consumer",
                                        "protocols": [{"name": "range", "metadata": b""}]})
    answer = c.request("SyncGroup", 3, {"group_id": "limit", "generation_id": 1, "member_id": joined["member_id"],
                                        "assignments": [{"member_id": joined["member_id"], "assignment": b""}]})
    equal(answer["error_code"], 16, "at once, not when the session ends")
    own.restart("kill")
    Client(own.port).append("limit", 0, [b"v"])
    own.close()


def test_directories_above_the_data_are_made():
    own = Broker({"log.dirs": " deep/er/data "})
    with client(own) as c:
        c.create("t")
    assert os.path.isdir(own.home + "/deep/er/data/journal")
    own.close()


def test_start_is_fast_and_memory_small():
    if is_sanitized():
        raise Skip("built with a sanitizer")
    began = time.monotonic()
    with Broker() as own:
        took = time.monotonic() - began
        assert took < 2, f"{took:.2f} s to start"
        with client(own) as c:
            c.request("Metadata", 9, {"topics": []})
        assert own.rss_kib() < 32 * 1024, f"{own.rss_kib()} KiB idle"


if __name__ == "__main__":
    sys.exit(run_with_broker("cli", globals()))
