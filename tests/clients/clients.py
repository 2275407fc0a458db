#!/usr/bin/python3
"""Kafka's own programs of one release as judges of a broker: its Java clients (java/Clients.java), its console tools, and its dump-log
tool over the data directory. run.sh fetches the jars and starts this file once a release, with in the environment
    CLIENTS_VERSION   3.9.2
    CLIENTS_PATH      the Java class path: the jars of that release and the compiled Clients
By hand with names of Python's tests as arguments to run only some; CLIENTS_ONLY=name,name does that for the Java tests."""
import atexit
import glob
import json
import os
import re
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "interop"), os.path.join(HERE, "..", "support")]
import check
from broker_proc import Broker
from check import equal, wait_for
from rawkafka import Client, batch, batches, now_ms

VERSION = os.environ["CLIENTS_VERSION"]
JAVA = ["java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", os.environ["CLIENTS_PATH"]]
GROUP = "clients_" + VERSION.replace(".", "_")
IS_3 = VERSION.startswith("3.")
TOOLS = "org.apache.kafka.tools."
DUMP = ("kafka.tools." if IS_3 else TOOLS) + "DumpLogSegments"
FORMATTER = "--property" if IS_3 else "--formatter-property"
READER = "--property" if IS_3 else "--reader-property"
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
TOOL_S = 120
JAVA_S = 480


def tool(main, *arguments, stdin="", status=0):
    """(stdout, stderr) of one of Kafka's programs; the logger's remarks are left out."""
    got = subprocess.run(JAVA + [main, *arguments], input=stdin, capture_output=True, text=True, errors="replace", timeout=TOOL_S)
    if got.returncode != status:
        raise AssertionError(f"{main} {' '.join(arguments)[:200]}: status {got.returncode}\n{got.stdout[-2000:]}\n{got.stderr[-2000:]}")
    noise = ("SLF4J:", "log4j:", "ERROR StatusLogger", "WARNING: ")
    return got.stdout, "\n".join(line for line in got.stderr.splitlines() if line and not line.startswith(noise))


# --- the dump-log tool ---

FIELD = re.compile(r"(\w+): (\S+)")
BAD = re.compile(r"(?i)mismatch|not found|out of order|corrupt|isvalid: (?!true)|exception|invalid|could not|failed")
OFFSETS = "__consumer_offsets"


def line_of(base, i, r, values=True):
    """What the dump says of record i of a batch."""
    kind = "LogAppendTime" if base.attributes & 8 else "CreateTime"
    sequence = base.base_sequence + i if base.base_sequence >= 0 else -1
    out = f"| offset: {r.offset} {kind}: {r.timestamp} keySize: {-1 if r.key is None else len(r.key)} valueSize: {-1 if r.value is None else len(r.value)}"
    out += f" sequence: {sequence} headerKeys: [{','.join(k for k, _ in r.headers)}]"
    if values:
        out += ("" if r.key is None else f" key: {r.key.decode()}") + ("" if r.value is None else f" payload: {r.value.decode()}")
    return out


def files_of(broker, topic):
    """Files of a topic's only partition, by kind, in the order of their offsets."""
    return {kind: sorted(glob.glob(f"{broker.data}/{topic}-0/*.{kind}")) for kind in ("log", "index", "timeindex")}


def dump(files, *options):
    """Lines that the tool prints, by file. Nothing it complains about is let pass but one thing: some releases call the first record of
    every segment above zero `-1 is followed by BASE`."""
    out, err = tool(DUMP, "--files", ",".join(files), *options)
    for line in err.splitlines():
        follows = re.fullmatch(r"\s*-1 is followed by (\d+)", line)
        if not follows and not line.startswith("Non-consecutive offsets in "):
            raise AssertionError(f"dump says: {line}")
        if follows and f"/{int(follows.group(1)):020}.log" not in err:
            raise AssertionError(f"dump says: {line}")
    found, lines = {}, None
    for line in out.split("\n"):
        if line.startswith("Dumping "):
            lines = found.setdefault(line[8:], [])
        elif line and lines is not None:
            lines.append(line)
    equal(sorted(found), sorted(files), "files dumped")
    return found


def judge_log(path, lines):
    """Batch lines against the file's bytes, taken apart here; gives the record lines."""
    equal([line for line in lines if line.startswith("baseOffset: ") and "isvalid: true" not in line], [], f"{path}: batches not valid")
    with open(path, "rb") as f:
        data = f.read()
    want = batches(data)
    equal(sum(len(b.raw) for b in want), len(data), f"{path}: bytes in whole batches")
    equal(lines[0], f"Log starting offset: {int(os.path.basename(path)[:20])}")
    got = [dict(FIELD.findall(line)) for line in lines if line.startswith("baseOffset: ")]
    equal(len(got), len(want), f"{path}: batches")
    position = 0
    for g, w in zip(got, want):
        last = w.base_sequence + w.last_offset_delta if w.base_sequence >= 0 else -1
        equal({k: g[k] for k in ("baseOffset", "lastOffset", "count", "baseSequence", "lastSequence", "producerId", "producerEpoch", "position", "size",
                                 "compresscodec", "isvalid", "magic", "isControl")},
              {"baseOffset": str(w.base_offset), "lastOffset": str(w.base_offset + w.last_offset_delta), "count": str(w.count),
               "baseSequence": str(w.base_sequence), "lastSequence": str(last), "producerId": str(w.producer_id),
               "producerEpoch": str(w.producer_epoch), "position": str(position), "size": str(len(w.raw)),
               "compresscodec": CODECS[w.attributes & 7], "isvalid": "true", "magic": "2", "isControl": "false"}, path)
        equal(g["LogAppendTime" if w.attributes & 8 else "CreateTime"], str(w.max_timestamp), f"{path}: largest time")
        position += len(w.raw)
    return [line for line in lines if line.startswith("| ")]


def judge_files(broker, topic, *options, least=1):
    """The files of a topic are sound as far as they tell: their names by kind, the tool's lines by file, all record lines."""
    kinds = files_of(broker, topic)
    if len(kinds["log"]) < least:
        raise AssertionError(f"{topic}: {len(kinds['log'])} segments")
    found = dump(sum(kinds.values(), []), "--deep-iteration", *options)
    records = sum((judge_log(path, found[path]) for path in kinds["log"]), [])
    for path in kinds["index"] + kinds["timeindex"]:
        if BAD.search("\n".join(found[path])):
            raise AssertionError(f"{path}: {found[path][:20]}")
    return kinds, found, records


def judge_topic(broker, topic, want, values, least=1):
    """And its records, as the tool shows them, are the lines wanted."""
    kinds, found, got = judge_files(broker, topic, *(["--print-data-log"] if values else []), least=least)
    if not values:
        first = int(FIELD.search(want[0]).group(2))
        got = [line for line in got if int(FIELD.search(line).group(2)) >= first]  # files may hold what was deleted
    if got != want:
        n = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
        raise AssertionError(f"{topic}: {len(got)} records, want {len(want)}; record {n}: {got[n:n + 1]}, want {want[n:n + 1]}")
    return kinds, found


def judge_indexes(files, newest):
    """--index-sanity-check and --verify-index-only; the newest segments may have no entry yet."""
    for path, lines in dump(files, "--verify-index-only").items():
        equal([line for line in lines if path not in newest or line != f"{path} is empty."], [], "what verifying says")
    for path, lines in dump(files, "--index-sanity-check").items():
        if lines != [f"{path} is empty."] or path not in newest:
            equal(lines, [f"{path} passed sanity check."], path)


class Filled:
    """A broker with topics of many small segments, and for each topic the lines that a dump must print."""

    def __init__(self):
        self.broker = Broker({"log.segment.bytes": 6000, "log.index.interval.bytes": 500, "offsets.topic.num.partitions": 1})
        atexit.register(self.broker.close)
        self.want, self.commits = {}, {}
        with Client(self.broker.port) as c:
            for codec, name in enumerate(CODECS):
                self.topic(c, f"create-{name}", {}, codec)
                self.topic(c, f"append-{name}", {"message.timestamp.type": "LogAppendTime"}, codec)
                self.topic(c, f"again-{name}", {"compression.type": "uncompressed" if name == "none" else name}, (codec + 3) % 5)
            wait_for(lambda: c.request("FindCoordinator", 1, {"key": "group"})["error_code"] == 0, 10, "a coordinator")
        self.more()

    def topic(self, c, name, configs, codec):
        c.create(name, 1, configs)
        self.want[name] = []
        self.fill(c, name, codec)

    def fill(self, c, name, codec, count=60):
        """Batches of 1 to 14 records, two of three by an idempotent producer; keys, values and headers of many sizes, times in disorder."""
        pid, epoch = c.producer_id()
        base, sequence = now_ms() - 1_000_000, 0
        for n in range(count):
            size = 1 + n * 5 % 14
            seeds = [n * 100 + i for i in range(size)]
            keys = [None if s % 7 == 0 else b"key-%d" % s for s in seeds]
            values = [None if s % 11 == 0 else (b"value %d of %d " % (s, n)) * (s % 9) for s in seeds]
            times = [base + n * 1000 - s * 37 % 500 for s in seeds]
            headers = [(f"h{i}", b"x" * i) for i in range(n % 4)]
            producer = (-1, -1, -1) if n % 3 == 0 else (pid, epoch, sequence)
            sent = batch(values, codec, producer, times=times, keys=keys, headers=headers)
            got = c.produce(name, 0, sent)
            equal(got["error_code"], 0, name)
            (b,) = batches(sent)
            if name.startswith("append"):
                b = b._replace(attributes=b.attributes | 8)
            for i, r in enumerate(b.records):
                r = r._replace(offset=got["base_offset"] + i, timestamp=got["log_append_time_ms"] if b.attributes & 8 else r.timestamp)
                self.want[name].append(line_of(b, i, r))
            sequence += size if producer[0] >= 0 else 0

    def more(self):
        """A little more for each topic, and commits: what a checkpoint does not hold yet."""
        with Client(self.broker.port) as c:
            for codec, name in enumerate(CODECS):
                for kind, used in (("create", codec), ("append", codec), ("again", (codec + 3) % 5)):
                    self.fill(c, f"{kind}-{name}", used, 5)
            for n in range(150):
                topic, group = f"create-{CODECS[n % 5]}", f"group {n % 4}"
                got = c.request("OffsetCommit", 8, {"group_id": group, "generation_id_or_member_epoch": -1, "topics": [
                    {"name": topic, "partitions": [{"partition_index": 0, "committed_offset": n, "committed_leader_epoch": 1,
                                                    "committed_metadata": f"meta {n}"}]}]})
                equal(got["topics"][0]["partitions"][0]["error_code"], 0)
                self.commits[group, topic] = (n, f"meta {n}")

    def judge(self):
        every, newest = [], set()
        for topic, want in self.want.items():
            kinds, found = judge_topic(self.broker, topic, want, True, 3 if topic in ("create-none", "append-none") else 1)
            for path in kinds["index"][:-1] + kinds["timeindex"][:-1]:
                if not FIELD.match("".join(found[path][:1])):
                    raise AssertionError(f"{path}: a sealed segment without an entry")
            every += kinds["index"] + kinds["timeindex"]
            newest.update(kinds["index"][-1:])
        for topic in (OFFSETS, "__braid_catalog"):
            kinds, _, _ = judge_files(self.broker, topic)
            every += kinds["index"] + kinds["timeindex"]
            newest.update(kinds["index"][-1:])
        judge_indexes(every, newest)
        equal(groups_of(files_of(self.broker, OFFSETS)["log"])[0], self.commits, "commits")


def groups_of(files):
    """What --offsets-decoder shows last: (group, topic) -> (offset, metadata), and group -> (generation, members)."""
    out, groups = {}, {}
    for lines in dump(files, "--offsets-decoder").values():
        for line in lines:
            got = re.search(r"key: (\{.*\}) payload: (\{.*\})$", line)
            if got:
                key, value = json.loads(got.group(1)), json.loads(got.group(2))
                if key["type"] in ("0", "1"):
                    out[key["data"]["group"], key["data"]["topic"]] = (value["data"]["offset"], value["data"]["metadata"])
                else:
                    groups[key["data"]["group"]] = (value["data"]["generation"], len(value["data"]["members"]))
            elif line.startswith("| "):
                raise AssertionError(f"not understood: {line}")
    return out, groups


filled = None


def _filled():
    global filled
    if filled is None:
        filled = Filled()
    return filled


def test_files_after_a_stop_hold_what_was_produced():
    f = _filled()
    f.broker.stop()
    f.judge()
    f.broker.start()
    f.judge()


def test_files_after_a_kill_and_a_start_hold_what_was_produced():
    f = _filled()
    f.more()
    f.broker.restart("kill")
    f.judge()
    f.more()
    f.broker.restart("stop")
    f.judge()


def test_the_dump_tool_would_see_damage():
    f = _filled()
    f.broker.stop()
    files = {kind: paths[0] for kind, paths in files_of(f.broker, "create-none").items()}
    for kind, place in (("log", 100), ("index", 7), ("timeindex", 7)):
        with open(files[kind], "r+b") as file:
            file.seek(place)
            (byte,) = file.read(1)
            for value, sound in ((byte ^ 1, False), (byte, True)):
                file.seek(place)
                file.write(bytes([value]))
                file.flush()
                try:
                    judge_files(f.broker, "create-none")
                    seen = False
                except AssertionError:
                    seen = True
                equal(seen, not sound, f"byte {place} of a .{kind} is {'put right' if sound else 'wrong'}, seen")
    f.broker.start()


test_files_after_a_stop_hold_what_was_produced.deadline_s = 300
test_the_dump_tool_would_see_damage.deadline_s = 120
test_files_after_a_kill_and_a_start_hold_what_was_produced.deadline_s = 300


# --- the Java clients ---

def run_java(broker):
    """Runs Clients; passes its lines on and does what it asks for. True when all its tests passed."""
    only = [n for n in os.environ.get("CLIENTS_ONLY", "").split(",") if n]
    p = subprocess.Popen(JAVA + ["Clients", broker.address, GROUP, *only], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, errors="replace")
    late = threading.Timer(JAVA_S, p.kill)
    late.start()
    try:
        for line in p.stdout:
            if line.startswith("DO "):
                broker.restart({"restart": "stop", "kill": "kill"}[line.split()[1]])
                p.stdin.write("done\n")
                p.stdin.flush()
            else:
                print(line, end="", flush=True)
        return p.wait(10) == 0
    finally:
        late.cancel()
        p.kill()
        p.wait()


def raw_lines(broker):
    """What fetches give: for each user topic where its first partition starts and ends, and the dump lines of the records between."""
    out = {}
    with Client(broker.port) as c:
        for topic in [t["name"] for t in c.request("Metadata", 12, {"topics": None})["topics"] if not t["name"].startswith("__")]:
            first, end = c.start(topic), c.end(topic)
            at, lines = first, []
            while at < end:
                found = batches(c.fetch(topic, 0, at)["records"])
                for b in found:
                    lines += [line_of(b, i, r, False) for i, r in enumerate(b.records) if r.offset >= first]
                at = found[-1].base_offset + found[-1].last_offset_delta + 1
            out[topic] = (first, end, lines)
    return out


def test_java_clients_do_what_programs_do():
    with Broker({"log.segment.bytes": 400_000, "offsets.topic.num.partitions": 3}, restarts=True) as broker:
        good = run_java(broker)
        want = raw_lines(broker)
        broker.stop()
        for topic, (_, _, lines) in want.items():
            if lines:
                judge_topic(broker, topic, lines, False)
        logs = [path for path in glob.glob(f"{broker.data}/{OFFSETS}-*/*.log") if os.path.getsize(path)]
        commits, groups = groups_of(logs)
        if not os.environ.get("CLIENTS_ONLY"):
            equal({t for _, t in commits if "codec" in t}, {f"{GROUP}.codec-{name}" for name in CODECS}, "topics with commits")
            equal({g for g in groups if "codec" in g}, {f"{GROUP}.codec-{name}" for name in CODECS}, "groups")
            equal([g for g, (generation, _) in groups.items() if generation < 1], [], "groups without a generation")
            equal({g: members for g, (_, members) in groups.items() if members}, {f"{GROUP}.static": 2}, "members left: static ones do not leave")
        broker.start()
        equal(raw_lines(broker) == want, True, "after a stop and a start all is as it was")
    if not good:
        raise AssertionError("a test of Clients failed")


test_java_clients_do_what_programs_do.deadline_s = JAVA_S + 120


# --- the console tools ---

tools_broker = None


def at():
    """Where the tools' broker is, as every tool is told."""
    global tools_broker
    if tools_broker is None:
        tools_broker = Broker({"offsets.topic.num.partitions": 1})
        atexit.register(tools_broker.close)
    return ["--bootstrap-server", tools_broker.address]


def topics(*arguments):
    return tool(TOOLS + "TopicCommand", *at(), *arguments)[0]


def configs(*arguments):
    return tool(("kafka.admin." if IS_3 else TOOLS) + "ConfigCommand", *at(), *arguments)[0]


def test_kafka_topics_creates_describes_alters_and_deletes():
    topics("--create", "--topic", "made", "--partitions", "2", "--config", "retention.ms=100000")
    topics("--create", "--topic", "made", "--if-not-exists")
    equal(sorted(topics("--list").split()), ["__order", "made"])
    said = topics("--describe", "--topic", "made")
    assert re.search(r"PartitionCount: 2\s+ReplicationFactor: 1\s+Configs: .*retention.ms=100000", said), said
    equal(len(re.findall(r"Leader: 1\s+Replicas: 1\s+Isr: 1", said)), 2, "partitions with a leader")
    topics("--alter", "--topic", "made", "--partitions", "4")
    assert "PartitionCount: 4" in topics("--describe", "--topic", "made")
    equal(topics("--describe", "--unavailable-partitions"), "")
    topics("--delete", "--topic", "made")
    equal(topics("--list").split(), ["__order"])


def test_kafka_configs_describes_and_alters():
    topics("--create", "--topic", "set")
    entity = ["--entity-type", "topics", "--entity-name", "set"]
    configs("--alter", *entity, "--add-config", "retention.ms=70000,compression.type=zstd")
    said = configs("--describe", *entity)
    assert "retention.ms=70000" in said and "compression.type=zstd" in said, said
    configs("--alter", *entity, "--delete-config", "retention.ms")
    assert "retention.ms" not in configs("--describe", *entity)
    assert "retention.ms=604800000" in configs("--describe", "--all", *entity)
    assert "node.id=1" in configs("--describe", "--all", "--entity-type", "brokers", "--entity-name", "1")


def test_the_console_producer_and_consumer_pass_records_on():
    topics("--create", "--topic", "said", "--partitions", "1")
    lines = [f"k{i}:value {i}" for i in range(1000)]
    tool(("kafka.tools." if IS_3 else TOOLS) + "ConsoleProducer", *at(), "--topic", "said", READER, "parse.key=true",
         READER, "key.separator=:", "--compression-codec", "gzip", stdin="\n".join(lines) + "\n")
    consumer = [TOOLS + "consumer.ConsoleConsumer", *at(), "--topic", "said", FORMATTER, "print.key=true", FORMATTER, "key.separator=:"]
    out, _ = tool(*consumer, "--group", "readers", "--from-beginning", "--max-messages", "600")
    out += tool(*consumer, "--group", "readers", "--max-messages", "400")[0]
    equal(out.splitlines(), lines)
    out, _ = tool(TOOLS + "consumer.ConsoleConsumer", *at(), "--topic", "__order", "--from-beginning", "--max-messages", "2", FORMATTER, "print.headers=true")
    equal(out.splitlines(), [f"braid.topic:said,braid.partition:0,braid.offset:{i}\tvalue {i}" for i in range(2)])
    equal(tool(TOOLS + "GetOffsetShell", *at(), "--topic", "said")[0], "said:0:1000\n")
    equal(tool(TOOLS + "GetOffsetShell", *at(), "--topic", "said", "--time", "earliest")[0], "said:0:0\n")


def test_kafka_delete_records_and_log_dirs_tell_the_truth():
    topics("--create", "--topic", "cut", "--partitions", "1")
    tool(("kafka.tools." if IS_3 else TOOLS) + "ConsoleProducer", *at(), "--topic", "cut", stdin="line\n" * 10)
    path = os.path.join(tools_broker.home, "cut.json")
    with open(path, "w") as f:
        json.dump({"version": 1, "partitions": [{"topic": "cut", "partition": 0, "offset": 4}]}, f)
    said, _ = tool(TOOLS + "DeleteRecordsCommand", *at(), "--offset-json-file", path)
    assert "low_watermark: 4" in said, said
    equal(tool(TOOLS + "GetOffsetShell", *at(), "--topic", "cut", "--time", "earliest")[0], "cut:0:4\n")
    said, _ = tool(TOOLS + "LogDirsCommand", *at(), "--describe", "--topic-list", "cut")
    (found,) = json.loads(said.strip().splitlines()[-1])["brokers"][0]["logDirs"][0]["partitions"]
    equal((found["partition"], found["size"] > 0, found["offsetLag"]), ("cut-0", True, 0))


def test_the_performance_tools_run():
    topics("--create", "--topic", "fast", "--partitions", "3")
    said, _ = tool(TOOLS + "ProducerPerformance", "--topic", "fast", "--num-records", "20000", "--record-size", "200", "--throughput", "-1",
                   "--producer-props", f"bootstrap.servers={tools_broker.address}", "compression.type=lz4")
    assert "20000 records sent" in said, said
    said, _ = tool(TOOLS + "ConsumerPerformance", *at(), "--topic", "fast", "--messages" if IS_3 else "--num-records", "20000")
    assert re.search(r", 20000, ", said), said


def test_kafka_broker_api_versions_knows_every_api():
    main = ("kafka.admin." if IS_3 else TOOLS) + "BrokerApiVersionsCommand"
    said, _ = tool(main, *at())
    for api in ("Produce(0)", "Fetch(1)", "JoinGroup(11)", "IncrementalAlterConfigs(44)", "DescribeTopicPartitions(75)"):
        assert re.search(re.escape(api) + r": \d+( to \d+)? \[usable: \d+\]", said), api
    assert "UNKNOWN" not in said and " UNSUPPORTED" in said, said


for _name, _test in list(globals().items()):
    if _name.startswith(("test_kafka", "test_the_console", "test_the_perf")):
        _test.deadline_s = 120

if __name__ == "__main__":
    sys.exit(check.run(GROUP, globals()))
