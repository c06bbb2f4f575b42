"""The tutorials and the page for lecturers, walked through: commands print the lines that stand below them, pictures have the sentences."""

import html
import re
import shlex
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, ROOT, CommandTest, lockstep, needs_nvrtc, needs_window
from walkthrough import changed, events_of

PAGES = sorted((ROOT / "docs" / "guide").glob("tutorial-*.md")) + [ROOT / "docs" / "guide" / "lecturers.md"]
PRINTS = {"run", "compare", "access"}
NOT_READ = {"shot", "list", "record", "doctor", "playlist", "lesson"}  # docs_commands_test runs these


def collapsed(text):
    return re.sub(r"\s+", " ", text).strip()


class Walkthrough(CommandTest):
    @needs_nvrtc
    @needs_window
    def test_every_figure_and_sentence_is_the_programs(self):
        for page in PAGES:
            checked, said = 0, ""
            for kind, *event in events_of(page):
                if kind == "file":
                    self.file(*event)
                elif kind == "command":
                    said = self.answer(shlex.split(event[0]))
                else:
                    for line in event[0] if kind == "output" else event:
                        for part in line.split("..."):
                            checked += 1
                            with self.subTest(f"{page.name}: {line}"):
                                self.assertIn(collapsed(part), said)
            self.assertGreater(checked, 3, page.name)

    def answer(self, words):
        """What a command prints, or all texts of the picture that a window or a view would show."""
        if words[0] in PRINTS:
            answer = lockstep(*words, folder=self.folder)
            self.assertIn(answer.status, (DONE, KERNEL_IS_WRONG), answer)
            return collapsed(answer.out)
        if words[0] in NOT_READ or "--steps" in words:
            return ""
        words = [word for word in words if word not in ("show", "--present")]
        words = words[:words.index("--out")] if "--out" in words else words
        view = [] if "--view" in words else ["--view", "stage"]
        answer = lockstep("show", *words, *view, "--size", "1100x900", "--out", "p.svg", folder=self.folder)
        self.assertEqual(answer.status, DONE, answer)
        texts = re.findall(r"<text[^>]*>(.*?)</text>", (self.folder / "p.svg").read_text(encoding="utf-8"), re.DOTALL)
        return collapsed(" ".join(html.unescape(re.sub(r"<[^>]*>", "", text)) for text in texts))

    def test_a_change_adds_its_lines_behind_the_line_above_them(self):
        self.assertEqual(changed("a\nb\n", " a\n+c\n+d\n"), "a\nc\nd\nb\n")
        with self.assertRaises(AssertionError):
            changed("a\na\n", " a\n+c\n")


if __name__ == "__main__":
    unittest.main()
