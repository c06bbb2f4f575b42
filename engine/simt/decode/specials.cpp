#include "simt/decode/specials.h"

#include <algorithm>

namespace lockstep::simt {
namespace {

// Blocks are assigned to this many SMs in turn (an H200's); which one a real GPU picks is not defined.
constexpr u32 kMultiprocessors = 132;

u64 valueOf(ptx::Special special, const GridShape& shape, Dim3 block, u32 warp, u32 lane) {
    using enum ptx::Special;
    const Dim3 thread = coordinatesOf(u64{warp} * kWarpSize + lane, shape.block);
    const u32 bit = 1u << lane;
    switch (special) {
        case TidX: return thread.x;
        case TidY: return thread.y;
        case TidZ: return thread.z;
        case NtidX: return shape.block.x;
        case NtidY: return shape.block.y;
        case NtidZ: return shape.block.z;
        case CtaidX:
        case ClusterIdX: return block.x;
        case CtaidY:
        case ClusterIdY: return block.y;
        case CtaidZ:
        case ClusterIdZ: return block.z;
        case NctaidX:
        case NClusterIdX: return shape.grid.x;
        case NctaidY:
        case NClusterIdY: return shape.grid.y;
        case NctaidZ:
        case NClusterIdZ: return shape.grid.z;
        case LaneId: return lane;
        case WarpId: return warp;
        case NWarpId: return (shape.block.count() + kWarpSize - 1) / kWarpSize;
        case SmId: return linearOf(block, shape.grid) % kMultiprocessors;
        case NSmId: return kMultiprocessors;
        case GridId: return shape.launch + 1;
        case LaneMaskEq: return bit;
        case LaneMaskLt: return bit - 1;
        case LaneMaskLe: return (bit - 1) | bit;
        case LaneMaskGt: return ~((bit - 1) | bit);
        case LaneMaskGe: return ~(bit - 1);
        case EnvReg1: return shape.workspace >> 32;
        case EnvReg2: return shape.workspace & 0xffffffff;
        case ReservedSharedBegin:
        case ReservedShared0: return shape.reservedSharedAt;
        // What lies where in it is the driver's matter; cooperative groups use 288 bytes from here on.
        case ReservedShared1: return shape.reservedSharedAt + kReservedSharedBytes / 2;
        case ReservedSharedEnd: return shape.reservedSharedAt + kReservedSharedBytes;
        case ReservedSharedCap: return kReservedSharedBytes;
        case AggregateSharedSize: return shape.totalSharedBytes + kReservedSharedBytes;
        case DynamicSharedSize: return shape.dynamicSharedBytes;
        case TotalSharedSize: return shape.totalSharedBytes;
        case ClusterNCtaRank:
        case ClusterNCtaIdX:
        case ClusterNCtaIdY:
        case ClusterNCtaIdZ: return 1;  // every block is a cluster of its own
        default: return 0;
    }
}

bool dependsOnLane(ptx::Special special) {
    using enum ptx::Special;
    return special == TidX || special == TidY || special == TidZ || special == LaneId ||
           special == LaneMaskEq || special == LaneMaskLt || special == LaneMaskLe || special == LaneMaskGt ||
           special == LaneMaskGe;
}

template <class T>
void fill(std::byte* at, const SpecialSlot& slot, const GridShape& shape, Dim3 block, u32 warp) {
    T* lanes = reinterpret_cast<T*>(at);
    if (dependsOnLane(slot.special))
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            lanes[lane] = T(valueOf(slot.special, shape, block, warp, lane));
    else
        std::fill_n(lanes, kWarpSize, T(valueOf(slot.special, shape, block, warp, 0)));
}

}  // namespace

void writeSpecial(std::byte* frame, const SpecialSlot& slot, const GridShape& shape, Dim3 block, u32 warp) {
    const ptx::Type type = ptx::typeOf(slot.special);
    if (type == ptx::Type::Pred) {
        *reinterpret_cast<u32*>(frame + slot.at) =
            valueOf(slot.special, shape, block, warp, 0) ? 0xffffffffu : 0;
        return;
    }
    if (ptx::bytesOf(type) == 8)
        fill<u64>(frame + slot.at, slot, shape, block, warp);
    else
        fill<u32>(frame + slot.at, slot, shape, block, warp);
}

}  // namespace lockstep::simt
