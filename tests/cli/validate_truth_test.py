"""scripts/validate-truth: every row of tests/truth is found and opened, and the exit status says what came of it."""

import json
import os
import subprocess
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, USAGE_ERROR, CommandTest

OUT_OF_TIME = "0.001"  # seconds: the emulator comes nowhere, so that there is nothing to compare


class ValidateTruth(CommandTest):
    def run_script(self, *words, fake=True):
        environment = {**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)}
        if fake:
            environment.update(LOCKSTEP_LIBCUDA=os.environ["LOCKSTEP_FAKE_DRIVER"], LOCKSTEP_CUPTI=os.environ["LOCKSTEP_FAKE_CUPTI"])
        else:
            environment["LOCKSTEP_LIBCUDA"] = str(self.folder / "none.so")
        return subprocess.run([ROOT / "scripts/validate-truth", "--program", PROGRAM, *words], env=environment, capture_output=True, text=True, timeout=300)

    def test_all_rows_are_there_and_can_be_opened(self):
        answer = self.run_script("--limit", OUT_OF_TIME, "--json", self.folder / "rows.json")
        self.assertRegex(answer.stdout, r"79 rows: 0 agree, \d+ are explained, \d+ differ, 0 are refused, 1 left out", answer)
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        self.assertEqual([row["row"] for row in rows if row["verdict"] == "left out"], ["wmma_half"])
        self.assertIn("matmul_naive n=250", [row["row"] for row in rows])

    def test_what_is_explained_is_no_failure(self):
        answer = self.run_script("matmul_tiled16 n=512", "--limit", OUT_OF_TIME)
        self.assertEqual(answer.returncode, DONE, answer)
        self.assertIn("1 rows: 0 agree, 1 are explained, 0 differ", answer.stdout)
        self.assertIn("the emulator was stopped after 0.001 s", answer.stdout)

    def test_a_row_that_differs_is_told_and_counts(self):
        # The fake driver has none of these kernels: the GPU gives no result where the emulator has one.
        answer = self.run_script("bitonic", "matmul_naive n=250")
        self.assertEqual(answer.returncode, KERNEL_IS_WRONG, answer.stdout + answer.stderr)
        self.assertEqual(answer.stdout.count("the compiled kernel has no such name"), 2, answer.stdout)
        self.assertIn("2 rows: 0 agree, 0 are explained, 2 differ", answer.stdout)

    def test_without_a_gpu_or_a_row_of_this_name_it_says_so(self):
        for words, fake, saying in [(["bitonic"], False, "no NVIDIA GPU"), (["nosuch"], True, "there is no row nosuch")]:
            answer = self.run_script(*words, fake=fake)
            self.assertEqual(answer.returncode, USAGE_ERROR, answer.stdout + answer.stderr)
            self.assertIn(saying, answer.stderr)


if __name__ == "__main__":
    unittest.main()
