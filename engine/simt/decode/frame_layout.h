// Where a function's registers, constants and special registers are in a warp's frame.
#pragma once

#include "ptx/module.h"
#include "simt/decode/program.h"
#include "simt/opcodes/opcode.h"

#include <map>
#include <optional>
#include <vector>

namespace lockstep::simt {

constexpr Storage storageOfType(ptx::Type type, u32 bytes) {
    if (type == ptx::Type::Pred) return Storage::Predicate;
    return bytes <= 4 ? Storage::Lanes32 : bytes == 8 ? Storage::Lanes64 : Storage::Lanes128;
}
constexpr u32 bytesOfStorage(Storage storage) {
    switch (storage) {
        case Storage::None: return 0;
        case Storage::Predicate: return 4;
        case Storage::Lanes32: return 4 * kWarpSize;
        case Storage::Lanes64: return 8 * kWarpSize;
        case Storage::Lanes128: return 16 * kWarpSize;
    }
    return 0;
}

// Special registers that are evaluated at each read.
constexpr bool isClock(ptx::Special special) {
    using enum ptx::Special;
    return special == Clock || special == ClockHi || special == Clock64 || special == GlobalTimer ||
           special == GlobalTimerLo || special == GlobalTimerHi;
}

class FrameLayout {
public:
    explicit FrameLayout(const ptx::Function& function);

    u32 registerAt(ptx::RegisterId id);
    Storage storageOfRegister(ptx::RegisterId id) const { return registers_[id.value].storage; }
    const ptx::Register& registerOf(ptx::RegisterId id) const { return function_.registers[id.value]; }
    u32 constant(u64 bits, Storage storage);  // 32 lanes of one value
    u32 special(ptx::Special special);        // written by the emulator; 32 or 64 bits by its type
    u32 localAddress(u32 offsetBytes, bool generic);
    u32 carry();  // the hidden flag of .cc
    u32 allTrue() { return constant(1, Storage::Predicate); }
    // Temporary space for one instruction's intermediate values, distinct per call; `release` when done.
    u32 scratch(Storage storage);
    void releaseScratch() { scratchUsed_ = {}; }
    LaneBytes laneBytes(u32 sizeBytes);

    // Moves frame size, registers' places, constants and special registers into the code.
    void finish(FunctionCode& code) const;

private:
    u32 allocate(Storage storage);

    struct RegisterSlot {
        Storage storage;
        std::optional<u32> at;
    };
    struct Constant {
        u32 at;
        u64 bits;
        Storage storage;
    };

    const ptx::Function& function_;
    std::vector<RegisterSlot> registers_;
    std::map<std::pair<u64, Storage>, u32> constants_;
    std::vector<SpecialSlot> specials_;
    std::vector<FunctionCode::LocalAddress> localAddresses_;
    std::optional<u32> carry_;
    std::array<std::vector<u32>, 5> scratch_;
    std::array<u32, 5> scratchUsed_{};
    u32 bytes_ = 0, predicateRoom_ = 0, nextPredicate_ = 0;
};

}  // namespace lockstep::simt
