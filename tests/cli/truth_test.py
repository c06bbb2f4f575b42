"""Kernels that ran on an H200, compiled and run by the command line: results, findings and counters."""

import csv
import math
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, TRUTH, USAGE_ERROR, CommandTest, lockstep, needs_nvrtc, read_npy
from wavefronts import wavefronts_differ

OWN = TRUTH / "own"
# Outside of what the emulator runs: it may refuse these, with a sentence that names the place.
MAY_BE_REFUSED = {"arrive_wait", "wmma_half"}
REMARKS = {"warp_synchronous"}
# The figures that are identical from run to run on the hardware, so that ours must be too. (Wavefronts are noisy there.)
EXACT_COUNTERS = [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}" for what in ("requests", "sectors")
                  for op in ("ld", "st", "atom", "red")]


def read_cases():
    cases = []
    for line in (OWN / "cases.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "case":
            cases.append({"id": rest, "define": [], "argument": [], "compare": [], "expect": []})
        elif word in ("argument", "compare", "expect"):
            cases[-1][word].append(rest)
        elif word and word != "#":
            cases[-1][word] = rest
        if word == "source":  # "wrong/oob_far.cu -DFIXED=1"
            cases[-1]["source"], *defines = rest.split(" -D")
            cases[-1]["define"] = defines
    return cases


def command_of(case):
    words = ["run", case["source"], "--entry", case["entry"], "--grid", case["grid"].replace(" ", ","),
             "--block", case["block"].replace(" ", ",")]
    if "shared" in case:
        words += ["--shared", case["shared"]]
    for option, key in (("--arg", "argument"), ("--define", "define")):
        for text in case[key]:
            words += [option, text]
    return words


def differs(got, want, comparison):
    """Index of the first element that differs; None: none does."""
    (got, kind), (want, _) = got, want
    if comparison == ["exact"]:
        return next((i for i in range(len(want)) if got[i] != want[i] and not (got[i] != got[i] and want[i] != want[i])), None)
    relative, absolute = map(float, comparison)
    assert kind in ("<f4", "<f8"), "a tolerance goes with numbers that Python has"
    return next((i for i in range(len(want)) if not (
        got[i] == want[i] or math.isnan(got[i]) and math.isnan(want[i])
        or abs(got[i] - want[i]) <= absolute + relative * abs(want[i]))), None)


@needs_nvrtc
class Truth(CommandTest):
    def run_case(self, case, *more):
        # An endless loop is stopped soon; nothing else comes near.
        limit = "1" if any("limit" in expected for expected in case["expect"]) else "60"
        answer = lockstep(*command_of(case), "--json", "-", "--limit", limit, *more, folder=OWN)
        self.assertEqual(answer.err if answer.status != USAGE_ERROR else "", "", answer)
        return answer

    def test_every_kernel_gives_what_the_gpu_gave(self):
        for case in read_cases():
            if case["expect"]:
                continue
            with self.subTest(case["id"]):
                dumps, outputs = [], []
                for comparison in case["compare"]:
                    index, *how = comparison.split()
                    outputs.append((self.folder / f"{case['id']}_{index}.npy", how, OWN / f"expected/{case['id']}_{index}.npy"))
                    dumps += ["--dump", f"{index}={outputs[-1][0]}"]
                answer = self.run_case(case, *dumps)
                if answer.status == USAGE_ERROR and case["id"] in MAY_BE_REFUSED:
                    self.assertRegex(answer.err, r"^lockstep: .*\.cu.*:\d+:\d+: .*; .*\n$", answer)
                    continue
                self.assertEqual(answer.status, DONE, answer)
                self.assertEqual(answer.json["findings"], [], answer)
                for written, how, expected in outputs:
                    if expected.exists():
                        self.assertIsNone(differs(read_npy(written), read_npy(expected), how), f"{case['id']}: {written.name}")

    def test_every_fault_is_found_where_it_is(self):
        for case in read_cases():
            if not case["expect"]:
                continue
            with self.subTest(case["id"]):
                answer = self.run_case(case)
                findings = answer.json["findings"]
                kinds, lines = set(), set()
                for expected in case["expect"]:
                    names, numbers = expected.split()
                    kinds |= set(names.split(","))
                    lines |= {int(number) for number in numbers.split(",")}
                # A fault may entail others (a race, what was read too early), but nothing is reported off the marked lines.
                self.assertTrue({finding["kind"] for finding in findings} & kinds, answer)
                for finding in findings:
                    if finding["kind"] in kinds:
                        self.assertIn(finding["line"], lines, finding)
                        self.assertEqual(finding["file"], case["source"], finding)
                        self.assertGreater(len(finding["message"]), 20, finding)
                harmless = all(finding["kind"] in REMARKS for finding in findings)
                self.assertEqual(answer.status, DONE if harmless else KERNEL_IS_WRONG, answer)
                self.assertEqual(answer.json["correct"], None if harmless else False, answer)

    def test_counters_are_the_hardwares_own(self):
        with open(OWN / "counters.csv", newline="") as file:
            rows = {row["id"]: row for row in csv.DictReader(file)}
        for case in read_cases():
            if case["id"] not in rows:
                continue
            with self.subTest(case["id"]):
                answer = self.run_case(case).json
                counters = answer["counters"]
                least, measured = answer["bounds"]["least_ms"] or 0, int(rows[case["id"]]["gpu__time_duration"].split()[0])
                self.assertLessEqual(1e6 * least, measured, case["id"])
                for name in EXACT_COUNTERS:
                    measured = rows[case["id"]][name]
                    if measured.isdigit():  # the same in three runs
                        self.assertEqual(counters[name], int(measured), f"{case['id']}: {name}")
                for operation in ("ld", "st", "atom"):
                    self.assertIsNone(wavefronts_differ(counters, rows[case["id"]], operation), case["id"])


if __name__ == "__main__":
    unittest.main()
