"""Wavefronts of shared memory, ours against what a profiler counted over a grid."""

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"

# Over a whole grid the profiler counts passes that arbitration repeats, as conflicts: up to 2.4 % of conflict-free loads, up to 17 %
# of stores. Kernels without conflicts of their own are compared with what it counted less its conflicts.
TOLERANCE = 0.015


def number(cell):
    """A cell of own/counters.csv: "v" or "v (low..high)" where three runs differ."""
    return int(cell.split()[0])


def wavefronts_differ(counters, row, operation):
    """None, or what is wrong with the wavefronts of loads, stores or atomics."""
    ours, own_conflicts = counters[WAVEFRONTS + operation], counters[CONFLICTS + operation]
    measured, conflicts = number(row[WAVEFRONTS + operation]), number(row[CONFLICTS + operation])
    wanted = [measured] + ([measured - conflicts] if own_conflicts == 0 else [])
    if any(abs(ours - value) <= TOLERANCE * value for value in wanted):
        return None
    return f"{operation}: {ours} with {own_conflicts} conflicts; measured {measured} with {conflicts}"
