#!/usr/bin/env bash
# Every run of `make test`, whatever becomes of the others; then, below some thousand lines, what came of each, what
# failed, and what was left behind. Ends with 1 if anything failed or was left.
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
log=.build/test.log
# Of this run alone: one that was ended takes its own away while the next begins.
part=.build/test-part-$$.log

# What waits for keys, for sockets, and for programs is not held up by what computes, nor by what keeps the whole
# machine busy.
keys='^TerminalTests[.]'
sockets='^(HTTPTests|LanguageModelsTests|EngineTests|HarnessTests)[.]'
programs='^ProgramTests[.]'
busy='ProcessLimitTests|SimulatorTests|MixedLoadTests|CrashTests|PeersTests|PeerJobTests|LitellmTests|ManyProcessesTests'

# A case says what it is about in one line: an argument that prints more needs a name of its own (Tests/CaseNames).
case_bytes=500
# What is shown of each failure.
failure_lines=12
line_columns=400

# Folders of this run's own, on the disk and in memory, that are empty at its end. The names are short: Ray puts a
# socket far below, and the path of one has 107 bytes.
folder=$(mktemp -d /tmp/at-XXXXXX) || exit 1
memory=$(mktemp -d /dev/shm/at-XXXXXX 2>/dev/null || mktemp -d "$folder/memory-XXXXXX") || exit 1
export TMPDIR=$folder ASSENT_TEST_MEMORY=$memory
tests=
trap '[ -z "$tests" ] || kill -TERM -- "-$tests" 2>/dev/null; rm -rf "$folder" "$memory" "$part"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

summary=()
failures=()

# A job has a group of its own, and hears the signals that a shell without job control would have it ignore.
set -m

# run NAME WORDS…: `swift test` with these words. Not through a pipe: that would be waited for as long as anything the
# tests left has it.
run() {
    local name=$1 status=passed counted seconds=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    "$swift" test --skip-build "$@" < /dev/null > "$part" 2>&1 &
    tests=$!
    tail -n +1 -s 0.2 -f --pid "$tests" "$part"
    wait "$tests" || status=FAILED
    tests=
    cat "$part" >> "$log"
    counted=$(sed -nE 's/^[^ ]* Test run with ([0-9]+ tests?) .*/\1/p' "$part" | tail -1)
    # A crash ends a run before it says how many there were; a filter that fits nothing runs none.
    case $counted in '' | '0 tests') status=FAILED ;; esac
    summary+=("$(printf '%-8s %-6s %s, %s s' "$name" "$status" "${counted:-ended before it was through}" $((SECONDS - seconds)))")
    [ "$status" = passed ] && return
    failures+=("$name: $(grep -cE 'recorded an issue' "$part") issues")
    failures+=("$(grep -E -A $failure_lines 'recorded an issue|^error: |Fatal error' "$part" | grep -vE '^[^ ]* (Test case passing|Test .* started)' \
        | cut -c 1-$line_columns | head -200)")
    [ -n "$counted" ] || failures+=("$(tail -20 "$part" | cut -c 1-$line_columns)")
}

# Process ids of what still runs with one of the folders in its words or its environment.
processes() {
    # Listed first: what looks for them is none of them.
    local places=(/proc/[0-9]*)
    grep -lasF -e "$folder" -e "$memory" "${places[@]/%//environ}" "${places[@]/%//cmdline}" | cut -d / -f 3 | sort -un
}

# Swift's own leftovers are not ours.
files() {
    find "$folder" "$memory" -mindepth 1 -maxdepth 1 ! -path "$memory" ! -name 'TemporaryDirectory.*' ! -name '*.lock' 2>/dev/null
}

: > "$log"
# A hundred at once would each be as slow as all of them: what one waits for would stand in line behind all the others.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=16
run keys --filter "$keys"
run rest --skip "$keys" --skip "$sockets" --skip "$programs" --skip "$busy"
run sockets --filter "$sockets" --skip "$busy"
SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 run programs --filter "$programs" --skip "$busy"
run busy --filter "$busy"

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
    failures+=("left running: $pid $(tr '\0' ' ' < "/proc/$pid/cmdline" 2>/dev/null | cut -c 1-$line_columns)")
    kill -KILL "$pid" 2>/dev/null
done
long=$(awk -v most=$case_bytes '/^[^ ]* Test case passing/ && length($0) > most' "$log")
if [ -n "$long" ]; then
    failures+=("cases that say more than $case_bytes bytes:" "$(echo "$long" | cut -c 1-160 | sort -u | head -20)")
fi

printf '\n== make test\n'
printf '%s\n' "${summary[@]}"
if [ ${#failures[@]} -gt 0 ]; then
    printf '\nFAILED:\n'
    printf '%s\n' "${failures[@]}"
    printf '\nmake test FAILED; all of it is in %s\n' "$log"
    exit 1
fi
printf 'make test passed: nothing failed, nothing was left behind\n'
