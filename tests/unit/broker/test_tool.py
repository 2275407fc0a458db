#!/usr/bin/python3
"""The braid tool against a broker of its own: every subcommand, human and --json."""
import glob, json, os, re, subprocess, sys, tempfile, time

build = os.path.abspath(os.environ.get("builddir", "."))
failed = 0


def check(name, ok, why=""):
    global failed
    failed += not ok
    print(f"PASS tool.{name}" if ok else f"FAIL tool.{name}: {why}")


def braid(*args, stdin=None):
    r = subprocess.run([os.path.join(build, "braid"), "--bootstrap-server", address, *args], input=stdin, capture_output=True, text=True, timeout=60)
    return r.returncode, r.stdout, r.stderr


def lines(text):
    return [json.loads(x) for x in text.splitlines()]


with tempfile.TemporaryDirectory() as d, open(os.path.join(d, "log"), "w+") as log:
    broker = subprocess.Popen([os.path.join(build, "braidd"), "--override", "listeners=PLAINTEXT://127.0.0.1:0", "--override", "log.dirs=" + d + "/data",
                               "--override", "group.initial.rebalance.delay.ms=0"], stderr=log)
    address, until = "", time.monotonic() + 20
    while not address and time.monotonic() < until and broker.poll() is None:
        found = re.search(r"advertised=(\S+)", open(log.name).read())
        address = found.group(1) if found else ""
        time.sleep(0.01)
    rc, out, err = braid("topic", "create", "t", "--partitions", "2", "--config", "retention.ms=1000000000")
    check("topic_create", rc == 0 and "t created" in out, err)
    rc, out, err = braid("topic", "create", "t")
    check("topic_create_twice_fails_naming_the_topic", rc == 1 and "t" in err and "exists" in err.lower(), err)
    rc, out, err = braid("--json", "topic", "list")
    check("topic_list_json", rc == 0 and {"topic": "t", "partitions": 2} in lines(out), out + err)
    rc, out, err = braid("produce", "t", "--partition", "1", "--key-separator", ":", stdin="a:1\nb:2\nc\n")
    check("produce", rc == 0, err)
    rc, out, err = braid("--json", "consume", "t", "--partition", "1", "--to-end")
    got = [(r["offset"], r["key"], r["value"]) for r in lines(out)]
    check("consume_json", rc == 0 and got == [(0, "a", "1"), (1, "b", "2"), (2, None, "c")], out + err)
    rc, out, err = braid("consume", "t", "--partition", "1", "--from", "1", "--count", "1")
    check("consume_from_an_offset", rc == 0 and out.split() == ["1", "1", "b", "2"], out + err)
    rc, out, err = braid("consume", "t", "--group", "g", "--count", "3")
    check("consume_in_a_group", rc == 0 and len(out.splitlines()) == 3, out + err)
    rc, out, err = braid("consume", "t", "--group", "g", "--to-end")
    check("consume_in_a_group_refuses_what_it_cannot_do", rc == 2 and "--to-end" in err, out + err)
    check("help_after_a_command", all(braid(c, "--help")[::2] == (0, "") for c in ("topic", "produce", "consume", "order", "dump")))
    rc, out, err = braid("--json", "order", "read")
    rows = lines(out)
    check("order_read", rc == 0 and [(r["topic"], r["partition"], r["offset"]) for r in rows] == [("t", 1, 0), ("t", 1, 1), ("t", 1, 2)], out + err)
    rc, out, err = braid("--json", "order", "tail")
    check("order_tail", rc == 0 and lines(out)[0]["end"] == rows[-1]["position"] + 1, out + err)
    rc, out, err = braid("topic", "create", "audit", "--config", "braid.order.view=t,app-*")
    check("topic_create_makes_a_view", rc == 0 and "audit created" in out, out + err)
    rc, out, err = braid("topic", "describe", "audit")
    check("topic_describe_shows_what_a_view_is_of", rc == 0 and "braid.order.view=t,app-*\n" in out, out + err)
    check("topic_describe_says_nothing_of_views_elsewhere", "braid.order" not in braid("topic", "describe", "t")[1])
    rc, out, err = braid("--json", "order", "read", "--view", "audit")
    check("order_read_of_a_view", rc == 0 and lines(out) == rows, out + err)
    rc, out, err = braid("--json", "order", "tail", "--view", "audit")
    check("order_tail_of_a_view", rc == 0 and lines(out)[0] == {"start": rows[0]["position"], "end": rows[-1]["position"] + 1}, out + err)
    rc, out, err = braid("order", "follow", "--view", "audit", "--from", str(rows[1]["position"]), "--count", "2")
    check("order_follow_of_a_view", rc == 0 and [x.split()[0] for x in out.splitlines()] == [str(r["position"]) for r in rows[1:]], out + err)
    rc, out, err = braid("order", "position", "t", "1", "2")
    check("order_position", rc == 0 and int(out) == rows[2]["position"], out + err)
    rc, out, err = braid("--json", "order", "position", str(rows[2]["position"]))
    check("order_position_back", rc == 0 and lines(out) == [{"topic": "t", "partition": 1, "offset": 2}], out + err)
    rc, out, err = braid("order", "position", "t", "1", "3")
    check("order_position_of_nothing_is_one_line", rc == 1 and err.startswith("braid: t-1 offset 3:") and err.count("\n") == 1, out + err)
    rc, out, err = braid("--json", "order", "cut", "t")
    cut = lines(out)[0] if rc == 0 else {}
    check("order_cut", rc == 0 and cut["position"] >= rows[-1]["position"] + 1 and cut["cut"].startswith("braid-cut-1:") and
          cut["partitions"] == [{"topic": "t", "partition": 0, "offset": 0}, {"topic": "t", "partition": 1, "offset": 3}], out + err)
    rc, out, err = braid("order", "cut", "--at", str(rows[1]["position"]), "t*")
    check("order_cut_at_a_position", rc == 0 and out.splitlines()[2].split() == ["1", "t-1"], out + err)
    rc, out, err = braid("order", "wait", str(rows[-1]["position"] + 1))
    check("order_wait", rc == 0 and out.startswith("stable up to"), out + err)
    rc, out, err = braid("order", "wait", str(rows[-1]["position"] + 1000000), "--timeout-ms", "50")
    check("order_wait_says_how_far_it_came", rc == 1 and "not in time: stable up to" in err, out + err)
    rc, out, err = braid("--json", "order", "follow", "--speculative", "--from", "0", "--count", "3", "t")
    events = lines(out)
    check("order_follow_speculative", rc == 0 and [e["position"] for e in events if e["event"] == "record"] == [r["position"] for r in rows] and
          events[-1]["event"] == "confirm" and events[-1]["position"] > rows[-1]["position"], out + err)
    rc, out, err = braid("order", "trim", str(rows[1]["position"]))
    check("order_trim", rc == 0 and out.split()[-1] == str(rows[1]["position"]), out + err)
    rc, out, err = braid("--json", "order", "read")
    check("order_trim_leaves_the_rest", [r["position"] for r in lines(out) if r["topic"] == "t"] == [r["position"] for r in rows[1:]], out + err)
    rc, out, err = braid("--json", "topic", "describe", "t")
    check("topic_describe", rc == 0 and lines(out)[1]["end"] == 3 and {"config": "braid.durability", "value": "fsync", "is_default": True} in lines(out), out + err)
    rc, out, err = braid("consume", "missing")
    check("missing_topic_is_one_line", rc == 1 and err.startswith("braid: ") and err.count("\n") == 1, err)
    check("wrong_arguments_exit_2", braid("order", "sideways")[0] == 2 and braid("nothing")[0] == 2)
    for suffix, what in ((".log", "records"), (".journal", "lsn"), (".order", "position"), (".positions", "position")):
        files = glob.glob(d + "/data/**/*" + suffix, recursive=True)
        rc, out, err = braid("--json", "dump", *files)
        check("dump" + suffix.replace(".", "_"), rc == 0 and any(what in r for r in lines(out)), str(files) + err)
    rc, out, err = braid("topic", "create", "odd", "--config", 'leader.replication.throttled.replicas=a"\\b')
    rc, out, err = braid("--json", "topic", "describe", "odd")
    check("odd_settings_are_json", {"config": "leader.replication.throttled.replicas", "value": 'a"\\b', "is_default": False} in lines(out), err)
    braid("produce", "odd", stdin="a\0b\n")
    rc, out, err = braid("consume", "odd", "--to-end")
    check("a_value_with_a_nul_is_printed_whole", rc == 0 and out.endswith("\ta\0b\n"), repr(out) + err)
    with open("/dev/full", "w") as full:
        for command in (("consume", "t", "--partition", "1", "--to-end"), ("dump", *glob.glob(d + "/data/t-1/*.log"))):
            r = subprocess.run([os.path.join(build, "braid"), "--bootstrap-server", address, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            check("full_output_is_a_failure_of_" + command[0], r.returncode == 1 and "could not be written" in r.stderr, str(r.returncode) + r.stderr)
    rc, out, err = braid("topic", "delete", "t")
    check("topic_delete", rc == 0 and "t deleted" in out, err)
    broker.terminate()
    broker.wait(10)
sys.exit(failed > 0)
