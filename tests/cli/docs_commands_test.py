"""README.md, CONTRIBUTING.md and docs/: every `lockstep ...` on them runs, or at least names what there is.

Without a network, a screen or a GPU: a window is asked for as a picture, and what needs a GPU has to say so and nothing else.
docs/guide/course.md has a test of its own. This runs a sample; `scripts/test --slow docs` runs all."""

import re
import shlex
import unittest

from lockstep import DONE, KERNEL_IS_WRONG, ROOT, CommandTest, lockstep, needs_nvrtc, needs_window, sampled
from walkthrough import files_of

COMMANDS = {"window", "list", "run", "exec", "access", "show", "shot", "compare", "sweep", "time", "record", "doctor", "validate", "check", "lesson", "playlist", "texts", "completion"}
NEEDS_GPU = re.compile(r"no NVIDIA driver|needs a GPU")
# What the pages call these files.
SOURCES = {
    "homework.cu": """#include <cstdio>
#include <cstdlib>
__global__ void fill(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10, *a;
    cudaMalloc(&a, n * sizeof(int));
    fill<<<(n + 255) / 256, 256>>>(a, n);
    cudaDeviceSynchronize();
    cudaFree(a);
}
""",
    "main.cpp": "void work();\nint main() { work(); }\n",
    "kernels.cu": """__global__ void fill(int* a) { a[threadIdx.x] = WIDTH; }
void work() {
    int* a;
    cudaMalloc(&a, WIDTH * sizeof(int));
    fill<<<1, WIDTH>>>(a);
    cudaFree(a);
}
""",
    "reduction.cu": """#include <vector>
__global__ void reduce(const float* in, float* out) {
    __shared__ float sum[256];
    sum[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) sum[threadIdx.x] += sum[threadIdx.x + s];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sum[0];
}
__global__ void reduce_shuffle(const float* in, float* out) {
    float sum = in[blockIdx.x * 256 + threadIdx.x];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(&out[blockIdx.x], sum);
}
int main() {
    float *in, *out;
    std::vector<float> values(1024, 1.0f);
    cudaMalloc(&in, 1024 * sizeof(float));
    cudaMalloc(&out, 4 * sizeof(float));
    cudaMemcpy(in, values.data(), 1024 * sizeof(float), cudaMemcpyHostToDevice);
    reduce<<<4, 256>>>(in, out);
    reduce_shuffle<<<4, 256>>>(in, out);
}
""",
    "transpose.cu": """__global__ void naive(const float* in, float* out) { out[threadIdx.x * 32 + threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x]; }
__global__ void tiled(const float* in, float* out) {
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    naive<<<1, dim3(32, 32)>>>(in, out);
    tiled<<<1, dim3(32, 32)>>>(in, out);
}
""",
    "mm.cu": """__global__ void mm(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + column];
    P[row * width + column] = sum;
}
""",
    "stencil.cu": """__global__ void naive(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i + 1 < n) out[i] = in[i - 1] + in[i] + in[i + 1];
}
__global__ void shared(const float* in, float* out, int n) {
    __shared__ float s[130];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0 && i > 0) s[0] = in[i - 1];
    if (threadIdx.x == 127 && i + 1 < n) s[129] = in[i + 1];
    __syncthreads();
    if (i > 0 && i + 1 < n) out[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}
""",
    "mine.cu": "__global__ void f(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }\n",
    "saxpy.cu": """__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
""",
}


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands_of(page):
    """What follows `lockstep`: in backquotes and in indented blocks, whose remarks and continued lines are put right."""
    text = page.read_text(encoding="utf-8")
    blocks = re.sub(r"\\\n\s*", "", text)
    found = re.findall(r"`lockstep ([^`]+)`", text)
    found += [re.split(r"\s{2,}|\s+#", line)[0] for line in re.findall(r"^ {4}(?:build/release/lockstep|lockstep|scripts/run) (.+)$", blocks, re.MULTILINE)]
    return [command for command in dict.fromkeys(found) if re.match(r"[a-z-]", command)]


def helps():
    return {command: lockstep(command, "--help").out for command in COMMANDS}


class DocsCommands(CommandTest):
    def setUp(self):
        super().setUp()
        for files in (SOURCES, *map(files_of, pages())):
            for name, text in files.items():
                self.file(name, text)
        for name in ("kernels", "assets"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "docs" / "guide").mkdir(parents=True)
        (self.folder / "DIR").mkdir()
        (self.folder / "week3").mkdir()
        (self.folder / "week3" / "scale").symlink_to(ROOT / "assets" / "exercises" / "coalesced-scale")
        recording = next((ROOT / "assets" / "recordings").glob("*h200*.json"))
        for name in ("my-card.json", "DIR/my-card.json"):
            (self.folder / name).symlink_to(recording)

    def runnable(self, command):
        """Its words as they can be run here, or None for one that is only mentioned."""
        words = [word.replace("=N", "=8") for word in shlex.split(command) if word != "..."]
        if "..." in command or words[0] == "gpu-worker" or (words[0] == "record" and "--out" not in words):
            return None
        words = [re.sub(r"^FILE\.(svg|png)$", r"x.\1", word) for word in words]
        if words[0] not in COMMANDS:
            # Of a file whose launch is not named the window asks; what it asks with is the list.
            asks = words[0].endswith(".cu") and "--entry" not in words and "--grid" not in words
            words = ["list", *words] if asks else ["shot", *words, "--out", "window.png"]
        if words[0] == "check":
            return None if len(words) == 1 or {"NAME", "EXERCISE", "--watch", "my-exercise/start.cu"} & set(words) else words
        if words[0] in ("doctor", "list", "record", "validate", "texts", "completion"):
            return words
        named = any("/" in word or word.endswith((".cu", ".lks")) for word in words[1:])
        return words if named and not {"FILE.cu", "matmul/mine"} & set(words) else None

    @needs_nvrtc
    @needs_window
    def test_every_command_runs(self):
        for page in pages():
            if page.name == "course.md":
                continue
            for command in sampled(commands_of(page)):
                words = self.runnable(command)
                if words is None:
                    continue
                with self.subTest(f"{page.relative_to(ROOT)}: lockstep {command}"):
                    answer = lockstep(*words, folder=self.folder)
                    if NEEDS_GPU.search(answer.err):
                        continue  # it was understood: nothing is read from a GPU before all else is
                    self.assertIn(answer.status, (DONE, KERNEL_IS_WRONG) if words[0] in ("run", "compare", "check") else (DONE,), answer)

    def test_every_option_that_is_named_exists(self):
        help_of = helps()
        everywhere = "\n".join(help_of.values())
        for page in pages():
            for command in commands_of(page):
                name = command.split()[0]
                text = help_of.get(name, everywhere)
                for option in re.findall(r"(?<!\S)--[a-z][a-z0-9-]*", command):
                    with self.subTest(f"{page.relative_to(ROOT)}: lockstep {command}"):
                        self.assertIn(option, text)


if __name__ == "__main__":
    unittest.main()
