"""The workspace of a task, its check, and its part of TASKS.md.

All files get the same fixed time and fixed modes, so that two runs of the script make the same material.
"""
import calendar
import hashlib
import json
import os
import subprocess
from pathlib import Path

# Thursday, 12 March 2026, 09:00 UTC.
NOW = calendar.timegm((2026, 3, 12, 9, 0, 0))
SOURCES = Path(__file__).resolve().parent / "sources"

PRELUDE = '''#!/bin/sh
# Exits with 0 if the task is done, and else names what is missing.
# Usage: sh {name}.check.sh [WORKSPACE [ANSWER]]
# ANSWER is a file with the last reply of the model. Only some tasks need it.
workspace=${{1:-$(dirname "$0")/{name}}}
answer=${{2:-$workspace.answer.txt}}
export PYTHONDONTWRITEBYTECODE=1 GIT_OPTIONAL_LOCKS=0
exec python3 - "$workspace" "$answer" <<'END'
import csv, hashlib, json, os, re, subprocess, sys
from pathlib import Path

workspace, answer_path = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
given = json.loads(r"""{given}""")
faults = []


def need(condition, words):
    if not condition:
        faults.append(words)
    return bool(condition)


def read(name):
    path = workspace / name
    if not need(path.is_file(), f"{{name}} does not exist"):
        return ""
    return path.read_text("utf-8", "replace")


def answer():
    if not need(answer_path.is_file(), "there is no answer of the model to check"):
        return ""
    return answer_path.read_text("utf-8", "replace")


def digest(name):
    path = workspace / name
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def need_unchanged(names):
    for name, known in names.items():
        need(digest(name) == known, f"{{name}} was changed")


def need_words(text, patterns, place):
    for pattern in patterns:
        need(re.search(pattern, text, re.I | re.S), f"{{place}} says nothing of /{{pattern}}/")


def run(*words, **options):
    return subprocess.run(words, cwd=workspace, capture_output=True, text=True, errors="replace", **options)


def git(*words):
    return run("git", "-c", "safe.directory=*", *words).stdout


def need_tests(least):
    result = run("python3", "-m", "unittest", "-q")
    ran = re.search(r"Ran (\\d+) tests?", result.stderr)
    need(result.returncode == 0, "tests fail")
    need(ran and int(ran[1]) >= least, f"fewer than {{least}} tests ran")


'''
EPILOGUE = '''
for fault in faults:
    print(f"not done: {fault}")
sys.exit(1 if faults else 0)
END
'''


class Task:
    """A task: its workspace, the lines that the user types, the check, and the truth."""

    def __init__(self, folder, name, title):
        """Makes the empty workspace `name` below `folder`."""
        self.folder, self.name, self.title = folder, name, title
        self.path = folder / name
        self.path.mkdir()
        self.lines, self.answers, self.truth = [], [], ""

    def write(self, name, content, executable=False):
        """Writes a file of the workspace. A text becomes UTF-8."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(0o755 if executable else 0o644)

    def copy(self, source):
        """Copies a folder of sources into the workspace."""
        for path in sorted((SOURCES / source).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                self.write(path.relative_to(SOURCES / source), path.read_bytes())

    def edit(self, name, *changes):
        """Replaces texts of a file. Each text must stand in the file exactly once."""
        text = (self.path / name).read_text("utf-8")
        for old, new in changes:
            if text.count(old) != 1:
                raise ValueError(f"{name}: {old!r} stands {text.count(old)} times in the file")
            text = text.replace(old, new)
        self.write(name, text)

    def files(self):
        """Returns the files of the workspace without those of git, sorted."""
        paths = (path for path in self.path.rglob("*") if path.is_file())
        return sorted(path for path in paths if ".git" not in path.relative_to(self.path).parts)

    def digests(self, names):
        """Returns the SHA-256 of files by their names, for a check."""
        return {name: hashlib.sha256((self.path / name).read_bytes()).hexdigest() for name in names}

    def commit(self, history):
        """Makes the repository of the workspace. Its work tree becomes that of the last commit.

        `history` is a list of dictionaries: `subject`, `body`, `files` (name to bytes), `author`, `time` (seconds
        since 1970), and `tag`.
        """
        stream = []
        for mark, entry in enumerate(history, 1):
            message = entry["subject"] + ("\n\n" + entry["body"] if entry.get("body") else "") + "\n"
            who = f"{entry['author']} {entry['time']} +0000"
            stream.append(f"commit refs/heads/main\nmark :{mark}\nauthor {who}\ncommitter {who}\n".encode())
            stream.append(_data(message.encode()))
            if mark > 1:
                stream.append(f"from :{mark - 1}\n".encode())
            for name, content in entry["files"].items():
                stream.append(f"M 100644 inline {name}\n".encode() + _data(content))
            if "tag" in entry:
                stream.append(f"tag {entry['tag']}\nfrom :{mark}\ntagger {who}\n".encode())
                stream.append(_data(f"Version {entry['tag'][1:]}\n".encode()))
        self.git("init", "-q", "-b", "main", "--template=")
        self.git("config", "user.name", "Ada Example")
        self.git("config", "user.email", "ada@example.org")
        self.git("fast-import", "--quiet", "--date-format=raw", "--done", input=b"".join(stream) + b"done\n")
        self.git("reset", "-q", "--hard")

    def git(self, *words, **options):
        """Runs git in the workspace, without the settings of the user."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        clean.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull, TZ="UTC")
        clean.update(GIT_COMMITTER_NAME="Ada Example", GIT_COMMITTER_EMAIL="ada@example.org",
                     GIT_COMMITTER_DATE=f"{NOW} +0000")
        done = subprocess.run(
            ["git", *words], cwd=self.path, env=clean, check=True, stdout=subprocess.PIPE, **options)
        return done.stdout.decode()

    def check(self, body, **given):
        """Writes the check. `body` is Python that calls `need`, and `given` are the values that it knows."""
        text = PRELUDE.format(name=self.name, given=json.dumps(given, indent=1)) + body.strip("\n") + EPILOGUE
        path = self.folder / f"{self.name}.check.sh"
        path.write_text(text, "utf-8")
        path.chmod(0o755)

    def finish(self):
        """Gives all files and folders of the workspace their time and modes."""
        for path in sorted(self.path.rglob("*"), reverse=True) + [self.path]:
            if path.is_dir():
                path.chmod(0o755)
            elif ".git" in path.relative_to(self.path).parts[:1] and "objects" not in path.parts:
                path.chmod(0o644)
            os.utime(path, (NOW, NOW))
        if (self.path / ".git").exists():
            # Status writes the times of the files into the index. The index must be younger than the files.
            self.git("status", "--porcelain")
            for path in [*(self.path / ".git").rglob("*"), self.path / ".git"]:
                os.utime(path, (NOW + 60, NOW + 60))

    def text(self):
        """Returns the part of TASKS.md."""
        lines = "".join(f"> {line}\n>\n" for line in self.lines).removesuffix(">\n")
        answers = "".join(f"- {line}\n" for line in self.answers)
        return (
            f"## {self.title}\n\nWorkspace: {self.name}. The user types:\n\n{lines}\n"
            + (f"If the model asks:\n\n{answers}\n" if answers else "")
            + f"Check: `sh {self.name}.check.sh`\n\nThe truth:\n\n{self.truth.strip()}\n"
        )


def _data(content):
    """Returns a data command of git fast-import."""
    return f"data {len(content)}\n".encode() + content + b"\n"
