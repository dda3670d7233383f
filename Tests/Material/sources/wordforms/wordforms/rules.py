"""The rules of plurals and singulars.

A rule is a pattern and its replacement. The first rule that matches the last word of a compound is used, so special
rules stand before general ones. Irregular words are looked up before any rule.
"""

import re

# Nouns that have one form only.
UNCOUNTABLE = frozenset(
    """
    advice aircraft bison butter clothing deer equipment fish furniture information jeans knowledge luggage money
    moose news police rice salmon scissors series sheep shrimp software species swine trousers weather wheat
    """.split()
)

# The singular and the plural of words that follow no rule.
IRREGULAR = {
    "child": "children",
    "criterion": "criteria",
    "die": "dice",
    "foot": "feet",
    "genus": "genera",
    "goose": "geese",
    "lens": "lenses",
    "move": "moves",
    "movie": "movies",
    "ox": "oxen",
    "passerby": "passersby",
    "person": "people",
    "phenomenon": "phenomena",
    "pie": "pies",
    "quiz": "quizzes",
    "sex": "sexes",
    "tie": "ties",
    "tooth": "teeth",
    "zombie": "zombies",
}

PLURAL_IRREGULAR = {**IRREGULAR, **{plural: plural for plural in IRREGULAR.values()}}
SINGULAR_IRREGULAR = {
    **{plural: singular for singular, plural in IRREGULAR.items()},
    **{singular: singular for singular in IRREGULAR},
}


def _compiled(*rows):
    """Returns rules with their patterns compiled."""
    return [(re.compile(pattern), replacement) for pattern, replacement in rows]


PLURAL_RULES = _compiled(
    (r"^(ger|hu|ro|sha|talis)mans?$", r"\1mans"),
    (r"m[ae]n$", "men"),
    (r"^(m|l|dorm)(ouse|ice)$", r"\1ice"),
    (r"(matr|append)(ix|ices)$", r"\1ices"),
    (r"(vert|ind|vort)(ex|ices)$", r"\1ices"),
    (r"(alumn|cact|fung|nucle|octop|radi|stimul)(us|i)$", r"\1i"),
    (r"(bacteri|curricul|dat|medi|memorand|stadi)(um|a)$", r"\1a"),
    (r"(alias|atlas|bonus|bus|campus|census|gas|status|virus)$", r"\1es"),
    (r"(analy|ba|cri|diagno|hypothe|oa|parenthe|synop|the)sis$", r"\1ses"),
    (r"^(ax|test)is$", r"\1es"),
    (r"(x|ch|ss|sh|zz)$", r"\1es"),
    (r"([^aeiou]|qu)y$", r"\1ies"),
    (r"(cal|el|hal|lea|loa|scar|sel|shel|thie|whar|wol)f$", r"\1ves"),
    (r"(kni|li|wi)fe$", r"\1ves"),
    (r"(buffal|ech|her|mosquit|potat|tomat|torped|volcan)o$", r"\1oes"),
    (r"s$", "s"),
    (r"$", "s"),
)

SINGULAR_RULES = _compiled(
    (r"^(ger|hu|ro|sha|talis)mans?$", r"\1man"),
    (r"men$", "man"),
    (r"^(m|l|dorm)ice$", r"\1ouse"),
    (r"(matr|append)ices$", r"\1ix"),
    (r"(vert|ind|vort)ices$", r"\1ex"),
    (r"(alumn|cact|fung|nucle|octop|radi|stimul)i$", r"\1us"),
    (r"(bacteri|curricul|dat|medi|memorand|stadi)a$", r"\1um"),
    (r"(alias|atlas|bonus|bus|campus|census|gas|status|virus)(es)?$", r"\1"),
    (r"(database|purchase)s?$", r"\1"),
    (r"(analy|ba|cri|diagno|hypothe|oa|parenthe|synop|the)s[ei]s$", r"\1sis"),
    (r"^(ax|test)es$", r"\1is"),
    (r"(cact|fung|nucle|octop|radi|stimul)us$", r"\1us"),
    (r"(x|ch|ss|sh|zz)es$", r"\1"),
    (r"([^aeiou]|qu)ies$", r"\1y"),
    (r"(cal|el|hal|lea|loa|scar|sel|shel|thie|whar|wol)ves$", r"\1f"),
    (r"(kni|li|wi)ves$", r"\1fe"),
    (r"(buffal|ech|her|mosquit|potat|tomat|torped|volcan)oes$", r"\1o"),
    (r"(ss|is|us)$", r"\1"),
    (r"s$", ""),
)

# The last word of a compound: "rice" of "fried rice", "Report" of "SalesReport".
_LAST_WORD = re.compile(r"[A-Z]*[^\W_A-Z]*$")


def last_word(text):
    """Returns the last word of a compound, whether its words are separated by blanks, signs or capitals."""
    return _LAST_WORD.search(text).group()


def is_uncountable(text):
    """Returns whether a noun has one form only. Of a compound, the last word decides."""
    return last_word(text).lower() in UNCOUNTABLE


def match_case(model, word):
    """Returns a word with the case of another: in capitals, with a capital, or in small letters."""
    if len(model) > 1 and model.isupper():
        return word.upper()
    if model[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


def inflect(text, irregular, rules):
    """Returns a text whose last word was changed by a table of irregular words or else by the first rule."""
    last = last_word(text)
    head, lowered = text[: len(text) - len(last)], last.lower()
    if lowered in irregular:
        return head + match_case(last, irregular[lowered])
    for pattern, replacement in rules:
        if pattern.search(lowered):
            return head + match_case(last, pattern.sub(replacement, lowered, count=1))
    return text
