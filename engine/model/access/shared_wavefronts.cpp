#include "model/access/shared_wavefronts.h"

#include "model/access/repeated_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::WarpAccess;

constexpr u32 kMostWordsPerLane = 8;  // ld.shared.v8.b32: the widest access of PTX
constexpr u32 wordsPerLane(const WarpAccess& access) {
    return std::clamp<u32>(access.widthBytes / kBankBytes, 1, kMostWordsPerLane);
}

u64 addressOf(const WarpAccess& access, Lane lane) { return access.addresses[lane.value]; }

// Every lane has the same address as lane n^distance; inactive lanes agree with every lane.
bool neighborsAgree(const WarpAccess& access, u32 distance) {
    for (Lane lane : access.active) {
        const Lane neighbor{lane.value ^ distance};
        if (access.active.has(neighbor) && addressOf(access, lane) != addressOf(access, neighbor))
            return false;
    }
    return true;
}

// Measured on an H200: 8- and 16-byte loads whose neighboring lanes have the same address are served in
// groups of twice the lanes; stores never are.
bool merges(const WarpAccess& access, const Profile& profile) {
    return profile.sharedRule == SharedRule::MergingWords && access.widthBytes >= 8 &&
           access.kind == AccessKind::Load && (neighborsAgree(access, 1) || neighborsAgree(access, 2));
}

u32 lanesPerGroup(const WarpAccess& access, const Profile& profile) {
    const u32 lanes = profile.sharedGroups.of(access.widthBytes);
    return merges(access, profile) ? std::min(2 * lanes, kWarpSize) : lanes;
}

template <class Visit> void forEachGroup(const WarpAccess& access, const Profile& profile, Visit&& visit) {
    const u32 lanes = lanesPerGroup(access, profile);
    for (u32 first = 0; first < kWarpSize; first += lanes) {
        const LaneMask group{u32(u64{LaneMask::firstLanes(lanes).bits} << first)};
        if (const LaneMask active = group & access.active; !active.empty()) visit(active);
    }
}

// The queue of each bank, in order of arrival: one entry per wavefront.
class Queues {
public:
    // Position of `wanted` in the bank's queue; if `shared`, lanes that request the same word share an entry.
    u32 place(u32 bank, u64 wanted, bool shared) {
        u64* queue = entries_[bank].data();
        u32& length = lengths_[bank];
        if (shared)
            for (u32 at = 0; at < length; ++at)
                if (queue[at] == wanted) return at;
        queue[length] = wanted;
        longest_ = std::max(longest_, length + 1);
        return length++;
    }
    u32 longest() const { return longest_; }

private:
    static constexpr u32 kMostEntries = kWarpSize * kMostWordsPerLane;
    std::array<std::array<u64, kMostEntries>, kBanks> entries_;
    std::array<u32, kBanks> lengths_{};
    u32 longest_ = 0;
};

// Where the words of shared memory are. One serves a whole access: what follows from the profile is worked
// out once, and no word needs a division.
class Banks {
public:
    explicit Banks(const Profile& profile)
        : count_(profile.banks),
          isPowerOfTwo_((count_ & (count_ - 1)) == 0),
          hasPairs_(profile.sharedRule == SharedRule::WordPairs),
          wordShift_(u32(std::countr_zero(wordsOfABank(profile)))) {}

    u32 bankOf(u64 word) const {
        const u64 at = word >> wordShift_;
        return isPowerOfTwo_ ? u32(at) & (count_ - 1) : u32(at % count_);
    }
    // What a bank delivers in one wavefront: a word; on cc 3.x two, i and i+32 of one 64-word segment or, in
    // 8-byte mode, neighbors.
    u64 unitOf(u64 word) const { return hasPairs_ ? word / 64 * 32 + word % 32 : word >> wordShift_; }
    // As many banks as there can be, each of which delivers a word.
    bool areWords() const { return count_ == kBanks && !hasPairs_ && wordShift_ == 0; }

private:
    u32 count_;
    bool isPowerOfTwo_, hasPairs_;
    u32 wordShift_;
};

// Every word of every lane, with its wavefront within the group.
template <class Visit>
u32 serveGroup(const WarpAccess& access, LaneMask group, const Profile& profile, Visit&& visit) {
    Queues queues;
    // An atomic serves one lane per bank in each wavefront, even if lanes share a word (measured on 9.0).
    const bool shared = !isAtomic(access.kind);
    const Banks banks(profile);
    for (Lane lane : group)
        for (u32 n = 0; n < wordsPerLane(access); ++n) {
            const u64 word = addressOf(access, lane) / kBankBytes + n;
            const u32 bank = banks.bankOf(word);
            visit(queues.place(bank, banks.unitOf(word), shared), Pass::Use{lane, u8(bank), word});
        }
    return queues.longest();
}

// Rows of a word a bank: which of them are wanted is marked, and marks in a column are added up.
constexpr u32 kMostRows = 128;
u32 longestInRows(const std::array<u64, kWarpSize>& words, u64 least, u64 most) {
    using Row = std::array<u8, kBanks>;
    std::array<Row, kMostRows> wanted;
    const u64 firstRow = least / kBanks;
    const u32 rows = u32(most / kBanks - firstRow) + 1;
    std::fill_n(wanted.begin(), rows, Row{});
    for (const u64 word : words)
        wanted[word / kBanks - firstRow][word % kBanks] = 1;
    Row lengths{};
    for (u32 row = 0; row < rows; ++row)
        for (u32 bank = 0; bank < kBanks; ++bank)
            lengths[bank] += wanted[row][bank];
    return *std::ranges::max_element(lengths);
}

// The length of the longest queue, where each lane has one word. None: the words lie too far apart.
std::optional<u32> longestOfWords(const WarpAccess& access, LaneMask group, const Profile& profile) {
    const bool shared = !isAtomic(access.kind);
    const Lane lowest = group.lowest();
    std::array<u64, kWarpSize> words;
    for (u32 lane = 0; lane < kWarpSize; ++lane)  // lanes outside of the group: as its lowest
        words[lane] = addressOf(access, group.has(Lane{lane}) ? Lane{lane} : lowest) / kBankBytes;
    u64 least = words[0], most = words[0], differs = 0;
    for (const u64 word : words) {
        least = std::min(least, word), most = std::max(most, word);
        differs |= word ^ words[0];
    }
    if (shared && most - least < profile.banks) return 1;  // each word in a bank of its own
    const Banks of(profile);
    if (shared && of.areWords() && most / kBanks - least / kBanks < kMostRows)
        return longestInRows(words, least, most);
    std::array<u32, kWarpSize> units, banks;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        units[lane] = u32(of.unitOf(words[lane]));
        banks[lane] = of.bankOf(words[lane]);
    }
    if (differs > ~u32{0}) return {};
    std::array<u8, kBanks> lengths{};
    if (shared) {
        const LaneValues repeated = repeatedLanes(units);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            lengths[banks[lane]] += u8(1 + repeated[lane]);
    } else {
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            lengths[banks[lane]] += group.has(Lane{lane});
    }
    u8 longest = 0;
    for (const u8 length : lengths)
        longest = std::max(longest, length);
    return longest;
}

// The same of several words a lane, without saying who is served when.
u32 longestQueue(const WarpAccess& access, LaneMask group, const Profile& profile) {
    const bool shared = !isAtomic(access.kind);
    const u32 words = wordsPerLane(access);
    if (words == 1)
        if (const std::optional<u32> longest = longestOfWords(access, group, profile)) return *longest;
    struct Entry {
        u64 unit;
        u32 next;  // of the same bank, plus 1; 0: none
    };
    std::array<Entry, kWarpSize * kMostWordsPerLane> entries;
    std::array<u32, kBanks> newest{}, lengths{};  // by bank
    const Banks banks(profile);
    u32 count = 0, longest = 0;
    for (Lane lane : group)
        for (u32 n = 0; n < words; ++n) {
            const u64 word = addressOf(access, lane) / kBankBytes + n;
            const u32 bank = banks.bankOf(word);
            if (shared) {
                const u64 unit = banks.unitOf(word);
                u32 at = newest[bank];
                while (at && entries[at - 1].unit != unit)
                    at = entries[at - 1].next;
                if (at) continue;
                entries[count] = {unit, newest[bank]};
                newest[bank] = ++count;
            }
            longest = std::max(longest, ++lengths[bank]);
        }
    return longest;
}

// cc 1.x: a half-warp's n-th words are a separate request. A wavefront serves all lanes of the broadcast word
// and one lane in each other bank. The guide does not say which word is broadcast: we take the one with the
// most lanes left.
template <class Visit>
u32 serveBroadcasting(const WarpAccess& access, LaneMask group, u32 nthWord, const Profile& profile,
                      Visit&& visit) {
    const auto wordOf = [&](Lane lane) { return addressOf(access, lane) / kBankBytes + nthWord; };
    const bool broadcasts = !isAtomic(access.kind);
    const Banks banks(profile);
    u32 pass = 0;
    for (LaneMask left = group; !left.empty(); ++pass) {
        u64 broadcast = wordOf(left.lowest());
        int mostLanes = 0;
        for (Lane candidate : left) {
            int lanes = 0;
            for (Lane lane : left)
                lanes += wordOf(lane) == wordOf(candidate);
            if (lanes > mostLanes) mostLanes = lanes, broadcast = wordOf(candidate);
        }
        u32 busyBanks = 0;
        for (Lane lane : left) {
            const u64 word = wordOf(lane);
            const u32 bank = banks.bankOf(word);
            const bool waits =
                bank == banks.bankOf(broadcast) ? word != broadcast : (busyBanks >> bank & 1) != 0;
            if (waits || (!broadcasts && (busyBanks >> bank & 1))) continue;
            busyBanks |= 1u << bank;
            visit(pass, Pass::Use{lane, u8(bank), word});
            left = left & ~LaneMask::of(lane);
        }
    }
    return pass;
}

// Calls visit(wavefront, use) for every word of every active lane; returns the number of wavefronts.
template <class Visit> u32 serve(const WarpAccess& access, const Profile& profile, Visit&& visit) {
    u32 done = 0;
    const auto visitLater = [&](u32 pass, const Pass::Use& use) { visit(done + pass, use); };
    forEachGroup(access, profile, [&](LaneMask group) {
        if (profile.sharedRule != SharedRule::BroadcastWord) {
            done += serveGroup(access, group, profile, visitLater);
            return;
        }
        for (u32 n = 0; n < wordsPerLane(access); ++n)
            done += serveBroadcasting(access, group, n, profile, visitLater);
    });
    return done;
}

}  // namespace

u32 wordsOfABank(const Profile& profile) { return profile.sharedRule == SharedRule::DoubleWords ? 2 : 1; }

LaneMask Pass::lanes() const {
    LaneMask lanes;
    for (const Use& use : uses)
        lanes = lanes | LaneMask::of(use.lane);
    return lanes;
}

u32 sharedWavefronts(const WarpAccess& access, const Profile& profile) {
    if (profile.sharedRule == SharedRule::BroadcastWord)
        return serve(access, profile, [](u32, const Pass::Use&) {});
    u32 wavefronts = 0;
    forEachGroup(access, profile,
                 [&](LaneMask group) { wavefronts += longestQueue(access, group, profile); });
    return wavefronts;
}

u32 idealWavefronts(const WarpAccess& access, const Profile& profile) {
    u32 ideal = 0;
    forEachGroup(access, profile, [&](LaneMask group) {
        // Loads and stores: lanes may share words, so one wavefront; cc 1.x: one for each of a lane's words.
        // Atomics share nothing.
        if (profile.sharedRule == SharedRule::BroadcastWord)
            ideal += wordsPerLane(access);
        else if (!isAtomic(access.kind))
            ++ideal;
        else
            ideal += (u32(group.count()) * wordsPerLane(access) + profile.banks - 1) / profile.banks;
    });
    return ideal;
}

std::vector<Pass> passes(const WarpAccess& access, const Profile& profile) {
    std::vector<Pass> passes;
    serve(access, profile, [&](u32 pass, const Pass::Use& use) {
        if (pass >= passes.size()) passes.resize(pass + 1);
        passes[pass].uses.push_back(use);
    });
    return passes;
}

u32 sharedLanesPerGroup(const WarpAccess& access, const Profile& profile) {
    return lanesPerGroup(access, profile);
}

bool servesNeighborsTogether(const WarpAccess& access, const Profile& profile) {
    return merges(access, profile);
}

std::vector<LaneMask> sharedGroups(const WarpAccess& access, const Profile& profile) {
    std::vector<LaneMask> groups;
    forEachGroup(access, profile, [&](LaneMask group) { groups.push_back(group); });
    return groups;
}

std::vector<HalfWarpCost> halfWarpCosts(const WarpAccess& access, const Profile& profile) {
    std::vector<HalfWarpCost> costs;
    if (profile.sharedRule != SharedRule::BroadcastWord) return costs;
    for (const LaneMask group : sharedGroups(access, profile)) {
        WarpAccess alone = access;
        alone.active = group;
        costs.push_back({.half = group.lowest().value / (kWarpSize / 2),
                         .wavefronts = sharedWavefronts(alone, profile),
                         .ideal = idealWavefronts(alone, profile)});
    }
    return costs;
}

Message halfWarpsText(const WarpAccess& access, const Profile& profile) {
    const std::vector<HalfWarpCost> costs = halfWarpCosts(access, profile);
    if (costs.empty()) return {};
    Message text;
    u32 all = 0;
    for (const HalfWarpCost& cost : costs) {
        all += cost.wavefronts;
        // For wide accesses a half-warp's n-th words are a separate request; "n-way" refers to one request.
        const Words degree = cost.wavefronts <= cost.ideal ? english("half-warp {0}: no conflict")
                             : cost.ideal == 1
                                 ? english("half-warp {0}: {1}-way")
                                 : english("half-warp {0}: {1} {1:wavefront|wavefronts} instead of {2}");
        const Message half(degree, cost.half, cost.wavefronts, cost.ideal);
        text = text.empty() ? half : Message(english("half-warps", "{0}, {1}"), text, half);
    }
    return Message(costs.size() > 1 ? english("{0}, {1} {1:wavefront|wavefronts} in all")
                                    : english("{0}, {1} {1:wavefront|wavefronts}"),
                   text, all);
}

}  // namespace lockstep::model
