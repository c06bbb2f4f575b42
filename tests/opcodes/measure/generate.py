#!/usr/bin/env python3
"""Reads forms.txt, writes one PTX kernel per form and has ptxas assemble them (modules of many kernels).

Kernel k<n> of form n: (operands, results). Operand o of thread t is at operands[kind][o][t]; result r goes to
results[r*tuples + t] as u64 (a predicate as 0 or 1). Forms that ptxas refuses for the target are listed in refused.txt.
"""
import re
import subprocess
import sys

TUPLES = 2048
MOST_SOURCES = 5
KINDS = ["i16", "i32", "i64", "amount", "f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "i16x2", "pred", "members", "table"]
NARROW = {"u16", "s16", "b16", "f16", "bf16", "e4m3x2", "e5m2x2"}
TYPES = NARROW | {"u8", "s8", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64", "f16x2", "bf16x2", "u16x2", "s16x2", "tf32", "pred"}
TARGET = sys.argv[1] if len(sys.argv) > 1 else "sm_90"


def result_class(form, storage):
    if storage == "p":
        return "pred"
    if storage == "d":
        return "b64"
    words = form.split(".")
    types = [w for w in words if w in TYPES]
    if "wide" in words or "pack" in words or words[0] in ("popc", "clz", "bfind", "vote", "match", "shfl", "redux"):
        return "b32"
    return "b16" if types and types[0] in NARROW else "b32"


def source_class(kind, storage):
    if storage in "pd":
        return {"p": "pred", "d": "b64"}[storage]
    return "b16" if kind in ("i16", "f16", "bf16") else "b32"


def kernel(number, form, results, sources, kinds):
    pair = form.endswith("|q")
    name = form[:-2] if pair else form
    words = name.split(".")
    carry_out = "cc" in words
    carry_in = words[0] in ("addc", "subc", "madc")
    body, out_names, in_names = [], [], []
    for i, (kind, storage) in enumerate(zip(kinds, sources)):
        offset = (KINDS.index(kind) * MOST_SOURCES + i) * TUPLES * 8
        body.append(f"ld.global.u64 %wide, [%in+{offset}];")
        cls = source_class(kind, storage)
        if kind == "table":
            in_names.append("0xca")
            continue
        register = f"%s{i}"
        body.append(f".reg .{cls} {register};")
        if cls == "pred":
            body.append(f"setp.ne.u64 {register}, %wide, 0;")
        elif cls == "b64":
            body.append(f"mov.b64 {register}, %wide;")
        else:
            body.append(f"cvt.u{cls[1:]}.u64 {register}, %wide;")
        in_names.append(register)
    for i, storage in enumerate(results):
        body.append(f".reg .{result_class(name, storage)} %d{i};")
        out_names.append(f"%d{i}")
    subtracts = words[0] in ("sub", "subc")
    if carry_in:
        carry = in_names.pop()
        body.append(f"selp.u32 %r0, 1, 0, {carry};")
        body.append("sub.cc.u32 %r1, 0, %r0;" if subtracts else "add.cc.u32 %r1, %r0, 0xffffffff;")
    destination = out_names[0] if carry_out or len(out_names) == 1 else "|".join(out_names)
    operands = ", ".join([destination] + in_names)
    body.append(f"{name} {operands};")
    if carry_out:
        body.append("subc.u32 %r0, 0, 0;" if subtracts else "addc.u32 %r0, 0, 0;")
        body.append("setp.ne.u32 %d1, %r0, 0;")
    for i, storage in enumerate(results):
        cls = result_class(name, storage)
        if cls == "pred":
            body.append(f"selp.u64 %wide, 1, 0, %d{i};")
        elif cls == "b64":
            body.append(f"mov.b64 %wide, %d{i};")
        else:
            body.append(f"cvt.u64.u{cls[1:]} %wide, %d{i};")
        body.append(f"st.global.u64 [%out+{i * TUPLES * 8}], %wide;")
    lines = "\n".join("  " + line for line in body)
    return f"""// {form}
.visible .entry k{number}(.param .u64 operands, .param .u64 results) {{
  .reg .u64 %in, %out, %wide, %at; .reg .u32 %r0, %r1, %r2;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r0, %r1, %r2, %r0;
  mul.wide.u32 %at, %r0, 8; ld.param.u64 %in, [operands]; ld.param.u64 %out, [results];
  add.u64 %in, %in, %at; add.u64 %out, %out, %at;
{lines}
  ret;
}}
"""


def assemble(entries, index):
    """Assembles what ptxas takes of `entries`; returns [(number, message)] of the others."""
    refused = []
    while entries:
        text, owner = f".version 9.0\n.target {TARGET}\n.address_size 64\n", []
        owner += [None] * text.count("\n")
        for number, source in entries:
            text += source
            owner += [number] * source.count("\n")
        path = f"module{index}.ptx"
        open(path, "w").write(text)
        done = subprocess.run(["ptxas", f"-arch={TARGET}", path, "-o", f"module{index}.cubin"], capture_output=True, text=True)
        if done.returncode == 0:
            return refused
        bad = {}
        for line, message in re.findall(r"line (\d+); error\s*: (.*)", done.stderr):
            if owner[int(line) - 1] is not None:
                bad.setdefault(owner[int(line) - 1], message)
        if not bad:
            print(done.stderr[:2000])
            sys.exit(1)
        refused += bad.items()
        entries = [e for e in entries if e[0] not in bad]
    return refused


def function_module():
    """f_<instruction>(results, low, stride): thread t computes the instruction of the bits low + t*stride (of a double: its upper word)."""
    def kernel(name, load, store):
        return f""".visible .entry f_{name.replace(".", "_")}(.param .u64 results, .param .u32 low, .param .u32 stride) {{
  .reg .u64 %out, %at; .reg .u32 %r0, %r1, %r2, %x; .reg .f32 %f; .reg .b16 %h; .reg .f64 %d; .reg .b32 %lo;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r0, %r1, %r2, %r0;
  mul.wide.u32 %at, %r0, 4; ld.param.u64 %out, [results]; add.u64 %out, %out, %at;
  ld.param.u32 %r1, [low]; ld.param.u32 %r2, [stride]; mad.lo.u32 %x, %r0, %r2, %r1;
  {load} {name} {store}
  st.global.u32 [%out], %x; ret;
}}
"""
    text = f".version 9.0\n.target {TARGET}\n.address_size 64\n"
    for name in ("rcp.approx.ftz.f32", "rsqrt.approx.ftz.f32", "sqrt.approx.ftz.f32", "ex2.approx.ftz.f32", "lg2.approx.ftz.f32",
                 "sin.approx.ftz.f32", "cos.approx.ftz.f32", "tanh.approx.f32"):
        text += kernel(name, "mov.b32 %f, %x;", "%f, %f; mov.b32 %x, %f;")
    for name in ("rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64"):
        text += kernel(name, "mov.b64 %d, {0, %x};", "%d, %d; mov.b64 {%lo, %x}, %d; or.b32 %x, %x, %lo;")
    for name in ("ex2.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.f16", "tanh.approx.bf16"):
        text += kernel(name, "cvt.u16.u32 %h, %x;", "%h, %h; cvt.u32.u16 %x, %h;")
    open("functions.ptx", "w").write(text)
    subprocess.run(["ptxas", f"-arch={TARGET}", "functions.ptx", "-o", "functions.cubin"], check=True)


def main():
    rows = []
    for number, line in enumerate(open("forms.txt")):
        form, results, sources, *kinds = line.rstrip("\n").split(" ")
        rows.append((number, form, results, sources, kinds))
    names = {row[0]: row[1] for row in rows}
    refused = []
    size = 600
    for index, first in enumerate(range(0, len(rows), size)):
        refused += assemble([(row[0], kernel(*row)) for row in rows[first:first + size]], index)
    function_module()
    with open("refused.txt", "w") as out:
        for number, message in sorted(refused):
            out.write(f"{names[number]}: {message}\n")
    print(len(rows), "forms,", len(refused), "refused")


main()
