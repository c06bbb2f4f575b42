// What the lanes of a recorded access move, element by element: a 16-byte load of floats is four numbers, not
// one.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::explain {

// How the bytes that a lane moves are to be read.
struct MovedElements {
    ptx::Type type = ptx::Type::None;
    u32 bytes = 4, count = 1;
};
// As the buffer or the shared array has them; where neither is known, as the instruction is written:
// ld.v4.f32 moves four floats, and so does ld.v2.u64 from a buffer of floats.
MovedElements movedElements(const Recorded& run, LaunchId launch, const trace::WarpTrace& warp,
                            const trace::StoredAccess& access, Lane lane);
// The same of an access that is in no recording's trace.
MovedElements movedElements(const Recorded& run, LaunchId launch, trace::Space space, u64 address, u32 width,
                            Pc pc);

// Each as text: {"1.0", "2.0", "3.0", "4.0"}.
std::vector<std::string> elementTexts(const MovedElements& elements, std::span<const std::byte> bytes,
                                      u32 maxCharacters = 8);

// "1.0", "1.0, 2.0, 3.0, 4.0".
std::string movedText(const MovedElements& elements, std::span<const std::byte> bytes, u32 maxCharacters = 8);

// "f32", "f32 × 4".
std::string typeText(const MovedElements& elements);

}  // namespace lockstep::explain
