#!/usr/bin/env python3
"""Finds the special function unit's coefficients in what measure.py --functions wrote, and prints the rows of
engine/simt/opcodes/special_function_tables.h. Needs NumPy and SciPy; takes minutes.

usage: fit_special_functions.py <folder with functions.txt, functions*.bin>

A result y is what is left of an exact sum cut to 24 bits: y <= c0 + c1*t/2^17 + c2*square(t)/2^15 < y + one unit of its last place. A linear
programme over some arguments finds the middle of what is possible; c1 and c2 are integers, so it is rounded and every argument checked.
"""
import sys
import zlib

import numpy as np
from scipy.optimize import linprog

REFERENCES = {"rcp": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x), "sqrt": np.sqrt, "ex2": np.exp2, "lg2": np.log2, "sin": np.sin, "tanh": np.tanh}
TANGENT_BITS = {-8: 0, -7: 0, -6: 0, -5: 1, -4: 1, -3: 2, -2: 2, -1: 2, 0: 3, 1: 4, 2: 3}


def squares():
    """t*t / 2^19 of 17 bits without the partial products of the columns below 19."""
    t = np.arange(1 << 17, dtype=np.int64)
    total = np.zeros_like(t)
    for i in range(17):
        total += (t >> i & 1) << 2 * i if 2 * i >= 19 else 0
        for j in range(i + 1, 17):
            total += (t >> i & t >> j & 1) << (i + j + 1) if i + j + 1 >= 19 else 0
    return total >> 19


def measured(folder, function):
    """{exponent: (arguments' bits, results' bits)} of the positive binades."""
    at, binades = {}, {}
    for line in open(f"{folder}/functions.txt"):
        name, low, stride, count, part, size = line.split()
        low, stride, count, size = int(low), int(stride), int(count), int(size)
        start = at.get(part, 0)
        at[part] = start + size
        if name.split(".")[0] != function or not name.endswith("f32") or low >> 31 or low in (b[0][0] for b in binades.values()):
            continue
        with open(f"{folder}/functions{part}.bin", "rb") as blob:
            blob.seek(start)
            distance = np.frombuffer(zlib.decompress(blob.read(size)), np.int32)
        bits = np.uint32(low) + np.arange(count, dtype=np.uint32) * np.uint32(stride)
        nearest = REFERENCES[function](bits.view(np.float32).astype(np.float64)).astype(np.float32).view(np.int32)
        binades[(low >> 23) - 127] = (bits, (nearest + distance).view(np.uint32))
    return binades


def bounds(results, unit):
    """Between which values, in units of 2^-unit, the sum before it was cut lies."""
    last_place = 2.0 ** ((results >> 23).astype(int) - 150 + unit)
    low = results.view(np.float32).astype(np.float64) * 2.0**unit
    return low, low + last_place


def fitted(t, low, high, square):
    sample = np.sort(np.random.default_rng(1).choice(len(t), min(4000, len(t)), replace=False))
    terms = np.stack([np.ones(len(t)), t / 2.0**17, square[t] / 2.0**15], 1)
    ones, base = np.ones((len(sample), 1)), low[sample[0]]
    solved = linprog([0, 0, 0, -1], A_ub=np.block([[-terms[sample], ones], [terms[sample], ones]]),
                     b_ub=np.concatenate([base - low[sample], high[sample] - base]), bounds=[(None, None)] * 3 + [(None, 1)], method="highs").x
    for grid in (16, 8, 4, 2, 1):  # the coefficients end in zeros: the roundest that fit are the unit's
        c1, c2 = (round(value / grid) * grid for value in solved[1:3])
        rest = terms[:, 1] * c1 + terms[:, 2] * c2
        least, most = np.ceil((low - rest).max() * 2**17 - 1e-6), (high - rest).min() * 2**17
        for zeros in range(24, -1, -1):
            c0 = -(-int(least) >> zeros) << zeros
            if c0 < most:
                return f"{{{c0}, {c1}, {c2}}},"
    raise ValueError("no integers fit")


def rows(name, position, results, unit, segment_bits, square):
    """`position` has segment_bits + 17 bits per argument; prints a row per segment."""
    position, first = np.unique(position, return_index=True)
    low, high = bounds(results[first], unit)
    print(f"{name}:")
    for segment in range(1 << segment_bits):
        inside = (position >> 17 == segment) & (position > 0)  # at 0 some functions are exact by themselves
        print(" ", fitted(position[inside] & 0x1FFFF, low[inside], high[inside], square), flush=True)


def main():
    folder, square = sys.argv[1], squares()
    for function, exponents, unit in (("rsqrt", (0, 1), 24), ("sqrt", (0, 1), 25), ("ex2", (0,), 22), ("lg2", (0,), 23)):
        binades = measured(folder, function)
        for exponent in exponents:
            bits, results = binades[exponent]
            rows(f"{function} of binade {exponent}", (bits & 0x7FFFFF).astype(np.int64), results, unit, 6, square)
    bits, results = measured(folder, "rcp")[0]
    rows("rcp", (bits & 0x7FFFFF).astype(np.int64) << 1, results, 24, 7, square)

    turns, sines = [], []
    for bits, results in measured(folder, "sin").values():
        product = bits.view(np.float32).astype(np.float64) * np.float64(np.uint32(0x3E22F983).view(np.float32))
        cut = np.trunc(product * 2.0 ** (23 - np.floor(np.log2(product)))) / 2.0 ** (23 - np.floor(np.log2(product)))
        turn = np.trunc(cut * 2.0**25).astype(np.int64)
        turns.append(turn[turn < 1 << 23])
        sines.append(results[turn < 1 << 23])
    rows("sin", np.concatenate(turns), np.concatenate(sines), 24, 6, square)

    tangents = measured(folder, "tanh")
    for exponent, segment_bits in TANGENT_BITS.items():
        bits, results = tangents[exponent]
        position = (bits & 0x7FFFFF).astype(np.int64) >> (6 - segment_bits)
        rows(f"tanh of binade {exponent}", position, results, 24 - min(exponent + 1, 0), segment_bits, square)


main()
