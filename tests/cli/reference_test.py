"""A kernel of the user's own, right and wrong, against each form of --reference."""

import array
import struct
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, CommandTest, needs_nvrtc

SOURCE = """
__global__ void naive(const float* M, const float* N, float* P, int width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y, Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row >= width || Col >= width) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[Row * width + k] * N[k * width + Col];
    P[Row * width + Col] = sum;
}
__global__ void wrong(const float* M, const float* N, float* P, int width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y, Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row >= width || Col >= width) return;
    float sum = 0;
    for (int k = 0; k + 1 < width; ++k) sum += M[Row * width + k] * N[k * width + Col];
    P[Row * width + Col] = sum;
}
__global__ void rectangular(const float* A, const float* B, float* C, int j, int k, int l) {
    int row = threadIdx.y, column = threadIdx.x;
    if (row >= j || column >= l) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += A[row * k + i] * B[i * l + column];
    C[row * l + column] = sum;
}
__global__ void flip(const double* a, double* b, int rows, int columns) {
    if (threadIdx.y < rows && threadIdx.x < columns) b[threadIdx.x * rows + threadIdx.y] = a[threadIdx.y * columns + threadIdx.x];
}
"""
LAUNCH = ["--grid", "1,1", "--block", "8,8"]
SQUARE = [*LAUNCH, "--arg", "f32[36]=random", "--arg", "f32[36]=random", "--arg", "f32[36]=zero", "--arg", "i32:6"]
MATMUL = "matmul:M=0,N=1,P=2,width=6"


def npy(values, code="f", descr="<f4"):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.array(code, values).tobytes()


@needs_nvrtc
class References(CommandTest):
    def setUp(self):
        super().setUp()
        self.source = self.file("mine.cu", SOURCE)

    def run_with(self, entry, *words, status=DONE):
        return self.succeeds("run", self.source, "--entry", entry, *SQUARE, *words, status=status)

    def test_right_and_wrong_against_each_form(self):
        expected = self.folder / "expected.npy"
        self.run_with("naive", "--dump", f"2={expected}")
        other = self.file("other.cu", SOURCE.replace("naive", "tested"))
        for reference, named in [
            (MATMUL, MATMUL), ("matmul", MATMUL), ("matmul:M=0,N=1,P=2", MATMUL),
            (f"kernel:{other}:tested", f"kernel:{other}:tested"), ("kernel:naive,grid=2,2,block=3,3", "kernel:naive,grid=2,2,block=3,3"),
            (f"2={expected}", f"2={expected}"),
        ]:
            with self.subTest(reference):
                right = self.run_with("naive", "--reference", reference, "--json", "-").json
                self.assertEqual((right["correct"], right["max_error"], right["wrong"], right["reference"]), (True, 0, None, named))
                wrong = self.run_with("wrong", "--reference", reference, "--json", "-", status=KERNEL_IS_WRONG).json
                self.assertEqual((wrong["correct"], wrong["wrong"]["count"], wrong["wrong"]["first"]["buffer"]), (False, 36, "P"))
                self.assertGreater(wrong["max_error"], 0)
                self.assertIn(f"result      matches {named} (largest difference 0)", self.run_with("naive", "--reference", reference).out)
                self.assertIn(f"compared with {named}", self.run_with("wrong", "--reference", reference, status=KERNEL_IS_WRONG).out)

    def test_rectangular_and_other_types(self):
        answer = self.succeeds("run", self.source, "--entry", "rectangular", *LAUNCH, "--arg", "f32[12]=random", "--arg", "f32[20]=random",
                               "--arg", "f32[15]=zero", "--arg", "i32:3", "--arg", "i32:4", "--arg", "i32:5",
                               "--reference", "matmul:M=0,N=1,P=2", "--json", "-")
        self.assertEqual(answer.json["reference"], "matmul:M=0,N=1,P=2,j=3,k=4,l=5")
        self.assertIs(answer.json["correct"], True)
        flip = ["run", self.source, "--entry", "flip", *LAUNCH, "--arg", "f64[6]=iota", "--arg", "f64[6]=zero", "--arg", "i32:2", "--arg", "i32:3"]
        self.assertIs(self.succeeds(*flip, "--reference", "transpose:in=0,out=1,rows=2", "--json", "-").json["correct"], True)
        self.assertIs(self.succeeds(*flip, "--reference", "transpose:in=0,out=1,rows=3", "--json", "-", status=KERNEL_IS_WRONG).json["correct"], False)

    def test_several_files(self):
        zeros, ones = self.file("zeros.npy", npy([0] * 36)), self.file("ones.npy", npy([1] * 36))
        words = ["run", self.source, "--entry", "naive", *LAUNCH, "--arg", "f32[36]=zero", "--arg", "f32[36]=const:1", "--arg", "f32[36]=random", "--arg", "i32:6"]
        self.succeeds(*words, "--reference", f"2={zeros}", "--reference", f"1={ones}")
        self.succeeds(*words, "--reference", f"2={zeros}", "--reference", f"1={zeros}", status=KERNEL_IS_WRONG)

    def test_without_a_reference_it_says_which_one_fits(self):
        answer = self.run_with("naive")
        self.assertIn(f"nothing to compare with; to check the result: --reference {MATMUL}\n", answer.out)
        self.assertIsNone(self.run_with("naive", "--json", "-").json["reference"])

    def test_a_recording_keeps_it(self):
        kept = self.folder / "kept.lks"
        self.run_with("wrong", "--reference", MATMUL, "--save", kept, status=KERNEL_IS_WRONG)
        plain = self.folder / "plain.lks"
        self.run_with("naive", "--save", plain)
        compared = self.succeeds("compare", kept, plain, "--json", "-", status=KERNEL_IS_WRONG).json
        self.assertEqual((compared["a"]["correct"], compared["a"]["reference"], compared["b"]["correct"]), (False, MATMUL, None))
        compared = self.succeeds("compare", kept, plain, "--reference", "kernel:naive,block=6,6", "--json", "-", status=KERNEL_IS_WRONG).json
        self.assertEqual((compared["a"]["correct"], compared["b"]["correct"]), (False, True))
        self.succeeds("show", plain, "--reference", "matmul", "--view", "stage", "--out", self.folder / "x.svg")
        (self.folder / "x.svg").unlink()
        self.refuses("show", plain, "--reference", "matmul:width=7", "--view", "stage", "--out", self.folder / "x.svg", saying="needs 49 elements")
        self.refuses("compare", "matmul/naive", "matmul/tiled", "--reference", "matmul", saying="FILE.lks")

    def test_mistakes(self):
        short = self.file("short.npy", npy([0] * 9))
        doubles = self.file("doubles.npy", npy([0] * 36, "d", "<f8"))
        for reference, saying in [
            ("matmull", ["no reference 'matmull'", "did you mean 'matmul'?", "INDEX=FILE.npy"]),
            ("matmul:M=0,N=1,P=2,widht=6", ["did you mean 'width'?", "matmul takes M, N, P and width (or j, k and l)"]),
            ("matmul:M=0,N=1,P=9", "no argument 9"), ("matmul:M=0,N=1,P=3", ["argument 3 is a value", "buffers are: 0, 1 and 2"]),
            ("matmul:width=7", ["M needs 49 elements", "argument 0 has 36"]), ("kernel:nope", ["mine.cu has no kernel 'nope'", "naive"]),
            ("kernel:missing.cu:naive", "missing.cu cannot be read"), ("kernel:rectangular", "takes the same arguments"),
            ("kernel:naive", "the kernel itself"), ("2=missing.npy", "no file missing.npy"), ("9=missing.npy", "no argument 9"),
            (f"2={short}", "9 elements of type f32, but 36 of type f32"), (f"2={doubles}", "of type f64, but 36 of type f32"),
            ("3=missing.npy", "argument 3 is a value"), ("", "write NAME:BUFFER=INDEX"),
        ]:
            with self.subTest(reference):
                self.refuses("run", self.source, "--entry", "naive", *SQUARE, "--reference", reference, saying=saying)
        self.refuses("run", "matmul/naive", "--reference", "matmul", saying="a kernel of the catalog has its own reference")

    def test_help_lists_the_table(self):
        out = self.succeeds("run", "--help").out
        for name in ["copy", "histogram", "matmul", "reduction", "row_reduction", "scan", "stencil", "transpose"]:
            self.assertIn(f"{name} takes", " ".join(out.split()))


if __name__ == "__main__":
    unittest.main()
