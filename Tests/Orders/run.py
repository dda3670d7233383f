"""Says the sentences of a list to the program, each in a fresh folder, and judges the files.

Usage: run.py PROGRAM LIST [-v] [PATTERN]

A list has blocks, parted by empty lines:
  [group]                 a name for the blocks that follow
  > words                 one line to the program; several lines in a block are a dialogue
  cannot                  right is a refusal that changes nothing
  new N [GLOB]            exactly N files are new, with such names ("*" if none is given). Without it, no file is new
  touches NAME ...        files of the folder that change or go; all others stay as they are
  said REGEX              words on the screen
  $ shell                 a check in bash, with the functions of checks.sh
The checks of a dialogue hold after the line before them; "new" and "touches" count from the beginning, and are judged
only where they stand.
"""
import collections, fnmatch, hashlib, json, os, pathlib, pty, re, select, shutil, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).parent
SECONDS = 60


def blocks(path):
    group, block = "", []
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines() + [""], 1):
        line = line.strip()
        if line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
        elif line:
            block.append(line)
        elif block:
            yield group, number, turns(block)
            block = []


def turns(block):
    """The lines to say, each with its checks."""
    found = []
    for line in block:
        if line.startswith(">"):
            found.append((line[1:].strip(), []))
        else:
            found[-1][1].append(line)
    return found


def contents(folder):
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if name.parts[0] in (".git", ".assent") or path.is_dir() and not path.is_symlink():
            continue
        found[str(name)] = hashlib.sha256(path.read_bytes() if path.is_file() else b"").hexdigest()
    return found


class Place:
    """A fresh folder, with a fresh home of the program."""

    def __init__(self, program, base):
        self.program = program
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="orders-"))
        self.folder = self.root / "work"
        shutil.copytree(base, self.folder, symlinks=True)
        self.before = contents(self.folder)
        self.turn = 0

    def say(self, words):
        self.turn += 1
        more = ["--continue"] if self.turn > 1 else []
        # LC_ALL: the answers are in the language of the sentence, whatever the machine speaks.
        env = dict(os.environ, ASSENT_HOME=str(self.root / "home"), NO_COLOR="1", LC_ALL="C.UTF-8")
        try:
            ended = subprocess.run([self.program, "ask", words, "--mode", "auto", "--json"] + more, cwd=self.folder, env=env,
                                   stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
            self.code, out = ended.returncode, (ended.stdout + ended.stderr).decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.code, out = -1, "no end within the time"
        self.objects = [o for o in map(parsed, out.splitlines()) if isinstance(o, dict)]
        self.screen = screen(self.objects) or out
        (self.root / "out").write_text(self.screen)

    def say_yes(self, words):
        """Says a line at a terminal, and yes to its question: only a person takes changes back."""
        env = dict(os.environ, ASSENT_HOME=str(self.root / "home"), LC_ALL="C.UTF-8", TERM="dumb")
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(self.program, [self.program, "ask", words, "--continue", "--plain"], env)
        out, answered, end = b"", False, time.monotonic() + SECONDS
        while time.monotonic() < end:
            ready = select.select([terminal], [], [], 1)[0]
            try:
                piece = os.read(terminal, 65536) if ready else b""
            except OSError:
                break
            out += piece
            if not piece and ready:
                break
            if not ready and not answered:
                os.write(terminal, b"y\r")
                answered = True
        self.code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(terminal)
        self.screen = out.decode(errors="replace")
        (self.root / "out").write_text(self.screen)

    def approve(self):
        """Approves what the last line left waiting."""
        env = dict(os.environ, ASSENT_HOME=str(self.root / "home"), NO_COLOR="1", LC_ALL="C.UTF-8")
        asked = next((o for o in reversed(self.objects) if "digest" in o and "number" in o), None)
        if asked is None:
            return
        command = [self.program, "approve", str(asked["number"]), "--digest", asked["digest"]]
        ended = subprocess.run(command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
        self.code = ended.returncode
        self.screen += (ended.stdout + ended.stderr).decode(errors="replace")
        (self.root / "out").write_text(self.screen)

    def way(self):
        return next((o["try"] for o in self.objects if isinstance(o.get("try"), str)), None)

    def faults(self, checks):
        after = contents(self.folder)
        new = sorted(set(after) - set(self.before))
        touched = {name for name in self.before if after.get(name) != self.before[name]}
        allowed, wanted = set(), (0, "*")
        isLast = not any(c == "anything" for c in checks)
        found = []
        for check in checks:
            verb, _, rest = check.partition(" ")
            if verb == "new":
                count, _, glob = rest.partition(" ")
                wanted = (int(count), glob or "*")
            elif verb == "touches":
                allowed.update(rest.split())
            elif verb == "said":
                if not re.search(rest, self.screen, re.I | re.M):
                    found.append(check)
            elif verb == "$":
                env = dict(os.environ, NEW=new[0] if new else "", OUT=str(self.root / "out"))
                script = f". {HERE}/checks.sh; {rest}"
                if subprocess.run(["bash", "-c", script], cwd=self.folder, env=env, capture_output=True).returncode:
                    found.append(check)
            elif verb not in ("cannot", "anything"):
                found.append(f"not a check: {check}")
        if isLast:
            wrong = touched - allowed
            if wrong:
                found.append("touched " + " ".join(sorted(wrong)))
            if len(new) != wanted[0] or not all(fnmatch.fnmatch(name, wanted[1]) for name in new):
                found.append(f"new: {' '.join(new) or 'none'}")
        return found

    def unchanged(self):
        return contents(self.folder) == self.before

    def end(self):
        shutil.rmtree(self.root, ignore_errors=True)


def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return None


def screen(objects):
    """The words of the objects: their texts, one below the other."""
    words = []

    def walk(value):
        if isinstance(value, str):
            words.append(value)
        elif isinstance(value, dict):
            for part in value.values():
                walk(part)
        elif isinstance(value, list):
            for part in value:
                walk(part)

    for o in objects:
        walk(o)
    return "\n".join(words)


def judged(program, base, turns):
    """right, way, refused, wrong or error, with the reason."""
    place = Place(program, base)
    try:
        for number, (words, checks) in enumerate(turns):
            last = contents(place.folder)
            place.say(words)
            if number + 1 < len(turns) and not checks:
                checks = ["anything"]
            isRefused = place.code != 0
            if "cannot" in checks:
                if isRefused and contents(place.folder) == last:
                    continue
                return ("wrong" if not isRefused else "error"), f"exit {place.code}"
            if not isRefused:
                faults = place.faults(checks)
                if faults:
                    return "wrong", f"“{words}”: {'; '.join(faults)}"
                continue
            if contents(place.folder) != last:
                return "error", f"“{words}”: exit {place.code}, files changed"
            if place.code == 3 and not place.way():
                # What asks in auto, such as a commit, gets its yes.
                place.approve()
                if place.code == 0:
                    faults = place.faults(checks)
                    if faults:
                        return "wrong", f"“{words}”, approved: {'; '.join(faults)}"
                    continue
            if "There is no terminal to ask at" in place.screen:
                place.say_yes(words)
                if place.code == 0:
                    faults = place.faults(checks)
                    if faults:
                        return "wrong", f"“{words}”, with a yes: {'; '.join(faults)}"
                    continue
            said, way = place.screen, place.way()
            if way:
                place.say(way)
                if place.code == 0 and not place.faults(checks):
                    return "way", f"“{words}”: {way}"
            return "refused", f"“{words}”: {last_words(said)}" + (f" | try: {way}" if way else "")
        return "right", ""
    finally:
        place.end()


def last_words(said):
    lines = [line for line in said.splitlines() if len(line) > 25]
    return (lines[-1] if lines else said)[:200]


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    program, path = os.path.abspath(words[0]), words[1]
    pattern = words[2] if len(words) > 2 else ""
    base = pathlib.Path(tempfile.mkdtemp(prefix="orders-base-"))
    subprocess.run(["/usr/bin/python3", HERE / "folder.py", base], check=True)
    counts = collections.defaultdict(collections.Counter)
    try:
        for group, number, block in blocks(path):
            if pattern and not re.search(pattern, " / ".join(words for words, _ in block) + group):
                continue
            result, why = judged(program, base, block)
            counts[group][result] += 1
            counts["all"][result] += 1
            if result != "right" or "-v" in sys.argv:
                print(f"{result:8} {group}:{number} {' / '.join(words for words, _ in block)}\n           {why}", flush=True)
    finally:
        shutil.rmtree(base)
    for group, count in counts.items():
        total = sum(count.values())
        print(f"{group:12} {total:4}  " + "  ".join(f"{kind} {count[kind]} ({100 * count[kind] // total} %)"
                                                    for kind in ("right", "way", "refused", "wrong", "error")))


main()
