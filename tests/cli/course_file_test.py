"""A whole course file, kernels and host code in one, opens: its kernels run with the launches that its host code makes."""

import unittest

from lockstep import DONE, ROOT, CommandTest, lockstep, needs_nvrtc

FILE = "tests/data/course_files/scale.cu"
PLAIN = ["--backend", "emulator", "--machine-code", "off"]


@needs_nvrtc
class CourseFile(CommandTest):
    def test_takes_the_launch_from_the_file(self):
        answer = lockstep("run", FILE, "--entry", "scale", *PLAIN, "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        self.assertEqual(answer.json["launch"]["grid"], [16, 1, 1])
        self.assertEqual(answer.json["launch"]["block"], [256, 1, 1])
        self.assertEqual(answer.json["findings"], [])
        self.assertIn(f"{FILE}:50: launch taken from here: --grid 16 --block 256 --arg f32[4096]=zero --arg f32[4096]=iota --arg f32:2 --arg i32:4096", answer.err)
        self.assertIn(f"{FILE}:4: headers for host code only are skipped: iostream, vector", answer.err)
        self.assertIn(f"{FILE}:8: 'not_here.h' was not found", answer.err)

    def test_runs_the_instance_of_a_template_that_the_file_launches(self):
        answer = lockstep("run", FILE, "--entry", "transpose", *PLAIN, "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        self.assertEqual(answer.json["kernel"]["entry"], "transpose<16>")
        self.assertEqual(answer.json["launch"]["grid"], [4, 4, 1])
        lines = {row["line"] for row in answer.json["lines"]}
        self.assertIn(33, lines)  # lines stay those of the file

    def test_knows_the_types_of_a_template_instance(self):
        file = self.folder / "instance.cu"
        file.write_text("template <int T> __global__ void scale(float* a, float f, int n) { a[blockIdx.x * T + threadIdx.x] *= f * n; }\n"
                        "int main() { float* c; cudaMalloc(&c, 4096); scale<128><<<8, 128>>>(c, 2.5f, 7); }\n")
        answer = lockstep("run", file, *PLAIN, "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        self.assertIn("launch taken from here: --grid 8 --block 128 --arg f32[1024]=zero --arg f32:2.5 --arg i32:7", answer.err)

    def test_has_the_mathematics_that_nvcc_includes_by_itself(self):
        file = self.folder / "infinity.cu"
        file.write_text("__global__ void most(float* a, int n) { float m = -INFINITY; for (int i = 0; i < n; ++i) m = fmaxf(m, a[i]); a[threadIdx.x] = m * M_PI; }\n")
        answer = lockstep("run", file, "--grid", "1", "--block", "32", "--arg", "f32[32]=iota", "--arg", "i32:32", *PLAIN, "--json", "-")
        self.assertEqual(answer.status, DONE, answer)

    def test_has_random_numbers_and_a_heap_in_kernels(self):
        file = self.folder / "random.cu"
        file.write_text("#include <curand_kernel.h>\n"
                        "__global__ void draw(unsigned long long seed, unsigned* out) {\n"
                        "    curandState* state = (curandState*)malloc(sizeof(curandState));\n"
                        "    curand_init(seed, threadIdx.x, 0, state);\n"
                        "    out[threadIdx.x] = curand(state);\n"
                        "    if (threadIdx.x) free(state);\n"
                        "}\n")
        numbers = self.folder / "out.npy"
        answer = lockstep("run", file, "--grid", "1", "--block", "2", "--arg", "u64:1234", "--arg", "u32[2]=zero", "--dump", f"1={numbers}",
                          *PLAIN)
        self.assertEqual(answer.status, DONE, answer)
        # As an H200 prints them: tests/programs/random_numbers.txt
        self.assertEqual(numbers.read_bytes()[-8:].hex(), "155e3d25" "5a60f7d1")
        self.assertIn("1 allocation by malloc() in kernels, 48 bytes in all, is never freed.", answer.out)

    def test_says_what_shape_the_computation_has(self):
        launch = ["--entry", "mm", "--grid", "3,4", "--block", "16,8", "--arg", "i32:32", "--arg", "i32:64", "--arg", "i32:48"]
        for left, right, product in [("[32][64]", "[64][48]", "[32][48]"), ("[2048]", "[3072]", "[1536]")]:
            buffers = ["--arg", f"f32{left}=random", "--arg", f"f32{right}=random", "--arg", f"f32{product}=zero"]
            answer = lockstep("run", "tests/shapes/matmul/mm_row_tiles.cu", *launch[:6], *buffers, *launch[6:], *PLAIN, "--json", "-")
            self.assertEqual(answer.status, DONE, answer)
            shape = answer.json["shape"]
            self.assertEqual(shape["name"], "matmul")
            self.assertEqual(shape["evidence"][0], "Each sum takes a row of A and a column of B.")
            self.assertEqual([(b["rows"], b["columns"]) for b in shape["buffers"]], [(32, 64), (64, 48), (32, 48)])

    def test_explicit_options_win(self):
        answer = lockstep("run", FILE, "--entry", "scale", "--grid", "2", *PLAIN, "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        self.assertEqual(answer.json["launch"]["grid"], [2, 1, 1])
        self.assertEqual(answer.json["launch"]["block"], [256, 1, 1])

    def test_offers_the_kernels_of_a_file_with_several(self):
        self.refuses("run", FILE, *PLAIN, saying=["several kernels", "--entry", "scale (line 50: scale<<<16, 256>>>)", "transpose<16> (line 52: transpose<16><<<(4, 4), (16, 16)>>>)"])

    def test_lists_kernels_and_launches(self):
        answer = lockstep("list", FILE, "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        kernels = {kernel["entry"]: kernel for kernel in answer.json["kernels"]}
        self.assertEqual(kernels["scale"]["parameters"][-1], "n")
        [launch] = kernels["scale"]["launches"]
        self.assertEqual((launch["line"], launch["grid"], launch["block"], launch["shared"]), (50, "16", "256", "0"))
        self.assertEqual(launch["arguments"], ["f32[4096]=zero", "f32[4096]=iota", "f32:2", "i32:4096"])
        self.assertEqual(kernels["fill"]["launches"][0]["grid"], None)
        self.assertIn("give --grid", kernels["fill"]["launches"][0]["unknown"][0])
        text = lockstep("list", FILE)
        self.assertIn("    line 50: scale<<<16, 256>>>\n        --entry 'scale' --grid 16 --block 256 --arg", text.out)
        # What it prints runs.
        ran = lockstep("run", FILE, *launch["options"].replace("'", "").split(), *PLAIN)
        self.assertEqual(ran.status, DONE, ran)
        self.refuses("list", "nothing.cu", saying=["nothing.cu", "cannot be read"])

    def test_knows_the_names_of_the_standard_library_that_the_device_has(self):
        file = self.folder / "standard.cu"
        file.write_text("\ufeff#include <iostream>\n#include <limits>\n__global__ void k(float* a, int* i) {\n"
                        "    float most = -std::numeric_limits<float>::infinity();\n    for (int n = 0; n < 4; ++n) most = std::max(most, std::sqrt(a[n]));\n"
                        "    a[0] = most; i[0] = std::numeric_limits<int>::max(); i[1] = std::min(3, std::abs(-4));\n}\n"
                        "int main() { float* d; int* i; cudaMalloc(&d, 16); cudaMalloc(&i, 8); k<<<1, 1>>>(d, i); }\n")
        answer = lockstep("run", file, *PLAIN, "--dump", f"1={self.folder}/i.npy", "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        self.assertTrue((self.folder / "i.npy").read_bytes().endswith(b"\xff\xff\xff\x7f\x03\x00\x00\x00"))

    def test_says_what_a_launch_hangs_on(self):
        self.refuses("run", FILE, "--entry", "fill", *PLAIN, saying=[f"{FILE}:54: the grid of this launch of 'fill' is not known: it depends on 'some' (line 53)", "give --grid"])

    def test_shows_and_compares_it(self):
        out = self.folder / "stage.svg"
        answer = lockstep("show", FILE, "--entry", "transpose", "--view", "source", "--out", out)
        self.assertEqual(answer.status, DONE, answer)
        self.assertIn("tile", out.read_text())
        answer = lockstep("compare", f"{FILE}:scale", f"{FILE}:transpose", *PLAIN)
        self.assertEqual(answer.status, DONE, answer)
        self.assertIn("against", answer.out)


if __name__ == "__main__":
    unittest.main()
