// One warp's access without a kernel, as `lockstep access` and the playground pose it, and its cost on a
// device.
#pragma once

#include "base/expected.h"
#include "model/profiles/profile.h"
#include "trace/access.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {

// Byte offset of each lane from a 256-byte boundary; none: the lane is inactive.
using LaneOffsets = std::array<std::optional<s64>, kWarpSize>;

// "0,4,8,-,16,..." with 32 entries; "-" is an inactive lane.
Expected<LaneOffsets> parseOffsets(std::string_view text);
// All lanes active, at `expression` elements of `widthBytes`.
Expected<LaneOffsets> offsetsOf(std::string_view expression, u32 widthBytes);

struct AccessQuery {
    trace::Space space = trace::Space::Shared;              // Shared or Global
    trace::AccessKind operation = trace::AccessKind::Load;  // Load or Store
    u32 widthBytes = 4;                                     // 1, 2, 4, 8, 16
    LaneOffsets offsets{};
    std::optional<bool> l1 = {};  // whether L1 caches loads; none: the device's default
};

// Fields that do not apply to the space or the device are empty.
struct AccessAnswer {
    std::string profile;
    trace::Space space = trace::Space::Shared;
    trace::AccessKind operation = trace::AccessKind::Load;
    u32 widthBytes = 4;
    std::optional<u32> requests = {}, sectors = {}, transactions = {}, wavefronts = {}, idealWavefronts = {};
    struct Item {
        s64 start = 0;  // byte offset
        u32 bytes = 0;
        std::vector<u32> lanes = {};
    };
    std::vector<Item> items = {};
    struct Pass {
        std::vector<u32> lanes = {}, banks = {};  // each once, ascending
    };
    std::vector<Pass> passes = {};
};

// Fault: no such width, a misaligned offset, or one that is too large.
Expected<void> checkQuery(const AccessQuery& query);
// The same Faults.
Expected<AccessAnswer> answer(const AccessQuery& query, const Profile& profile);

// The same access as an event of a trace, for views; the offsets of an accepted query.
trace::WarpAccess accessOf(const AccessQuery& query);
// Address of offset 0 in such an event: far from 0, so that offsets may be negative.
inline constexpr u64 kOffsetZero = u64{1} << 44;

}  // namespace lockstep::model
