#!/usr/bin/env python3
"""Prints how plain the English of pages is, one page a line: prose.py [--where] [PAGES...].

PAGES are Markdown pages. If none is given, README, `docs/guide` and `docs/design` are read. Code blocks, tables and
headings do not count. The columns are the number of sentences, the median of words a sentence, the share of sentences
with more than `MOST_WORDS` words, the share with a semicolon, and the number of words that the table in
`docs/design/contributing.md`, "Plain English", replaces. With `--where` it prints these sentences instead.
"""

import glob
import os
import re
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
# How many words a sentence has at most before it counts as long. A piece of inline code is one word.
MOST_WORDS = 25

# The words of the table that are wrong whatever stands around them. "Where", "one" and "person" need a reader.
_REPLACED = re.compile(
    r"\b(?:rooms?|houses?|laws?|told|anew|whoever|nobody|somebody|whom|(?:is|are|was|were|be) said"
    r"|carry|carries|carried|noted|put down|given up|taken in|take in|c[ao]mes? of|faults?|mend(?:s|ed)?"
    r"|taken away|gone)\b",
    re.I,
)
_CODE = re.compile(r"``[^`]*``|`[^`]*`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")
# A sentence ends before a capital, a digit, a quotation mark or a piece of code (`\0`).
_END = re.compile(r"(?<=[.?!])[\"”)*]*\s+(?=[\"“(*]*[A-Z0-9\0])")
_WORD = re.compile(r"[\w\0][\w\0'’./-]*")


def paragraphs(text):
    """Returns the paragraphs and list items of a page, each on one line, with `\\0` for each piece of inline code."""
    found, lines = [], []
    fence, was_empty, in_list = None, True, False
    for line in text.split("\n") + [""]:
        words = line.strip()
        if fence or words.startswith(("```", "~~~")):
            fence = None if fence and words.startswith(fence) else fence or words[:3]
            words = ""
        starts = bool(_ITEM.match(line))
        # Four spaces after an empty line begin code, unless a list goes on.
        is_code = line.startswith("    ") and was_empty and not in_list
        skips = not words or is_code or words.startswith(("|", "#", "<"))
        if (skips or starts) and lines:
            found.append(" ".join(lines))
            lines = []
        if not skips:
            lines.append(_ITEM.sub("", line, count=1).strip() if starts else words)
            in_list = starts or (in_list and line.startswith(" "))
        was_empty = not words or is_code
    return [_LINK.sub(r"\1", _CODE.sub("\0", paragraph)) for paragraph in found]


def sentences(text):
    """Returns the sentences of a page."""
    return [sentence for paragraph in paragraphs(text) for sentence in _END.split(paragraph) if _WORD.search(sentence)]


def words(sentence):
    """Returns the number of words of a sentence."""
    return len(_WORD.findall(sentence))


def counts(found):
    """Returns the figures of some sentences: number, median, long ones, those with a semicolon, replaced words."""
    return (
        len(found),
        statistics.median(map(words, found)) if found else 0,
        sum(words(sentence) > MOST_WORDS for sentence in found),
        sum(";" in sentence for sentence in found),
        sum(len(_REPLACED.findall(sentence)) for sentence in found),
    )


def row(name, found):
    """Returns the line of a page."""
    number, median, long, semicolons, replaced = counts(found)
    share = 100 / max(number, 1)
    return f"{name:36} {number:5} {median:6.1f} {long * share:6.1f} % {semicolons * share:6.1f} % {replaced:6}"


def main(arguments):
    lists = "--where" in arguments
    pages = [argument for argument in arguments if argument != "--where"]
    if not pages:
        for pattern in ["README.md", "docs/guide/*.md", "docs/design/*.md"]:
            pages += sorted(glob.glob(os.path.join(ROOT, pattern)))
    every = []
    if not lists:
        print(f"{'page':36} sentences median   long  semicolon  words")
    for page in pages:
        with open(page, encoding="utf-8") as file:
            found = sentences(file.read())
        name = os.path.relpath(os.path.abspath(page), ROOT)
        every += found
        if not lists:
            print(row(name, found))
            continue
        for sentence in found:
            replaced = _REPLACED.findall(sentence)
            if words(sentence) > MOST_WORDS or ";" in sentence or replaced:
                shown = sentence.replace("\0", "`…`")
                semicolon = ", ;" if ";" in sentence else ""
                print(f"{name}: {words(sentence)} words{semicolon} {', '.join(replaced)}\n    {shown}")
    if not lists and len(pages) > 1:
        print(row("all", every))


if __name__ == "__main__":
    main(sys.argv[1:])
