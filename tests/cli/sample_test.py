"""Sizes that are too large for the emulator, and samples of their blocks."""

import json
import os
import signal
import subprocess
import time
import unittest

from lockstep import PROGRAM, ROOT, USAGE_ERROR, CommandTest, lockstep

# A loop of 3,000 instructions; then what the blocks do beside it.
PTX = """.version 8.3
.target sm_90
.address_size 64
.visible .entry loop(.param .u64 out)
{{
    .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, 0;
L:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 1000;
    @%p1 bra L;
    {0}
    ret;
}}
"""
SUM = "red.global.add.u32 [%d1], 1;"
TICKET = "atom.global.add.u32 %r2, [%d1], 1; st.global.u32 [%d1+4], %r2;"
LARGE = ["--grid", "16777216", "--block", "64", "--arg", "u32[4]=zero"]
SCATTERED = ["--set", "n=16384"]
GRID = ["matmul/tiled", "--set", "width=400", "--backend", "emulator"]


class TooLargeTest(CommandTest):
    def test_a_size_that_is_too_large_is_one_sentence(self):
        loop = self.file("loop.ptx", PTX.format(SUM))
        for more in ([], ["--json", "-"], ["--save", self.folder / "x.lks"], ["--focus", "5"]):
            with self.subTest(more):
                self.refuses("run", loop, *LARGE, *more,
                             saying=["about 3,200,000,000,000 thread instructions", "at most 1,000,000,000,000", "--sample", "smaller size"])
        answer = lockstep("run", loop, *LARGE, environment={"LOCKSTEP_LANG": "zh-CN"})
        self.assertEqual(answer.status, USAGE_ERROR, answer)
        self.assertIn("3,200,000,000,000", answer.err)
        self.assertNotIn("thread instructions", answer.err)

    def test_a_sample_of_it_runs_and_says_so(self):
        loop = self.file("loop.ptx", PTX.format(SUM))
        answer = self.succeeds("run", loop, *LARGE, "--sample", "--json", "-").json
        self.assertEqual(answer["sampled"], {"blocks": 64, "of": 16777216, "extrapolated": True, "why": None})
        self.assertIsNone(answer["correct"])
        self.assertEqual(answer["counters"]["ptx__thread_inst_executed"], 16777216 * 64 * 3004)
        self.assertEqual(answer["emulation"]["thread_instructions"], 64 * 64 * 3004)
        self.assertEqual(sum(site["executions"] for site in answer["sites"]), 64 * 2)
        said = self.succeeds("run", loop, *LARGE, "--sample").out
        for part in ["64 of 16,777,216 blocks", "not checked", "extrapolated", "the blocks that ran (64 of 16,777,216 blocks):"]:
            self.assertIn(part, said)

    def test_blocks_that_communicate_are_not_sampled(self):
        self.refuses("run", self.file("ticket.ptx", PTX.format(TICKET)), *LARGE, "--sample",
                     saying=["what other blocks store", "--sample is not for it"])
        self.refuses("run", "reduction/single-pass", "--set", "n=16384", "--sample", "2", saying="--sample is not for it")


class SampleTest(CommandTest):
    def test_the_same_command_writes_the_same_bytes(self):
        def written(*words):
            answer = self.succeeds("run", *GRID, "--sample", "40", *words, "--json", "-").json
            del answer["emulation"]["seconds"], answer["emulation"]["peak_bytes"], answer["emulation"]["threads"]
            return json.dumps(answer)

        first = written("--threads", "1")
        for words in (["--threads", "1"], ["--threads", "4"], ["--threads", "3", "--seed", "1"]):
            self.assertTrue(written(*words) == first, words)

    def test_its_grid_counters_are_those_of_the_whole_grid(self):
        whole = self.succeeds("run", *GRID, "--caches", "off", "--json", "-").json
        some = self.succeeds("run", *GRID, "--sample", "30", "--json", "-").json
        self.assertTrue(some["sampled"]["extrapolated"], some["sampled"])
        self.assertEqual(some["counters"], whole["counters"])
        self.assertEqual(some["bounds"]["resources"], whole["bounds"]["resources"])
        self.assertNotIn("sampled", whole)

    def test_what_is_not_proved_is_null_and_says_why(self):
        some = self.succeeds("run", "coalescing/scattered", *SCATTERED, "--backend", "emulator", "--sample", "8", "--json", "-").json
        self.assertIsNone(some["counters"])
        self.assertIsNone(some["bounds"])
        self.assertEqual(some["memory"]["rows"], [])
        self.assertIn("loaded data", some["sampled"]["why"])
        said = self.succeeds("run", "coalescing/scattered", *SCATTERED, "--backend", "emulator", "--sample", "8").out
        self.assertIn("the whole grid's counters are not known: ", said)
        few = self.succeeds("run", *GRID, "--sample", "8", "--json", "-").json
        self.assertIn("--sample 22 runs enough", few["sampled"]["why"])

    def test_more_blocks_than_the_grid_has_run_it_whole(self):
        for number in ("625", "626", "60000"):
            answer = self.succeeds("run", *GRID, "--sample", number, "--caches", "off", "--json", "-").json
            self.assertNotIn("sampled", answer)
            self.assertTrue(answer["correct"])

    def test_focus_blocks_are_in_it(self):
        answer = self.succeeds("run", *GRID, "--sample", "24", "--focus", "7,11;3,20", "--json", "-").json
        blocks = {tuple(flow["block"][:2]) for flow in answer["flow"]}
        self.assertEqual(blocks, {(7, 11), (3, 20)})
        every = self.succeeds("run", *GRID, "--sample", "24", "--focus", "all", "--json", "-").json
        self.assertEqual(every["emulation"]["recorded"]["blocks"], every["sampled"]["blocks"])

    def test_the_number_may_be_left_out_anywhere(self):
        for words in (["--sample", "matmul/tiled", "--set", "width=400"], ["matmul/tiled", "--sample", "--set", "width=400"]):
            answer = self.succeeds("run", "--backend", "emulator", *words, "--json", "-").json
            self.assertEqual(answer["sampled"]["blocks"], 64)

    def test_numbers_that_are_none(self):
        for number in ("0", "x", "-1", "1.5", "100000", "12x"):
            with self.subTest(number):
                self.refuses("run", *GRID, f"--sample={number}", saying=[f"--sample {number}", "1 to 65,536"])
        self.refuses("run", *GRID, "--sample", "--caches", "on", saying="--caches on")

    def test_a_recording_keeps_it(self):
        file = self.folder / "sample.lks"
        said = self.succeeds("run", *GRID, "--sample", "30", "--save", file).out
        self.assertIn("30 of 625 blocks", said)
        out = self.folder / "memory.svg"
        self.succeeds("show", file, "--view", "memory", "--out", out)
        self.assertIn("30 of 625 blocks", out.read_text())
        compared = self.succeeds("compare", file, "matmul/naive:width=400", "--backend", "emulator").out
        self.assertIn("30 of 625 blocks", compared)

    def test_cancelled_it_keeps_what_ran(self):
        loop = self.file("loop.ptx", PTX.format(SUM).replace("1000;", "100000000;"))
        process = subprocess.Popen([PROGRAM, "run", str(loop), *LARGE, "--sample", "--threads", "1", "--json", "-"], cwd=ROOT,
                                   env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        self.assertIn(b"canceled", process.stderr.readline())
        self.assertLess(time.monotonic() - begin, 2)  # 0.1 s, but the machine may be busy; the recorded steps take longer
        out, _ = process.communicate(timeout=60)
        answer = json.loads(out)
        self.assertLess(answer["sampled"]["blocks"], 64)
        self.assertEqual(answer["sampled"]["why"], "the run was stopped before its end")
        self.assertIsNone(answer["counters"])


if __name__ == "__main__":
    unittest.main()
