#!/bin/sh
# Kafka's own programs against the braidd of a build directory: run.sh [BUILDDIR]. Ends in `N passed, N failed, N skipped`; where Java,
# Maven or the artefacts are not to be had, that is a SKIP with the reason. All that is fetched or made lies in BUILDDIR/clients.
# CLIENTS_VERSIONS="3.9.2 4.4.0" names the releases.
here=$(cd "$(dirname "$0")" && pwd)
srcdir=$(cd "$here/../.." && pwd)
builddir=$(cd "${1:-build}" && pwd) || exit 1
versions=${CLIENTS_VERSIONS:-3.9.2 4.4.0}
work=$builddir/clients
export srcdir builddir PYTHONDONTWRITEBYTECODE=1
mkdir -p "$work" || exit 1
rm -f "$work"/*.log

skip() { echo "SKIP clients_$1: $2" | tee "$work/$1.log"; }

# What is missing, or nothing.
missing() {
    for program in java javac mvn; do
        command -v $program >/dev/null || { echo "$program is not installed"; return; }
    done
    javac --release 17 -version >/dev/null 2>&1 || echo "Java is older than 17"
    [ -x /usr/bin/python3 ] || echo "/usr/bin/python3 is not installed"
}

run_version() { # run_version 3.9.2
    dir=$work/$1
    mkdir -p "$dir/classes"
    if [ ! -f "$dir/fetched" ]; then
        if ! mvn -q -B -f "$here/java/pom.xml" -Dmaven.repo.local="$work/repository" -Dkafka.version="$1" \
            dependency:copy-dependencies -DoutputDirectory="$dir/jars" </dev/null >"$dir/mvn.out" 2>&1; then
            skip "$1" "Maven could not get Kafka $1 (see $dir/mvn.out)"
            return
        fi
        touch "$dir/fetched"
    fi
    if ! javac -proc:none -d "$dir/classes" -cp "$dir/jars/*" "$here/java/Clients.java" >"$dir/javac.out" 2>&1; then
        cat "$dir/javac.out"
        echo "FAIL clients_$1: Clients.java does not compile" | tee "$work/$1.log"
        return
    fi
    {
        CLIENTS_VERSION=$1 CLIENTS_PATH="$dir/jars/*:$dir/classes" /usr/bin/python3 "$here/clients.py" 2>&1
        echo $? >"$dir/status"
    } | tee "$work/$1.log"
    [ "$(cat "$dir/status")" = 0 ] || grep -q '^FAIL' "$work/$1.log" || echo "FAIL clients_$1: clients.py ended early" | tee -a "$work/$1.log"
}

why=$(missing)
for version in $versions; do
    if [ -n "$why" ]; then skip "$version" "$why"; else run_version "$version"; fi
done
echo
"$srcdir/tests/summary.sh" "$work"/*.log && exit 0
! grep -qs '^FAIL' "$work"/*.log && ! grep -qsv '^SKIP' "$work"/*.log # all skipped is no failure
