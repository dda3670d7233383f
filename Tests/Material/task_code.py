"""Tasks 1, 2, 2b and 3: a package of word functions with 455 tests, and a larger package to explain."""
from workspace import NOW, SOURCES

TESTS = [f"tests/{name}.py" for name in (
    "__init__", "rows", "test_articles", "test_joining", "test_names", "test_numbers", "test_plurals")]
DAY = 86_400


def failing_test(task):
    """Task 1: one of 455 tests fails. The cause stands in another file than the function that the test calls."""
    task.copy("wordforms")
    task.edit("wordforms/rules.py", (
        "    return last_word(text).lower() in UNCOUNTABLE\n",
        "    return text.lower().endswith(tuple(UNCOUNTABLE))\n"))
    task.lines = ["One test of this package fails. Find out why, fix the code and not the test, and show me that "
                  "all tests pass."]
    task.truth = """
- `python3 -m unittest -q` runs 455 tests, and one fails: test_pluralize_077_price in tests/test_plurals.py. It
  expects "prices" and gets "price".
- The cause is `is_uncountable` in wordforms/rules.py. It asks whether the text ends with the letters of an
  uncountable noun, and "price" ends with "rice". Its doc comment says that the last word of a compound decides.
- A good fix compares the last word: `last_word(text).lower() in UNCOUNTABLE`. A comparison of the whole text is no
  fix, because "fried rice" and "OfficeEquipment" have tests of their own. A special case for "price" is no fix:
  "caprice" and "licorice" are wrong in the same way.
- Nothing else is wrong: pluralize, singularize and the tables of rules stay as they are.
"""
    task.check("""
need_unchanged(given["tests"])
need_tests(455)
words = "price caprice licorice Price_list_price fried-rice OfficeEquipment SHEEP".split()
result = run("python3", "-c", f"import wordforms; print(*map(wordforms.pluralize, {words!r}))")
need(result.stdout.split() == given["plurals"], f"wrong plurals: {result.stdout.strip()}")
""", tests=task.digests(TESTS),
        plurals="prices caprices licorices Price_list_prices fried-rice OfficeEquipment SHEEP".split())


def add_function(task):
    """Task 2: the same package without the bug. A function with tests is wanted."""
    task.copy("wordforms")
    task.lines = ["Add a function possessive(word) to wordforms: cat → cat's, cats → cats', James → James', and an "
                  "empty word stays empty. Words in capitals get a capital S (CAT → CAT'S). Add tests for it, and "
                  "run all tests."]
    task.truth = """
- Before the task, `python3 -m unittest -q` runs 455 tests, and all pass. Afterwards there are more.
- The function belongs into wordforms/__init__.py or into a new file, and must be called as
  `wordforms.possessive`. `__all__` names all public functions, so it should name this one too.
- A word that ends with s or S gets an apostrophe alone.
- The apostrophe is the straight one of the line that the user typed.
- Not said by the user, so either way is right: a typographic apostrophe as input, and words such as "X" (one
  capital).
"""
    task.check("""
need_tests(456)
need_unchanged(given["tests"])
words = ["cat", "cats", "James", "", "CAT", "CATS", "fire engine"]
result = run("python3", "-c", f"import wordforms; print([wordforms.possessive(word) for word in {words!r}])")
wanted = ["cat's", "cats'", "James'", "", "CAT'S", "CATS'", "fire engine's"]
need(result.stdout.strip() == repr(wanted), f"wrong results: {result.stdout.strip() or result.stderr[-200:]}")
tests = [path.read_text() for path in workspace.rglob("test*.py")]
need(any("possessive" in text for text in tests), "no test names possessive")
""", tests=task.digests(["tests/rows.py", "wordforms/rules.py", "wordforms/numbers.py"]))


def two_commits(task):
    """Task 2b: a work tree with changes of two subjects, one of them with files that git does not track yet."""
    files = {str(path.relative_to(SOURCES / "wordforms")): path.read_bytes()
             for path in sorted((SOURCES / "wordforms").rglob("*"))
             if path.is_file() and "__pycache__" not in path.parts}
    ada, ben = "Ada Example <ada@example.org>", "Ben Sample <ben@example.org>"
    task.commit([
        {"subject": "Begin with plurals and singulars", "author": ada, "time": NOW - 30 * DAY,
         "files": {name: files[name] for name in ("README.txt", "wordforms/rules.py", "tests/__init__.py",
                                                  "tests/rows.py")}},
        {"subject": "Add names of numbers", "author": ben, "time": NOW - 22 * DAY,
         "files": {"wordforms/numbers.py": files["wordforms/numbers.py"]}},
        {"subject": "Add articles and lists of words", "author": ada, "time": NOW - 15 * DAY,
         "files": {name: files[name] for name in ("wordforms/articles.py", "wordforms/joining.py")}},
        {"subject": "Add names for programs, and all tests", "author": ada, "time": NOW - 9 * DAY,
         "files": {"wordforms/__init__.py": files["wordforms/__init__.py"],
                   **{name: files[name] for name in TESTS[2:]}}},
    ])
    task.edit("wordforms/articles.py", (
        'r"^(heir|honest|honou?r|hour)"', 'r"^(heir|homage|honest|honou?r|hour)"'), (
        "ouija)", "ouija|uranium)"))
    task.edit("tests/test_articles.py", (
        '        ("heir", "an"),\n', '        ("heir", "an"),\n        ("homage", "an"),\n'
        '        ("uranium", "a"),\n'))
    task.edit("wordforms/__init__.py", (
        "from .rules import (", "from .roman import roman\nfrom .rules import ("), (
        '    "shorten",\n', '    "roman",\n    "shorten",\n'))
    task.write("wordforms/roman.py", '''"""Roman numerals."""

SIGNS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def roman(number):
    """Returns a number from 1 to 3999 in Roman numerals.

        >>> roman(1994)
        'MCMXCIV'
    """
    if not 0 < number < 4000:
        raise ValueError(f"{number} is not between 1 and 3999")
    text = ""
    for value, sign in SIGNS:
        text += sign * (number // value)
        number %= value
    return text
''')
    task.write("tests/test_roman.py", '''"""Tests of Roman numerals."""

import wordforms

from .rows import RowCase, each


class RomanTests(RowCase):
    @each((1, "I"), (4, "IV"), (9, "IX"), (40, "XL"), (1994, "MCMXCIV"), (3999, "MMMCMXCIX"))
    def roman(self, number, expected):
        self.assertEqual(wordforms.roman(number), expected)

    def test_zero_is_refused(self):
        with self.assertRaises(ValueError):
            wordforms.roman(0)
''')
    task.lines = ["Look at my changes and commit them as two commits, one for each subject. Write good messages."]
    task.truth = """
- The branch is main, with four commits. Five files are changed or new, and nothing is staged.
- Subject 1, articles: wordforms/articles.py and tests/test_articles.py. "homage" gets "an", and "uranium" gets "a".
- Subject 2, Roman numerals: the new files wordforms/roman.py and tests/test_roman.py, and wordforms/__init__.py,
  which imports `roman` and names it in `__all__`. The new files are not tracked, so `git commit -a` leaves them
  out.
- The order of the two commits makes no difference. The author is Ada Example, from the settings of the repository.
- With all changes 464 tests run, and all pass: 455, and 2 of articles, and 7 of Roman numerals.
- Nothing may be pushed: the repository has no remote.
"""
    first, second = ["tests/test_articles.py", "wordforms/articles.py"], [
        "tests/test_roman.py", "wordforms/__init__.py", "wordforms/roman.py"]
    task.check("""
need(git("status", "--porcelain") == "", "the work tree has changes that are not committed")
need(git("rev-parse", "main~2").strip() == given["base"], "there are not exactly two commits more")
found = sorted(git("show", "--format=", "--name-only", commit).split() for commit in ("main", "main~1"))
need(found == given["subjects"], f"the files of the commits are {found}")
need_unchanged(given["files"])
for subject in git("log", "-2", "--format=%s", "main").splitlines():
    need(10 <= len(subject) <= 80, f"the subject '{subject}' has {len(subject)} characters")
need_tests(464)
""", base=task.git("rev-parse", "main").strip(), subjects=[first, second], files=task.digests(first + second))


def explain(task):
    """Task 3: a package of 16 files, with three statements in its README that the code contradicts."""
    task.copy("larder")
    code = [path for path in task.files() if path.suffix == ".py"]
    lines = {path: path.read_bytes().count(b"\n") for path in code}
    package = [path for path in code if path.parent.name == "larder"]
    size = sum(lines[path] for path in package)
    foods = (task.path / "larder/foods.py").read_text("utf-8").count("    Food(")
    task.lines = ["I am new here. Explain this code base to me: what it does, how the parts fit together, where I "
                  "should begin to read, and what in the README is not true."]
    task.truth = f"""
- The package larder has {len(package)} files with {size:,} lines, and two files of tests with 24 tests. All pass.
  With the tests there are {len(code)} Python files with {sum(lines.values()):,} lines.
- It plans meals from a stock (stock.txt) and recipes (recipes/*.recipe), and writes shopping lists.
- Layers: errors, units, amounts, foods at the bottom. stockfile, recipes and journal read texts. planner and
  shopping answer. render writes text, CSV, HTML and JSON of one kind of table. config and cli are at the top, and
  __main__ calls cli.main.
- The stock of today is stock.txt with the changes of journal.jsonl. The program never writes stock.txt. Plans are
  not stored: `shop` makes the plan again.
- The planner is greedy: day by day, the recipe with the best score, never back. Points for foods that must be
  eaten within 4 days (12 divided by the days left plus one), minus 3 and the price class for each missing food,
  minus 1.5 for each ten minutes too long, minus 20 for a repeat within 3 days.
- Amounts are fractions. Density or piece weight turn a weight into a volume or a number. foods.py has {foods}
  foods.

What the README says and the code does not do:

1. "kept in a small SQLite database, larder.db": there is none. Stock and journal are text files, and plans are not
   kept at all.
2. "the best of all possible plans": the planner is greedy.

Other traps: `--strict` is parsed and never used. The setting `cache_days` is never used. old_format.py is imported
by no other file. `in_aisle` is called by tests only. A statement that one of them has an effect is false.
"""
    task.check("""
need_unchanged(given["files"])
need_words(answer(), ["planner", "journal", "stockfile|stock\\\\.txt", "recipe", "shopping", "render", "cli",
                      "SQLite", "greedy|day by day|best.{0,80}(not|never)|not.{0,80}best"], "the answer")
""", files=task.digests([str(path.relative_to(task.path)) for path in task.files()]))
