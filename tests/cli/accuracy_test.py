"""docs/accuracy.md says what the program says today."""

import unittest

from accuracy import page
from lockstep import CommandTest, ROOT, needs_nvrtc


@needs_nvrtc
class Accuracy(CommandTest):
    def test_the_page_is_up_to_date(self):
        self.maxDiff = None
        self.assertEqual((ROOT / "docs/accuracy.md").read_text().splitlines(), page().splitlines(),
                         "write it anew as tests/cli/accuracy.py says")


if __name__ == "__main__":
    unittest.main()
