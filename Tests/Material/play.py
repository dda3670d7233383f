"""Plays the twelve tasks again with the replies of a strong model, in one dialect of model servers or in each.

    python3 play.py [--assent PROGRAM] [--dialect NAME] [--only TASK]… [--quick] FOLDER

FOLDER must be new or empty. It gets the material (tasks.py), and for each dialect and task the requests, the replies
and what the terminal showed. The replies are those of `replies/`, which were written by hand from nothing but the
requests. The user says yes to each question. Each check must pass, each reply must be used, and no further one must be
wanted. --quick lets the long job of task 10 take 3 seconds in place of 75. It ends with 0 if all of it held.
"""
import argparse
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import dialects  # noqa: E402
import tasks  # noqa: E402
from count import count  # noqa: E402

# The longest time of one line, in seconds. Where nothing is beside it, the longest job takes 75.
LINE_SECONDS = 600
# How long the terminal must be silent before a question is answered.
QUIET_SECONDS = 0.4

HINT = re.compile(r"(?:type ([^·\n]*?) and Enter)?(?:, or )?(?:press [^·\n]*?)? · Esc: no answer\s*$")


def answer(shown):
    """Returns the keys that agree to the question at the end of a text, or None if there is no question.

    Where rows of the question are hidden, they must be looked at before: d.
    """
    hint = HINT.search(shown)
    if not hint:
        return None
    return "y\r" if "y" in (hint[1] or "").split() else "d"


def plain(text):
    """Returns a text without the sequences of the terminal."""
    text = re.sub(r"\x1b\][^\x07\x1b]*(\x07|\x1b\\)", "", text)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][A-Z0-9]?", "", text)


def ask(program, words, workspace, environment):
    """Runs a line on a terminal of 80 columns, and says yes to each question.

    Returns the exit code, all that was shown, and the number of questions.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(workspace)
        os.execve(program, [program, *words], environment)
    subprocess.run(["stty", "rows", "50", "columns", "80"], stdin=terminal, check=True)
    shown, new, questions = "", "", 0
    end = time.monotonic() + LINE_SECONDS
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], QUIET_SECONDS)
        if ready:
            try:
                piece = os.read(terminal, 1 << 16)
            except OSError:
                piece = b""
            if not piece:
                break
            new += piece.decode("utf-8", "replace")
            continue
        keys = answer(plain(new)[-400:])
        if keys:
            shown, new, questions = shown + new, "", questions + (keys != "d")
            os.write(terminal, keys.encode())
    else:
        os.kill(child, signal.SIGKILL)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown + new, questions


def play(program, name, lines, folder, dialect):
    """Plays a task in a copy of its workspace. Returns its faults, and the number of questions."""
    run = folder / dialect / name
    run.mkdir(parents=True)
    workspace = run / "work"
    shutil.copytree(folder / "tasks" / name, workspace, symlinks=True)
    replies = json.loads((HERE / "replies" / f"{name}.json").read_text("utf-8"))
    with dialects.Server(dialect, replies, run) as server:
        home = run / "home"
        (home / "config").mkdir(parents=True)
        (home / "config" / "models.yaml").write_text(
            "models: assent.models/v1\nprofiles:\n"
            f"  hand: {{title: Hand, url: '{server.url}', dialect: {dialect}, window: 200000, max_tokens: 8000, "
            "vision: true}\n")
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(run), "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "ASSENT_HOME": str(home), "ASSENT_MODEL_PROFILE": "hand", "ASSENT_MODEL": "hand", "ASSENT_API_KEY": "none",
        }
        faults, questions = [], 0
        for number, line in enumerate(lines):
            # The second line of task 11 says in brackets what the user does before.
            words = ["ask", *(["--continue"] if number else []), re.sub(r"^\(Leave Assent.*?\) ", "", line)]
            code, shown, asked = ask(program, words, workspace, environment)
            (run / f"shown-{number + 1}.txt").write_text(shown, "utf-8")
            questions += asked
            if code != 0:
                faults.append(f"line {number + 1} ended with {code}: {' '.join(plain(shown).split())[-600:]}")
        faults += server.faults()
    words = run / "answer.txt"
    words.write_text(subprocess.run(
        [sys.executable, str(HERE / "count.py"), "--answer", str(run)], capture_output=True, text=True, check=True
    ).stdout, "utf-8")
    check = subprocess.run(
        ["sh", str(folder / "tasks" / f"{name}.check.sh"), str(workspace), str(words)], capture_output=True, text=True,
        check=False)
    if check.returncode != 0:
        faults.append(f"the check failed: {(check.stdout + check.stderr).strip()[-600:]}")
    return faults, questions


def main(words):
    """Plays what the command line says. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assent", default=str(HERE.parents[1] / ".build" / "debug" / "assent"))
    parser.add_argument("--dialect", choices=dialects.ALL)
    parser.add_argument("--only", action="append")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args(words)
    folder = chosen.folder.resolve()
    made = tasks.make(folder / "tasks", is_quick=chosen.quick)
    names = chosen.only or list(made)
    has_faults = False
    for dialect in [chosen.dialect] if chosen.dialect else dialects.ALL:
        sums = [0, 0, 0]
        for name in names:
            faults, questions = play(chosen.assent, name, made[name], folder, dialect)
            requests, turns, tokens, _ = count(folder / dialect / name)
            for place, figure in enumerate((turns, tokens, questions)):
                sums[place] += figure
            print(f"{'✗' if faults else '✓'} {dialect} {name}: {turns} turns, {tokens} tokens, {questions} questions")
            for fault in faults:
                print(f"    {fault}")
            has_faults = has_faults or bool(faults)
            sys.stdout.flush()
        print(f"{dialect}: {sums[0]} turns, {sums[1]} tokens, {sums[2]} questions")
    return 1 if has_faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
