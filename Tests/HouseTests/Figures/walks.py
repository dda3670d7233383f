"""Counts six ways through the program from lists of files: `walks/NAME.txt`, one stop a line, paths below Sources.

A list names the files in the order in which a line, a call, a photograph, a job, an undo or a setting passes them. When a
file moves or is merged into another one, its line moves with it.
"""

import glob
import os

EXECUTABLE = "assent"


def read_walks(folder, root):
    """Returns the stops of each walk by its name. Raises if a list names a file that the checkout does not have."""
    walks = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        with open(path, encoding="utf-8") as file:
            stops = [line.strip() for line in file if line.strip() and not line.startswith("#")]
        missing = sorted({stop for stop in stops if not os.path.exists(os.path.join(root, "Sources", stop + ".swift"))})
        if missing:
            raise SystemExit(f"{path} names files that Sources does not have: {', '.join(missing)}")
        name = os.path.splitext(os.path.basename(path))[0]
        walks[name] = [stop for index, stop in enumerate(stops) if index == 0 or stop != stops[index - 1]]
    return walks


def module_changes(stops):
    """Returns how often the next stop is in another module."""
    modules = [stop.split("/")[0] for stop in stops]
    return sum(1 for before, after in zip(modules, modules[1:]) if before != after)


def visits(stops, module=EXECUTABLE):
    """Returns how often a walk enters `module`."""
    modules = [stop.split("/")[0] for stop in stops]
    return sum(1 for index, name in enumerate(modules) if name == module and (index == 0 or modules[index - 1] != module))
