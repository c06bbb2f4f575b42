// What the lanes of a warp exchange in one step, without memory: a shuffle, a vote, a match or a reduction.
#pragma once

#include "explain/cursor/recorded.h"
#include "explain/registers/warp_registers.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep::explain {

struct LaneExchange {
    enum class Kind : u8 {
        Shuffle,   // each lane takes the value of one lane
        Vote,      // a predicate of all lanes of a group becomes one result
        Match,     // which lanes of a group have the same value
        Reduction  // one result of the values of a group
    };
    Kind kind = Kind::Shuffle;
    std::string_view function;  // as CUDA calls it: "__shfl_down_sync"
    LaneMask active;            // lanes that execute it
    LaneRegister given;         // what each lane brings
    LaneRegister received;      // what it holds afterwards
    bool isPart = false;        // half of a wider number, which says nothing by itself
    // Shuffle: by lane, whose value it takes; where that lane is out of range or inactive, its own.
    std::array<u8, kWarpSize> from{};
    LaneMask takers{};  // Shuffle: lanes that take another lane's
    // All others: lanes that exchange with one another, as their member masks say.
    std::vector<LaneMask> groups{};
};

// Whether an instruction is one.
bool isExchange(const ptx::Module& module, Pc pc);
// "__shfl_down_sync" of "shfl.sync.down.b32"; empty: it is none.
std::string_view exchangeFunction(std::string_view form);

// Of the cursor's step. None: it is none, or the record does not tell what its operands hold. registers: of
// the cursor's warp.
std::optional<LaneExchange> laneExchangeAt(const Recorded& run, const Cursor& cursor,
                                           WarpRegisters& registers);

}  // namespace lockstep::explain
