// Writes a script (script.h) while a block runs: the runner tells it each op before it is executed.
#pragma once

#include "simt/script/linear_form.h"
#include "simt/script/op_operands.h"
#include "simt/script/script.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep::simt {

class ScriptWriter {
public:
    // block: that is written down. memoAt: by warp, the frame offset where its memo begins.
    ScriptWriter(const Program& program, Dim3 block, std::span<const u32> memoAt);

    // ---- Ops of the entry, with the lanes of the path and the warp's frame.
    void lanes(u32 warp, const Op& op, const std::byte* frame, u32 mask);
    // A load, store or atomic through an address register.
    void memory(ScriptStep::Kind kind, u32 warp, const Op& op, const std::byte* frame, u32 mask);
    // Those of groups, whose slots have been checked.
    void loadShared(u32 warp, const Op& op, const std::byte* frame, const SlotStates& slots, u32 mask);
    void storeShared(u32 warp, const Op& op, const std::byte* frame, const SlotStates& slots, u32 mask);
    void multiplyAdd(u32 warp, const Op& op, const std::byte* frame, const SlotStates& slots, u32 mask);
    // A branch, or the end of a thread: it takes the lanes whose guard is true.
    void decide(u32 warp, const Op& op, const std::byte* frame, u32 mask);
    // Any other op that has an effect, or a guard.
    void other(ScriptStep::Kind kind, u32 warp, const Op& op, const std::byte* frame, u32 mask);
    void warpsMet(u32 warp, const Op& op, u32 lanes);
    void barrier();
    // The lanes of this register are not the same in every block: a script cannot do that.
    bool isKnown(u32 warp, u32 at, u32 mask) const;

    // An op of no effect besides its counts.
    void passes() { ++executed_; }
    void giveUp() { hasGivenUp_ = true; }
    bool hasGivenUp() const { return hasGivenUp_; }

    // Null: it has given up, or following it would hardly be quicker. `before`, `after`: the counts.
    std::unique_ptr<Script> finish(const Tally& before, const Tally& after, u64 issued);
    // To be put at memoAt of each warp.
    std::span<const std::byte> memo(u32 warp) const { return warps_[warp].memo; }

private:
    // Lanes of a register.
    struct Register {
        u32 data = 0, ofBlock = 0;  // depend on data; on the block's coordinates
        u32 shifted = 0;            // what they are in the block written down, plus this number
        u32 scalar = Scalars::kZero;
        bool isCoordinate = false;
        u32 present = 0;  // their values are in the frame of a warp that follows; all data and ofBlock are
        u32 written = 0;
        u32 memoAt = 0;  // frame offset of the values; 0: not in the memo
        u32 changes() const { return data | ofBlock | shifted; }
    };
    struct Warp {
        std::vector<Register> registers;  // by frame offset / 4
        u32 memoAt;
        std::vector<std::byte> memo;
    };
    struct Guard {
        u32 active;  // lanes that may execute: if it is not live, those that do
        bool isLive;
    };

    bool isOver() {  // call once for each op
        ++executed_;
        return hasGivenUp_;
    }
    Register& at(u32 warp, u32 offset) { return warps_[warp].registers[offset / 4]; }
    Guard guardOf(u32 warp, const Op& op, const std::byte* frame, u32 mask);
    u32 addToMemo(u32 warp, std::span<const std::byte> bytes);
    u32 memoOf(u32 warp, u32 offset, Storage storage, const std::byte* frame);
    void bring(u32 warp, u32 offset, Storage storage, const std::byte* frame, u32 lanes);
    // For a result that is left as it is in some of the lanes.
    void keepOld(u32 warp, u32 offset, Storage storage, const std::byte* frame, u32 lanes);
    void becomesData(u32 warp, u32 offset, u32 lanes);
    void becomesKnown(u32 warp, u32 offset, u32 lanes);
    void bringSlot(u32 warp, const ElementSlot& slot, const std::byte* frame, u32 lanes);
    const SlotState* snapshot(u32 warp, const SlotStates& slots);
    ScriptStep& add(ScriptStep::Kind kind, u32 warp, const Op& op, u32 mask);
    void addGuarded(ScriptStep& step, const Op& op, const std::byte* frame, u32 mask);
    void findDecisions();

    // ---- linear_steps.cpp
    // A source of an op: the number that its lanes change by. None: lanes change in different ways.
    struct Source {
        u32 scalar = Scalars::kZero;
        std::array<s64, kWarpSize> values{};  // in the block written down
    };
    std::optional<Source> sourceOf(u32 warp, u32 offset, bool is64, bool isSigned, const std::byte* frame,
                                   u32 active);
    // As true numbers, not modulo 2^32 or 2^64: within bounds.
    std::optional<u32> exactly(const Source& source, bool is64, bool isSigned, u32 active);
    bool becomesLinear(u32 warp, const Op& op, const OpOperands& operands, const std::byte* frame,
                       u32 active);
    bool compares(const LinearForm& form, const Source& a, const Source& b, u32 active);
    void becomesShifted(u32 warp, u32 offset, Storage storage, const std::byte* frame, u32 active,
                        u32 scalar);
    u32 distancesOf(const std::array<u64, kWarpSize>& distances);
    bool accessesAt(u32 warp, ScriptStep::Kind kind, const Op& op, const std::byte* frame, u32 active);

    const Program& program_;
    std::vector<Warp> warps_;
    std::unique_ptr<Script> script_;
    std::vector<bool> isOfData_;  // by step
    struct Counted {
        u32 pc;
        u64 lanes;
    };
    std::vector<Counted> countedBySteps_;
    std::vector<const std::vector<SlotState>*> lastSlots_;  // by warp
    std::size_t memoBytes_ = 0;
    u64 executed_ = 0;
    bool hasDecisions_ = false, hasGivenUp_ = false;
};

}  // namespace lockstep::simt
