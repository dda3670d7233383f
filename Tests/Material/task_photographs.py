"""Task 6: small JPEGs with and without the time of exposure, all bytes made here."""
import struct

WIDTH, HEIGHT = 64, 48

# The lengths and values of the standard Huffman table for differences of brightness.
DC_LENGTHS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
DC_VALUES = list(range(12))

# Old name, time of exposure, time of the last change, byte order, camera.
PHOTOGRAPHS = [
    ("IMG_0412.JPG", "2025:07:14 10:30:05", "2025:07:14 10:30:05", "<", "Kestrel 5"),
    ("IMG_0413.JPG", "2025:07:14 10:30:05", "2025:07:14 10:30:05", "<", "Kestrel 5"),
    ("IMG_0414.JPG", "2025:07:14 10:30:05", "2025:07:14 10:30:05", "<", "Kestrel 5"),
    ("IMG_0415.JPG", "2025:07:14 10:31:40", "2025:07:14 10:31:40", "<", "Kestrel 5"),
    ("IMG_0419.JPG", "2025:07:13 21:04:59", "2025:08:30 19:00:12", "<", "Kestrel 5"),
    ("DSC00017.jpg", "2025:07:15 06:12:33", "2025:07:15 06:12:33", ">", "Heron X1"),
    ("DSC00018.jpg", "2025:07:15 06:12:34", "2025:09:01 08:00:00", ">", "Heron X1"),
    ("DSC00002.jpg", "2025:07:14 10:31:40", "2025:07:14 10:31:40", ">", "Heron X1"),
    ("beach.jpeg", "2025:07:16 17:45:00", "2025:07:20 09:15:27", "<", "Kestrel 5"),
    ("from-anna.jpg", None, None, "<", ""),
    ("P1000001.JPG", "2024:12:31 23:59:58", "2024:12:31 23:59:58", ">", "Heron X1"),
    ("P1000002.JPG", "2025:01:01 00:00:03", "2025:01:01 00:00:03", ">", "Heron X1"),
]


def photographs(task):
    """Makes the photographs and the wish for their new names."""
    wanted, taken = {}, {}
    for number, (name, exposure, changed, order, camera) in enumerate(PHOTOGRAPHS):
        segment = _exif(exposure, changed, order, camera) if exposure else b""
        task.write(name, jpeg(number, segment))
    for name, exposure, *_ in sorted(PHOTOGRAPHS):
        if exposure is None:
            wanted[name] = name
            continue
        stem = exposure.replace(":", "-", 2).replace(" ", "_").replace(":", "-")
        taken[stem] = taken.get(stem, 0) + 1
        wanted[name] = stem + (f"-{taken[stem]}" if taken[stem] > 1 else "") + ".jpg"
    digests = task.digests(wanted)
    task.lines = ["Rename the photographs in this folder by the time when they were taken, like "
                  "2024-05-31_14-03-22.jpg. If several have the same second, the first of them by its old name "
                  "keeps that name, and the next ones get -2, -3 and so on before .jpg. Leave a photograph without "
                  "a time alone."]
    listed = "\n".join(f"  {old} → {new}" for old, new in sorted(wanted.items()))
    task.truth = f"""
- There are {len(PHOTOGRAPHS)} photographs. {len(PHOTOGRAPHS) - 1} get a new name, and from-anna.jpg has no EXIF.
- The time is DateTimeOriginal (0x9003). Three photographs were changed later, so their DateTime (0x0132) is another
  time: IMG_0419.JPG, DSC00018.jpg and beach.jpeg. The time of the file says nothing: it is the same for all.
- The EXIF of the Kestrel has the byte order II, that of the Heron MM.
- DSC00002.jpg and IMG_0415.JPG have the same second though their cameras differ.

{listed}
"""
    task.check("""
found = {path.name: digest(path.name) for path in workspace.iterdir() if path.suffix.lower() in (".jpg", ".jpeg")}
for old, new in given["wanted"].items():
    need(found.get(new) == given["digests"][old], f"{old} is not at {new} with its bytes")
need(len(found) == len(given["wanted"]), f"there are {len(found)} photographs")
""", wanted=wanted, digests=digests)


def _exif(exposure, changed, order, camera):
    """Returns an APP1 segment with the camera, the time of the last change and the time of exposure."""
    model, times = camera.encode() + b"\0", [text.encode() + b"\0" for text in (changed, exposure)]
    # The header has 8 bytes, the first directory 42 and the second 18. The texts follow.
    after = 8 + 42 + 18
    places = [after, after + len(model), after + len(model) + 20]
    main = struct.pack(order + "H", 3)
    main += struct.pack(order + "HHII", 0x0110, 2, len(model), places[0])
    main += struct.pack(order + "HHII", 0x0132, 2, 20, places[1])
    main += struct.pack(order + "HHII", 0x8769, 4, 1, 8 + 42) + bytes(4)
    sub = struct.pack(order + "HHHIII", 1, 0x9003, 2, 20, places[2], 0)
    mark = b"II" if order == "<" else b"MM"
    body = b"Exif\0\0" + mark + struct.pack(order + "HI", 42, 8) + main + sub + model + b"".join(times)
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def jpeg(number, segment):
    """Returns a grey picture of a sun above a slope, in blocks of one brightness. `number` moves the sun."""
    codes, code = {}, 0
    values = iter(DC_VALUES)
    for length, count in enumerate(DC_LENGTHS, 1):
        for _ in range(count):
            codes[next(values)] = f"{code:0{length}b}"
            code += 1
        code <<= 1
    bits, last = [], 0
    for y in range(HEIGHT // 8):
        for x in range(WIDTH // 8):
            is_sun = abs(x - number % 8) + abs(y - 1) <= 1
            level = 110 if is_sun else -70 + 8 * x if y > 3 + x // 4 else 40 - 9 * y
            bits.append(_difference(level - last, codes) + "0")
            last = level
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    data = bytes(int(text[at:at + 8], 2) for at in range(0, len(text), 8)).replace(b"\xff", b"\xff\0")
    # A flat block of brightness b has the coefficient 8 b, and all steps are 8.
    quantization = b"\xff\xdb" + struct.pack(">HB", 67, 0) + bytes([8]) * 64
    frame = b"\xff\xc0" + struct.pack(">HBHHBBBB", 11, 8, HEIGHT, WIDTH, 1, 1, 0x11, 0)
    dc = b"\xff\xc4" + struct.pack(">HB", 19 + len(DC_VALUES), 0) + bytes(DC_LENGTHS) + bytes(DC_VALUES)
    # The table of other coefficients has one code, the end of a block: "0".
    ac = b"\xff\xc4" + struct.pack(">HB", 20, 0x10) + bytes([1] + [0] * 15) + b"\0"
    scan = b"\xff\xda" + struct.pack(">HBBBBBB", 8, 1, 1, 0, 0, 63, 0)
    return b"\xff\xd8" + segment + quantization + frame + dc + ac + scan + data + b"\xff\xd9"


def _difference(value, codes):
    """Returns the bits of a difference of brightness."""
    size = abs(value).bit_length()
    if not size:
        return codes[0]
    return codes[size] + f"{value if value > 0 else value + (1 << size) - 1:0{size}b}"
