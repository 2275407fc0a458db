# The stages of `./quickstart check`, sourced by it: each leaves result lines in log files that check_logs names.
# A stage that fails adds a FAIL line; the rest still run, so that one run tells all.

stage_logs=build-check/stages
mkdir -p build-check
rm -rf "$stage_logs"
mkdir -p "$stage_logs"

# run_stage NAME command...: one result line for the stage itself, its output kept in a log.
run_stage() {
    name=$1
    shift
    stage "$name"
    if "$@" >"$stage_logs/$name.out" 2>&1; then
        echo "PASS stage.$name" >"$stage_logs/$name.log"
    else
        tail -n 60 "$stage_logs/$name.out"
        echo "FAIL stage.$name: see $stage_logs/$name.out" >"$stage_logs/$name.log"
    fi
    stage_end
}

build_werror() { build build-check/plain --enable-werror; }
suite() { make -C build-check/plain check -k -j"$jobs" VERBOSE=1; }
# The named subset under sanitizers: everything that parses outside bytes or keeps state.
sanitized() {
    build build-check/sanitize --enable-werror --enable-sanitize=address,undefined &&
    make -C build-check/sanitize check-sanitized -k -j"$jobs" VERBOSE=1
}
analyze() { make -C build-check/plain analyze; }
install_tree() {
    rm -rf build-check/root
    make -C build-check/plain install DESTDIR="$top/build-check/root" &&
    "$top/build-check/root/usr/local/sbin/braidd" --version &&
    "$top/build-check/root/usr/local/bin/braid" --version
}
# The distribution builds, installs and runs outside this tree: a subset of the suite is enough to see that nothing is missing from it.
dist() {
    make -C build-check/plain distcheck DISTCHECK_CONFIGURE_FLAGS=--enable-werror \
        TESTS="$(echo tests/lint/*.sh tests/unit/*/test_*.py examples/test_examples.py tests/interop/test_cli.py tests/fuzz/canary.sh)"
}

check_logs() {
    find build-check/stages build-check/plain/tests build-check/sanitize/tests -name '*.log' 2>/dev/null
}

rm -rf build-check/plain/tests build-check/sanitize/tests
run_stage build build_werror
run_stage suite suite
run_stage sanitize sanitized
run_stage analyze analyze
run_stage install install_tree
run_stage distcheck dist
