#include "simt/memory/block_memory.h"

#include "base/check.h"
#include "simt/memory/address_space.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::simt {

using ptx::StateSpace;
using trace::AccessKind;
using trace::FindingKind;

namespace {

// A thread's stack: 16 bytes per lane, interleaved, so that lanes at one offset are neighbors and no element
// is split.
constexpr u64 kLocalGranule = 16;
// A site with more new shapes than that is taken for one whose addresses depend on data: from then on each of
// its accesses is counted and recorded by itself.
constexpr u32 kMostNewShapes = 64;
constexpr u32 kSpaces = u32(trace::Space::Param) + 1;

constexpr u64 localAt(u64 offset, u32 lane) {
    return offset / kLocalGranule * (kLocalGranule * kWarpSize) + lane * kLocalGranule +
           offset % kLocalGranule;
}

StateSpace stateSpace(Region region) {
    constexpr StateSpace kSpaces[] = {StateSpace::Global, StateSpace::Shared, StateSpace::Local,
                                      StateSpace::Param};
    return kSpaces[u32(region)];
}

}  // namespace

BlockMemory::BlockMemory(const Program& program, const DeviceMemory& device, LaunchId launch,
                         Dim3 blockExtents, bool concurrent)
    : program_(program),
      device_(device),
      launch_(launch),
      extents_(blockExtents),
      concurrent_(concurrent),
      shared_(program.sharedBytes),
      local_((blockExtents.count() + kWarpSize - 1) / kWarpSize),
      parameters_(program.parameters),
      sites_(program.sites.size()),
      warpSites_(local_.size(), std::vector<WarpSite>(program.sites.size())) {}

void BlockMemory::beginBlock(Dim3 block, const Observers& observers) {
    block_ = block;
    if (observers.counter != observers_.counter) {
        for (Site& site : sites_)
            site.pattern = nullptr;
        patterns_.clear();
        for (std::vector<WarpSite>& sites : warpSites_)
            sites.assign(sites.size(), {});
    }
    observers_ = observers;
    phaseLog_.beginBlock({.at = block,
                          .sharedBytes = program_.sharedBytes,
                          .shadow = observers.sharedShadow,
                          .counter = observers.counter,
                          .findings = observers.findings,
                          .asksOwners = program_.isAccelerated});
    for (std::vector<std::byte>& stack : local_)
        std::ranges::fill(stack, std::byte{0});
}

void BlockMemory::clearShared() { std::ranges::fill(shared_, std::byte{0}); }

void BlockMemory::endBlock() { phaseLog_.endPhase(); }

trace::Finding BlockMemory::finding(FindingKind kind, u32 pc, u32 warp, u32 lane) const {
    trace::Finding finding;
    finding.kind = kind;
    finding.launch = launch_;
    finding.who = {Pc{pc}, block_, coordinatesOf(u64{warp} * kWarpSize + lane, extents_), AccessKind::Load};
    return finding;
}

void BlockMemory::report(FindingKind kind, const Accessor& accessor, u32 lane) {
    if (observers_.findings) observers_.findings->add(finding(kind, accessor.pc, accessor.warp, lane));
}

BlockMemory::Place BlockMemory::placeOf(StateSpace space, const Accessor& accessor) const {
    switch (space) {
        case StateSpace::Shared: return {const_cast<std::byte*>(shared_.data()), 0, shared_.size(), -1};
        case StateSpace::Param:
            return {const_cast<std::byte*>(parameters_.data()), 0, parameters_.size(), -1};
        case StateSpace::Local: {
            const u64 bytes = accessor.depth ? u64{program_.localBytesPerCall} * (accessor.depth + 1)
                                             : program_.functions[0].localBytes;
            return {nullptr, 0, bytes, -1};
        }
        default: {
            const Allocation* allocation = device_.find(set_.at(set_.lowest()));
            if (!allocation) return {};
            return {allocation->host, allocation->base, allocation->bytes,
                    s32(allocation - device_.allocations().data())};
        }
    }
}

// Active lanes that are entirely in bounds and aligned to the width.
u32 BlockMemory::goodLanes(const Place& place, u32 width) const {
    if (place.bytes < width) return 0;
    const u64 last = place.bytes - width, misaligned = width - 1;
    u32 good = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        good |= u32(set_.at(lane) - place.base <= last && !(set_.at(lane) & misaligned)) << lane;
    return good & set_.active();
}

u32 BlockMemory::usableOfHeap(u32 lanes, u32 width) const {
    for (Lane lane : LaneMask{lanes})
        if (!device_.heapHolds(set_.at(lane.value), width)) lanes &= ~(1u << lane.value);
    return lanes;
}

WrittenBytes BlockMemory::writtenBy(u32 lanes, const Place& place, u32 width) const {
    WrittenBytes written{.first = ~u64{0}, .end = 0};
    for (Lane lane : LaneMask{lanes}) {
        const u64 at = set_.at(lane.value) - place.base;
        written = {std::min(written.first, at), std::max(written.end, at + width)};
    }
    return written;
}

void BlockMemory::reportBad(const Accessor& accessor, const Place& place, u32 bad) {
    if (!observers_.findings) return;
    for (Lane lane : LaneMask{bad}) {
        const u64 at = set_.at(lane.value);
        const u32 width = set_.access.widthBytes;
        trace::Finding f = finding(FindingKind::OutOfBounds, accessor.pc, accessor.warp, lane.value);
        f.who.kind = set_.access.kind;
        f.space = set_.access.space;
        f.address = at;
        f.widthBytes = u8(width);
        f.offsetBytes = s64(at - place.base);
        f.sizeBytes = place.bytes;
        if (set_.access.space == trace::Space::Global || set_.access.space == trace::Space::Constant) {
            if (place.allocation < 0 || device_.allocations()[u32(place.allocation)].isWorkspace) {
                f.kind = FindingKind::InvalidAddress;
                f.offsetBytes = s64(at);
            } else {
                const Allocation& allocation = device_.allocations()[u32(place.allocation)];
                f.buffer = allocation.buffer;
                if (allocation.isHeap)
                    describeOfHeap(f);
                else if (allocation.buffer < 0)
                    f.detail = program_.module->variables[allocation.variable].name;
            }
        }
        if (f.kind == FindingKind::OutOfBounds && at % width) f.kind = FindingKind::Misaligned;
        observers_.findings->add(f);
    }
}

// Lanes that are in shared memory but outside the array their address is based on: they access another array.
// Neither a GPU nor the emulator stops them.
void BlockMemory::reportStrays(const MemoryOperation& operation, const Accessor& accessor, u32 lanes) {
    const SharedArray& array = program_.sharedArrays[operation.array];
    const u32 width = set_.access.widthBytes;
    lanes &= ~goodLanes({nullptr, array.offsetBytes, array.sizeBytes, -1}, width);
    for (Lane lane : LaneMask{lanes}) {
        trace::Finding f = finding(FindingKind::OutOfBounds, accessor.pc, accessor.warp, lane.value);
        f.who.kind = set_.access.kind;
        f.space = trace::Space::Shared;
        f.address = set_.at(lane.value);
        f.widthBytes = u8(width);
        f.offsetBytes = s64(f.address - array.offsetBytes);
        f.sizeBytes = array.sizeBytes;
        f.detail = program_.module->variables[array.variable.value].name;
        observers_.findings->add(f);
    }
}

void BlockMemory::poison(const MemoryOperation& operation, const Accessor& accessor, u32 lanes) {
    const auto& slots = operation.kind == AccessKind::Load ? operation.registers : operation.results;
    for (u32 i = 0; i < operation.elements; ++i)
        if (slots[i].at != ElementSlot::kDiscard)
            poisonLanes(accessor.frame + slots[i].at, operation.elementBytes, operation.isSigned,
                        slots[i].registerBytes, lanes);
}

// Lane n's bytes at n * width: the value read or to be written; for an atomic the old value, for a reduction
// the operand (the old value depends on thread order).
const std::byte* BlockMemory::values(Action action, const MemoryOperation& operation,
                                     const Accessor& accessor) {
    const auto& slots = action == Action::Atomic && operation.kind != AccessKind::Reduction
                            ? operation.results
                            : operation.registers;
    const u32 width = operation.widthBytes(), bytes = operation.elementBytes;
    if (operation.elements == 1 && slots[0].at != ElementSlot::kDiscard &&
        ((bytes == 4 && slots[0].storage == Storage::Lanes32) ||
         (bytes == 8 && slots[0].storage == Storage::Lanes64)))
        return accessor.frame + slots[0].at;
    u64 offsets[kWarpSize];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        offsets[lane] = u64{lane} * width;
    for (u32 i = 0; i < operation.elements; ++i)
        if (slots[i].moves.store)
            slots[i].moves.store(accessor.frame + slots[i].at, values_.data() + i * bytes, offsets,
                                 LaneMask::all().bits);
    return values_.data();
}

// Of an access to shared memory by these of the active lanes: the log counts it.
bool BlockMemory::countsLater(const MemoryOperation& operation, u32 good, LaneMask active) const {
    return good == active.bits && operation.kind != AccessKind::AsyncCopy && phaseLog_.logs(operation);
}

void BlockMemory::tellShadows(const MemoryOperation& operation, const Accessor& accessor, const Place& place,
                              u32 good, const std::byte* values) {
    if (set_.access.space == trace::Space::Shared) {
        if (!observers_.sharedShadow) return;
        const LaneMask active = std::exchange(set_.access.active, LaneMask{good});
        const bool isCounted = !countsLater(operation, good, active);
        if (operation.exchanges && operation.kind == AccessKind::Reduction) {
            phaseLog_.tell();
            for (const Lane lane : LaneMask{good})
                observers_.sharedShadow->markWritten(u32(set_.at(lane.value)), operation.widthBytes());
        }
        phaseLog_.access(accessor.warp, operation, set_.access, {isCounted, sites_[operation.site].pattern},
                         values, shared_.data());
        set_.access.active = active;
    } else if (set_.access.space == trace::Space::Global && observers_.globalShadow) {
        const u32 buffer = u32(place.allocation);
        if (set_.access.kind == AccessKind::Load && operation.strength.ordering == trace::Ordering::Weak &&
            observers_.globalShadow->skipsLoad(buffer))
            return;
        const LaneMask active = std::exchange(set_.access.active, LaneMask{good});
        observers_.globalShadow->access(Warp{accessor.warp}, buffer, set_.access, operation.strength, values,
                                        place.host);
        set_.access.active = active;
    }
}

void BlockMemory::atomicLanes(const MemoryOperation& operation, const Accessor& accessor,
                              std::byte* const* at, u32 good, bool concurrent) {
    const u32 bytes = operation.elementBytes;
    using Values = std::array<u64, kWarpSize>;
    constexpr Values kPlaces = [] {
        Values places{};
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            places[lane] = lane * sizeof(u64);
        return places;
    }();
    const auto read = [&](const ElementSlot& slot) {
        Values values{};
        if (slot.moves.store)
            slot.moves.store(accessor.frame + slot.at, reinterpret_cast<std::byte*>(values.data()),
                             kPlaces.data(), good);
        return values;
    };
    const Values second = read(operation.second);
    std::array<Values, std::tuple_size_v<decltype(operation.registers)>> values;
    for (u32 i = 0; i < operation.elements; ++i)
        values[i] = read(operation.registers[i]);
    for (Lane lane : LaneMask{good})
        for (u32 i = 0; i < operation.elements; ++i)
            values[i][lane.value] = operation.atomic(at[lane.value] + i * bytes, values[i][lane.value],
                                                     second[lane.value], concurrent);
    for (u32 i = 0; i < operation.elements; ++i)
        if (const ElementSlot& result = operation.results[i]; result.at != ElementSlot::kDiscard)
            result.moves.load(accessor.frame + result.at, reinterpret_cast<std::byte*>(values[i].data()),
                              kPlaces.data(), good);
}

void BlockMemory::move(Action action, const MemoryOperation& operation, const Accessor& accessor,
                       const Place& place, u32 good) {
    const u32 bytes = operation.elementBytes;
    if (action == Action::Atomic) {
        std::array<std::byte*, kWarpSize> at;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            at[lane] = place.host + (set_.at(lane) - place.base);
        atomicLanes(operation, accessor, at.data(), good,
                    concurrent_ && set_.access.space == trace::Space::Global);
        return;
    }
    const bool isLoad = action == Action::Load;
    if (set_.affine && good == LaneMask::all().bits && !operation.isVectorOfWords) {
        std::byte* const first = place.host + (set_.base - place.base);
        for (u32 i = 0; i < operation.elements; ++i) {
            const ElementSlot& slot = operation.registers[i];
            if (const MoveAllLanes move = isLoad ? slot.moves.loadAll : slot.moves.storeAll)
                move(accessor.frame + slot.at, first + i * bytes, set_.strideBytes);
        }
        return;
    }
    std::array<u64, kWarpSize> offsets;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        offsets[lane] = set_.at(lane) - place.base;
    if (isLoad) {
        loadElements(operation, accessor.frame, place.host, offsets.data(), set_.rows, good);
        return;
    }
    storeElements(operation, accessor.frame, place.host, offsets.data(), good);
}

namespace {

VectorRegisters registersOf(const MemoryOperation& operation, std::byte* frame) {
    VectorRegisters registers{};
    for (u32 i = 0; i < operation.elements; ++i)
        registers[i] = frame + operation.registers[i].at;
    return registers;
}

}  // namespace

void BlockMemory::storeElements(const MemoryOperation& operation, std::byte* frame, std::byte* memory,
                                const u64* offsets, u32 mask) {
    if (operation.isVectorOfWords) {
        storeVectors(registersOf(operation, frame), operation.elements, operation.elementBytes, memory,
                     offsets, mask);
        return;
    }
    for (u32 i = 0; i < operation.elements; ++i)
        if (const ElementSlot& slot = operation.registers[i]; slot.moves.store)
            slot.moves.store(frame + slot.at, memory + i * operation.elementBytes, offsets, mask);
}

void BlockMemory::loadElements(const MemoryOperation& operation, std::byte* frame, std::byte* memory,
                               const u64* offsets, u8 rows, u32 mask) {
    const u32 bytes = operation.elementBytes;
    if (rows && operation.elements == 1 && operation.registers[0].loadsWords &&
        mask == LaneMask::all().bits) {
        loadRows(frame + operation.registers[0].at, memory, offsets, bytes, rows);
        return;
    }
    if (operation.isVectorOfWords) {
        loadVectors(registersOf(operation, frame), operation.elements, bytes, memory, offsets, mask);
        return;
    }
    for (u32 i = 0; i < operation.elements; ++i)
        if (const ElementSlot& slot = operation.registers[i]; slot.moves.load)
            slot.moves.load(frame + slot.at, memory + i * bytes, offsets, mask);
}

void BlockMemory::moveLocal(Action action, const MemoryOperation& operation, const Accessor& accessor,
                            u32 good) {
    std::vector<std::byte>& stack = local_[accessor.warp];
    const u64 needed = (placeOf(StateSpace::Local, accessor).bytes + kLocalGranule - 1) / kLocalGranule *
                       kLocalGranule * kWarpSize;
    if (stack.size() < needed) stack.resize(needed);
    const u32 bytes = operation.elementBytes;
    if (action == Action::Atomic) {
        std::array<std::byte*, kWarpSize> at;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            at[lane] = stack.data() + (good >> lane & 1 ? localAt(set_.at(lane), lane) : 0);
        atomicLanes(operation, accessor, at.data(), good, false);
        return;
    }
    for (u32 i = 0; i < operation.elements; ++i) {
        std::array<u64, kWarpSize> offsets;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            offsets[lane] = localAt(set_.at(lane) + i * bytes, lane);
        const ElementSlot& slot = operation.registers[i];
        if (const MoveLanes move = action == Action::Load ? slot.moves.load : slot.moves.store)
            move(accessor.frame + slot.at, stack.data(), offsets.data(), good);
    }
}

void BlockMemory::record(Action action, const MemoryOperation& operation, const Accessor& accessor) {
    observers_.recorder->access(Warp{accessor.warp}, set_.access, values(action, operation, accessor));
}

void BlockMemory::tellListener(const Accessor& accessor, const std::byte* values) {
    const trace::Space space = set_.access.space;
    if (space == trace::Space::Global || space == trace::Space::Shared)
        observers_.listener->accessed(block_, Warp{accessor.warp}, set_.access, values);
}

trace::WarpAccess& BlockMemory::describe(const MemoryOperation& operation, const Accessor& accessor,
                                         trace::Space space) {
    trace::WarpAccess& access = set_.access;
    access.pc = Pc{accessor.pc};
    access.space = space;
    access.kind = operation.kind;
    access.widthBytes = u8(operation.widthBytes());
    return access;
}

// Of the same instruction's access before, mostly; else from the table, as long as addresses repeat
// themselves.
void BlockMemory::findShape(Site& site) {
    if (site.space == set_.access.space && site.shape && site.shape->matches(set_)) return;
    const std::size_t before = shapes_.size();
    const AddressShape* const known = site.newShapes < kMostNewShapes ? shapes_.find(set_) : nullptr;
    site.newShapes += shapes_.size() != before;
    if (!known) site.own = site.newShapes < kMostNewShapes ? shapeOf(set_) : scatteredShapeOf(set_);
    site.shape = known ? known : &site.own;
    site.isNumbered = known != nullptr;
    site.space = set_.access.space;
    site.pattern = nullptr;
}

void BlockMemory::request(const MemoryOperation& operation, const Accessor& accessor, const Site& site,
                          u64 lowestAddress) {
    const u32 number = requestSite(operation.site, set_.access.space == trace::Space::Local);
    if (site.isNumbered)
        observers_.requests->request(accessor.warp, number, site.shape->id, set_.access.active,
                                     site.shape->distances, lowestAddress);
    else
        observers_.requests->request(accessor.warp, number, set_.access);
    if (operation.kind == AccessKind::Load && acquires(operation.strength.ordering) &&
        operation.strength.scope == trace::Scope::Device)
        observers_.requests->fence(accessor.warp);
}

// Do the shadows look at what is stored?
bool BlockMemory::comparesValues(StateSpace space, const Place& place) const {
    if (space == StateSpace::Shared) return observers_.sharedShadow != nullptr;
    return observers_.globalShadow && observers_.globalShadow->comparesValues(u32(place.allocation));
}

void BlockMemory::perform(Action action, const MemoryOperation& operation, const Accessor& accessor,
                          StateSpace space, const Place& place, u32 good) {
    if (!good) return;
    if (space == StateSpace::Global || space == StateSpace::Shared)
        tellShadows(operation, accessor, place, good,
                    action == Action::Store && comparesValues(space, place)
                        ? values(action, operation, accessor)
                        : nullptr);
    if (action != Action::Load && observers_.snapshot && place.allocation >= 0)
        observers_.snapshot->beforeWrite(u32(place.allocation),
                                         [&] { return writtenBy(good, place, operation.widthBytes()); });
    if (action != Action::Load && observers_.snapshot && place.allocation >= 0 &&
        observers_.snapshot->isWatched(u32(place.allocation))) [[unlikely]]
        for (Lane lane : LaneMask{good}) {
            const u64 first = set_.at(lane.value) - place.base;
            observers_.snapshot->mark(u32(place.allocation), {first, first + operation.widthBytes()});
        }
    if (space == StateSpace::Local)
        moveLocal(action, operation, accessor, good);
    else
        move(action, operation, accessor, place, good);
}

void BlockMemory::refuse(Action action, const MemoryOperation& operation, const Accessor& accessor,
                         const Place& place, u32 bad) {
    if (!bad) return;
    reportBad(accessor, place, bad);
    if (action != Action::Store) poison(operation, accessor, bad);
}

// set_ holds addresses that are all in one space.
void BlockMemory::accessRegion(Action action, const MemoryOperation& operation, const Accessor& accessor,
                               StateSpace space) {
    describe(operation, accessor, traceSpace(space));
    Site& site = sites_[operation.site];
    const u64 lowestAddress = set_.at(set_.lowest());
    findShape(site);
    const AddressShape& shape = *site.shape;
    set_.affine = shape.affine;
    set_.rows = shape.rows(set_.access.widthBytes);
    set_.strideBytes = shape.strideBytes;
    set_.base = lowestAddress - u64(set_.strideBytes) * set_.lowest();
    const LaneMask all = set_.access.active;
    Place place = placeOf(space, accessor);
    u32 good = shape.fits(lowestAddress, place.base, place.bytes, operation.widthBytes())
                   ? all.bits
                   : goodLanes(place, operation.widthBytes());
    if (space == StateSpace::Global) good = usable(good, place, operation.widthBytes());
    const bool isLogged = space == StateSpace::Shared && countsLater(operation, good, all);
    if (space == StateSpace::Shared && !isLogged) phaseLog_.tell();
    if (observers_.counter && space != StateSpace::Param) {
        if (!site.pattern && site.isNumbered)
            site.pattern =
                patterns_.of(*observers_.counter, operation.site * kSpaces + u32(set_.access.space), shape,
                             [&]() -> const trace::WarpAccess& { return set_.access; });
        if (site.pattern && !isLogged)
            observers_.counter->count(site.pattern, lowestAddress);
        else if (!isLogged)
            observers_.counter->count(set_.access);
    }
    if (observers_.requests && (space == StateSpace::Global || space == StateSpace::Local))
        request(operation, accessor, site, lowestAddress);

    if (space == StateSpace::Shared && operation.array != MemoryOperation::kNoArray && observers_.findings) {
        const SharedArray& array = program_.sharedArrays[operation.array];
        if (!shape.fits(lowestAddress, array.offsetBytes, array.sizeBytes, operation.widthBytes()))
            reportStrays(operation, accessor, good);
    }
    if (good == all.bits) {
        perform(action, operation, accessor, space, place, good);
    } else if (space != StateSpace::Global && space != StateSpace::Const) {
        perform(action, operation, accessor, space, place, good);
        refuse(action, operation, accessor, place, all.bits & ~good);
    } else {  // an allocation at a time: the lanes may access several
        for (u32 left = all.bits; left;) {
            const Allocation* const first = device_.find(set_.at(u32(std::countr_zero(left))));
            u32 here = 0;
            for (Lane lane : LaneMask{left})
                here |= u32(device_.find(set_.at(lane.value)) == first) << lane.value;
            left &= ~here;
            set_.access.active = {here};
            place = placeOf(space, accessor);
            good = usable(goodLanes(place, operation.widthBytes()) & here, place, operation.widthBytes());
            perform(action, operation, accessor, space, place, good);
            refuse(action, operation, accessor, place, here & ~good);
        }
    }
    set_.access.active = all;
    if (observers_.recorder && space != StateSpace::Param) record(action, operation, accessor);
    if (observers_.listener) tellListener(accessor, values(action, operation, accessor));
}

void BlockMemory::access(Action action, const MemoryOperation& operation, const Accessor& accessor,
                         u32 mask) {
    if (!mask) return;
    computeAddresses(set_, accessor.frame + operation.address, operation.address64, operation.offsetBytes,
                     mask);
    if (operation.space != StateSpace::Generic) {
        accessRegion(action, operation, accessor, operation.space);
        return;
    }
    u32 left = mask;
    while (left) {
        const Region region = regionOf(set_.at(u32(std::countr_zero(left))));
        u32 here = 0;
        for (Lane lane : LaneMask{left})
            here |= u32(regionOf(set_.at(lane.value)) == region) << lane.value;
        const LaneAddressSet whole = set_;
        const u64 window = windowOf(region);
        for (u64& at : set_.access.addresses)
            at -= window;
        if (here != mask) {
            set_.access.active = {here};
            const u64 first = set_.at(set_.lowest());
            for (u32 lane = 0; lane < kWarpSize; ++lane)
                if (!(here >> lane & 1)) set_.access.addresses[lane] = first;
        }
        accessRegion(action, operation, accessor, stateSpace(region));
        left &= ~here;
        set_ = whole;
    }
}

void BlockMemory::load(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    access(Action::Load, operation, accessor, mask);
}
void BlockMemory::store(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    access(Action::Store, operation, accessor, mask);
}
void BlockMemory::atomic(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    access(Action::Atomic, operation, accessor, mask);
}

// Two accesses of one instruction: a load from global memory, a store to shared memory. Bytes not read are
// zero-filled.
void BlockMemory::asyncCopy(const MemoryOperation& operation, const Accessor& accessor, u32 mask) {
    if (!mask) return;
    const u32 width = operation.widthBytes();
    values_.fill(std::byte{0});
    std::array<u32, kWarpSize> wanted;
    const u32* bytes = reinterpret_cast<const u32*>(accessor.frame + operation.sourceBytes);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        wanted[lane] = operation.hasSourceBytes ? std::min(bytes[lane], width) : width;
    u32 reading = 0;
    for (Lane lane : LaneMask{mask})
        reading |= u32(wanted[lane.value] > 0) << lane.value;
    const auto begin = [&](trace::Space space) {
        set_.access.pc = Pc{accessor.pc};
        set_.access.space = space;
        set_.access.kind = AccessKind::AsyncCopy;
        set_.access.widthBytes = u8(width);
        if (observers_.counter) observers_.counter->count(set_.access);
        if (observers_.requests && space == trace::Space::Global)
            observers_.requests->request(accessor.warp, requestSite(operation.site, false), set_.access);
    };
    if (reading) {
        computeAddresses(set_, accessor.frame + operation.address, operation.address64, operation.offsetBytes,
                         reading);
        begin(trace::Space::Global);
        const LaneMask all = set_.access.active;
        for (Lane lane : all) {  // lane by lane: they may access several buffers
            set_.access.active = LaneMask::of(lane);
            set_.affine = false;
            const Place place = placeOf(StateSpace::Global, accessor);
            if (const u32 good = usable(goodLanes(place, width), place, width)) {
                tellShadows(operation, accessor, place, good, nullptr);
                std::memcpy(values_.data() + lane.value * width,
                            place.host + (set_.at(lane.value) - place.base), wanted[lane.value]);
            } else {
                reportBad(accessor, place, set_.active());
                std::memset(values_.data() + lane.value * width, 0xff, wanted[lane.value]);
            }
        }
        set_.access.active = all;
        if (observers_.recorder)
            observers_.recorder->access(Warp{accessor.warp}, set_.access, values_.data());
        if (observers_.listener) tellListener(accessor, values_.data());
    }
    computeAddresses(set_, accessor.frame + operation.sharedAddress, operation.sharedAddress64,
                     operation.sharedOffsetBytes, mask);
    begin(trace::Space::Shared);
    const Place place = placeOf(StateSpace::Shared, accessor);
    const u32 good = goodLanes(place, width);
    if (observers_.findings && operation.array != MemoryOperation::kNoArray)
        reportStrays(operation, accessor, good);
    if (good) tellShadows(operation, accessor, place, good, values_.data());
    for (Lane lane : LaneMask{good})
        std::memcpy(place.host + set_.at(lane.value), values_.data() + lane.value * width, width);
    if (mask & ~good) reportBad(accessor, place, mask & ~good);
    if (observers_.recorder) observers_.recorder->access(Warp{accessor.warp}, set_.access, values_.data());
    if (observers_.listener) tellListener(accessor, values_.data());
}

std::array<std::byte*, kWarpSize> BlockMemory::sharedWords(const ObjectBarrierOperation& operation,
                                                           const Accessor& accessor, u32 mask) {
    std::array<std::byte*, kWarpSize> words{};
    computeAddresses(set_, accessor.frame + operation.address, operation.address64, operation.offsetBytes,
                     mask);
    if (operation.generic)
        for (u64& at : set_.access.addresses)
            at -= kSharedWindow;
    set_.access.pc = Pc{accessor.pc};
    set_.access.space = trace::Space::Shared;
    set_.access.kind = AccessKind::Atomic;
    set_.access.widthBytes = 8;
    const Place place = placeOf(StateSpace::Shared, accessor);
    const u32 good = goodLanes(place, 8);
    for (Lane lane : LaneMask{good})
        words[lane.value] = place.host + set_.at(lane.value);
    if (mask & ~good) reportBad(accessor, place, mask & ~good);
    return words;
}

const std::byte* BlockMemory::peek(u64 address, u64 bytes, u32 warp, u32 lane, std::byte* room) const {
    const Region region = regionOf(address);
    const u64 offset = address - windowOf(region);
    if (region == Region::Local) {
        if (offset + bytes > local_[warp].size() / kWarpSize) return nullptr;
        for (u64 i = 0; i < bytes; ++i)
            room[i] = local_[warp][localAt(offset + i, lane)];
        return room;
    }
    if (region == Region::Shared) return offset + bytes <= shared_.size() ? shared_.data() + offset : nullptr;
    const Allocation* allocation = region == Region::Global ? device_.find(address) : nullptr;
    if (!allocation || bytes > allocation->bytes || address - allocation->base > allocation->bytes - bytes)
        return nullptr;
    return allocation->host + (address - allocation->base);
}

}  // namespace lockstep::simt
