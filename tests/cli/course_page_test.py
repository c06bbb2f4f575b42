"""docs/guide/course.md: every command on it runs, and pictures have the words that the page quotes.

A sample; `scripts/test --slow docs` has all."""

import html
import re
import shlex
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, ROOT, CommandTest, lockstep, sampled


class CoursePage(CommandTest):
    def test_every_command_runs_and_only_those_that_show_a_mistake_find_one(self):
        page = (ROOT / "docs" / "guide" / "course.md").read_text(encoding="utf-8")
        commands = {command: row for row in page.splitlines() for command in re.findall(r"`lockstep ([^`]+)`", row)}
        self.assertGreater(len(commands), 40)
        for command, row in sampled(list(commands.items())):
            with self.subTest(command):
                answer = lockstep(*shlex.split(command), folder=self.folder)
                self.assertEqual(answer.err, "", answer)
                # A picture is drawn whatever the kernel did; a run tells a wrong kernel by its status.
                shows_mistake = command.startswith("compare") or (command.startswith("run") and "wrong" in row)
                self.assertIn(answer.status, (DONE, KERNEL_IS_WRONG) if shows_mistake else (DONE,), answer)

    def test_a_picture_has_the_questions_and_words_that_its_row_quotes(self):
        """In *italics* and in quotes; what is a control of the window, or clicked there, is in no view's picture."""
        page = (ROOT / "docs" / "guide" / "course.md").read_text(encoding="utf-8")
        pictures = {}
        bare = lambda text: re.sub(r"[^a-z0-9]", "", html.unescape(text).lower())
        for row in sampled([row for row in page.splitlines() if "`lockstep show" in row]):
            commands = re.findall(r"`lockstep (show [^`]+ --out p)\.png`", row)
            seen = row.rstrip(" |").split(" | ")[-1]
            if not commands or "in the window" in seen:
                continue
            quotes = re.findall(r"\*([^*]+)\*", seen) + re.findall(r'"([^"]+)"', seen)
            texts = ""
            for command in commands if quotes or "--view read" in row else []:
                if command not in pictures:
                    lockstep(*shlex.split(command + ".svg"), folder=self.folder)
                    pictures[command] = (self.folder / "p.svg").read_text(encoding="utf-8")
                svg = pictures[command]
                texts += bare(re.sub(r"<[^>]*>", "", " ".join(re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL))))
                self.assertFalse("--view read" in command and "Scroll to read on" in svg, command + ": is cut")
            for quoted in quotes:
                for part in quoted.split("..."):
                    with self.subTest(f"{commands} {quoted}"):
                        self.assertIn(bare(part), texts)


if __name__ == "__main__":
    unittest.main()
