"""Task 7: a bar chart as a PNG, with letters of small blocks."""
import struct
import zlib

# Letters and digits of 5 columns and 7 rows. A "#" is a dot of ink.
FONT = {
    "A": ".###. #...# #...# ##### #...# #...# #...#",
    "B": "####. #...# #...# ####. #...# #...# ####.",
    "C": ".#### #.... #.... #.... #.... #.... .####",
    "D": "####. #...# #...# #...# #...# #...# ####.",
    "E": "##### #.... #.... ####. #.... #.... #####",
    "F": "##### #.... #.... ####. #.... #.... #....",
    "H": "#...# #...# #...# ##### #...# #...# #...#",
    "I": ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.",
    "K": "#...# #..#. #.#.. ##... #.#.. #..#. #...#",
    "L": "#.... #.... #.... #.... #.... #.... #####",
    "M": "#...# ##.## #.#.# #.#.# #...# #...# #...#",
    "N": "#...# ##..# #.#.# #..## #...# #...# #...#",
    "O": ".###. #...# #...# #...# #...# #...# .###.",
    "P": "####. #...# #...# ####. #.... #.... #....",
    "R": "####. #...# #...# ####. #.#.. #..#. #...#",
    "S": ".#### #.... #.... .###. ....# ....# ####.",
    "T": "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",
    "U": "#...# #...# #...# #...# #...# #...# .###.",
    "V": "#...# #...# #...# #...# #...# .#.#. ..#..",
    "W": "#...# #...# #...# #.#.# #.#.# ##.## #...#",
    "Y": "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#..",
    "0": ".###. #...# #..## #.#.# ##..# #...# .###.",
    "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "2": ".###. #...# ....# ..##. .#... #.... #####",
    "3": ".###. #...# ....# ..##. ....# #...# .###.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "##### #.... ####. ....# ....# #...# .###.",
    "6": ".###. #.... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ..#.. .#... .#... .#...",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ....# .###.",
    " ": "..... ..... ..... ..... ..... ..... .....",
}
WHITE, INK, GRID, BLUE, RED = (255, 255, 255), (40, 40, 40), (215, 215, 215), (60, 110, 180), (200, 60, 50)
TITLE = "VISITORS BY DAY 2026"
BARS = [("MON", 18), ("TUE", 24), ("WED", 9), ("THU", 31), ("FRI", 42), ("SAT", 57)]
WIDTH, HEIGHT, BASE, SCALE = 640, 400, 340, 4


class Canvas:
    """A picture in RGB."""

    def __init__(self, width, height):
        """Makes a white picture."""
        self.width, self.height = width, height
        self.rows = [bytearray(bytes(WHITE) * width) for _ in range(height)]

    def box(self, x, y, width, height, color):
        """Fills a rectangle."""
        for row in self.rows[y:y + height]:
            row[3 * x:3 * (x + width)] = bytes(color) * width

    def text(self, x, y, words, size, color=INK):
        """Draws words. Each dot of the font has `size` pixels."""
        for letter in words:
            for row, dots in enumerate(FONT[letter].split()):
                for column, dot in enumerate(dots):
                    if dot == "#":
                        self.box(x + column * size, y + row * size, size, size, color)
            x += 6 * size

    def png(self):
        """Returns the picture as a PNG."""
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + bytes(row) for row in self.rows), 9)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def picture(task):
    """Makes chart.png and the question about it."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.text(140, 16, TITLE, 3)
    for value in range(0, 61, 20):
        y = BASE - value * SCALE
        canvas.box(60, y, 550, 2, INK if value == 0 else GRID)
        canvas.text(16 if value else 28, y - 6, str(value), 2)
    for number, (label, value) in enumerate(BARS):
        x = 85 + number * 88
        canvas.box(x, BASE - value * SCALE, 56, value * SCALE, RED if value == 57 else BLUE)
        canvas.text(x + 1, BASE + 14, label, 3)
        canvas.text(x + 11 if value > 9 else x + 20, BASE - value * SCALE - 26, str(value), 3)
    task.write("chart.png", canvas.png())
    total = sum(value for _, value in BARS)
    task.lines = ["What does chart.png show? Name all values, the highest and the lowest day, and the sum."]
    task.truth = f"""
- chart.png has {WIDTH} × {HEIGHT} pixels. It is a bar chart with the title "{TITLE}" and an axis from 0 to 60.
- The bars, with their values above them: {', '.join(f'{label} {value}' for label, value in BARS)}.
- The highest is SAT with 57, whose bar is red. The other bars are blue. The lowest is WED with 9.
- The sum is {total}. There is no bar for Sunday, and nothing says why.
- The chart does not say of what place the visitors are.
"""
    task.check("""
need_unchanged(given["files"])
text = answer()
for label, value in given["bars"]:
    need_words(text, [label + r"\\w*\\W{1,12}(?:\\w+\\W+){0,3}?" + str(value) + r"\\b"], "the answer")
need_words(text, [r"\\b%d\\b" % given["total"]], "the answer")
""", files=task.digests(["chart.png"]), bars=BARS, total=total)
