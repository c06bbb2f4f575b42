#include "run/known_differences.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::run {
namespace {

constexpr std::array kGlobalLoads{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"};

std::string_view opcodeAt(const ptx::Module& module, Pc pc) { return ptx::opcodeTable()[module.at(pc).opcode].name; }
bool isGlobalLoad(const ptx::Module& module, Pc pc) { return opcodeAt(module, pc) == "ld" && module.at(pc).modifiers.space == ptx::StateSpace::Global; }

// A branch back that lanes of one warp left at different turns, with a global load in the loop.
bool hasUnevenLoop(const Run& run) {
    const ptx::Module& module = *run.module;
    for (const trace::GridCounts& counts : run.recording.counts)
        for (u32 pc = 0; pc < counts.perPc.size(); ++pc) {
            if (counts.perPc[pc].divergent == 0 || opcodeAt(module, Pc{pc}) != "bra") continue;
            const auto* label = std::get_if<ptx::LabelOperand>(&module.operandsOf(module.at(Pc{pc}))[0]);
            if (!label || label->target.value > pc) continue;
            for (u32 at = label->target.value; at < pc; ++at)
                if (isGlobalLoad(module, Pc{at})) return true;
        }
    return false;
}

bool writesRegister(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id) {
    const std::span<const ptx::Operand> operands = module.operandsOf(instruction);
    const auto* result = operands.empty() ? nullptr : std::get_if<ptx::RegisterOperand>(&operands[0]);
    return result && result->id == id;
}

// Two loads of one thread from one address, and nothing that the thread itself stores in between.
bool readsTwice(const Run& run) {
    const ptx::Module& module = *run.module;
    const u32 count = u32(module.instructions.size());
    for (u32 first = 0; first < count; ++first) {
        if (!isGlobalLoad(module, Pc{first})) continue;
        const auto* address = std::get_if<ptx::AddressOperand>(&module.operandsOf(module.at(Pc{first}))[1]);
        const auto* base = address ? std::get_if<ptx::RegisterId>(&address->base) : nullptr;
        if (!base) continue;
        for (u32 pc = first; pc < count && module.functionOf(Pc{pc}) == module.functionOf(Pc{first}); ++pc) {
            const ptx::Instruction& instruction = module.at(Pc{pc});
            if (pc > first && isGlobalLoad(module, Pc{pc})) {
                const auto* again = std::get_if<ptx::AddressOperand>(&module.operandsOf(instruction)[1]);
                const auto* same = again ? std::get_if<ptx::RegisterId>(&again->base) : nullptr;
                if (same && *same == *base && again->offsetBytes == address->offsetBytes && instruction.form == module.at(Pc{first}).form) return true;
            }
            const std::string_view opcode = opcodeAt(module, Pc{pc});
            const bool stores = (opcode == "st" || opcode == "atom" || opcode == "red") && instruction.modifiers.space != ptx::StateSpace::Shared;
            if (stores || writesRegister(module, instruction, *base)) break;
        }
    }
    return false;
}

}  // namespace

std::span<const KnownDifference> knownDifferences() {
    static const std::array table{
        KnownDifference{"uneven_loop", kGlobalLoads, true, &hasUnevenLoop,
                        {"ptxas unrolls the loop once more than the PTX does: lanes that stay in it for different times go through different copies of one load, and each copy is a request "
                         "of its own",
                         "ptxas 会把循环在 PTX 的基础上再展开一次：循环次数不同的通道经过同一读取指令的不同副本，每个副本各是一次请求"}},
        KnownDifference{"read_twice", kGlobalLoads, false, &readsTwice,
                        {"ptxas reads once what the PTX reads twice from one address without a store of the thread's own in between",
                         "同一线程在两次读取同一地址之间没有写入，PTX 读两次，ptxas 只读一次"}},
    };
    return table;
}

const KnownDifference* explain(const Run& run, std::string_view metric, f64 model, f64 measured) {
    for (const KnownDifference& difference : knownDifferences())
        if (std::ranges::find(difference.metrics, metric) != difference.metrics.end() && difference.hardwareCountsMore == (measured > model) && difference.isAtWork(run))
            return &difference;
    return nullptr;
}

}  // namespace lockstep::run
