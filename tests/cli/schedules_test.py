"""Other orders of a kernel's threads: one that changes the result is found, described and can be repeated."""

import unittest
import xml.etree.ElementTree

from lockstep import DONE, KERNEL_IS_WRONG, ROOT, CommandTest, lockstep, needs_nvrtc

RACES = ROOT / "tests" / "races"
# Our versions of racy kernels that others have published, with their launches; the last one's race cannot
# change its result.
PUBLISHED = {
    "block_sum": ["--grid", "1", "--block", "128", "--arg", "i32[128]=iota", "--arg", "i32[1]=zero"],
    "warp_sum": ["--grid", "1", "--block", "64", "--arg", "i32[64]=iota", "--arg", "i32[2]=zero"],
    "stencil_1d": ["--grid", "2", "--block", "64", "--arg", "i32[134]=iota", "--arg", "i32[128]=zero"],
    "reverse": ["--grid", "1", "--block", "64", "--arg", "i32[64]=iota"],
    "scan_in_place": ["--grid", "1", "--block", "128", "--arg", "i32[128]=iota", "--arg", "i32[128]=zero"],
    "unrolled_last_warp": ["--grid", "1", "--block", "64", "--arg", "i32[64]=iota", "--arg", "i32[1]=zero"],
    "histogram_plain": ["--grid", "2", "--block", "64", "--arg", "u8[128]=iota", "--arg", "u32[4]=zero"],
    "check_then_act": ["--grid", "2", "--block", "64", "--arg", "i32[128]=iota", "--arg", "i32[1]=zero"],
    "shared_tile_picture": ["--grid", "2", "--block", "8,8", "--arg", "i32[128]=zero"],
    "relax_edges": ["--grid", "1", "--block", "128", "--arg", "i32[128]=iota", "--arg", "i32[4]=const:1000"],
    "last_barrier_missing": ["--grid", "1", "--block", "128", "--arg", "i32[128]=iota", "--arg", "i32[1]=zero"],
}
CANNOT_CHANGE = {"same_value": ["--grid", "2", "--block", "64", "--arg", "i32[128]=iota", "--arg", "i32[1]=zero"]}
# What the first other result is put down to: the accesses whose order is exchanged, not what follows from it.
CAUSES = {
    "work_queue": (["--grid", "2", "--block", "64", "--arg", "i32[640]=iota", "--arg", "i32[10]=zero", "--arg", "i32:10"],
                   "reads item (line 9) before thread 0 of the same block writes it (line 7)."),
    "counted_too_early": (["--grid", "3", "--block", "32", "--arg", "i32[96]=iota", "--arg", "i32[3]=zero", "--arg", "i32[1]=zero"],
                          "reads sums[0] (line 15) before thread 0 of block 0 writes it (line 10)"),
    "look_once": (["--grid", "2", "--block", "32", "--arg", "i32[1]=zero", "--arg", "i32[1]=zero", "--arg", "i32[2]=zero"],
                  "updates ready[0] (line 10) before thread 0 of block 0 updates it (line 8): 0 instead of 1."),
    "first_come": (["--grid", "2", "--block", "32", "--arg", "i32[4]=zero"],
                   "updates seats[0] (line 3) before thread 0 of block 0 (line 3), which was the first one in the recorded order."),
    "append": (["--grid", "2", "--block", "64", "--arg", "i32[128]=iota", "--arg", "i32[128]=zero", "--arg", "i32[1]=zero"],
               "updates count[0] (line 5) before thread "),
    "those_here": (["--grid", "1", "--block", "32", "--arg", "i32[64]=iota", "--arg", "i32[1]=zero"],
                   "Which lanes __activemask() counts at line 6 depends on the order."),
    "turns_of_two": (["--grid", "1", "--block", "64", "--arg", "i32[64]=iota", "--arg", "i32[64]=zero"],
                     "reads buffer[0][31] (line 9) before thread 31 of the same block writes it (line 10)"),
    "ticket_tile": (["--grid", "4", "--block", "64", "--arg", "u32[1]=zero", "--arg", "i32[256]=iota", "--arg", "i32[256]=zero"],
                    "reads tile[0] (line 10) before thread 0 of the same block writes it (line 9)."),
    "counts_before_bases": (["--grid", "1", "--block", "128", "--arg", "u32[128]=random", "--arg", "u32[128]=zero"],
                            "reads counts[0] (line 11) before thread "),
    "mailbox_ring": (["--grid", "1", "--block", "64", "--arg", "i32[24]=iota", "--arg", "i32[24]=zero", "--arg", "i32:24"],
                     "(line 16) before thread 0 of the same block writes it (line 11)"),
    "next_row": (["--grid", "2", "--block", "96", "--arg", "f32[960]=iota", "--arg", "f32[960]=zero", "--arg", "i32[1]=zero", "--arg", "i32:10"],
                 "reads row (line "),
    "sum_of_sums": (["--grid", "3", "--block", "96", "--arg", "i32[288]=iota", "--arg", "i32[1]=zero", "--arg", "i32:288"],
                    "reads mine (line 8) "),
    "start_of_all": (["--grid", "1", "--block", "64", "--arg", "i32[64]=random", "--arg", "i32[64]=zero"],
                     "writes least (line 4) "),
    "partials_too_late": (["--grid", "4", "--block", "32", "--arg", "i32[128]=iota", "--arg", "i32[4]=zero", "--arg", "i32[1]=zero"],
                          "(line 17) before thread 0 of block "),
    "best_of_block": (["--grid", "1", "--block", "64", "--arg", "i32[64]=permutation", "--arg", "i32[2]=zero"],
                      "reads best.value (line 11) before thread 31 of the same block writes it (line 12): -1 instead of "),
}
# The flag is set before the data are there.
WAITS = """__global__ void wait(volatile int* flag, volatile int* data, int* out)
{
    if (blockIdx.x == 0) { flag[0] = 1; __threadfence(); data[0] = 42; }
    else { while (flag[0] == 0) {} out[0] = data[0]; }
}
"""
SECONDS = 5  # until the first bad order, on two cores

# Two warps exchange words with no barrier between.
PTX = """.version 8.3
.target sm_90
.address_size 64
.visible .entry exchange(.param .u64 out)
{{
    .reg .b32 %r<8>; .reg .b64 %d<4>;
    .shared .align 4 .b8 words[256];
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, words;
    shl.b32 %r3, %r1, 2;
    add.u32 %r4, %r2, %r3;
    add.u32 %r5, %r1, 100;
    st.shared.u32 [%r4], %r5;
    {0}
    xor.b32 %r6, %r3, {1};
    add.u32 %r6, %r2, %r6;
    ld.shared.u32 %r7, [%r6];
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r7;
    ret;
}}
"""
BETWEEN_WARPS, WITHIN_A_WARP = 128, 4
LAUNCH = ["--grid", "1", "--block", "64", "--arg", "u32[64]=zero"]


class SchedulesTest(CommandTest):
    def schedules(self, *words, status=None):
        answer = lockstep("run", *words, "--json", "-")
        if status is not None:
            self.assertEqual(answer.status, status, answer)
        return answer.json["schedules"]

    def exchange(self, between="", distance=BETWEEN_WARPS):
        return self.file("exchange.ptx", PTX.format(between, distance))

    def test_without_the_option_there_is_no_key(self):
        self.assertNotIn("schedules", lockstep("run", self.exchange(), *LAUNCH, "--json", "-").json)

    def test_a_missing_barrier_has_an_order_that_changes_the_result(self):
        found = self.schedules(self.exchange(), *LAUNCH, "--schedules", "200", status=KERNEL_IS_WRONG)
        self.assertEqual((found["wanted"], found["tried"], found["stopped"]), (200, 200, None))
        self.assertTrue(found["has_race"])
        self.assertEqual(sum(result["count"] for result in found["results"]), 200)
        self.assertEqual(found["changed"], sum(result["count"] for result in found["results"] if result["changed"]))
        self.assertGreater(found["changed"], 0)
        self.assertFalse(found["results"][0]["changed"])
        self.assertIsNone(found["results"][0]["correct"])
        self.assertEqual(len({result["hash"] for result in found["results"]}), len(found["results"]))
        self.assertEqual(len(found["notes"]), 2)

    def test_the_sentence_holds_for_both_runs(self):
        bad = self.schedules(self.exchange(), *LAUNCH, "--schedules", "200")["bad"]
        parting = bad["parting"]
        recorded, changed, other = parting["recorded"], parting["changed"], parting["other"]
        self.assertEqual(recorded["thread"], changed["thread"])
        self.assertEqual(recorded["address"], changed["address"])
        self.assertNotEqual(recorded["value"], changed["value"])
        self.assertEqual(changed["op"], "load")
        self.assertEqual(other["op"], "store")
        self.assertEqual(other["address"], changed["address"])
        # A word is 100 + the number of the thread that stores it, and 0 before.
        self.assertEqual({recorded["value"], changed["value"]}, {"0", str(100 + other["thread"][0])})
        self.assertEqual(other["thread"][0] ^ 32, changed["thread"][0])
        before = "before" if parting["kind"] == "reads_before" else "after"
        self.assertIn(f"Thread {changed['thread'][0]} of block 0 reads ", bad["message"])
        self.assertIn(f" {before} thread {other['thread'][0]} of the same block writes it ", bad["message"])
        self.assertIn(f"{changed['value']} instead of {recorded['value']}.", bad["message"])
        for run, access in (("recorded_run", recorded), ("changed_run", changed)):
            window = bad[run]
            shown = window["accesses"][window["parts_at"] - window["first"]]
            self.assertEqual((shown["pc"], shown["warp"], shown["op"]), (access["pc"], access["warp"], "load"))
            lane = shown["lanes"].index(access["lane"])
            self.assertEqual(shown["values"][lane], access["value"])
            self.assertEqual(shown["addresses"][lane], access["address"])

    def test_the_same_seed_gives_the_same_orders(self):
        def told(*more):
            found = self.schedules(self.exchange(), *LAUNCH, "--schedules", "300", *more)
            del found["seconds"], found["bad"]["seconds"]
            return found
        first = told()
        self.assertEqual(first, told())
        self.assertEqual(first, told("--threads", "1"))
        self.assertEqual(first["results"][0]["hash"], told("--seed", "7")["results"][0]["hash"])

    def test_a_barrier_leaves_one_result(self):
        for between, distance in (("bar.sync 0;", BETWEEN_WARPS), ("bar.warp.sync 0xffffffff;", WITHIN_A_WARP)):
            found = self.schedules(self.exchange(between, distance), *LAUNCH, "--schedules", "200", status=DONE)
            self.assertEqual(len(found["results"]), 1)
            self.assertIsNone(found["bad"])
            self.assertFalse(found["has_race"])

    def test_lanes_part_from_compute_capability_7_on(self):
        kernel = self.exchange("", WITHIN_A_WARP)
        self.assertGreater(self.schedules(kernel, *LAUNCH, "--schedules", "100")["changed"], 0)
        old = self.schedules(kernel, *LAUNCH, "--schedules", "100", "--profile", "cc61")
        self.assertFalse(old["lanes_part"])
        self.assertEqual(old["changed"], 0)

    def test_text_says_what_was_found_and_what_it_does_not_prove(self):
        said = lockstep("run", self.exchange(), *LAUNCH, "--schedules", "1000").out
        for part in ["1,000 orders:", "differ from the recorded run", "The first order that changes the result is order",
                     "instead of", "weak memory", "prove nothing"]:
            self.assertIn(part, said)
        # Each result is told by the first element that differs, the most frequent ones first.
        found = self.schedules(self.exchange(), *LAUNCH, "--schedules", "1000")["results"][1:]
        for result in found:
            self.assertGreater(result["changed_elements"], 0)
            self.assertNotEqual(result["first_changed"]["value"], result["first_changed"]["recorded"])
        most = max(found, key=lambda result: result["count"])
        listed = [line for line in said.splitlines() if "another result" in line]
        self.assertTrue(listed[0].strip().startswith(f"{most['count']} order"))
        first = most["first_changed"]
        self.assertTrue(any(f"{first['element']} is {first['value']}, not {first['recorded']}" in line for line in listed))
        said = lockstep("run", self.exchange("bar.sync 0;"), *LAUNCH, "--schedules", "50").out
        for part in ["None of 50 orders changed the result", "weak memory", "prove nothing"]:
            self.assertIn(part, said)
        said = lockstep("run", self.exchange(), *LAUNCH, "--schedules", "50", environment={"LOCKSTEP_LANG": "zh-CN"}).out
        self.assertIn("50", said)
        self.assertNotIn("orders", said)

    def test_what_has_no_other_order_is_refused(self):
        self.refuses("run", "matmul/tiled", "--schedules", "0", saying=["--schedules"])
        self.refuses("run", "matmul/tiled", "--schedules", "10", "--sample", saying=["--schedules", "--sample"])
        self.refuses("run", "matmul/tiled", "--schedules", "10", "--backend", "gpu", saying=["--schedules", "gpu"])


@needs_nvrtc
class CauseTest(CommandTest):
    def test_the_exchange_that_matters_is_named(self):
        for name, (launch, cause) in CAUSES.items():
            with self.subTest(name):
                answer = lockstep("run", RACES / f"{name}.cu", *launch, "--schedules", "100", "--json", "-")
                bad = answer.json["schedules"]["bad"]
                self.assertIsNotNone(bad)
                self.assertIn(cause, bad["message"])


class CatalogTest(CommandTest):
    RACES = {
        "matmul/missing-first-barrier": [],
        "matmul/missing-second-barrier": [],
        "reduction/v4": [],
        "scan/in-place": [],
        "histogram/no-atomics": [],
    }

    def test_a_race_of_the_catalog_shows_an_order_that_changes_its_result(self):
        for kernel, settings in self.RACES.items():
            with self.subTest(kernel):
                found = lockstep("run", kernel, *settings, "--schedules", "60", "--json", "-").json["schedules"]
                self.assertIsNotNone(found["bad"])
                self.assertTrue(found["bad"]["message"])
                self.assertLess(found["bad"]["seconds"], SECONDS)

    def test_a_right_kernel_has_one_result(self):
        for kernel in ("reduction/v4-syncwarp", "matmul/tiled", "histogram/private-copies"):
            with self.subTest(kernel):
                found = lockstep("run", kernel, "--schedules", "40", "--json", "-").json["schedules"]
                self.assertEqual(found["changed"], 0)
                self.assertTrue(all(result["correct"] for result in found["results"]))


class PictureTest(CommandTest):
    """lockstep show --view orders: an SVG has its words as text."""

    def picture(self, *words):
        file = self.folder / "orders.svg"
        answer = lockstep("show", *words, "--view", "orders", "--out", file)
        self.assertEqual(answer.status, DONE, answer)
        text = " ".join(xml.etree.ElementTree.parse(file).getroot().itertext())
        self.assertIn("weak memory", text)
        self.assertIn("prove nothing", text)
        return text

    def test_both_orders_stand_beside_each_other(self):
        text = self.picture("histogram/no-atomics", "--set", "n=256", "--schedules", "20")
        for said in (" of 20 orders changed the result.", "Recorded order", "Order ", "Results of 20 orders", " instead of "):
            self.assertIn(said, text)

    def test_a_race_that_cannot_change_the_result_stays_one(self):
        text = self.picture("matmul/tiled", "--set", "width=3", "--set", "tile=2", "--schedules", "10")
        self.assertIn("None of 10 orders changed the result; the race stays.", text)

    def test_in_chinese(self):
        file = self.folder / "zh.svg"
        answer = lockstep("show", "reduction/v4", "--view", "orders", "--schedules", "5", "--lang", "zh-CN", "--out", file)
        self.assertEqual(answer.status, DONE, answer)
        self.assertIn("所记录的顺序", file.read_text(encoding="utf-8"))


@needs_nvrtc
class PublishedTest(CommandTest):
    def test_published_races_show_an_order_that_changes_the_result(self):
        for kernel, launch in PUBLISHED.items():
            with self.subTest(kernel):
                found = lockstep("run", RACES / f"{kernel}.cu", *launch, "--schedules", "100", "--json", "-").json["schedules"]
                self.assertIsNotNone(found["bad"])
                self.assertIn(" instead of ", found["bad"]["message"])
                self.assertLess(found["bad"]["seconds"], SECONDS)

    # How often the loop reads the flag is of no account: the read that counts is that of the data.
    def test_a_loop_that_waits_is_not_what_the_sentence_names(self):
        kernel = self.file("flag.cu", WAITS)
        launch = ["--grid", "2", "--block", "1", "--arg", "i32[1]=zero", "--arg", "i32[1]=zero", "--arg", "i32[1]=zero"]
        bad = lockstep("run", kernel, *launch, "--schedules", "300", "--json", "-").json["schedules"]["bad"]
        self.assertIn("Thread 0 of block 1 reads data[0] (line 4) before thread 0 of block 0 writes it", bad["message"])
        self.assertIn(": 0 instead of 42.", bad["message"])

    def test_stores_of_one_value_change_nothing(self):
        for kernel, launch in CANNOT_CHANGE.items():
            answer = lockstep("run", RACES / f"{kernel}.cu", *launch, "--schedules", "100")
            self.assertIn("None of 100 orders changed the result; the race stays.", answer.out)


if __name__ == "__main__":
    unittest.main()
