"""Runs the program as a process, the way a script does, and reads what it wrote."""

import array
import ast
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRUTH = ROOT / "tests" / "truth"
PROGRAM = os.environ["LOCKSTEP_PROGRAM"]
# Whatever the machine speaks, the tests read English.
os.environ.update({"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "", "LOCKSTEP_LANG": ""})

DONE, KERNEL_IS_WRONG, USAGE_ERROR = 0, 1, 2


class Answer:
    """Exit status and the two streams of one call."""

    def __init__(self, words, completed):
        self.words, self.status = words, completed.returncode
        self.out = completed.stdout.decode("utf-8", "replace")
        self.err = completed.stderr.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"lockstep {' '.join(self.words)}\nstatus {self.status}\n{self.out[:2000]}\n{self.err[:2000]}"


def lockstep(*words, folder=ROOT, seconds=300, environment=None):
    words = [str(word) for word in words]
    settings = {**os.environ, "LOCKSTEP_RESOURCES": str(ROOT), **(environment or {})}
    return Answer(words, subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, timeout=seconds,
                                        stdin=subprocess.DEVNULL, env=settings))


class CommandTest(unittest.TestCase):
    """Has a folder of its own for what the program writes."""

    maxDiff = 4000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content=b""):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def succeeds(self, *words, status=DONE, **options):
        answer = lockstep(*words, **options)
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.err, "", answer)
        return answer

    def refuses(self, *words, saying, status=USAGE_ERROR, **options):
        """One sentence on standard error that holds each of `saying`, and nothing anywhere else."""
        before = sorted(self.folder.rglob("*"))
        answer = lockstep(*words, **options)
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.out, "", answer)
        self.assertTrue(answer.err.startswith("lockstep: "), answer)
        self.assertEqual(answer.err.count("\n"), 1, answer)
        for part in [saying] if isinstance(saying, str) else saying:
            self.assertIn(part, answer.err, answer)
        self.assertEqual(sorted(self.folder.rglob("*")), before, answer)
        return answer


def has_nvrtc():
    return lockstep("doctor", "--json", "-").json["nvrtc"] is not None


def has_toolkit():
    return lockstep("doctor", "--json", "-").json["toolkit"] is not None


def has_window():
    return "no window" not in lockstep("--no-such-option").err


def sampled(items):
    """Every third of them; all with `scripts/test --slow docs`."""
    return items if os.environ.get("LOCKSTEP_ALL_DOCS") else items[::3]


needs_window = unittest.skipUnless(has_window(), "built without the window")
needs_nvrtc = unittest.skipUnless(has_nvrtc(), "NVRTC was not found; scripts/get-nvrtc fetches it")

# dtype of a .npy file -> array's type code; halves are compared as their bits.
TYPE_CODES = {"<f8": "d", "<f4": "f", "<f2": "H", "<i8": "q", "<u8": "Q", "<i4": "i", "<u4": "I", "<i2": "h", "<u2": "H",
              "|i1": "b", "|u1": "B"}


def read_npy(path):
    """The elements, and their dtype."""
    data = pathlib.Path(path).read_bytes()
    assert data[:6] == b"\x93NUMPY", path
    start, length = (10, struct.unpack("<H", data[8:10])[0]) if data[6] == 1 else (12, struct.unpack("<I", data[8:12])[0])
    header = ast.literal_eval(data[start:start + length].decode("latin1"))
    elements = array.array(TYPE_CODES[header["descr"]])
    elements.frombytes(data[start + length:])
    return elements, header["descr"]


def read_png(path):
    """Width and height, once every chunk's checksum holds and the pixels inflate to as many as there should be."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, pixels, names = 8, b"", []
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], name
        if name == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        if name == b"IDAT":
            pixels += body
        names.append(name)
        at += 12 + length
    assert names[0] == b"IHDR" and names[-1] == b"IEND", names
    assert depth == 8 and color in (2, 6), (depth, color)
    channels = 3 if color == 2 else 4
    assert len(zlib.decompress(pixels)) == height * (1 + width * channels), (width, height)
    return width, height
