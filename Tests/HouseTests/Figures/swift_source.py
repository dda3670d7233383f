"""Reads the Swift files of a checkout, and blanks out what is not code."""

import os
import re


def read_sources(root):
    """Returns the text of each Swift file below `root`/Sources, by its path below Sources."""
    top = os.path.join(root, "Sources")
    texts = {}
    for folder, _, names in os.walk(top):
        for name in names:
            if name.endswith(".swift"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    texts[os.path.relpath(path, top)] = file.read()
    return texts


def is_comment(line):
    return line.strip().startswith("//")


def code_of_line(line):
    """Returns a line without its strings and its comment. Good enough for counts of single signs."""
    return re.sub(r"//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))


# The beginning of what is not code: a comment, or a string with the signs before it.
_NO_CODE = re.compile(r'//|/\*|(#*)("""|")')


def blanked(text):
    """Returns the text with comments and the inside of strings replaced by spaces. Line breaks stay."""
    out = []
    at = 0
    while opening := _NO_CODE.search(text, at):
        start = opening.start()
        out.append(text[at:start])
        if opening.group(0) == "//":
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            out.append(" " * (end - start))
        elif opening.group(0) == "/*":
            end = _end_of_block_comment(text, start)
            out.append(_spaces(text[start:end]))
        else:
            end = _end_of_string(text, opening.end(), opening.group(1), opening.group(2))
            out.append('"' + _spaces(text[start + 1 : end - 1]) + '"' if end - start >= 2 else text[start:end])
        at = end
    return "".join(out) + text[at:]


def _spaces(text):
    return re.sub(r"[^\n]", " ", text)


def _end_of_block_comment(text, at):
    depth, at = 1, at + 2
    while at < len(text) and depth:
        if text.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*/", at):
            depth, at = depth - 1, at + 2
        else:
            at += 1
    return at


def _end_of_string(text, at, hashes, quotes):
    closing = quotes + hashes
    while at < len(text):
        if text.startswith("\\" + hashes + "(", at):
            at = _end_of_interpolation(text, at + 2 + len(hashes))
        elif text.startswith("\\" + hashes, at):
            at += 2 + len(hashes)
        elif text.startswith(closing, at):
            return at + len(closing)
        elif quotes == '"' and text[at] == "\n":
            return at
        else:
            at += 1
    return at


def _end_of_interpolation(text, at):
    depth = 1
    while at < len(text) and depth:
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
        elif text[at] == '"':
            at += 1
            while at < len(text) and text[at] not in '"\n':
                at += 2 if text[at] == "\\" else 1
        at += 1
    return at
