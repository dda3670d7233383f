"""Counts the pairs of files that share six lines, or six lines of the same shape."""

import collections
import re

# How many lines in a row make a pair.
RUN = 6
# In how many places a run may stand. A run that stands in more places is idiom, not a copy.
MOST_PLACES = 8
# How many words and signs a run has at least. Shorter runs are braces and keywords.
LEAST_TOKENS = 29

_KEYWORDS = frozenset(
    "Any any as associatedtype async await break case catch class continue default defer deinit do else enum extension"
    " fallthrough false fileprivate final for func guard if import in init inout internal is lazy let mutating nil"
    " nonisolated open operator override package private protocol public repeat rethrows return self Self some static"
    " struct subscript super switch throw throws true try typealias var weak where while".split()
)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|\d[\w.]*|\S')


def duplicate_pairs(texts):
    """Returns the pairs of paths that share a run. A pair names one path twice if both places are in one file."""
    places = collections.defaultdict(list)
    for path in sorted(texts):
        shapes = [_shape(line) for line in texts[path].split("\n") if _counts(line)]
        for start in range(len(shapes) - RUN + 1):
            run = tuple(shapes[start : start + RUN])
            if sum(len(shape) for shape in run) >= LEAST_TOKENS:
                places[run].append((path, start))
    pairs = set()
    for found in places.values():
        if not 2 <= len(found) <= MOST_PLACES:
            continue
        for index, (first, start) in enumerate(found):
            for second, other in found[index + 1 :]:
                if first != second or other - start >= RUN:
                    pairs.add((first, second))
    return pairs


def _counts(line):
    """Whether a line is code with a word in it, and no import."""
    line = line.strip()
    return bool(re.search(r"\w", line)) and not re.match(r"//|\*|/\*|((package|public|private) )?import ", line)


def _shape(line):
    """Returns the tokens of a line with one stand-in for all names, one for all numbers and one for all strings."""
    shape = []
    for token in _TOKEN.findall(line):
        if token[0] == '"':
            shape.append("string")
        elif token[0].isdigit():
            shape.append("number")
        elif token[0].isalpha() or token[0] == "_":
            shape.append(token if token in _KEYWORDS else "name")
        else:
            shape.append(token)
    return tuple(shape)
