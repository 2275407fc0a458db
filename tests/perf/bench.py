#!/usr/bin/python3
"""make bench: each figure beside its floor, measured in the same run. Median of 5; a window in which others took more than 20 % of a core is
measured again up to 10 times, then the figure is INCONCLUSIVE and the exit status 77. Exit 1 when a bar is missed. See tests/perf/README.md."""
import os, shutil, signal, statistics, subprocess, sys, tempfile, time

BUILD = os.environ.get("builddir", ".")
BENCH, BRAIDD = os.path.join(BUILD, "tests/perf/bench"), os.path.join(BUILD, "braidd")
TICK = os.sysconf("SC_CLK_TCK")
REPEATS, TRIES, OTHERS_MAX = 5, 10, 0.20


def busy_seconds():
    v = [int(x) for x in open("/proc/stat").readline().split()[1:]]
    return (sum(v[:8]) - v[3] - v[4]) / TICK  # all but idle and iowait, guest counted once


def cpu_seconds(pid):
    f = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(f[11]) + int(f[12])) / TICK


class Window:
    """How much of a core others took while ours ran."""

    def __init__(self, pids):
        self.pids = pids

    def __enter__(self):
        self.start, self.busy = time.monotonic(), busy_seconds()
        self.own = sum(cpu_seconds(p) for p in self.pids)
        t = os.times()
        self.children = t.children_user + t.children_system + t.user + t.system
        return self

    def __exit__(self, *exc):
        t = os.times()
        own = sum(cpu_seconds(p) for p in self.pids) - self.own + t.children_user + t.children_system + t.user + t.system - self.children
        self.others = max(0.0, busy_seconds() - self.busy - own) / max(time.monotonic() - self.start, 1e-6)


def run(*args):
    return subprocess.run([BENCH, *map(str, args)], check=True, capture_output=True, text=True, timeout=300).stdout.split()


def start(*args):
    p = subprocess.Popen([BENCH, *map(str, args)], stdout=subprocess.PIPE, text=True)
    return p, int(p.stdout.readline())


class Broker:
    def __init__(self, directory, *overrides):
        self.log = tempfile.TemporaryFile("w+")
        args = [BRAIDD, "--override", "listeners=PLAINTEXT://127.0.0.1:0", "--override", "log.dirs=" + directory]
        for o in overrides:
            args += ["--override", o]
        self.started = time.monotonic()
        self.p = subprocess.Popen(args, stderr=self.log)
        while True:
            self.log.seek(0)
            text = self.log.read()
            if "advertised=" in text and " started " in text:
                break
            if self.p.poll() is not None:
                raise SystemExit("braidd did not start: " + text)
            time.sleep(0.001)
        self.port = int(text.split("advertised=")[1].split()[0].rsplit(":", 1)[1])

    def stop(self):
        self.p.send_signal(signal.SIGTERM)
        self.p.wait(10)


def quiet(measure, pids):
    """measure() in a quiet window, or None after TRIES."""
    for _ in range(TRIES):
        with Window(pids) as w:
            value = measure()
        if w.others <= OTHERS_MAX:
            return value
        time.sleep(0.5)
    return None


def paired(ours, floor, pids):
    """REPEATS pairs, floor first; medians, or None."""
    a, b = [], []
    for _ in range(REPEATS):
        f, o = quiet(floor, pids), quiet(ours, pids)
        if f is None or o is None:
            return None
        a.append(o)
        b.append(f)
    return statistics.median(a), statistics.median(b)


def echo_p50(request, response, count):
    p, port = start("echo-server", request, response)
    value = float(run("echo-client", port, request, response, count)[0])
    p.wait(5)
    return value


def topic(port, name, *config):
    args = [os.path.join(BUILD, "braid"), "--bootstrap-server", f"127.0.0.1:{port}", "topic", "create", name]
    for c in config:
        args += ["--config", c]
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL)


def row(name, result, unit, bar, floor_name):
    if result is None:
        print(f"{name:44} INCONCLUSIVE: others used the machine")
        return 77
    ours, floor = result
    ratio = ours / floor
    ok = ratio <= bar
    print(f"{name:44} {ours:9.2f} {unit:6} {floor_name} {floor:9.2f} {unit:6} ratio {ratio:5.2f} bar {bar:4.2f} {'PASS' if ok else 'FAIL'}")
    return 0 if ok else 1


def single(name, value, unit, bar):
    ok = value <= bar
    print(f"{name:44} {value:9.2f} {unit:6} bar {bar:.0f} {unit} {'PASS' if ok else 'FAIL'}")
    return 0 if ok else 1


def latency(directory):
    b = Broker(os.path.join(directory, "latency"), "braid.journal.file.bytes=1048576")
    topic(b.port, "cache", "braid.durability=page-cache")
    topic(b.port, "disk", "braid.durability=fsync")
    request, response = map(int, run("sizes", b.port, "cache"))
    results = []
    r = paired(lambda: float(run("produce", b.port, "cache", 20000)[0]), lambda: echo_p50(request, response, 20000), [b.p.pid])
    results.append(row("page-cache produce p50, 100 B, one in flight", r, "us", 1.5, "echo"))
    run("produce", b.port, "disk", 12000)  # one pass over the journal, so that its blocks are recycled
    sync_file = os.path.join(directory, "sync")
    floor = lambda: float(run("sync", sync_file, 512, 2000)[0]) + echo_p50(request, response, 5000)
    r = paired(lambda: float(run("produce", b.port, "disk", 2000)[0]), floor, [b.p.pid])
    results.append(row("fsync produce p50, 100 B, one in flight", r, "us", 1.3, "sync+echo"))
    b.stop()
    return results


def ingest(directory, mib=512):
    def ours():
        d = os.path.join(directory, "ours")
        b = Broker(d)
        topic(b.port, "bench", "braid.durability=page-cache")
        before = cpu_seconds(b.p.pid)
        run("load", f"127.0.0.1:{b.port}", "bench", mib)
        used = cpu_seconds(b.p.pid) - before
        b.stop()
        shutil.rmtree(d)
        return used * 1024 / mib

    def floor():
        d = os.path.join(directory, "floor")
        os.mkdir(d)
        p, port = start("ingest", d)
        run("load", f"127.0.0.1:{port}", "bench", mib)
        used = cpu_seconds(p.pid)
        p.kill()
        p.wait()
        shutil.rmtree(d)
        return used * 1024 / mib

    return [row("page-cache ingest, 1 KiB, broker CPU per GiB", paired(ours, floor, []), "s", 1.6, "floor")]


def start_and_memory(directory):
    d = os.path.join(directory, "start")
    b = Broker(d)
    args = [os.path.join(BUILD, "braid"), "--bootstrap-server", f"127.0.0.1:{b.port}", "topic", "create", "ten", "--partitions", "10"]
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([os.path.join(BUILD, "braid"), "--bootstrap-server", f"127.0.0.1:{b.port}", "produce", "ten"], input="x\n" * 1000, text=True, check=True)
    b.stop()
    times = []
    for _ in range(REPEATS):
        b = Broker(d)
        import socket
        s = socket.create_connection(("127.0.0.1", b.port))
        s.sendall(bytes.fromhex("0000000a" "0012" "0000" "00000001" "0000"))
        s.recv(4)
        times.append((time.monotonic() - b.started) * 1000)
        s.close()
        b.stop()
    results = [single("start with 10 partitions to the first answer", statistics.median(times), "ms", 50)]
    b = Broker(d)
    time.sleep(5)
    rss = int([l for l in open(f"/proc/{b.p.pid}/status") if l.startswith("VmRSS")][0].split()[1]) / 1024
    results.append(single("resident memory 5 s after start", rss, "MiB", 32))
    b.stop()
    return results


def main():
    directory = tempfile.mkdtemp(prefix="braid-bench-", dir=os.environ.get("BENCH_DIR", "."))
    try:
        results = latency(directory) + ingest(directory) + start_and_memory(directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return 1 if 1 in results else 77 if 77 in results else 0


if __name__ == "__main__":
    sys.exit(main())
