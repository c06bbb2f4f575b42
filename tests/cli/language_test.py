"""The command line speaks the user's language: Chinese where the environment says so, else English. JSON is English."""

import re
import unicodedata
import unittest

from lockstep import CommandTest, lockstep

COMMANDS = ("window", "list", "run", "access", "show", "shot", "compare", "sweep", "record", "doctor", "validate", "check", "completion")
TILED = "matmul/tiled"
CHINESE = {"LANG": "zh_CN.UTF-8"}
IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
# Two words of English beside each other, each in small letters: "the step". Options, commands and what is written
# in capitals are the same in every language.
SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b")


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def english_in(text):
    text = re.sub(r"lockstep \w+|--[\w-]+|^  [a-z]+ ", "", text, flags=re.M)  # names of commands, options and arguments
    return SENTENCE.findall(text)


def cells(line):
    """Where each cell ends, and the cell; cells are apart by two blanks at least."""
    return [(columns(line[:match.end()]), match.group()) for match in re.finditer(r"\S+(?: \S+)*", line)]


class Help(CommandTest):
    def helps(self, **options):
        for words in (["--help"], *([command, "--help"] for command in COMMANDS)):
            with self.subTest(words[0]):
                yield self.succeeds(*words, **options).out

    def test_in_chinese_no_english_sentence_is_left(self):
        for text in self.helps(environment=CHINESE):
            told, _, _ = text.partition("示例：")  # below it, a command
            self.assertEqual(english_in(told), [], text)
            self.assertNotRegex(told, r"(?m)[\u4e00-\u9fff]:( |$)", "full-width colons")
            self.assertNotRegex(told, r"Usage|Options|Arguments|Commands|\brequired\b|not with")
            for option in re.findall(r"\n  (?:-\w,)?--?[\w-]+.*(?:\n {30}.*)*", told):
                self.assertRegex(option, IDEOGRAPH)

    def test_in_english_no_ideograph_is_there(self):
        for text in self.helps():
            self.assertNotRegex(text, IDEOGRAPH)

    def test_lines_end_before_the_hundredth_column(self):
        for text in self.helps(environment=CHINESE):
            for line in text.splitlines():
                self.assertLessEqual(columns(line), 100, line)

    def test_descriptions_begin_in_one_column(self):
        text = self.succeeds("run", "--help", environment=CHINESE).out
        for line in text.splitlines():
            if line.startswith("  -") and IDEOGRAPH.search(line):
                below = line[:0]
                for at, character in enumerate(line):
                    if columns(line[:at]) == 30:
                        below = line[:at]
                        break
                self.assertTrue(columns(line) <= 30 or below.endswith("  "), line)


class Choice(CommandTest):
    def is_chinese(self, *words, **environment):
        return bool(IDEOGRAPH.search(lockstep(*words, environment=environment).out))

    def test_the_first_variable_that_says_something_decides(self):
        self.assertFalse(self.is_chinese("--help"))
        self.assertTrue(self.is_chinese("--help", LANG="zh_CN.UTF-8"))
        self.assertTrue(self.is_chinese("--help", LANG="C", LC_MESSAGES="zh_CN.UTF-8"))
        self.assertFalse(self.is_chinese("--help", LANG="zh_CN.UTF-8", LC_ALL="C"))
        self.assertTrue(self.is_chinese("--help", LC_ALL="C", LOCKSTEP_LANG="zh-CN"))
        self.assertFalse(self.is_chinese("--help", LANG="de_DE.UTF-8"))

    def test_the_option_of_a_command_goes_first(self):
        self.assertTrue(self.is_chinese("show", "--lang", "zh-CN", "--help"))
        self.assertFalse(self.is_chinese("show", "--lang=en", "--help", LANG="zh_CN.UTF-8"))


class Printed(CommandTest):
    def both(self, *words, status=0):
        return (self.succeeds(*words, status=status).out, self.succeeds(*words, status=status, environment=CHINESE).out)

    def test_a_run_is_told_in_chinese(self):
        out = self.succeeds("run", TILED, environment=CHINESE).out
        told = "\n".join(line for line in out.splitlines()[1:])
        self.assertEqual(english_in(told), [], out)
        for label in ("启动", "结果", "模拟", "所用规则", "占用率"):
            line = next(line for line in out.splitlines() if line.startswith(label + " "))
            self.assertEqual(columns(line) - columns(line[len(label):].lstrip()), 12, line)

    def test_findings_are_told_in_chinese(self):
        out = self.succeeds("run", "matmul/missing-second-barrier", status=1, environment=CHINESE).out
        self.assertIn("错误：", out)
        self.assertEqual(english_in(out.split("\n", 1)[1]), [], out)

    def test_the_accesses_of_a_run_stand_below_their_names(self):
        for out in self.both("run", TILED):
            table = out.split("\n\n")[-1] if "ld.shared" in out.split("\n\n")[-1] else next(p for p in out.split("\n\n") if "ld.shared" in p)
            head, *rows = table.splitlines()
            rows = [row for row in rows if re.match(r" *\d+  \w+\.", row)]
            self.assertGreater(len(rows), 3)
            ends = [end for end, _ in cells(head)]
            for row in rows:
                for end, cell in cells(row):
                    if re.fullmatch(r"[\d,]+", cell):
                        self.assertIn(end, ends, f"{head}\n{row}")

    def test_the_figures_of_a_comparison_stand_in_columns(self):
        for out in self.both("compare", "matmul/naive", TILED, "--set", "width=32"):
            rows = out.split("\n\n")[0].splitlines()
            self.assertGreater(len(rows), 8)
            ends = [tuple(end for end, _ in cells(row)[-2:]) for row in rows]
            self.assertEqual(len(set(ends)), 1, out)

    def test_a_comparison_is_told_in_chinese(self):
        out = self.succeeds("compare", "matmul/naive", TILED, "--set", "width=32", environment=CHINESE).out
        self.assertEqual(english_in(out), [], out)
        same = self.succeeds("compare", TILED, TILED, environment=CHINESE).out
        self.assertIn("所有数值都相同。", same)

    def test_an_access_and_the_doctor_are_told_in_chinese(self):
        for words in (["access", "--preset", "column", "--profile", "all"], ["doctor"]):
            out = self.succeeds(*words, environment=CHINESE).out
            ours = re.sub(r"（X11: .*?）", "", out)  # a library's own words
            self.assertEqual(english_in(ours), [], out)
        begins = {columns(line) - columns(line[2:].lstrip().split(None, 1)[1]) for line in out.splitlines()}
        self.assertEqual(begins, {11}, out)

    def test_the_list_is_told_in_chinese(self):
        for words in (["list"], ["list", TILED]):
            for line in self.succeeds(*words, environment=CHINESE).out.splitlines():
                if line.startswith("  ") and "/" in line and "NVIDIA" not in line:
                    self.assertRegex(line, IDEOGRAPH)

    def test_a_mistake_is_one_sentence_in_chinese(self):
        for words in (["run", TILED, "--threads", "banana"], ["run", TILED, "--backend", "cuda"], ["run", TILED, "--sett", "4"],
                      ["run", "--view", "x"], ["run", TILED, "other"], ["doctor", "x"], ["compre"], ["run", TILED, "--limit", "nan"],
                      ["run", TILED, "--grid", "1", "--grid", "2"], ["run", TILED, "--json"], ["access", "--swizzle=abc"],
                      ["show", TILED], ["compare", TILED], ["run", "matmul/tield"]):
            with self.subTest(words):
                answer = self.refuses(*words, saying="lockstep: ", environment=CHINESE)
                self.assertRegex(answer.err, IDEOGRAPH)
                self.assertEqual(english_in(answer.err.removeprefix("lockstep: ")), [], answer)

    def test_json_is_the_same_in_every_language(self):
        for words in (["list"], ["doctor"], ["access", "--preset", "column"], ["compare", TILED, "matmul/naive"]):
            with self.subTest(words):
                here, there = self.both(*words, "--json", "-")
                timeless = [re.sub(r'"(\w*seconds\w*|peak_bytes)": [-\d.e]+', r'"\1": 0', text) for text in (here, there)]
                self.assertEqual(*timeless)


if __name__ == "__main__":
    unittest.main()
