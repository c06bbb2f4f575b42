"""--time modeled: where nobody measured a time the cycle model's stands, with its error, and what has none says why."""

import csv
import io
import re
import unittest

from lockstep import KERNEL_IS_WRONG, CommandTest, lockstep


class Modeled(CommandTest):
    def sweep(self, *words):
        return self.succeeds("sweep", *words, "--backend", "emulator", "--time", "modeled", "--json", "-").json

    def series(self, answer, source):
        return [one for one in answer["series"] if one["source"] == source and one["variant"]]

    def test_a_sweep_models_what_was_not_recorded_and_nothing_else(self):
        answer = self.sweep("matmul/tiled", "--set", "width=32,64,128")
        self.assertEqual(answer["metric"], "time_ms")
        modeled = self.series(answer, "model")
        self.assertEqual([(one["device"], one["profile"], one["recording"]) for one in modeled], [("NVIDIA H200", None, None)])
        self.assertEqual([point["value"] for point in modeled[0]["points"]], [32, 128])
        self.assertEqual([point["value"] for one in self.series(answer, "recording") for point in one["points"]], [64])
        time = self.succeeds("time", "matmul/tiled", "--set", "width=128", "--json", "-").json["time"]
        point = modeled[0]["points"][1]
        self.assertAlmostEqual(point["time_ms"], time["microseconds"] / 1000)
        self.assertAlmostEqual(point["tflops"], 2 * 128**3 / (1e9 * point["time_ms"]))
        self.assertEqual(f"{point['model_error_percent']:.0f}", re.match(r"mean error (\d+)%", time["error"])[1])
        for one in self.series(answer, "recording") + self.series(answer, "emulator"):
            self.assertNotIn("model_error_percent", one["points"][0])

    def test_csv_and_table_tell_the_source_of_each_point(self):
        out = self.folder / "x.csv"
        said = self.succeeds("sweep", "matmul/tiled", "--set", "width=32,64", "--backend", "emulator", "--time", "modeled", "--out", out)
        self.assertEqual(said.err, "")
        rows = [row for row in csv.DictReader(io.StringIO(out.read_text())) if row["time_ms"] and row["variant"] == "tiled"]
        self.assertEqual({(row["value"], row["source"], bool(row["model_error_percent"])) for row in rows},
                         {("32", "model", True), ("64", "recording", False)})
        lines = self.succeeds("sweep", "matmul/tiled", "--set", "width=32,64", "--backend", "emulator", "--time", "modeled").out
        self.assertRegex(lines, r"width = 32: [\d.]+ µs \(kernel time\); modeled for NVIDIA H200, mean error \d+%\.\n")
        self.assertRegex(lines, r"width = 64: [\d.]+ µs \(kernel time\); recorded on NVIDIA H200, ")

    def test_a_point_without_a_time_says_why_and_the_others_stay(self):
        answer = lockstep("sweep", "matmul/tiled", "--set", "width=8,32", "--backend", "emulator", "--time", "modeled", "--json", "-")
        modeled = self.series(answer.json, "model")[0]["points"]
        self.assertIn("time_ms", modeled[1])
        self.assertNotIn("time_ms", modeled[0])
        self.assertIn("outside of memory", modeled[0]["error"])
        self.assertIn(f"matmul/tiled width=8: {modeled[0]['error']}", answer.err)
        other = lockstep("sweep", "matmul/tiled", "--set", "width=32", "--set", "tile=4,8", "--profile", "cc80", "--time", "modeled")
        self.assertEqual(other.status, KERNEL_IS_WRONG, other)
        self.assertIn("there is no time model of", other.err)

    def texts(self, *words):
        out = self.folder / "x.svg"
        self.succeeds("show", *words, "--size", "1280x720", "--out", out)
        return re.sub(r"<[^>]+>", "\n", out.read_text())

    def test_pictures_have_it_only_when_asked(self):
        kernel = ["matmul/naive", "--set", "width=64"]
        for view, modeled in (("chart", r"modeled \(mean error \d+ to \d+%\)"),
                              ("times", r"This run: [\d.]+ µs, modeled for NVIDIA H200, mean error \d+%, from empty caches")):
            with self.subTest(view):
                self.assertNotRegex(self.texts(*kernel, "--view", view), "odeled")
                self.assertRegex(self.texts(*kernel, "--view", view, "--time", "modeled"), modeled)
        self.assertRegex(self.texts(*kernel, "--view", "times", "--time", "modeled", "--lang", "zh-CN"), r"按 NVIDIA H200 的模型，平均误差 \d+%")

    def test_a_hint_speaks_of_time_only_where_the_model_can_tell(self):
        saving = r"With this changed, the launch would take \d+% less time in the cycle model: no bank conflicts \(mean error \d+%\)\."
        large = ["transpose/shared", "--set", "rows=1024", "--set", "columns=512", "--view", "findings"]
        self.assertRegex(self.texts(*large, "--time", "modeled"), saving)
        self.assertNotRegex(self.texts(*large), "cycle model")
        small = self.texts("matmul/tiled", "--set", "width=64", "--view", "findings", "--time", "modeled")
        self.assertNotRegex(small, "cycle model", "its conflicts cost less than the model's error")

    def test_a_fixed_variant_stands_below_what_it_changes(self):
        texts = self.texts("transpose/shared", "--set", "rows=1024", "--set", "columns=512", "--view", "waits")
        self.assertIn("recorded: A tile with a column of padding", texts)
        self.assertNotIn("recorded", self.texts("transpose/shared", "--set", "rows=96", "--set", "columns=64", "--view", "waits"))

    def test_other_views_have_no_use_for_it(self):
        self.refuses("show", "matmul/tiled", "--view", "stage", "--time", "modeled", "--out", self.folder / "x.png",
                     saying="--time modeled goes with --view chart, times and findings")
        self.refuses("sweep", "matmul/tiled", "--set", "width=32,64", "--time", "guessed", saying="guessed")


if __name__ == "__main__":
    unittest.main()
