"""Task 9: a notebook with outputs of older data, to become a script and a report."""
import datetime
import json
import random
import statistics

CELLS = [
    ("markdown", "# Bicycles at the bridge\n\nHow many bicycles crossed the bridge each day in spring?"),
    ("code", "%matplotlib inline\nimport csv\nimport datetime\nimport statistics\n"
             "import matplotlib.pyplot as plt"),
    ("code", "with open('counts.csv', newline='') as file:\n"
             "    rows = [(datetime.date.fromisoformat(row['day']), int(row['bicycles']))\n"
             "            for row in csv.DictReader(file) if row['bicycles']]\nprint(len(rows), 'days')"),
    ("markdown", "Days without a number were rainy: the counter was switched off."),
    ("code", "!head -3 counts.csv"),
    ("code", "numbers = [number for _, number in rows]\n"
             "print('mean', round(statistics.mean(numbers), 1))\nprint('median', statistics.median(numbers))"),
    ("code", "best = max(rows, key=lambda row: row[1])\nprint('best day', best[0], best[1])"),
    ("markdown", "Weekends and weekdays differ:"),
    ("code", "weekend = [number for day, number in rows if day.weekday() >= 5]\n"
             "weekday = [number for day, number in rows if day.weekday() < 5]\n"
             "ratio = statistics.mean(weekend) / statistics.mean(weekday)\n"
             "print('weekend / weekday', round(ratio, 2))"),
    ("code", "plt.plot([day for day, _ in rows], numbers)\nplt.title('Bicycles')\nplt.show()"),
    ("code", "months = {}\nfor day, number in rows:\n"
             "    months.setdefault(day.strftime('%Y-%m'), []).append(number)\n"
             "for month, values in sorted(months.items()):\n    print(month, sum(values))"),
]


def notebook(task):
    """Makes counts.csv and analysis.ipynb."""
    dice = random.Random(9)
    rows = []
    for offset in range(92):
        day = datetime.date(2025, 3, 1) + datetime.timedelta(days=offset)
        number = dice.randrange(180, 420) + offset * 2 + (160 if day.weekday() >= 5 else 0)
        rows.append((day, None if dice.random() < 0.08 else number))
    lines = [f"{day},{'' if number is None else number}" for day, number in rows]
    task.write("counts.csv", "day,bicycles\n" + "\n".join(lines) + "\n")
    # The notebook was run when the table ended with the 18th of May.
    older = [row for row in rows if row[0] <= datetime.date(2025, 5, 18)]
    outputs, old = _results(rows), _results(older)
    cells, count = [], 0
    for kind, source in CELLS:
        cell = {"cell_type": kind, "id": f"cell{len(cells):02}", "metadata": {}, "source": _lines(source)}
        if kind == "code":
            count += 1
            cell.update(execution_count=count, outputs=[])
            words = old.get(source.split("(")[0].split(" ")[0]) or ("\n".join(["day,bicycles", *lines[:2]])
                                                                    if source.startswith("!") else "")
            if words:
                cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": _lines(words + "\n")}]
        cells.append(cell)
    task.write("analysis.ipynb", json.dumps({
        "cells": cells,
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                     "language_info": {"name": "python", "version": "3.11.2"}},
        "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n")
    task.lines = ["Turn analysis.ipynb into a script analysis.py that needs only Python itself and prints the same "
                  "results (leave the plot out). Run it, and write a short report.md with its numbers."]
    new_words, old_words = (" / ".join(" ".join(text.split("\n")) for text in results.values())
                            for results in (outputs, old))
    task.truth = f"""
- analysis.ipynb has {len(CELLS)} cells. Its magics (%matplotlib, !head) and the plot are no part of the script.
- The outputs that are stored in the notebook are old: the table ended with the 18th of May 2025 then. The script
  prints other numbers, and the report must have those. An answer that calls both equal is false.
- Numbers of today: {new_words}.
- Numbers in the notebook: {old_words}.
- {sum(number is None for _, number in rows)} of 92 days have no number.
"""
    task.check("""
need_unchanged(given["files"])
text = read("analysis.py")
need(not re.search("matplotlib|get_ipython|^[%!]", text, re.M), "analysis.py has parts of the notebook")
result = run("python3", "analysis.py")
need(result.returncode == 0, f"analysis.py fails: {result.stderr[-200:]}")
places = {"analysis.py": result.stdout, "report.md": read("report.md").replace(",", "")}
for place, text in places.items():
    found = set(map(float, re.findall(r"\\d+(?:\\.\\d+)?", text)))
    missing = [number for number in given["numbers"] if float(number) not in found]
    need(not missing, f"{place} does not say {', '.join(missing)}")
""", files=task.digests(["counts.csv", "analysis.ipynb"]), numbers=_numbers(outputs))


def _results(rows):
    """Returns the outputs of the cells, by the first word of their sources."""
    rows = [row for row in rows if row[1] is not None]
    numbers = [number for _, number in rows]
    best = max(rows, key=lambda row: row[1])
    weekend = [number for day, number in rows if day.weekday() >= 5]
    weekday = [number for day, number in rows if day.weekday() < 5]
    ratio = statistics.mean(weekend) / statistics.mean(weekday)
    months = {}
    for day, number in rows:
        months[f"{day:%Y-%m}"] = months.get(f"{day:%Y-%m}", 0) + number
    return {
        "with": f"{len(rows)} days",
        "numbers": f"mean {round(statistics.mean(numbers), 1)}\nmedian {statistics.median(numbers)}",
        "best": f"best day {best[0]} {best[1]}",
        "weekend": f"weekend / weekday {round(ratio, 2)}",
        "months": "\n".join(f"{month} {number}" for month, number in sorted(months.items())),
    }


def _numbers(outputs):
    """Returns the numbers that the script and the report must have."""
    return [line.split(" ")[0] if line.endswith("days") else line.split(" ")[-1]
            for text in outputs.values() for line in text.split("\n")]


def _lines(text):
    """Returns a text as a list of lines, as notebooks store it."""
    return text.splitlines(keepends=True)
