#include "witness/record/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace lockstep::witness {
namespace {

using trace::AccessKind;

bool isRedOrAtom(AccessKind kind) { return kind == AccessKind::Atomic || kind == AccessKind::Reduction; }

std::vector<LaneMask> split(LaneMask active, u32 lanes) {
    std::vector<LaneMask> groups;
    for (u32 first = 0; first < kWarpSize; first += lanes)
        groups.push_back(active & LaneMask{LaneMask::firstLanes(lanes).bits << first});
    return groups;
}

std::set<u64> pieces(const trace::WarpAccess& access, LaneMask lanes, u64 bytes) {
    std::set<u64> found;
    for (Lane lane : lanes)
        for (u64 piece = access.addresses[lane.value] / bytes;
             piece <= (access.addresses[lane.value] + access.widthBytes - 1) / bytes; ++piece)
            found.insert(piece);
    return found;
}

// Compute capability 1.0 and 1.1.
void inOrder(const trace::WarpAccess& access, LaneMask half, u32 firstLane, GlobalCost& cost) {
    if (half.empty()) return;
    const u64 width = access.widthBytes, segment = 16 * width;
    const u64 start = access.addresses[half.lowest().value] - (half.lowest().value - firstLane) * width;
    bool inPlace = width >= 4 && start % segment == 0;
    for (Lane lane : half)
        inPlace = inPlace && access.addresses[lane.value] == start + (lane.value - firstLane) * width;
    std::vector<u32> sizes;
    if (inPlace && width == 16)
        sizes = {128, 128};
    else if (inPlace)
        sizes = {u32(segment)};
    else
        sizes.assign(std::size_t(half.count()), 32);
    cost.perHalf.push_back(u32(sizes.size()));
    for (u32 size : sizes)
        cost.itemBytes.push_back(size);
}

// Compute capability 1.2 and 1.3.
void segments(const trace::WarpAccess& access, LaneMask half, GlobalCost& cost) {
    u32 count = 0;
    const u64 largest = access.widthBytes == 1 ? 32 : access.widthBytes == 2 ? 64 : 128;
    for (LaneMask left = half; !left.empty();) {
        const u64 begin = access.addresses[left.lowest().value] / largest * largest;
        u64 size = largest;
        LaneMask served{};
        u64 first = ~u64{0}, end = 0;
        for (Lane lane : left)
            if (access.addresses[lane.value] / largest * largest == begin) {
                served = served | LaneMask::of(lane);
                first = std::min(first, access.addresses[lane.value]),
                end = std::max(end, access.addresses[lane.value] + access.widthBytes);
            }
        while (size > 32 && first / (size / 2) == (end - 1) / (size / 2))
            size /= 2;
        cost.itemBytes.push_back(u32(size));
        ++count;
        left = left & ~served;
    }
    if (!half.empty()) cost.perHalf.push_back(count);
}

}  // namespace

std::vector<Moved> movedBy(const trace::WarpAccess& access, Capability cc) {
    std::vector<Moved> moved;
    if (cc.major > 1) {
        const GlobalCost cost = globalCost(access, cc);
        const u64 size = cost.itemBytes.empty() ? 32 : cost.itemBytes.front();
        const u32 lanes = cc.major >= 6 || access.widthBytes <= 4 ? 32 : access.widthBytes == 8 ? 16 : 8;
        for (const LaneMask group : split(access.active, lanes))
            for (const u64 piece : pieces(access, group, size)) {
                Moved& one = moved.emplace_back(Moved{piece * size, size});
                for (const Lane lane : group)
                    if (access.addresses[lane.value] / size <= piece &&
                        piece <= (access.addresses[lane.value] + access.widthBytes - 1) / size)
                        one.lanes = one.lanes | LaneMask::of(lane);
            }
        return moved;
    }
    const std::vector<LaneMask> halves = split(access.active, 16);
    for (u32 h = 0; h < 2; ++h) {
        GlobalCost cost;
        cc.minor < 2 ? inOrder(access, halves[h], 16 * h, cost) : segments(access, halves[h], cost);
        LaneMask left = halves[h];
        for (const u32& size : cost.itemBytes) {
            // In the order of the lanes, of which a segment serves all that it can.
            const bool isAlone = cc.minor < 2 && size == 32;
            Moved one{access.addresses[left.empty() ? 0 : left.lowest().value] / size * size, size};
            if (cc.minor < 2 && !isAlone) {
                const u32 lowest = halves[h].lowest().value;
                one.start = access.addresses[lowest] - u64{lowest - 16 * h} * access.widthBytes +
                            (&size == &cost.itemBytes.front() ? 0 : size);
            }
            for (const Lane lane : left) {
                const u64 at = access.addresses[lane.value];
                if (isAlone ? lane == left.lowest() : at >= one.start && at < one.start + size)
                    one.lanes = one.lanes | LaneMask::of(lane);
            }
            left = left & ~one.lanes;
            moved.push_back(one);
        }
    }
    return moved;
}

GlobalCost globalCost(const trace::WarpAccess& access, Capability cc) {
    GlobalCost cost;
    if (access.active.empty()) return cost;
    if (cc.major == 1) {
        const std::vector<LaneMask> halves = split(access.active, 16);
        for (u32 h = 0; h < 2; ++h)
            cc.minor < 2 ? inOrder(access, halves[h], 16 * h, cost) : segments(access, halves[h], cost);
        cost.requests = u32(!halves[0].empty()) + u32(!halves[1].empty());
    } else {
        const bool isWhole = cc.major >= 6;
        const u32 lanes = isWhole ? 32 : access.widthBytes >= 16 ? 8 : access.widthBytes == 8 ? 16 : 32;
        const bool cached = cc.major == 2 && access.kind == AccessKind::Load;
        for (const LaneMask group : split(access.active, lanes)) {
            if (group.empty()) continue;
            ++cost.requests;
            if (isRedOrAtom(access.kind)) {  // per sector: lanes at its most contended word
                std::map<u64, std::map<u64, u32>> sectors;
                for (Lane lane : group)
                    ++sectors[access.addresses[lane.value] / 32][access.addresses[lane.value]];
                for (const auto& [sector, words] : sectors) {
                    u32 most = 0;
                    for (const auto& [word, count] : words)
                        most = std::max(most, count);
                    for (u32 i = 0; i < most; ++i)
                        cost.itemBytes.push_back(32);
                }
            } else {
                for (std::size_t i = pieces(access, group, cached ? 128 : 32).size(); i > 0; --i)
                    cost.itemBytes.push_back(cached ? 128 : 32);
            }
        }
    }
    cost.items = u32(cost.itemBytes.size());
    for (u32 bytes : cost.itemBytes)
        cost.bytes += bytes;
    return cost;
}

namespace {

// The most that the lanes want of one bank and that it cannot give at once.
u32 degree(const trace::WarpAccess& access, LaneMask lanes, Capability cc) {
    std::map<u32, std::set<u64>> byBank;
    for (u64 word : pieces(access, lanes, 4))
        byBank[cc.bankOf(word)].insert(cc.givenAtOnce(word));
    std::size_t most = 0;
    for (const auto& [bank, words] : byBank)
        most = std::max(most, words.size());
    return u32(most);
}

bool neighborsAgree(const trace::WarpAccess& access, u32 distance) {
    for (Lane lane : access.active) {
        const Lane other{lane.value ^ distance};
        if (access.active.has(other) && access.addresses[lane.value] != access.addresses[other.value])
            return false;
    }
    return true;
}

// cc 1.x: each pass has one word for all its lanes (that with most lanes left) and one lane in each other
// bank.
u32 halfWarpPasses(const trace::WarpAccess& access, LaneMask half) {
    u32 passes = 0;
    const u32 parts = std::max<u32>(1, access.widthBytes / 4);
    for (u32 part = 0; part < parts; ++part) {
        LaneMask left = half;
        while (!left.empty()) {
            std::map<u64, u32> lanesOf;
            for (Lane lane : left)
                ++lanesOf[access.addresses[lane.value] / 4 + part];
            u64 chosen = 0;
            u32 most = 0;
            for (Lane lane : left)
                if (const u64 word = access.addresses[lane.value] / 4 + part; lanesOf[word] > most)
                    chosen = word, most = lanesOf[word];
            std::set<u64> taken{chosen % 16};
            LaneMask served{};
            for (Lane lane : left)
                if (access.addresses[lane.value] / 4 + part == chosen) served = served | LaneMask::of(lane);
            for (Lane lane : left)
                if (const u64 word = access.addresses[lane.value] / 4 + part;
                    word != chosen && taken.insert(word % 16).second)
                    served = served | LaneMask::of(lane);
            left = left & ~served;
            ++passes;
        }
    }
    return passes;
}

}  // namespace

u32 sharedLanesAtATime(const trace::WarpAccess& access, Capability cc) {
    const u32 width = access.widthBytes;
    u32 lanes = cc.major == 1 ? 16 : width <= 4 ? 32 : width == 8 ? 16 : 8;
    if (cc.major == 3 && width > 4) lanes *= 2;
    if (cc.major >= 5 && width > 4 && access.kind == AccessKind::Load &&
        (neighborsAgree(access, 1) || neighborsAgree(access, 2)))
        lanes *= 2;
    return lanes;
}

std::vector<LaneMask> sharedGroups(const trace::WarpAccess& access, Capability cc) {
    std::vector<LaneMask> groups = split(access.active, sharedLanesAtATime(access, cc));
    std::erase_if(groups, [](LaneMask group) { return group.empty(); });
    return groups;
}

SharedCost sharedCost(const trace::WarpAccess& access, Capability cc, std::string_view text) {
    SharedCost cost;
    const u32 width = access.widthBytes;
    const std::set<u64> words = pieces(access, access.active, 4);
    std::set<u64> used;
    std::map<u64, u32> perBank, lanesPerBank;
    for (u64 word : words)
        used.insert(cc.bankOf(word)),
            cost.mostInOneBank = std::max(cost.mostInOneBank, ++perBank[cc.bankOf(word)]);
    cost.words = u32(words.size()), cost.banks = u32(used.size());
    cost.onlyBank = used.empty() ? 0 : u32(*used.begin());
    if (isRedOrAtom(access.kind)) {
        const bool countsLanes = access.kind == AccessKind::Reduction &&
                                 text.find(".add") != std::string_view::npos && text.ends_with(", 1");
        for (Lane lane : access.active)
            ++lanesPerBank[cc.bankOf(access.addresses[lane.value] / 4)];
        u32 most = 0;
        for (const auto& [bank, lanes] : lanesPerBank)
            most = std::max(most, lanes);
        cost.wavefronts = countsLanes ? degree(access, access.active, cc) : most;
        cost.least = access.active.empty() ? 0 : 1;
        return cost;
    }
    cost.groups = 0;
    for (const LaneMask group : sharedGroups(access, cc)) {
        ++cost.groups;
        const u32 passes = cc.major == 1 ? halfWarpPasses(access, group) : degree(access, group, cc);
        cost.perGroup.push_back(passes);
        cost.wavefronts += passes;
        cost.least += cc.major == 1 ? std::max<u32>(1, width / 4) : 1;
    }
    return cost;
}

trace::WarpAccess accessOf(const trace::SiteCounts& site, const trace::Pattern& pattern) {
    trace::WarpAccess access{.pc = site.pc,
                             .active = pattern.active,
                             .space = site.space,
                             .kind = site.kind,
                             .widthBytes = site.widthBytes,
                             .addresses = {}};
    for (Lane lane : pattern.active)
        access.addresses[lane.value] =
            (u64{1} << 39) + pattern.baseMod256 + u64(pattern.deltaBytes[lane.value]);
    return access;
}

}  // namespace lockstep::witness
