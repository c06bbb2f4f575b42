"""The host code that stands beside kernels is C++ that fits them: the compiler takes it, with the kernel's file before it."""

import os
import pathlib
import re
import subprocess
import tempfile
import tomllib
import unittest

HERE = pathlib.Path(__file__).parent
KERNELS = HERE.parent.parent / "kernels"
LAUNCH = re.compile(r"(\w+(?:<[\w ,]+>)?)<<<(.+?)>>>\(", re.S)


def host_codes():
    for family in sorted(KERNELS.glob("*/family.toml")):
        for variant in tomllib.loads(family.read_text(encoding="utf-8"))["variants"]:
            host = family.parent / variant["file"].replace(".cu", "_host.cu")
            if host.exists():
                yield family.parent, variant, host.read_text()


def checked(source):
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write(source)
        file.flush()
        words = [os.environ.get("CXX", "c++"), "-std=c++17", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-Wno-uninitialized", "-include", HERE / "cuda_stubs.h"]
        return subprocess.run([*map(str, words), file.name], capture_output=True, text=True)


class HostCode(unittest.TestCase):
    def test_compiles_with_its_kernel(self):
        found = list(host_codes())
        self.assertEqual(len(found), len(list(KERNELS.glob("*/*_host.cu"))), "each stands beside a kernel")
        for folder, variant, code in found:
            with self.subTest(kernel=f"{folder.name}/{variant['name']}"):
                host, launches = LAUNCH.subn(r"configured(\1, \2)(", code)
                self.assertGreater(launches, 0)
                entry = variant["launches"][0]["entry"].split("<")[0]
                self.assertIn(entry, code, "it launches the kernel beside which it stands")
                answer = checked((folder / variant["file"]).read_text() + host)
                self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_a_wrong_argument_is_told(self):
        kernel = (KERNELS / "matmul/naive.cu").read_text()
        self.assertNotEqual(checked(kernel + "void f(float* M) { configured(mm_naive, 1, 1)(M, M, M); }").returncode, 0)


if __name__ == "__main__":
    unittest.main()
