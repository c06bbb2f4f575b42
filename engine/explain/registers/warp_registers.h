// The registers that instructions name, with their values in all lanes of a recorded warp once it has done
// some of its steps.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"
#include "simt/warp_replay.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::explain {

struct LaneRegister {
    std::string name;  // "%r14"
    std::string
        meaning;  // "2 * blockIdx.y + threadIdx.y": explain::registerNames; empty where nothing is proven
    ptx::Type type = ptx::Type::None;  // that its values are to be read as; whole numbers with their sign
    bool isAddress = false;            // of what the kernel was given: to be named rather than counted
    u32 pointeeBytes = 4;              // of what is accessed through it
    LaneMask lanes =
        LaneMask::all();  // that have it: of a function's own register, those that are in the function
    simt::LaneValues values;
};

class WarpRegisters {
public:
    // The run must outlive it. A Fault says why nothing can be said of it: a block that was not recorded, an
    // instruction that the emulator lacks.
    static Expected<std::unique_ptr<WarpRegisters>> of(const Recorded& run, const Cursor& cursor);

    bool isOf(const Recorded& run, const Cursor& cursor) const;
    // Of the registers that these instructions of the function name, each once: what has a meaning first,
    // plain addresses last. done: the steps that the warp has issued.
    std::vector<LaneRegister> named(ptx::FunctionId function, std::span<const Pc> instructions, u32 done);
    // What an operand holds in the lanes once the warp has issued `done` steps; a number of the code in all
    // of them. None: it is neither a register nor a number.
    std::optional<LaneRegister> operand(Pc pc, u32 number, u32 done);
    // That are in a function which the kernel calls.
    LaneMask lanesIn(ptx::FunctionId function, u32 done);
    bool isKernel(ptx::FunctionId function) const;

private:
    WarpRegisters(const Recorded& run, const Cursor& cursor, const ptx::Function& kernel,
                  simt::WarpReplay replay);

    Recorded run_;
    Cursor cursor_;
    const ptx::Function& kernel_;
    simt::WarpReplay replay_;
    struct Registers {  // by RegisterId
        std::vector<std::string>
            meanings;  // of functions nothing is proven: they are called from several places
        std::vector<ptx::Type> types;
        std::vector<u32> pointees;
    };
    const Registers& registersOf(ptx::FunctionId function);
    LaneRegister at(ptx::FunctionId function, ptx::RegisterId id);
    std::map<u32, Registers> registers_;  // by function
};

// What the lanes' values have in common.
struct LaneGroups {
    struct Group {
        u32 first;
        LaneMask lanes;
    };                          // lanes of one value, the lowest of them
    std::vector<Group> groups;  // of the known lanes: the most lanes first
    std::optional<s64> step;    // each known lane has so much more than its neighbor: a whole number, not 0
};
LaneGroups groupsOf(const LaneRegister& r);

}  // namespace lockstep::explain
