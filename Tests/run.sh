#!/usr/bin/env bash
# Runs all tests, or with `quick` those that start no process. Every group runs whatever becomes of the others; then, below
# the lines of the groups, what came of each, the slowest suites, what failed, and what was left behind. Ends with 1 if
# anything failed or was left.
set -uo pipefail
cd "$(dirname "$0")/.."
# Times are written with a point.
export LC_NUMERIC=C
# A make that a test starts is no part of the make that started the tests.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
mode=${1:-all}
bundle=.build/debug/assentPackageTests.xctest
log=.build/test.log
# Of this run alone: one that was ended takes its own away while the next begins.
parts=$(mktemp -d .build/test-parts-XXXXXX) || exit 1

# Groups run in three lanes, one after the other in each. Where one lane waits, for keys, for a retry or for the kernel's
# namespaces, another computes. The lanes are balanced by the time that they take beside each other.
keys='^TerminalTests[.]'
sockets='^(HTTPTests|LanguageModelsTests|EngineTests|HarnessTests)[.]'
programs='^ProgramTests[.]'
tools='^ToolsTests[.]'
# Rehearsals in folders of their own, one after the other in each test.
rehearsals='^ToolsTests[.](HostileShellTests|HiddenFilesTests)'
limits='ProcessLimitTests'
busy='ProcessLimitTests|SimulatorTests|MixedLoadTests|CrashTests|PeersTests|PeerJobTests|LitellmTests|ManyProcessesTests|PhotographTests'

# A case says what it is about in one line: an argument that prints more needs a name of its own (Tests/CaseNames).
case_bytes=500
# What is shown of each failure.
failure_lines=40
line_columns=400
# How many of the slowest suites are named.
slowest_suites=10
# How many tests of a group run at once: a hundred would each be as slow as all of them, since what one waits for would
# stand in line behind all the others.
width=16
program_width=8
busy_width=4

# Folders of this run's own, on the disk and in memory, that are empty at its end. The names are short: Ray puts a
# socket far below, and the path of one has 107 bytes.
folder=$(mktemp -d /tmp/at-XXXXXX) || exit 1
memory=$(mktemp -d /dev/shm/at-XXXXXX 2>/dev/null || mktemp -d "$folder/memory-XXXXXX") || exit 1
export TMPDIR=$folder ASSENT_TEST_MEMORY=$memory
lanes=()
# What a group that was cut has said so far is kept, too.
leave() {
    for lane in "${lanes[@]}"; do kill -TERM -- "-$lane" 2>/dev/null; done
    for part in "$parts"/*.log; do
        [ -e "${part%.log}.status" ] || { echo "cut short: $(basename "$part" .log)"; cat "$part"; } >> "$log" 2>/dev/null
    done
    rm -rf "$folder" "$memory" "$parts"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A lane has a process group of its own, and hears the signals that a shell without job control would have it ignore.
set -m

# group NAME WIDTH WORDS…: the tests that these words choose. Writes the output, the events and the times into $parts. The
# bundle runs by itself: of `swift test` only one may run at a time.
group() {
    local name=$1 width=$2
    shift 2
    echo "$name began"
    TIMEFORMAT='%R %U %S'
    { time SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$width "$bundle" --testing-library swift-testing \
        --event-stream-output-path "$parts/$name.events" --event-stream-version 6.3 "$@" \
        < /dev/null > "$parts/$name.log" 2>&1; } 2> "$parts/$name.times"
    local status=$?
    # Without its colours.
    sed -i 's/\x1b\[[0-9;]*m//g' "$parts/$name.log"
    flock "$parts" cat "$parts/$name.log" >> "$log"
    echo $status > "$parts/$name.status"
    grep -aE '^[^ ]* (Suite|Test run|Test "?[^ ]+"? recorded an issue)' "$parts/$name.log" | grep -aE ' (passed|failed) after | recorded an issue' \
        | cut -c 1-$line_columns | sed "s/^/$name: /"
}

# Seconds of tests by suite, of which the events tell. Times of tests that ran at once add up.
suites() {
    cat "$parts"/*.events 2>/dev/null | jq -rn '
        reduce (inputs | select(.kind == "event") | .payload | select(.kind == "testCaseStarted" or .kind == "testCaseEnded"))
            as $event ({};
            ($event.testID | split("/")[0]) as $suite
            | $event.instant.absolute as $at
            | .[$suite] = (.[$suite] // 0) + (if $event.kind == "testCaseStarted" then -$at else $at end))
        | to_entries | sort_by(-.value)[:'$slowest_suites'][] | "\(.value * 10 | round / 10) s  \(.key)"'
}

# ended GROUP…: adds each group to the summary and its failures to the list.
summary=()
failures=()
tests=0
failed=0
ended() {
    local name status code counted real user system
    for name in "$@"; do
        status=passed
        code=$(cat "$parts/$name.status" 2>/dev/null || echo none)
        [ "$code" = 0 ] || status=FAILED
        counted=$(sed -nE 's/^[^ ]* Test run with ([0-9]+ tests?) .*/\1/p' "$parts/$name.log" 2>/dev/null | tail -1)
        # A crash ends a run before it says how many there were; a filter that fits nothing runs none.
        case $counted in '' | '0 tests') status=FAILED ;; esac
        [ -z "$counted" ] || tests=$((tests + ${counted%% *}))
        read -r real user system < <(tail -1 "$parts/$name.times" 2>/dev/null || echo 0 0 0)
        summary+=("$(printf '%-10s %-6s %-11s %4.0f s, %4.0f s of processors' "$name" "$status" "${counted:-cut short}" "$real" \
            "$(echo "${user:-0} + ${system:-0}" | bc)")")
        [ "$status" = passed ] && continue
        failed=$((failed + $(grep -aE '^[^ ]* Test .* failed after ' "$parts/$name.log" | grep -avcE '^[^ ]* Test (run|case) ')))
        failures+=("$name: $(grep -acE 'recorded an issue' "$parts/$name.log") issues, exit status $code")
        # A signal that ended the bundle is named beside its times.
        failures+=("$(head -n -1 "$parts/$name.times" 2>/dev/null | cut -c 1-$line_columns)")
        failures+=("$(grep -aE -A $failure_lines 'recorded an issue|^error: |Fatal error' "$parts/$name.log" \
            | grep -avE '^[^ ]* (Test case passing|Test .* started)' | cut -c 1-$line_columns | head -200)")
        [ -n "$counted" ] || failures+=("$(tail -20 "$parts/$name.log" | cut -c 1-$line_columns)")
    done
}

# Process ids of what still runs with one of the folders in its words or its environment.
processes() {
    # Listed first: what looks for them is none of them.
    local places=(/proc/[0-9]*)
    grep -lasF -e "$folder" -e "$memory" "${places[@]/%//environ}" "${places[@]/%//cmdline}" | cut -d / -f 3 | sort -un
}

# Whether a process is the inner half of a bubblewrap whose outer half was killed before it said "go on": it waits for that
# word for ever, and no option of bubblewrap ends it (docs/design/platform.md). Tests that kill Assent hit that moment at times.
waits_for_the_dead() {
    local number=- place=0 _ parent
    parent=$(awk '$1 == "PPid:" { print $2 }' "/proc/$1/status" 2>/dev/null)
    [ "$(cat "/proc/$1/comm" 2>/dev/null)" = bwrap ] && [ "$(cat "/proc/$parent/comm" 2>/dev/null)" != bwrap ] || return 1
    read -r number place _ < "/proc/$1/syscall" 2>/dev/null
    # The call "read" on x86 and on ARM.
    [ "$number" = 0 ] || [ "$number" = 63 ] || return 1
    [[ "$(readlink "/proc/$1/fd/$((place))" 2>/dev/null)" == *eventfd* ]]
}

# Swift's own leftovers are not ours.
files() {
    find "$folder" "$memory" -mindepth 1 -maxdepth 1 ! -path "$memory" ! -name 'TemporaryDirectory.*' ! -name '*.lock' 2>/dev/null
}

: > "$log"
began=$SECONDS
echo "load $(cut -d ' ' -f 1-3 /proc/loadavg) on $(nproc) processors"
if [ "$mode" = quick ]; then
    # A tenth of the seeds: the simulator is the longest of all that starts no process.
    export ASSENT_QUICK=1 SIM_COUNT=30 FAIL_POINTS_STEP=10
    # The engine's suites are serialized: beside the others they end in time.
    group engines $width --filter '^EngineTests[.]' & lanes+=($!)
    group others $width --skip '^EngineTests[.]' & lanes+=($!)
    wait "${lanes[@]}"
    ended engines others
else
    unset ASSENT_QUICK FAIL_POINTS_STEP
    {
        group programs $program_width --filter "$programs" --skip "$busy"
        group rest $width --skip "$keys" --skip "$sockets" --skip "$programs" --skip "$tools" --skip "$busy"
    } & lanes+=($!)
    {
        group keys $width --filter "$keys"
        group tools $program_width --filter "$tools" --skip "$busy" --skip "$rehearsals"
    } & lanes+=($!)
    {
        group busy $busy_width --filter "$busy" --skip "$limits"
        group sockets $width --filter "$sockets" --skip "$busy"
        group rehearsals $program_width --filter "$rehearsals"
    } & lanes+=($!)
    wait "${lanes[@]}"
    # By itself: while it makes thousands of processes, others cannot.
    group limits $width --filter "$limits" & lanes=($!)
    wait "${lanes[@]}"
    ended keys sockets rest tools rehearsals busy programs limits
fi
lanes=()
# Of suites that are skipped as a whole each test is told by itself, too; a suite's own id ends in no place in a file.
skipped=$(cat "$parts"/*.events 2>/dev/null | jq -rn '[inputs | .payload
    | select(.kind == "testSkipped" or .kind == "testCancelled") | .testID | select(test(":[0-9]+:[0-9]+$"))] | unique | length')

# Servers of other people are ended by their keeper once the tests are gone.
for _ in $(seq 60); do
    [ -z "$(processes)$(files)" ] && break
    sleep 0.5
done
left=$(files)
if [ -n "$left" ]; then
    failures+=("left in the temporary folder ($(du -sh $left 2>/dev/null | awk '{ print $1 }' | paste -sd ' ')):" "$(echo "$left" | head -40)")
fi
running=$(processes)
for pid in $running; do
    if waits_for_the_dead "$pid"; then
        echo "ended a bubblewrap that waited for its killed half: $pid"
        kill -KILL "$pid" 2>/dev/null
        continue
    fi
    # The end says of which lab it is.
    failures+=("left running: $pid $(tr '\0' ' ' < "/proc/$pid/cmdline" 2>/dev/null | sed -E 's/^(.{100}).*(.{400})$/\1 … \2/')")
    kill -KILL "$pid" 2>/dev/null
done
long=$(awk -v most=$case_bytes '/^[^ ]* Test case passing/ && length($0) > most' "$log")
if [ -n "$long" ]; then
    failures+=("cases that say more than $case_bytes bytes:" "$(echo "$long" | cut -c 1-160 | sort -u | head -20)")
fi

printf '\n== the slowest suites, in seconds of their tests\n'
suites
printf '\n== make %s\n' "$([ "$mode" = quick ] && echo quick || echo test)"
printf '%s\n' "${summary[@]}"
echo "in all $((SECONDS - began)) s"
[ "$mode" != quick ] || echo "$((tests - skipped)) of $tests tests start no process"
printf '%s passed, %s failed, %s skipped\n' $((tests - failed - skipped)) "$failed" "$skipped"
if [ ${#failures[@]} -gt 0 ]; then
    printf '\nFAILED:\n'
    printf '%s\n' "${failures[@]}"
    printf '\nmake test FAILED; all of it is in %s\n' "$log"
    exit 1
fi
printf 'make %s passed: nothing failed, nothing was left behind\n' "$([ "$mode" = quick ] && echo quick || echo test)"
