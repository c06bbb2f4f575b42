"""What a user can do wrong: one sentence that says what is wrong and what to do, status 2, and nothing left behind."""

import os
import resource
import subprocess
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, TRUTH, USAGE_ERROR, CommandTest, lockstep, needs_nvrtc, needs_window

TILED = "matmul/tiled"
GEOMETRY = ["--grid", "1", "--block", "32"]
ONE = 'extern "C" __global__ void k(float* a) { a[threadIdx.x] = 1; }\n'


class CatalogueMistakes(CommandTest):
    def test_names_that_do_not_exist(self):
        for words, saying in [
            ([], "say what to run"),
            (["nope/x"], ["no family 'nope'", "lockstep list"]),
            (["matmul"], ["'matmul' is a family", "matmul/naive"]),
            (["matmul/tyled"], "did you mean 'tiled'?"),
            ([TILED, "--profile", "cc9"], ["no profile 'cc9'", "did you mean 'cc", "cc75"]),
            ([TILED, "--profile", "missing.toml"], "missing.toml"),
            ([TILED, "--backend", "quantum"], ["'quantum'", "emulator"]),
            ([TILED, "--backend", "gpu"], "--backend gpu"),
            ([TILED, "--order", "x"], "sequential"),
            ([TILED, "--nope"], ["--nope", "--help"]),
            ([TILED, "extra"], "extra"),
            ([TILED, "--profile", "cc20", "--caches", "on"], "caches"),
        ]:
            with self.subTest(words):
                self.refuses("run", *words, saying=saying)
        self.refuses("compre", TILED, saying=["no command 'compre'", "--help"])
        self.refuses("shwo", saying="did you mean 'show'?")
        self.refuses("completion", "tcsh", saying="bash")

    def test_parameters(self):
        for settings, saying in [
            ("width", "name=value"), ("=3", "name=value"), ("width=", "1 to 4096"), ("width=abc", "1 to 4096"),
            ("width=0", "1 to 4096"), ("width=-3", "1 to 4096"), ("width=99999", "1 to 4096"),
            ("width=99999999999999999999", "1 to 4096"), ("width=1e3", "1 to 4096"), ("widht=3", "did you mean 'width'?"),
            ("tile=1", "2 to 32"), ("tile=33", "2 to 32"), ("k=3", "it has width, tile"),
        ]:
            with self.subTest(settings):
                self.refuses("run", TILED, "--set", settings, saying=saying)
        self.refuses("run", TILED, "--grid", "3", saying="--set")

    def test_options_out_of_range(self):
        for option, values, saying in [
            ("--limit", ["0", "-1", "x", "nan", "1e99"], ["--limit", "seconds"]), ("--threads", ["-1", "x", "100000"], "--threads"),
            ("--findings", ["0", "x"], "--findings"), ("--repeat", ["0", "x"], "--repeat"), ("--seed", ["-1", "x"], "--seed"),
            ("--focus", ["9,9", "x", "1,1,1,1", ""], "--focus"),
        ]:
            for value in values:
                with self.subTest(f"{option} {value}"):
                    if option == "--focus" and value == "":
                        continue  # as if it were left out
                    self.refuses("run", TILED, option, value, saying=saying)

    def test_files_that_are_none(self):
        (self.folder / "dir").mkdir()
        empty = self.file("empty", "")
        for ending, words in [("json", ["run", TILED, "--backend", "emulator", "--recording"]), ("toml", ["run", TILED, "--profile"]), ("json", ["show", TILED, "--view", "times", "--out", self.folder / "x.svg", "--recording"]),
                              ("cu", ["run", *GEOMETRY]), ("ptx", ["run", *GEOMETRY]), ("lks", ["show", "--view", "stage", "--out", self.folder / "x.svg"])]:
            for what in (self.folder / "dir", empty, "/dev/zero"):
                link = self.folder / f"link.{ending}"
                link.symlink_to(what)
                with self.subTest(f"{words} {what}"):
                    self.refuses(*words, link, saying=str(link))
                link.unlink()

    def test_a_device_that_is_too_small(self):
        self.refuses("run", TILED, "--set", "tile=32", "--profile", "cc10", saying=["512", "block"])
        self.succeeds("run", TILED, "--set", "tile=16", "--profile", "cc10")

    def test_files_that_cannot_be_written(self):
        folder, file = self.folder / "folder", self.file("file", b"x")
        folder.mkdir()
        for target in (self.folder / "missing" / "x", file / "x", folder):
            for option in (["--json", target], ["--save", target], ["--dump", f"0={target}"]):
                with self.subTest(f"{option[0]} {target.name}"):
                    self.refuses("run", TILED, *option, saying="cannot be written")
        for name in ("x.svg", "x.png"):
            self.refuses("show", TILED, "--view", "lanes", "--out", self.folder / "missing" / name, saying="no folder")
        self.refuses("list", "--json", self.folder / "missing" / "x", saying="no folder")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk(self):
        full = self.folder / "full"
        full.symlink_to("/dev/full")
        self.refuses("run", TILED, "--json", full, saying="cannot be written")
        self.refuses("run", TILED, "--save", full, saying="cannot be written")
        for words in (["list"], ["--help"], ["run", TILED, "--json", "-"]):
            with open("/dev/full", "w") as out, self.subTest(words):
                self.assertEqual(subprocess.run([PROGRAM, *words], stdout=out, stderr=subprocess.DEVNULL,
                                                env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)}).returncode, USAGE_ERROR)

    def limited(self, limit, most, *words):
        return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(limit, (most, most)),
                              env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)})

    def test_a_file_that_grows_too_large(self):
        saved = self.folder / "x.lks"
        done = self.limited(resource.RLIMIT_FSIZE, 1000, "run", TILED, "--save", saved)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (USAGE_ERROR, 1), done)
        self.assertIn("cannot be written", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    @unittest.skipIf("asan" in PROGRAM, "the sanitizer needs more address space than there is")
    def test_memory_that_there_is_not(self):
        done = self.limited(resource.RLIMIT_AS, 400 << 20, "run", "matmul/naive", "--set", "width=4096", "--threads", "1")
        self.assertEqual((done.returncode, done.stderr), (USAGE_ERROR, "lockstep: there is not enough memory for this; choose a smaller size or fewer --threads\n"), done)

    def test_dumps(self):
        target = self.folder / "x.npy"
        for text, saying in [("x", "INDEX=FILE.npy"), (f"9={target}", "numbered from 0"), (f"3={target}", "is no buffer"), ("0=", "INDEX=FILE.npy"),
                             (f"-1={target}", "INDEX=FILE.npy")]:
            with self.subTest(text):
                self.refuses("run", TILED, "--dump", text, saying=saying)

    def test_a_limit_that_is_reached_keeps_what_there_is(self):
        answer = lockstep("run", TILED, "--set", "width=2048", "--limit", "0.05", "--json", "-")
        self.assertEqual(answer.status, KERNEL_IS_WRONG, answer)
        self.assertFalse(answer.json["correct"])
        self.assertIn("limit", {finding["kind"] for finding in answer.json["findings"]})
        self.assertLess(answer.json["emulation"]["seconds"], 5)

    def test_resources_that_are_not_there(self):
        self.refuses("list", environment={"LOCKSTEP_RESOURCES": str(self.folder)}, saying="LOCKSTEP_RESOURCES")


class ViewMistakes(CommandTest):
    def test_options_of_show(self):
        out = ["--out", self.folder / "x.svg"]
        for words, saying in [
            (out, "--view is required"),
            (["--view", "stage"], "--out is required"),
            (["--view", "nope", *out], ["--view nope", "stage, banks"]),
            (["--view", "stage", "--out", self.folder / "x.pdf"], ".svg or .png"),
            (["--view", "stage", "--size", "1x1", *out], "560x280 to 8192x8192"),
            (["--view", "stage", "--size", "99999x99999", *out], "560x280 to 8192x8192"),
            (["--view", "timeline", "--size", "1280x100", *out], "480x120 to 8192x8192"),
            (["--view", "read", "--size", "300x200", *out], "320x160 to 8192x8192"),
            (["--view", "stage", "--size", "x", *out], "WIDTHxHEIGHT"),
            (["--view", "stage", "--scale", "99", *out], "--scale"),
            (["--view", "stage", "--theme", "pink", *out], "dark, light, projector"),
            (["--view", "stage", "--lang", "fr", *out], "en, zh-CN"),
            (["--view", "stage", "--block", "99,99", *out], "4 × 4 (x, y) blocks"),
            (["--view", "stage", "--block", "x", *out], "--block x"),
            (["--view", "stage", "--warp", "8", *out], "warps 0 to 7"),
            (["--view", "stage", "--warp", "-1", *out], "--warp"),
            (["--view", "stage", "--lane", "32", *out], "0 to 31"),
            (["--view", "stage", "--step", "0", *out], "steps 1 to"),
            (["--view", "stage", "--step", "99999", *out], "steps 1 to"),
            (["--view", "stage", "--phase", "99", *out], "phases 0 to"),
            (["--view", "stage", "--launch", "1", *out], "launches 0 to 0"),
            (["--view", "compare", *out], "--with FAMILY/VARIANT"),
            (["--view", "stage", "--with", "matmul/naive", *out], "--view compare"),
            (["--view", "compare", "--with", "matmul/nope", *out], "no variant 'nope'"),
            (["--view", "compare", "--with-set", "nope=1", *out], "nope"),
            (["--view", "compare", "--with", "matmul/naive", "--each", "memory", *out], "stage, banks, sectors"),
            (["--view", "compare", "--with", "matmul/naive", "--tie", "hand", *out], "--tie"),
            (["--view", "stage", "--steps", "1:4", *out], ".gif or FILE.apng"),
            (["--view", "stage", "--out", self.folder / "x.gif"], "--steps FIRST:LAST"),
            (["--view", "stage", "--steps", "4:1", "--out", self.folder / "x.gif"], "--steps 4:1"),
            (["--view", "timeline", "--range", "0..4", *out], "--range 0..4"),
            (["--view", "timeline", "--range", "9..4", *out], "--range 9..4"),
            (["--view", "timeline", "--range", "4..99999", *out], "this warp issued"),
            (["--view", "stage", "--range", "4..99999", "--out", self.folder / "x.gif"], "--range 4..99999"),
            (["--view", "stage", "--steps", "1:99999", "--out", self.folder / "x.gif"], "this warp issued"),
        ]:
            with self.subTest(words):
                self.refuses("show", TILED, *words, saying=saying)

    @needs_window
    def test_options_of_the_window(self):
        self.refuses("--nope", saying="--nope")
        self.refuses("shot", TILED, "--out", self.folder / "missing" / "x.png", saying="no folder")
        self.refuses("shot", TILED, "--out", self.folder / "x.gif", saying="--steps FIRST:LAST")
        self.refuses("shot", TILED, "--out", self.folder / "x.jpg", saying=".png")
        self.refuses("shot", TILED, "--view", "nope", "--out", self.folder / "x.png", saying="--view nope")
        self.refuses("shot", "nope/x", "--out", self.folder / "x.png", saying="no family")
        kernel = self.folder / "kernel.cu"
        self.refuses("shot", kernel, "--out", self.folder / "x.png", saying="cannot be read; give the path")
        kernel.write_text("__global__ void f(float* p) { p[threadIdx.x] = 0; }\n")
        self.refuses("shot", kernel, "--out", self.folder / "x.png", saying="--grid")

    def test_recordings_that_are_none(self):
        good = self.folder / "good.lks"
        self.succeeds("run", TILED, "--set", "width=8", "--set", "tile=4", "--save", good)
        data = good.read_bytes()
        self.file("empty.lks")
        self.file("garbage.lks", b"no recording")
        self.file("cut.lks", data[:len(data) // 2])
        self.file("flipped.lks", data[:200] + bytes([data[200] ^ 0xff]) + data[201:])
        (self.folder / "folder.lks").mkdir()
        out = self.folder / "x.svg"
        for name in ("empty", "garbage", "cut", "flipped", "folder", "missing"):
            with self.subTest(name):
                self.refuses("show", self.folder / f"{name}.lks", "--view", "stage", "--out", out, saying=f"{name}.lks")
        self.refuses("show", good, "--view", "stage", "--out", out, "--profile", "cc1", saying="cc1")
        self.refuses("show", good, "--view", "stage", "--out", out, "--set", "width=3", saying="--set")
        self.refuses("run", good, saying="lockstep show")


class AccessMistakes(CommandTest):
    def test_each_has_its_sentence(self):
        for words, saying in [
            (["--space", "texture", "--expr", "tid"], "shared or global, not 'texture'"),
            (["--op", "add", "--expr", "tid"], "load or store"),
            (["--width", "3", "--expr", "tid"], "1, 2, 4, 8 or 16"),
            ([], "--offsets"),
            (["--expr", "tid", "--row", "33", "--swizzle"], "power of two"),
            (["--expr", "tid", "--row", "0"], "1 to 65,536"),
            (["--offsets", ",".join(["0"] * 32), "--padding", "1"], "--padding"),
            (["--preset", "colunm"], "column"),
            (["--expr", "tid", "--offsets", "1"], "either"),
            (["--expr", "tid/0"], "division by zero"),
            (["--expr", "tid+"], "ends where"),
            (["--expr", "foo"], "'foo'"),
            (["--expr", "(" * 100000], "lockstep: "),
            (["--expr", "tid*1000000000000000"], "lane"),
            (["--offsets", "1,2"], "32 lanes"),
            (["--offsets", "a"], "'a'"),
            (["--expr", "tid", "--profile", "cc91"], "did you mean 'cc"),
        ]:
            defaults = ["--space", "shared", "--op", "load", "--width", "4"]
            for name in ("--space", "--op", "--width"):
                if name in words:
                    at = defaults.index(name)
                    del defaults[at:at + 2]
            with self.subTest(str(words)[:60]):
                self.refuses("access", *defaults, *words, saying=saying)


@needs_nvrtc
class FileMistakes(CommandTest):
    def refuses_file(self, name, content, *words, saying):
        if content is not None:
            self.file(name, content)
        with self.subTest(f"{name} {' '.join(map(str, words))[:60]}"):
            self.refuses("run", name, *words, folder=self.folder, saying=saying)

    def test_files_that_hold_no_kernel(self):
        (self.folder / "folder.cu").mkdir()
        for name, content, saying in [
            ("missing.cu", None, "missing.cu: cannot be read"),
            ("folder.cu", None, "folder.cu: is a folder"),
            ("empty.cu", b"", "has no kernel"),
            ("nokernel.cu", "__device__ int f() { return 1; }", "has no kernel"),
            ("syntax.cu", "__global__ void k(float* a) {\n  a[0] = ;\n}\n", "syntax.cu:2:10: expected an expression"),
            ("unknown.cu", "__global__ void k(float* a) {\n\n  b[0] = 1;\n}\n", ["unknown.cu:3:", '"b"']),
            ("zero.cu", b"__global__\0void", "zero byte"),
            ("noise.cu", bytes(range(1, 256)) * 40, "noise.cu"),
            ("empty.ptx", b"", "has no kernel"),
            ("prose.ptx", "hello", "prose.ptx:1:1"),
            ("noise.ptx", bytes(range(256)) * 40, "noise.ptx:1:1"),
            ("several.cu", "__global__ void a() {}\n__global__ void b() {}\n", ["--entry", "a, b"]),
            ("include.cu", '#include "nothere.h"\n__global__ void a() { helper(); }\n', ["include.cu:2", "helper"]),
        ]:
            self.refuses_file(name, content, *GEOMETRY, saying=saying)

    def test_kernels_of_one_name_are_told_apart_by_their_parameters(self):
        self.file("over.cu", "__global__ void over(float* p) { *p = 1; }\n__global__ void over(int* p, int n) { *p = n; }\n")
        for entry, saying in [("over", "say which with --entry: 'over(float*)', 'over(int*, int)'"),
                              ("over(double*)", "has no kernel 'over(double*)'")]:
            self.refuses("run", "over.cu", "--entry", entry, *GEOMETRY, folder=self.folder, saying=saying)
        self.succeeds("run", "over.cu", "--entry", "over(int *,int)", "--grid", "1", "--block", "1", "--arg", "i32[1]=zero", "i32:3", folder=self.folder)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_that_may_not_be_read(self):
        self.file("secret.cu", ONE).chmod(0)
        self.refuses_file("secret.cu", None, *GEOMETRY, saying="secret.cu")

    def test_geometry_and_options(self):
        argument = ["--arg", "f32[32]=zero"]
        self.file("one.cu", ONE)
        for words, saying in [
            ([*argument], "--grid"),
            (["--grid", "0", "--block", "32", *argument], "--grid 0"),
            (["--grid", "x", "--block", "32", *argument], "--grid x"),
            (["--grid", "1,2,3,4", "--block", "32", *argument], "one to three"),
            (["--grid", "99999999999", "--block", "32", *argument], "--grid 99999999999"),
            (["--grid", "1,70000", "--block", "32", *argument], "grid"),
            (["--grid", "1", "--block", "2000", *argument], ["1024", "block"]),
            (["--grid", "1", "--block", "1,1,65", *argument], "block"),
            ([*GEOMETRY, "--shared", "232449", *argument], "232,448"),
            ([*GEOMETRY, "--shared", "-1", *argument], "--shared"),
            ([*GEOMETRY, "--shared", "50000", "--profile", "cc20", *argument], "shared memory"),
            ([*GEOMETRY, "--entry", "nope", *argument], "it has k"),
            ([*GEOMETRY, "--set", "width=3", *argument], "--arg"),
            ([*GEOMETRY, "--define", "", *argument], "NAME=VALUE"),
            ([*GEOMETRY, "--define", "A B=1", *argument], "NAME=VALUE"),
            ([*GEOMETRY, "--include", "nothere", *argument], "--include nothere"),
        ]:
            self.refuses_file("one.cu", None, *words, saying=saying)

    def test_arguments(self):
        self.file("one.cu", ONE)
        self.file("bad.npy", b"xx")
        (self.folder / "folder.npy").mkdir()
        double = (TRUTH / "own/data/f64_64_pos_1.npy").as_posix()
        for arguments, saying in [
            ([], ["1 parameter ", "--arg"]),
            (["f32[32]=zero", "i32:3"], ["1 parameter ", "are 2 --arg"]),
            (["i32:5"], ["4 bytes", "buffer"]),
            ([""], "f32[4096]=random"),
            (["f99[8]=zero"], "'f99' is no type"),
            (["f32[-1]=zero"], "number of elements"),
            (["f32[0]=zero"], "number of elements"),
            (["f32[99999999999999]=zero"], "2 GiB"),
            (["f32[32]=what"], "what"),
            (["f32[32]=const:x"], "x"),
            (["f32:abc"], "'abc' is not a number"),
            (["hex:zz"], "hexadecimal"),
            (["hex:0000"], "2 bytes"),
            (["f32[32]=missing.npy"], "missing.npy"),
            (["f32[32]=bad.npy"], "bad.npy"),
            (["f32[32]=folder.npy"], "folder.npy"),
            ([f"f32[64]={double}"], "f64"),
            ([f"f64[65]={double}"], "64"),
        ]:
            words = [word for argument in arguments for word in ("--arg", argument)]
            self.refuses_file("one.cu", None, *GEOMETRY, *words, saying=saying)

    def test_what_the_emulator_cannot_run_is_named_with_its_place(self):
        source = TRUTH / "own/right/wmma_half.cu"
        arguments = ["--arg", "f16[1024]=zero", "--arg", "f16[1024]=zero", "--arg", "f32[1024]=zero", "--arg", "i32:32"]
        answer = lockstep("run", source, "--grid", "2,2", "--block", "32", *arguments)
        if answer.status != DONE:
            self.assertEqual(answer.status, USAGE_ERROR, answer)
            self.assertIn("wmma", answer.err)


if __name__ == "__main__":
    unittest.main()
