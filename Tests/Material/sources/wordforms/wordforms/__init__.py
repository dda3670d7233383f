"""Forms of English words, and names for programs.

The functions of this module work on single words and on short texts. None of them keeps a state, and none reads a
file. A function returns a new text and leaves its argument alone.

    >>> pluralize("city")
    'cities'
    >>> camelize("user_account")
    'UserAccount'
    >>> count(3, "box")
    '3 boxes'

The tables stand in other files: rules of plurals in rules.py, names of numbers in numbers.py, exceptions of
articles in articles.py.

Words of other languages than English are beyond this package. So are verbs: a plural of "goes" makes no sense, and
the functions do not look for a sense. They return something for every text, and they never raise an error for one.
"""

import re
import unicodedata

from .articles import article, with_article
from .joining import join_words, shorten
from .numbers import number_words, ordinal_words
from .rules import (
    PLURAL_IRREGULAR,
    PLURAL_RULES,
    SINGULAR_IRREGULAR,
    SINGULAR_RULES,
    inflect,
    is_uncountable,
)

__all__ = [
    "article",
    "camelize",
    "classify",
    "constant",
    "count",
    "dasherize",
    "foreign_key",
    "humanize",
    "initials",
    "is_plural",
    "is_singular",
    "join_words",
    "number_words",
    "ordinal",
    "ordinal_words",
    "ordinalize",
    "parameterize",
    "pluralize",
    "shorten",
    "singularize",
    "tableize",
    "titleize",
    "transliterate",
    "underscore",
    "with_article",
]

__version__ = "2.3.0"

# Words that stay small inside of a title.
SMALL_WORDS = frozenset("a an and as at but by for from in of on or the to with".split())

# Letters that Unicode does not take apart into a base letter and a mark.
SPECIAL_LETTERS = {
    "Æ": "AE",
    "æ": "ae",
    "Ð": "D",
    "ð": "d",
    "Ø": "O",
    "ø": "o",
    "Þ": "Th",
    "þ": "th",
    "ß": "ss",
    "Đ": "D",
    "đ": "d",
    "ħ": "h",
    "ı": "i",
    "Ł": "L",
    "ł": "l",
    "Œ": "OE",
    "œ": "oe",
}

# Abbreviations that a title and a class name keep in capitals.
ACRONYMS = frozenset(["API", "CSV", "HTML", "HTTP", "ID", "JSON", "PDF", "SQL", "URL", "XML"])


# Plurals and singulars.


def pluralize(word):
    """Returns the plural of a noun.

    A compound changes its last word only. The case of the first letter is kept, and so are words in capitals. A
    noun that is a plural already is returned as it is, as far as the rules can see that.

        >>> pluralize("mouse")
        'mice'
        >>> pluralize("fire engine")
        'fire engines'
        >>> pluralize("CITY")
        'CITIES'
        >>> pluralize("fried rice")
        'fried rice'
    """
    if not word or is_uncountable(word):
        return word
    return inflect(word, PLURAL_IRREGULAR, PLURAL_RULES)


def singularize(word):
    """Returns the singular of a noun.

    The function is the inverse of `pluralize` for all words that the tests name. For a word that looks like a
    plural and is none ("lens"), add a row to the table of irregular words.

        >>> singularize("mice")
        'mouse'
        >>> singularize("shipping boxes")
        'shipping box'
    """
    if not word or is_uncountable(word):
        return word
    return inflect(word, SINGULAR_IRREGULAR, SINGULAR_RULES)


def is_plural(word):
    """Returns whether a noun is a plural. A noun without a plural counts as both.

        >>> is_plural("boxes"), is_plural("box"), is_plural("sheep")
        (True, False, True)
    """
    return bool(word) and pluralize(singularize(word)) == word


def is_singular(word):
    """Returns whether a noun is a singular. A noun without a plural counts as both.

        >>> is_singular("boxes"), is_singular("box"), is_singular("sheep")
        (False, True, True)
    """
    return bool(word) and singularize(word) == word


def count(number, noun, zero="no"):
    """Returns a number with its noun in the right form.

    `number` is an integer. `zero` is the word that stands for 0. Minus one counts as one.

        >>> count(1, "box"), count(2, "box"), count(0, "box")
        ('1 box', '2 boxes', 'no boxes')
    """
    if abs(number) == 1:
        return f"{number} {noun}"
    return f"{number or zero} {pluralize(noun)}"


# Ordinal numbers.


def ordinal(number):
    """Returns the ending of an ordinal number: "st", "nd", "rd" or "th".

    The numbers that end with 11, 12 and 13 are exceptions. The sign of a number makes no difference.

        >>> ordinal(1), ordinal(12), ordinal(103), ordinal(-22)
        ('st', 'th', 'rd', 'nd')
    """
    size = abs(int(number))
    if size % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(size % 10, "th")


def ordinalize(number):
    """Returns a number with its ending.

        >>> ordinalize(1), ordinalize(12), ordinalize(103)
        ('1st', '12th', '103rd')
    """
    return f"{number}{ordinal(number)}"


# Names for programs.


def camelize(text, upper=True):
    """Returns a name in camel case. With `upper` false the first letter is small.

    Words are separated by underscores, hyphens or blanks. Slashes become dots, as in the names of modules.

        >>> camelize("device_type")
        'DeviceType'
        >>> camelize("device type", upper=False)
        'deviceType'
        >>> camelize("net/http_request")
        'Net.HttpRequest'
    """
    parts = []
    for part in text.split("/"):
        words = [word for word in re.split(r"[\s_-]+", part) if word]
        parts.append("".join(word[0].upper() + word[1:] for word in words))
    name = ".".join(parts)
    if upper or not name:
        return name
    return name[0].lower() + name[1:]


def underscore(text):
    """Returns a name in small letters with underscores.

    A run of capitals counts as one word, and its last letter begins the next word if a small letter follows.

        >>> underscore("DeviceType")
        'device_type'
        >>> underscore("parseHTMLPage")
        'parse_html_page'
        >>> underscore("some-name here")
        'some_name_here'
    """
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", text)
    text = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", text)
    text = text.replace(".", "/")
    return re.sub(r"[\s_-]+", "_", text).lower()


def constant(text):
    """Returns a name in capitals with underscores, as constants have it.

    All signs become underscores. A name that would begin with a digit gets an underscore before it, because no
    program accepts a digit at the beginning of a name.

        >>> constant("maxRetryCount")
        'MAX_RETRY_COUNT'
        >>> constant("2nd try")
        '_2ND_TRY'
    """
    name = re.sub(r"\W+", "_", underscore(text)).strip("_").upper()
    return f"_{name}" if name[:1].isdigit() else name


def dasherize(text):
    """Returns a name with hyphens in place of underscores.

        >>> dasherize("device_type")
        'device-type'
    """
    return text.replace("_", "-")


def tableize(name):
    """Returns the name of the database table of a class.

        >>> tableize("RawScaledScore")
        'raw_scaled_scores'
    """
    return pluralize(underscore(name))


def classify(table):
    """Returns the name of the class of a database table. A schema before the name is dropped.

        >>> classify("raw_scaled_scores")
        'RawScaledScore'
        >>> classify("shop.orders")
        'Order'
    """
    return camelize(singularize(table.rsplit(".", 1)[-1]))


def foreign_key(name, separator="_"):
    """Returns the name of the column that refers to a class.

        >>> foreign_key("Message"), foreign_key("Message", separator="")
        ('message_id', 'messageid')
    """
    return f"{underscore(name.rsplit('.', 1)[-1])}{separator}id"


# Names for people.


def humanize(text):
    """Returns a name as the beginning of a sentence. An "_id" at its end is dropped.

        >>> humanize("employee_salary")
        'Employee salary'
        >>> humanize("author_id")
        'Author'
    """
    text = re.sub(r"_id$", "", text)
    text = " ".join(text.replace("_", " ").split()).lower()
    return text[:1].upper() + text[1:]


def titleize(text):
    """Returns a name as a title.

    Small words such as "of" stay small, except at both ends. Known abbreviations get capitals.

        >>> titleize("lord_of_the_rings")
        'Lord of the Rings'
        >>> titleize("readTheHtmlPage")
        'Read the HTML Page'
    """
    words = humanize(underscore(text)).split()
    last = len(words) - 1
    return " ".join(_title_word(word, at in (0, last)) for at, word in enumerate(words))


def _title_word(word, is_outer):
    """Returns a word as it stands in a title. `is_outer`: whether it is the first or the last word."""
    if word.upper() in ACRONYMS:
        return word.upper()
    if word.lower() in SMALL_WORDS and not is_outer:
        return word.lower()
    return word[:1].upper() + word[1:]


def initials(name, dots=True):
    """Returns the first letters of the words of a name.

        >>> initials("Ada Lovelace"), initials("Jean-Luc Moreau", dots=False)
        ('A. L.', 'JLM')
    """
    letters = [word[0].upper() for word in re.split(r"[\s-]+", name) if word]
    return " ".join(f"{letter}." for letter in letters) if dots else "".join(letters)


# Texts for addresses.


def transliterate(text):
    """Returns a text in ASCII. Letters with marks lose their marks, and what has no such form is dropped.

        >>> transliterate("Ærøskøbing, Łódź, Málaga")
        'AEroskobing, Lodz, Malaga'
    """
    text = "".join(SPECIAL_LETTERS.get(letter, letter) for letter in text)
    parts = unicodedata.normalize("NFKD", text)
    return parts.encode("ascii", "ignore").decode("ascii")


def parameterize(text, separator="-"):
    """Returns a text as a part of an address: small letters and digits with a separator between words.

    `separator` may be empty. There is no separator at the ends, and there are never two in a row.

        >>> parameterize("Donna E. Müller")
        'donna-e-muller'
        >>> parameterize("1,000 bright ideas", separator="_")
        '1_000_bright_ideas'
    """
    text = transliterate(text).lower().replace("'", "")
    words = re.findall(r"[a-z0-9]+", text)
    return separator.join(words)
