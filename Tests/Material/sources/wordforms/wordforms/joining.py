"""Lists of words in a sentence, and long texts made short."""


def join_words(words, last="and", comma=", ", oxford=False):
    """Returns words as a list in a sentence.

    `last` stands before the last word. With `oxford`, a list of three and more has a comma there too.

        >>> join_words(["red", "green", "blue"])
        'red, green and blue'
    """
    words = [str(word) for word in words]
    if len(words) < 2:
        return "".join(words)
    between = f"{comma.rstrip()} {last} " if oxford and len(words) > 2 else f" {last} "
    return comma.join(words[:-1]) + between + words[-1]


def shorten(text, width, ending="…"):
    """Returns a text with at most `width` characters. It is cut between words if there is a blank to cut at.

        >>> shorten("the quick brown fox", 12)
        'the quick…'
    """
    if len(text) <= width:
        return text
    room = width - len(ending)
    if room < 0:
        return ending[:width]
    cut = text[: room + 1].rfind(" ")
    return text[: cut if cut > 0 else room].rstrip() + ending
