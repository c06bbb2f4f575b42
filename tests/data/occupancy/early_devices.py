#!/usr/bin/env python3
"""Writes early_devices.csv: blocks on one multiprocessor of cc 1.x and 2.0, in the form of occupancy.csv.

    ./early_devices.py > early_devices.csv

Today's cuda_occupancy.h knows these devices no more. The rules are those that the header and the occupancy spreadsheet of the CUDA toolkits
6.5 to 8.0 state, written down here anew, apart from the program's own: cc 1.x gives a block its registers as one piece and its warps in
pairs; cc 2.x gives each warp its own, in units of 64, or of 128 for eight counts of registers, out of two halves of the file.
"""
from math import ceil

# threads an SM, shared bytes, registers, threads a block, registers a thread, unit of registers, of shared memory
DEVICES = {
    "cc10": (768, 16384, 8192, 512, 124, 256, 512),
    "cc11": (768, 16384, 8192, 512, 124, 256, 512),
    "cc12": (1024, 16384, 16384, 512, 124, 512, 512),
    "cc13": (1024, 16384, 16384, 512, 124, 512, 512),
    "cc20": (1536, 49152, 32768, 1024, 63, 64, 128),
}
THREADS = [1, 32, 33, 64, 96, 128, 160, 192, 224, 256, 320, 384, 480, 512, 640, 768, 1000, 1024]
SHARED = [0, 1, 1000, 2048, 4096, 8448, 16384, 16385, 24576, 49152, 49153]
REGISTERS = [1, 8, 10, 11, 16, 20, 21, 22, 23, 24, 28, 29, 30, 31, 32, 33, 37, 38, 39, 45, 46, 47, 56, 63, 64, 124, 125]
BLOCKS = 8


def up(value, unit):
    return ceil(value / unit) * unit


def blocks(name, threads, shared, registers):
    sm_threads, sm_shared, file, most_threads, most_registers, unit, shared_unit = DEVICES[name]
    if threads > most_threads or shared > sm_shared or registers > most_registers:
        return 0
    warps = ceil(threads / 32)
    limits = [BLOCKS]
    if shared:
        limits.append(sm_shared // up(shared, shared_unit))
    if name == "cc20":
        if registers in (21, 22, 29, 30, 37, 38, 45, 46):
            unit = 128
        a_warp = up(32 * registers, unit)
        limits.append(sm_threads // 32 // warps)
        limits.append(0 if a_warp * up(warps, 2) > file else file // 2 // a_warp * 2 // warps)
    else:
        limits.append(sm_threads // 32 // up(warps, 2))
        limits.append(file // up(up(warps, 2) * 32 * registers, unit))
    return min(limits)


print("profile,threads,shared_bytes," + ",".join(f"r{count}" for count in REGISTERS))
for device in DEVICES:
    for threads in THREADS:
        for shared in SHARED:
            print(device, threads, shared, *(blocks(device, threads, shared, count) for count in REGISTERS), sep=",")
