"""Every command as CONTRACT describes it: the shape of its JSON, files that other programs can read, what goes to which
stream, and the exit status."""

import re
import json
import os
import shlex
import shutil
import struct
import subprocess
import unittest
import xml.etree.ElementTree

from lockstep import (DONE, KERNEL_IS_WRONG, PROGRAM, ROOT, TRUTH, CommandTest, has_toolkit, lockstep, needs_nvrtc, needs_window, read_npy, read_png)

COUNTERS = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld", "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    "ptx__inst_executed", "ptx__thread_inst_executed", "ptx__branches_divergent",
]


def keys_of(value):
    return set(value.keys())


class Run(CommandTest):
    def run_json(self, *words, status=DONE):
        return self.succeeds("run", *words, "--json", "-", status=status).json

    def test_hints_have_their_figure_their_source_and_the_variant_that_cures_them(self):
        run = self.run_json("transpose/shared", "--machine-code", "off")
        hint, = run["hints"]
        self.assertEqual((hint["rule"], hint["line"], hint["unit"], hint["counted_in"]), ("bank_conflict", 19, "wavefronts", "grid"))
        sites = [site for site in run["sites"] if site["line"] == 19 and site["space"] == "shared"]
        self.assertEqual(hint["excess"], sum(site["wavefronts"] - site["ideal_wavefronts"] for site in sites))
        self.assertEqual(hint["total"], sum(site["wavefronts"] for site in run["sites"]))
        self.assertAlmostEqual(hint["share"], hint["excess"] / hint["total"])
        self.assertTrue(hint["source"])
        fix = hint["fix"]
        other = self.run_json("transpose/" + fix["variant"], "--machine-code", "off")
        self.assertEqual((other["hints"], fix["excess"]), ([], 0))
        self.assertEqual(fix["total"], sum(site["wavefronts"] for site in other["sites"]))
        self.succeeds(*shlex.split(fix["command"])[1:], "--json", "-")
        text = self.succeeds("run", "transpose/shared", "--machine-code", "off").out
        self.assertIn("32-way bank conflicts: 2,048 wavefronts where 64 would do.", text)
        self.assertIn(fix["command"], text)

    def test_its_files_are_found_where_PATH_led_to_it(self):
        done = subprocess.run(["lockstep", "list", "--json", "-"], executable=PROGRAM, cwd="/", capture_output=True, text=True,
                              env={name: value for name, value in os.environ.items() if name != "LOCKSTEP_RESOURCES"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("matmul", done.stdout)

    def test_the_json_has_what_scripts_look_for(self):
        run = self.run_json("matmul/tiled-bounds", "--set", "width=40", "--set", "tile=8", "--machine-code", "off")
        self.assertEqual(run["kernel"], {"family": "matmul", "variant": "tiled-bounds", "entry": "mm_tiled_bounds<8>",
                                         "source": "kernels/matmul/tiled_bounds.cu"})
        self.assertEqual(run["launch"], {"grid": [5, 5, 1], "block": [8, 8, 1], "shared_bytes": 512, "registers": None, "registers_source": None})
        self.assertEqual((run["backend"], run["device"], run["profile"]), ("emulator", None, "cc90"))
        self.assertEqual((run["correct"], run["max_error"], run["wrong"]), (True, 0, None))
        self.assertEqual((run["measured"], run["timing"], run["findings"]), (None, None, []))
        self.assertLessEqual(set(COUNTERS), keys_of(run["counters"]))
        self.assertLessEqual({"seconds", "thread_instructions", "warp_instructions", "threads", "peak_bytes", "order"},
                             keys_of(run["emulation"]))
        self.assertEqual(run["emulation"]["order"], "parallel")
        self.assertEqual(keys_of(run["occupancy"]), {"blocks_per_sm", "warps_per_sm", "limited_by", "blocks_per_wave", "waves", "blocks_in_last_wave"})
        for site in run["sites"]:
            self.assertLessEqual({"pc", "opcode", "text", "file", "line", "space", "op", "width", "executions", "active_lanes",
                                  "requests", "sectors", "wavefronts", "ideal_wavefronts"}, keys_of(site))
        for line in run["lines"]:
            self.assertEqual(keys_of(line), {"file", "line", "executions", "active_lanes", "lane_utilization", "divergent"})
        # What a site or a line counts adds up to the whole grid.
        stores = [site for site in run["sites"] if site["space"] == "global" and site["op"] == "store"]
        self.assertEqual(sum(site["active_lanes"] for site in stores), 40 * 40)
        self.assertEqual(sum(line["executions"] for line in run["lines"]), run["counters"]["ptx__inst_executed"])
        self.assertEqual(sum(line["active_lanes"] for line in run["lines"]), run["emulation"]["thread_instructions"])

    def test_the_flow_of_values_leads_from_load_through_tile_to_result(self):
        run = self.run_json("transpose/shared", "--set", "rows=64", "--set", "columns=64", "--machine-code", "off")
        block = run["flow"][0]
        self.assertEqual(keys_of(block), {"launch", "block", "sites", "accesses", "accesses_left_out", "why"})
        self.assertIsNone(block["why"])
        sites = {(site["space"], site["op"]): site for site in block["sites"]}
        tile_store, tile_load = sites["shared", "store"], sites["shared", "load"]
        self.assertEqual(keys_of(tile_store), {"pc", "file", "line", "space", "op", "from"})
        loads = {site["pc"] for site in block["sites"] if (site["space"], site["op"]) == ("global", "load")}
        self.assertEqual({source["kind"] for source in tile_store["from"]}, {"load"})
        self.assertLessEqual({source["pc"] for source in tile_store["from"]}, loads)
        stores = {site["pc"] for site in block["sites"] if (site["space"], site["op"]) == ("shared", "store")}
        for source in tile_load["from"]:
            self.assertEqual(source["kind"], "store")
            self.assertIn(source["pc"], stores)
        moved = sum(source["values"] for site in block["sites"] if site["op"] == "store" and site["space"] == "global" for source in site["from"])
        self.assertEqual(moved, 32 * 32)
        self.assertGreater(sum(source["of_other_threads"] for source in tile_load["from"]), 0)
        # Of each access, too: what a warp loads from the tile is what eight warps stored, a lane of each column.
        self.assertEqual(block["accesses_left_out"], 0)
        accesses = {(access["warp"], access["step"]): access for access in block["accesses"]}
        taken = next(access for access in block["accesses"] if (access["space"], access["op"]) == ("shared", "load"))
        self.assertEqual(sum(bin(source["lanes"]).count("1") for source in taken["from"]), 32)
        for source in taken["from"]:
            kept = accesses[source["warp"], source["step"]]
            self.assertEqual((kept["space"], kept["op"], kept["pc"]), ("shared", "store", source["pc"]))
            [loaded] = kept["from"]
            self.assertEqual((loaded["kind"], loaded["lanes"], loaded["of_lanes"]), ("load", 0xFFFFFFFF, None))
            self.assertEqual(accesses[loaded["warp"], loaded["step"]]["from"][0]["kind"], "nothing")

    def test_every_inactive_lane_has_a_reason_and_every_step_a_phase(self):
        run = self.run_json("divergence/parity", "--set", "n=64", "--set", "block=64", "--machine-code", "off")
        block = run["inactive"][0]
        self.assertEqual(keys_of(block), {"launch", "block", "steps", "steps_left_out"})
        self.assertGreater(len(block["steps"]), 0)
        whys = set()
        for step in block["steps"]:
            masks = [reason["lanes"] for reason in step["reasons"]]
            self.assertEqual(sum(masks), sum(set(masks)))
            whys |= {reason["why"] for reason in step["reasons"]}
        self.assertIn("other_path_later", whys)
        self.assertNotIn("unknown", whys)
        for warp in run["phases"][0]["warps"]:
            steps = [step for phase in warp["phases"] for step in range(phase["first"], phase["last"] + 1)]
            self.assertEqual(steps, list(range(1, len(steps) + 1)), "phases follow one another")

    def test_a_phase_is_named_by_the_round_of_sums_that_it_adds(self):
        def names(kernel, *options):
            return [phase["name"].split(": ")[-1] for phase in self.run_json(kernel, *options)["phases"][0]["warps"][0]["phases"]]
        tree = [f"add in round {k}, stride {64 >> (k - 1)}" for k in range(1, 8)]
        self.assertEqual([name for name in names("reduction/v2") if name.startswith("add")], tree)
        unrolled = [name for name in names("reduction/v4") if name.startswith("add")]
        self.assertEqual(unrolled, ["add in round 1, stride 64", "add in rounds 2 to 7, strides 32 to 1, store to global"])
        self.assertEqual(
            [name for name in names("scan/hillis-steele") if name.startswith("add")],
            [f"add in round {k}, stride {1 << (k - 1)}" for k in range(1, 8)],
        )

    def test_what_a_device_does_not_count_is_null(self):
        def loads_and_stores(profile, metric):
            sites = [site for site in self.run_json("matmul/tiled", "--profile", profile)["sites"] if site["space"] == "global"]
            return [site[metric] for site in sites]
        # 16 blocks of 8 warps, 4 tiles: each half-warp takes one row of 64 bytes of a tile, one transaction; and stores one.
        self.assertEqual(loads_and_stores("cc10", "transactions"), [1024, 1024, 256])
        self.assertEqual(loads_and_stores("cc10", "sectors"), [None, None, None])
        # A row has two sectors.
        self.assertEqual(loads_and_stores("cc90", "sectors"), [2048, 2048, 512])
        self.assertEqual(loads_and_stores("cc90", "transactions"), [None, None, None])

    def test_a_choice_goes_by_its_label(self):
        run = self.run_json("coalescing/words", "--set", "word=float2", "--set", "n=64")
        self.assertEqual(run["kernel"]["entry"], "words<float2>")
        self.assertEqual(run["parameters"], {"n": 64, "block": 128, "word": "float2"})
        self.refuses("run", "coalescing/words", "--set", "word=flaot2", saying="word can be float, float2, float4; did you mean 'float2'?")
        self.refuses("run", "coalescing/words", "--set", "word=1", saying="word can be float, float2, float4")
        recording = self.folder / "words.lks"
        self.succeeds("run", "coalescing/words", "--set", "word=float2", "--save", recording)
        self.succeeds("show", recording, "--view", "sectors", "--out", self.folder / "words.svg")

    def test_what_does_not_go_together_is_refused_with_its_reason(self):
        self.refuses("run", "transpose/registers-4x4", "--set", "rows=63", saying="rows and columns must be multiples of 4")

    def test_the_cpu_is_timed_where_asked_for(self):
        run = self.run_json("matmul/tiled", "--set", "width=64", "--cpu")
        self.assertEqual(keys_of(run["cpu"]), {"threads", "milliseconds"})
        times = run["cpu"]["milliseconds"]
        self.assertGreaterEqual(times["runs"], 1)
        self.assertTrue(0 < times["min"] <= times["median"] <= times["max"], times)
        for kernel in "transpose/naive", "reduction/v0", "coalescing/offset", "divergence/parity", "banks/histogram":
            self.assertGreaterEqual(self.run_json(kernel, "--cpu")["cpu"]["milliseconds"]["runs"], 1, kernel)
        self.refuses("run", "banks/row", "--cpu", saying="banks/row has no loop for the CPU")

    def test_a_wrong_kernel_gives_status_1_and_says_where(self):
        run = self.run_json("matmul/tiled", "--set", "width=40", status=KERNEL_IS_WRONG)
        self.assertFalse(run["correct"])
        self.assertGreater(run["wrong"]["count"], 0)
        self.assertEqual(keys_of(run["wrong"]["first"]), {"buffer", "index", "got", "want"})
        self.assertEqual({finding["kind"] for finding in run["findings"]}, {"out_of_bounds", "race", "truncated"})
        for finding in run["findings"][:-1]:
            self.assertLessEqual({"kind", "message", "file", "line", "pc", "block", "thread", "address"}, keys_of(finding))
            self.assertEqual(finding["file"], "kernels/matmul/tiled.cu")
            self.assertEqual((len(finding["block"]), len(finding["thread"])), (3, 3))
        self.assertEqual(self.run_json("matmul/missing-second-barrier", status=KERNEL_IS_WRONG)["correct"], False)

    def test_the_worked_example_names_the_elements_that_do_not_exist(self):
        """Width 3, tile 2; a thread's row is counted first: thread (1,0) has x=0 and y=1."""
        run = self.run_json("matmul/tiled", "--set", "width=3", "--set", "tile=2", status=KERNEL_IS_WRONG)
        messages = " ".join(finding["message"] for finding in run["findings"])
        for text in ["N[3][0]", "N[3][1]", "M[3][0]", "M[3][1]", "P[1][0]", "P[2][0]"]:
            self.assertIn(text, messages)

    def test_the_course_widths(self):
        for variant, width, correct in [("tiled", 1000, False), ("tiled-bounds", 1000, True), ("tiled", 992, True),
                                        ("tiled-bounds", 992, True)]:
            with self.subTest(f"{variant} {width}"):
                run = self.run_json(f"matmul/{variant}", "--set", f"width={width}", "--limit", "200",
                                    status=DONE if correct else KERNEL_IS_WRONG)
                self.assertEqual(run["correct"], correct)
                kinds = {finding["kind"] for finding in run["findings"]}
                self.assertEqual(kinds, set() if correct else {"out_of_bounds", "race", "truncated"})
                if not correct:
                    self.assertEqual(len(run["findings"]), 1001)

    def test_findings_are_the_same_for_every_number_of_threads(self):
        def findings(threads, order):
            run = self.run_json("matmul/missing-second-barrier", "--threads", threads, "--order", order, "--findings", 40,
                                status=KERNEL_IS_WRONG)
            return run["findings"]

        expected = findings(1, "auto")
        self.assertEqual(len(expected), 41)
        for threads, order in [(2, "auto"), (5, "auto"), (1, "sequential")]:
            self.assertEqual(findings(threads, order), expected, (threads, order))

    def test_repeats(self):
        emulation = self.run_json("matmul/naive", "--repeat", 3)["emulation"]
        self.assertEqual(len(emulation["runs"]), 3)
        self.assertEqual(emulation["seconds"], sorted(emulation["runs"])[1])

    def test_results_go_where_they_are_asked_for(self):
        names = {name: self.folder / name for name in ("run.json", "run.lks", "p.npy")}
        answer = self.succeeds("run", "matmul/tiled", "--json", names["run.json"], "--save", names["run.lks"],
                               "--dump", f"2={names['p.npy']}")
        self.assertIn("matches the CPU reference", answer.out)
        self.assertEqual(json.loads(names["run.json"].read_text())["correct"], True)
        elements, kind = read_npy(names["p.npy"])
        self.assertEqual((len(elements), kind), (64 * 64, "<f4"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))

    def test_json_goes_into_a_pipe_or_through_a_link(self):
        answer = self.succeeds("run", "matmul/tiled", "--json", "/dev/stdout")
        self.assertIn('"correct": true', answer.out)
        self.assertTrue(os.path.islink("/dev/stdout"))

    def test_another_devices_rules(self):
        new, old = (self.run_json("matmul/tiled", "--profile", profile) for profile in ("cc90", "cc12"))
        self.assertEqual(old["profile"], "cc12")
        self.assertNotEqual(new["counters"], old["counters"])

    def test_a_profile_of_ones_own(self):
        text = (ROOT / "assets/profiles/cc90.toml").read_text().replace('name = "cc90"', 'name = "mine"')
        mine = self.file("mine.toml", text)
        run = self.run_json("matmul/tiled", "--profile", mine)
        self.assertEqual((run["profile"], run["counters"]), ("mine", self.run_json("matmul/tiled")["counters"]))
        self.succeeds("show", "matmul/tiled", "--profile", mine, "--view", "banks", "--out", self.folder / "banks.svg")
        access = ["access", "--space", "shared", "--op", "load", "--width", "4", "--expr", "tid*2", "--json", "-"]
        self.assertEqual(self.succeeds(*access, "--profile", mine).json["wavefronts"], 2)
        self.refuses("run", "matmul/tiled", "--profile", self.file("bad.toml", "banks = "), saying="bad.toml:1")


class EditedCatalogue(CommandTest):
    """A catalogue whose tiled.cu was edited after its PTX was made."""

    def setUp(self):
        super().setUp()
        self.root = self.folder / "resources"
        shutil.copytree(ROOT / "kernels", self.root / "kernels")
        shutil.copytree(ROOT / "assets", self.root / "assets")
        self.source = self.root / "kernels/matmul/tiled.cu"
        self.edit("] = sum;", "] = sum + 1;")
        self.environment = {"LOCKSTEP_RESOURCES": str(self.root)}

    def edit(self, old, new):
        text = self.source.read_text()
        self.assertIn(old, text)
        self.source.write_text(text.replace(old, new))

    @needs_nvrtc
    def test_is_compiled_anew(self):
        run = self.succeeds("run", "matmul/tiled", "--json", "-", status=KERNEL_IS_WRONG, environment=self.environment).json
        self.assertEqual(run["wrong"]["first"]["got"], run["wrong"]["first"]["want"] + 1)
        self.assertEqual({line["file"] for line in run["lines"]}, {"kernels/matmul/tiled.cu"})
        self.succeeds("run", "matmul/tiled-bounds", environment=self.environment)
        self.edit("] = sum + 1;", "] = ;")
        self.refuses("run", "matmul/tiled", environment=self.environment, saying="kernels/matmul/tiled.cu:25:28: expected an expression")

    def test_is_refused_where_there_is_no_compiler(self):
        environment = {**self.environment, "LOCKSTEP_NVRTC": str(self.folder)}
        self.refuses("run", "matmul/tiled", environment=environment, saying=["kernels/matmul/tiled.cu", "edited", "NVRTC"])
        self.succeeds("run", "matmul/tiled-bounds", environment=environment)


class OwnKernel(CommandTest):
    @needs_nvrtc
    def test_warnings_of_the_compiler_are_told_and_stand_in_the_json(self):
        file = self.file("k.cu", "static const int kHost = 4;\n__global__ void k(int* p) {\n    int lost = 1;\n    p[0] = 7;\n}\n"
                                 "int main() { k<<<1, kHost>>>(nullptr); }\n")
        words = ["run", file, "--grid", "1", "--block", "1", "--arg", "i32[1]=zero"]
        answer = lockstep(*words)
        self.assertEqual((answer.status, answer.err),
                         (DONE, f'lockstep: {file}:3:9: warning: variable "lost" was declared but never referenced\n'))
        answer = lockstep(*words, "--json", "-")
        self.assertEqual(answer.json["warnings"], [{"message": 'variable "lost" was declared but never referenced',
                                                    "file": str(file), "line": 3, "column": 9}])
        self.assertEqual(self.succeeds("run", "matmul/tiled", "--json", "-").json["warnings"], [])

    @needs_nvrtc
    def test_further_launches_run_behind_the_first_one(self):
        words = ["run", ROOT / "kernels/scan/shuffle.cu", "--entry", "scan_shuffle", "--grid", "4", "--block", "64", "--arg", "i32[250]=random:0:9",
                 "--arg", "i32[250]=zero", "--arg", "i32[4]=zero", "--arg", "i32:250"]
        then = ["--then", "scan_shuffle<<<1, 64>>>(buffer:2, buffer:2, i32[1]=zero, i32:4)",
                "--then", "scan_add_totals<<<4, 64>>>(buffer:1, buffer:2, i32:250)"]
        reference = ["--reference", "scan:in=0,out=1,n=250"]
        self.succeeds(*words, *reference, status=KERNEL_IS_WRONG)
        run = self.succeeds(*words, *then, *reference, "--dump", f"1={self.folder / 'out.npy'}", "--json", "-").json
        self.assertTrue(run["correct"])
        self.assertEqual(len(run["launches"]), 3)
        self.refuses(*words, "--then", "scan_shuffle", saying="write it as a launch in CUDA")
        self.refuses("run", "matmul/tiled", *then, saying="--then go with a FILE.cu")


COOPERATIVE = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void total(int* a, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    if (i < n) a[i] = i;
    grid.sync();
    if (i == 0) { int s = 0; for (int k = 0; k < n; ++k) s += a[k]; a[n] = s; }
}
extern "C" __global__ void tiles(int* a) {
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    tile.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 63];
}
"""


@needs_nvrtc
class Cooperative(CommandTest):
    """NVIDIA's own headers of cooperative groups."""

    LAUNCH = ("--entry", "total", "--grid", "4", "--block", "64", "--arg", "i32[257]=zero", "--arg", "i32:256")

    def test_blocks_meet_in_a_cooperative_launch(self):
        program = self.file("total.cu", COOPERATIVE)
        result = self.folder / "a.npy"
        run = self.succeeds("run", program, *self.LAUNCH, "--cooperative", "--json", "-", "--dump", f"0={result}").json
        self.assertEqual((run["findings"], read_npy(result)[0][256]), ([], 256 * 255 // 2))

    def test_without_one_the_kernel_says_what_it_needs(self):
        program = self.file("total.cu", COOPERATIVE)
        answer = self.succeeds("run", program, *self.LAUNCH, status=KERNEL_IS_WRONG)
        self.assertIn("which only a cooperative launch can", answer.out)
        self.refuses("run", program, *self.LAUNCH[:3], "40000", *self.LAUNCH[4:], "--cooperative",
                     saying="a cooperative launch of 40,000 blocks, of which the device holds 4,224 at a time")

    def test_tiles_of_several_warps(self):
        run = self.succeeds("run", self.file("tiles.cu", COOPERATIVE), "--entry", "tiles", "--grid", "1", "--block", "256", "--arg", "i32[256]=zero",
                            "--json", "-").json
        self.assertEqual(run["findings"], [])


class List(CommandTest):
    def test_the_json_names_everything_there_is(self):
        listed = self.succeeds("list", "--json", "-").json
        self.assertLessEqual({"families", "lessons", "profiles", "recordings"}, keys_of(listed))
        self.assertIn("cc90", listed["profiles"])
        matmul = next(family for family in listed["families"] if family["name"] == "matmul")
        for parameter in matmul["parameters"]:
            self.assertLessEqual({"name", "type", "min", "max", "default", "unit", "help"}, keys_of(parameter))
        for variant in matmul["variants"]:
            self.assertLessEqual({"name", "title", "entry", "expected"}, keys_of(variant))
            for expected in variant["expected"]:
                self.assertLessEqual({"when", "kinds"}, keys_of(expected))
        coalescing = next(family for family in listed["families"] if family["name"] == "coalescing")
        word = next(parameter for parameter in coalescing["parameters"] if parameter["name"] == "word")
        self.assertEqual((word["type"], word["choices"], word["default"]), ("choice", ["float", "float2", "float4"], "float4"))
        out = self.succeeds("list").out
        self.assertIn("matmul/tiled-bounds", out)
        self.assertIn("--set word=float4  (float, float2, float4)", out)


class Compare(CommandTest):
    LOADS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"

    def test_two_runs_and_what_changed_between_them(self):
        compared = self.succeeds("compare", "matmul/naive", "matmul/tiled", "--set", "width=64", "--json", "-").json
        self.assertEqual(list(compared), ["a", "b", "differences"])
        for side, variant in (("a", "naive"), ("b", "tiled")):
            alone = self.succeeds("run", f"matmul/{variant}", "--set", "width=64", "--json", "-").json
            self.assertEqual(compared[side]["counters"], alone["counters"])
            self.assertEqual(compared[side]["kernel"], alone["kernel"])
        by_metric = {difference["metric"]: difference for difference in compared["differences"]}
        for metric, difference in by_metric.items():
            if metric in compared["a"]["counters"]:
                self.assertEqual((difference["a"], difference["b"]),
                                 (compared["a"]["counters"][metric], compared["b"]["counters"][metric]))
            self.assertNotEqual(difference["a"], difference["b"])
            self.assertEqual(difference["ratio"], difference["b"] / difference["a"] if difference["a"] else None)
        self.assertEqual(by_metric[self.LOADS]["sentence"],
                         "1/8 as many global load sectors in B: 4,096 instead of 32,768.")

    def test_two_sizes_of_one_kernel(self):
        compared = self.succeeds("compare", "matmul/tiled:width=32", "matmul/tiled:width=64", "--set", "tile=8", "--json", "-").json
        self.assertEqual([compared[side]["parameters"]["width"] for side in "ab"], [32, 64])
        self.assertEqual([compared[side]["parameters"]["tile"] for side in "ab"], [8, 8])
        loads = next(each for each in compared["differences"] if each["metric"] == self.LOADS)
        self.assertEqual(loads["ratio"], 8)

    def test_more_than_two_are_compared_with_the_first(self):
        compared = self.succeeds("compare", "matmul/naive", "matmul/tiled", "matmul/tiled-bounds", "--set", "width=32", "--json", "-").json
        self.assertEqual([(each["a"]["kernel"]["variant"], each["b"]["kernel"]["variant"]) for each in compared["comparisons"]],
                         [("naive", "tiled"), ("naive", "tiled-bounds")])

    def test_a_wrong_one_among_them_gives_status_1(self):
        text = self.succeeds("compare", "matmul/tiled", "matmul/tiled-bounds", "--set", "width=40", status=KERNEL_IS_WRONG).out
        self.assertRegex(text, r"result +wrong +right")

    def test_what_can_not_be_compared_is_said(self):
        for words, expected in ((("matmul/tiled",), "two kernels or more"),
                                (("matmul/tiled", "matmul/naive", "--set", "wdth=8"), "none of these kernels has a parameter 'wdth'"),
                                (("matmul/tiled:width", "matmul/naive"), "write values as FAMILY/VARIANT:name=value"),
                                (("matmul/tiled", "matmul/nave"), "naive")):
            self.refuses("compare", *words, saying=expected)


class Access(CommandTest):
    def access(self, space, width, expression, *more, op="load"):
        return self.succeeds("access", "--space", space, "--op", op, "--width", width, "--expr", expression, "--json", "-", *more).json

    def test_shared_memory(self):
        answer = self.access("shared", 4, "tid*2")
        self.assertEqual(keys_of(answer), {"profile", "space", "op", "width", "requests", "sectors", "transactions", "wavefronts",
                                           "ideal_wavefronts", "items", "passes"})
        self.assertEqual((answer["wavefronts"], answer["ideal_wavefronts"], len(answer["passes"])), (2, 1, 2))
        self.assertEqual(sorted(lane for one in answer["passes"] for lane in one["lanes"]), list(range(32)))
        self.assertIsNone(answer["sectors"])
        for width, expression, wavefronts in [(4, "tid", 1), (4, "tid*32", 32), (4, "tid*33", 1), (4, "0", 1), (8, "tid", 2),
                                              (16, "tid", 4)]:
            self.assertEqual(self.access("shared", width, expression)["wavefronts"], wavefronts, expression)

    def test_global_memory(self):
        for width, expression, sectors in [(4, "tid", 4), (4, "tid*2", 8), (4, "tid+1", 5), (4, "tid*32", 32), (16, "tid", 16),
                                           (16, "tid+1", 17), (1, "tid", 1), (1, "tid+13", 2)]:
            answer = self.access("global", width, expression)
            self.assertEqual((answer["requests"], answer["sectors"]), (1, sectors), expression)
            self.assertEqual(len(answer["items"]), sectors, expression)
            self.assertIsNone(answer["wavefronts"])

    def test_every_profile_at_once(self):
        every = self.access("global", 4, "tid+1", "--profile", "all")["profiles"]
        self.assertEqual([one["profile"] for one in every], self.succeeds("list", "--json", "-").json["profiles"])
        old = next(one for one in every if one["profile"] == "cc10")
        self.assertEqual((old["sectors"], old["transactions"]), (None, 32))

    def test_rows_are_padded_and_swizzled(self):
        for more, wavefronts in [((), 32), (("--padding", 1), 1), (("--swizzle",), 1), (("--row", 64, "--padding", 1), 2)]:
            self.assertEqual(self.access("shared", 4, "tid*32", *more)["wavefronts"], wavefronts, more)

    def test_a_preset_stands_for_the_access(self):
        swapped = self.succeeds("access", "--preset", "swapped", "--profile", "cc10", "--json", "-").json
        self.assertEqual((swapped["space"], swapped["op"], swapped["transactions"]), ("global", "load", 32))
        stored = self.succeeds("access", "--preset", "column-padded", "--padding", 2, "--op", "store", "--json", "-").json
        self.assertEqual((stored["op"], stored["wavefronts"]), ("store", 2))

    def test_inactive_lanes(self):
        offsets = ",".join(["0", "-"] * 16)
        answer = self.succeeds("access", "--space", "global", "--op", "load", "--width", 4, "--offsets", offsets, "--json", "-").json
        self.assertEqual(answer["sectors"], 1)


class Pictures(CommandTest):
    def test_every_view_in_both_formats(self):
        recording = self.folder / "run.lks"
        self.succeeds("run", "matmul/missing-second-barrier", "--set", "width=32", "--save", recording, status=KERNEL_IS_WRONG)
        for view in ("stage", "banks", "sectors", "lanes", "timeline", "source", "memory", "findings"):
            for language in ("en", "zh-CN"):
                with self.subTest(f"{view} {language}"):
                    svg, png = self.folder / f"{view}.svg", self.folder / f"{view}.png"
                    look = ["--view", view, "--lang", language, "--size", "640x480"]
                    self.assertEqual(self.succeeds("show", recording, *look, "--out", svg).out, "")
                    root = xml.etree.ElementTree.parse(svg).getroot()
                    self.assertTrue(root.tag.endswith("svg"))
                    self.assertGreater(len(list(root.iter())), 5)
                    self.succeeds("show", recording, *look, "--scale", "1.5", "--out", png)
                    self.assertEqual(read_png(png), (960, 720))

    def test_the_playground_needs_no_kernel(self):
        out = self.folder / "playground.svg"
        self.succeeds("show", "--view", "playground", "--expr", "tid*32", "--width", 4, "--space", "shared", "--size", "1300x700", "--out", out)
        column = out.read_text()
        self.assertIn(">As a shared address: 32 wavefronts<", column)
        self.assertIn("element tid*32", column)
        self.succeeds("show", "--view", "playground", "--preset", "column-padded", "--size", "1300x700", "--lang", "zh-CN", "--out", out)
        self.assertIn(">作为共享内存地址：1 个波前<", out.read_text())
        self.refuses("show", "--view", "playground", "--expr", "tid*", "--out", out, saying="ends where")
        self.refuses("show", "matmul/tiled", "--view", "playground", "--out", out, saying="shows no kernel")
        self.refuses("show", "matmul/tiled", "--view", "banks", "--expr", "tid", "--out", out, saying="--view playground")

    def test_devices_stand_side_by_side(self):
        out = self.folder / "sectors.svg"
        show = ["show", "matmul/tiled", "--set", "width=64", "--view", "sectors", "--size", "1300x700", "--out", out]
        self.succeeds(*show, "--profile", "cc10,cc12,cc90")
        picture = out.read_text()
        for capability in ("1.0", "1.2", "9.0"):  # a card of that capability stands behind it
            self.assertRegex(picture, f">(Compute capability|cc) {re.escape(capability)}[ <]")
        self.succeeds(*show, "--profile", "cc20,cc90")
        self.assertNotRegex(out.read_text(), ">(Compute capability|cc) 1\\.0[ <]")
        self.refuses(*show, "--profile", "cc10,cc11,cc12,cc13", saying="at most three")
        self.refuses(*show, "--profile", "cc10,", saying="commas between")

    def test_a_recording_shows_what_the_run_shows(self):
        run = ["--set", "width=8", "--set", "tile=4"]
        recording, first, second = (self.folder / name for name in ("run.lks", "first.svg", "second.svg"))
        self.succeeds("run", "matmul/tiled", *run, "--save", recording)
        for view in ("stage", "banks", "source"):  # memory: the caches are simulated while a kernel runs, a recording has none
            look = ["--view", view, "--step", "12"]
            self.succeeds("show", "matmul/tiled", *run, *look, "--out", first)
            self.succeeds("show", recording, *look, "--out", second)
            self.assertEqual(first.read_bytes(), second.read_bytes(), view)

    def test_two_runs_are_drawn_beside_each_other(self):
        out = self.folder / "compare.svg"
        for beside in (["--with", "matmul/tiled"], ["--with", "matmul/tiled", "--with-set", "tile=8", "--tie", "step"], ["--with-set", "width=16"]):
            for each in ("stage", "banks", "sectors", "lanes", "timeline", "source"):
                with self.subTest(f"{beside} {each}"):
                    self.succeeds("show", "matmul/naive", "--set", "width=32", "--view", "compare", *beside, "--each", each, "--out", out)
                    self.assertTrue({"A", "B"} <= set(xml.etree.ElementTree.parse(out).getroot().itertext()))

    def test_the_line_in_a_picture_draws_the_same_picture(self):
        first, second, png = (self.folder / name for name in ("first.svg", "second.svg", "picture.png"))
        for words in (["matmul/tiled", "--set", "width=20", "--set", "tile=4", "--view", "stage", "--block", "2,1", "--warp", "0", "--lane", "5", "--step", "40"],
                      ["transpose/shared", "--view", "banks", "--profile", "cc35"],
                      ["coalescing/words", "--set", "word=float2", "--view", "sectors"],
                      ["reduction/v0", "--set", "n=64", "--set", "block=64", "--view", "compare", "--with", "reduction/v2", "--each", "lanes", "--tie", "step", "--step", "30"],
                      ["matmul/tiled", "--set", "width=32", "--view", "compare", "--with-set", "tile=8", "--step", "20"]):
            with self.subTest(" ".join(words)):
                self.succeeds("show", *words, "--out", first)
                line = xml.etree.ElementTree.parse(first).getroot().find("{http://www.w3.org/2000/svg}desc").text
                said = shlex.split(line)
                self.assertEqual(said[:2], ["lockstep", words[0]])
                self.succeeds("show", *said[1:], "--out", second)
                self.assertEqual(first.read_bytes(), second.read_bytes(), line)
                self.succeeds("show", *words, "--scale", "1", "--out", png)
                read_png(png)
                self.assertIn(b"tEXtDescription\0" + line.encode(), png.read_bytes())

    def test_steps_become_an_animation(self):
        gif, apng = self.folder / "steps.gif", self.folder / "steps.apng"
        what = ["matmul/tiled-bounds", "--set", "width=3", "--set", "tile=2", "--view", "stage", "--size", "640x480", "--scale", "1"]
        self.succeeds("show", *what, "--out", self.folder / "load.svg")  # at the first load
        step = int((self.folder / "load.svg").read_text().split("--step ")[1].split("<")[0])
        what += ["--steps", f"{step - 1}:{step + 1}"]
        self.succeeds("show", *what, "--out", gif)
        data = gif.read_bytes()
        self.assertEqual((data[:6], struct.unpack("<HH", data[6:10]), data[-1:]), (b"GIF89a", (640, 480), b"\x3b"))
        moving = data.count(b"\x21\xf9\x04")
        self.succeeds("show", *what, "--reduced-motion", "--out", gif)
        self.assertLess(gif.read_bytes().count(b"\x21\xf9\x04"), moving)
        self.succeeds("show", *what, "--out", apng)
        self.assertEqual(read_png(apng), (640, 480))
        self.assertIn(b"acTL", apng.read_bytes())

    @needs_window
    def test_steps_of_the_whole_window_become_an_animation(self):
        gif, apng = self.folder / "window.gif", self.folder / "window.apng"
        what = ["matmul/tiled-bounds", "--set", "width=3", "--set", "tile=2", "--size", "800x600", "--scale", "1", "--steps", "20:22", "--reduced-motion"]
        self.succeeds("shot", *what, "--out", gif)
        data = gif.read_bytes()
        self.assertEqual((data[:6], struct.unpack("<HH", data[6:10]), data[-1:]), (b"GIF89a", (800, 600), b"\x3b"))
        self.assertEqual(data.count(b"\x21\xf9\x04"), 3, "a picture a step")
        self.succeeds("shot", *what, "--out", apng)
        self.assertEqual(read_png(apng), (800, 600))
        self.assertIn(b"acTL", apng.read_bytes())
        self.assertIn("an animation needs --steps", lockstep("shot", *what[:-3], "--out", gif).err)
        self.assertIn("this warp issued", lockstep("shot", *what[:-2], "20:9999", "--out", gif).err)

    @needs_nvrtc
    def test_a_kernel_of_ones_own_can_be_recorded_and_shown(self):
        recording = self.folder / "own.lks"
        self.succeeds("run", TRUTH / "own/right/bitonic.cu", "--grid", 2, "--block", 128, "--arg", "u32[512]=random",
                      "--arg", "u32[512]=zero", "--save", recording)
        for view in ("stage", "banks", "source"):
            self.succeeds("show", recording, "--view", view, "--out", self.folder / "view.svg")

    def test_the_window_as_a_picture(self):
        out = self.folder / "shot.png"
        answer = lockstep("shot", "matmul/tiled-bounds", "--set", "width=3", "--set", "tile=2", "--size", "800x600", "--scale", "1", "--out", out)
        if answer.status != DONE and "no window" in answer.err:
            self.skipTest("built without the window")
        self.assertEqual((answer.status, answer.out, answer.err), (DONE, "", ""), answer)
        self.assertEqual(read_png(out), (800, 600))


class AsText(CommandTest):
    """Views for those who do not see them."""

    VIEWS = ("stage", "banks", "sectors", "lanes", "timeline", "source", "memory", "times", "occupancy", "findings", "compare", "playground",
             "read", "chart", "issue", "waits", "orders")

    def page(self, file):
        text = file.read_text()
        self.assertTrue(text.startswith("<!DOCTYPE html>\n"))
        body = xml.etree.ElementTree.fromstring(re.sub(r"<meta[^>]*>", "", text.removeprefix("<!DOCTYPE html>\n")))
        return body

    def test_every_view_is_text_in_both_languages(self):
        recording = self.folder / "a.lks"
        self.succeeds("run", "matmul/tiled-bounds", "--set", "width=6", "--set", "tile=4", "--machine-code", "off", "--save", recording)
        further = {"compare": ["--with", "matmul/naive"]}
        listed = self.refuses("show", "matmul/tiled", "--view", "none", "--text", saying="playground").err
        self.assertTrue(all(view in listed for view in self.VIEWS), listed)
        for view in self.VIEWS:
            what = [*([] if view == "playground" else [recording]), "--view", view, *further.get(view, [])]
            for language in ("en", "zh-CN"):
                with self.subTest(view=view, language=language):
                    page = self.folder / "view.html"
                    text = self.succeeds("show", *what, "--lang", language, "--text", "--out", page).out
                    self.assertGreater(len(text.splitlines()), 3, text)
                    html = self.page(page)
                    self.assertEqual(html.get("lang"), language)
                    title = html.find(".//h1").text
                    self.assertEqual(text.splitlines()[0], title)
                    told = [part for line in text.splitlines() for part in re.split("  +", line.removeprefix("- ").strip()) if part]
                    shown = " ".join(" ".join(html.itertext()).split())
                    for part in told:
                        self.assertIn(" ".join(part.split()), shown)
                    self.assertEqual(any("\u4e00" <= c <= "\u9fff" for c in text), language == "zh-CN")

    def test_tables_are_tables_and_marks_say_what_the_mouse_is_told(self):
        what = ["matmul/tiled", "--set", "width=32", "--machine-code", "off"]
        page = self.folder / "memory.html"
        self.succeeds("show", *what, "--view", "memory", "--out", page)
        rows = [["".join(cell.itertext()) for cell in row] for row in self.page(page).iter("tr")]
        self.assertTrue(any(len([cell for cell in row if cell]) >= 4 for row in rows), rows)
        text = self.succeeds("show", *what, "--view", "lanes", "--text").out
        self.assertIn("\nDetails\n- ", text)
        file = self.folder / "banks.txt"
        self.assertEqual(self.succeeds("show", *what, "--view", "banks", "--text", "--out", file).out, file.read_text())

    def test_what_is_no_text_is_refused(self):
        self.refuses("show", "matmul/tiled", "--view", "banks", "--text", "--out", self.folder / "a.png", saying=".html or .txt")
        self.refuses("show", "matmul/tiled", "--view", "banks", "--text", "--steps", "1:4", saying="of one step")


class Others(CommandTest):
    def test_without_the_toolkit_the_machine_is_modelled(self):
        nowhere = {"LOCKSTEP_TOOLKIT": str(self.folder / "nowhere")}
        run = self.succeeds("run", "matmul/tiled", "--set", "width=32", "--set", "tile=16", "--json", "-", environment=nowhere).json
        self.assertEqual((run["machine"]["source"], run["machine"]["compiler"], run["launch"]["registers"]), ("modelled", None, None))
        self.assertIn("run scripts/get-ptxas or install the CUDA toolkit", run["machine"]["why"])
        self.assertEqual({site["machine_source"] for site in run["sites"]}, {"modelled", None})
        said = self.succeeds("run", "matmul/tiled", "--set", "width=32", "--set", "tile=16", environment=nowhere).out
        self.assertIn("16 shared loads in 4 of 16 bytes", said)
        self.assertIn("(modeled)", said)
        self.assertIn("registers are not known: an upper bound", said)
        picture = self.folder / "machine.svg"
        self.succeeds("show", "matmul/tiled", "--view", "source", "--tab", "machine", "--out", picture, environment=nowhere)
        self.assertIn("scripts/get-ptxas", picture.read_text())

    @unittest.skipUnless(has_toolkit(), "ptxas and nvdisasm were not found; scripts/get-ptxas fetches them")
    def test_with_the_toolkit_the_machine_code_is_read(self):
        run = self.succeeds("run", "matmul/tiled", "--set", "width=32", "--set", "tile=16", "--json", "-").json
        self.assertEqual((run["machine"]["source"], run["machine"]["why"], run["machine"]["removed"]), ("from machine code", None, []))
        self.assertIsInstance(run["launch"]["registers"], int)
        # HARDWARE: a tile of 16 is 16 loads of 4 bytes along the column and 4 of 16 bytes along the row: 24 wavefronts a warp and tile;
        # 4 blocks of 8 warps, 2 tiles each.
        self.assertEqual(run["counters"]["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"], 24 * 4 * 8 * 2)
        self.assertEqual(run["launch"]["registers_source"], "from machine code")
        self.assertEqual({site["machine_source"] for site in run["sites"]}, {"from machine code", None})
        self.assertEqual({branch["machine_source"] for branch in run["branches"]} - {"from machine code", "modelled"}, set())
        said = self.succeeds("run", "matmul/tiled", "--set", "width=32", "--set", "tile=16").out
        self.assertIn("as the machine runs it (ptxas ", said)
        self.assertRegex(said, r"16 shared loads in 4 of 16 bytes: \S+ wavefronts instead of \S+ \(from SASS\)")
        self.assertRegex(said, r"occupancy .* registers per thread, from SASS\)")
        self.assertNotIn("from SASS", self.succeeds("run", "matmul/tiled", "--set", "width=32", "--machine-code", "off").out)
        self.assertIn("from SASS", self.succeeds("compare", "matmul/tiled", "matmul/naive", "--set", "width=32").out)
        picture = self.folder / "machine.svg"
        self.succeeds("show", "matmul/tiled", "--set", "width=32", "--view", "source", "--tab", "machine", "--out", picture)
        self.assertIn("LDS.128", picture.read_text())
        older = self.succeeds("run", "matmul/tiled", "--profile", "cc52", "--set", "width=32", "--json", "-").json
        self.assertEqual(older["machine"]["source"], "modelled")
        self.assertIn("sm_52", older["machine"]["why"])

    def test_a_tab_is_of_the_source_view(self):
        out = self.folder / "view.svg"
        self.refuses("show", "matmul/tiled", "--view", "stage", "--tab", "ptx", "--out", out, saying="--tab goes with --view source")
        self.refuses("show", "matmul/tiled", "--view", "source", "--tab", "sass", "--out", out, saying="the tabs are cuda, ptx, machine")
        self.succeeds("show", "matmul/tiled", "--view", "source", "--tab", "ptx", "--step", 60, "--out", out)
        self.assertIn("ld.shared.f32", out.read_text())
        self.assertIn("--view source --tab ptx", out.read_text())

    def test_the_registers_of_a_line_are_written_down(self):
        words = ["show", "matmul/tiled", "--set", "width=3", "--set", "tile=2", "--view", "source", "--registers"]
        held = self.succeeds(*words, "--block", "1,0", "--step", 35, "--json", "-").json
        self.assertEqual((held["block"], held["warp"], held["step"], held["lanes"], held["tab"]), ([1, 0, 0], 0, 35, 4, "cuda"))
        self.assertTrue(held["file"].endswith("tiled.cu"))
        by_meaning = {register["meaning"]: register for register in held["registers"]}
        self.assertEqual(by_meaning["&Mds[threadIdx.y][threadIdx.x]"]["values"], [0, 4, 8, 12])
        addresses = [register for register in held["registers"] if isinstance(register["values"][0], dict)]
        self.assertEqual({value["buffer"] for register in addresses for value in register["values"]}, {"M"})
        self.assertTrue(all(register["known"] == register["written"] == [0, 1, 2, 3] for register in addresses))
        ptx = self.succeeds(*words, "--step", 1, "--tab", "ptx", "--json", "-").json
        self.assertEqual((ptx["file"], ptx["pc"]), (None, 0))
        picture = self.folder / "registers.svg"
        self.succeeds(*words, "--json", self.folder / "registers.json", "--out", picture)
        self.assertTrue(picture.exists() and (self.folder / "registers.json").exists())
        self.refuses("show", "matmul/tiled", "--view", "source", "--json", "-", saying="--registers")
        self.refuses("show", "matmul/tiled", "--view", "lanes", "--registers", "--json", "-", saying="--view source")

    def test_registers_of_a_function_that_is_called(self):
        text = self.file("k.ptx", """.version 7.8
.target sm_90
.address_size 64
.func (.param .b32 result) triple(.param .b32 a)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [a];
    mul.lo.u32 %r2, %r1, 3;
    st.param.b32 [result], %r2;
    ret;
}
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    mov.u32 %r1, %tid.x;
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), triple, (x); ld.param.b32 %r2, [y]; }
    ld.param.u64 %d1, [out];
    st.global.u32 [%d1], %r2;
    ret;
}
""")
        recorded = self.folder / "k.lks"
        self.succeeds("run", text, "--grid", 1, "--block", 4, "--arg", "u32[4]=zero", "--backend", "emulator", "--save", recorded, status=KERNEL_IS_WRONG)  # all write one place
        at = lambda step: self.succeeds("show", recorded, "--view", "source", "--tab", "ptx", "--registers", "--step", step, "--json", "-").json
        inside = at(5)  # mov, st.param, call, ld.param, mul
        self.assertEqual(inside["function"], "triple")
        self.assertEqual({register["name"]: register["values"] for register in inside["registers"]}, {"%r1": [0, 1, 2, 3], "%r2": [0, 3, 6, 9]})
        back = at(8)
        self.assertEqual((back["function"], {register["name"]: register["values"] for register in back["registers"]}), ("k", {"%r1": [0, 1, 2, 3], "%r2": [0, 3, 6, 9]}))

    def test_reading_from_l2_has_a_bound_where_its_bandwidth_has_a_source(self):
        run = self.succeeds("run", "transpose/naive", "--set", "rows=256", "--set", "columns=256", "--backend", "emulator", "--json", "-").json
        l2 = next(row for row in run["bounds"]["resources"] if row["resource"] == "l2")
        self.assertEqual(l2["amount"], 32 * run["counters"]["lts__t_sectors_srcunit_tex_op_read"])
        self.assertAlmostEqual(l2["least_ms"], 1e3 * l2["amount"] / 10.28e12)
        self.assertEqual(run["bounds"]["without_bound"], [])
        other = self.succeeds("run", "transpose/naive", "--profile", "cc80", "--backend", "emulator", "--json", "-").json["bounds"]
        self.assertEqual(other["without_bound"], [{"resource": "l2", "why": "no sourced bandwidth"}])

    def test_doctor(self):
        doctor = self.succeeds("doctor", "--json", "-").json
        self.assertLessEqual({"gpu", "driver", "nvrtc", "toolkit", "cupti", "counters", "opengl", "fonts", "advice"}, keys_of(doctor))
        self.assertIsInstance(doctor["gpu"], list)
        self.assertIsInstance(doctor["advice"], list)
        self.assertIn("fonts", self.succeeds("doctor").out)

    def test_completion_is_a_script_that_bash_takes(self):
        script = self.succeeds("completion", "bash").out
        if shutil.which("bash"):
            self.assertEqual(subprocess.run(["bash", "-n"], input=script.encode()).returncode, 0)
            words = subprocess.run(["bash", "-c", script + '\nCOMP_WORDS=(lockstep run --fo) COMP_CWORD=2; _lockstep; echo "${COMPREPLY[@]}"'],
                                   capture_output=True, env={**os.environ, "PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]})
            self.assertEqual(words.stdout.decode().split(), ["--focus"])

    def test_every_command_has_help_with_an_example(self):
        commands = ("window", "list", "run", "access", "show", "shot", "doctor", "texts", "completion")
        self.assertLessEqual(set(commands), set(self.succeeds("--help").out.split()))
        for command in commands:
            with self.subTest(command):
                self.assertIn("Example:\n  ", self.succeeds(command, "--help").out)
        self.assertRegex(self.succeeds("--version").out, r"^lockstep \d+\.\d+")


if __name__ == "__main__":
    unittest.main()
