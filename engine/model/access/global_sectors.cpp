#include "model/access/global_sectors.h"

#include "model/access/in_order.h"
#include "model/access/repeated_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::WarpAccess;

constexpr u32 kHalfWarp = 16;

u64 widthOf(const WarpAccess& access) { return std::max<u64>(access.widthBytes, 1); }
u64 addressOf(const WarpAccess& access, Lane lane) { return access.addresses[lane.value]; }
u64 lastByte(const WarpAccess& access, Lane lane) { return addressOf(access, lane) + widthOf(access) - 1; }

void append(std::vector<MemoryItem>& items, std::vector<MemoryItem> more) {
    std::ranges::stable_sort(more, {}, &MemoryItem::startByte);
    items.insert(items.end(), more.begin(), more.end());
}

// The aligned pieces of `pieceBytes` that the lanes access, each once.
std::vector<MemoryItem> piecesOf(const WarpAccess& access, LaneMask lanes, u32 pieceBytes) {
    std::vector<MemoryItem> pieces;
    const auto touch = [&](u64 address, Lane lane) {
        const u64 start = address / pieceBytes * pieceBytes;
        const auto known = std::ranges::find(pieces, start, &MemoryItem::startByte);
        if (known != pieces.end())
            known->lanes = known->lanes | LaneMask::of(lane);
        else
            pieces.push_back({.startByte = start, .bytes = pieceBytes, .lanes = LaneMask::of(lane)});
    };
    for (Lane lane : lanes) {
        touch(addressOf(access, lane), lane);
        touch(lastByte(access, lane), lane);
    }
    return pieces;
}

std::vector<MemoryItem> inOrderTransactions(const WarpAccess& access, LaneMask half, u32 firstLane) {
    std::vector<MemoryItem> items;
    if (disorderOf(access, half, firstLane)) {
        for (Lane lane : half)
            items.push_back({.startByte = addressOf(access, lane) / kSectorBytes * kSectorBytes,
                             .bytes = kSectorBytes,
                             .lanes = LaneMask::of(lane)});
        return items;
    }
    const Lane lowest = half.lowest();
    const u64 segment = addressOf(access, lowest) - u64{lowest.value - firstLane} * access.widthBytes;
    // 4-byte words: 64 bytes at once; 8-byte: 128; 16-byte: the first eight lanes' 128, then the other
    // eight's.
    const u32 bytes = access.widthBytes == 4 ? 64 : kLineBytes;
    const u32 lanesEach = bytes / access.widthBytes;
    for (u32 lane = 0; lane < kHalfWarp; lane += lanesEach)
        items.push_back(
            {.startByte = segment + u64{lane} * access.widthBytes,
             .bytes = bytes,
             .lanes = half & LaneMask{LaneMask::firstLanes(lanesEach).bits << (firstLane + lane)}});
    return items;
}

// cc 1.2, 1.3: the segment of the lowest remaining lane serves all lanes in it; halved while only one half is
// used.
std::vector<MemoryItem> segmentTransactions(const WarpAccess& access, LaneMask half) {
    const u32 segment = segmentBytes(access.widthBytes);
    std::vector<MemoryItem> items;
    for (LaneMask left = half; !left.empty();) {
        MemoryItem item{
            .startByte = addressOf(access, left.lowest()) / segment * segment, .bytes = segment, .lanes = {}};
        u64 lowest = ~u64{0}, highest = 0;
        for (Lane lane : left) {
            const u64 address = addressOf(access, lane);
            if (address / segment * segment != item.startByte) continue;
            item.lanes = item.lanes | LaneMask::of(lane);
            lowest = std::min(lowest, address), highest = std::max(highest, lastByte(access, lane));
        }
        while (item.bytes > kSectorBytes) {
            const u64 middle = item.startByte + item.bytes / 2;
            if (lowest < middle && highest >= middle) break;
            item.bytes /= 2;
            if (lowest >= middle) item.startByte = middle;
        }
        left = left & ~item.lanes;
        items.push_back(item);
    }
    return items;
}

// Numbers the distinct values of one access, at most 64, in order of appearance.
class DistinctValues {
public:
    u32 numberOf(u64 value) {
        u32 slot = u32(value * 0x9e3779b97f4a7c15u >> 57);  // 2^64 / golden ratio
        while (numbers_[slot] && values_[numbers_[slot] - 1] != value)
            slot = (slot + 1) % numbers_.size();
        if (!numbers_[slot]) {
            values_[count_] = value;
            numbers_[slot] = u8(++count_);
        }
        return numbers_[slot] - 1u;
    }
    u32 count() const { return count_; }
    u64 operator[](u32 number) const { return values_[number]; }

private:
    std::array<u8, 128> numbers_{};  // open addressing: number + 1
    std::array<u64, 2 * kWarpSize> values_;
    u32 count_ = 0;
};

// Distances of the lanes' addresses from the lowest lane's, in units of `bytes` (a power of two); of inactive
// lanes 0. None: of more than 31 bits.
std::optional<LaneValues> distancesIn(u64 bytes, const WarpAccess& access) {
    const u32 shift = u32(std::countr_zero(bytes));
    const u64 first = addressOf(access, access.active.lowest()) >> shift;
    LaneValues distances;
    u64 far = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u64 isActive = 0 - u64{access.active.bits >> lane & 1};
        const u64 distance = ((access.addresses[lane] >> shift) - first) & isActive;
        far |= distance + (u64{1} << 31);
        distances[lane] = u32(distance);
    }
    if (far >> 32) return {};
    return distances;
}

u32 distinct(const LaneValues& values) {
    u32 count = kWarpSize;
    for (const u32 isRepeated : repeatedLanes(values))
        count += isRepeated;  // minus one
    return count;
}

bool isAnyInTwoSectors(const WarpAccess& access) {
    const u64 last = widthOf(access) - 1;
    u64 ends = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        ends |= (access.addresses[lane] % kSectorBytes + last) & (0 - u64{access.active.bits >> lane & 1});
    return ends >= kSectorBytes;
}

u32 distinctSectors(const WarpAccess& access) {
    if (!isAnyInTwoSectors(access))
        if (const auto sectors = distancesIn(kSectorBytes, access)) return distinct(*sectors);
    DistinctValues numbers;
    for (Lane lane : access.active) {
        numbers.numberOf(addressOf(access, lane) / kSectorBytes);
        numbers.numberOf(lastByte(access, lane) / kSectorBytes);
    }
    return numbers.count();
}

// The sectors that lanes lie in: those of contended atomics are few, one after the other.
struct SectorRange {
    static constexpr u32 kFew = 64;
    u64 lowest = ~u64{0}, highest = 0;

    explicit SectorRange(const WarpAccess& access) {
        for (Lane lane : access.active) {
            lowest = std::min(lowest, addressOf(access, lane));
            highest = std::max(highest, lastByte(access, lane));
        }
        lowest /= kSectorBytes, highest /= kSectorBytes;
    }
    bool isFew() const { return highest - lowest < kFew; }
};

// Measured on an H200: an atomic accesses each sector as many times as lanes hit its most contended word.
u32 atomicSectors(const WarpAccess& access) {
    const u64 width = widthOf(access);
    u32 accesses = 0;
    if (const SectorRange range(access); range.isFew() && width >= 4) {
        std::array<u8, SectorRange::kFew * kSectorBytes / 4> lanes{};  // by word
        std::array<u8, SectorRange::kFew> most{};
        const u64 start = range.lowest * kSectorBytes;
        const u32 shift = u32(std::countr_zero(width));
        for (Lane lane : access.active)
            ++lanes[(addressOf(access, lane) - start) >> shift];
        for (Lane lane : access.active) {
            const u64 at = addressOf(access, lane) - start;
            most[at / kSectorBytes] = std::max(most[at / kSectorBytes], lanes[at >> shift]);
        }
        for (const u8 ofSector : most)
            accesses += ofSector;
        return accesses;
    }
    const std::optional<LaneValues> words = distancesIn(width, access),
                                    sectors = distancesIn(kSectorBytes, access);
    if (words && sectors) {
        const LaneValues most = mostOfAlike(*sectors, lanesAlike(*words, access.active), access.active),
                         repeated = repeatedLanes(*sectors);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            accesses += most[lane] & ~repeated[lane];
        return accesses;
    }
    DistinctValues numbersOfWords, numbersOfSectors;
    std::array<u32, kWarpSize> lanes{}, mostOf{};  // by word; by sector
    for (Lane lane : access.active)
        ++lanes[numbersOfWords.numberOf(addressOf(access, lane) / width)];
    for (u32 word = 0; word < numbersOfWords.count(); ++word) {
        u32& mostOfSector = mostOf[numbersOfSectors.numberOf(numbersOfWords[word] * width / kSectorBytes)];
        mostOfSector = std::max(mostOfSector, lanes[word]);
    }
    for (u32 sector = 0; sector < numbersOfSectors.count(); ++sector)
        accesses += mostOf[sector];
    return accesses;
}

template <class Visit> void forEachRequest(const WarpAccess& access, const Profile& profile, Visit&& visit) {
    const u32 lanesPerRequest = profile.globalGroups.of(access.widthBytes);
    for (u32 first = 0; first < kWarpSize; first += lanesPerRequest) {
        const LaneMask lanes =
            access.active & LaneMask{u32(u64{LaneMask::firstLanes(lanesPerRequest).bits} << first)};
        if (!lanes.empty()) visit(lanes, first);
    }
}

}  // namespace

bool countsSectors(AccessKind kind, const Profile& profile) {
    const bool wholeLines =
        profile.cachedLoadsFetchLines && profile.l1CachesGlobalLoads && kind == AccessKind::Load;
    return profile.globalRule == GlobalRule::Sectors && !wholeLines;
}

GlobalCost globalCost(const WarpAccess& access, const Profile& profile) {
    GlobalCost cost;
    cost.countsSectors = countsSectors(access.kind, profile);
    const bool wholeLines = profile.globalRule == GlobalRule::Sectors && !cost.countsSectors;
    forEachRequest(access, profile, [&](LaneMask lanes, u32 first) {
        ++cost.requests;
        switch (profile.globalRule) {
            case GlobalRule::InOrder: append(cost.items, inOrderTransactions(access, lanes, first)); break;
            case GlobalRule::Segments: append(cost.items, segmentTransactions(access, lanes)); break;
            case GlobalRule::Sectors:
                append(cost.items, piecesOf(access, lanes, wholeLines ? kLineBytes : kSectorBytes));
                break;
        }
    });
    (cost.countsSectors ? cost.sectors : cost.transactions) = u32(cost.items.size());
    if (cost.countsSectors && isAtomic(access.kind)) cost.sectors = atomicSectors(access);
    return cost;
}

u32 globalSectors(const WarpAccess& access) {
    if (access.active.empty()) return 0;
    return isAtomic(access.kind) ? atomicSectors(access) : distinctSectors(access);
}

u32 globalRequests(const WarpAccess& access, const Profile& profile) {
    u32 requests = 0;
    forEachRequest(access, profile, [&](LaneMask, u32) { ++requests; });
    return requests;
}

u32 globalItems(const WarpAccess& access, const Profile& profile) {
    const bool modern =
        profile.globalRule == GlobalRule::Sectors && profile.globalGroups == GroupLanes{};  // since cc 6.0
    if (modern) return globalSectors(access);
    const GlobalCost cost = globalCost(access, profile);
    return cost.countsSectors ? cost.sectors : cost.transactions;
}

u32 leastGlobalItems(const WarpAccess& access, const Profile& profile) {
    const auto bytesOf = [&](LaneMask lanes) {
        std::array<u64, kWarpSize> addresses{};
        u32 count = 0;
        for (Lane lane : lanes& access.active)
            addresses[count++] = addressOf(access, lane);
        std::ranges::sort(addresses.begin(), addresses.begin() + count);
        return u64(std::unique(addresses.begin(), addresses.begin() + count) - addresses.begin()) *
               widthOf(access);
    };
    if (countsSectors(access.kind, profile)) return u32(leastSectors(bytesOf(access.active)));
    u32 least = 0;  // of each request, a transaction or line for as many bytes as one has at most
    forEachRequest(access, profile, [&](LaneMask lanes, u32) {
        least += u32((bytesOf(lanes) + kLineBytes - 1) / kLineBytes);
    });
    return least;
}

}  // namespace lockstep::model
