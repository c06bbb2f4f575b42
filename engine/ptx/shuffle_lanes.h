// Which lane a shuffle reads: for the emulator, and for the sentence that says it.
#pragma once

#include "base/integers.h"

#include <optional>
#include <string_view>

namespace lockstep::ptx {

enum class ShuffleMode : u8 { Up, Down, Butterfly, Index };

// Of "shfl.sync.down.b32"; none: it is no shuffle.
constexpr std::optional<ShuffleMode> shuffleModeOf(std::string_view form) {
    if (!form.starts_with("shfl.")) return std::nullopt;
    if (form.find(".up") != form.npos) return ShuffleMode::Up;
    if (form.find(".down") != form.npos) return ShuffleMode::Down;
    return form.find(".bfly") != form.npos ? ShuffleMode::Butterfly : ShuffleMode::Index;
}

struct ShuffleRead {
    u32 lane;      // lane to read; the lane itself if the source is out of range
    bool inRange;  // shfl's predicate
};

// PTX ISA, "shfl.sync": bits 4..0 of c clamp the source lane, bits 12..8 split the warp into segments.
constexpr ShuffleRead shuffleRead(ShuffleMode mode, u32 lane, u32 b, u32 c) {
    const u32 by = b & 31, segment = c >> 8 & 31, bound = c & 31;
    const u32 least = lane & segment, most = least | (bound & ~segment);
    const u32 wanted = mode == ShuffleMode::Up          ? lane - by
                       : mode == ShuffleMode::Down      ? lane + by
                       : mode == ShuffleMode::Butterfly ? lane ^ by
                                                        : least | (by & ~segment);
    const bool inRange = mode == ShuffleMode::Up ? s32(wanted) >= s32(most) : wanted <= most;
    return {inRange ? wanted : lane, inRange};
}

}  // namespace lockstep::ptx
