"""lockstep check: exercises judged by a run. Every exercise is solved by its solution and failed by typical wrong ones, each by the
rule that it breaks; whatever a student hands in ends as a verdict."""

import pathlib
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

from lockstep import DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, USAGE_ERROR, CommandTest, lockstep, needs_nvrtc

EXERCISES = ROOT / "assets" / "exercises"
ANSWERS = ROOT / "tests" / "exercises"
SCALE = "__global__ void scale(const float* in, float* out, int n) {\n%s\n}\n"
RIGHT = SCALE % "    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 512) out[i] = 2 * in[i] + 1;"
# An exercise of a teacher's own: out[i] = in[i].
COPY = """title = "Copy"
task = "Copy in to out."
sizes = [{ n = 64 }, { n = 50 }]
rules = ["correct", "sectors <= 1.1 * least"]
result = { out = "in[i]" }
launches = [{ entry = "copy", grid = ["ceil_div(n, 32)"], block = ["32"], arguments = ["in", "out", "n"] }]
buffers = [{ name = "in", type = "i32", shape = ["n"], initial = "random" }, { name = "out", type = "i32", shape = ["n"], output = true }]
"""
COPY_KERNEL = """__global__ void copy(const int* in, int* out, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) out[i] = in[i];
}
"""


def failing(verdict):
    return {rule["quantity"] for rule in verdict["rules"] if rule["state"] != "holds"}


@needs_nvrtc
class Answers(CommandTest):
    def test_a_solution_passes_and_each_wrong_one_fails_by_the_rule_that_it_breaks(self):
        names = sorted(path.name for path in EXERCISES.iterdir())
        self.assertEqual(names, sorted(path.name for path in ANSWERS.iterdir()))
        for name in names:
            files = sorted((ANSWERS / name).glob("*.cu"))
            wrong = [file for file in files if file.name.startswith("wrong_")]
            self.assertGreaterEqual(len(wrong), 3, name)
            right = [file for file in files if file.name.startswith("solution")]  # the reference, and other ways to solve it
            self.assertIn(ANSWERS / name / "solution.cu", right)
            self.assertEqual(len(wrong) + len(right), len(files), name)
            graded = self.succeeds("check", name, *files, "--json", "-", status=KERNEL_IS_WRONG).json
            self.assertEqual((graded["exercise"], graded["passed"], graded["failed"]), (name, len(right), len(wrong)), graded)
            for verdict in graded["files"]:
                with self.subTest(verdict["file"]):
                    head = re.match(r"// fails: (.*)\n", pathlib.Path(verdict["file"]).read_text())
                    expected = set(head.group(1).split(", ")) if head else set()
                    self.assertEqual(failing(verdict), expected, verdict)
                    self.assertEqual(verdict["passed"], not head)
                    for rule in verdict["rules"]:
                        self.assertEqual(rule["sentence"] is not None, rule["state"] == "fails", rule)

    def test_no_exercise_is_solved_by_the_kernel_to_begin_with(self):
        for path in sorted(EXERCISES.iterdir()):
            with self.subTest(path.name):
                verdict, = self.succeeds("check", path.name, path / "start.cu", "--json", "-", status=KERNEL_IS_WRONG).json["files"]
                self.assertNotIn("compiles", failing(verdict))
                self.assertNotIn("ends", failing(verdict))


@needs_nvrtc
class Verdicts(CommandTest):
    def verdict(self, text, *options, status=KERNEL_IS_WRONG):
        file = self.file("student.cu", text)
        answer = self.succeeds("check", "coalesced-scale", file, "--json", "-", *options, status=status)
        return answer.json["files"][0]

    def fails(self, text, quantity, *saying, options=()):
        verdict = self.verdict(text, *options)
        self.assertEqual(verdict["missing"], quantity, verdict)
        rule = next(rule for rule in verdict["rules"] if rule["quantity"] == quantity)
        self.assertEqual(rule["state"], "fails")
        for part in saying:
            self.assertIn(part, rule["sentence"])
        return rule

    def test_what_does_not_compile(self):
        rule = self.fails(SCALE % "    out[0] = nothing;", "compiles", "line 2: ", "nothing")
        self.assertEqual(rule["line"], 2)
        self.fails("", "compiles", "has no kernel")
        self.fails("__global__ void other() {}\n", "compiles", "has no kernel 'scale'; it has other")
        self.fails("__global__ void scale(float* out) {}\n", "compiles", "the kernel scale has 1 parameter, but it is launched with 3")
        self.fails("__global__ void scale(const float* in, float* out, long long n) {}\n", "compiles", "parameter n is long long; the exercise passes int")
        self.fails("__global__ void scale(const double* in, float* out, int n) {}\n", "compiles", "parameter in is const double*; the exercise passes const float*")
        self.fails("struct P { int x, y; };\n__global__ void scale(const float* in, P* out, int n) {}\n", "compiles", "parameter out is P*")
        self.fails("template <class T> __device__ T f(T v) { return v; }\n__global__ void scale(const unsigned* in, float* out, int n) {}\n", "compiles", "parameter in")
        verdict = self.verdict("__global__ void other() {}\n")
        self.assertEqual({rule["state"] for rule in verdict["rules"][1:]}, {"not_judged"})

    def test_a_header_that_is_not_there_is_told(self):
        rule = self.verdict('#include "lost.h"\n' + RIGHT, status=DONE)["rules"][0]
        self.assertEqual((rule["quantity"], rule["state"], rule["line"]), ("compiles", "holds", 1))
        self.assertIn("'lost.h' was not found and is skipped", rule["sentence"])

    def test_what_does_not_end(self):
        started = time.monotonic()
        rule = self.fails(SCALE % "    while (n) out[threadIdx.x] += in[threadIdx.x];", "ends", "does not end within 1 s", options=("--time-limit", "1"))
        self.assertEqual(rule["size"], "n=4096")
        self.assertLess(time.monotonic() - started, 20)
        self.fails(SCALE % "    volatile float* flag = out;\n    while (*flag != 77) {}", "ends", options=("--time-limit", "1"))
        self.fails(SCALE % "    __trap();", "ends", "line 2: ")
        endless = "__device__ float next(float v) { return v * v; }\n" + SCALE % "    while (n) {\n        out[0] = next(out[0]);\n    }"
        rule = self.fails(endless, "ends", options=("--time-limit", "1"))
        self.assertIn(rule["line"], (3, 4), "of the loop, not of what it calls")

    def test_what_floods_or_faults(self):
        printing = "#include <cstdio>\n" + SCALE % '    for (int k = 0; k < 100; ++k) printf("thread %d of many prints this line\\n", threadIdx.x);'
        self.fails(printing, "ends", "prints more than 64 KiB")
        self.fails("#include <cassert>\n" + SCALE % "    assert(threadIdx.x > 9000);", "ends", "line 3: ", "assert(threadIdx.x > 9000)")
        rule = self.fails(SCALE % "    for (int k = 0; k < 1000; ++k) out[n + 1000 * k + threadIdx.x] = in[0];", "correct", "line 2: ")
        self.assertEqual(rule["line"], 2)
        self.fails(SCALE % "    *(float*)threadIdx.x = 1;", "correct", "line 2: ")
        self.fails(SCALE % "", "correct", "elements are wrong, first out[")

    def test_a_barrier_in_each_branch_is_not_one_barrier(self):
        apart = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (threadIdx.x < 64)\n        __syncthreads();\n    else\n        __syncthreads();\n"
        right = "    for (; i < n; i += 512) out[i] = 2 * in[i] + 1;"
        self.fails(SCALE % (apart + right), "correct", "line 4: Thread 0 of block 0 waits at __syncthreads(), but thread 64 of the same block waits at another one (line 6).")

    def test_host_code_is_never_executed(self):
        mark = self.folder / "mark"
        host = '#include <cstdio>\nstruct Mark { Mark() { fclose(fopen("%s", "w")); } } mark;\n' % mark
        main = 'int main() { fclose(fopen("%s", "w")); while (true) {} }\n' % mark
        self.assertTrue(self.verdict(RIGHT + main, status=DONE)["passed"])
        self.verdict(host + RIGHT + main, status=lockstep("check", "coalesced-scale", self.folder / "student.cu").status)
        self.assertFalse(mark.exists())

    def test_a_seed_repeats_the_data_and_without_one_they_are_new(self):
        file = self.file("zero.cu", SCALE % "    out[threadIdx.x] = 0;")
        def first(*options):
            graded = self.succeeds("check", "coalesced-scale", file, "--json", "-", *options, status=KERNEL_IS_WRONG).json
            return graded["seed"], graded["files"][0]["rules"][2]["sentence"]
        self.assertEqual(first("--seed", "7"), first("--seed", "7"))
        self.assertNotEqual(first("--seed", "7"), first("--seed", "8"))
        self.assertNotEqual(first(), first())


@needs_nvrtc
class Grading(CommandTest):
    def test_many_files_are_a_table_and_one_that_is_missing_does_not_stop_the_rest(self):
        right, wrong = self.file("anna.cu", RIGHT), self.file("ben.cu", SCALE % "    out[0] = in[0];")
        answer = self.succeeds("check", "coalesced-scale", right, wrong, self.folder / "none.cu", status=KERNEL_IS_WRONG)
        self.assertRegex(answer.out, r"anna\.cu +6/6  passed")
        self.assertRegex(answer.out, r"ben\.cu +\d/6  correct: .*elements are wrong, first out\[.*\(n=4096\)")
        self.assertRegex(answer.out, r"none\.cu +0/6  compiles: ")
        self.assertIn("1 of 3 files passed", answer.out)
        self.assertIn("holds  sectors <= 1.1 * least", self.succeeds("check", "coalesced-scale", right).out)

    def test_junit_has_a_suite_for_each_file_and_a_case_for_each_rule(self):
        files = [self.file("a.cu", RIGHT), self.file("b&<.cu", SCALE % "    out[0] = \"x\" < 1;"), self.file("c.cu", SCALE % "    out[0] = in[0];")]
        out = self.folder / "grades.xml"
        self.succeeds("check", "coalesced-scale", *files, "--junit", out, status=KERNEL_IS_WRONG)
        suites = xml.parse(out).getroot()
        self.assertEqual(suites.get("tests"), "18")
        passed, broken, wrong = suites
        self.assertEqual((passed.get("name"), passed.get("failures"), passed.get("skipped")), (str(files[0]), "0", "0"))
        self.assertEqual((broken.get("name"), broken.get("failures"), broken.get("skipped")), (str(files[1]), "1", "5"))
        case = next(case for case in wrong if case.get("name") == "correct")
        self.assertEqual(case.find("failure").get("type"), "correct")
        self.assertIn("are wrong", case.find("failure").get("message"))
        self.assertEqual(int(suites.get("failures")), 1 + int(wrong.get("failures")))

    def test_a_new_exercise_is_failed_by_its_kernel_to_begin_with_and_can_be_solved(self):
        own = self.folder / "mine"
        self.assertIn("start.cu", self.succeeds("check", "--new", own).out)
        self.refuses("check", "--new", own, saying="is there already")
        self.refuses("check", "--new", saying="give the folder")
        start = own / "start.cu"
        self.assertEqual(lockstep("check", own, start).status, KERNEL_IS_WRONG)
        solution = start.read_text().replace("    out[i] = in[i];", "    if (i < n) out[i] = in[i] + in[n - 1 - i];")
        start.write_text(solution)
        self.assertEqual(lockstep("check", own, start).status, DONE)

    def test_an_exercise_of_a_teachers_own_folder_opens_like_ours(self):
        own = self.folder / "own" / "copy"
        own.mkdir(parents=True)
        (own / "exercise.toml").write_text(COPY)
        (own / "start.cu").write_text(COPY_KERNEL)
        student = self.file("student.cu", COPY_KERNEL)
        for word in (own, f"{own}/"):
            self.assertEqual(self.succeeds("check", word, student, "--json", "-").json["exercise"], "copy")
        self.assertEqual(self.succeeds("check", own, "--start").out, COPY_KERNEL)
        self.assertIn("copy  Copy", self.succeeds("check", own.parent, "--list").out)
        broken = own.parent / "broken"
        broken.mkdir()
        (broken / "exercise.toml").write_text(COPY.replace("ceil_div(n, 32)", "ceil_div(m, 32)"))
        (broken / "start.cu").write_text("\n")
        listed = lockstep("check", own.parent, "--list")
        self.assertEqual(listed.status, USAGE_ERROR)
        self.assertIn("copy  Copy", listed.out)
        self.assertIn("broken/exercise.toml:6: 'm' is no parameter", listed.err)
        self.refuses("check", broken, student, saying="broken/exercise.toml:6: 'm' is no parameter")
        (broken / "exercise.toml").write_text(COPY.replace("1.1 * least", "n / (n - 50)"))
        self.refuses("check", broken, student, saying=["exercise.toml", "at n=50", "division by zero"])
        (broken / "exercise.toml").write_text(COPY.replace('"in[i]"', '"in[i + 30]"'))
        self.refuses("check", broken, student, saying=["exercise.toml:5: ", "at n=64", "cannot be computed"])
        (broken / "exercise.toml").write_text(COPY)
        for start, saying in (("\n", "does not fit the kernel to begin with, start.cu: this file has no kernel"),
                              (COPY_KERNEL.replace(";", "", 1), "does not fit the kernel to begin with, start.cu: ")):
            (broken / "start.cu").write_text(start)
            listed = lockstep("check", own.parent, "--list")
            self.assertEqual(listed.status, USAGE_ERROR)
            self.assertIn(saying, listed.err)

    def test_a_file_is_judged_again_at_every_save(self):
        file = self.file("student.cu", SCALE % "    out[0] = in[0];")
        child = subprocess.Popen([PROGRAM, "check", "coalesced-scale", file, "--watch"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)  # else a failure here waits for it for ever
        self.addCleanup(child.stdout.close)
        def verdict():
            for line in child.stdout:
                if line.startswith(f"{file}: "):
                    return line[len(str(file)) + 2:].strip()
        self.assertRegex(verdict(), r"\d of 6 rules hold")
        time.sleep(0.1)
        file.write_text(RIGHT)
        self.assertEqual(verdict(), "passed")
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=60), DONE)


class Commands(CommandTest):
    def test_exercises_tasks_rules_and_kernels_to_begin_with(self):
        listed = self.succeeds("check", "--list", "--json", "-").json
        self.assertEqual(listed["mistakes"], [])
        self.assertEqual(len(listed["exercises"]), 16)
        for exercise in listed["exercises"]:
            self.assertIn(exercise["name"], self.succeeds("check", "--list").out)
            self.assertTrue(exercise["title"]["zh-CN"] and exercise["task"]["zh-CN"])
            self.assertGreaterEqual(len(exercise["sizes"]), 3)
        task = self.succeeds("check", "transpose").out
        for part in ("out[column][row] = in[row][column]", "bank_conflicts = 0", "rows=41"):
            self.assertIn(part, task)
        self.assertIn("存储体冲突", self.succeeds("check", "transpose", "--lang", "zh-CN").out)
        out = self.folder / "my.cu"
        self.succeeds("check", "transpose", "--start", out)
        self.assertEqual(out.read_text(), (EXERCISES / "transpose" / "start.cu").read_text())
        self.refuses("check", "transpose", "--start", out, saying="is there already")
        rules = self.succeeds("check", "--rules").out
        for name in ("compiles", "correct", "barriers_per_thread", "local_memory"):
            self.assertIn(f"\n  {name} " if name != "compiles" else f"  {name} ", rules)

    def test_the_page_has_the_quantities_of_the_program(self):
        page = (ROOT / "docs" / "guide" / "exercises.md").read_text(encoding="utf-8")
        rows = [line.split(maxsplit=1) for line in self.succeeds("check", "--rules").out.splitlines()]
        self.assertEqual(page.split("| quantity | what |\n|---|---|\n")[1], "".join(f"| `{name}` | {what} |\n" for name, what in rows))

    def test_what_cannot_be_done(self):
        student = self.file("student.cu", RIGHT)
        self.refuses("check", saying="say which exercise")
        self.refuses("check", "transpoes", student, saying=["no exercise 'transpoes'", "did you mean 'transpose'?"])
        self.refuses("check", "no/such", student, saying="exercise.toml")
        self.refuses("check", "transpose", student, "--json", "-", "--junit", "-", saying="cannot both")
        self.refuses("check", "transpose", student, student, "--watch", saying="--watch takes one file")
        self.refuses("check", "transpose", student, "--time-limit", "0", saying="--time-limit")
        self.refuses("check", "transpose", student, "--junit", self.folder / "no" / "x.xml", saying="x.xml")


if __name__ == "__main__":
    unittest.main()
