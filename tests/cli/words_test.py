"""What a newcomer types: slips of the pen get the nearest word, kernels of one's own the exact options that lack, and long work can be
canceled."""

import os
import pty
import signal
import subprocess
import time
import unittest

from lockstep import KERNEL_IS_WRONG, PROGRAM, ROOT, CommandTest, lockstep, needs_nvrtc

TILED = "matmul/tiled"
TWO = """__global__ void add(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }
__global__ void twice(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }
"""
LAUNCH = ["--arg", "f32[1024]=random", "--arg", "i32:1024"]


class Options(CommandTest):
    def test_an_option_that_does_not_exist_gets_the_nearest_of_its_command(self):
        for command, option, saying in [
            ("run", "--sett", "did you mean --set?"), ("show", "--vieww", "did you mean --view?"), ("access", "--exprs", "--expr?"),
            ("compare", "--refrence", "--reference?"), ("record", "--siezs", "--sizes?"), ("validate", "--foccus", "--focus?"),
            ("list", "--jsn", "--json?"), ("doctor", "--Json", "--json?"), ("run", "--view", "lockstep window, show, shot, texts have it"),
        ]:
            with self.subTest(f"{command} {option}"):
                self.refuses(command, option, "x", saying=[f"lockstep {command} has no option {option}", saying])

    def test_a_value_of_the_wrong_kind_is_told_what_is_expected(self):
        for words, saying in [
            (["run", TILED, "--threads", "banana"], "--threads: write a whole number from 0 to 1024, not 'banana'"),
            (["run", TILED, "--device", "banana"], "--device: write a whole number"),
            (["run", TILED, "--findings", "1.5"], "1 to 1000000, not '1.5'"),
            (["run", TILED, "--limit", "nan"], "number of seconds above 0"),
            (["run", TILED, "--backend", "cuda"], "auto, emulator or gpu, not 'cuda'"),
            (["run", TILED, "--l2", "hot"], "warm or cold"),
            (["run", TILED, "--order", "seq"], "did you mean 'sequential'?"),
            (["show", TILED, "--warp", "banana"], "--warp: write a whole number"),
            (["show", TILED, "--scale", "inf"], "--scale: write a number from 0.5 to 8"),
            (["record", "--limit", "0"], "number of seconds above 0"),
            (["run", TILED, "--json"], "--json needs a value: write everything as JSON"),
            (["run", TILED, "--grid", "1", "--grid", "2"], "--grid is given 2 times; give it once"),
            (["run", TILED, "--set", "width=8", "--set", "width=9"], "width is already set to 8"),
            (["run", TILED, "other"], "'other' is one word too many"),
            (["doctor", "x"], "takes options only"),
        ]:
            with self.subTest(words):
                self.refuses(*words, saying=saying)
        self.assertEqual(self.succeeds("run", TILED, "--set", "width=16", "--threads", "010", "--json", "-").json["parameters"]["width"], 16)

    def test_a_list_of_values_does_not_swallow_the_kernel(self):
        self.assertEqual(self.succeeds("run", "--json", "-", "--set", "width=16", "tile=8", TILED).json["parameters"], {"width": 16, "tile": 8})

    def test_the_views_come_from_one_table(self):
        out = self.folder / "x.png"
        views = lockstep("show", TILED, "--view", "bogus", "--out", out).err.split("the views are ")[1].strip().split(", ")
        self.assertIn("read", views)
        for command in ("show", "shot") if "no window" not in lockstep("shot").err else ("show",):
            self.assertEqual(lockstep(command, TILED, "--view", "bogus", "--out", out).err.split("the views are ")[1].strip().split(", "), views)
            text = " ".join(self.succeeds(command, "--help").out.split())
            self.assertIn(", ".join(views), text)

    def test_a_message_names_the_option_that_was_typed(self):
        self.refuses("show", TILED, "--view", "stage", "--block", "99,99", "--out", self.folder / "x.svg", saying="--block 99,99: there is no block")
        self.refuses("run", TILED, "--focus", "99,99", saying="--focus 99,99: there is no block")
        self.refuses("compare", "matmul/tiled:width", TILED, saying="matmul/tiled:width: write values as")

    def test_files_and_pictures_that_cannot_be(self):
        same = self.folder / "x"
        self.refuses("run", TILED, "--json", same, "--save", self.folder / "." / "x", saying="two options write to")
        self.refuses("show", TILED, "--view", "stage", "--scale", "8", "--size", "8192x8192", "--out", self.folder / "x.png", saying="65536 x 65536 pixels")
        self.refuses("list", "matmul", "--table", same, saying="leave matmul out")

    def test_help_can_be_asked_for_as_a_command(self):
        self.assertEqual(self.succeeds("help").out, self.succeeds("--help").out)
        self.assertEqual(self.succeeds("help", "run").out, self.succeeds("run", "--help").out)
        for command in ("window", "list", "run", "access", "show", "shot", "compare", "sweep", "time", "record", "doctor", "validate", "check", "texts", "completion"):
            text = self.succeeds(command, "--help").out
            for line in text.splitlines():
                self.assertLessEqual(len(line), 100, line)
            for word in ("TEXT", "UINT", "FLOAT"):
                self.assertNotRegex(text, rf"\b{word}\b")


class Names(CommandTest):
    def test_list_takes_a_family_or_a_variant(self):
        family = self.succeeds("list", "scan", "--json", "-").json["families"]
        self.assertEqual([row["name"] for row in family], ["scan"])
        variant = self.succeeds("list", TILED, "--json", "-").json["families"][0]
        self.assertEqual([row["name"] for row in variant["variants"]], ["tiled"])
        self.assertEqual({row["name"] for row in variant["parameters"]}, {"width", "tile"})
        self.assertIn("matmul/naive", self.succeeds("list", "matmul").out)
        self.refuses("list", "matmull", saying=["did you mean 'matmul'?", "FAMILY/VARIANT"])

    def test_folders_and_other_files_are_not_families(self):
        other = self.file("data.bin", b"x")
        for command in (["run"], ["show", "--view", "stage", "--out", self.folder / "x.svg"], ["compare", TILED]):
            self.refuses(*command, self.folder, saying="is a folder")
            self.refuses(*command, other, saying="ends in .cu, .ptx or .lks")
        self.refuses("run", "matmul/", saying="lockstep list matmul")
        self.refuses("run", "MatMull/tiled", saying="did you mean 'matmul'?")

    @unittest.skipIf(lockstep("doctor", "--json", "-").json["driver"], "there is a driver")
    def test_what_needs_a_gpu_says_so(self):
        self.refuses("run", TILED, "--backend", "gpu", saying=["--backend gpu", "leave the option out"])
        for command in (["validate", TILED], ["record", TILED, "--out", self.folder]):
            self.refuses(*command, saying=[f"lockstep {command[0]} needs a GPU", "lockstep doctor"])


@needs_nvrtc
class OwnFiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.two = self.file("two.cu", TWO)

    def test_the_kernels_of_the_file_are_named(self):
        self.refuses("run", self.two, "--entry", "tvice", saying=["has no kernel 'tvice'; it has add, twice", "did you mean 'twice'?"])
        self.refuses("run", self.two, saying="say which with --entry: add, twice")
        self.refuses("compare", self.two, f"{self.two}:add", saying="say which as FILE.cu:KERNEL: add, twice")

    def test_what_lacks_of_a_launch_can_be_typed_as_it_is_told(self):
        picture = ["--view", "sectors", "--out", self.folder / "x.svg"]
        for words in (["run", self.two, "--entry", "add"], ["show", self.two, "--entry", "add", *picture], ["compare", f"{self.two}:add", f"{self.two}:twice"]):
            told = self.refuses(*words, saying="does not say how 'add' is launched; add what fits, for example --grid 8").err
            options = told.split("for example ")[1].replace("'", "").split()
            self.assertIn("--block-size" if words[0] == "show" else "--block", options)
            self.succeeds(*words, *options)

    def test_the_blocks_size_and_the_block_to_look_at_are_two_options_of_show(self):
        out = self.folder / "x.svg"
        show = ["show", self.two, "--entry", "add", "--view", "lanes", "--out", out, "--grid", "8", *LAUNCH]
        self.succeeds(*show, "--block-size", "128", "--block", "3")
        self.assertIn("lock 3", out.read_text())
        out.unlink()
        self.refuses(*show, "--block", "3", saying="--block-size 128")
        self.refuses(*show, "--block-size", "2048", saying="--block-size 2048: ")
        self.succeeds("run", self.two, "--entry", "add", "--grid", "8", "--block-size", "128", *LAUNCH)
        self.succeeds("show", self.two, "--entry", "add", "--view", "compare", "--with", f"{self.two}:twice", "--grid", "8", "--block-size", "128", *LAUNCH, "--out", out)

    def test_a_recording_takes_no_launch(self):
        saved = self.folder / "add.lks"
        self.succeeds("run", self.two, "--entry", "add", "--grid", "8", "--block", "128", *LAUNCH, "--save", saved)
        self.refuses("show", saved, "--grid", "4", "--view", "lanes", "--out", self.folder / "x.svg", saying="stays as it was recorded")
        self.succeeds("compare", saved, f"{self.two}:twice", "--grid", "8", "--block", "128", *LAUNCH)

    def test_all_errors_of_the_compiler_are_listed_up_to_ten(self):
        bad = self.file("bad.cu", "__global__ void k() {\n" + "".join(f"\tx{i} = 1;\n" for i in range(14)) + "}\n")
        answer = lockstep("run", bad)
        self.assertEqual(answer.status, 2, answer)
        lines = answer.err.splitlines()
        self.assertEqual(lines[0], f'lockstep: {bad}:2:2: identifier "x0" is undefined (and 13 more)')
        self.assertEqual(lines[1:-1], [f'{bad}:{i + 2}:2: identifier "x{i}" is undefined' for i in range(1, 10)])
        self.assertEqual(lines[-1], "and 4 more")


class Cancel(CommandTest):
    def cancel(self, *words):
        """Ctrl+C as soon as a terminal shows how far the run is; what standard error and output had."""
        own, other = pty.openpty()
        process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=other, stdin=subprocess.DEVNULL,
                                   start_new_session=True, env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)})
        os.close(other)
        told = b""
        while b" blocks  (Ctrl+C cancels)" not in told:  # the buffers are filled before
            told += os.read(own, 4096)
        os.killpg(process.pid, signal.SIGINT)
        begun = time.monotonic()
        out = process.communicate(timeout=60)[0].decode()
        self.assertLess(time.monotonic() - begun, 20)
        try:
            while data := os.read(own, 4096):
                told += data
        except OSError:  # as Linux ends a terminal
            pass
        os.close(own)
        return process.returncode, told.decode(), out

    LONG = ["--set", "width=4096", "--threads", "1", "--limit", "60"]

    def test_a_picture_and_a_comparison_end_with_one_sentence_and_write_nothing(self):
        picture, json = self.folder / "x.svg", self.folder / "x.json"
        commands = [["show", "matmul/naive", *self.LONG, "--view", "stage", "--out", picture],
                    ["compare", "matmul/naive", TILED, *self.LONG, "--json", json]]
        if "no window" not in lockstep("shot").err:
            commands.append(["shot", "matmul/naive", *self.LONG, "--out", self.folder / "x.png"])
        for words in commands:
            with self.subTest(words[0]):
                status, told, out = self.cancel(*words)
                self.assertEqual((status, out), (130, ""), told)
                self.assertEqual(told.count("lockstep: canceled; nothing was written"), 1, told)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_run_keeps_what_there_is(self):
        saved = self.folder / "part.lks"
        status, told, out = self.cancel("run", "matmul/naive", *self.LONG, "--save", saved)
        self.assertEqual(status, KERNEL_IS_WRONG, told)
        self.assertEqual(told.count("lockstep: canceled: what had run by then is kept"), 1, told)
        self.assertIn("stopped after", out)
        self.assertTrue(saved.exists())


if __name__ == "__main__":
    unittest.main()
