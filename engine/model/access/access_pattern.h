// One warp's access as the user edits it: an index expression, padded or swizzled rows, lanes placed by hand.
// `lockstep access` and the playground build one and turn it into a query.
#pragma once

#include "base/text/words.h"
#include "model/access/access_query.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::model {

// How an array indexed row by row is laid out in memory.
struct RowLayout {
    u32 elements = 32;      // of a row
    u32 padding = 0;        // unused elements after each row: tile[32][32 + 1]
    bool swizzled = false;  // XOR swizzle: column ^ row; the row length is a power of two

    // Position of element `index`, in elements. Negative indices continue the same layout.
    s64 place(s64 index) const;
    // False for padding.
    bool isUsed(s64 place) const;
    bool operator==(const RowLayout&) const = default;
};

struct AccessPattern {
    trace::Space space = trace::Space::Shared;              // Shared or Global
    trace::AccessKind operation = trace::AccessKind::Load;  // Load or Store
    u32 widthBytes = 4;                                     // of a lane and of an element: 1, 2, 4, 8, 16
    std::string expression = "tid";  // element index; empty: only the lanes in `moved` access anything
    RowLayout rows = {};
    std::array<std::optional<s64>, kWarpSize> moved =
        {};             // position in memory, in elements, of each lane placed by hand
    LaneMask off = {};  // inactive lanes
    bool operator==(const AccessPattern&) const = default;
};

// Fault: a bad expression, bad rows, or any Fault of answer().
Expected<AccessQuery> queryOf(const AccessPattern& pattern);

// The pattern of a recorded access; `zero` is the address of element 0. Addresses that are linear in the lane
// become an expression, others are placed lane by lane. None: it is neither a load nor a store, or
// misaligned.
std::optional<AccessPattern> patternOf(const trace::WarpAccess& access, u64 zero);

// The classic patterns.
struct AccessPreset {
    std::string_view name;  // "column-padded"
    Words title;
    AccessPattern pattern;
};
std::span<const AccessPreset> accessPresets();
const AccessPreset* findAccessPreset(std::string_view name);
// The one that this is, however its expression is written: "2*tid" is "tid * 2". Null: none.
const AccessPreset* presetOf(const AccessPattern& pattern);

}  // namespace lockstep::model
