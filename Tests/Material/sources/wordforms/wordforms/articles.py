"""The articles "a" and "an"."""

import re

# Beginnings that are spoken with a consonant though they are written with a vowel.
CONSONANT_SOUNDS = re.compile(r"^(eu|ewe|one\b|once|u[bfhjkqrst][aeiou]|uni([^mn]|$)|ouija)", re.IGNORECASE)

# Beginnings that are spoken with a vowel though they are written with a consonant.
VOWEL_SOUNDS = re.compile(r"^(heir|honest|honou?r|hour)", re.IGNORECASE)

# Letters whose names begin with a vowel: an "F", a "B".
VOWEL_LETTERS = frozenset("AEFHILMNORSX")


def article(word):
    """Returns "a" or "an", by the sound with which a word begins.

    A word in capitals without a vowel is spelt out, letter by letter.

        >>> article("university"), article("hour"), article("FBI")
        ('a', 'an', 'an')
    """
    if not word:
        return ""
    if word.isupper() and (len(word) == 1 or not re.search("[AEIOU]", word[:-1])):
        return "an" if word[0] in VOWEL_LETTERS else "a"
    if VOWEL_SOUNDS.match(word):
        return "an"
    if CONSONANT_SOUNDS.match(word):
        return "a"
    if word[0].isdigit():
        return "an" if re.match(r"8|1[18](\D|$)", word) else "a"
    return "an" if word[0].lower() in "aeiou" else "a"


def with_article(word):
    """Returns a word with its article before it. An empty word stays empty."""
    return f"{article(word)} {word}" if word else ""
