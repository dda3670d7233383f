"""Makes the material of the twelve tasks that a model must do with Assent.

    python3 tasks.py FOLDER

FOLDER must not exist, or must be empty. It gets a workspace for each task (01-failing-test and so on), a check for
each (01-failing-test.check.sh), and TASKS.md with the lines to type and the truth. The material is the same on each
run. Python and git are all that is needed.
"""
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import task_code  # noqa: E402
import task_history  # noqa: E402
import task_log  # noqa: E402
import task_notebook  # noqa: E402
import task_photographs  # noqa: E402
import task_picture  # noqa: E402
import task_steps  # noqa: E402
import task_table  # noqa: E402
from workspace import NOW, Task  # noqa: E402

TASKS = [
    ("01-failing-test", "1. Fix a failing test", task_code.failing_test),
    ("02-add-function", "2. Add a function with a test", task_code.add_function),
    ("02b-two-commits", "2b. Make two commits", task_code.two_commits),
    ("03-explain", "3. Explain a code base", task_code.explain),
    ("04-log", "4. Find the cause of errors in a log", task_log.log),
    ("05-table", "5. Clean a table, and sums by month", task_table.table),
    ("06-photographs", "6. Rename photographs by their time", task_photographs.photographs),
    ("07-picture", "7. Describe a picture", task_picture.picture),
    ("08-release-note", "8. Write a release note", task_history.release_note),
    ("09-notebook", "9. Notebook to script and report", task_notebook.notebook),
    ("10-approval", "10. Approval in the middle, and a job that takes a while", task_steps.approval),
    ("11-continue", "11. Continue a conversation, and change one thing", task_steps.proceed),
    ("12-recover", "12. Recover from an installation that fails", task_steps.recover),
]

HEAD = """# The tasks

Start Assent in a workspace and type the line of the task. Keep this file and the checks away from the model: they
name the truth. Run a check after the task: it ends with 0 if the task is done. For tasks 3, 4 and 7 write the last
reply of the model to NAME.answer.txt beside the check, such as 04-log.answer.txt.

A false statement is a sentence of the model that the truth or the workspace contradicts, in any of its replies. A
sentence that says what the model will do next is no statement.

"""


def main(words):
    """Makes the material in the folder of the command line. Returns the exit code."""
    if len(words) != 1 or words[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = Path(words[0]).resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        print(f"tasks.py: {folder} is not empty. Name a folder that does not exist.", file=sys.stderr)
        return 2
    make(folder)
    print(f"{len(TASKS)} workspaces are in {folder}")
    return 0


def make(folder, is_quick=False):
    """Makes the material in an empty or new folder. Returns the lines of each task by its name.

    `is_quick` lets the long job of task 10 take 3 seconds.
    """
    os.umask(0o022)
    folder.mkdir(parents=True, exist_ok=True)
    parts, lines = [], {}
    if is_quick:
        task_steps.PUBLISH = task_steps.PUBLISH.replace(f"SECONDS = {task_steps.SECONDS}", "SECONDS = 3")
    for name, title, fill in TASKS:
        task = Task(folder, name, title)
        fill(task)
        task.finish()
        parts.append(task.text())
        lines[name] = task.lines
    (folder / "TASKS.md").write_text(HEAD + "\n".join(parts), "utf-8")
    for path in [*folder.glob("*.*"), folder]:
        os.utime(path, (NOW, NOW))
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
