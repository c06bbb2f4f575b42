#include "model/bounds.h"

#include "ptx/opcodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::model {
namespace {

// CUDA C++ Programming Guide, "Arithmetic Instructions": a fused multiply-add counts as two operations.
u32 operationsOf(const ptx::Instruction& instruction) {
    const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name;
    if (opcode == "fma" || opcode == "mad") return 2;
    return opcode == "add" || opcode == "sub" || opcode == "mul" ? 1 : 0;
}

struct Arithmetic {
    f64 fp32Instructions = 0, fp64Instructions = 0;  // of threads
    f64 operations = 0;
};

Arithmetic arithmeticOf(const ptx::Module& module, const trace::Recording& recording) {
    Arithmetic sum;
    for (const trace::GridCounts& counts : recording.counts)
        for (std::size_t pc = 0; pc < counts.perPc.size() && pc < module.instructions.size(); ++pc) {
            const ptx::Instruction& instruction = module.instructions[pc];
            const u32 operations = operationsOf(instruction);
            const bool isSingle = instruction.types[0] == ptx::Type::F32, isDouble = instruction.types[0] == ptx::Type::F64;
            if (operations == 0 || (!isSingle && !isDouble)) continue;
            const f64 lanes = f64(counts.perPc[pc].activeLanes);
            (isSingle ? sum.fp32Instructions : sum.fp64Instructions) += lanes;
            sum.operations += operations * lanes;
        }
    return sum;
}

// Warp instructions that no compiler can do without: floating-point arithmetic, accesses to memory after merging, atomics, barriers.
// Of the others (moves, addresses, conversions) machine code may have fewer than PTX, so they bound nothing.
f64 certainInstructions(const ptx::Module& module, const trace::Recording& recording, const Report& report) {
    std::vector<bool> isMergedAway(module.instructions.size());
    for (const SiteReport& site : report.sites)
        if (site.merged && site.merged->first != site.pc && site.pc.value < isMergedAway.size()) isMergedAway[site.pc.value] = true;
    f64 sum = 0;
    for (const trace::GridCounts& counts : recording.counts)
        for (std::size_t pc = 0; pc < counts.perPc.size() && pc < module.instructions.size(); ++pc) {
            const ptx::Instruction& instruction = module.instructions[pc];
            const ptx::OpcodeClass kind = ptx::opcodeTable()[instruction.opcode].opcodeClass;
            const bool isAccess = (kind == ptx::OpcodeClass::Memory || kind == ptx::OpcodeClass::Atomic) &&
                                  (instruction.modifiers.space == ptx::StateSpace::Global || instruction.modifiers.space == ptx::StateSpace::Shared);
            const bool isArithmetic = operationsOf(instruction) > 0 && ptx::isFloat(instruction.types[0]);
            if (!isMergedAway[pc] && (isAccess || isArithmetic || kind == ptx::OpcodeClass::Barrier)) sum += f64(counts.perPc[pc].executions);
        }
    return sum;
}

f64 counter(const Report& report, const char* name) {
    const auto found = report.counters.find(name);
    return found == report.counters.end() ? 0.0 : f64(found->second);
}

constexpr f64 kSectorBytes = 32;

}  // namespace

Text resourceName(const std::string& resource) {
    struct Row {
        const char* resource;
        Text name;
    };
    static const Row rows[] = {
        {"device_memory", {"device memory", "设备内存"}},
        {"l2", {"reading from the L2 cache", "读取 L2 缓存"}},
        {"shared_memory", {"shared memory", "共享内存"}},
        {"issue_slots", {"the issue of instructions", "指令发射"}},
        {"fp32", {"32-bit floating-point arithmetic", "32 位浮点运算"}},
        {"fp64", {"64-bit floating-point arithmetic", "64 位浮点运算"}},
    };
    for (const Row& row : rows)
        if (row.resource == resource) return row.name;
    return {resource, resource};
}

Text noBoundOfL2() { return {"L2 cache: no bound, for this card has no sourced bandwidth", "L2 缓存：没有下界，这块卡的 L2 带宽没有出处"}; }

std::string timeText(f64 ms) {
    if (ms >= 1) return fmt::format("{:.3g} ms", ms);
    return ms >= 1e-3 ? fmt::format("{:.3g} µs", 1e3 * ms) : fmt::format("{:.3g} ns", 1e6 * ms);
}

f64 RooflinePoint::attainable() const { return std::min(peakOperationsPerSecond, operationsPerByte() * bytesPerSecond); }

std::optional<Bounds> boundsOf(const ptx::Module& module, const trace::Recording& recording, const Report& report,
                               const Profile& profile) {
    if (!profile.speed) return std::nullopt;
    const Speed& speed = *profile.speed;
    u64 blocks = 0;
    for (const Launch& launch : recording.launches) blocks = std::max(blocks, launch.grid.count());
    const f64 cyclesPerSecond = 1e6 * speed.clockMhz * f64(std::min<u64>(profile.multiprocessors, blocks));
    const Arithmetic arithmetic = arithmeticOf(module, recording);

    Bounds bounds;
    const auto add = [&](const char* resource, f64 amount, const char* unit, f64 perSecond) {
        if (amount > 0 && perSecond > 0) bounds.all.push_back({resource, amount, unit, perSecond});
    };
    const f64 bytes = kSectorBytes * (counter(report, "dram__sectors_read") + counter(report, "dram__sectors_write"));
    add("device_memory", bytes, "bytes", 1e6 * speed.memoryMBPerSecond);
    bounds.knowsL2 = speed.l2ReadMBPerSecond.has_value();
    if (bounds.knowsL2) add("l2", kSectorBytes * counter(report, "lts__t_sectors_srcunit_tex_op_read"), "bytes", 1e6 * *speed.l2ReadMBPerSecond);
    f64 wavefronts = 0;
    for (const char* operation : {"ld", "st", "atom"})
        wavefronts += counter(report, fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}", operation).c_str());
    // One wavefront a clock on each multiprocessor: NVIDIA Nsight Compute, "Hardware Model", L1TEX data stage.
    add("shared_memory", wavefronts, "wavefronts", cyclesPerSecond);
    add("issue_slots", certainInstructions(module, recording, report), "warp instructions", cyclesPerSecond * speed.issueLanes / kWarpSize);
    add("fp32", arithmetic.fp32Instructions, "operations", cyclesPerSecond * speed.fp32Lanes);
    add("fp64", arithmetic.fp64Instructions, "operations", cyclesPerSecond * speed.fp64Lanes);
    std::ranges::stable_sort(bounds.all, std::ranges::greater{}, &Bound::leastMs);
    bounds.roofline = {.operations = arithmetic.operations,
                       .bytes = bytes,
                       .peakOperationsPerSecond = 2e6 * speed.clockMhz * profile.multiprocessors *
                                                  (arithmetic.fp64Instructions > arithmetic.fp32Instructions ? speed.fp64Lanes : speed.fp32Lanes),
                       .bytesPerSecond = 1e6 * speed.memoryMBPerSecond};
    return bounds;
}

Text describe(const Bounds& bounds, std::optional<f64> measuredMs) {
    const Bound* binding = bounds.binding();
    if (!binding) return {"Nothing that this run did takes a time that can be bounded.", "这次运行没有可以给出时间下界的工作。"};
    const Text name = resourceName(binding->resource);
    const std::string least = timeText(binding->leastMs());
    Text text{fmt::format("It cannot take less than {}: {} alone needs that long. A bound, not a prediction.", least, name.en),
              fmt::format("时间不会少于 {}：仅{}就需要这么久。这是下界，不是预测。", least, name.zh)};
    if (measuredMs && binding->leastMs() > 0) {
        const f64 times = *measuredMs / binding->leastMs();
        text.en += fmt::format(" Measured: {}, {:.3g} times the bound.", timeText(*measuredMs), times);
        text.zh += fmt::format("实测 {}，是下界的 {:.3g} 倍。", timeText(*measuredMs), times);
    }
    return text;
}

}  // namespace lockstep::model
