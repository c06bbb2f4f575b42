"""A machine with a GPU as scripts see it: tests/gpu's libraries in the place of NVIDIA's; and one without the compiler."""

import json
import os
import re
import subprocess
import unittest
from xml.etree import ElementTree

from docs_commands_test import commands_of, pages
from lockstep import DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, CommandTest, has_window, lockstep


class FakeGpu(CommandTest):
    def fake(self, orders):
        return {"LOCKSTEP_LIBCUDA": os.environ["LOCKSTEP_FAKE_DRIVER"], "LOCKSTEP_CUPTI": os.environ["LOCKSTEP_FAKE_CUPTI"], "FAKE_GPU": orders}

    def test_a_run_names_who_made_its_trace(self):
        run = lockstep("run", "matmul/naive", "--json", "-", environment=self.fake("")).json
        self.assertEqual((run["backend"], run["device"], run["correct"]), ("gpu", "Fake GPU", True))
        # This driver cannot run the recorder's text here: the emulator's trace stays, and a note says why.
        self.assertEqual(run["trace_source"], "emulator")
        self.assertIn("the trace is the emulator's", run["notes"][0])

    def test_a_kernel_that_hangs_is_recorded_as_that(self):
        answer = self.succeeds("record", "matmul/naive", "--sizes", "width=16,32", "--limit", "0.5", "--name", "mine", "--out", self.folder,
                               environment=self.fake("cuCtxSynchronize=hang"))
        self.assertEqual(answer.out.count("no figures: the kernel was still running on the GPU after 0.5 s"), 2, answer)
        self.assertIn("2 runs of Fake GPU", answer.out)
        recording = json.loads((self.folder / "mine.json").read_text())
        self.assertEqual([run["ending"] for run in recording["runs"]], ["hangs", "hangs"])
        run = self.succeeds("run", "matmul/naive", "--set", "width=16", "--backend", "emulator", "--recording", self.folder / "mine.json", "--json", "-").json
        self.assertIn("there are no figures measured on Fake GPU", run["notes"][0])

    def test_what_does_not_end_has_no_result(self):
        answer = lockstep("run", "matmul/naive", "--limit", "0.5", environment=self.fake("cuCtxSynchronize=hang"))
        self.assertEqual(answer.status, 1, answer)
        self.assertIn("result      none: the kernel did not come to its end on the GPU", answer.out)
        self.assertNotIn("nothing to compare with", answer.out)

    def test_a_launch_that_no_device_takes_is_refused(self):
        text = self.file("k.ptx", ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry nothing() { ret; }\n")
        for words, saying in [(["--block", "2048"], "too many threads"), (["--block", "32", "--shared", "300000"], "300,000 bytes of shared memory")]:
            self.refuses("run", text, "--grid", "1", *words, environment=self.fake(""), saying=saying)

    def test_a_recording_grows_kernel_by_kernel(self):
        words = ["record", "matmul/naive", "--sizes", "width=16,32", "--limit", "5", "--name", "mine", "--out", self.folder]
        answer = self.succeeds(*words, "--json", "-", environment=self.fake(""))
        self.assertEqual([run["parameters"]["width"] for run in answer.json["runs"]], ["16", "32"])
        self.assertEqual(answer.json["left_out"], [])
        good = (self.folder / "mine.json").read_text()
        self.assertEqual(list(self.folder.glob("*unfinished*")), [])

        # Where nothing is measured, what was there stays.
        nothing = lockstep(*words, environment=self.fake("cuModuleLoadDataEx=218"))
        self.assertEqual(nothing.status, 1, nothing)
        self.assertIn("nothing was measured, so that", nothing.err)
        self.assertEqual((self.folder / "mine.json").read_text(), good)

        # One that is stopped in the middle keeps what it has: beside the good one, or in its place where there is none.
        words = ["record", "--sizes", "width=16,32,48,64,80,96,112,128", "--limit", "5", "--out", self.folder, "matmul/naive", "--name"]
        for name, file in [("mine", "mine.unfinished.json"), ("new", "new.json")]:
            process = subprocess.Popen([PROGRAM, *map(str, words), name], env={**os.environ, **self.fake("")}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            process.terminate()
            errors = process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn("canceled at ", errors)
            self.assertGreaterEqual(len(json.loads((self.folder / file).read_text())["runs"]), 1)
        self.assertEqual((self.folder / "mine.json").read_text(), good)

    def test_a_recording_stays_in_its_folder(self):
        for name in ("../x", "/tmp/x", ".hidden", "a\\b"):
            self.refuses("record", "matmul/naive", "--sizes", "width=16", "--out", self.folder, "--name", name, environment=self.fake(""), saying=["--name", "without a path"])

    def test_a_gpu_that_refuses_a_kernel_leaves_a_gap_that_counts(self):
        answer = lockstep("record", "matmul/naive", "--sizes", "width=16", "--name", "mine", "--out", self.folder, environment=self.fake("cuModuleLoadDataEx=218"))
        self.assertEqual(answer.status, 1, answer)
        self.assertIn("matmul/naive is left out", answer.err)

    def test_validate_refuses_before_it_runs_anything(self):
        for words, saying in [(["matmul/naive", "nope/x"], "no family 'nope'"), (["matmul/naive", "--focus", "99,99"], "--focus 99,99: there is no block (x 99, y 99)"),
                              (["matmul/naive", "--backend", "gpu"], "--backend"), (["matmul/naive", "--l2", "cold"], "--l2")]:
            self.refuses("validate", *words, environment=self.fake(""), saying=saying)

    def test_validate_stops_where_the_gpu_is_lost(self):
        answer = lockstep("validate", "matmul/naive", "matmul/tiled", environment=self.fake("cuCtxSynchronize=999"))
        self.assertEqual(answer.status, 2, answer)
        self.assertRegex(answer.err, r"^lockstep: the GPU does not answer [^\n]*\n$", answer)
        self.assertNotIn("differs", answer.out)

    def test_validate_ends_at_its_limit_and_names_the_kernel_of_a_file(self):
        text = self.file("k.ptx", ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry nothing() {\nagain: bra again;\n}\n")
        row = self.succeeds("validate", text, "--entry", "nothing", "--grid", "1", "--block", "32", "--limit", "0.3", "--json", "-", environment=self.fake("")).json["kernels"][0]
        self.assertEqual((row["kernel"], row["verdict"]), (f"{text}: nothing", "explained"))
        self.assertIn("the emulator was stopped after 0.3 s", row["explanations"][0]["sentence"])

    def test_validate_takes_the_gpu_that_is_asked_for(self):
        validation = lockstep("validate", "matmul/naive", "--device", "1", "--json", "-", environment=self.fake("devices=2")).json
        self.assertEqual(validation["device"], "Second fake GPU")
        self.refuses("validate", "matmul/naive", "--device", "2", environment=self.fake("devices=2"),
                     saying="--device 2: there is no such GPU; this machine's are numbered from 0 to 1 (lockstep doctor lists them)")


    def test_validate_shows_every_reading_of_what_varies(self):
        counters = lockstep("validate", "matmul/naive", "--json", "-", environment=self.fake("noise=100000")).json["kernels"][0]["counters"]
        self.assertEqual({len(counter["readings"]) for counter in counters}, {1, 9})
        for counter in counters:
            with self.subTest(counter["metric"]):
                model, first = counter["model"], counter["readings"][0]
                allowed = max(counter["absolute_tolerance"], counter["relative_tolerance"] * max(model, first))
                self.assertEqual(len(counter["readings"]), 9 if 0 < allowed < abs(model - first) else 1)
                inOrder = sorted(counter["readings"])  # what else the machine reads only adds to device memory's
                self.assertEqual(counter["measured"], inOrder[0 if counter["metric"] == "dram__sectors_read" else len(inOrder) // 2])

    def test_a_run_says_how_often_its_counters_were_read(self):
        self.assertEqual(lockstep("run", "matmul/naive", "--json", "-", environment=self.fake("")).json["gpu"]["counter_readings"], 3)


class TwoRecordings(CommandTest):
    """The user's card against ours."""

    def setUp(self):
        super().setUp()
        own = json.loads((ROOT / "assets/recordings/nvidia-h200.json").read_text())
        own.update(device="NVIDIA GeForce RTX 5090", compute_capability="12.0", driver="13.1", date="2026-02-03")
        own["runs"] = [run for run in own["runs"] if run["kernel"] in ("matmul/tiled", "matmul/naive")]
        for run in own["runs"]:
            for name in run.get("counters", {}):
                run["counters"][name] += 12
        self.own = self.file("my-card.json", json.dumps(own))

    def texts(self, view, *words):
        """What stands in the picture, text by text."""
        out = self.folder / f"{view}.svg"
        self.succeeds("show", "matmul/tiled", "--set", "width=64", "--view", view, "--size", "960x900", *words, "--out", out)
        return [element.text for element in ElementTree.parse(out).iter() if element.tag.endswith("text") and element.text]

    def test_times_stand_side_by_side(self):
        texts = self.texts("times", "--recording", self.own)
        for label in ("RTX 5090", "CUDA 13.1", "2026-02-03", "H200"):
            self.assertIn(label, texts)
        self.assertNotIn("RTX 5090", self.texts("times"))

    def test_counters_stand_side_by_side(self):
        texts = self.texts("memory", "--recording", self.own)
        self.assertIn("NVIDIA GeForce RTX 5090", texts)
        self.assertIn("NVIDIA H200", texts)
        self.assertTrue(any("NVIDIA GeForce RTX 5090" in text and "CUDA 13.1" in text and "2026-02-03" in text for text in texts), texts)
        self.assertNotIn("NVIDIA GeForce RTX 5090", self.texts("memory"))


class WithoutTheCompiler(CommandTest):
    """NVRTC is found by none of the ways that lead to it."""

    def setUp(self):
        super().setUp()
        self.environment = {"XDG_CACHE_HOME": str(self.folder), "CUDA_HOME": "", "CUDA_PATH": "", "LOCKSTEP_NVRTC": ""}

    def needs_a_system_without(self):
        if lockstep("doctor", "--json", "-", environment=self.environment).json["nvrtc"] is not None:
            self.skipTest("this system has NVRTC among its libraries")

    def test_a_kernel_of_ones_own_says_how_to_get_it(self):
        self.needs_a_system_without()
        source = self.file("mine.cu", "__global__ void k(int* p) { p[threadIdx.x] = 1; }")
        self.refuses("run", source, "--grid", "1", "--block", "32", "--arg", "i32[32]=zero", environment=self.environment,
                     saying=["compiling CUDA needs NVRTC, which is not on this machine", "run scripts/get-nvrtc or install the CUDA toolkit"])
        self.assertEqual(lockstep("run", "matmul/tiled", environment=self.environment).status, DONE)

    def test_doctor_says_how_to_get_it(self):
        self.needs_a_system_without()
        doctor = self.succeeds("doctor", "--json", "-", environment=self.environment).json
        self.assertTrue(any("scripts/get-nvrtc" in advice for advice in doctor["advice"]), doctor["advice"])

    def test_a_library_that_is_none_is_refused_by_name(self):
        library = self.file("libnvrtc.so", "no library")
        environment = {**self.environment, "LOCKSTEP_NVRTC": str(library)}
        doctor = self.succeeds("doctor", "--json", "-", environment=environment).json
        self.assertTrue(any(str(library) in advice for advice in doctor["advice"]), doctor["advice"])
        source = self.file("mine.cu", "__global__ void k(int* p) { p[threadIdx.x] = 1; }")
        self.refuses("run", source, "--grid", "1", "--block", "32", "--arg", "i32[32]=zero", environment=environment,
                     saying=["LOCKSTEP_NVRTC names", "where there is no NVRTC; unset it, or name libnvrtc.so or its folder"])


class ValuesThatAreNotPrebuilt(CommandTest):
    """NVRTC is nowhere, whatever this system has: all that a course needs runs, and the rest says what is missing."""

    def setUp(self):
        super().setUp()
        self.environment = {"LOCKSTEP_NVRTC": str(self.folder / "none")}

    def test_every_kernel_runs_at_its_defaults_and_with_what_the_pages_set(self):
        families = self.succeeds("list", "--json", "-").json["families"]
        compiled = {p["name"] for family in families for p in family["parameters"] if p.get("prebuilt")}
        own = {f"{family['name']}/{variant['name']}": variant["parameters"] for family in families for variant in family["variants"]}
        wanted = {(name,) for name in own}
        for command in (command for page in pages() for command in commands_of(page)):
            settings = [s for s in re.findall(r"--set (\w+=\w+)", command) if s.split("=")[0] in compiled and not s.endswith("=N")]
            # A sweep sets a parameter for those of its variants that have it.
            for name in set(re.findall(r"\b\w+/[\w-]+", command)) & set(own):
                wanted.add((name, *sorted({s for s in settings if s.split("=")[0] in own[name]})))
        self.assertIn(("matmul/tiled-bounds", "tile=2"), wanted)
        self.assertIn(("reduction/turnkey", "op=max", "type=f32"), wanted)
        for name, *settings in sorted(wanted):
            with self.subTest(name=name, settings=settings):
                words = [word for setting in settings for word in ("--set", setting)]
                answer = lockstep("run", name, *words, "--caches", "off", "--machine-code", "off", environment=self.environment)
                self.assertIn(answer.status, (DONE, KERNEL_IS_WRONG), answer)

    def test_a_value_that_is_not_prebuilt_says_which_are(self):
        for words, ready in [(("matmul/tiled-bounds", "--set", "tile=5"), "tile is prebuilt for 2, 4, 8, 16 and 32"),
                             (("reduction/turnkey", "--set", "op=xor"), "op is prebuilt for sum and max")]:
            saying = [words[0], ready, "; for any other value, LOCKSTEP_NVRTC names"]
            self.refuses("run", *words, environment=self.environment, saying=saying)
            if has_window():
                self.refuses("shot", *words, "--out", "p.png", environment=self.environment, saying=saying)
        # The PTX of the simple multiply does not depend on the width of a tile.
        self.assertEqual(lockstep("run", "matmul/naive", "--set", "tile=5", environment=self.environment).status, DONE)


if __name__ == "__main__":
    unittest.main()
