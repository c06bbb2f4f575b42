// For tests: runs written by hand, step by step, so that views are tested against facts that nobody computed
// but the test. Registers lead from load to store as in a kernel: values are followed through them.
#pragma once

#include "base/check.h"
#include "base/device_addresses.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <cstring>
#include <functional>
#include <map>
#include <memory>

namespace lockstep::viz {

class RunBuilder {
public:
    RunBuilder(std::string fileName, std::string source) : source_(std::move(source)) {
        run_.source = std::move(fileName);
        run_.recording.backend = "emulator";
        run_.recording.profile = "cc90";
    }

    // Registers: %p<9>, %r<9>, %rd<9>, %f<9>; a label is "NAME:" and no instruction.
    Pc instruction(const std::string& text, u32 line) {
        code_ += ".loc 1 " + std::to_string(line) + " 0\n" + text + ";\n";
        return Pc{instructions_++};
    }
    void label(const std::string& name) { code_ += name + ":\n"; }
    void shared(const std::string& name, u64 bytes) {
        variables_ += ".shared .align 4 .b8 " + name + "[" + std::to_string(bytes) + "];\n";
    }
    u32 buffer(std::string name, std::vector<u64> shape, const std::vector<f32>& values) {
        Buffer b{std::move(name), ElementType::F32, std::move(shape),
                 std::vector<std::byte>(values.size() * 4)};
        std::memcpy(b.bytes.data(), values.data(), b.bytes.size());
        run_.recording.initial.push_back(b);
        run_.recording.final.push_back(std::move(b));
        return u32(run_.recording.initial.size() - 1);
    }
    void launch(Dim3 grid, Dim3 block) {
        Launch l;
        l.entry = "kernel";
        l.grid = grid;
        l.block = block;
        run_.recording.launches.push_back(l);
    }
    void block(Dim3 at) {
        trace::FocusBlock b;
        b.block = at;
        b.threads = u32(run_.recording.launches.back().block.count());
        b.warps.resize((b.threads + kWarpSize - 1) / kWarpSize);
        run_.recording.trace.blocks.push_back(b);
        order_ = 0;
    }

    void step(u32 warp, Pc pc, LaneMask active) {
        this->warp(warp).steps.push_back({pc, active, trace::Step::kNone, order_++});
    }
    void barrier(u32 warp, Pc pc, LaneMask active) {
        this->warp(warp).barrierSteps.push_back(u32(this->warp(warp).steps.size()));
        step(warp, pc, active);
    }
    void access(u32 warp, Pc pc, LaneMask active, trace::Space space, trace::AccessKind kind,
                const std::function<u64(u32)>& address, const std::function<f32(u32)>& value,
                u8 widthBytes = 4) {
        trace::WarpTrace& w = this->warp(warp);
        trace::StoredAccess a{
            pc, active, space, kind, widthBytes, kWarpSize, u32(w.layouts.size()), 0, w.valuePool.size()};
        if (!active.empty()) a.base = address(active.lowest().value);
        trace::LaneLayout layout;
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
            const bool on = active.has(Lane{lane});
            if (on) layout.distances[lane] = address(lane) - a.base;
            const f32 v = on ? value(lane) : 0;
            const std::size_t at = w.valuePool.size();
            w.valuePool.resize(at + widthBytes);
            std::memcpy(&w.valuePool[at], &v, std::min<std::size_t>(widthBytes, sizeof v));
        }
        trace::numberValues(layout);
        w.layouts.push_back(layout);
        w.accesses.push_back(a);
        w.steps.push_back({pc, active, u32(w.accesses.size() - 1), order_++});
    }

    trace::Recording& recording() { return run_.recording; }
    model::Report& report() { return run_.report; }
    void catalog(const catalog::Experiment& experiment) { run_.catalog = experiment; }
    run::Run finish() {
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel()\n{\n.reg .pred "
            "%p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n" +
            variables_ + code_ + "ret;\n}\n.file 1 \"" + run_.source + "\"\n";
        Expected<ptx::Module> module = ptx::parse(text, "test.ptx");
        CHECK(module.has_value(), "the test's PTX must parse");
        module->sources.resize(module->files.size());
        for (std::size_t f = 0; f < module->files.size(); ++f)
            if (!module->files[f].empty()) module->sources[f] = source_;
        run_.recording.ptx = text;
        run_.module = std::make_shared<ptx::Module>(std::move(*module));
        return run_;
    }

private:
    trace::WarpTrace& warp(u32 n) { return run_.recording.trace.blocks.back().warps[n]; }

    std::string source_, variables_, code_;
    u32 instructions_ = 0;
    run::Run run_;
    u32 order_ = 0;
};

// A warp reads column `column` of float tile[32][pitch].
inline run::Run columnRead(u32 pitch, u32 warps = 2) {
    RunBuilder b("transpose.cu",
                 "__global__ void kernel(float* out) {\n  __shared__ float tile[32][32];\n  out[i] = "
                 "tile[threadIdx.x][threadIdx.y + j];\n}\n");
    b.shared("tile", u64{32} * pitch * 4);
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 2),
             load = b.instruction("ld.shared.f32 %f1, [%r1]", 3);
    b.launch({4, 4, 1}, {32, warps, 1});
    b.block({1, 0, 0});
    for (u32 w = 0; w < warps; ++w) {
        b.step(w, move, LaneMask::all());
        for (u32 j = 0; j < 4; ++j)
            b.access(
                w, load, LaneMask::all(), trace::Space::Shared, trace::AccessKind::Load,
                [&](u32 lane) { return u64{lane * pitch + w + 8 * j} * 4; },
                [](u32 lane) { return f32(lane); });
    }
    return b.finish();
}

// The textbook's tiled matrix multiply of width x width with tiles of T x T, every block recorded. `checked`:
// with its three tests.
inline run::Run tiledMatmul(u32 width, u32 T, bool checked) {
    RunBuilder b(
        checked ? "tiled_bounds.cu" : "tiled.cu",
        "template <int T>\n"
        "__global__ void mm(const float* M, const float* N, float* P, int width) {\n"
        "  __shared__ float Mds[T][T], Nds[T][T];\n"
        "  int Row = blockIdx.y * T + threadIdx.y, Col = blockIdx.x * T + threadIdx.x;\n"
        "  float sum = 0.0f;\n"
        "  for (int ph = 0; ph * T < width; ++ph) {\n"
        "    Mds[ty][tx] = Row < width && ph * T + tx < width ? M[Row * width + ph * T + tx] : 0.0f;\n"
        "    Nds[ty][tx] = ph * T + ty < width && Col < width ? N[(ph * T + ty) * width + Col] : 0.0f;\n"
        "    __syncthreads();\n"
        "    for (int k = 0; k < T; ++k)\n"
        "      sum += Mds[ty][k] * Nds[k][tx];\n"
        "    __syncthreads();\n"
        "  }\n"
        "  if (Row < width && Col < width)\n"
        "    P[Row * width + Col] = sum;\n"
        "}\n");
    using trace::AccessKind, trace::Space;
    b.shared("_ZZ2mmILi2EEvPKfS1_PfiE3Mds", u64{T} * T * 4);
    b.shared("_ZZ2mmILi2EEvPKfS1_PfiE3Nds", u64{T} * T * 4);
    const Pc setUp = b.instruction("mov.u32 %r1, %tid.x", 4),
             test = b.instruction("setp.lt.s32 %p1, %r1, %r2", 7),
             ldM = b.instruction("@%p1 ld.global.f32 %f1, [%rd1]", 7),
             stM = b.instruction("st.shared.f32 [%r3], %f1", 7),
             ldN = b.instruction("@%p1 ld.global.f32 %f2, [%rd2]", 8),
             stN = b.instruction("st.shared.f32 [%r4], %f2", 8), bar = b.instruction("bar.sync 0", 9),
             ldMds = b.instruction("ld.shared.f32 %f3, [%r5]", 11),
             ldNds = b.instruction("ld.shared.f32 %f4, [%r6]", 11),
             fma = b.instruction("fma.rn.f32 %f5, %f3, %f4, %f5", 11), bar2 = b.instruction("bar.sync 0", 12),
             stP = b.instruction("@%p1 st.global.f32 [%rd3], %f5", 15),
             zeroM = b.instruction("mov.f32 %f1, 0f00000000", 7),
             zeroN = b.instruction("mov.f32 %f2, 0f00000000", 7);
    const std::vector<f32> mSmall{3, 1, 4, 1, 5, 9, 2, 6, 5}, nSmall{2, 7, 1, 8, 2, 8, 1, 8, 2};
    std::vector<f32> m(width * width), n(width * width);
    for (u32 i = 0; i < m.size(); ++i)
        m[i] = width == 3 ? mSmall[i] : f32(i * 7 % 10), n[i] = width == 3 ? nSmall[i] : f32(i * 3 % 10);
    b.buffer("M", {width, width}, m);
    b.buffer("N", {width, width}, n);
    b.buffer("P", {width, width}, std::vector<f32>(width * width));
    const u32 blocks = (width + T - 1) / T;
    b.launch({blocks, blocks, 1}, {T, T, 1});
    std::vector<f32> p(width * width);
    for (u32 by = 0; by < blocks; ++by)
        for (u32 bx = 0; bx < blocks; ++bx) {
            b.block({bx, by, 0});
            const u32 threads = T * T, warps = (threads + 31) / 32;
            std::vector<f32> mds(threads), nds(threads), sum(threads);
            const auto maskOf = [&](u32 w, auto&& on) {
                LaneMask mask;
                for (u32 l = 0; l < 32 && w * 32 + l < threads; ++l)
                    if (on((w * 32 + l) / T, (w * 32 + l) % T)) mask = mask | LaneMask::of(Lane{l});
                return mask;
            };
            const auto exists = [](u32, u32) { return true; };
            const auto read = [&](const std::vector<f32>& from, u64 index) {
                return index < from.size() ? from[index] : std::bit_cast<f32>(0xffffffffu);
            };
            for (u32 w = 0; w < warps; ++w)
                for (u32 i = 0; i < 6; ++i)
                    b.step(w, setUp, maskOf(w, exists));
            for (u32 ph = 0; ph < blocks; ++ph) {
                for (u32 w = 0; w < warps; ++w) {
                    const auto all = maskOf(w, exists);
                    const auto ty = [&](u32 l) { return (w * 32 + l) / T; };
                    const auto tx = [&](u32 l) { return (w * 32 + l) % T; };
                    const auto tile = [&](const std::string& which, u32 l) {
                        return (which == "N" ? u64{threads} * 4 : 0) + u64{w * 32 + l} * 4;
                    };
                    const auto mIndex = [&](u32 l) { return u64{by * T + ty(l)} * width + ph * T + tx(l); };
                    const auto nIndex = [&](u32 l) { return u64{ph * T + ty(l)} * width + bx * T + tx(l); };
                    const auto mOk = maskOf(w, [&](u32 y, u32 x) {
                        return !checked || (by * T + y < width && ph * T + x < width);
                    });
                    const auto nOk = maskOf(w, [&](u32 y, u32 x) {
                        return !checked || (ph * T + y < width && bx * T + x < width);
                    });
                    b.step(w, zeroM, all);
                    b.access(
                        w, ldM, mOk, Space::Global, AccessKind::Load,
                        [&](u32 l) { return deviceAddressOf(0) + mIndex(l) * 4; },
                        [&](u32 l) { return read(m, mIndex(l)); });
                    for (const Lane l : all)
                        mds[w * 32 + l.value] = mOk.has(l) ? read(m, mIndex(l.value)) : 0;
                    b.access(
                        w, stM, all, Space::Shared, AccessKind::Store, [&](u32 l) { return tile("M", l); },
                        [&](u32 l) { return mds[w * 32 + l]; });
                    b.step(w, zeroN, all);
                    b.access(
                        w, ldN, nOk, Space::Global, AccessKind::Load,
                        [&](u32 l) { return deviceAddressOf(1) + nIndex(l) * 4; },
                        [&](u32 l) { return read(n, nIndex(l)); });
                    for (const Lane l : all)
                        nds[w * 32 + l.value] = nOk.has(l) ? read(n, nIndex(l.value)) : 0;
                    b.access(
                        w, stN, all, Space::Shared, AccessKind::Store, [&](u32 l) { return tile("N", l); },
                        [&](u32 l) { return nds[w * 32 + l]; });
                    b.barrier(w, bar, all);
                }
                for (u32 w = 0; w < warps; ++w) {
                    const auto all = maskOf(w, exists);
                    for (u32 k = 0; k < T; ++k) {
                        b.access(
                            w, ldMds, all, Space::Shared, AccessKind::Load,
                            [&](u32 l) { return u64{(w * 32 + l) / T * T + k} * 4; },
                            [&](u32 l) { return mds[(w * 32 + l) / T * T + k]; });
                        b.access(
                            w, ldNds, all, Space::Shared, AccessKind::Load,
                            [&](u32 l) { return u64{threads + k * T + (w * 32 + l) % T} * 4; },
                            [&](u32 l) { return nds[k * T + (w * 32 + l) % T]; });
                        b.step(w, fma, all);
                        for (const Lane l : all)
                            sum[w * 32 + l.value] +=
                                mds[(w * 32 + l.value) / T * T + k] * nds[k * T + (w * 32 + l.value) % T];
                    }
                    b.barrier(w, bar2, all);
                }
            }
            for (u32 w = 0; w < warps; ++w) {
                const auto ok = maskOf(
                    w, [&](u32 y, u32 x) { return !checked || (by * T + y < width && bx * T + x < width); });
                const auto pIndex = [&](u32 l) {
                    return u64{by * T + (w * 32 + l) / T} * width + bx * T + (w * 32 + l) % T;
                };
                b.step(w, test, maskOf(w, exists));
                if (!ok.empty())
                    b.access(
                        w, stP, ok, Space::Global, AccessKind::Store,
                        [&](u32 l) { return deviceAddressOf(2) + pIndex(l) * 4; },
                        [&](u32 l) { return sum[w * 32 + l]; });
            }
        }
    static const catalog::Family kFamily = [] {
        catalog::Family f;
        f.name = "matmul";
        f.stage = "matmul";
        return f;
    }();
    catalog::Experiment experiment;
    experiment.family = &kFamily;
    experiment.values = {{"tile", T}, {"width", width}};
    b.catalog(experiment);
    return b.finish();
}

// The catalog's word for which stage shows the run.
inline catalog::Experiment staged(const char* stage) {
    static std::map<std::string, catalog::Family> families;
    catalog::Family& family = families[stage];
    family.name = family.stage = stage;
    catalog::Experiment experiment;
    experiment.family = &family;
    return experiment;
}

// Blocks of 8 x 4 threads turn tiles of 8 x 8 of a matrix whose elements are their own numbers; block (0,1)
// is recorded. `pitch`: of the shared tile; 0: without one, a thread writes what it has read.
inline run::Run transpose(u32 rows, u32 columns, u32 pitch) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("transpose.cu",
                 "__global__ void kernel(const float* in, float* out) {\n  __shared__ float tile[8][" +
                     std::to_string(std::max(1u, pitch)) +
                     "];\n  tile[ty + j][tx] = in[(y + j) * columns + x];\n  __syncthreads();\n  out[(y + j) "
                     "* rows + x] = tile[tx][ty + j];\n}\n");
    if (pitch) b.shared("tile", u64{8} * pitch * 4);
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 3),
             load = b.instruction("ld.global.f32 %f1, [%rd1]", 3),
             keep = b.instruction("st.shared.f32 [%r2], %f1", 3), bar = b.instruction("bar.sync 0", 4),
             take = b.instruction("ld.shared.f32 %f2, [%r3]", 5),
             store = b.instruction(pitch ? "st.global.f32 [%rd2], %f2" : "st.global.f32 [%rd2], %f1", 5);
    std::vector<f32> values(rows * columns);
    for (u32 i = 0; i < values.size(); ++i)
        values[i] = f32(i);
    b.buffer("in", {rows, columns}, values);
    b.buffer("out", {columns, rows}, std::vector<f32>(values.size()));
    b.launch({columns / 8, rows / 8, 1}, {8, 4, 1});
    b.block({0, 1, 0});
    const auto tx = [](u32 lane) { return lane % 8; };
    const auto ty = [](u32 lane) { return lane / 8; };
    const auto global = [](u32 buffer, u64 element) { return deviceAddressOf(buffer) + element * 4; };
    const auto from = [&](u32 lane, u32 j) { return u64{8 + ty(lane) + j} * columns + tx(lane); };
    b.step(0, move, LaneMask::all());
    for (u32 j = 0; j < 8; j += 4) {
        b.access(
            0, load, LaneMask::all(), Space::Global, AccessKind::Load,
            [&](u32 l) { return global(0, from(l, j)); }, [&](u32 l) { return f32(from(l, j)); });
        if (pitch)
            b.access(
                0, keep, LaneMask::all(), Space::Shared, AccessKind::Store,
                [&](u32 l) { return u64{(ty(l) + j) * pitch + tx(l)} * 4; },
                [&](u32 l) { return f32(from(l, j)); });
        else
            b.access(
                0, store, LaneMask::all(), Space::Global, AccessKind::Store,
                [&](u32 l) { return global(1, u64{tx(l)} * rows + 8 + ty(l) + j); },
                [&](u32 l) { return f32(from(l, j)); });
    }
    if (pitch) b.barrier(0, bar, LaneMask::all());
    for (u32 j = 0; pitch && j < 8; j += 4) {
        const auto turned = [&](u32 l) { return f32(u64{8 + tx(l)} * columns + ty(l) + j); };
        b.access(
            0, take, LaneMask::all(), Space::Shared, AccessKind::Load,
            [&](u32 l) { return u64{tx(l) * pitch + ty(l) + j} * 4; }, turned);
        b.access(
            0, store, LaneMask::all(), Space::Global, AccessKind::Store,
            [&](u32 l) { return global(1, u64{ty(l) + j} * rows + 8 + tx(l)); }, turned);
    }
    b.catalog(staged("transpose"));
    return b.finish();
}

// A warp reads every `stride`-th word and writes them one beside another.
inline run::Run stridedCopy(u32 stride) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("stride.cu",
                 "__global__ void kernel(const float* in, float* out) {\n  out[i] = in[stride * i];\n}\n");
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 2),
             load = b.instruction("ld.global.f32 %f1, [%rd1]", 2),
             store = b.instruction("st.global.f32 [%rd2], %f1", 2);
    b.buffer("in", {32 * stride}, std::vector<f32>(32 * stride, 1));
    b.buffer("out", {32}, std::vector<f32>(32));
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.step(0, move, LaneMask::all());
    b.access(
        0, load, LaneMask::all(), Space::Global, AccessKind::Load,
        [&](u32 l) { return deviceAddressOf(0) + u64{l} * stride * 4; }, [](u32) { return 1.0f; });
    b.access(
        0, store, LaneMask::all(), Space::Global, AccessKind::Store,
        [&](u32 l) { return deviceAddressOf(1) + u64{l} * 4; }, [](u32) { return 1.0f; });
    b.catalog(staged("coalescing"));
    return b.finish();
}

// 1 + 2 + ... + threads: in each round the lower half adds what the upper half has.
// stores: its first thread keeps the sum in a buffer at the end.
inline run::Run treeSum(u32 threads, bool stores = false) {
    using trace::AccessKind, trace::Space;
    RunBuilder b("tree.cu",
                 "__global__ void kernel() {\n  __shared__ float partial[N];\n  partial[t] = t + 1;\n  "
                 "partial[t] += partial[t + stride];\n}\n");
    b.shared("partial", u64{threads} * 4);
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 3),
             keep = b.instruction("st.shared.f32 [%r2], %f1", 3), bar = b.instruction("bar.sync 0", 3),
             other = b.instruction("ld.shared.f32 %f2, [%r2+4]", 4),
             own = b.instruction("ld.shared.f32 %f3, [%r2]", 4),
             add = b.instruction("add.f32 %f1, %f3, %f2", 4);
    b.launch({1, 1, 1}, {threads, 1, 1});
    b.block({0, 0, 0});
    const u32 warps = (threads + 31) / 32;
    const auto maskBelow = [&](u32 w, u32 end) {
        LaneMask mask;
        for (u32 l = 0; l < 32 && w * 32 + l < end; ++l)
            mask = mask | LaneMask::of(Lane{l});
        return mask;
    };
    std::vector<f32> partial(threads);
    for (u32 t = 0; t < threads; ++t)
        partial[t] = f32(t + 1);
    const auto place = [](u32 w, u32 l, u32 on = 0) { return u64{w * 32 + l + on} * 4; };
    for (u32 w = 0; w < warps; ++w) {
        const LaneMask all = maskBelow(w, threads);
        b.step(w, move, all);
        b.access(
            w, keep, all, Space::Shared, AccessKind::Store, [&](u32 l) { return place(w, l); },
            [&](u32 l) { return partial[w * 32 + l]; });
        b.barrier(w, bar, all);
    }
    for (u32 stride = threads / 2; stride > 0; stride /= 2)
        for (u32 w = 0; w < warps; ++w) {
            if (const LaneMask on = maskBelow(w, stride); !on.empty()) {
                b.access(
                    w, other, on, Space::Shared, AccessKind::Load, [&](u32 l) { return place(w, l, stride); },
                    [&](u32 l) { return partial[w * 32 + l + stride]; });
                b.access(
                    w, own, on, Space::Shared, AccessKind::Load, [&](u32 l) { return place(w, l); },
                    [&](u32 l) { return partial[w * 32 + l]; });
                b.step(w, add, on);
                for (const Lane l : on)
                    partial[w * 32 + l.value] += partial[w * 32 + l.value + stride];
                b.access(
                    w, keep, on, Space::Shared, AccessKind::Store, [&](u32 l) { return place(w, l); },
                    [&](u32 l) { return partial[w * 32 + l]; });
            }
            b.barrier(w, bar, maskBelow(w, threads));
        }
    if (stores) {
        const u32 total = b.buffer("total", {1}, {0});
        const Pc keepTotal = b.instruction("st.global.f32 [%rd1], %f1", 4);
        b.access(
            0, keepTotal, maskBelow(0, 1), Space::Global, AccessKind::Store,
            [&](u32) { return deviceAddressOf(total); }, [&](u32) { return partial[0]; });
    }
    b.catalog(staged("reduction"));
    return b.finish();
}

// A five-point stencil through a shared tile of (T + 2) x (T + 2) with its halo; block (1,1) of a plate whose
// cells are their own numbers.
inline run::Run stencil(u32 rows, u32 columns, u32 T) {
    using trace::AccessKind, trace::Space;
    const std::string pitch = std::to_string(T + 2);
    RunBuilder b(
        "stencil.cu",
        "__global__ void kernel(const float* in, float* out) {\n  __shared__ float tile[" + pitch + "][" +
            pitch +
            "];\n  tile[ty][tx] = in[cell];\n  if (ty == 1) tile[0][tx] = in[cell - columns];\n  if (ty == "
            "T) tile[T + 1][tx] = in[cell + columns];\n"
            "  if (tx == 1) tile[ty][0] = in[cell - 1];\n  if (tx == T) tile[ty][T + 1] = in[cell + 1];\n  "
            "__syncthreads();\n"
            "  out[cell] = tile[ty - 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty + 1][tx];\n}\n");
    b.shared("tile", u64{T + 2} * (T + 2) * 4);
    std::vector<f32> values(rows * columns);
    for (u32 i = 0; i < values.size(); ++i)
        values[i] = f32(i);
    b.buffer("in", {rows, columns}, values);
    b.buffer("out", {rows, columns}, std::vector<f32>(values.size()));
    struct Side {
        s32 down, right;
        u32 line;
    };
    constexpr std::array kSides{Side{0, 0, 3}, Side{-1, 0, 4}, Side{1, 0, 5}, Side{0, -1, 6}, Side{0, 1, 7}};
    std::vector<std::pair<Pc, Pc>> fetch;
    fetch.reserve(kSides.size());
    for (const Side& side : kSides)
        fetch.emplace_back(b.instruction("ld.global.f32 %f1, [%rd1]", side.line),
                           b.instruction("st.shared.f32 [%r2], %f1", side.line));
    const Pc bar = b.instruction("bar.sync 0", 8), take = b.instruction("ld.shared.f32 %f2, [%r3]", 9),
             store = b.instruction("st.global.f32 [%rd2], %f2", 9);
    b.launch({columns / T, rows / T, 1}, {T, T, 1});
    b.block({1, 1, 0});
    const LaneMask all = LaneMask::firstLanes(T * T);
    const auto cell = [&](u32 l, const Side& side) {
        return u32(s32((T + l / T) * columns + T + l % T) + side.down * s32(columns) + side.right);
    };
    const auto place = [&](u32 l, const Side& side) {
        return u64((1 + l / T + u32(side.down)) * (T + 2) + 1 + l % T + u32(side.right)) * 4;
    };
    for (std::size_t i = 0; i < kSides.size(); ++i) {
        const Side& side = kSides[i];
        LaneMask on;
        for (u32 l = 0; l < T * T; ++l)
            if ((side.down == 0 || l / T == (side.down < 0 ? 0 : T - 1)) &&
                (side.right == 0 || l % T == (side.right < 0 ? 0 : T - 1)))
                on = on | LaneMask::of(Lane{l});
        b.access(
            0, fetch[i].first, on, Space::Global, AccessKind::Load,
            [&](u32 l) { return deviceAddressOf(0) + u64{cell(l, side)} * 4; },
            [&](u32 l) { return f32(cell(l, side)); });
        b.access(
            0, fetch[i].second, on, Space::Shared, AccessKind::Store, [&](u32 l) { return place(l, side); },
            [&](u32 l) { return f32(cell(l, side)); });
    }
    b.barrier(0, bar, all);
    for (std::size_t i = 1; i < kSides.size(); ++i)
        b.access(
            0, take, all, Space::Shared, AccessKind::Load, [&](u32 l) { return place(l, kSides[i]); },
            [&](u32 l) { return f32(cell(l, kSides[i])); });
    b.access(
        0, store, all, Space::Global, AccessKind::Store,
        [&](u32 l) { return deviceAddressOf(1) + u64{cell(l, kSides[0])} * 4; },
        [&](u32 l) { return 4 * f32(cell(l, kSides[0])); });
    b.catalog(staged("stencil"));
    return b.finish();
}

// Odd lanes go one way, even ones another.
inline run::Run parity() {
    using trace::AccessKind, trace::Space;
    RunBuilder b("parity.cu",
                 "__global__ void kernel(const float* in, float* out) {\n  float x = in[i];\n  if (i % 2)\n  "
                 "  x = 3 * x;\n  else\n    x = x + 1;\n  out[i] = x;\n}\n");
    b.buffer("in", {32}, std::vector<f32>(32, 2));
    b.buffer("out", {32}, std::vector<f32>(32));
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 2),
             test = b.instruction("setp.ne.s32 %p1, %r1, 0", 3), jump = b.instruction("@%p1 bra ODD", 3),
             even = b.instruction("add.f32 %f1, %f1, %f2", 6), over = b.instruction("bra.uni DONE", 6);
    b.label("ODD");
    const Pc odd = b.instruction("mul.f32 %f1, %f1, %f3", 4);
    b.label("DONE");
    const Pc store = b.instruction("st.global.f32 [%rd2], %f1", 7);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const LaneMask all = LaneMask::all(), odds{0xaaaaaaaau}, evens{0x55555555u};
    b.access(
        0, load, all, Space::Global, AccessKind::Load, [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; },
        [](u32) { return 2.0f; });
    b.step(0, test, all);
    b.step(0, jump, odds);
    b.step(0, even, evens);
    b.step(0, over, evens);
    b.step(0, odd, odds);
    b.access(
        0, store, all, Space::Global, AccessKind::Store,
        [](u32 l) { return deviceAddressOf(1) + u64{l} * 4; }, [](u32 l) { return l % 2 ? 6.0f : 3.0f; });
    b.catalog(staged("divergence"));
    return b.finish();
}

// Lanes count what they read into eight bins of shared memory, of which lane l takes bin l * l mod 8; two of
// them race.
inline run::Run histogram(const char* atomic = "red.shared.add.u32 [%r1], 1") {
    using trace::AccessKind, trace::Space;
    RunBuilder b("histogram.cu",
                 "__global__ void kernel(const float* values) {\n  __shared__ float copy[8];\n  "
                 "atomicAdd(&copy[values[i]], 1);\n}\n");
    b.shared("copy", 8 * 4);
    const auto bin = [](u32 l) { return l * l % 8; };
    std::vector<f32> values(64);
    for (u32 i = 0; i < values.size(); ++i)
        values[i] = f32(bin(i));
    b.buffer("values", {64}, values);
    b.buffer("counts", {8}, std::vector<f32>(8));
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 3), add = b.instruction(atomic, 3);
    b.launch({1, 1, 1}, {64, 1, 1});
    b.block({0, 0, 0});
    for (u32 w = 0; w < 2; ++w) {
        b.access(
            w, load, LaneMask::all(), Space::Global, AccessKind::Load,
            [&](u32 l) { return deviceAddressOf(0) + u64{w * 32 + l} * 4; },
            [&](u32 l) { return f32(bin(l)); });
        b.access(
            w, add, LaneMask::all(), Space::Shared,
            std::string_view(atomic).starts_with("red") ? AccessKind::Reduction : AccessKind::Atomic,
            [&](u32 l) { return u64{bin(l)} * 4; }, [&](u32) { return f32(w); });
    }
    b.catalog(staged("histogram"));
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.who = {.pc = add, .thread = {3, 0, 0}, .kind = AccessKind::Atomic};
    race.other = trace::Culprit{.pc = load, .thread = {37, 0, 0}, .kind = AccessKind::Load};
    race.space = Space::Shared;
    race.address = 4, race.widthBytes = 4, race.offsetBytes = 4, race.sizeBytes = 32;
    b.recording().findings.push_back(race);
    return b.finish();
}

// Sums of all elements before each: each of 16 threads adds what lies 1, 2, 4 and 8 places before, in turn
// from one of two rows.
inline run::Run scan() {
    using trace::AccessKind, trace::Space;
    RunBuilder b(
        "scan.cu",
        "__global__ void kernel(const float* in, float* out) {\n  __shared__ float rows[2][16];\n  "
        "rows[0][t] = in[t];\n  rows[1][t] = rows[0][t] + rows[0][t - d];\n  out[t] = rows[1][t];\n}\n");
    b.shared("rows", 2 * 16 * 4);
    std::vector<f32> values(16);
    for (u32 i = 0; i < 16; ++i)
        values[i] = f32(i % 5);
    b.buffer("in", {16}, values);
    b.buffer("out", {16}, std::vector<f32>(16));
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 3),
             keep = b.instruction("st.shared.f32 [%r1], %f1", 3),
             own = b.instruction("ld.shared.f32 %f2, [%r2]", 4),
             other = b.instruction("ld.shared.f32 %f3, [%r3]", 4),
             add = b.instruction("add.f32 %f2, %f2, %f3", 4),
             sum = b.instruction("st.shared.f32 [%r4], %f2", 4), bar = b.instruction("bar.sync 0", 4);
    b.launch({1, 1, 1}, {16, 1, 1});
    b.block({0, 0, 0});
    const LaneMask all = LaneMask::firstLanes(16);
    b.access(
        0, load, all, Space::Global, AccessKind::Load, [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; },
        [&](u32 l) { return values[l]; });
    b.access(
        0, keep, all, Space::Shared, AccessKind::Store, [](u32 l) { return u64{l} * 4; },
        [&](u32 l) { return values[l]; });
    b.barrier(0, bar, all);
    for (u32 distance = 1, row = 0; distance < 16; distance *= 2, row = 1 - row) {
        const std::vector<f32> before = values;
        const LaneMask adds = all & ~LaneMask::firstLanes(distance);
        for (const Lane l : adds)
            values[l.value] = before[l.value] + before[l.value - distance];
        b.access(
            0, own, all, Space::Shared, AccessKind::Load, [&](u32 l) { return u64{row * 16 + l} * 4; },
            [&](u32 l) { return before[l]; });
        b.access(
            0, other, adds, Space::Shared, AccessKind::Load,
            [&](u32 l) { return u64{row * 16 + l - distance} * 4; },
            [&](u32 l) { return before[l - distance]; });
        b.step(0, add, adds);
        b.access(
            0, sum, all, Space::Shared, AccessKind::Store, [&](u32 l) { return u64{(1 - row) * 16 + l} * 4; },
            [&](u32 l) { return values[l]; });
        b.barrier(0, bar, all);
    }
    b.catalog(staged("scan"));
    return b.finish();
}

// Lane k of 4 goes round k + 1 times.
inline run::Run unequalLoops() {
    using trace::AccessKind, trace::Space;
    RunBuilder b("loops.cu",
                 "__global__ void kernel(const float* in) {\n  for (int k = 0; k <= threadIdx.x; ++k)\n    "
                 "sum += in[i + k];\n}\n");
    b.buffer("in", {8}, std::vector<f32>(8, 1));
    b.label("LOOP");
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 3),
             test = b.instruction("setp.lt.s32 %p1, %r1, %r2", 2), jump = b.instruction("@%p1 bra LOOP", 2),
             end = b.instruction("mov.u32 %r3, %r1", 4);
    b.launch({1, 1, 1}, {4, 1, 1});
    b.block({0, 0, 0});
    for (u32 round = 0; round < 4; ++round) {
        const LaneMask on = LaneMask::firstLanes(4) & ~LaneMask::firstLanes(round);
        b.access(
            0, load, on, Space::Global, AccessKind::Load,
            [&](u32 l) { return deviceAddressOf(0) + u64{l + round} * 4; }, [](u32) { return 1.0f; });
        b.step(0, test, on);
        b.step(0, jump, on & ~LaneMask::of(Lane{round}));
    }
    b.step(0, end, LaneMask::firstLanes(4));
    b.catalog(staged("divergence"));
    return b.finish();
}

// Warp 0 jumps, warp 1 goes on.
inline run::Run wholeWarps() {
    RunBuilder b("warps.cu",
                 "__global__ void kernel() {\n  if (threadIdx.x / 32)\n    x = 1;\n  y = 2;\n}\n");
    const Pc test = b.instruction("setp.eq.s32 %p1, %r1, 0", 2), jump = b.instruction("@%p1 bra DONE", 2),
             way = b.instruction("mov.u32 %r1, 1", 3);
    b.label("DONE");
    const Pc done = b.instruction("mov.u32 %r2, 2", 4);
    b.launch({1, 1, 1}, {64, 1, 1});
    b.block({0, 0, 0});
    for (u32 w = 0; w < 2; ++w) {
        b.step(w, test, LaneMask::all());
        b.step(w, jump, w == 0 ? LaneMask::all() : LaneMask{});
        if (w == 1) b.step(w, way, LaneMask::all());
        b.step(w, done, LaneMask::all());
    }
    b.catalog(staged("divergence"));
    return b.finish();
}

// A kernel of which one line has these instructions.
inline run::Run unrolledKernel(const std::string& line, const std::vector<std::string>& instructions,
                               const char* loop = "for (int k = 0; k < 3; ++k)") {
    RunBuilder b("sum.cu", "__global__ void kernel() {\n  " + std::string(loop) + "\n    " + line + "\n}\n");
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.step(0, b.instruction("mov.u32 %r1, 0", 2), LaneMask::all());
    for (const std::string& text : instructions)
        b.step(0, b.instruction(text, 3), LaneMask::all());
    b.step(0, b.instruction("ret", 4), LaneMask::all());
    return b.finish();
}

inline std::vector<std::string> thrice(std::vector<std::string> once) {
    std::vector<std::string> all;
    for (int i = 0; i < 3; ++i)
        all.insert(all.end(), once.begin(), once.end());
    return all;
}

inline const std::vector<std::string> kUnrolledSum =
    thrice({"ld.shared.f32 %f1, [%r1]", "ld.shared.f32 %f2, [%r2]", "fma.rn.f32 %f3, %f1, %f2, %f3"});

// Warp 0 waits at the barrier while warp 1, of 8 threads, is still at work:
// warp 0: 0 1 | 2 bar       | 3 4
// warp 1: 0 1 | 2 3 4 bar   | 5
inline run::Run twoPaces() {
    RunBuilder b("k.cu", "__global__ void kernel() {}\n");
    const Pc move = b.instruction("mov.u32 %r1, %tid.x", 1), bar = b.instruction("bar.sync 0", 1);
    b.launch({1, 1, 1}, {40, 1, 1});
    b.block({0, 0, 0});
    const LaneMask eight{0xff};
    for (int i = 0; i < 2; ++i)
        b.step(0, move, LaneMask::all());
    b.barrier(0, bar, LaneMask::all());
    for (int i = 0; i < 4; ++i)
        b.step(1, move, LaneMask{0xf});
    b.barrier(1, bar, eight);
    for (int i = 0; i < 2; ++i)
        b.step(0, move, LaneMask::all());
    b.step(1, move, eight);
    return b.finish();
}

}  // namespace lockstep::viz
