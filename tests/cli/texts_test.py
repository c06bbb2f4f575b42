"""lockstep texts: what is shown for a kernel, in one language or in two, each text once."""

import os
import re
import signal
import subprocess
import unittest

from lockstep import PROGRAM, ROOT, CommandTest

TILED = "matmul/tiled"
CANCELED = 130


def without_numbers(text):
    return re.sub(r"(0x[0-9a-f]+|\d+([,.]\d+)*)((, |–|、|-)\d+([,.]\d+)*)*", "#", text)


class Texts(CommandTest):
    def rows(self, *words):
        return self.succeeds("texts", *words, "--json", "-").json["texts"]

    def test_both_languages_stand_below_each_other(self):
        lines = self.succeeds("texts", TILED, "--lang", "both").out.splitlines()
        for head, english, chinese in [
            (f"{TILED}  stage  sentence  ", "Warp 0 reads 32 elements of M", "线程束 0 把 M 的 32 个元素读入寄存器"),
            (f"{TILED}  run  verdict  ", "No findings", "没有发现问题"),
            (f"{TILED}  run  verdict  ", "Matches the CPU reference", "与 CPU 参考结果一致"),
            ("matmul  kernel  title  ", "Matrix multiply", "矩阵乘法"),
        ]:
            at = next(i for i, line in enumerate(lines) if line.startswith(head + english))
            self.assertTrue(lines[at + 1].startswith(" " * len(head) + chinese), lines[at + 1])

    def test_one_language_has_no_word_of_the_other(self):
        english = self.succeeds("texts", TILED, "--view", "stage").out
        self.assertNotRegex(english, "[\u4e00-\u9fff]")
        chinese = self.succeeds("texts", TILED, "--view", "stage", "--lang", "zh-CN").out
        self.assertIn("线程束 0 把 M", chinese)
        self.assertNotIn("Warp 0 reads", chinese)

    def test_each_text_is_there_once_in_a_view(self):
        rows = self.rows(TILED)
        seen = [(row["kernel"], row["view"], without_numbers(row["en"])) for row in rows]
        self.assertEqual(len(seen), len(set(seen)))
        self.assertLessEqual({"sentence", "caption", "note", "label", "hover", "verdict", "look", "brief", "story"},
                             {row["kind"] for row in rows})
        self.assertLessEqual({"kernel", "run", "stage", "banks", "compare", "read"}, {row["view"] for row in rows})

    def test_findings_are_read_where_they_happen(self):
        rows = self.rows("matmul/missing-first-barrier")
        self.assertTrue(any(row["kind"] == "finding" and row["view"] == "run" for row in rows))
        # The first one is where the run opens.
        self.assertIn("finding 2", {row["place"] for row in rows})

    def test_a_text_can_be_looked_at_where_it_stands(self):
        row = next(row for row in self.rows(TILED, "--view", "banks") if row["kind"] == "sentence")
        self.assertEqual(row["place"], "opening")
        picture = self.folder / "banks.svg"
        self.succeeds("show", TILED, "--view", "banks", "--block", ",".join(map(str, row["block"])), "--warp", row["warp"],
                      "--lane", row["lane"], "--step", row["step"], "--backend", "emulator", "--out", picture)
        words = row["en"].split()
        self.assertIn(" ".join(words[:3]), picture.read_text())

    def test_a_view_alone(self):
        self.assertEqual({row["view"] for row in self.rows(TILED, "--view", "lanes")}, {"lanes"})
        playground = self.rows("--view", "playground")
        self.assertEqual({(row["kernel"], row["view"], row["warp"]) for row in playground}, {("playground", "playground", None)})

    def test_names_that_do_not_exist(self):
        for words, saying in [
            (["matmull"], ["did you mean 'matmul'?", "FAMILY/VARIANT"]),
            (["matmul/tyled"], "did you mean 'tiled'?"),
            (["mine.cu"], ["mine.cu is a file", "FAMILY/VARIANT"]),
            ([TILED, "--view", "bogus"], "the views are"),
            ([TILED, "--view", "playground"], "leave matmul/tiled out"),
            ([TILED, "--lang", "xx"], "the languages are en, zh-CN"),
            ([TILED, "--json", self.folder / "no" / "x.json"], "x.json"),
        ]:
            with self.subTest(words):
                self.refuses("texts", *words, saying=saying)

    def test_an_interrupt_ends_it_with_nothing_written(self):
        out = self.folder / "texts.json"
        process = subprocess.Popen([PROGRAM, "texts", "--json", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)})
        try:
            process.communicate(timeout=2)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        written, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, written), (CANCELED, b""))
        self.assertEqual(said.decode(), "lockstep: canceled; nothing was written\n")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
