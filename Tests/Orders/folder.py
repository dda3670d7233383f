"""Makes the folder that the sentences of the lists are said in. Usage: folder.py FOLDER"""
import json, os, pathlib, struct, subprocess, sys, zlib

LETTER = """Dear Mr Smith,

thank you for your letter of 3 May. Smith and Sons will send the plumber on Monday.
Please pay the refund of 120 euros by then.

Yours, Anna Jones
"""
TEXTS = {
    "letter.txt": LETTER,
    "shopping.txt": "milk\nbread\nApples\nmilk\ncheese\nbread\n",
    "recipe.txt": "Pancakes\n\n200 g flour\n2 eggs\n300 ml milk\n\nMix. Wait. Fry.\n",
    "notes.md": "# Notes\n\nCall the plumber.\n\n\nBuy paint, colour white.\n",
    "log.txt": "".join(
        f"2026-05-{day:02} {'ERROR disk full' if day % 5 == 0 else 'INFO started'} host{day % 3}\n" for day in range(1, 21)),
    "people.csv": "name,age,city\nAnna,34,Berlin\nBob,51,Paris\nCarla,28,Rome\nDavid,45,Berlin\n",
    "sales.csv": "date,product,amount\n2026-01-05,chair,120\n2026-01-09,table,340.5\n2026-02-01,lamp,45\n2026-02-14,chair,130\n",
    "config.json": '{"name":"shop","port":8080,"debug":false,"tags":["a","b"]}\n',
    "users.json": '[{"name":"Anna","email":"anna@example.org"},{"name":"Bob","email":"bob@example.org"}]\n',
    "hello.py": 'print("hello")\n',
    "docs/plan.txt": "The plan\n\nFirst the plumber, then the paint.\n",
    "docs/draft.txt": "A draft for Smith.\n",
}
DATES = {"photos/IMG_2031.jpg": "2025:07:14 10:30:00", "photos/IMG_2032.jpg": "2025:08:02 18:05:10"}


def picture(path, width, height, seed):
    """Writes a picture of smooth colors with some detail: a PNG by hand, other formats by vips."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            step = (x * 7 + y * 13 + seed * 31) % 23
            rows += bytes(((x * 255 // width + step) % 256, (y * 255 // height + seed * 40) % 256, (seed * 90 + step) % 256))
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b"")
    target = path if path.suffix == ".png" else path.with_suffix(".made.png")
    target.write_bytes(png)
    if target != path:
        subprocess.run(["vips", "copy", target, f"{path}[Q=90]"], check=True)
        target.unlink()


def dated(path, date):
    """Puts the date of a photograph, and a place, into the EXIF of a JPEG."""
    text = date.encode() + b"\0"
    ifd0 = struct.pack("<H", 2) + struct.pack("<HHII", 0x8769, 4, 1, 38) + struct.pack("<HHII", 0x8825, 4, 1, 76) + struct.pack("<I", 0)
    sub = struct.pack("<H", 1) + struct.pack("<HHII", 0x9003, 2, 20, 56) + struct.pack("<I", 0) + text
    gps = struct.pack("<H", 2) + struct.pack("<HHI4s", 1, 2, 2, b"N\0") + struct.pack("<HHII", 2, 5, 3, 106) + struct.pack("<I", 0)
    gps += struct.pack("<IIIIII", 52, 1, 30, 1, 0, 1)
    exif = b"II*\0" + struct.pack("<I", 8) + ifd0 + sub + gps
    data = path.read_bytes()
    segment = b"Exif\0\0" + exif
    path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + data[2:])


def pdf(path, pages):
    """Writes a PDF with one text for each page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>",
               f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(len(pages)))}] >>",
               "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for number, text in enumerate(pages):
        stream = f"BT /F1 18 Tf 72 720 Td ({text}) Tj ET"
        objects.append("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
                       f"/Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n".encode()
    path.write_bytes(out)


def run(*words, **options):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)


def main(folder):
    root = pathlib.Path(folder)
    for name in ("docs", "photos"):
        (root / name).mkdir(parents=True, exist_ok=True)
    for name, text in TEXTS.items():
        (root / name).write_text(text)
    (root / "empty.txt").write_text("")
    sizes = {"beach.jpg": (900, 600), "grandma.png": (640, 480), "logo.png": (120, 80), "cat.webp": (500, 400),
             "IMG_2033.jpg": (800, 600), "scan.png": (300, 420), "photos/IMG_2031.jpg": (600, 400),
             "photos/IMG_2032.jpg": (400, 600), "photos/garden.png": (320, 240)}
    for seed, (name, (width, height)) in enumerate(sizes.items()):
        picture(root / name, width, height, seed)
    for name, date in DATES.items():
        dated(root / name, date)
    pdf(root / "invoice.pdf", ["Invoice 17: two chairs, 250 euros", "Page two of the invoice"])
    pdf(root / "report.pdf", ["Report for Smith", "Second page", "Third page"])
    run("ffmpeg", "-y", "-f", "lavfi", "-i", "sine=frequency=440:duration=6", root / "song.wav")
    run("ffmpeg", "-y", "-f", "lavfi", "-i", "testsrc=duration=4:size=160x120:rate=10", "-pix_fmt", "yuv420p", root / "clip.mp4")
    pack = root / ".pack"
    pack.mkdir()
    (pack / "a.txt").write_text("first\n")
    (pack / "b.txt").write_text("second\n")
    picture(pack / "pic.png", 60, 40, 9)
    run("zip", "-q", "../backup.zip", "a.txt", "b.txt", "pic.png", cwd=pack)
    run("tar", "-czf", "../old.tar.gz", "a.txt", "b.txt", cwd=pack)
    run("rm", "-r", str(pack))
    git = ["git", "-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
    run(*git, "init", "-q", "-b", "main", cwd=root)
    run(*git, "add", ".", cwd=root)
    run(*git, "commit", "-q", "-m", "Begin", cwd=root)
    with open(root / "notes.md", "a") as notes:
        notes.write("Pay the plumber.\n")
    # Times a minute apart, so that "newest" has one answer: hello.py.
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    names.remove("hello.py")
    for age, name in enumerate(["hello.py"] + names):
        moment = 1_780_000_000 - 60 * age
        os.utime(root / name, (moment, moment))


main(sys.argv[1])
