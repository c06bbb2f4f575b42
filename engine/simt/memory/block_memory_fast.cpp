// Fast paths for the common accesses of accelerated programs. All others are left to block_memory.cpp.
#include "simt/memory/block_memory.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace lockstep::simt {
namespace {

// Shared memory is small: its distances and addresses easily fit into this many bits.
constexpr u64 kNear = u64{1} << 32;

// last: of the same register before, mostly in another block. Where addresses depend on data, few are looked
// for.
const AddressShape* nearShape(ShapeTable& shapes, LaneAddressSet& set, const AddressShape* last,
                              u32& misses) {
    if (last && last->matches(set)) return last;
    constexpr u32 kManyMisses = 64;
    if (misses >= kManyMisses && ++misses % kManyMisses != 0) return nullptr;
    const AddressShape* shape = shapes.find(set);
    misses = shape ? 0 : misses + 1;
    const auto isNear = [](s64 distance) { return distance > -s64(kNear) && distance < s64(kNear); };
    return shape && isNear(shape->least) && isNear(shape->most) ? shape : nullptr;
}

constexpr u64 kNoMatch = u64{1} << 63;  // no product of a 32-bit index and a scale

// The first lane's index times the scale, if all lanes' products have the shape.
template <class T> u64 firstIfMatches(const AddressShape& shape, const u32* indices, u32 scale) {
    using Wide = std::conditional_t<std::is_signed_v<T>, s64, u64>;
    const auto product = [&](u32 lane) { return u64(Wide{T(indices[lane])} * Wide{T(scale)}); };
    const u64 first = product(0);
    u64 differs = shape.active ^ LaneMask::all().bits;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        differs |= (product(lane) - first) ^ shape.distances[lane];
    return differs == 0 ? first : kNoMatch;
}

}  // namespace

bool BlockMemory::checkGroup(const Program& program, u32 number, const Accessor& accessor, SlotStates& slots,
                             u32 mask) {
    const SharedGroup& group = program.groups[number];
    u64* note = slots.notes.data() + group.noteAt;
    *note++ = PhaseLog::firstWord(accessor.warp, number);
    for (const SharedGroup::Use& use : group.uses) {
        SlotState& slot = slots[use.slot];
        if (slot.mask != mask) {
            const AddressSlot& where = program.slots[use.slot];
            computeAddresses(set_, accessor.frame + where.at, where.is64, 0, mask);
            slots.forget(program, use.slot);
            const AddressShape* shape = nearShape(shapes_, set_, slot.shape, slot.misses);
            slot = {mask, shape, set_.at(set_.lowest()), slot.misses};
        }
        if (!slot.shape || slot.lowest >= kNear) return false;
        const s64 lowest = s64(slot.lowest);
        if (lowest + slot.shape->least + use.least < use.from || lowest + slot.shape->most + use.end > use.to)
            return false;
        if ((slot.lowest | slot.shape->knownBits) & use.misaligned) return false;
        *note++ = std::bit_cast<u64>(slot.shape);
        *note++ = slot.lowest;
    }
    slots.checked[number] = mask;
    return true;
}

void BlockMemory::loadInGroup(const MemoryOperation& operation, const SlotState& slot,
                              const Accessor& accessor, u32 mask) {
    const AddressShape& shape = *slot.shape;
    loadElements(operation, accessor.frame, shared_.data() + slot.lowest + operation.offsetBytes,
                 shape.distances.data(), shape.rows(operation.elementBytes), mask);
    if (observers_.recorder) recordLoadInGroup(operation, slot, accessor);
}

void BlockMemory::storeInGroup(const MemoryOperation& operation, const SlotState& slot,
                               const Accessor& accessor, u32 mask) {
    const AddressShape& shape = *slot.shape;
    std::byte* const lowest = shared_.data() + slot.lowest + operation.offsetBytes;
    const ElementSlot& first = operation.registers[0];
    if (operation.elements == 1 && shape.affine && first.moves.storeAll && mask == LaneMask::all().bits)
        first.moves.storeAll(accessor.frame + first.at, lowest, shape.strideBytes);
    else
        storeElements(operation, accessor.frame, lowest, shape.distances.data(), mask);
}

// But for the addresses.
const trace::WarpAccess& BlockMemory::accessInGroup(const MemoryOperation& operation, const SlotState& slot,
                                                    const Accessor& accessor) {
    trace::WarpAccess& access = describe(operation, accessor, trace::Space::Shared);
    access.active = {slot.shape->active};
    return access;
}

void BlockMemory::recordLoadInGroup(const MemoryOperation& operation, const SlotState& slot,
                                    const Accessor& accessor) {
    const AddressShape& shape = *slot.shape;
    const trace::WarpAccess& access = accessInGroup(operation, slot, accessor);
    const u64 lowest = slot.lowest + u64(operation.offsetBytes);
    const trace::BlockRecorder::Lying lying{
        .shape = shape.id, .lowest = lowest, .distances = shape.distances};
    if (operation.elements == 1)
        observers_.recorder->load(Warp{accessor.warp}, access, lying, shared_.data() + lowest);
    else
        observers_.recorder->access(Warp{accessor.warp}, access, lying,
                                    values(Action::Load, operation, accessor));
}

void BlockMemory::recordStoreInGroup(const MemoryOperation& operation, const SlotState& slot,
                                     const Accessor& accessor) {
    const AddressShape& shape = *slot.shape;
    const trace::WarpAccess& access = accessInGroup(operation, slot, accessor);
    observers_.recorder->access(
        Warp{accessor.warp}, access,
        {.shape = shape.id, .lowest = slot.lowest + u64(operation.offsetBytes), .distances = shape.distances},
        values(Action::Store, operation, accessor));
}

bool BlockMemory::storeGroup(const Program& program, u32 number, const MemoryOperation& operation,
                             const Accessor& accessor, SlotStates& slots, u32 mask) {
    const ElementSlot& first = operation.registers[0];
    const bool isWords = first.loadsWords && operation.elements == 1 && operation.elementBytes == 4 &&
                         mask == LaneMask::all().bits;
    const u32 width = isWords ? 4 : operation.widthBytes();
    phaseLog_.makeRoomForValues(width);
    if (!enterGroup(program, number, accessor, slots, mask)) return false;
    const SlotState& slot = slots[program.groups[number].uses[0].slot];
    const AddressShape& shape = *slot.shape;
    std::byte* const lowest = shared_.data() + slot.lowest + operation.offsetBytes;
    std::byte* const stored = phaseLog_.addValues(width);
    std::byte* const before = stored + kWarpSize * width;
    if (isWords) {
        exchangeRows(accessor.frame + first.at, lowest, shape.distances.data(), shape.rowsOf4, stored,
                     before);
    } else {
        std::memcpy(stored, values(Action::Store, operation, accessor), kWarpSize * width);
        for (Lane lane : LaneMask{mask})
            std::memcpy(before + lane.value * width, lowest + shape.distances[lane.value], width);
        storeElements(operation, accessor.frame, lowest, shape.distances.data(), mask);
    }
    if (observers_.recorder) recordStoreInGroup(operation, slot, accessor);
    return true;
}

inline void BlockMemory::request(const WarpSite& site, u64 lowest, const MemoryOperation& operation,
                                 const Accessor& accessor) {
    if (observers_.requests)
        observers_.requests->request(accessor.warp, requestSite(operation.site, false), site.shape->id,
                                     {site.shape->active}, site.shape->distances, lowest);
}

inline void BlockMemory::count(const WarpSite& site, u64 lowest, const MemoryOperation& operation,
                               const Accessor& accessor) {
    if (observers_.counter) observers_.counter->count(site.pattern, lowest);
    request(site, lowest, operation, accessor);
}

void BlockMemory::watch(const WarpSite& site, u64 lowest, const MemoryOperation& operation,
                        const Accessor& accessor) {
    trace::GlobalBlockShadow* const shadow = observers_.globalShadow;
    trace::WarpAccess& access = describe(operation, accessor, trace::Space::Global);
    access.active = {site.shape->active};
    access.addresses[0] = lowest;
    if (site.isRun && shadow->accessRun(Warp{accessor.warp}, site.allocation, access)) return;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = lowest + site.shape->distances[lane];
    const bool hasValues =
        operation.kind == trace::AccessKind::Store && shadow->comparesValues(site.allocation);
    shadow->access(Warp{accessor.warp}, site.allocation, access, operation.strength,
                   hasValues ? values(Action::Store, operation, accessor) : nullptr,
                   device_.allocations()[site.allocation].host);
}

void BlockMemory::accessGlobal(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    const bool isKept = mask && !observers_.recorder;
    if (isKept && accessAsLastTime(operation, accessor, mask)) return;
    access(operation.kind == trace::AccessKind::Store ? Action::Store : Action::Load, operation, accessor,
           mask);
    if (isKept)
        warpSites_[accessor.warp][operation.site] = warpSiteOf(operation, accessor, sites_[operation.site]);
}

BlockMemory::WarpSite BlockMemory::warpSiteOf(const MemoryOperation& operation, const Accessor& accessor,
                                              const Site& last) const {
    const Place place = placeOf(ptx::StateSpace::Global, accessor);
    if (device_.isHeap(place.allocation)) return {};
    const u64 width = operation.widthBytes();
    const AddressShape* const shape = last.isNumbered ? last.shape : nullptr;
    const bool isCounted = !observers_.counter || last.pattern;
    if (!shape || !isCounted || place.bytes < width ||
        u64(shape->most) - u64(shape->least) > place.bytes - width || (shape->knownBits & (width - 1)))
        return {};
    const bool isWords = operation.elements == 1 && operation.registers[0].loadsWords,
               isRun = shape->affine && shape->strideBytes == s64(width),
               isWhole = shape->active == LaneMask::all().bits;
    const u32 lanes = shape->active >> std::countr_zero(shape->active);
    const bool isPart = isWords && isRun && !isWhole && (lanes & (lanes + 1)) == 0;
    const u64 toFirst = 0 - u64(shape->least);  // the first lane, if the least address is the base
    return {.shape = shape,
            .pattern = last.pattern,
            .first = place.base + toFirst,
            .span = place.bytes - width - (u64(shape->most) - u64(shape->least)),
            .host = place.host + toFirst,
            .misaligned = width - 1,
            .allocation = u32(place.allocation),
            .rows = isWords ? shape->rows(operation.elementBytes) : u8{0},
            .isRun = isRun && isWhole,
            .partBytes = isPart ? u32(width) * u32(std::popcount(lanes)) : 0};
}

// What a warp will probably load next, `ahead` of the place `at`.
inline void BlockMemory::fetch(const WarpSite& site, u64 at, s64 ahead) {
    const u64 next = at + u64(ahead);
    if (next > site.span) return;
    for (u32 row = 0; row < 4; ++row)
        __builtin_prefetch(site.host + next + site.shape->distances[8 * row]);
}

inline void BlockMemory::loadKnown(const WarpSite& site, u64 at, const MemoryOperation& operation,
                                   const Accessor& accessor) {
    if (observers_.globalShadow && !observers_.globalShadow->skipsLoad(site.allocation))
        watch(site, site.first + at, operation, accessor);
    fetchKnown(site, site.host + at, operation, accessor);
}

void BlockMemory::fetchKnown(const WarpSite& site, std::byte* memory, const MemoryOperation& operation,
                             const Accessor& accessor) {
    const AddressShape& shape = *site.shape;
    std::byte* const registers = accessor.frame + operation.registers[0].at;
    if (site.rows)
        loadRows(registers, memory, shape.distances.data(), operation.elementBytes, site.rows);
    else if (site.partBytes)
        std::memcpy(registers + u32(std::countr_zero(shape.active)) * operation.elementBytes, memory,
                    site.partBytes);
    else
        loadElements(operation, accessor.frame, memory, shape.distances.data(), 0, shape.active);
}

inline void BlockMemory::storeKnown(const WarpSite& site, u64 at, const MemoryOperation& operation,
                                    const Accessor& accessor) {
    if (observers_.globalShadow) watch(site, site.first + at, operation, accessor);
    if (observers_.snapshot) {
        observers_.snapshot->beforeWrite(site.allocation, [&] { return site.written(at, at); });
        if (observers_.snapshot->isWatched(site.allocation)) [[unlikely]]
            for (u64 distance : site.shape->distances) {
                const u64 first = at + distance - u64(site.shape->least);
                observers_.snapshot->mark(site.allocation, {first, first + site.misaligned + 1});
            }
    }
    moveKnown(site, site.host + at, operation, accessor);
}

void BlockMemory::moveKnown(const WarpSite& site, std::byte* memory, const MemoryOperation& operation,
                            const Accessor& accessor) {
    const ElementSlot& slot = operation.registers[0];
    const AddressShape& shape = *site.shape;
    const bool isWhole = shape.active == LaneMask::all().bits;
    if (operation.elements == 1 && shape.affine && isWhole && slot.moves.storeAll)
        slot.moves.storeAll(accessor.frame + slot.at, memory, shape.strideBytes);
    else if (site.partBytes)
        std::memcpy(memory,
                    accessor.frame + slot.at + u32(std::countr_zero(shape.active)) * operation.elementBytes,
                    site.partBytes);
    else
        storeElements(operation, accessor.frame, memory, shape.distances.data(), shape.active);
}

bool BlockMemory::accessAsLastTime(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    WarpSite& site = warpSites_[accessor.warp][operation.site];
    const u64* const addresses = reinterpret_cast<const u64*>(accessor.frame + operation.address);
    if (!site.shape || !site.shape->matches(addresses, mask)) return false;
    const u64 lowest = addresses[std::countr_zero(mask)];
    return operation.kind == trace::AccessKind::Store ? storeTo(site, lowest, operation, accessor)
                                                      : loadFrom(site, lowest, operation, accessor);
}

bool BlockMemory::storeTo(const WarpSite& site, u64 address, const MemoryOperation& operation,
                          const Accessor& accessor) {
    const u64 lowest = address + u64(operation.offsetBytes), at = lowest - site.first;
    if (at > site.span || (lowest & site.misaligned)) return false;
    count(site, lowest, operation, accessor);
    storeKnown(site, at, operation, accessor);
    return true;
}

bool BlockMemory::loadIndexed(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    if (mask != LaneMask::all().bits || observers_.recorder) return false;
    WarpSite& site = warpSites_[accessor.warp][operation.site];
    if (!site.shape) return false;
    const u32* const indices = reinterpret_cast<const u32*>(accessor.frame + operation.index.at);
    const u64 base = *reinterpret_cast<const u64*>(accessor.frame + operation.index.baseAt);
    const u64 first = operation.index.isSigned
                          ? firstIfMatches<s32>(*site.shape, indices, operation.index.scale)
                          : firstIfMatches<u32>(*site.shape, indices, operation.index.scale);
    return first != kNoMatch && loadFrom(site, base + first, operation, accessor);
}

// address: of the lowest lane, without the operation's offset. The lanes have the site's shape.
bool BlockMemory::loadFrom(WarpSite& site, u64 address, const MemoryOperation& operation,
                           const Accessor& accessor) {
    const u64 lowest = address + u64(operation.offsetBytes);
    const u64 at = lowest - site.first;
    if (at > site.span || (lowest & site.misaligned)) return false;
    count(site, lowest, operation, accessor);
    fetch(site, at, s64(lowest - site.last));
    site.last = lowest;
    loadKnown(site, at, operation, accessor);
    return true;
}

void BlockMemory::accessKnown(const WarpSite& site, u64 at, bool isCounted, s64 ahead,
                              const MemoryOperation& operation, const Accessor& accessor) {
    if (isCounted)
        count(site, site.first + at, operation, accessor);
    else
        request(site, site.first + at, operation, accessor);
    if (operation.kind == trace::AccessKind::Store) return storeKnown(site, at, operation, accessor);
    if (ahead) fetch(site, at, ahead);
    loadKnown(site, at, operation, accessor);
}

}  // namespace lockstep::simt
