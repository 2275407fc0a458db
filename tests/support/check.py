"""Runs the tests of one Python file: each is a function with a sentence for a name, each ends in one result line.

    from check import Skip, run
    def test_a_fact_that_holds(): ...
    if __name__ == "__main__":
        sys.exit(run("group", globals()))

A test fails by any exception; Skip(why) says that it cannot run here. Each has a deadline (DEADLINE_S, or the function's own
`deadline_s`), so that nothing hangs. `run` takes names to run only some: FILE.py test_one test_two."""
import os
import signal
import sys
import time
import traceback

DEADLINE_S = 60


class Skip(Exception):
    """The test cannot run here; the text says why."""


class Late(BaseException):
    """The deadline passed. Not an Exception, so that no retry loop swallows it."""


def wait_for(condition, seconds, what):
    """Polls until condition() is true and returns what it gave; fails with `what` when the time is over."""
    end = time.monotonic() + seconds
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.005)


def equal(got, want, what=""):
    if got != want:
        raise AssertionError(f"{what + ': ' if what else ''}got {got!r}, want {want!r}")


def _on_alarm(_number, _frame):
    raise Late()


def _why(error):
    text = str(error).split("\n")[0] or type(error).__name__
    return text if isinstance(error, AssertionError) else f"{type(error).__name__}: {text}"


def _run_one(name, test, deadline_s):
    signal.signal(signal.SIGALRM, _on_alarm)
    signal.alarm(deadline_s)
    try:
        test()
        return f"PASS {name}", True
    except Skip as why:
        return f"SKIP {name}: {why}", True
    except Late:
        traceback.print_exc(file=sys.stdout)
        return f"FAIL {name}: not done within its deadline", False
    except Exception as error:
        traceback.print_exc(file=sys.stdout)
        return f"FAIL {name}: {_why(error)}", False
    finally:
        signal.alarm(0)


def run(group, names, before=None, after=None):
    """Runs every test_* of the dictionary in the order written. before() runs first in each test's time; after(name, good) behind it may
    give a reason why the test failed after all."""
    wanted = sys.argv[1:]
    all_good = True
    tests = [(n, f) for n, f in names.items() if n.startswith("test_") and callable(f)]
    tests = [(n, f) for n, f in tests if not wanted or n in wanted]
    for name, test in tests:
        started = time.monotonic()
        line, good = _run_one(f"{group}.{name[5:]}", lambda: (before and before(), test()), getattr(test, "deadline_s", DEADLINE_S))
        why = after(name, good) if after else None
        if why and good:
            line, good = f"FAIL {group}.{name[5:]}: {why}", False
        all_good = all_good and good
        print(line)
        if os.environ.get("CHECK_TIMES"):
            print(f"   {time.monotonic() - started:.2f} s")
        sys.stdout.flush()
    return 0 if all_good and tests else 1
