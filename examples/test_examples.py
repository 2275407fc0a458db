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
    for args in (["produce_consume", address or "", "greetings"], ["order_three_topics", address or ""]):
        run = subprocess.run([os.path.join(build, "examples", args[0])] + args[1:], capture_output=True, text=True, timeout=90)
        ok = run.returncode == 0
        failed += not ok
        print(f"PASS examples.{args[0]}" if ok else f"FAIL examples.{args[0]}: {run.stdout.strip()} {run.stderr.strip()[-300:]}")
    broker.terminate()
    broker.wait(10)
sys.exit(failed > 0)
