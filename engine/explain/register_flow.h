// Follows one warp through its record and notes, of each register that an instruction reads, the step that
// wrote it last: one number where that is the same step for all lanes, as it mostly is.
#pragma once

#include "explain/instruction_flow.h"
#include "simt/warp_replay.h"
#include "trace/trace.h"

#include <array>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockstep::explain {

// The instructions' flows, by pc, read when they are asked for first.
class InstructionFlows {
public:
    explicit InstructionFlows(const ptx::Module& module);
    const InstructionFlow& at(Pc pc) {
        std::optional<InstructionFlow>& flow = flows_[pc.value];
        if (!flow) [[unlikely]]
            flow = instructionFlow(module_, pc);
        return *flow;
    }
    // Of one that was asked for before.
    const InstructionFlow& known(Pc pc) const { return *flows_[pc.value]; }

private:
    const ptx::Module& module_;
    std::vector<std::optional<InstructionFlow>> flows_;
};

// For all lanes one number, or one each.
using Code = u32;
inline constexpr Code kNone = 0xffffffffu;  // of a step: nothing ever wrote it
inline constexpr Code kByLane = 1u << 30;   // the rest is an index

// What is kept of one warp.
struct RegisterFlow {
    using Lanes = std::array<u32, kWarpSize>;
    // Who an exchange was with.
    struct Exchange {
        LaneMask together;                 // none: not known
        std::array<u8, kWarpSize> from{};  // of a shuffle: the lane that it reads; kUnknownLane
        Lanes steps{};                     // by lane, that with which it came
        static constexpr u8 kUnknownLane = 0xff;
    };
    std::vector<u32> first;  // by step: its numbers in `numbers`; kNone: it executed nothing
    std::vector<u32>
        numbers;  // InstructionFlow::numbers() a step: Codes of what it reads, then the extra ones
    std::vector<Lanes> lanes;  // of Codes by lane
    std::vector<Exchange> exchanges;
    std::vector<std::array<u8, kWarpSize>> bytes;  // that cp.async reads; kUnknownBytes
    static constexpr u8 kUnknownBytes = 0xff;

    std::size_t bytesKept() const;
    u32 inLane(Code code, Lane lane) const {
        return code == kNone || code < kByLane ? code : lanes[code - kByLane][lane.value];
    }
};

// The kernel's registers whose values say where values go: which one a selection takes, whose a shuffle
// reads, how much a copy fills.
std::vector<ptx::RegisterId> registersThatDirect(const ptx::Module& module, std::string_view kernel);

// The replay has not begun; it need not know other registers than those that direct.
RegisterFlow followRegisters(simt::WarpReplay& replay, const ptx::Module& module, InstructionFlows& flows,
                             const trace::FocusBlock& block, Warp warp);

}  // namespace lockstep::explain
