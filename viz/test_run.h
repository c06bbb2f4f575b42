// For tests: runs written by hand, step by step, so that views are tested against facts that nobody computed but the test.
#pragma once

#include <cstring>
#include <functional>
#include <memory>

#include "base/device_addresses.h"
#include "run/run.h"
#include "viz/cursor.h"

namespace lockstep::viz {

class RunBuilder {
public:
    RunBuilder(std::string fileName, std::string source) {
        module_ = std::make_shared<ptx::Module>();
        module_->files = {"", fileName};
        module_->sources = {"", std::move(source)};
        module_->locations.push_back({});
        ptx::Function entry;
        entry.name = "kernel";
        entry.isEntry = true;
        module_->functions.push_back(entry);
        run_.source = std::move(fileName);
        run_.recording.backend = "emulator";
        run_.recording.profile = "cc90";
    }

    Pc instruction(std::string_view name, u32 line, ptx::Type type = ptx::Type::F32) {
        ptx::Instruction i;
        i.name = i.form = name;
        i.types[0] = type;
        ptx::Location location;
        location.file = 1;
        location.line = line;
        module_->locations.push_back(location);
        i.location = u32(module_->locations.size() - 1);
        module_->instructions.push_back(i);
        module_->functions[0].end = Pc{u32(module_->instructions.size())};
        return Pc{u32(module_->instructions.size() - 1)};
    }
    void shared(std::string_view name, u64 bytes) {
        ptx::Variable v;
        v.name = name;
        v.space = ptx::StateSpace::Shared;
        v.type = ptx::Type::F32;
        v.alignBytes = 4;
        v.sizeBytes = bytes;
        module_->variables.push_back(v);
    }
    u32 buffer(std::string name, std::vector<u64> shape, const std::vector<f32>& values) {
        Buffer b{std::move(name), ElementType::F32, std::move(shape), std::vector<std::byte>(values.size() * 4)};
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
    void access(u32 warp, Pc pc, LaneMask active, trace::Space space, trace::AccessKind kind, const std::function<u64(u32)>& address,
                const std::function<f32(u32)>& value, u8 widthBytes = 4) {
        trace::WarpTrace& w = this->warp(warp);
        trace::StoredAccess a{pc, active, space, kind, widthBytes, false, 0, 0, w.addressPool.size(), w.valuePool.size()};
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
            const bool on = active.has(Lane{lane});
            w.addressPool.push_back(on ? address(lane) : 0);
            const f32 v = on ? value(lane) : 0;
            const std::size_t at = w.valuePool.size();
            w.valuePool.resize(at + widthBytes);
            std::memcpy(&w.valuePool[at], &v, std::min<std::size_t>(widthBytes, sizeof v));
        }
        w.accesses.push_back(a);
        w.steps.push_back({pc, active, u32(w.accesses.size() - 1), order_++});
    }

    trace::Recording& recording() { return run_.recording; }
    model::Report& report() { return run_.report; }
    void catalog(const catalog::Experiment& experiment) { run_.catalog = experiment; }
    run::Run finish() {
        run_.module = module_;
        return run_;
    }

private:
    trace::WarpTrace& warp(u32 n) { return run_.recording.trace.blocks.back().warps[n]; }

    std::shared_ptr<ptx::Module> module_;
    run::Run run_;
    u32 order_ = 0;
};

// A warp reads column `column` of float tile[32][pitch].
inline run::Run columnRead(u32 pitch, u32 warps = 2) {
    RunBuilder b("transpose.cu", "__global__ void kernel(float* out) {\n  __shared__ float tile[32][32];\n  out[i] = tile[threadIdx.x][threadIdx.y + j];\n}\n");
    b.shared("tile", u64{32} * pitch * 4);
    const Pc move = b.instruction("mov.u32", 2, ptx::Type::U32), load = b.instruction("ld.shared.f32", 3);
    b.launch({4, 4, 1}, {32, warps, 1});
    b.block({1, 0, 0});
    for (u32 w = 0; w < warps; ++w) {
        b.step(w, move, LaneMask::all());
        for (u32 j = 0; j < 4; ++j)
            b.access(w, load, LaneMask::all(), trace::Space::Shared, trace::AccessKind::Load, [&](u32 lane) { return u64{lane * pitch + w + 8 * j} * 4; }, [](u32 lane) { return f32(lane); });
    }
    return b.finish();
}

// The textbook's tiled matrix multiply of width x width with tiles of T x T, every block recorded. `checked`: with its three tests.
inline run::Run tiledMatmul(u32 width, u32 T, bool checked) {
    RunBuilder b(checked ? "tiled_bounds.cu" : "tiled.cu",
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
    const Pc setUp = b.instruction("mov.u32", 4, ptx::Type::U32), test = b.instruction("setp.lt.s32", 7, ptx::Type::S32), ldM = b.instruction("ld.global.f32", 7),
             stM = b.instruction("st.shared.f32", 7), ldN = b.instruction("ld.global.f32", 8), stN = b.instruction("st.shared.f32", 8), bar = b.instruction("bar.sync", 9, ptx::Type::None),
             ldMds = b.instruction("ld.shared.f32", 11), ldNds = b.instruction("ld.shared.f32", 11), fma = b.instruction("fma.rn.f32", 11), bar2 = b.instruction("bar.sync", 12, ptx::Type::None),
             stP = b.instruction("st.global.f32", 15);
    const std::vector<f32> mSmall{3, 1, 4, 1, 5, 9, 2, 6, 5}, nSmall{2, 7, 1, 8, 2, 8, 1, 8, 2};
    std::vector<f32> m(width * width), n(width * width);
    for (u32 i = 0; i < m.size(); ++i) m[i] = width == 3 ? mSmall[i] : f32(i * 7 % 10), n[i] = width == 3 ? nSmall[i] : f32(i * 3 % 10);
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
            const auto read = [&](const std::vector<f32>& from, u64 index) { return index < from.size() ? from[index] : std::bit_cast<f32>(0xffffffffu); };
            for (u32 w = 0; w < warps; ++w)
                for (u32 i = 0; i < 6; ++i) b.step(w, setUp, maskOf(w, exists));
            for (u32 ph = 0; ph < blocks; ++ph) {
                for (u32 w = 0; w < warps; ++w) {
                    const auto all = maskOf(w, exists);
                    const auto ty = [&](u32 l) { return (w * 32 + l) / T; };
                    const auto tx = [&](u32 l) { return (w * 32 + l) % T; };
                    const auto tile = [&](const std::string& which, u32 l) { return (which == "N" ? u64{threads} * 4 : 0) + u64{w * 32 + l} * 4; };
                    const auto mIndex = [&](u32 l) { return u64{by * T + ty(l)} * width + ph * T + tx(l); };
                    const auto nIndex = [&](u32 l) { return u64{ph * T + ty(l)} * width + bx * T + tx(l); };
                    const auto mOk = maskOf(w, [&](u32 y, u32 x) { return !checked || (by * T + y < width && ph * T + x < width); });
                    const auto nOk = maskOf(w, [&](u32 y, u32 x) { return !checked || (ph * T + y < width && bx * T + x < width); });
                    b.step(w, test, all);
                    b.access(w, ldM, mOk, Space::Global, AccessKind::Load, [&](u32 l) { return deviceAddressOf(0) + mIndex(l) * 4; }, [&](u32 l) { return read(m, mIndex(l)); });
                    for (const Lane l : all) mds[w * 32 + l.value] = mOk.has(l) ? read(m, mIndex(l.value)) : 0;
                    b.access(w, stM, all, Space::Shared, AccessKind::Store, [&](u32 l) { return tile("M", l); }, [&](u32 l) { return mds[w * 32 + l]; });
                    b.step(w, test, all);
                    b.access(w, ldN, nOk, Space::Global, AccessKind::Load, [&](u32 l) { return deviceAddressOf(1) + nIndex(l) * 4; }, [&](u32 l) { return read(n, nIndex(l)); });
                    for (const Lane l : all) nds[w * 32 + l.value] = nOk.has(l) ? read(n, nIndex(l.value)) : 0;
                    b.access(w, stN, all, Space::Shared, AccessKind::Store, [&](u32 l) { return tile("N", l); }, [&](u32 l) { return nds[w * 32 + l]; });
                    b.barrier(w, bar, all);
                }
                for (u32 w = 0; w < warps; ++w) {
                    const auto all = maskOf(w, exists);
                    for (u32 k = 0; k < T; ++k) {
                        b.access(w, ldMds, all, Space::Shared, AccessKind::Load, [&](u32 l) { return u64{(w * 32 + l) / T * T + k} * 4; }, [&](u32 l) { return mds[(w * 32 + l) / T * T + k]; });
                        b.access(w, ldNds, all, Space::Shared, AccessKind::Load, [&](u32 l) { return u64{threads + k * T + (w * 32 + l) % T} * 4; }, [&](u32 l) { return nds[k * T + (w * 32 + l) % T]; });
                        b.step(w, fma, all);
                        for (const Lane l : all) sum[w * 32 + l.value] += mds[(w * 32 + l.value) / T * T + k] * nds[k * T + (w * 32 + l.value) % T];
                    }
                    b.barrier(w, bar2, all);
                }
            }
            for (u32 w = 0; w < warps; ++w) {
                const auto ok = maskOf(w, [&](u32 y, u32 x) { return !checked || (by * T + y < width && bx * T + x < width); });
                const auto pIndex = [&](u32 l) { return u64{by * T + (w * 32 + l) / T} * width + bx * T + (w * 32 + l) % T; };
                b.step(w, test, maskOf(w, exists));
                if (!ok.empty()) b.access(w, stP, ok, Space::Global, AccessKind::Store, [&](u32 l) { return deviceAddressOf(2) + pIndex(l) * 4; }, [&](u32 l) { return sum[w * 32 + l]; });
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

}  // namespace lockstep::viz
