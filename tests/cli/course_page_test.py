"""docs/course.md: every command on it runs."""

import re
import shlex
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, ROOT, CommandTest, lockstep


class CoursePage(CommandTest):
    def test_every_command_runs_and_only_those_that_show_a_mistake_find_one(self):
        page = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")
        commands = re.findall(r"`lockstep ([^`]+)`", page)
        self.assertGreater(len(commands), 40)
        for command in dict.fromkeys(commands):
            with self.subTest(command):
                answer = lockstep(*shlex.split(command), folder=self.folder)
                self.assertEqual(answer.err, "", answer)
                # A picture is drawn whatever the kernel did; a run tells a wrong kernel by its status.
                self.assertIn(answer.status, (DONE, KERNEL_IS_WRONG) if command.startswith("compare") else (DONE,), answer)


if __name__ == "__main__":
    unittest.main()
