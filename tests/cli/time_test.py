"""lockstep time: cycles and stalls of a kernel by the cycle model, or a sentence that says why there are none."""

import os
import tempfile
import unittest

from lockstep import KERNEL_IS_WRONG, ROOT, CommandTest, lockstep

STALLS = {"selected", "not_selected", "wait", "branch_resolving", "no_instruction", "long_scoreboard", "short_scoreboard", "imc_miss",
          "dispatch_stall", "math_pipe_throttle", "mio_throttle", "lg_throttle", "barrier", "membar", "drain"}


class Time(CommandTest):
    def time_of(self, *words):
        return self.succeeds("time", *words, "--json", "-").json

    def test_a_time_has_cycles_stalls_lines_and_its_error(self):
        answer = self.time_of("transpose/shared", "--set", "rows=64", "--set", "columns=32")
        time = answer["time"]
        self.assertEqual((answer["kernel"]["family"], answer["profile"]), ("transpose", "cc90"))
        self.assertGreater(time["elapsed_cycles"], time["sm_active_cycles"])
        self.assertAlmostEqual(time["microseconds"], time["elapsed_cycles"] / time["clock_mhz"], places=6)
        self.assertEqual(set(time["stalls"]), STALLS)
        self.assertEqual(time["stalls"]["selected"], 1)
        self.assertRegex(time["error"], r"^mean error \d+% on \d+ other launches of this kind$")
        # An H200's own count, ncu: smsp__inst_executed.
        self.assertEqual(sum(line["issued"] for line in time["lines"]), 1232)

    def test_bank_conflicts_and_scattered_stores_take_longer(self):
        def cycles(kernel, *settings):
            return self.time_of(kernel, *settings)["time"]["sm_active_cycles"]

        self.assertGreater(cycles("banks/column", "--set", "padding=0"), cycles("banks/column", "--set", "padding=1"))
        size = ["--set", "rows=256", "--set", "columns=256"]
        self.assertGreater(cycles("transpose/naive", *size), cycles("transpose/shared-padded", *size))

    def test_the_same_launch_takes_the_same_time_again(self):
        words = ["reduction/v2", "--set", "n=1024", "--set", "block=128"]
        self.assertEqual(self.time_of(*words), self.time_of(*words))

    def changes_of(self, *words):
        answer = self.time_of(*words, "--what-if")["what_if"]
        return answer["elapsed_cycles"], {row["change"]: row for row in answer["changes"]}

    def test_what_if_says_what_each_cost_takes(self):
        cycles, changes = self.changes_of("banks/column", "--set", "padding=0")
        conflicts = changes["no_bank_conflicts"]
        self.assertLess(conflicts["elapsed_cycles"], cycles)
        self.assertAlmostEqual(conflicts["saved"], 1 - conflicts["elapsed_cycles"] / cycles, places=6)
        padded, padded_changes = self.changes_of("banks/column", "--set", "padding=1")
        self.assertEqual(padded_changes["no_bank_conflicts"]["elapsed_cycles"], padded)
        self.assertLess(changes["all_hits"]["elapsed_cycles"], cycles)
        self.assertIsNone(changes["more_warps"]["elapsed_cycles"])
        self.assertEqual(changes["more_warps"]["reason"], "that is so already")

    def test_the_page_has_every_change(self):
        _, changes = self.changes_of("banks/row")
        with open(ROOT / "docs" / "guide" / "time.md", encoding="utf-8") as file:
            rows = [line for line in file if line.startswith("| `")]
        self.assertEqual(rows, [f"| `{name}` | {row['meaning']} |\n" for name, row in changes.items()])

    def test_what_if_is_a_table_in_both_languages(self):
        for language, title in (("en", "perfectly coalesced"), ("zh-CN", "完全合并")):
            answer = self.succeeds("time", "transpose/naive", "--what-if", "--lang", language)
            self.assertIn(title, answer.out)

    def test_one_block_at_a_time_hides_less(self):
        cycles, changes = self.changes_of("matmul/tiled", "--set", "width=512")
        self.assertGreater(changes["one_block"]["elapsed_cycles"], cycles)
        self.assertLess(changes["one_block"]["saved"], 0)

    def picture(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "issue.svg")
            self.succeeds("show", *words, "--view", "issue", "--out", out)
            with open(out, encoding="utf-8") as file:
                return file.read()

    def test_the_issue_timeline_is_drawn_and_says_its_error(self):
        for zoom in ("launch", "around", "cycles"):
            picture = self.picture("matmul/tiled", "--set", "width=32", "--zoom", zoom, "--sub-core", "1")
            self.assertRegex(picture, r"\(modeled, mean error \d+% on \d+ other")
            self.assertIn("Sub-core 1", picture)
            if zoom != "around":
                self.assertIn(f"--zoom {zoom} --sub-core 1", picture)

    def test_the_issue_timeline_of_what_has_no_time_says_why(self):
        self.assertIn("No time: there is no time model of", self.picture("banks/row", "--profile", "cc80"))

    def test_zoom_and_sub_core_go_with_the_issue_timeline(self):
        for option in (["--zoom", "launch"], ["--sub-core", "1"]):
            answer = lockstep("show", "banks/row", "--view", "banks", *option, "--out", "never.svg")
            self.assertIn("go with --view issue", answer.err)

    def test_what_has_no_time_says_why(self):
        other = lockstep("time", "banks/row", "--profile", "cc80", "--json", "-")
        self.assertEqual(other.status, KERNEL_IS_WRONG)
        self.assertIsNone(other.json["time"])
        self.assertIn("there is no time model of", other.json["reason"])
        outside = lockstep("time", "matmul/tiled", "--set", "width=3", "--set", "tile=2", "--json", "-")
        self.assertEqual(outside.status, KERNEL_IS_WRONG)
        self.assertIsNone(outside.json["time"])
        self.assertIn("lies outside of memory", outside.json["reason"])


if __name__ == "__main__":
    unittest.main()
