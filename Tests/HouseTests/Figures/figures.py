#!/usr/bin/env python3
"""Prints the figures of the structure of a checkout, one `name value` a line: figures.py [ROOT [WALKS]].

ROOT is the checkout that holds these scripts, if it is not given. WALKS is a folder of lists as `walks` here. With
`--where NAME` it prints the places that a figure counts instead. With `--places` it prints the places of each figure
below its line, each after a tab. `FiguresTests` holds that no figure grows.
"""

import collections
import os
import re
import sys

sys.dont_write_bytecode = True

import duplicates
import swift_source
import walks

HERE = os.path.dirname(os.path.abspath(__file__))
WIDEST_LINE = 120
MOST_BRANCHES = 15

_MODIFIERS = r"(?:(?:private|fileprivate|internal|package|public|static|final|lazy|nonisolated|weak)(?:\(set\))? )*"
_CLOSURE = re.compile(
    r"\s*" + _MODIFIERS + r"(?:var|let) `?\w+`?\s*:\s*"
    r"(?:\(?\s*(?:@Sendable|@escaping|@MainActor)|\(?\(.*\)\s*(?:async\s*)?(?:throws(?:\(\w+\))?\s*)?->)"
)
_UNWRAP = re.compile(r"[\w\)\]]!(?!=)(?=[\s\.\)\],;\[\}:?]|$)")
_TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:package |public |private |fileprivate |final |indirect |nonisolated )*"
    r"(?:struct|enum|class|actor|protocol)\s+`?(\w+)",
    re.M,
)
_FUNCTION = re.compile(r"(?<![.\w`])(?:func\s+([^\s(<]+)|init[?]?\s*(?=[(<]))")
_BRANCH = re.compile(r"(?<![.\w`])(?:if|guard|for|while|case|catch|repeat)\b|&&|\|\|| \? |\?\?")


def lines_of_code(texts):
    """Returns the place and the code of each line that is no comment."""
    return [
        (f"{path}:{number}", swift_source.code_of_line(line))
        for path, text in sorted(texts.items())
        for number, line in enumerate(text.split("\n"), 1)
        if not swift_source.is_comment(line)
    ]


def lines_that(lines, test):
    """Returns the places of all lines of code for which `test` holds."""
    return [place for place, line in lines if test(line)]


def wide_lines(texts):
    """Returns the places of all lines, comments too, that are wider than `WIDEST_LINE`."""
    return [
        f"{path}:{number}"
        for path, text in sorted(texts.items())
        for number, line in enumerate(text.split("\n"), 1)
        if len(line) > WIDEST_LINE
    ]


def branching_functions(texts):
    """Returns the functions with more than `MOST_BRANCHES` ways through them."""
    found = []
    for path, text in sorted(texts.items()):
        code = swift_source.blanked(text)
        for match in _FUNCTION.finditer(code):
            if match.group(1) is None and code[: match.start()].rstrip().endswith("."):
                continue
            body = _body(code, match.end())
            ways = 1 + len(_BRANCH.findall(body))
            if ways > MOST_BRANCHES:
                line = code.count("\n", 0, match.start()) + 1
                found.append(f"{path}:{line} {match.group(1) or 'init'} {ways}")
    return found


def _body(code, at):
    """Returns the body of the function whose name ends at `at`, or nothing if it has none, as in a protocol."""
    depth = 0
    while at < len(code):
        sign = code[at]
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "{" and depth == 0:
            break
        elif sign in "};" and depth == 0:
            return ""
        elif sign == "\n" and depth == 0 and not code[at + 1 : at + 120].lstrip().startswith(("{", "async", "throws", "->", "where")):
            return ""
        at += 1
    start, depth = at, 0
    while at < len(code):
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        at += 1
        if depth == 0:
            break
    return code[start:at]


def names_twice(paths):
    """Returns the names that two or more files have."""
    names = collections.Counter(os.path.basename(path) for path in paths)
    return sorted(name for name, count in names.items() if count > 1)


def types_twice(texts):
    """Returns the names of types that two or more files declare at their top level, and not privately."""
    places = collections.defaultdict(set)
    for path, text in texts.items():
        for match in _TYPE.finditer(text):
            if "private" not in match.group(0):
                places[match.group(1)].add(path)
    return sorted(name for name, found in places.items() if len(found) > 1)


def gerund_files(paths):
    """Returns the files whose name ends with -ing. A ring and a string are no gerunds."""
    names = (os.path.basename(path) for path in paths)
    return sorted(name for name in names if re.search(r"ing\.swift$", name) and not re.search(r"([Rr]ing|Thing)\.swift$", name))


def lines_of_modules(texts):
    """Returns the lines of each module."""
    lines = collections.Counter()
    for path, text in texts.items():
        lines[path.split("/")[0]] += text.count("\n")
    return lines


def limits_of_one_module(texts):
    """Returns the limits of Vocabulary that only one module uses, or none."""
    users = collections.defaultdict(set)
    for path, text in texts.items():
        for name in re.findall(r"Limits\.(\w+)", text):
            users[name].add(path)
    found = []
    for path, text in sorted(texts.items()):
        if not re.match(r"Vocabulary/.*Limits\.swift$", path):
            continue
        for name in re.findall(r"static let (\w+)", text):
            modules = {other.split("/")[0] for other in users[name] if other != path}
            if len(modules) <= 1:
                found.append(f"{path} {name}: {', '.join(modules) or 'unused'}")
    return found


def figures(root, lists):
    """Returns the figures of a checkout: for each name its value, and what it counts if that can be listed."""
    texts = swift_source.read_sources(root)
    modules = lines_of_modules(texts)
    code = lines_of_code(texts)
    counted = {
        "closures": lines_that(code, _CLOSURE.match),
        "tries": lines_that(code, re.compile(r"\btry\?").search),
        "unwraps": lines_that(code, _UNWRAP.search),
        "columns": wide_lines(texts),
        "branches": branching_functions(texts),
        "file-names-twice": names_twice(texts),
        "types-twice": types_twice(texts),
        "gerunds": gerund_files(texts),
        "duplicates": [" ~ ".join(pair) for pair in sorted(duplicates.duplicate_pairs(texts))],
        "limits": limits_of_one_module(texts),
    }
    values = {name: (len(places), places) for name, places in counted.items()}
    values["lines"] = (sum(modules.values()), None)
    values["largest-module"] = (max(modules.values()), [f"{name} {count}" for name, count in modules.most_common()])
    for name, stops in walks.read_walks(lists, root).items():
        values[f"changes-{name}"] = (walks.module_changes(stops), None)
        values[f"visits-{name}"] = (walks.visits(stops), None)
    return values


def main(words):
    listed = None
    if "--where" in words:
        index = words.index("--where")
        listed = words[index + 1]
        del words[index : index + 2]
    lists_all = "--places" in words
    words = [word for word in words if word != "--places"]
    root = words[0] if words else os.path.join(HERE, "..", "..", "..")
    lists = words[1] if len(words) > 1 else os.path.join(HERE, "walks")
    values = figures(root, lists)
    if listed:
        print("\n".join(values[listed][1] or []))
        return
    for name, (count, places) in values.items():
        print(f"{name} {count}")
        if lists_all and places:
            print("\n".join("\t" + place for place in places))


if __name__ == "__main__":
    main(sys.argv[1:])
