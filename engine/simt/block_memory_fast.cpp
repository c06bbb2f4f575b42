// The usual accesses of accelerated programs. Whatever is not usual is left to block_memory.cpp.
#include <cstring>

#include "simt/block_memory.h"

namespace lockstep::simt {
namespace {

// Shared memory is small: distances and addresses that fit into it fit into this many bits by far.
constexpr u64 kNear = u64{1} << 32;

// last: of the same register before, in another block mostly.
const AddressShape* nearShape(ShapeTable& shapes, LaneAddressSet& set, const AddressShape* last) {
    if (last && last->matches(set)) return last;
    const AddressShape* shape = shapes.find(set);
    const auto isNear = [](s64 distance) { return distance > -s64(kNear) && distance < s64(kNear); };
    return shape && isNear(shape->least) && isNear(shape->most) ? shape : nullptr;
}

}  // namespace

bool BlockMemory::checkGroup(const Program& program, u32 number, const Accessor& accessor, SlotStates& slots, u32 mask) {
    const SharedGroup& group = program.groups[number];
    const s64 bytes = s64(shared_.size());
    u32 stamps = 0;
    for (const SharedGroup::Use& use : group.uses) {
        SlotState& slot = slots[use.slot];
        if (slot.mask != mask) {
            const AddressSlot& where = program.slots[use.slot];
            computeAddresses(set_, accessor.frame + where.at, where.is64, 0, mask);
            slot = {mask, nearShape(shapes_, set_, slot.shape), set_.at(set_.lowest()), slot.stamp + 1};
        }
        stamps += slot.stamp;
        if (!slot.shape || slot.lowest >= kNear) return false;
        const s64 lowest = s64(slot.lowest);
        if (lowest + slot.shape->least + use.least < 0 || lowest + slot.shape->most + use.end > bytes) return false;
        if ((slot.lowest | slot.shape->lowBits) & use.misaligned) return false;
    }
    slots.checked[number] = stamps;
    return true;
}

void BlockMemory::loadInGroup(const MemoryOperation& operation, const SlotState& slot, const Accessor& accessor, u32 mask) {
    const AddressShape& shape = *slot.shape;
    loadElements(operation, accessor.frame, shared_.data() + slot.lowest + operation.offsetBytes, shape.distances.data(), shape.rows(operation.elementBytes), mask);
    if (observers_.recorder) recordInGroup(operation, slot, accessor, Action::Load);
}

void BlockMemory::recordInGroup(const MemoryOperation& operation, const SlotState& slot, const Accessor& accessor, Action action) {
    const AddressShape& shape = *slot.shape;
    trace::WarpAccess& access = set_.access;
    access.pc = Pc{accessor.pc};
    access.active = {shape.active};
    access.space = trace::Space::Shared;
    access.kind = operation.kind;
    access.widthBytes = u8(operation.widthBytes());
    const u64 lowest = slot.lowest + u64(operation.offsetBytes);
    observers_.recorder->access(Warp{accessor.warp}, access,
                                {.shape = shape.id, .lowest = lowest, .distances = shape.distances}, values(action, operation, accessor));
}

bool BlockMemory::storeGroup(const Program& program, u32 number, const MemoryOperation& operation, const Accessor& accessor, SlotStates& slots, u32 mask) {
    phaseLog_.makeRoomForValues(operation.widthBytes());
    if (!enterGroup(program, number, accessor, slots, mask)) return false;
    const SlotState& slot = slots[program.groups[number].uses[0].slot];
    const AddressShape& shape = *slot.shape;
    const u32 width = operation.widthBytes(), bytes = operation.elementBytes;
    std::byte* const lowest = shared_.data() + slot.lowest + operation.offsetBytes;
    std::byte* const stored = phaseLog_.addValues(width);
    std::byte* const before = stored + kWarpSize * width;
    const ElementSlot& first = operation.registers[0];
    if (operation.elements == 1 && mask == LaneMask::all().bits && first.storage == Storage::Lanes32 && bytes == 4) {
        for (u32 i = 0; i < 4; ++i) std::memcpy(stored + 32 * i, accessor.frame + first.at + 32 * i, 32);
        loadRows(before, lowest, shape.distances.data(), 4, shape.rowsOf4);
        storeRows(accessor.frame + first.at, lowest, shape.distances.data(), shape.rowsOf4);
    } else {
        std::memcpy(stored, values(Action::Store, operation, accessor), kWarpSize * width);
        for (Lane lane : LaneMask{mask}) std::memcpy(before + lane.value * width, lowest + shape.distances[lane.value], width);
        for (u32 i = 0; i < operation.elements; ++i) {
            const ElementSlot& element = operation.registers[i];
            if (element.moves.store) element.moves.store(accessor.frame + element.at, lowest + i * bytes, shape.distances.data(), mask);
        }
    }
    if (observers_.recorder) recordInGroup(operation, slot, accessor, Action::Store);
    return true;
}

void BlockMemory::loadGlobal(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    const bool isWhole = mask == LaneMask::all().bits && !observers_.recorder;
    if (isWhole && loadAsLastTime(operation, accessor)) return;
    load(operation, accessor, mask);
    if (isWhole) warpSites_[accessor.warp][operation.site] = {shapes_.find(set_), sites_[operation.site].pattern, placeOf(ptx::StateSpace::Global, accessor)};
}

bool BlockMemory::loadAsLastTime(const MemoryOperation& operation, const Accessor& accessor) {
    const WarpSite& site = warpSites_[accessor.warp][operation.site];
    if (!site.shape) return false;
    const AddressShape& shape = *site.shape;
    const u64* const addresses = reinterpret_cast<const u64*>(accessor.frame + operation.address);
    if (!shape.matchesAll(addresses)) return false;
    const u64 lowest = addresses[0] + u64(operation.offsetBytes);
    if (!shape.fits(lowest, site.place.base, site.place.bytes, operation.widthBytes())) return false;
    if (observers_.globalShadow && !observers_.globalShadow->skipsLoad(u32(site.place.allocation))) return false;
    if (observers_.counter) observers_.counter->count(site.pattern, lowest);
    loadElements(operation, accessor.frame, site.place.host + (lowest - site.place.base), shape.distances.data(), shape.rows(operation.elementBytes), LaneMask::all().bits);
    return true;
}

}  // namespace lockstep::simt
