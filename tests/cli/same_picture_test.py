"""same_picture.py: rows come out of every filter as they went in, and only what the eye cannot see is the same."""

import struct
import unittest
import zlib

from same_picture import TOLERANCE, pixels, same_picture


def png(rows, width=3, color=2):
    chunk = lambda name, body: struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    header = struct.pack(">IIBBBBB", width, len(rows), 8, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b"")


class SamePicture(unittest.TestCase):
    def test_every_filter_is_undone(self):
        row = bytes([10, 20, 30, 40, 50, 60, 250, 5, 9])
        above = bytes([7, 7, 7, 90, 80, 70, 1, 2, 3])
        left = bytes([0, 0, 0]) + row[:6]
        corner = bytes([0, 0, 0]) + above[:6]
        plain = bytes([0]) + above
        for kind, guess in enumerate([left, above, bytes((a + b) // 2 for a, b in zip(left, above))], start=1):
            filtered = bytes([kind]) + bytes((value - by) & 255 for value, by in zip(row, guess))
            self.assertEqual(pixels(png([plain, filtered])), ((3, 2), above + row), kind)
        nearest = bytes(min((left[i], above[i], corner[i]), key=lambda p: abs(left[i] + above[i] - corner[i] - p)) for i in range(9))
        filtered = bytes([4]) + bytes((value - by) & 255 for value, by in zip(row, nearest))
        self.assertEqual(pixels(png([plain, filtered])), ((3, 2), above + row))

    def test_a_difference_that_can_be_seen_counts(self):
        one, near, far = (png([bytes([0, 9, 9, value, 9, 9, 9, 9, 9, 9])]) for value in (50, 50 + TOLERANCE, 51 + TOLERANCE))
        self.assertTrue(same_picture(one, near))
        self.assertFalse(same_picture(one, far))
        self.assertFalse(same_picture(one, png([bytes(10), bytes(10)])))
        self.assertFalse(same_picture(b"GIF89a1", b"GIF89a2"))


if __name__ == "__main__":
    unittest.main()
