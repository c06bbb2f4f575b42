"""lockstep sweep: its points are those of lockstep run, and a point that fails does not take the others with it."""

import csv
import io
import os
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from lockstep import DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, USAGE_ERROR, CommandTest, lockstep, read_png

BOTH = ["matmul/naive", "matmul/tiled"]
WIDTHS = ["--set", "width=16:64:x2"]
CANCELED = 130


class Sweep(CommandTest):
    def sweep(self, *words, **options):
        return self.succeeds("sweep", *words, "--backend", "emulator", "--json", "-", **options).json

    def test_every_point_is_what_run_counts(self):
        answer = self.sweep(*BOTH, *WIDTHS)
        self.assertEqual((answer["family"], answer["parameter"], answer["fixed"]), ("matmul", "width", {}))
        counted = [series for series in answer["series"] if series["source"] == "emulator"]
        self.assertEqual([series["variant"] for series in counted], ["naive", "tiled"])
        for series in counted:
            self.assertEqual([point["value"] for point in series["points"]], [16, 32, 64])
            self.assertIsNone(series["device"])
            self.assertEqual(series["profile"], "cc90")
            for point in series["points"]:
                run = self.succeeds("run", f"matmul/{series['variant']}", "--set", f"width={point['value']}", "--backend", "emulator",
                                    "--json", "-").json
                with self.subTest(series["variant"], width=point["value"]):
                    self.assertEqual({key: point[key] for key in run["counters"]}, run["counters"])
                    self.assertEqual(point["correct"], run["correct"])
                    self.assertIsNone(point["error"])
                    self.assertFalse(point["sampled"])
                    self.assertNotIn("time_ms", point)
        self.assertLessEqual({key for series in answer["series"] for point in series["points"] for key in point}
                             - {"value", "correct", "sampled", "error"}, {metric["key"] for metric in answer["metrics"]})

    def test_recorded_points_say_where_they_were_measured(self):
        series = [one for one in self.sweep("matmul/tiled", "--set", "width=64,128")["series"] if one["source"] == "recording"]
        tiled = next(one for one in series if one["variant"] == "tiled")
        self.assertEqual((tiled["device"], tiled["recording"]), ("NVIDIA H200", "nvidia-h200"))
        self.assertEqual([point["value"] for point in tiled["points"]], [64], "128 was not recorded")
        run = self.succeeds("run", "matmul/tiled", "--set", "width=64", "--backend", "emulator", "--json", "-").json
        point = tiled["points"][0]
        self.assertEqual({key: point[key] for key in run["measured"]}, run["measured"])
        self.assertGreater(point["time_ms"], 0)
        self.assertGreater(point["time_with_transfers_ms"], point["time_ms"])
        cpu = next(one for one in series if one["variant"] is None)
        self.assertEqual([set(point) for point in cpu["points"]], [{"value", "time_ms", "correct", "sampled", "error"}])

    def test_a_second_parameter_makes_series(self):
        series = [one for one in self.sweep("matmul/tiled", "--set", "width=16:32:+16", "--set", "tile=4,8")["series"]
                  if one["source"] == "emulator"]
        self.assertEqual([one["setting"] for one in series], [{"tile": "4"}, {"tile": "8"}])
        run = self.succeeds("run", "matmul/tiled", "--set", "width=32", "--set", "tile=8", "--backend", "emulator", "--json", "-").json
        self.assertEqual(series[1]["points"][1]["ptx__inst_executed"], run["counters"]["ptx__inst_executed"])

    def test_a_point_out_of_range_is_said_and_the_others_are_kept(self):
        out = self.folder / "x.json"
        answer = lockstep("sweep", "matmul/tiled", "--set", "width=64,8192", "--backend", "emulator", "--json", "-", "--out", out)
        self.assertEqual(answer.status, KERNEL_IS_WRONG, answer)
        self.assertEqual(answer.err, "lockstep: width=8192 is not possible; width can be 1 to 4096\n")
        points = next(one for one in answer.json["series"] if one["source"] == "emulator")["points"]
        self.assertEqual([point["error"] for point in points], [None, "width=8192 is not possible; width can be 1 to 4096"])
        self.assertEqual(set(points[1]), {"value", "correct", "sampled", "error"})
        self.assertEqual(out.read_text(), answer.out)

    def test_a_size_that_is_too_large_is_the_sentence_of_run(self):
        words = ["matmul/tiled-guarded-products", "--set", "tile=2", "--backend", "emulator"]
        run = lockstep("run", *words, "--set", "width=4096")
        self.assertEqual(run.status, USAGE_ERROR, run)
        answer = lockstep("sweep", *words, "--set", "width=32,4096", "--json", "-")
        self.assertEqual(answer.status, KERNEL_IS_WRONG, answer)
        said = run.err.removeprefix("lockstep: ").strip()
        self.assertEqual(answer.err, f"lockstep: matmul/tiled-guarded-products width=4096: {said}\n")
        points = next(one for one in answer.json["series"] if one["source"] == "emulator")["points"]
        self.assertEqual([point["error"] for point in points], [None, said])

    def test_out_writes_each_kind(self):
        files = [self.folder / f"x.{ending}" for ending in ("svg", "png", "json", "csv")]
        outs = [word for file in files for word in ("--out", file)]
        answer = self.succeeds("sweep", *BOTH, *WIDTHS, "--metric", "sectors_per_request", "--backend", "emulator", "--size", "640x480",
                               "--scale", "1", *outs)
        self.assertEqual(answer.out, "")
        self.assertEqual(xml.etree.ElementTree.parse(files[0]).getroot().get("width"), "640")
        self.assertEqual(read_png(files[1]), (640, 480))
        rows = list(csv.DictReader(io.StringIO(files[3].read_text())))
        self.assertEqual(len([row for row in rows if row["source"] == "emulator"]), 6)
        tiled = [row for row in rows if row["variant"] == "tiled" and row["value"] == "64" and row["source"] == "emulator"][0]
        self.assertEqual((tiled["sectors_per_request"], tiled["time_ms"], tiled["error"]), ("4", "", ""))

    def test_a_chart_has_a_title_with_the_exact_figure_for_every_point(self):
        out = self.folder / "x.svg"
        self.succeeds("sweep", "banks/stride", "--set", "stride=1:32:+1", "--metric", "bank_conflicts", "--backend", "emulator", "--out", out)
        titles = set(re.findall(r"<title>(.*?)</title>", out.read_text()))
        for stride, conflicts in ((1, 0), (2, 1), (3, 0), (8, 7), (32, 31)):
            self.assertIn(f"Words with a stride, stride = {stride}: {conflicts} (extra wavefronts from bank conflicts); counted by the emulator under the rules of compute capability 9.0.", titles)
        self.assertIn("Words with a stride, stride = 32: 31 (extra wavefronts from bank conflicts); recorded on NVIDIA H200, 2026-11-25.", titles)

    def test_without_a_file_the_points_are_printed(self):
        lines = self.succeeds("sweep", "matmul/tiled", "--set", "width=16,32", "--metric", "ptx__inst_executed", "--backend", "emulator").out
        run = self.succeeds("run", "matmul/tiled", "--set", "width=32", "--backend", "emulator", "--json", "-").json
        count = f"{run['counters']['ptx__inst_executed']:,}"
        self.assertIn(f"Tiles, no bounds checks, width = 32: {count} (PTX warp instructions); counted by the emulator under the rules of compute capability 9.0.\n", lines)
        spoken = self.succeeds("sweep", "matmul/tiled", "--set", "width=16,32", "--metric", "ptx__inst_executed", "--backend", "emulator",
                               environment={"LOCKSTEP_LANG": "zh-CN"}).out
        self.assertIn(f"width = 32：{count}（", spoken)

    def test_the_cost_of_a_sum_is_shown_as_the_course_counts_it(self):
        def texts(*options):
            out = self.folder / "cost.svg"
            self.succeeds("show", "reduction/v6", "--view", "chart", "--metric", "cost", "--size", "1440x900", *options, "--out", out)
            return re.sub(r"<[^>]+>", "\n", out.read_text())
        course = texts("--set", "n=65536")
        for said in ("4,096 processors, 15 additions each, then 12 rounds: 27 steps", "cost 4,096 × 27 = 110,592: 1.69 times n, 59% of it additions",
                     "65,536 processors, one for each element, 16 rounds: 16 steps", "cost 65,536 × 16 = 1,048,576: 16.0 times n, 6% of it additions",
                     "Round 12: 1 processor adds, 4,095 wait."):
            self.assertIn(said, course)
        # The published table, with its step and total speedups: 8.054 ms to 3.456 to 1.722 ... to 0.268.
        for figure in ("8.054", "3.456", "2.33", "2.01", "0.268", "1.42", "30.05"):
            self.assertIn(figure, course)
        half = texts("--set", "n=65536", "--processors", "32768")
        self.assertIn("32,768 processors, 1 addition each, then 15 rounds: 16 steps", half)
        self.assertIn("8.00 times n", half)
        self.refuses("show", "matmul/tiled", "--view", "chart", "--metric", "cost", "--out", self.folder / "x.svg",
                     saying="--metric cost is of the catalog's reductions")
        self.refuses("show", "reduction/v6", "--metric", "time", "--view", "stage", "--out", self.folder / "x.svg", saying="--metric goes with --view chart")
        self.refuses("show", "reduction/v6", "--metric", "tme", "--view", "chart", "--out", self.folder / "x.svg", saying="did you mean 'time'?")
        self.refuses("show", "reduction/v6", "--processors", "4", "--view", "chart", "--out", self.folder / "x.svg", saying="--processors goes with --metric cost")

    def test_a_chart_of_show_takes_the_metric_that_a_sweep_takes(self):
        out = self.folder / "x.svg"
        self.succeeds("show", "transpose/naive", "--view", "chart", "--metric", "bandwidth", "--out", out)
        self.assertIn("effective bandwidth", out.read_text())
        self.assertIn("--view chart --metric bandwidth", out.read_text())

    def test_times_are_never_invented(self):
        answer = lockstep("sweep", "matmul/tiled", "--set", "width=64:4096:x2", "--backend", "emulator")
        self.assertEqual(answer.status, DONE, answer)
        self.assertIn("these times were recorded", answer.err)
        self.assertTrue(all("NVIDIA H200, 20" in line or "NVIDIA H200 machine, 20" in line for line in answer.out.splitlines()[1:]), answer)
        out = self.folder / "x.svg"
        self.refuses("sweep", "matmul/tiled", "--set", "width=20,40", "--metric", "time", "--backend", "emulator", "--out", out,
                     saying="there is no kernel time to show: it needs a GPU, a recording that has these sizes, or --time modeled", status=KERNEL_IS_WRONG)

    def test_on_a_gpu_the_points_are_measured(self):
        fake = {"LOCKSTEP_LIBCUDA": os.environ["LOCKSTEP_FAKE_DRIVER"], "LOCKSTEP_CUPTI": os.environ["LOCKSTEP_FAKE_CUPTI"], "FAKE_GPU": ""}
        answer = self.succeeds("sweep", "matmul/naive", "--set", "width=16,32", "--json", "-", environment=fake).json
        self.assertEqual(answer["metric"], "time_ms")
        measured = next(one for one in answer["series"] if one["source"] == "gpu")
        self.assertEqual((measured["device"], measured["recording"]), ("Fake GPU", None))
        self.assertEqual([point["value"] for point in measured["points"]], [16, 32])
        for point in measured["points"]:
            self.assertGreater(point["time_ms"], 0)
        counted = next(one for one in answer["series"] if one["source"] == "emulator")
        self.assertEqual([point["value"] for point in counted["points"]], [16, 32])

    def test_mistakes_are_one_sentence(self):
        for words, saying in (
                (["matmul/tiled", *WIDTHS, "--metric", "tim"], ["--metric tim: there is no such metric", "did you mean 'time'?"]),
                (["matmul/tiled", *WIDTHS, "--out", self.folder / "x.gif"], "x.gif: name a file that ends in .svg, .png, .json or .csv"),
                (["matmul/tiled"], "say which parameter to sweep"),
                (["matmul/tiled", "--set", "width=64"], "say which parameter to sweep"),
                (["matmul/tiled", "--set", "width=64:4096"], "FIRST:LAST:xFACTOR"),
                (["matmul/tiled", "--set", "width=64:32:x2"], "the first value is greater than the last one"),
                (["matmul/tile", *WIDTHS], "did you mean 'tiled'?"),
                (WIDTHS, "say what to sweep"),
                (["matmul/tiled", *WIDTHS, "--backend", "gpu"], "GPU"),
                (["matmul/tiled", *WIDTHS, "--out", "/nowhere/x.svg"], "/nowhere"),
                (["matmul/tiled", *WIDTHS, "--size", "100x100", "--out", self.folder / "x.svg"], "480x240 to 8192x8192")):
            with self.subTest(words):
                self.refuses("sweep", *words, saying=saying)

    def test_ctrl_c_keeps_the_points_made(self):
        out = self.folder / "x.json"
        process = subprocess.Popen([PROGRAM, "sweep", "matmul/naive", "--set", "width=16,2048,2560,3072", "--backend", "emulator", "--out", str(out)],
                                   cwd=ROOT, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)})
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1].decode()
        if process.returncode == DONE:
            self.skipTest("it was done before")
        self.assertEqual(process.returncode, CANCELED, error)
        self.assertRegex(error, r"^lockstep: canceled at \d of 4: the points before it are kept\n$")
        self.assertIn('"value": 16', out.read_text())


if __name__ == "__main__":
    unittest.main()
