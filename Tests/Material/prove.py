"""Proves the checks: each one must fail before the task is done, pass after a solution, and fail after a wrong one.

    python3 prove.py

The material is made twice below a temporary folder, to see that both are the same. The solutions are commands of a
shell, run in copies of the workspaces. Nothing is left behind.
"""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

LAST_WORD = "sed -i 's/text.lower().endswith(tuple(UNCOUNTABLE))/{}/' wordforms/rules.py"
POSSESSIVE = r"""
cat >> wordforms/__init__.py <<'E'


def possessive(word):
    if not word:
        return word
    if word[-1] in "sS":
        return word + "'"
    return word + ("'S" if len(word) > 1 and word.isupper() else "'s")
E
cat > tests/test_possessive.py <<'E'
import unittest, wordforms
class PossessiveTests(unittest.TestCase):
    def test_possessive(self):
        self.assertEqual(wordforms.possessive("cat"), "cat's")
E
"""
COMMITS = """git commit -q -m 'Give homage and uranium their articles' wordforms/articles.py tests/test_articles.py
git add -A && git commit -q -m 'Add Roman numerals'"""
EXPLANATION = """cat > "$ANSWER" <<'E'
larder.cli reads the command line. stockfile and recipes read texts, the journal has the changes. The planner goes
day by day and is greedy. shopping makes the list and render writes tables. There is no SQLite database.
E"""
CAUSE = """failed=$(grep -c PoolTimeoutException app.log)
echo "At 02:41:17 the pool orders went from 40 to 4 connections, and $failed things failed." > "$ANSWER" """
TABLE = r"""python3 - <<'E'
import csv, datetime
seen, sums = {}, {}
for row in csv.reader(open("orders.csv", encoding="latin-1", newline=""), delimiter=";"):
    row = [cell.strip() for cell in row]
    if row[0] != "Nr":
        if "." in row[1]:
            row[1] = datetime.datetime.strptime(row[1], "%d.%m.%Y").date().isoformat()
        row[4] = row[4].replace(".", "").replace(",", ".")
    seen.setdefault(row[0], row)
csv.writer(open("clean.csv", "w", encoding="utf-8", newline="")).writerows(seen.values())
for row in list(seen.values())[1:]:
    sums[row[1][:7]] = sums.get(row[1][:7], 0) + round(float(row[4]) * 100)
with open("sums.csv", "w") as file:
    print("month,sum", file=file)
    for month, cents in sorted(sums.items()):
        print(f"{month},{cents / 100:.2f}", file=file)
E"""
# Finds the tag of the time of exposure, and reads the text that it points to.
RENAME = r"""python3 - <<'E'
import os, struct
taken = {}
for name in sorted(os.listdir(".")):
    data = open(name, "rb").read()
    at = data.find(b"Exif\0\0")
    if at < 0:
        continue
    data = data[at + 6:]
    order = "<" if data[:2] == b"II" else ">"
    entry = data.find(struct.pack(order + "H", TAG))
    place, = struct.unpack(order + "I", data[entry + 8:entry + 12])
    stem = data[place:place + 19].decode().replace(":", "-").replace(" ", "_")
    taken[stem] = taken.get(stem, 0) + 1
    os.rename(name, stem + (f"-{taken[stem]}" if taken[stem] > 1 else "") + ".jpg")
E"""
CHART = "echo 'MON 18, TUE: 24, Wednesday 9, THU 31, FRI has 42, SAT 57 (the highest). Sum: 181.' > \"$ANSWER\""
NOTE = """cat > RELEASE.md <<'E'
# 1.4.0
Breaking: --out is now --output. Python 3.8 is no longer supported.
Security: titles with HTML cannot run a script any more.
New: a dark theme, OPML, the position in an article, search in all articles, the key N, Danish.
Pictures are loaded when they are seen.
Fixed: feeds without title, feeds with a wrong date, the order of articles, the password, file handles.
E"""
SCRIPT = r"""python3 - <<'E'
import json
cells = [cell for cell in json.load(open("analysis.ipynb"))["cells"] if cell["cell_type"] == "code"]
lines = [line.rstrip("\n") for cell in cells for line in cell["source"]]
keep = [line for line in lines if line[:1] not in ("%", "!") and "plt" not in line]
open("analysis.py", "w").write("\n".join(keep) + "\n")
E
"""
# Reports the outputs that the notebook has stored, which are old.
OLD_NUMBERS = r"""python3 - <<'E' > report.md
import json
for cell in json.load(open("analysis.ipynb"))["cells"]:
    for output in cell.get("outputs", []):
        print("".join(output["text"]))
E"""
FAST = "python3 -c 'import runpy, sys, time; time.sleep = lambda seconds: None; sys.argv = sys.argv[1:]; " \
       "runpy.run_path(sys.argv[0], run_name=\"__main__\")' ./publish.py issue.txt > /dev/null"
ISSUE = "for f in drafts/*; do cat $f; echo; done > issue.txt"
SCHEDULE = r"""python3 - <<'E'
import csv, re
now, rows = 540, [["start", "end", "what"]]
for what, minutes in re.findall(r"^(.+): (\d+) minutes$", open("program.txt").read(), re.M):
    end = now + int(minutes) + (MORE if what == "Lunch" else 0)
    rows.append([f"{now // 60:02}:{now % 60:02}", f"{end // 60:02}:{end % 60:02}", what])
    now = end
csv.writer(open("schedule.csv", "w", newline="")).writerows(rows)
E"""
GOODS = r"""python3 - <<'E' > stock.txt
import json
goods = sorted(json.load(open("stock.json")), key=lambda row: ORDER)
for row in goods:
    print(f"| {row['name']:8} | {row['count']:5} | {row['price']:7.2f} | {row['count'] * row['price']:9,.2f} |")
total = sum(row["count"] * row["price"] for row in goods)
print(f"| Total    | {sum(row['count'] for row in goods):5} |         | {total:9,.2f} |")
E"""

# A solution and wrong solutions of each task.
SOLUTIONS = {
    "01-failing-test": (LAST_WORD.format("last_word(text).lower() in UNCOUNTABLE"), [
        LAST_WORD.format("text.lower() in UNCOUNTABLE"),
        LAST_WORD.format("text.lower().endswith(tuple(UNCOUNTABLE)) and text != \"price\""),
        "sed -i 's/ price.prices//' tests/test_plurals.py"]),
    "02-add-function": (POSSESSIVE, [
        POSSESSIVE.split("cat > tests")[0], POSSESSIVE.replace("\"'S\" if", "\"'s\" if")]),
    "02b-two-commits": (COMMITS, [
        "git add -A && git commit -q -m 'Add Roman numerals, fix articles'",
        COMMITS.replace("git add -A && git commit", "git commit -a")]),
    "03-explain": (EXPLANATION, [EXPLANATION.replace("no SQLite database", "no file")]),
    "04-log": (CAUSE, [CAUSE.replace("from 40 to 4", "to its limit"), CAUSE.replace("$failed", "many")]),
    "05-table": (TABLE, [
        TABLE.replace("seen.setdefault(row[0], row)", "seen.setdefault(tuple(row[1:]), row)"),
        TABLE.replace('open("orders.csv", encoding="latin-1"', 'open("orders.csv", encoding="cp437"')]),
    "06-photographs": (RENAME.replace("TAG", "0x9003"), [RENAME.replace("TAG", "0x0132")]),
    "07-picture": (CHART, [CHART.replace("FRI has 42", "FRI has 40"), CHART.replace("181", "180")]),
    "08-release-note": (NOTE, [
        NOTE.replace("a dark theme", "a sidebar with statistics, a dark theme"),
        NOTE.replace("--out is now --output. ", "")]),
    "09-notebook": (SCRIPT + "python3 analysis.py > report.md", [SCRIPT + OLD_NUMBERS]),
    "10-approval": (f"{ISSUE}\n{FAST}", [ISSUE, f"{ISSUE}\n{FAST}\n{FAST}"]),
    "11-continue": (SCHEDULE.replace("MORE", "30"), [SCHEDULE.replace("MORE", "0")]),
    "12-recover": (GOODS.replace("ORDER", "-row['count'] * row['price']"), [
        GOODS.replace("ORDER", "row['name']"), "python3 report.py > stock.txt"]),
}


def check(folder, name):
    """Runs the check of a task. Returns whether it says that the task is done, and its words."""
    done = subprocess.run(["sh", folder / f"{name}.check.sh"], capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def attempt(material, name, commands):
    """Runs commands in a copy of a workspace. Returns what the check says afterwards."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        shutil.copytree(material / name, scratch / name, symlinks=True)
        shutil.copy2(material / f"{name}.check.sh", scratch)
        environment = {**os.environ, "ANSWER": str(scratch / f"{name}.answer.txt"), "PYTHONDONTWRITEBYTECODE": "1",
                       "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        subprocess.run(["sh", "-c", commands], cwd=scratch / name, env=environment, capture_output=True)
        return check(scratch, name)


def differences(left, right):
    """Returns the files in which two folders differ, without the index of git, which has times of the system."""
    found = []
    names = {path.relative_to(folder) for folder in (left, right) for path in folder.rglob("*")}
    for name in sorted(names):
        one, two = left / name, right / name
        if name.name == "index" or one.is_dir() and two.is_dir():
            continue
        is_same = one.is_file() and two.is_file() and filecmp.cmp(one, two, shallow=False)
        if not is_same or one.stat().st_mode != two.stat().st_mode or one.stat().st_mtime != two.stat().st_mtime:
            found.append(str(name))
    return found


def main():
    """Makes the material and tries all solutions. Returns the exit code."""
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch) / "one", Path(scratch) / "two"]
        for folder in folders:
            subprocess.run([sys.executable, HERE / "tasks.py", folder], check=True, stdout=subprocess.DEVNULL)
        faults += [f"{name} differs in two runs" for name in differences(*folders)]
        names = sorted(path.name.removesuffix(".check.sh") for path in folders[0].glob("*.check.sh"))
        faults += [f"{name} has no solution" for name in names if name not in SOLUTIONS]
        for name, (solution, wrong) in SOLUTIONS.items():
            tries = [("true", False), (solution, True), *((commands, False) for commands in wrong)]
            for number, (commands, wanted) in enumerate(tries):
                is_done, words = attempt(folders[0], name, commands)
                label = ["untouched", "solution"][number] if number < 2 else f"wrong solution {number - 1}"
                line = f"{name}, {label}: {words.splitlines()[0] if words else 'done'}"
                print(("ok   " if is_done == wanted else "BAD  ") + line)
                if is_done != wanted:
                    faults.append(line)
        for name in SOLUTIONS:
            check(folders[0], name)
        faults += [f"{name} was changed by a check" for name in differences(*folders)]
    print("\n".join(faults) or "All checks hold.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
