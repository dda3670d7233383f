"""Counts the requests, turns and tokens of a task from the files that a model server keeps.

    python3 count.py DIR [DIR …]      a table: one row a folder, and the sum
    python3 count.py --answer DIR     the text of the last reply that has one, for a check

DIR has files req-N.json (the body of request N, as it came) and rep-N.json (the reply to it: {"text": "…"} or
{"calls": [{"name": "…", "arguments": "…"}]}, or both). N counts from 1. Other files are left out.

A turn is a reply of the model. Tokens are bytes / 4, of every request, cached or not, and of every reply. The
largest request is named too, because it must fit into the window. A picture in a request counts with all bytes of
its Base64.
"""
import json
import re
import sys
from pathlib import Path


def numbered(folder, kind):
    """Returns the paths of the requests or replies of a folder by their numbers."""
    found = {}
    for path in folder.iterdir():
        match = re.fullmatch(kind + r"-(\d+)\.json", path.name)
        if match:
            found[int(match[1])] = path
    return dict(sorted(found.items()))


def count(folder):
    """Returns the number of requests, of turns, of tokens, and the tokens of the largest request."""
    requests, replies = numbered(folder, "req"), numbered(folder, "rep")
    sizes = [path.stat().st_size for path in requests.values()]
    written = sum(path.stat().st_size for path in replies.values())
    return len(requests), len(replies), round((sum(sizes) + written) / 4), round(max(sizes, default=0) / 4)


def last_answer(folder):
    """Returns the text of the last reply that has one. It may stand beside its last call as then_say."""
    replies = [json.loads(path.read_text("utf-8")) for path in numbered(folder, "rep").values()]
    return next((text for text in map(said, reversed(replies)) if text), "")


def said(reply):
    """Returns the text of a reply, and the answer beside its last call."""
    calls = reply.get("calls") or []
    try:
        beside = json.loads(calls[-1]["arguments"]).get("then_say", "") if calls else ""
    except (ValueError, AttributeError):
        beside = ""
    return "\n".join(text for text in (reply.get("text"), beside) if text)


def main(words):
    """Prints what the command line wants. Returns the exit code."""
    folders = [Path(word) for word in words if word != "--answer"]
    if not folders or any(word.startswith("-") and word != "--answer" for word in words):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for folder in folders:
        if not folder.is_dir() or not numbered(folder, "req"):
            print(f"count.py: there are no requests (req-1.json) in {folder}", file=sys.stderr)
            return 1
    if "--answer" in words:
        print(last_answer(folders[-1]))
        return 0
    rows = [(folder.resolve().name, *count(folder)) for folder in folders]
    if len(rows) > 1:
        sums = [sum(column) for column in list(zip(*rows))[1:4]]
        rows.append(("sum", *sums, max(row[4] for row in rows)))
    width = max(len(row[0]) for row in rows + [("folder",)])
    print(f"{'folder':{width}}  requests  turns   tokens  largest")
    for name, requests, turns, tokens, largest in rows:
        print(f"{name:{width}}  {requests:8}  {turns:5}  {tokens:7,}  {largest:7,}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
