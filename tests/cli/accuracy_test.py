"""docs/internals/accuracy.md says what the program says today."""

import unittest

from accuracy import COMPILER, machine_page, page
from lockstep import CommandTest, ROOT, lockstep, needs_nvrtc


def compiler():
    return lockstep("run", "matmul/naive", "--set", "width=8", "--backend", "emulator", "--json", "-").json["machine"]["compiler"]


class Accuracy(CommandTest):
    maxDiff = None

    def written(self):
        """The page in two: the model against a profiler, and against machine code."""
        return (ROOT / "docs/internals/accuracy.md").read_text().split("\n## The compiler's part\n")

    def check(self, written, now):
        self.assertEqual(written.splitlines(), now.splitlines(), "write it again as tests/cli/accuracy.py says")

    @needs_nvrtc
    def test_the_page_is_up_to_date(self):
        self.check(self.written()[0], page())

    @unittest.skipUnless(compiler() == COMPILER, COMPILER + " was not found; scripts/get-ptxas fetches it")
    def test_the_compilers_part_is_up_to_date(self):
        self.check(self.written()[1], machine_page().split("\n## The compiler's part\n")[1])


if __name__ == "__main__":
    unittest.main()
