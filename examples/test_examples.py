#!/usr/bin/python3
"""Runs the examples against a broker of their own."""
import os, re, subprocess, sys, tempfile, time

build = os.environ.get("builddir", ".")
failed = 0
with tempfile.TemporaryDirectory() as d, open(os.path.join(d, "log"), "w+") as log:
    broker = subprocess.Popen([os.path.join(build, "braidd"), "--override", "listeners=PLAINTEXT://127.0.0.1:0", "--override", "log.dirs=" + d + "/data",
                               "--override", "group.initial.rebalance.delay.ms=0"], stderr=log)
    address, until = None, time.monotonic() + 20
    while not address and time.monotonic() < until and broker.poll() is None:
        found = re.search(r"advertised=(\S+)", open(log.name).read())
        address = found and found.group(1)
        time.sleep(0.01)
    address = address or ""

    def program(*args):
        return [os.path.join(build, *args[0].split("/"))] + list(args[1:])

    def result(name, ok, why):
        global failed
        failed += not ok
        print(f"PASS examples.{name}" if ok else f"FAIL examples.{name}: {why}")

    def braid(*args, stdin=None):
        subprocess.run(program("braid", "--bootstrap-server", address, *args), input=stdin, capture_output=True, text=True, timeout=60, check=True)

    for topic, partitions in (("accounts", 8), ("stock", 1), ("docs", 3), ("customers", 1), ("orders", 1), ("lines", 1), ("noise", 1)):
        braid("topic", "create", topic, "--partitions", str(partitions))
    for args in (["produce_consume", address, "greetings"], ["order_three_topics", address], ["bank", address], ["aggregate", address], ["change_feed", address]):
        run = subprocess.run(program("examples/" + args[0], *args[1:]), capture_output=True, text=True, timeout=90)
        result(args[0], run.returncode == 0, f"{run.stdout.strip()} {run.stderr.strip()[-300:]}")

    # The index is killed while documents come, several times; what it holds in the end is right.
    def document(i):
        return f"all number-{i % 7} {'even' if i % 2 == 0 else 'odd'}"

    state, total, kills = os.path.join(d, "index"), 400, 0
    for batch in range(4):
        indexer = subprocess.Popen(program("examples/index", address, state, str(total)), stdout=subprocess.DEVNULL)
        before = os.path.getmtime(state) if os.path.exists(state) else 0
        for part in range(3):
            braid("produce", "docs", "--partition", str(part), stdin="".join(document(i) + "\n" for i in range(batch * 100, batch * 100 + 100) if i % 3 == part))
        until = time.monotonic() + 20
        while batch < 3 and time.monotonic() < until and not (os.path.exists(state) and os.path.getmtime(state) > before):
            time.sleep(0.001)
        if batch < 3:
            kills += indexer.poll() is None
            indexer.kill()
        indexer.wait(30)
    rows = open(state).read().split("\n")
    got = dict(r.split() for r in rows[2:] if r)
    want = {}
    for i in range(total):
        for word in document(i).split():
            want[word] = str(int(want.get(word, "0")) + 1)
    result("index", rows[0].startswith("braid-cut-1:") and got == want and kills == 3, f"kills {kills}, got {got}, want {want}")
    broker.terminate()
    broker.wait(10)
sys.exit(failed > 0)
