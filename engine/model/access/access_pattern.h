// One warp's access as one plays with it: an index expression, rows that are padded or swizzled, lanes placed
// by hand. What `lockstep access` and the playground ask; a query comes of it.
#pragma once

#include "base/text/words.h"
#include "model/access/access_query.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::model {

// How an array that is counted row after row lies in memory.
struct RowLayout {
    u32 elements = 32;  // of a row
    u32 padding = 0;    // elements left unused behind each row: tile[32][32 + 1]
    bool swizzled =
        false;  // a row's columns are exchanged: column ^ row, within the row, which is a power of two long

    // Where element `index` lies, in elements. Rows go on below 0 as above.
    s64 place(s64 index) const;
    // Whether some element lies there, or it is padding.
    bool isUsed(s64 place) const;
    bool operator==(const RowLayout&) const = default;
};

struct AccessPattern {
    trace::Space space = trace::Space::Shared;              // Shared or Global
    trace::AccessKind operation = trace::AccessKind::Load;  // Load or Store
    u32 widthBytes = 4;                                     // of a lane and of an element: 1, 2, 4, 8, 16
    std::string expression = "tid";  // index of an element; empty: lanes reach only where `moved` says
    RowLayout rows = {};
    std::array<std::optional<s64>, kWarpSize> moved =
        {};             // by hand: the place in memory, in elements, of each lane that was moved
    LaneMask off = {};  // lanes that take no part
    bool operator==(const AccessPattern&) const = default;
};

// A Fault: of the expression, of the rows, or as answer() has them.
Expected<AccessQuery> queryOf(const AccessPattern& pattern);

// The pattern of an access that was recorded; `zero` is the address that element 0 has there. Addresses that
// grow evenly with the lane become an expression, others are placed lane by lane. None: it is neither a load
// nor a store, or misaligned.
std::optional<AccessPattern> patternOf(const trace::WarpAccess& access, u64 zero);

// The classic patterns.
struct AccessPreset {
    std::string_view name;  // "column-padded"
    Words title;
    AccessPattern pattern;
};
std::span<const AccessPreset> accessPresets();
const AccessPreset* findAccessPreset(std::string_view name);

}  // namespace lockstep::model
