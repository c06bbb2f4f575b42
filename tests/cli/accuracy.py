"""docs/internals/accuracy.md: the model's counters against those of a profiler, kernel by kernel, and why they differ where they do;
then what it expects of the compiler against machine code.

Writes it when run: LOCKSTEP_PROGRAM=build/release/lockstep python3 tests/cli/accuracy.py > docs/internals/accuracy.md
"""

import csv

from counters_test import words_of
from lockstep import TRUTH, lockstep
from truth_test import OWN, command_of, read_cases
from wavefronts import CONFLICTS, TOLERANCE, WAVEFRONTS, number

GLOBAL = [(f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}", f"{what}, {word}") for op, word in
          (("ld", "loads"), ("st", "stores"), ("atom", "atomics"), ("red", "reductions")) for what in ("requests", "sectors")]
SHARED = [(op, word) for op, word in (("ld", "loads"), ("st", "stores"), ("atom", "atomics"))]

# Simulated: what may differ, and why (docs/internals/caches.md).
CACHES = [("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit", "L1 hits, loads", "which blocks share an SM"),
          ("lts__t_sectors_srcunit_tex_op_read", "L2 sectors, reads", "which requests of several SMs meet"),
          ("lts__t_sectors_srcunit_tex_op_write", "L2 sectors, writes", "which stores meet on the way"),
          ("dram__sectors_read", "device memory sectors, reads", "parameters and machine code")]

# This page is about the model, on every machine the same.
MODELED = ("--machine-code", "off")

HEAD = """# How exact the figures are

Counters of the model for profile cc90 against those of an H200 (driver 580, CUDA 13.0; `tests/truth`), summed over the grid. A test
writes this page again and compares. The same kernels, from the same source, were run in the emulator.

- Global memory: requests and sectors are identical from run to run on the hardware; they must be equal here.
- Shared memory: a profiler counts passes that arbitration repeats too, as conflicts: up to 2.4% of conflict-free loads and 17% of
  stores. Where the model finds no conflict of the kernel's own, it is compared with what was counted less the conflicts counted. The
  figures are those of machine code: ptxas merges neighboring loads and stores, and the model follows it.
- Caches are simulated ([caches.md](caches.md)). Of device memory, a launch reads some tens of sectors for itself.

What the model does not follow, learned by comparing it with machine code (ptxas 13.0 for cc 9.0):

- Merging agrees on 527 of 528 instances of the catalog's kernels. In the other one (`matmul/register-1d`, tile 64 x 8) ptxas unrolls
  a loop of four turns and merges loads of two turns to 16 bytes, where the model has 8.
- Loads on the two sides of a branch that is predicated may be merged; the model keeps them apart.
- Bytes are never merged, shorts into 4 or 8 bytes; vectors of them, with neighbors of another form, here and there: the model leaves those alone.
- Which branches are predicated is a rule of thumb: right for 97% of 3,196 branches (those of the PTX in
  `assets/ptx` and in `tests`; `accuracy_bench compiler`).
- Atomic operations on floats and 64-bit words of shared memory are loops of load, compare and swap. The rounds that the lanes of one
  warp lose to each other are counted; those that warps lose to other warps at the same words depend on when they come, and are not: two
  warps at one word took 342 wavefronts on an H200, where the model has 176.
- Before cc 5.x nothing is merged, for the compilers of that time are not known. Registers are not known without machine code, so that
  occupancy is an upper bound.

"""


# Where this is the compiler, machine code is always the same.
COMPILER = "ptxas 13.0.88"
MACHINE_HEAD = f"""
## The compiler's part

What the model expects of the compiler, against machine code ({COMPILER}, sm_90), over the catalog at its default sizes: loads and stores
of shared memory that become what was expected of them (as written, part of a wider one, or nothing), and branches of the expected form.
Where the toolkit is installed, machine code is used and nothing is expected ([machine-code.md](../guide/machine-code.md)).

| Kernel | Shared accesses | as expected | Branches | as expected | Expected, found |
|---|---:|---:|---:|---:|---|
"""


def row_of(kernel, metric, ours, measured, reason):
    difference = "0" if ours == measured else f"{100 * (ours - measured) / measured:+.2f}%" if measured else "all"
    return f"| {kernel} | {metric} | {ours} | {measured} | {difference} | {reason} |"


def reason_of(ours, own_conflicts, measured, conflicts):
    if ours == measured:
        return ""
    if own_conflicts == 0 and ours == measured - conflicts:
        return f"equal without the {conflicts} conflicts of arbitration"
    if own_conflicts == 0 and conflicts and abs(ours - (measured - conflicts)) <= TOLERANCE * measured:
        return f"{conflicts} conflicts of arbitration"
    if abs(ours - measured) <= TOLERANCE * measured:
        return "arbitration"
    return "not explained"


def rows_of(kernel, counters, row):
    rows = []
    for metric, name in GLOBAL:
        measured = row.get(metric, "0")
        if counters[metric] or measured not in ("", "0"):
            rows.append(row_of(kernel, "global: " + name, counters[metric], number(measured), ""))
    for metric, name, reason in CACHES:
        ours, measured = counters[metric], number(row.get(metric) or "0")
        if ours or measured:
            rows.append(row_of(kernel, "caches: " + name, ours, measured, "" if ours == measured else reason))
    for op, name in SHARED:
        ours, measured = counters[WAVEFRONTS + op], number(row.get(WAVEFRONTS + op) or "0")
        if ours or measured:
            reason = reason_of(ours, counters[CONFLICTS + op], measured, number(row.get(CONFLICTS + op) or "0"))
            rows.append(row_of(kernel, "shared: wavefronts, " + name, ours, measured, reason))
    return rows


def page():
    rows = []
    with open(TRUTH / "ncu_h200.csv", newline="") as file:
        for row in csv.DictReader(file):
            rows += rows_of(row["case"], lockstep(*words_of(row), *MODELED, folder=TRUTH).json["counters"], row)
    with open(OWN / "counters.csv", newline="") as file:
        measured = {row["id"]: row for row in csv.DictReader(file)}
    for case in read_cases():
        if case["id"] in measured:
            answer = lockstep(*command_of(case), *MODELED, "--json", "-", folder=OWN)
            rows += rows_of(case["id"], answer.json["counters"], measured[case["id"]])
    head = "| Kernel | Figure | Model | Measured | Difference | Why |\n|---|---|---:|---:|---:|---|\n"
    return HEAD + head + "\n".join(rows) + "\n"


def machine_row(kernel, run):
    shared = [site for site in run["sites"] if site["space"] == "shared" and site["op"] in ("load", "store")]
    forms = ("branch", "predication", "exit")
    other = run["machine"]["differences"]
    branches = [difference for difference in other if difference["modelled"] in forms]
    found = sorted({f"{difference['modelled']}: {difference['machine']}" for difference in other})
    differing = len({(difference["launch"], difference["pc"]) for difference in other}) - len(branches)
    return (len(shared), len(shared) - differing, len(run["branches"]), len(run["branches"]) - len(branches), "; ".join(found))


def machine_page():
    """Needs the toolkit, of that version."""
    rows, total = [], [0, 0, 0, 0]
    for family in lockstep("list", "--json", "-").json["families"]:
        for variant in family["variants"]:
            kernel = f"{family['name']}/{variant['name']}"
            run = lockstep("run", kernel, "--backend", "emulator", "--caches", "off", "--json", "-").json
            row = machine_row(kernel, run)
            total = [before + more for before, more in zip(total, row)]
            rows.append(f"| {kernel} | " + " | ".join(str(cell) for cell in row) + " |")
    rows.append("| **all** | " + " | ".join(f"**{sum}**" for sum in total) + " |  |")
    return MACHINE_HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(page() + machine_page(), end="")
