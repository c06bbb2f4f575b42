"""Whether two PNG files are the same picture to the eye: as large, and no channel of a pixel further apart than TOLERANCE.

    python3 tests/cli/same_picture.py ONE.png OTHER.png

Exit status 0: they are. Window pictures differ by a few such pixels from run to run, where letters are drawn."""

import struct
import sys
import zlib

TOLERANCE = 6  # of 255; 3 was the most that was seen


def paeth(left, above, corner):
    estimate = left + above - corner
    return min((abs(estimate - left), 0, left), (abs(estimate - above), 1, above), (abs(estimate - corner), 2, corner))[2]


def pixels(data):
    """Size, and the bytes of all pixels without the filters of the PNG format; 8 bits, RGB or RGBA, as the program writes them."""
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    step = 3 if color == 2 else 4
    row, rows = width * step, zlib.decompress(packed)
    above, found = bytes(row), []
    for start in range(0, height * (row + 1), row + 1):
        kind, line = rows[start], bytearray(rows[start + 1:start + 1 + row])
        for i in range(row) if kind else ():
            left, corner = (line[i - step], above[i - step]) if i >= step else (0, 0)
            guess = (left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind - 1]
            line[i] = (line[i] + guess) & 255
        found.append(bytes(line))
        above = line
    return (width, height), b"".join(found)


def same_picture(one, other):
    if one == other:
        return True
    if not (one.startswith(b"\x89PNG") and other.startswith(b"\x89PNG")):
        return False
    (size, mine), (other_size, theirs) = pixels(one), pixels(other)
    return size == other_size and (mine == theirs or max(abs(a - b) for a, b in zip(mine, theirs)) <= TOLERANCE)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as one, open(sys.argv[2], "rb") as other:
        sys.exit(0 if same_picture(one.read(), other.read()) else 1)
