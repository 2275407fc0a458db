"""A braidd of one's own for a test: a temporary directory, a port the kernel chose, everything cleaned up.

    with Broker({"num.partitions": 4}) as broker:
        broker.address            "127.0.0.1:PORT", from the start line
        broker.stop()             SIGTERM, waits for the end, wants status 0
        broker.kill()             SIGKILL (the page cache survives, so does what was written)
        broker.start()            again, on the same port and data
        broker.log()              all it ever wrote to stderr

A broker that ended by itself, or that a sanitizer complained about, makes close() fail."""
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile

import check
from check import wait_for

BRAIDD = os.path.abspath(os.path.join(os.environ.get("builddir") or ".", "braidd"))
START_S = 20
STOP_S = 10
LISTENING = re.compile(rb"listening .*bound=([^ ]*):(\d+)")
SANITIZER = re.compile(rb"runtime error:|ERROR: \w+Sanitizer|assertion failed|ASSERT", re.I)


def is_sanitized():
    """Whether braidd was built with a sanitizer: then memory and times say little."""
    with open(BRAIDD, "rb") as f:
        return b"__asan_init" in f.read()


def free_port():
    """A port outside the range that outgoing connections are given: a client that looks for a stopped broker could otherwise
    get connected to itself, and then the broker cannot come back."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as f:
        low = int(f.read().split()[0])
    for _ in range(200):
        port = 10000 + int.from_bytes(os.urandom(4), "big") % max(low - 10000, 1000)
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise AssertionError("no free port")


class Broker:
    def __init__(self, overrides=None, restarts=False, arguments=(), start=True):
        """overrides: properties. restarts: clients stay up while the broker is away (see free_port)."""
        self.home = tempfile.mkdtemp(prefix="braid-test-")
        self.data = os.path.join(self.home, "data")
        self.log_path = os.path.join(self.home, "stderr")
        self.overrides = {"log.dirs": self.data, "listeners": f"PLAINTEXT://127.0.0.1:{free_port() if restarts else 0}",
                          "group.initial.rebalance.delay.ms": 0}
        self.overrides.update(overrides or {})
        self.arguments = list(arguments)
        self.process = None
        self.port = None
        self.log_seen = 0  # the log from here on belongs to the present process
        open(self.log_path, "wb").close()
        if start:
            self.start()

    # starting

    def command(self):
        out = [BRAIDD] + self.arguments
        for key, value in self.overrides.items():
            if value is not None:
                out += ["--override", f"{key}={value}"]
        return out

    def spawn(self):
        """Starts the process without waiting for it to listen."""
        assert self.process is None
        self.log_seen = os.path.getsize(self.log_path)
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home)

    def start(self):
        self.spawn()
        found = wait_for(self._find_listening, START_S, "the start line of braidd")
        self.port = int(found.group(2))
        if self.overrides.get("listeners", "").endswith(":0"):
            self.overrides["listeners"] = f"PLAINTEXT://127.0.0.1:{self.port}"
        return self

    def _find_listening(self):
        if self.process.poll() is not None:
            raise AssertionError(f"braidd ended with {self.process.returncode}: {self.log(True)[-500:]}")
        return LISTENING.search(self.log(True).encode())

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    # stopping

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self._end(0)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        return self._end(-signal.SIGKILL)

    def _end(self, want):
        try:
            status = self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.process = None
            raise AssertionError("braidd did not stop on SIGTERM")
        self.process = None
        if status != want:
            raise AssertionError(f"braidd ended with {status}: {self.log(True)[-2000:]}")

    def restart(self, how="stop"):
        getattr(self, how)()
        return self.start()

    def close(self):
        try:
            if self.process is not None:
                if self.process.poll() is not None:
                    raise AssertionError(f"braidd ended by itself with {self.process.returncode}: {self.log(True)[-2000:]}")
                self.stop()
            bad = SANITIZER.search(self.log().encode())
            if bad:
                raise AssertionError(f"braidd complains: {self.log()[bad.start():bad.start() + 3000]}")
        finally:
            if self.process is not None and self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, _value, _trace):
        if kind is None:
            self.close()
            return
        print(f"--- the broker's log, last part\n{self.log()[-3000:]}")
        try:
            self.close()
        except AssertionError as error:
            print(error)

    # looking

    def log(self, present=False):
        with open(self.log_path, "rb") as f:
            f.seek(self.log_seen if present else 0)
            return f.read().decode(errors="replace")

    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def answers(self, seconds=5):
        """Whether the loop still turns: ApiVersions 0 by hand."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), seconds) as s:
                s.sendall(bytes.fromhex("0000000a00120000000000010000"))
                return len(s.recv(8)) > 0
        except OSError:
            return False

    def rss_kib(self):
        with open(f"/proc/{self.process.pid}/status") as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1))

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_with_broker(group, names, overrides=None, kind=Broker):
    """check.run with one broker for the whole file, as `broker` in names. A test that brings it down fails and the next one
    gets a new one. The last result line is the broker's own: that it stops well and no sanitizer complained."""
    names["broker"] = kind(overrides)

    def before():
        if not names["broker"].is_alive():
            names["broker"] = kind(overrides)

    def after(_name, good):
        broker = names["broker"]
        if not good:
            print(f"--- the broker's log, last part\n{broker.log()[-3000:]}---")
        if broker.is_alive() and (good or broker.answers()):
            return None
        why = "the broker hangs" if broker.is_alive() else "the broker ended"
        try:
            broker.close()
        except AssertionError as error:
            print(error)
        print(f"--- {why}")
        return why

    status = check.run(group, names, before, after)
    try:
        names["broker"].close()
        print(f"PASS {group}.broker_stops_well")
        return status
    except AssertionError as error:
        print(f"{error}\nFAIL {group}.broker_stops_well: see above")
        return 1
