"""What the BentoML service of the tests does: tasks, which are submitted, asked after and fetched."""

import struct
import time
import zlib
from pathlib import Path
from typing import Annotated

import bentoml
from bentoml.validators import ContentType


def png(width, height):
    """One colour, without a library."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + b"\x30\x90\xc0" * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b"")


@bentoml.service(name="Peer", workers=1, threads=4, traffic={"timeout": 300}, logging={"access": {"enabled": False}})
class Peer:
    @bentoml.task
    def work(self, seconds: float = 0, text: str = "", until: str = "") -> str:
        """Works for so long, and, if `until` is a path, until there is a file."""
        time.sleep(seconds)
        while until and not Path(until).exists():
            time.sleep(0.05)
        return text.upper()

    @bentoml.task
    def fail(self) -> str:
        raise RuntimeError("this task always fails")

    @bentoml.task
    def picture(self, width: int = 16, height: int = 16) -> Annotated[bytes, ContentType("image/png")]:
        return png(width, height)

    @bentoml.task
    def measure(self, width: int = 16, height: int = 16) -> dict:
        return {"width": width, "height": height, "bytes": len(png(width, height))}

    # BentoML 1.4.39 cannot store a result that is a file: the task stays `in_progress` for ever.
    @bentoml.task
    def file(self, context: bentoml.Context) -> Path:
        path = Path(context.temp_dir) / "picture.png"
        path.write_bytes(png(16, 16))
        return path
