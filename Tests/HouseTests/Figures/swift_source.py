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


def blanked(text):
    """Returns the text with comments and the inside of strings replaced by spaces. Line breaks stay."""
    out = []
    at = 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            out.append(" " * (end - at))
        elif text.startswith("/*", at):
            end = _end_of_block_comment(text, at)
            out.append(_spaces(text[at:end]))
        elif opening := re.match(r'(#*)("""|")', text[at : at + 8]):
            end = _end_of_string(text, at + len(opening.group(0)), opening.group(1), opening.group(2))
            out.append('"' + _spaces(text[at + 1 : end - 1]) + '"' if end - at >= 2 else text[at:end])
        else:
            end = at + 1
            out.append(text[at])
        at = end
    return "".join(out)


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
