"""The textbook kernels of kernels.cu against the profiler of an H200: global requests and sectors equal to the last one, wavefronts of
shared memory within 1.5 %, and no measured time under its bound."""

import csv
import re
import unittest

from lockstep import DONE, TRUTH, CommandTest, lockstep, needs_nvrtc
from wavefronts import wavefronts_differ

COUNTERS = [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}" for what in ("requests", "sectors") for op in ("ld", "st")]
ENTRIES = {"transpose_shared": "transpose_shared<0>", "transpose_shared_padded": "transpose_shared<1>"}
def arguments_of(kernel, numbers, grid, block):
    """Buffers as large as the profiled launch had them, and the scalars behind them."""
    threads = grid[0] * grid[1] * block[0] * block[1]
    n, m = numbers.get("n"), numbers.get("m")
    if kernel.startswith("matmul"):
        return [f"f32[{n * n}]=random", f"f32[{n * n}]=random", f"f32[{n * n}]=zero", f"i32:{n}"]
    if kernel.startswith("transpose"):
        return [f"f32[{n * m}]=iota", f"f32[{n * m}]=zero", f"i32:{m}", f"i32:{n}"]
    if kernel.startswith("reduce"):
        return [f"i32[{threads * (2 if kernel == 'reduce4' else 1)}]=iota", f"i32[{grid[0]}]=zero"]
    reach = numbers.get("offset", 0) + (threads - 1) * numbers.get("stride", 1) + 1
    return [f"f32[{reach}]=iota", f"f32[{reach}]=zero", f"i32:{numbers.get('offset', numbers.get('stride'))}"]


def words_of(row):
    """The command for a line of ncu_h200.csv."""
    name, *settings = row["case"].split()
    numbers = {key: int(value) for key, value in (setting.split("=") for setting in settings)}
    grid, block = ([int(part) for part in re.findall(r"\d+", row[what])] for what in ("grid", "block"))
    template = re.fullmatch(r"(matmul_tiled|matmul_tiled_bounds)(\d+)", name)
    entry = f"{template[1]}<{template[2]}>" if template else ENTRIES.get(name, name)
    words = ["run", "kernels.cu", "--entry", entry, "--json", "-",
             "--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block))]
    if name.startswith("reduce"):
        words += ["--shared", 4 * block[0]]
    for argument in arguments_of(name, numbers, grid, block):
        words += ["--arg", argument]
    return words


@needs_nvrtc
class Counters(CommandTest):
    def test_the_textbooks_kernels_have_the_hardwares_figures(self):
        with open(TRUTH / "ncu_h200.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            with self.subTest(row["case"]):
                answer = lockstep(*words_of(row), folder=TRUTH)
                self.assertEqual(answer.status, DONE, answer)
                for counter in COUNTERS:
                    self.assertEqual(answer.json["counters"][counter], int(row[counter]), f"{row['case']}: {counter}")
                self.assertLessEqual(1e6 * answer.json["bounds"]["least_ms"], int(row["gpu__time_duration"]), row["case"])
                for operation in ("ld", "st"):
                    self.assertIsNone(wavefronts_differ(answer.json["counters"], row, operation), row["case"])


if __name__ == "__main__":
    unittest.main()
