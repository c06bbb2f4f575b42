"""lockstep validate: the sentence where there is no GPU; with one, that emulator, model and GPU agree."""

import shutil
import unittest

from lockstep import DONE, USAGE_ERROR, CommandTest, lockstep

HAS_GPU = shutil.which("nvidia-smi") is not None


class Validate(CommandTest):
    @unittest.skipIf(HAS_GPU, "this machine has a GPU")
    def test_without_a_gpu_it_says_so_in_one_sentence(self):
        answer = lockstep("validate", "matmul/tiled")
        self.assertEqual(answer.status, USAGE_ERROR, answer)
        self.assertEqual(answer.out, "", answer)
        self.assertRegex(answer.err, r"^lockstep: [^\n]*(driver|GPU)[^\n]*\n$", answer)

    @unittest.skipUnless(HAS_GPU, "needs a GPU")
    def test_traces_of_kernels_are_the_emulators(self):
        answer = lockstep("validate", "coalescing/stride", "reduction/v6", "scan/blelloch", "transpose/shared-padded", "--json", "-")
        self.assertEqual(answer.status, DONE, answer)
        self.assertEqual(answer.json["differ"], 0, answer)
        for kernel in answer.json["kernels"]:
            with self.subTest(kernel["kernel"]):
                self.assertGreater(kernel["trace"]["steps"], 100)
                for difference in ("paths", "addresses", "values", "groups", "regrouped"):
                    self.assertEqual(kernel["trace"][difference], 0)
                self.assertGreater(len(kernel["counters"]), 3)


if __name__ == "__main__":
    unittest.main()
