#!/usr/bin/env python3
"""Turns what measure.py wrote into the text files of ../measured: per form a fingerprint of all tuples and some of them to read.

usage: summarise.py <folder with forms.txt, operands.bin> <folder with measured.txt, measured.bin> <output folder>
"""
import array
import collections
import sys
import zlib

TUPLES, MOST_SOURCES = 2048, 5
KINDS = ["i16", "i32", "i64", "amount", "f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "i16x2", "pred", "members", "table"]
DIGITS = {"i16": 4, "f16": 4, "bf16": 4, "i64": 16, "f64": 16, "pred": 1, "table": 2}
HEADER = """# {base}: what an NVIDIA H200 computes (driver 580.159, ptxas 13.0, sm_90), bits in hexadecimal.
# A form and the fingerprint of its results on the 2048 tuples of operands.h; below it some tuples, number: sources -> results.
"""


def fingerprint(block):
    """FNV-1a over 32-bit words."""
    value = 0xCBF29CE484222325
    for word in array.array("I", block):
        value = (value ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def unpack(block, storages):
    results, at = [], 0
    for storage in storages:
        if storage == "p":
            size = TUPLES // 8
            results.append([block[at + t // 8] >> t % 8 & 1 for t in range(TUPLES)])
        else:
            size = TUPLES * (8 if storage == "d" else 4)
            results.append(array.array("Q" if storage == "d" else "I", block[at:at + size]))
        at += size
    return results


def main():
    inputs, outputs, target = sys.argv[1:4]
    operands = array.array("Q", open(f"{inputs}/operands.bin", "rb").read())
    rows = {line.split(" ")[0]: line.split() for line in open(f"{inputs}/forms.txt")}
    blob = open(f"{outputs}/measured.bin", "rb")
    texts = collections.defaultdict(list)
    for line in open(f"{outputs}/measured.txt"):
        form, size = line.split()
        block = zlib.decompress(blob.read(int(size)))
        storages, kinds = rows[form][1], rows[form][3 if len(rows[form]) > 3 else 2:]
        results = unpack(block, storages)
        base = form.split(".")[0]
        lines = texts[base]
        lines.append(f"{form} {fingerprint(block):016x}")
        seen, most = set(), 2 if base in ("set", "setp") else 4
        for step in range(TUPLES):
            t = (step * 389 + 1536) % TUPLES  # the special edges first, then all over
            found = tuple(r[t] for r in results)
            if found in seen:
                continue
            seen.add(found)
            sources = [f"{operands[(KINDS.index(k) * MOST_SOURCES + i) * TUPLES + t]:0{DIGITS.get(k, 8)}x}" for i, k in enumerate(kinds)]
            values = [f"{v:0{ {'p': 1, 'd': 16, 'w': 8}[s]}x}" for v, s in zip(found, storages)]
            lines.append(f"  {t}: {' '.join(sources)} -> {' '.join(values)}")
            if len(seen) == most:
                break
    for base, lines in texts.items():
        with open(f"{target}/{base}.txt", "w") as out:
            out.write(HEADER.format(base=base) + "\n".join(lines) + "\n")


main()
