"""lockstep exec: whole programs, right ones with what they print, wrong ones with the sentence and the exit status of each."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from lockstep import DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, USAGE_ERROR, CommandTest, lockstep

PROGRAMS = ROOT / "tests" / "programs"
TIME_IS_UP = 124


def clang():
    if os.environ.get("LOCKSTEP_CLANG"):
        return os.environ["LOCKSTEP_CLANG"]
    return next((name for name in ["clang++", *(f"clang++-{version}" for version in range(22, 13, -1))] if shutil.which(name)), None)


needs_clang = unittest.skipUnless(sys.platform.startswith("linux") and clang(),
                                  "lockstep exec needs Linux and clang 14 or later (scripts/setup test installs it)")


@needs_clang
class RightPrograms(CommandTest):
    """Each prints what stands beside it, and nothing is found in it; those that make errors on purpose end with 1."""

    FINDS = {"arrays", "errors", "limits", "pitched"}

    def test_every_program_prints_what_it_should(self):
        programs = sorted(PROGRAMS.glob("*.cu"))
        self.assertGreaterEqual(len(programs), 12)
        for program in programs:
            with self.subTest(program.name):
                answer = lockstep("exec", program)
                self.assertEqual(answer.out, program.with_suffix(".txt").read_text(), answer.err)
                self.assertEqual(answer.status, KERNEL_IS_WRONG if program.stem in self.FINDS else DONE, answer)
                self.assertIn("launched no kernel" if program.stem == "arrays" else "on the emulator", answer.err)

    def test_there_is_every_function_that_the_headers_of_clang_call(self):
        """Those in words of two or four numbers (__nv_vadd2) are only called for a CUDA before 9.2."""
        headers = Path(subprocess.run([clang(), "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()) / "include"
        called = {name for header in ("math", "cmath", "device_functions") for name in
                  re.findall(r"\b__nv_\w+(?=\()", (headers / f"__clang_cuda_{header}.h").read_text())}
        ours = self.file("names.cu", '#define __device__ __attribute__((device))\n#include "lockstep_libdevice.h"\n')
        text = subprocess.run([clang(), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-E", "-P",
                               f"-I{ROOT}/assets/cuda/include", ours], capture_output=True, text=True, check=True).stdout
        known = set(re.findall(r"\b__nv_\w+(?=\([^;{]*\)\s*{)", text))
        computed = (ROOT / "engine" / "simt" / "decode" / "math_functions.cpp").read_text()
        known.update(re.findall(r'{"(__nv_\w+)"', computed))
        for name in re.findall(r'LOCKSTEP_REAL_[12]\("(\w+)"', computed):
            known.update({f"__nv_{name}", f"__nv_{name}f"})
        missing = {name for name in called - known if not re.match(r"__nv_v[a-z]+[24]$", name)}
        self.assertGreater(len(called), 200)
        self.assertEqual(missing, set())

    def test_a_program_of_two_files_with_options_of_the_compiler(self):
        answer = lockstep("exec", "main.cpp", "scale.cu", "-Iinclude", "-DFACTOR=2.5f", "-O2", folder=PROGRAMS / "two_files")
        self.assertEqual(answer.out, "2.5 5 7.5 10\n", answer.err)

    def test_options_of_two_words_and_those_of_nvcc(self):
        answer = lockstep("exec", "main.cpp", "scale.cu", "-I", "include", "-D", "FACTOR=2.5f", "-o", "scale", "-arch", "sm_80", "-gencode",
                          "arch=compute_80,code=sm_80", "-L", ".", "-l", "m", "-std", "c++17", "-Xptxas", "-v", "-Xcompiler", "-Wall,-O1",
                          "-Xlinker", "--gc-sections", "-maxrregcount", "32", "-oscale", "-Xcompiler=-Wall", "-lm", folder=PROGRAMS / "two_files")
        self.assertEqual((answer.out, answer.status), ("2.5 5 7.5 10\n", DONE), answer.err)
        self.assertFalse((PROGRAMS / "two_files" / "scale").exists())

    def test_arguments_follow_two_dashes(self):
        answer = lockstep("exec", PROGRAMS / "vector_add.cu", "--quiet", "--", "77")
        self.assertEqual((answer.out, answer.err, answer.status), ("77 elements, 0 wrong\n", "", DONE))

    def test_launches_are_read_as_editors_format_them(self):
        program = self.file("apart.cu", """#include <cstdio>
__global__ void say(int n) { printf("%d %d\\n", blockIdx.x, n); }
int main() {
    say << <1, 1 >> > (7);
    cudaDeviceSynchronize();
    say << <1, 2048 >> >
        (8);
    printf("<< <1>> >: %s\\n", cudaGetErrorName(cudaGetLastError()));
}""")
        answer = lockstep("exec", program)
        self.assertEqual(answer.out, "0 7\n<< <1>> >: cudaErrorInvalidConfiguration\n", answer.err)
        self.assertIn("apart.cu:6: The launch of say was refused", answer.err)

    def test_the_profile_is_the_device(self):
        program = self.file("device.cu", """#include <cstdio>
int main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%d.%d %d\\n", p.major, p.minor, p.multiProcessorCount); }""")
        self.assertTrue(lockstep("exec", program, "--profile", "cc70").out.startswith("7.0 "))

    def test_json_lists_launches_with_counters(self):
        record = self.folder / "record.json"
        answer = lockstep("exec", PROGRAMS / "tiled_multiply.cu", "--json", record)
        self.assertEqual(answer.status, DONE, answer)
        record = json.loads(record.read_text())
        self.assertEqual([launch["kernel"] for launch in record["launches"]], ["multiply<8>", "multiply<16>"])
        first = record["launches"][0]
        self.assertEqual((first["grid"], first["block"], first["error"], first["findings"]), ([4, 4, 1], [8, 8, 1], None, []))
        self.assertEqual(first["arguments"][3], "32")
        self.assertTrue(first["counters"])
        self.assertEqual((record["end"], record["status"], record["failed_calls"]), ("exited", 0, []))


@needs_clang
class Operations(CommandTest):
    """What a program asked of the device, in its order, and what became of its memory."""

    def record_of(self, program, *options):
        json_file = self.folder / "record.json"
        answer = lockstep("exec", program, "--json", json_file, *options)
        self.assertEqual(answer.status, DONE, answer)
        return json.loads(json_file.read_text()), answer

    def line_of(self, program, text):
        return 1 + next(number for number, line in enumerate(program.read_text().splitlines()) if text in line)

    def test_operations_of_two_streams(self):
        program = PROGRAMS / "streams.cu"
        record, _ = self.record_of(program)
        kinds = [operation["kind"] for operation in record["operations"]]
        self.assertEqual(kinds, ["event_record"] + 2 * ["copy", "launch", "copy"] + 2 * ["synchronize"] + ["event_record", "synchronize"])
        self.assertEqual(record["operation_count"], len(kinds))
        self.assertEqual([stream["kind"] for stream in record["streams"]], ["default", "made", "made"])
        self.assertEqual({event["name"] for event in record["events"]}, {"begin", "end"})
        host, device = record["buffers"]
        self.assertEqual((host["name"], host["memory"], device["name"], device["memory"]), ("host", "pinned", "device", "device"))
        second = record["operations"][5]
        self.assertEqual((second["stream"], second["launch"], second["given"], second["written"], second["line"]),
                         (2, 2, [1], [1], self.line_of(program, "square<<<")))
        copied = record["operations"][6]
        self.assertEqual((copied["bytes"], copied["asynchronous"], copied["from"]), (1024, True, {"buffer": 1, "offset": 1024}))
        self.assertEqual((device["last_written"]["kind"], device["last_written"]["launch"]), ("launch", 2))
        self.assertEqual(device["last_copied_to_host"]["line"], self.line_of(program, "cudaMemcpyDeviceToHost"))
        self.assertEqual(device["freed"]["before_operation"], len(kinds))

    def test_a_buffer_is_followed(self):
        _, answer = self.record_of(PROGRAMS / "streams.cu", "--follow", "device")
        self.assertIn("lockstep: device: 2 KiB of device memory, allocated at line 13", answer.err)
        self.assertIn("  Launch 2: square<<<4, 64>>>; writes device, in stream 2 (line 24).", answer.err)
        self.assertIn("  last written by kernel square, launch 2; copied to the host at line 25; freed at line 41", answer.err)
        self.assertEqual(lockstep("exec", PROGRAMS / "streams.cu", "--follow", "nothing").status, USAGE_ERROR)

    def test_operations_that_fail_or_have_findings_say_so(self):
        program = self.file("program.cu", """__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() {
    int *d, h[8];
    cudaMalloc(&d, 32);
    cudaMemset(d, 0, 40);
    k<<<1, 9>>>(d);
    cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);
}
""")
        json_file = self.folder / "record.json"
        lockstep("exec", program, "--json", json_file)
        operations = json.loads(json_file.read_text())["operations"]
        self.assertEqual([(operation["kind"], operation["error"], operation["findings"] > 0) for operation in operations],
                         [("fill", "cudaErrorInvalidValue", True), ("launch", "cudaErrorIllegalAddress", True)])

    def test_what_was_done_before_a_crash_or_a_limit_is_there(self):
        for end in ("abort()", "for (volatile int i = 0;; i = i + 1) {}"):
            program = self.file("program.cu", f"""#include <cstdlib>
int main() {{
    int *d, h = 7;
    cudaMalloc(&d, 4);
    cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
    {end};
}}
""")
            json_file = self.folder / "record.json"
            lockstep("exec", program, "--json", json_file, "--processor-time", "1")
            record = json.loads(json_file.read_text())
            self.assertEqual([operation["line"] for operation in record["operations"]], [5])
            self.assertEqual(record["buffers"][0]["last_written"]["line"], 5)

    def test_a_launch_is_saved_and_drawn_as_any_run(self):
        saved, first, second = (self.folder / name for name in ("second.lks", "first.svg", "second.svg"))
        answer = lockstep("exec", PROGRAMS / "streams.cu", "--save-launch", f"2={saved}", "--save-launch", f"1={self.folder}/first.lks")
        self.assertEqual(answer.status, DONE, answer)
        self.assertEqual(lockstep("show", self.folder / "first.lks", "--view", "source", "--out", first).status, DONE)
        self.assertEqual(lockstep("show", saved, "--view", "stage", "--out", second).status, DONE)
        self.assertIn("square&lt;&lt;&lt;4, 64&gt;&gt;&gt;", second.read_text())

    def test_what_the_window_does_with_it(self):
        """It tells how the program fares on a pipe, opens launches on request and ends with its input; the program finds nothing to read."""
        program = self.file("reads.cu", """#include <cstdio>
__global__ void fill(int* to) { to[threadIdx.x] = 7; }
int main() { int n = 5, *to; cudaMalloc(&to, 128); fill<<<1, 32>>>(to); cudaFree(to); printf("%d\\n", scanf("%d", &n)); }
""")
        ours, theirs = os.pipe()
        process = subprocess.Popen([PROGRAM, "exec", program, "--serve", str(theirs), "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   pass_fds=(theirs,), env={**os.environ, "LOCKSTEP_RESOURCES": str(ROOT)})
        os.close(theirs)
        news = open(ours, "rb")

        def read(kind):
            while True:
                size = int.from_bytes(news.read(8), "little")
                message = news.read(size)
                self.assertEqual(len(message), size)
                if message[0] == kind:
                    return message

        started, ended, opened, not_opened = 0, 2, 4, 5
        read(started)
        self.assertIn(b"fill", read(ended))
        process.stdin.write(b"open 1\nopen 2\nopen 1 0,0,0\n")
        process.stdin.flush()
        file = re.search(rb"/[^\0]*\.lks", read(opened)).group().decode()
        self.assertEqual(lockstep("show", file, "--view", "source", "--out", self.folder / "a.svg").status, DONE)
        read(not_opened)
        read(opened)
        process.stdin.close()
        self.assertEqual(process.wait(60), DONE)
        self.assertEqual(process.stdout.read(), b"-1\n")
        self.assertFalse(Path(file).exists())
        process.stdout.close()
        news.close()

    def test_launches_that_cannot_be_saved(self):
        for option, sentence in (("5=a.lks", "the program made 2 launches"), ("0=a.lks", "launches are numbered from 1"), ("a.lks", "NUMBER=FILE.lks")):
            answer = lockstep("exec", PROGRAMS / "streams.cu", "--save-launch", option, folder=self.folder)
            self.assertEqual(answer.status, USAGE_ERROR, answer)
            self.assertIn(sentence, answer.err)

    def test_the_timeline_has_each_operation(self):
        for language, words in (("en", ("Stream 1", "host waits", "Default stream")), ("zh-CN", ("流 1",))):
            picture = self.folder / f"{language}.svg"
            answer = lockstep("exec", PROGRAMS / "streams.cu", "--timeline", picture, "--lang", language)
            self.assertEqual(answer.status, DONE, answer)
            for word in ("square", *words):
                self.assertIn(word, picture.read_text())
        self.assertEqual(lockstep("exec", PROGRAMS / "streams.cu", "--timeline", "a.jpg", folder=self.folder).status, USAGE_ERROR)


@needs_clang
class HostCode(CommandTest):
    """Programs with a fault in their host code, which says in its line what is found there; each has a right twin, in which nothing is."""

    FOLDER = PROGRAMS / "host"

    def find_in(self, program):
        json_file = self.folder / "record.json"
        answer = lockstep("exec", program, "--json", json_file)
        return answer, json.loads(json_file.read_text())

    def test_each_fault_is_found_at_its_line_and_nothing_else(self):
        faulty = [program for program in sorted(self.FOLDER.glob("*.cu")) if not program.stem.endswith("_right")]
        self.assertGreaterEqual(len(faulty), 10)
        for program in faulty:
            with self.subTest(program.name):
                wanted = [(number, *comment.split(": ", 1)) for number, line in enumerate(program.read_text().splitlines(), 1)
                          for comment in re.findall("// finds: (.*)", line)]
                answer, record = self.find_in(program)
                found = [(finding["line"], finding["kind"], finding["message"]) for finding in record["findings"]]
                self.assertEqual(sorted(at for *at, _ in wanted), sorted(at for *at, _ in map(list, found)), answer.err)
                for line, kind, text in wanted:
                    self.assertTrue(any((line, kind) == (*at,) and text in message for *at, message in found), (line, kind, text, found))
                self.assertEqual(answer.status, DONE if all(finding["remark"] for finding in record["findings"]) else KERNEL_IS_WRONG)
                for finding in record["findings"]:
                    self.assertIn(f":{finding['line']}: {finding['message']}", answer.err)

    def test_the_right_twins_are_silent(self):
        for program in sorted(self.FOLDER.glob("*.cu")):
            if program.stem.endswith("_right"):
                continue
            with self.subTest(program.name):
                answer, record = self.find_in(program.with_stem(program.stem + "_right"))
                self.assertEqual((answer.status, record["findings"]), (DONE, []), answer)
                self.assertNotRegex(answer.err, r"\.cu:\d+:")


@needs_clang
class WrongPrograms(CommandTest):
    def run_program(self, text, *options, name="program.cu", **settings):
        return lockstep("exec", self.file(name, text), *options, folder=self.folder, **settings)

    def assert_says(self, answer, status, *sentences):
        self.assertEqual(answer.status, status, answer)
        for sentence in sentences:
            self.assertIn(sentence, answer.err)

    def test_an_access_out_of_bounds_is_found_at_its_line(self):
        answer = self.run_program("""#include <cstdio>
__global__ void fill(float* out, int n) {
    int i = threadIdx.x;
    if (i <= n)
        out[i] = i;
}
int main() {
    float* d_out;
    cudaMalloc((void**)&d_out, 100 * sizeof(float));
    fill<<<1, 128>>>(d_out, 100);
    printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
        self.assertEqual(answer.out, "cudaErrorIllegalAddress\n")
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:5: Thread 100 of block 0 writes d_out[100], just past the end of d_out",
                         "program.cu:11: cudaDeviceSynchronize failed with cudaErrorIllegalAddress")

    def test_a_race_and_a_read_of_nothing_are_found(self):
        answer = self.run_program("""__global__ void k(int* out) {
    __shared__ int s[64], never[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
    out[threadIdx.x] += never[threadIdx.x];
}
int main() { int* d; cudaMalloc(&d, 256); k<<<1, 64>>>(d); cudaDeviceSynchronize(); cudaFree(d); }
""")
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:4: ", "without synchronization", "before thread 63 of the same block (line 3) has written it")

    def test_arrays_that_one_line_allocates_have_their_names(self):
        answer = self.run_program("""__global__ void k(const int* a, const int* b, int* c) { c[threadIdx.x + 8] = a[threadIdx.x] + b[threadIdx.x]; }
int main() {
    int *first, *second, *third;
    cudaMalloc(&first, 32); cudaMalloc((void**)&second, 32); cudaMalloc(&third, 32);
    cudaMemset(first, 0, 32); cudaMemset(second, 0, 32);
    k<<<1, 8>>>(first, second, third);
    cudaDeviceSynchronize();
    cudaFree(first); cudaFree(second); cudaFree(third);
}
""")
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:1: ", "third[8]")
        self.assertNotIn("first[8]", answer.out + answer.err)

    def test_misuse_by_host_code_is_found_at_its_line(self):
        answer = self.run_program("""#include <cstdlib>
__global__ void k(int* a) { a[0] = 1; }
int main() {
    int *d, *h = (int*)malloc(400);
    cudaMalloc(&d, 400);
    cudaMemcpy(d, h, 400, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, d, 404, cudaMemcpyDeviceToHost);
    k<<<1, 2000>>>(d);
    k<<<1, 1>>>(h);
    cudaDeviceReset();
    cudaMalloc(&d, 400);
    cudaFree(d);
    cudaMemset(d, 0, 400);
    int* leaked;
    cudaMalloc(&leaked, 12);
}
""")
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:6: cudaMemcpy with cudaMemcpyDeviceToHost: the destination, d, is device memory.",
                         "program.cu:7: cudaMemcpy of 404 bytes goes past the end of d, of which 400 bytes are left there.",
                         "program.cu:8: The launch of k was refused: a block of 2000x1x1 has too many threads",
                         "program.cu:9: Argument 1 of kernel k is a pointer to host memory",
                         "program.cu:13: cudaMemset is given d, which was freed in line 12.",
                         "program.cu:15: 1 allocation of device memory, 12 bytes in all, is never freed.")

    def test_memory_that_another_function_frees(self):
        answer = self.run_program("""#include <cstdlib>
int main() {
    void *pinned, *own = malloc(400);
    cudaMallocHost(&pinned, 400);
    cudaHostRegister(own, 400, 0);
    cudaFree(pinned);
    cudaFree(own);
    cudaFreeHost(pinned);
    cudaHostUnregister(own);
    free(own);
}
""")
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:6: cudaFree is given a pointer", "program.cu:7: cudaFree is given a pointer",
                         "program.cu:7: cudaFree failed with cudaErrorInvalidValue.")
        self.assertNotIn("was freed", answer.err)

    def test_a_runtime_library_of_another_build(self):
        """A copy of lockstep beside a library that says another version."""
        text = "int main() { void* p; return cudaMalloc(&p, 4) == cudaSuccess ? 0 : 9; }"
        program = shutil.copy(PROGRAM, self.folder)
        library = (Path(PROGRAM).parent / "liblockstep_cudart.a").read_bytes()
        [version] = set(re.findall(rb"\0([0-9a-f]{16})\0", library))
        self.file("liblockstep_cudart.a", library.replace(version, b"0123456789abcdef"))
        answer = subprocess.run([program, "exec", self.file("program.cu", text)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((answer.returncode, answer.stdout), (USAGE_ERROR, ""), answer.stderr)
        self.assertIn("liblockstep_cudart.a: this runtime library, which the program was linked with, is of another build than lockstep", answer.stderr)

    def test_output_that_nobody_waits_for_is_lost_and_said(self):
        answer = self.run_program("""#include <cstdio>
__global__ void k() { printf("hello\\n"); }
int main() { k<<<1, 1>>>(); }
""")
        self.assertEqual(answer.out, "")
        self.assert_says(answer, DONE, "Kernels printed 6 bytes that a GPU would never show")

    def test_an_assertion_of_a_kernel(self):
        answer = self.run_program("""#include <cassert>
__global__ void k(int n) { assert(threadIdx.x < n); }
int main() { k<<<1, 4>>>(2); return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 9; }
""")
        self.assertEqual(answer.out, "")
        for x in (2, 3):
            self.assertIn(f"program.cu:2: void k(int): block: [0,0,0], thread: [{x},0,0] Assertion `threadIdx.x < n` failed.\n", answer.err)
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:2: ", "assert(threadIdx.x < n), which does not hold")

    def test_a_recursion_that_does_not_end(self):
        answer = self.run_program("""#include <cstdio>
__device__ __noinline__ int deep(int n, volatile int* a) {
    int own[4] = {n, n + 1, n + 2, n + 3};
    if (a[0] == 1) return own[n & 3];
    return deep(n + 1, a) + own[n & 3];
}
__global__ void k(int* a) { a[1] = deep(0, a); }
int main() {
    int* d;
    cudaMalloc(&d, 8);
    k<<<1, 1>>>(d);
    printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
        self.assertEqual(answer.out, "cudaErrorHardwareStackError\n", answer.err)
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:5: ", "the thread's stack is full")

    def test_launches_of_a_kernel_on_bytes(self):
        """What the first one shows of an allocation, the others know: accesses of less than 4 bytes."""
        answer = self.run_program("""#include <cstdio>
__global__ void k(unsigned char* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }
int main() {
    unsigned char *d, h[4];
    cudaMalloc(&d, 1 << 20);
    cudaMemset(d, 0, 1 << 20);
    for (int i = 0; i < 3; ++i) k<<<(1 << 20) / 256, 256>>>(d, 1 << 20);
    cudaMemcpy(h, d + (1 << 20) - 4, 4, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", h[0], h[3]);
    cudaFree(d);
}
""")
        self.assertEqual((answer.out, answer.status), ("3 3\n", DONE), answer.err)

    def test_what_does_not_compile_or_link(self):
        self.assert_says(self.run_program("int main() { int a = ; }"), USAGE_ERROR, "program.cu does not compile:",
                         "program.cu:1:22: error: expected expression")
        self.assert_says(self.run_program("#include <cublas_v2.h>\nint main() {}"), USAGE_ERROR,
                         "program.cu includes <cublas_v2.h>: lockstep exec does not offer cuBLAS")
        self.assert_says(self.run_program("#include <thrust/sort.h>\nint main() {}"), USAGE_ERROR, "does not offer Thrust")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "common.h").write_text("#include <cublas_nowhere.h>\n")
            self.assert_says(self.run_program(f'#include "{folder}/common.h"\nint main() {{}}'), USAGE_ERROR,
                             "program.cu includes <cublas_nowhere.h>: lockstep exec does not offer cuBLAS")
        self.assert_says(self.run_program("#include <curand.h>\nint main() { curandGenerator_t g; "
                                          "curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); }"),
                         USAGE_ERROR, "lockstep exec does not offer curandCreateGenerator()")
        self.assert_says(self.run_program("#include <curand_kernel.h>\n__global__ void k() { curandState s; "
                                          "curand_poisson(&s, 2); }\nint main() {}"),
                         USAGE_ERROR, "it uses random numbers of a Poisson distribution")
        self.assert_says(self.run_program("extern \"C\" int cudaGraphAddMemAllocNode(void*);\nint main() { cudaGraphAddMemAllocNode(0); }"),
                         USAGE_ERROR, "lockstep exec does not offer cudaGraphAddMemAllocNode()")
        self.assert_says(self.run_program("void f() {}"), USAGE_ERROR, "the program has no main()")
        self.assert_says(lockstep("exec", "missing.cu", folder=self.folder), USAGE_ERROR, "there is no such file")

    def test_an_instruction_that_is_not_known_costs_its_kernel_alone(self):
        answer = self.run_program("""#include <cstdio>
__global__ void bad(int* a) {
    asm volatile("frobnicate.s32 %0, 1;" : "=r"(a[0]));
}
__global__ void good(int* a) { a[0] = 7; }
int main() {
    int *d, h = 0;
    cudaMalloc(&d, 4);
    bad<<<1, 1>>>(d);
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    good<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\\n", h);
    cudaFree(d);
}
""")
        self.assertEqual(answer.out, "cudaErrorInvalidPtx 7\n", answer.err)
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:9: The launch of bad was refused: program.cu:3: ", "frobnicate")

    def test_code_that_cannot_be_read_says_why(self):
        answer = self.run_program("""__device__ __noinline__ int helper(int a) { asm volatile("frobnicate.s32 %0, 1;" : "+r"(a)); return a; }
__global__ void k(int* a) { a[0] = helper(a[0]); }
int main() { int* d; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaFree(d); }
""")
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:3: The launch of k was refused: program.cu:1: ", "frobnicate")

    def test_a_finding_says_in_how_many_launches_it_is_however_many_blocks_have_it(self):
        answer = self.run_program("""__global__ void sum(int* out) {
    volatile __shared__ int a[64];
    int t = threadIdx.x;
    a[t] = 1;
    __syncthreads();
    if (t < 32) a[t] += a[t + 32];
    if (t < 32) a[t] += a[t + 16];
    if (t == 0) out[blockIdx.x] = a[0];
}
int main() {
    int* d;
    cudaMalloc(&d, 8);
    for (int i = 0; i < 3; ++i) sum<<<2, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
""")
        self.assert_says(answer, DONE, "program.cu:7: ", "assumes warp-synchronous execution", "The same in 3 launches of sum.")

    def test_memory_that_a_captured_stream_would_allocate_is_refused(self):
        answer = self.run_program("""#include <cstdio>
int main() {
    cudaStream_t stream;
    cudaGraph_t graph;
    int* a;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    printf("%s\\n", cudaGetErrorName(cudaMallocAsync(&a, 64, stream)));
    cudaStreamEndCapture(stream, &graph);
    cudaStreamDestroy(stream);
}
""")
        self.assertEqual(answer.out, "cudaErrorNotSupported\n", answer.err)
        self.assert_says(answer, KERNEL_IS_WRONG, "program.cu:8: cudaMallocAsync is used in a way that is not offered here")
        self.assertNotIn("2 times", answer.err)

    def test_without_clang_it_says_what_to_install(self):
        answer = self.run_program("int main() {}", environment={"PATH": str(self.folder), "LOCKSTEP_CLANG": ""})
        self.assert_says(answer, USAGE_ERROR, "needs clang 14 or later", "apt-get install clang")

    def test_crashes(self):
        self.assert_says(self.run_program("""int main() {
    int* d;
    cudaMalloc(&d, 4);
    *d = 1;
}
"""), 128 + signal.SIGSEGV, "program.cu:4: The program crashed (segmentation fault): host code used a pointer to device memory")
        self.assert_says(self.run_program("int main() { volatile int* p = nullptr; *p = 1; }"), 128 + signal.SIGSEGV, "it used a null pointer")
        self.assert_says(self.run_program("#include <cstdlib>\nint main() { abort(); }"), 128 + signal.SIGABRT, "The program aborted itself")
        self.assert_says(self.run_program("int main(int n, char**) { volatile int zero = n - 1; return 1 / zero; }"), 128 + signal.SIGFPE,
                         "an integer was divided by zero")

    def test_early_exit_and_its_status(self):
        answer = self.run_program("#include <cstdlib>\n#include <cstdio>\nint main() { printf(\"bye\\n\"); exit(7); }")
        self.assertEqual((answer.out, answer.status), ("bye\n", 7))

    def test_standard_input_reaches_the_program(self):
        program = self.file("program.cu", "#include <cstdio>\nint main() { int a = 0; return scanf(\"%d\", &a) == 1 ? a : 99; }")
        self.assertEqual(lockstep("exec", program).status, 99)
        completed = subprocess.run([PROGRAM, "exec", program], input=b"21", capture_output=True, timeout=60, check=False)
        self.assertEqual(completed.returncode, 21)

    def test_loops_without_end(self):
        self.assert_says(self.run_program("int main() { volatile int i = 0; for (;;) i = i + 1; }", "--processor-time", "1"), TIME_IS_UP,
                         "its host code took more than 1 s of processor time")
        self.assert_says(self.run_program("#include <unistd.h>\nint main() { for (;;) pause(); }", "--wall-time", "1"), TIME_IS_UP,
                         "The program was stopped after 1 s")
        answer = self.run_program("""__global__ void k(volatile int* a) { while (a[0] == 0) {} }
int main() { int* d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); k<<<1, 1>>>(d); cudaDeviceSynchronize(); }
""", "--limit", "1")
        self.assert_says(answer, TIME_IS_UP, "The kernels took more than 1 s of the emulator")
        self.assertNotIn("the program went on", answer.err)  # the limit is not the program's

    def test_a_flood_of_output_ends(self):
        answer = self.run_program("#include <cstdio>\nint main() { for (;;) puts(\"again and again\"); }")
        self.assert_says(answer, TIME_IS_UP, "it printed more than 64 MiB")

    def test_a_child_process_has_no_device_and_does_not_outlive_the_program(self):
        answer = self.run_program("""#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>
int main() {
    int* d;
    cudaMalloc(&d, 4);
    if (fork() == 0) {
        printf("child %s\\n", cudaGetErrorName(cudaFree(d)));
        fflush(stdout);
        if (fork() == 0) for (;;) pause();
        _exit(0);
    }
    wait(nullptr);
    cudaFree(d);
}
""")
        self.assertEqual((answer.out, answer.status), ("child cudaErrorInitializationError\n", DONE), answer)

    def test_too_much_memory(self):
        answer = self.run_program("""#include <cstdio>
int main() { int* d; printf("%s\\n", cudaGetErrorName(cudaMalloc(&d, 3 << 20))); }
""", "--memory", "2")
        self.assertEqual(answer.out, "cudaErrorMemoryAllocation\n")

    def test_interrupt_ends_the_whole_group(self):
        program = self.file("program.cu", """#include <cstdio>
#include <unistd.h>
int main() { fork(); printf("%d\\n", int(getpid())); fflush(stdout); for (;;) pause(); }
""")
        process = subprocess.Popen([PROGRAM, "exec", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        numbers = [int(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        until = time.monotonic() + 10
        while time.monotonic() < until and any(os.path.exists(f"/proc/{number}") for number in numbers):
            time.sleep(0.05)
        for number in numbers:
            try:
                state = open(f"/proc/{number}/stat").read().rsplit(")", 1)[1].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                continue
            self.assertEqual(state, "Z")

    def test_an_end_by_sigkill_is_not_called_a_loop(self):
        self.assert_says(self.run_program("#include <csignal>\nint main() { raise(SIGKILL); }"), 128 + signal.SIGKILL, "was ended by SIGKILL")
        self.assert_says(self.run_program("""#include <csignal>
int main() { signal(SIGXCPU, SIG_IGN); volatile int i = 0; for (;;) i = i + 1; }
""", "--processor-time", "1"), TIME_IS_UP, "its host code took more than 1 s of processor time")

    def test_a_line_directive_that_names_a_device_does_not_hang(self):
        answer = self.run_program("""__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main() {
    int* d;
#line 1 "/dev/zero"
    cudaMalloc(&d, 16);
    k<<<1, 32>>>(d);
    cudaDeviceSynchronize();
}
""", seconds=60)
        self.assert_says(answer, KERNEL_IS_WRONG, "just past the end of memory at 0x")


@needs_clang
class OurEnd(CommandTest):
    """What becomes of the program and of the temporary folder when lockstep itself is told to end."""

    def start(self, text, *options, **settings):
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        program = self.file("program.cu", text)
        return temporary, subprocess.Popen([PROGRAM, "exec", program, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}, **settings)

    def test_the_temporary_folder_goes(self):
        forever = "#include <cstdio>\nint main() { for (;;) { puts(\"line\"); fflush(stdout); } }"
        for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
            temporary, process = self.start(forever.replace('puts("line")', 'puts("line"), getchar(), usleep(1000)').replace(
                "#include <cstdio>", "#include <cstdio>\n#include <unistd.h>"))
            process.stdout.readline()
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual((process.returncode, list(temporary.iterdir())), (130, []))
        temporary, process = self.start(forever)
        process.stdout.readline()
        process.stdout.close()
        self.assertIn(b"signal 13", process.stderr.read())
        process.stderr.close()
        self.assertEqual((process.wait(timeout=60), list(temporary.iterdir())), (128 + signal.SIGPIPE, []))

    def test_limits_hold_where_nobody_reads_what_is_printed(self):
        _, process = self.start('#include <cstdio>\nint main() { for (;;) puts("again and again"); }', "--wall-time", "2")
        self.assertEqual(process.wait(timeout=60), TIME_IS_UP)
        process.communicate()

    def test_a_child_with_a_session_of_its_own_ends_too(self):
        _, process = self.start("""#include <cstdio>
#include <unistd.h>
int main() {
    if (fork() == 0) { setsid(); printf("%d\\n", int(getpid())); fflush(stdout); }
    for (;;) pause();
}
""")
        number = int(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(os.path.exists(f"/proc/{number}"))


@needs_clang
class InASandbox(CommandTest):
    """With a bwrap that only passes on what it starts, and its status as bubblewrap does."""

    def run_program(self, text, folder=None):
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        tool = tools / "bwrap"
        tool.write_text(f"""#!/bin/sh
echo "$@" >> {self.folder}/words
while [ "$1" != "--" ]; do shift; done
shift
"$@"
exit $?
""")
        tool.chmod(0o755)
        return lockstep("exec", self.file("program.cu", text), folder=folder or self.folder,
                        environment={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})

    def test_a_status_above_128_is_no_signal(self):
        for status in (255, 200, 139):
            answer = self.run_program(f"int main() {{ return {status}; }}")
            self.assertEqual(answer.status, status)
            self.assertNotIn("crash", answer.err)
            self.assertNotIn("signal", answer.err)
        answer = self.run_program("int main() { volatile int* p = nullptr; *p = 1; }")
        self.assertEqual(answer.status, 139)
        self.assertIn("it used a null pointer", answer.err)

    def test_the_current_folder_is_there_although_tmp_is_another(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as here:
            self.assertEqual(self.run_program("int main() {}", here).status, DONE)
            words = (self.folder / "words").read_text().splitlines()[-1]
            self.assertLess(words.index("--tmpfs /tmp"), words.index(f"--ro-bind {here} {here}"))
            self.assertIn(f"--chdir {here} ", words)


@needs_clang
@unittest.skipUnless(shutil.which("bash"), "a shell with job control")
class OnATerminal(CommandTest):
    """As from a shell with job control: a terminal whose foreground group is lockstep's."""

    def start(self, program, script):
        self.file("program.cu", program)
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.environ["LOCKSTEP"] = str(PROGRAM)
            os.execvp("bash", ["bash", "--norc", "-c", f"set -m; {script}"])
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.kill, process, signal.SIGKILL)
        self.seen = b""

    def expect(self, text):
        until = time.monotonic() + 60
        while text not in self.seen:
            self.assertLess(time.monotonic(), until, self.seen)
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.terminal, 4096)
                except OSError:
                    self.fail(self.seen)

    def test_stop_and_continue(self):
        self.start("""#include <cstdio>
#include <unistd.h>
int main() { puts("ready"); fflush(stdout); for (int i = 0; i < 10; ++i) usleep(100000); puts("finished"); }
""", '"$LOCKSTEP" exec program.cu; echo "stopped $?"; sleep 2; fg; echo "ended $?"')
        self.expect(b"ready")
        os.write(self.terminal, b"\x1a")
        self.expect(b"stopped 148")
        self.assertNotIn(b"finished", self.seen)
        self.expect(b"ended 0")
        self.assertIn(b"finished", self.seen)

    def test_the_keyboard_reaches_it_in_front_of_a_pipe(self):
        self.start("#include <cstdio>\nint main() { puts(\"ready\"); fflush(stdout); int a = 0; scanf(\"%d\", &a); printf(\"got %d\\n\", a + 1); }",
                   '"$LOCKSTEP" exec program.cu | cat; echo "ended $?"')
        self.expect(b"ready")
        os.write(self.terminal, b"41\n")
        self.expect(b"got 42")
        self.expect(b"ended 0")

    def test_a_program_that_ignores_the_interrupt_ends(self):
        self.start("""#include <csignal>
#include <cstdio>
#include <unistd.h>
int main() { signal(SIGINT, SIG_IGN); if (fork() == 0) setsid(); printf("ready %d.\\n", int(getpid())); fflush(stdout); for (;;) pause(); }
""", '"$LOCKSTEP" exec program.cu; echo "ended $?"')
        self.expect(b"ready")
        os.write(self.terminal, b"\x03")
        self.expect(b"ended 130")
        for number in re.findall(rb"ready (\d+)\.", self.seen):
            self.assertFalse(os.path.exists(f"/proc/{int(number)}"))


if __name__ == "__main__":
    unittest.main()
