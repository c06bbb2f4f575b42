#!/usr/bin/env python3
"""Runs the kernels of generate.py on the GPU. Writes measured.bin: for every form, in the order of forms.txt, zlib-compressed results.

Layout: lines "form size\n" in measured.txt; measured.bin holds the blocks one after the other. A block is, per result, the tuples' bits:
u16, u32 or u64 by the result's width, predicates as bits. With --functions it also writes functions.bin: the approximate functions over
whole binades (zlib of i32 distances in units of the last place from the nearest single, or of the raw words).
"""
import ctypes
import struct
import sys
import zlib

import numpy as np

TUPLES = 2048
cuda = ctypes.CDLL("libcuda.so.1")


def check(code):
    if code != 0:
        name = ctypes.c_char_p()
        cuda.cuGetErrorString(code, ctypes.byref(name))
        sys.exit(f"driver: {code} {name.value}")


def setup():
    check(cuda.cuInit(0))
    device, context = ctypes.c_int(), ctypes.c_void_p()
    check(cuda.cuDeviceGet(ctypes.byref(device), 0))
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    check(cuda.cuCtxSetCurrent(context))


def allocate(size):
    pointer = ctypes.c_uint64()
    check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)))
    return pointer


def load(path):
    module = ctypes.c_void_p()
    check(cuda.cuModuleLoadData(ctypes.byref(module), ctypes.c_char_p(open(path, "rb").read() + b"\0")))
    return module


def launch(module, name, blocks, threads, *arguments):
    function = ctypes.c_void_p()
    code = cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode())
    if code == 500:
        return False
    check(code)
    pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in arguments])
    check(cuda.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, None, pointers, None))
    return True


def fetch(pointer, dtype, count, offset=0):
    host = np.empty(count, dtype)
    check(cuda.cuMemcpyDtoH_v2(host.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(pointer.value + offset), ctypes.c_size_t(host.nbytes)))
    return host


def measure_forms(out):
    operands = open("operands.bin", "rb").read()
    inputs = allocate(len(operands))
    check(cuda.cuMemcpyHtoD_v2(inputs, operands, ctypes.c_size_t(len(operands))))
    per_form, size = 2 * TUPLES * 8, 600
    results = allocate(per_form * size)
    rows = [line.rstrip("\n").split(" ") for line in open("forms.txt")]
    index, blob = open(f"{out}/measured.txt", "w"), open(f"{out}/measured.bin", "wb")
    for first in range(0, len(rows), size):
        module = load(f"module{first // size}.cubin")
        ran = [launch(module, f"k{n}", TUPLES // 256, 256, inputs, ctypes.c_uint64(results.value + (n - first) * per_form))
               for n in range(first, min(first + size, len(rows)))]
        check(cuda.cuCtxSynchronize())
        words = fetch(results, np.uint64, size * 2 * TUPLES).reshape(size, 2, TUPLES)
        for i, worked in enumerate(ran):
            form, storages = rows[first + i][0], rows[first + i][1]
            if not worked:
                continue
            block = b""
            for r, storage in enumerate(storages):
                values = words[i][r]
                if storage == "p":
                    block += np.packbits(values.astype(np.uint8), bitorder="little").tobytes()
                else:
                    block += values.astype(np.uint64 if storage == "d" else np.uint32).tobytes()
            packed = zlib.compress(block, 9)
            index.write(f"{form} {len(packed)}\n")
            blob.write(packed)
        check(cuda.cuModuleUnload(module))
    print(len(rows), "forms,", blob.tell(), "bytes")


# name, instruction, bits of the first input, distance between inputs, how many, reference in doubles
def functions():
    def rows(name, reference, binades, count):
        return [(name, low, (1 << 23) // count, count, reference) for low in binades]

    def binade(exponent, negative=False):
        return (0x80000000 if negative else 0) | (127 + exponent) << 23

    full, some = 1 << 23, 1 << 18
    sweep = lambda low, high: [binade(e, s) for e in range(low, high) for s in (False, True)]
    inverse = lambda x: 1 / x
    inverse_root = lambda x: 1 / np.sqrt(x)
    yield from rows("rcp.approx.ftz.f32", inverse, [binade(0)], full)
    yield from rows("rcp.approx.ftz.f32", inverse, [binade(-126), binade(5, True), binade(125), binade(126)], some)
    yield from rows("rsqrt.approx.ftz.f32", inverse_root, [binade(0), binade(1)], full)
    yield from rows("rsqrt.approx.ftz.f32", inverse_root, [binade(-126), binade(-125), binade(126), binade(127)], some)
    yield from rows("sqrt.approx.ftz.f32", np.sqrt, [binade(0), binade(1)], full)
    yield from rows("ex2.approx.ftz.f32", np.exp2, [binade(0), binade(0, True), binade(-1)], full)
    yield from rows("ex2.approx.ftz.f32", np.exp2, sweep(-26, 7), some)
    yield from rows("lg2.approx.ftz.f32", np.log2, [binade(0), binade(-1)], full)
    yield from rows("lg2.approx.ftz.f32", np.log2, [binade(e) for e in (-126, -64, -20, -8, -4, -2, 1, 2, 3, 4, 8, 16, 33, 64, 127)], some)
    yield from rows("sin.approx.ftz.f32", np.sin, [binade(0), binade(1)], full)
    yield from rows("sin.approx.ftz.f32", np.sin, sweep(-27, 12) + sweep(20, 22), some)
    yield from rows("cos.approx.ftz.f32", np.cos, [binade(0), binade(1)], full)
    yield from rows("cos.approx.ftz.f32", np.cos, sweep(-27, 12) + sweep(20, 22), some)
    yield from rows("tanh.approx.f32", np.tanh, [binade(-1), binade(0)], full)
    yield from rows("tanh.approx.f32", np.tanh, sweep(-14, 5), some)


def measure_functions(out):
    module = load("functions.cubin")
    results = allocate(4 << 23)
    index, blobs, part = open(f"{out}/functions.txt", "w"), [], 0
    blob = open(f"{out}/functions0.bin", "wb")
    for name, low, stride, count, reference in functions():
        kernel = "f_" + name.replace(".", "_")
        assert launch(module, kernel, count // 256, 256, results, ctypes.c_uint32(low), ctypes.c_uint32(stride))
        check(cuda.cuCtxSynchronize())
        got = fetch(results, np.int32, count)
        x = (np.uint32(low) + np.arange(count, dtype=np.uint32) * np.uint32(stride)).view(np.float32)
        want = reference(x.astype(np.float64)).astype(np.float32).view(np.int32)
        packed = zlib.compress((got - want).astype(np.int32).tobytes(), 6)
        if blob.tell() + len(packed) > 15 << 20:
            part += 1
            blob = open(f"{out}/functions{part}.bin", "wb")
        blob.write(packed)
        index.write(f"{name} {low} {stride} {count} {part} {len(packed)}\n")
    for name, low, count in (("rcp.approx.ftz.f64", 0x3ff00000, 1 << 20), ("rsqrt.approx.ftz.f64", 0x3ff00000, 1 << 21),
                             ("ex2.approx.f16", 0, 65536), ("ex2.approx.ftz.bf16", 0, 65536), ("tanh.approx.f16", 0, 65536), ("tanh.approx.bf16", 0, 65536)):
        assert launch(module, "f_" + name.replace(".", "_"), count // 256, 256, results, ctypes.c_uint32(low), ctypes.c_uint32(1))
        check(cuda.cuCtxSynchronize())
        got = fetch(results, np.uint32, count)
        packed = zlib.compress(got.tobytes(), 6)
        if blob.tell() + len(packed) > 15 << 20:
            part += 1
            blob = open(f"{out}/functions{part}.bin", "wb")
        blob.write(packed)
        index.write(f"{name} {low} 1 {count} {part} {len(packed)}\n")
    print(part + 1, "function files")


if __name__ == "__main__":
    setup()
    measure_forms(sys.argv[1])
    if "--functions" in sys.argv:
        measure_functions(sys.argv[1])
