"""Task 8: a repository with 30 commits between two tags, for a release note."""
from workspace import NOW

HOUR = 3600
PEOPLE = ["Ada Example <ada@example.org>", "Ben Sample <ben@example.org>", "Chi Muster <chi@example.org>"]
BEFORE = [
    ("Begin with a reader of feeds", "src/reader.txt"), ("Add the list of feeds", "src/list.txt"),
    ("Add the window", "src/window.txt"), ("Write the manual", "doc/manual.txt"),
    ("Version 1.3.0", "VERSION"),
]
# Subject, file, body.
BETWEEN = [
    ("Open the next development", "VERSION", ""),
    ("Add a dark theme", "src/theme.txt", "The theme follows the desktop. It can be set in the settings too."),
    ("Fix a crash with feeds that have no title", "src/reader.txt", "Fixes #212."),
    ("Rename a variable in the reader", "src/reader.txt", ""),
    ("CI: run the tests on two machines", "ci/run.txt", ""),
    ("Import and export OPML files", "src/opml.txt", "All folders and titles are kept. Closes #98."),
    ("Fix typos in the manual", "doc/manual.txt", ""),
    ("Read feeds with a wrong date", "src/dates.txt", "A feed with the 31st of June was left out. Fixes #220."),
    ("Add a sidebar with statistics", "src/statistics.txt", "It counts the articles that were read each day."),
    ("Use one cache for all pictures", "src/cache.txt", "No visible change but the memory: 40 % less."),
    ("Update the list of people", "AUTHORS", ""),
    ("Keep the position in an article", "src/position.txt", "Going back to an article scrolls to the old place."),
    ("Tidy up the options", "src/options.txt",
     "The option --out is now called --output, and --out is refused.\n\nBREAKING: scripts must be changed."),
    ("Fix the order of articles with the same time", "src/list.txt", "Fixes #227."),
    ("Test the reader with 300 feeds", "tests/feeds.txt", ""),
    ("Escape HTML in titles", "src/window.txt",
     "A title could run a script in the preview.\n\nSecurity: found by L. Okoye. Fixes #231."),
    ("Move the window code into two files", "src/window2.txt", ""),
    ("Search in all articles", "src/search.txt", "Ctrl-F searches the open article, Ctrl-Shift-F all of them."),
    ("Merge two tests", "tests/feeds.txt", ""),
    ("Fix the search for words with an accent", "src/search.txt", "The search is new, so no release had this."),
    ("Add a key for the next unread article", "src/keys.txt", "The key is N."),
    ("Do not ask for a password again after a restart", "src/accounts.txt", "Fixes #240."),
    ("Revert \"Add a sidebar with statistics\"", "src/statistics.txt",
     "It made the start slow. It will come back in another form."),
    ("CI: keep the logs for a week", "ci/run.txt", ""),
    ("Load pictures only when they are seen", "src/cache.txt", "A feed with many pictures opens in half the time."),
    ("Translate the window into Danish", "po/da.txt", ""),
    ("Drop support of Python 3.8", "setup.txt", "Python 3.9 is the oldest version now.\n\nBREAKING."),
    ("Fix a leak of file handles", "src/cache.txt", "After some hours no feed could be loaded. Fixes #246."),
    ("Write the manual of the search", "doc/manual.txt", ""),
    ("Version 1.4.0", "VERSION", ""),
]
AFTER = [
    ("Add sync with a server", "src/sync.txt", "Not finished: only for those who build it themselves."),
    ("Fix the colours of the dark theme on small screens", "src/theme.txt", ""),
]


def release_note(task):
    """Makes the repository and the wish for a release note."""
    files, history = {}, []
    rows = [(subject, name, "") for subject, name in BEFORE] + BETWEEN + AFTER
    for number, (subject, name, body) in enumerate(rows):
        if name == "VERSION":
            content = "1.4.0-dev\n" if "Open" in subject else subject.split()[-1] + "\n"
        elif subject.startswith("Revert"):
            content = "removed\n"
        else:
            content = files.get(name, "") + f"{number + 1}. {subject}\n"
        files[name] = content
        entry = {"subject": subject, "body": body, "author": PEOPLE[number * 7 % 3],
                 "time": NOW - (len(rows) - number) * 29 * HOUR - number % 5 * 700,
                 "files": {name: content.encode()}}
        if subject.startswith("Version"):
            entry["tag"] = "v" + subject.split()[-1]
        history.append(entry)
    task.commit(history)
    task.lines = ["Write the release note of version 1.4.0 for users to RELEASE.md, from the git log since v1.3.0. "
                  "Breaking changes come first. Leave out what users do not notice."]
    task.truth = """
- There are 30 commits from v1.3.0 to v1.4.0, and 2 commits after v1.4.0 on main. The two are not part of the
  release: sync with a server, and the colours of the dark theme on small screens.
- Breaking: --out is now --output (the subject is "Tidy up the options", only the body says it). Python 3.8 is no
  longer supported.
- Security: titles are escaped (a title could run a script in the preview, found by L. Okoye, #231).
- New: dark theme, OPML import and export (#98), the position in an article is kept, search in all articles
  (Ctrl-Shift-F), the key N for the next unread article, Danish.
- Faster or smaller: pictures are loaded when they are seen, one cache for pictures (40 % less memory).
- Fixed: feeds without a title (#212), feeds with a wrong date (#220), the order of articles with the same time
  (#227), the password after a restart (#240), file handles (#246).
- The sidebar with statistics was added and reverted: it is not in the release.
- The search for words with an accent was fixed before any release, so it is no fix for users.
- Not for users: CI, tests, renames, the list of people, typos, the file moves, the version.
"""
    task.check("""
text = read("RELEASE.md")
need_words(text, ["--output", "3\\\\.8", "escape|script|security", "dark", "OPML", "position|scroll|place",
                  "search", "\\\\bN\\\\b", "Danish", "picture|image", "title", "date", "order|same time",
                  "password", "handle|hours|leak"], "RELEASE.md")
need(not re.search("statistic|sidebar", text, re.I), "RELEASE.md names the sidebar, which was reverted")
need(not re.search(r"\\bsync|small screen", text, re.I), "RELEASE.md names commits after the tag")
need(not re.search(r"\\bCI\\b|variable|typo", text), "RELEASE.md names what users do not notice")
need(re.search("--output", text) and text.find("--output") < text.lower().find("opml"), "breaking is not first")
need(git("rev-parse", "v1.4.0^{commit}", "v1.3.0^{commit}", "main").split() == given["commits"], "history changed")
""", commits=task.git("rev-parse", "v1.4.0^{commit}", "v1.3.0^{commit}", "main").split())
