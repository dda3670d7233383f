"""Writes photographs of a set, and what is made worse of each, as grey pictures on standard output.

python photographs.py SET.tsv FOLDER: of each photograph `FOLDER/NAME.png`; for each picture a line `NAME VARIANT`, and behind it
the picture as a PGM of at most 512x512 pixels, which `vipsthumbnail` has scaled. What is made worse is made so at that size.
"""
import io, pathlib, re, subprocess, sys, zlib
import numpy
from PIL import Image

packages = pathlib.Path(numpy.__file__).parent.parent
prefix = pathlib.Path(sys.prefix)


def photograph(place):
    path = next(p for p in (packages / place, prefix / place) if p.exists())
    if path.suffix == ".npz":
        return Image.fromarray(next(iter(numpy.load(path).values())).astype(numpy.uint8))
    return Image.open(path).convert("RGB")


def scaled(file, folder):
    out = folder / "scaled.pgm"
    subprocess.run(["vipsthumbnail", file, "--size", "512x512>", "-o", f"{out}[strip]"], check=True)
    return grey(out.read_bytes())


def grey(pgm):
    head = re.match(rb"P5\s+(?:#[^\n]*\s+)*(\d+)\s+(\d+)\s+255\s", pgm)
    width, height = int(head[1]), int(head[2])
    return numpy.frombuffer(pgm, numpy.uint8, width * height, head.end()).reshape(height, width).astype(float)


def filtered(pixels, kernel):
    """Convolves with a small kernel; the edge is repeated."""
    down, across = kernel.shape[0] // 2, kernel.shape[1] // 2
    padded = numpy.pad(pixels, ((down, down), (across, across)), "edge")
    result = numpy.zeros_like(pixels)
    for (y, x), weight in numpy.ndenumerate(kernel):
        if weight:
            result += weight * padded[y : y + pixels.shape[0], x : x + pixels.shape[1]]
    return result


def blurred(pixels, sigma):
    reach = int(4 * sigma + 0.5)
    row = numpy.exp(-0.5 * (numpy.arange(-reach, reach + 1) / sigma) ** 2)
    row /= row.sum()
    return filtered(filtered(pixels, row[None, :]), row[:, None])


def moved(pixels, length, slanted=False):
    kernel = numpy.eye(length) if slanted else numpy.ones((1, length))
    return filtered(pixels, kernel / length)


def noisy(pixels, sigma, name):
    return pixels + numpy.random.Generator(numpy.random.PCG64(zlib.crc32(name.encode()))).normal(0, sigma, pixels.shape)


def variants(name, image, pixels, folder):
    yield "sharp", pixels
    for sigma in (0.7, 1, 1.5, 2, 4):
        yield f"blur-{sigma}", blurred(pixels, sigma)
    for length in (5, 9, 15):
        yield f"moved-{length}", moved(pixels, length)
        yield f"slanted-{length}", moved(pixels, length, slanted=True)
    yield "noise-3", noisy(pixels, 3, name)
    yield "noise-10", noisy(pixels, 10, name)
    yield "blur-2-noise-3", noisy(blurred(pixels, 2), 3, name)
    yield "blur-2-noise-10", noisy(blurred(pixels, 2), 10, name)
    yield "light-0.15", pixels * 0.15
    yield "light-2.2", pixels * 2.2
    jpeg = io.BytesIO()
    image.save(jpeg, "JPEG", quality=30)
    width, height = image.size
    box = (width // 40, height // 40, width - width // 40, height - height // 40)
    for variant, copy in (
        ("same-q30", Image.open(jpeg)),
        ("same-brighter", Image.eval(image, lambda value: min(255, int(value * 1.2)))),
        ("same-cropped", image.crop(box)),
    ):
        copy.convert("RGB").save(folder / "copy.png")
        yield variant, scaled(folder / "copy.png", folder)


folder = pathlib.Path(sys.argv[2]).resolve()
out = sys.stdout.buffer
for line in open(sys.argv[1]):
    if line.startswith("#"):
        continue
    name, place, *box = line.rstrip("\n").split("\t")
    image = photograph(place)
    if box:
        left, top, width, height = map(int, box[0].split())
        image = image.crop((left, top, left + width, top + height))
    image.save(folder / f"{name}.png")
    for variant, pixels in variants(name, image, scaled(folder / f"{name}.png", folder), folder):
        height, width = pixels.shape
        out.write(f"{name} {variant}\nP5 {width} {height} 255\n".encode())
        out.write(numpy.clip(numpy.rint(pixels), 0, 255).astype(numpy.uint8).tobytes())
