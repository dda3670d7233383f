"""Types the lines of a newcomer into Assent, checks the screen after each, and draws every screen as a picture.

    newcomer.py PROGRAM OUT [COLUMNS …]

OUT gets contact sheets (80-dark-03.png), the text of each session (80-colour.txt) and findings.txt. The exit code is 1 if there are any.
"""
import copy, fcntl, os, pty, re, select, shutil, signal, struct, sys, tempfile, termios, time
from pathlib import Path
import pyte
from PIL import Image, ImageDraw, ImageFont

KEYS = {"Tab": "\t", "Esc": "\x1b", "Up": "\x1b[A", "Enter": "\r", "BS": "\x7f", "C-c": "\x03", "C-d": "\x04", "C-x": "\x18", "C-e": "\x05"}
NAMES = [weight + name for weight in ("", "bright") for name in "black red green brown blue magenta cyan white".split()]
THEMES = {  # background, foreground, and the sixteen colours in the order of NAMES
    "light": "#fff #222 #000 #c01c28 #26853a #a2734c #12488b #a347ba #1a7f8c #ccc #666 #e01b24 #2ea043 #b58900 #2a7bde #c061cb #2aa1b3 #fff",
    "dark": "#222 #ddd #111 #e06c75 #98c379 #d19a66 #61afef #c678dd #56b6c2 #bbb #666 #ff7b86 #b5e890 #e5c07b #7fc4ff #dd9cf0 #7fdce6 #fff",
}
WIDTH, HEIGHT = 6, 13
FONTS = [ImageFont.truetype(f"/usr/share/fonts/truetype/dejavu/DejaVuSansMono{weight}.ttf", 10) for weight in ("", "-Bold")]
RAW = re.compile(r"\x1b|\[\??\d+(;\d+)*[mhlKJHA]")  # "^[[A" is what a terminal shows of a key with --plain.
TEXTS = {"notes.txt": "Milk\nBread\nApples\n", "long.txt": "".join(f"Line {n} of a long text.\n" for n in range(1, 401)),
         "orders.json": '{"users":[{"name":"Ana","orders":[1,2,3]},{"name":"Bo","orders":[]}],"total":3}\n',
         "prices.csv": 'name,price,note\nmilk,1.20,"fresh, cold"\nbread,3.00,\n',
         "readme.md": "# Holiday\n\nSome **photos** of `2026`.\n\n- a cat\n- a beach\n"}


class Screen(pyte.HistoryScreen):
    """A screen that keeps all rows and lists the lines that are wider than it. pyte knows no faint text: it is stored as struck."""

    def __init__(self, columns, rows, answer):
        self.wide, self.kept, self.write_process_input = [], None, answer
        super().__init__(columns, rows, history=100_000)
        self.feed = pyte.ByteStream(self).feed

    def draw(self, data):
        if self.kept is None and self.cursor.x + sum(map(pyte.screens.wcwidth, data)) > self.columns:
            self.wide.append(data)
        super().draw(data)

    def select_graphic_rendition(self, *codes, **_):
        if 38 not in codes and 48 not in codes:
            codes = [wanted for code in codes for wanted in {2: [9], 22: [22, 29]}.get(code, [code])]
        super().select_graphic_rendition(*codes)

    def set_mode(self, *modes, **how):
        if 1049 in modes:
            self.kept = copy.deepcopy(self.buffer), copy.copy(self.cursor), copy.copy(self.history.top)
        super().set_mode(*modes, **how)

    def reset_mode(self, *modes, **how):
        super().reset_mode(*modes, **how)
        if 1049 in modes and self.kept:
            (self.buffer, self.cursor, top), self.kept = self.kept, None
            self.history = self.history._replace(top=top)

    def text(self):
        """Returns all rows, those that have left the screen first."""
        lines = [*self.history.top, *map(self.buffer.__getitem__, range(self.lines))]
        return ["".join(line[column].data for column in range(self.columns)).rstrip() for line in lines]

    def is_waiting(self):
        """Returns whether a prompt, a question or a pager waits for a key, and no step runs."""
        *above, row = self.display[max(0, self.cursor.y - 2):self.cursor.y + 1]
        near = "\n".join(above) + "\n"
        is_prompt = "›" in row or "›" in near and "[y]" not in near
        is_question = any(words in near + row for words in ("press ", "and Enter"))
        return self.kept is not None or is_question or is_prompt and not re.search(r"▸ .*… *\n| waiting", near)

    def picture(self, theme, title, is_faulty):
        """Draws the screen with the colours that were sent."""
        background, foreground, *sixteen = THEMES[theme].split()
        front, behind = ({**dict(zip(NAMES, sixteen)), "default": base} for base in (foreground, background))
        drawn = Image.new("RGB", (self.columns * WIDTH + 4, (self.lines + 1) * HEIGHT + 4), background)
        pen = ImageDraw.Draw(drawn)
        pen.rectangle((0, 0, drawn.width, HEIGHT), fill="#b00020" if is_faulty else "#335577")
        pen.text((2, 0), title[: self.columns - 1], font=FONTS[1], fill="white")
        for y, x in ((y, x) for y in range(self.lines) for x in range(self.columns)):
            char = self.buffer[y][x]
            fore, back = front.get(char.fg, f"#{char.fg}"), behind.get(char.bg, f"#{char.bg}")
            is_cursor = (x, y) == (self.cursor.x, self.cursor.y) and not self.cursor.hidden
            fore, back = (back, fore) if char.reverse != is_cursor else (fore, back)
            if char.strikethrough:
                fore = Image.blend(Image.new("RGB", (1, 1), fore), Image.new("RGB", (1, 1), back), 0.45).getpixel((0, 0))
            left, top = x * WIDTH + 2, (y + 1) * HEIGHT + 2
            pen.rectangle((left, top, left + WIDTH - 1, top + HEIGHT - 1), fill=back)
            pen.text((left, top), char.data, font=FONTS[char.bold], fill=fore)
            pen.line((left, top + HEIGHT - 1, left + WIDTH, top + HEIGHT - 1), fill=fore if char.underscore else back)
        return drawn


class Session:
    """A workspace, and a terminal in which the program runs."""

    def __init__(self, program, columns, options):
        self.program, self.options, self.columns, self.rows = os.path.abspath(program), options, columns, 24 if columns < 80 else 30
        self.seen, self.scratch = 0, tempfile.mkdtemp(prefix="newcomer-")
        self.home, self.folder = self.scratch + "/ana", self.scratch + "/ana/holiday"
        os.makedirs(f"{self.folder}/photos")
        photo = Image.linear_gradient("L").resize((1600, 1067)).convert("RGB")
        ImageDraw.Draw(photo).ellipse((500, 200, 1100, 900), fill="orange", outline="navy", width=30)
        for name in ("cat.jpg", "../cat.jpg", "beach.png", "photos/tree.jpg", "photos/lake.jpg"):
            photo.save(f"{self.folder}/{name}")
        for name in TEXTS:
            Path(self.folder, name).write_text(TEXTS[name])
        self.screen = Screen(columns, self.rows, lambda data: os.write(self.terminal, data.encode()))
        self.start()

    def start(self, *words):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
            os.chdir(self.folder)
            fixed = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color", "EDITOR": "true"}
            os.execve(self.program, ["assent", *words, *self.options], fixed | {"HOME": self.home, "TMPDIR": self.scratch})
        self.has_ended = False
        self.read()

    def end(self):
        os.kill(self.child, signal.SIGKILL)  # It may have ended, but it was not waited for.
        os.waitpid(self.child, 0)
        os.close(self.terminal)

    def read(self, quiet=0.5, most=25):
        """Draws what arrives until nothing has come for `quiet` seconds and the prompt is back. Returns whether it is."""
        last, end = time.monotonic(), time.monotonic() + most
        while not self.has_ended and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.screen.feed(os.read(self.terminal, 65536))
                except OSError:  # The program has closed its side.
                    self.has_ended = True
                last = time.monotonic()
            elif time.monotonic() - last > quiet and self.screen.is_waiting():
                return True
        return False

    def type(self, line):
        """Types a line of `lines.txt`. Returns what is wrong with the screen after it."""
        if line.startswith("<paste>"):
            frame = "\x1b[200~{}\x1b[201~" if 2004 << 5 in self.screen.mode else "{}"
            keys = [frame.format(line[7:].replace("|", "\n")), "\r"]
        else:
            parts = re.split(r"<([\w-]*)>", line.replace("<leaves>", ""))  # texts and names of keys, in turns
            keys = [KEYS.get(part, part) if number % 2 else part for number, part in enumerate(parts) if part]
            keys += ["\r"] if len(parts) == 1 else []
        for key in keys:
            os.write(self.terminal, key.encode())
            self.read(quiet=0.15, most=0.5)
        leaves = "<leaves>" in line
        faults = [] if self.read() or self.has_ended else ["the prompt is not back"]
        faults += ["the program ended" if self.has_ended else "the program did not leave"] if leaves != self.has_ended else []
        return faults + self.check(line)

    def check(self, line):
        """Returns what is wrong with the rows that are new. What was typed may be wider than the terminal."""
        faults = [f"wider than {self.columns} columns: {text.strip()[:60]}" for text in self.screen.wide if text.strip() not in line]
        rows = list(filter(None, map(str.strip, self.screen.text())))
        faults += [f"raw: {row[:60]}" for row in rows[max(0, self.seen - 1):] if RAW.search(row)]
        again = [row for before, row in zip(rows[max(0, self.seen - 1):], rows[max(1, self.seen):]) if row == before]
        faults += [f"twice: {row[:60]}" for row in again if len(re.findall(r"\w", row)) > 3]
        self.screen.wide, self.seen = [], len(rows)
        return faults


def play(program, out, columns, is_plain):
    """Types all lines in one session, and saves its sheets and its text. Returns its findings."""
    os.makedirs(out, exist_ok=True)
    lines = [line for line in Path(__file__).with_name("lines.txt").read_text().splitlines() if line and line[0] != "#"]
    session, kind, findings = Session(program, columns, ["--plain"] * is_plain), ("colour", "plain")[is_plain], []
    pictures = {"plain": []} if is_plain else {"light": [], "dark": []}
    try:
        for number, line in enumerate(["(start)"] + lines):
            faults = session.type(line) if number else session.check(line)
            findings += [f"{columns} {kind} {number} [{line}] {fault}" for fault in faults]
            for theme, drawn in pictures.items():
                drawn.append(session.screen.picture("light" if is_plain else theme, f"{number} {line}", bool(faults)))
            if session.has_ended:
                session.end()
                session.start("-c")
        Path(out, f"{columns}-{kind}.txt").write_text("\n".join(session.screen.text()) + "\n")
    finally:
        session.end()
        shutil.rmtree(session.scratch, ignore_errors=True)
    for theme, drawn in pictures.items():
        (width, across), (height, down) = ((length + 6, 1500 // (length + 6)) for length in drawn[0].size)
        for number, sheet in enumerate(range(0, len(drawn), across * down), 1):
            paper = Image.new("RGB", (across * width, down * height), "#808080")
            for place, one in enumerate(drawn[sheet:sheet + across * down]):
                paper.paste(one, (place % across * width, place // across * height))
            paper.save(f"{out}/{columns}-{theme}-{number:02}.png")
    print(f"{columns} columns, {kind}: {len(lines)} lines, {len(findings)} findings", flush=True)
    return findings


if __name__ == "__main__":
    program, out, *widths = sys.argv[1:]
    sessions = [(int(columns), is_plain) for columns in widths or ("40", "80", "120") for is_plain in (False, True)]
    found = [finding + "\n" for session in sessions for finding in play(program, out, *session)]
    Path(out, "findings.txt").write_text("".join(found))
    print("".join(found) + f"{len(found)} findings")
    sys.exit(bool(found))
