#include "trace/pattern_code.h"

#include <cstring>

namespace lockstep::trace {

namespace {

// Small signed numbers in few bytes: the sign in bit 0, then 7 bits per byte; the high bit means that more
// follow.
void put(std::string& code, u64 value) {
    value = value << 1 ^ (value >> 63 ? ~u64{0} : 0);
    for (; value >= 0x80; value >>= 7)
        code.push_back(char(value | 0x80));
    code.push_back(char(value));
}

u64 take(const char*& at) {
    u64 value = 0;
    for (int shift = 0;; shift += 7) {
        const u8 byte = u8(*at++);
        value |= u64{byte & 0x7fu} << shift;
        if (!(byte & 0x80)) break;
    }
    return value >> 1 ^ (value & 1 ? ~u64{0} : 0);
}

}  // namespace

LaneShape shapeFrom(const WarpAccess& access) {
    LaneShape shape{.active = access.active};
    if (access.active.empty()) return shape;
    const u64 origin = access.addresses[access.active.lowest().value];
    for (Lane lane : access.active)
        shape.deltas[lane.value] = access.addresses[lane.value] - origin;
    return shape;
}

// After the mask, the second differences of the lanes' addresses: zeros if affine.
std::string encode(const LaneShape& shape) {
    std::string code(sizeof(u32), '\0');
    code.reserve(80);
    std::memcpy(code.data(), &shape.active.bits, sizeof(u32));
    u64 previous = 0, step = 0;
    for (Lane lane : LaneMask{shape.active.bits & (shape.active.bits - 1)}) {
        const u64 now = shape.deltas[lane.value] - previous;
        put(code, now - step);
        step = now;
        previous = shape.deltas[lane.value];
    }
    return code;
}

LaneShape decode(const std::string& code) {
    LaneShape shape;
    std::memcpy(&shape.active.bits, code.data(), sizeof(u32));
    const char* at = code.data() + sizeof(u32);
    u64 previous = 0, step = 0;
    for (Lane lane : LaneMask{shape.active.bits & (shape.active.bits - 1)}) {
        step += take(at);
        previous += step;
        shape.deltas[lane.value] = previous;
    }
    return shape;
}

}  // namespace lockstep::trace
