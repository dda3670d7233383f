"""The names of numbers."""

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
TENS = "? ? twenty thirty forty fifty sixty seventy eighty ninety".split()
GROUPS = ["", "thousand", "million", "billion", "trillion"]

# Ordinal numbers that are no word with "th".
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def number_words(number):
    """Returns the name of an integer.

    The number must have at most fifteen digits. There is an "and" after the hundreds, as in British English.

        >>> number_words(-342)
        'minus three hundred and forty-two'
    """
    if abs(number) >= 1000 ** len(GROUPS):
        raise ValueError(f"{number} has more than fifteen digits")
    if number < 0:
        return f"minus {number_words(-number)}"
    if number == 0:
        return SMALL[0]
    groups = []
    for name in GROUPS:
        number, rest = divmod(number, 1000)
        if rest:
            groups.insert(0, (rest, name))
    words = []
    for at, (value, name) in enumerate(groups):
        is_small_end = at > 0 and not name and value < 100
        words.append(("and " if is_small_end else "") + _below_thousand(value) + (f" {name}" if name else ""))
    return " ".join(words)


def _below_thousand(number):
    """Returns the name of a number from 1 to 999."""
    hundreds, rest = divmod(number, 100)
    words = [f"{SMALL[hundreds]} hundred"] if hundreds else []
    if rest:
        words.append(_below_hundred(rest))
    return " and ".join(words)


def _below_hundred(number):
    """Returns the name of a number from 1 to 99."""
    if number < 20:
        return SMALL[number]
    tens, ones = divmod(number, 10)
    return TENS[tens] + (f"-{SMALL[ones]}" if ones else "")


def ordinal_words(number):
    """Returns the name of an ordinal number.

        >>> ordinal_words(42)
        'forty-second'
    """
    name = number_words(number)
    cut = max(name.rfind(" "), name.rfind("-")) + 1
    head, last = name[:cut], name[cut:]
    if last in ORDINALS:
        return head + ORDINALS[last]
    if last.endswith("y"):
        return f"{head}{last[:-1]}ieth"
    return f"{head}{last}th"
