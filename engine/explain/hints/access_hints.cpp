// Hints on accesses to memory, from the counts of all blocks that ran.
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/quantities.h"
#include "explain/hints/hint_sums.h"
#include "model/access/counted_access.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"

#include <algorithm>
#include <set>

namespace lockstep::explain {
namespace {

using trace::AccessKind;
using trace::Space;

bool isStoring(AccessKind kind) { return kind == AccessKind::Store; }

u64 globalItemsOf(const model::Report& report, bool countSectors) {
    u64 sum = 0;
    for (const model::SiteReport& site : report.sites)
        if (site.space == Space::Global && site.countsSectors == countSectors) sum += site.sectors;
    return sum;
}

u64 sharedWavefrontsOf(const model::Report& report) {
    u64 sum = 0;
    for (const model::SiteReport& site : report.sites)
        if (site.space == Space::Shared) sum += site.machineWavefronts();
    return sum;
}

struct Conflicts {
    u64 wavefronts = 0, least = 0;
    std::vector<Pc> pcs{};
};

SumsByLine<Conflicts> conflictsOf(const HintInput& in, bool ofAtomics) {
    SumsByLine<Conflicts> sums;
    for (const model::SiteReport& site : in.report.sites) {
        if (site.space != Space::Shared || trace::isAtomic(site.kind) != ofAtomics) continue;
        Conflicts& sum = sums.at(in.module, site.launch, site.pc, 0);
        sum.wavefronts += site.machineWavefronts();
        sum.least += site.machineIdealWavefronts();
        sum.pcs.push_back(site.pc);
    }
    return sums;
}

// "32-way", "2.5-way on average"
Message degreeText(u64 wavefronts, u64 least) {
    if (wavefronts % least == 0)
        return Message(english("{0}-way bank conflicts"), grouped(wavefronts / least));
    return Message(english("{0}-way bank conflicts on average"), threeDigits(f64(wavefronts) / f64(least)));
}

// Whether the first row of the block's threads that a warp has is free of conflicts by itself.
bool hasRowsWithoutConflicts(const HintInput& in, LaunchId launch, const Conflicts& sum, u32 rowThreads) {
    for (const trace::SiteCounts& site : in.recording.counts[launch.value].sites) {
        if (site.space != Space::Shared || std::ranges::find(sum.pcs, site.pc) == sum.pcs.end()) continue;
        for (const trace::Pattern& pattern : site.patterns) {
            trace::WarpAccess row = model::accessOf(site, pattern);
            row.active = row.active & LaneMask::firstLanes(rowThreads);
            if (!row.active.empty() &&
                model::sharedWavefronts(row, in.profile) > model::idealWavefronts(row, in.profile))
                return false;
        }
    }
    return true;
}

// Rows of 16 threads: no row conflicts with itself, only with the other one of the warp.
Message conflictCure(const HintInput& in, LaunchId launch, const Conflicts& sum) {
    const Dim3 block = in.recording.launches[launch.value].block;
    const u64 rows = block.x < kWarpSize ? kWarpSize / std::max(1u, block.x) : 1;
    if (block.y * block.z > 1 && rows > 1 && sum.wavefronts <= rows * sum.least &&
        hasRowsWithoutConflicts(in, launch, sum, block.x))
        return Message(english("A warp has {0} rows of {1} {1:thread|threads}, whose words lie in the same "
                               "banks: make rows of the block {2} {2:thread|threads} wide, or rows of the "
                               "array of a length that keeps them apart."),
                       rows, block.x, kWarpSize);
    return english(
        "Let the lanes of a warp use different banks: pad each row of the array by an element, "
        "swizzle its columns, or let neighboring lanes use neighboring words.");
}

}  // namespace

std::vector<Hint> bankConflicts(const HintInput& in) {
    const u64 all = sharedWavefrontsOf(in.report);
    std::vector<Hint> hints;
    conflictsOf(in, false).forEach([&](const HintPlace& place, const Conflicts& sum) {
        // Less than 2-way on average is what halos and rows of 16 threads leave behind.
        if (sum.wavefronts < 2 * sum.least || sum.least == 0) return;
        Hint hint = hintAt(place, HintUnit::Wavefronts, sum.wavefronts - sum.least, all);
        hint.what =
            Message(english("{0}: {1} {1:wavefront|wavefronts} where {2} would do."),
                    degreeText(sum.wavefronts, sum.least), grouped(sum.wavefronts), grouped(sum.least));
        hint.cure = conflictCure(in, place.launch, sum);
        hints.push_back(std::move(hint));
    });
    return hints;
}

std::vector<Hint> sharedAtomics(const HintInput& in) {
    // Bins that a few lanes share depend on the data, not on the code; 8 lanes and more on one word are told.
    constexpr u64 kManyLanes = 8;
    const u64 all = sharedWavefrontsOf(in.report);
    std::vector<Hint> hints;
    conflictsOf(in, true).forEach([&](const HintPlace& place, const Conflicts& sum) {
        if (sum.least == 0 || sum.wavefronts < kManyLanes * sum.least) return;
        Hint hint = hintAt(place, HintUnit::Wavefronts, sum.wavefronts - sum.least, all);
        hint.what = Message(english("Lanes of a warp update the same words or banks atomically, one after "
                                    "another: {0} {0:wavefront|wavefronts} where {1} would do."),
                            grouped(sum.wavefronts), grouped(sum.least));
        hint.cure = english(
            "Let lanes update copies of their own in different banks and add the copies "
            "up, or reduce within the warp first.");
        hints.push_back(std::move(hint));
    });
    return hints;
}

namespace {

// What the lanes of an access do that a change of the code can cure.
struct Scattered {
    u64 items = 0, least = 0;  // of all executions
    u64 excess = 0;
    std::set<s64> distances{};  // between neighboring lanes
    bool walks = false;
    u8 widthBytes = 4;
    bool isStore = false, countsSectors = true;
    LaunchId launch;
    std::vector<Pc> pcs{};
};

// Half-filled sectors of 16-byte accesses are what a thread with a tile of results cannot avoid.
bool isWasteful(u64 items, u64 least, u8 widthBytes) {
    return widthBytes >= 16 ? items > 2 * least : items >= 2 * least;
}

void addPattern(const trace::SiteCounts& site, const trace::Pattern& pattern, const HintInput& in,
                Scattered& sum) {
    const trace::WarpAccess access = model::accessOf(site, pattern);
    const u64 items = model::globalItems(access, in.profile),
              least = model::leastGlobalItems(access, in.profile);
    sum.items += pattern.times * items;
    sum.least += pattern.times * least;
    if (!isWasteful(items, least, site.widthBytes) || !asksForMuch(access)) return;
    const std::optional<s64> distance = laneDistance(access.active, access.addresses);
    if (distance) {
        if (std::abs(*distance) <= s64{site.widthBytes}) return;  // in order, but in pieces
        sum.distances.insert(std::abs(*distance));
    } else if (!sum.walks) {
        return;  // where data say so
    }
    sum.excess += pattern.times * (items - least);
}

// What the accesses of this kind to the same buffer take together of one stride.
struct Covered {
    u64 bytes = 0;
    u64 addressBits = 0;  // of the one that begins it
};
Covered coveredOf(const HintInput& in, LaunchId launch, const RecordedAccesses::Site& of, s64 stride) {
    std::set<u64> bytes;
    const RecordedAccesses::Site* first = &of;
    for (const auto& [key, site] : in.recorded.sites()) {
        const s64 apart = s64(site.first - of.first);
        if (key.launch != launch || site.kind != of.kind || site.buffer != of.buffer ||
            std::abs(apart) >= stride)
            continue;
        if (site.first < first->first) first = &site;
        for (u32 byte = 0; byte < site.widthBytes; ++byte)
            bytes.insert((site.first + byte) % u64(stride));
    }
    return {bytes.size(), first->addressBits};
}

Message cureOf(const HintInput& in, const Scattered& sum, Pc pc) {
    const RecordedAccesses::Site* site = in.recorded.site(sum.launch, pc);
    constexpr s64 kLargestElement = 64;
    bool isRun = false;  // each thread has a run of elements of its own
    if (sum.distances.size() == 1 && *sum.distances.begin() <= kLargestElement && site) {
        const s64 stride = *sum.distances.begin();
        const Covered covered = coveredOf(in, sum.launch, *site, stride);
        isRun = covered.bytes == u64(stride);
        const bool isVector = isRun && stride % 8 == 0;
        for (const u64 vector : {16u, 8u})
            if (isVector && covered.bytes % vector == 0 && covered.addressBits % vector == 0 &&
                vector > sum.widthBytes)
                return Message(sum.isStore ? english("Each thread stores {0} consecutive bytes: store {1} at "
                                                     "once, as a vector.")
                                           : english("Each thread loads {0} consecutive bytes: load {1} at "
                                                     "once, as a vector."),
                               stride, vector);
        if (!isVector && covered.bytes > sum.widthBytes)
            return english(
                "Keep the members in arrays of their own (a structure of arrays), so that "
                "neighboring threads access neighboring elements.");
    }
    if (sum.walks || isRun)
        return english(
            "Let neighboring threads access neighboring elements, rather than each thread a run "
            "of elements of its own.");
    return english(
        "Let neighboring threads access neighboring elements: swap the indices, or move a tile "
        "through shared memory.");
}

Message patternText(const Scattered& sum) {
    if (sum.distances.size() == 1)
        return Message(sum.isStore ? english("Neighboring lanes store {0} {0:byte|bytes} apart")
                                   : english("Neighboring lanes load {0} {0:byte|bytes} apart"),
                       grouped(u64(*sum.distances.begin())));
    return sum.isStore ? english("Neighboring lanes store far apart")
                       : english("Neighboring lanes load far apart");
}

}  // namespace

std::vector<Hint> uncoalesced(const HintInput& in) {
    SumsByLine<Scattered> sums;
    for (u32 launch = 0; launch < in.recording.counts.size(); ++launch)
        for (const trace::SiteCounts& site : in.recording.counts[launch].sites) {
            if (site.space != Space::Global || trace::isAtomic(site.kind)) continue;
            const LaunchId id{launch};
            Scattered& sum = sums.at(in.module, id, site.pc, isStoring(site.kind));
            const RecordedAccesses::Site* recorded = in.recorded.site(id, site.pc);
            sum.launch = id, sum.isStore = isStoring(site.kind), sum.widthBytes = site.widthBytes;
            sum.countsSectors = model::countsSectors(site.kind, in.profile);
            sum.walks = recorded && recorded->walks();
            sum.pcs.push_back(site.pc);
            for (const trace::Pattern& pattern : site.patterns)
                addPattern(site, pattern, in, sum);
            if (site.overflowExecutions == 0) continue;
            // Too many patterns to keep them: at least one sector a request, and what the bytes need.
            const u64 least =
                site.overflowExecutions + site.overflowActiveLanes * site.widthBytes / model::kSectorBytes;
            sum.items += site.overflow.sectors;
            sum.least += least;
            if (sum.walks && isWasteful(site.overflow.sectors, least, site.widthBytes))
                sum.excess += site.overflow.sectors - least;
        }
    std::vector<Hint> hints;
    sums.forEach([&](const HintPlace& place, const Scattered& sum) {
        if (sum.excess == 0 || 2 * sum.excess < sum.items) return;
        const HintUnit unit = sum.countsSectors ? HintUnit::Sectors : HintUnit::Transactions;
        Hint hint = hintAt(place, unit, sum.excess, globalItemsOf(in.report, sum.countsSectors));
        hint.what = Message(english("{0}: {1} where {2} would do."), patternText(sum),
                            countOf(unit, sum.items), grouped(sum.items - sum.excess));
        hint.cure = cureOf(in, sum, place.pc);
        hints.push_back(std::move(hint));
    });
    return hints;
}

namespace {

// Where all of a site's accesses begin within a sector, if they are in order and all begin alike.
std::optional<u32> commonOffset(const trace::SiteCounts& site) {
    std::optional<u32> common;
    for (const trace::Pattern& pattern : site.patterns) {
        const trace::WarpAccess access = model::accessOf(site, pattern);
        const u32 offset = pattern.baseMod256 % model::kSectorBytes;
        if (common && *common != offset) return std::nullopt;
        common = offset;
        if (pattern.active.count() > 1 &&
            laneDistance(access.active, access.addresses) != std::optional(s64{site.widthBytes}))
            return std::nullopt;
    }
    return common;
}

}  // namespace

std::vector<Hint> misaligned(const HintInput& in) {
    const u64 all = globalItemsOf(in.report, true);
    std::vector<Hint> hints;
    for (u32 launch = 0; launch < in.recording.counts.size(); ++launch)
        for (const trace::SiteCounts& site : in.recording.counts[launch].sites) {
            if (site.space != Space::Global || trace::isAtomic(site.kind) ||
                !model::countsSectors(site.kind, in.profile))
                continue;
            const LaunchId id{launch};
            const std::optional<u32> offset = commonOffset(site);
            const RecordedAccesses::Site* recorded = in.recorded.site(id, site.pc);
            if (!offset || *offset == 0 || !recorded || !recorded->buffer) continue;
            // Neighbors in a stencil begin at other places, and one of them has to be misaligned.
            const bool isAlone = std::ranges::none_of(in.recorded.sites(), [&](const auto& other) {
                return other.first.launch == id && other.first.pc != site.pc &&
                       other.second.space == Space::Global && other.second.buffer == recorded->buffer;
            });
            if (!isAlone) continue;
            u64 items = 0, least = 0;
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = model::accessOf(site, pattern);
                items += pattern.times * model::globalItems(access, in.profile);
                least += pattern.times * model::leastGlobalItems(access, in.profile);
            }
            if (items <= least) continue;
            Hint hint = hintAt(placeOf(in.module, id, site.pc), HintUnit::Sectors, items - least, all);
            hint.what = Message(isStoring(site.kind)
                                    ? english("Every store of a warp begins {0} {0:byte|bytes} into a "
                                              "sector: {1} {1:sector|sectors} where {2} would do.")
                                    : english("Every load of a warp begins {0} {0:byte|bytes} into a sector: "
                                              "{1} {1:sector|sectors} where {2} would do."),
                                *offset, grouped(items), grouped(least));
            hint.cure = Message(english("Begin at a multiple of {0} {0:byte|bytes}: shift the data, or let "
                                        "the first warp do the odd elements."),
                                model::kSectorBytes);
            hints.push_back(std::move(hint));
        }
    return hints;
}

std::vector<Hint> partialSectors(const HintInput& in) {
    struct Stores {
        u64 sectors = 0, least = 0;
    };
    SumsByLine<Stores> sums;
    for (u32 launch = 0; launch < in.recording.counts.size(); ++launch)
        for (const trace::SiteCounts& site : in.recording.counts[launch].sites) {
            const LaunchId id{launch};
            if (site.space != Space::Global || !isStoring(site.kind) ||
                !model::countsSectors(site.kind, in.profile))
                continue;
            const RecordedAccesses::Site* recorded = in.recorded.site(id, site.pc);
            if (!recorded || !recorded->buffer) continue;
            // What other stores of the block fill does not count.
            const auto stores = in.recorded.stores().find({id, *recorded->buffer});
            if (stores == in.recorded.stores().end() ||
                4 * 4 * stores->second.words > 3 * model::kSectorBytes * stores->second.sectors)
                continue;
            Stores& sum = sums.at(in.module, id, site.pc, 0);
            for (const trace::Pattern& pattern : site.patterns) {
                const trace::WarpAccess access = model::accessOf(site, pattern);
                const u32 lanes = u32(pattern.active.count());
                const u64 items = pattern.times * model::globalItems(access, in.profile);
                sum.sectors += items;
                const bool hasGaps =
                    (pattern.active.bits >> pattern.active.lowest().value) + 1 != (u64{1} << lanes);
                sum.least += hasGaps && laneDistance(access.active, access.addresses) ==
                                            std::optional(s64{site.widthBytes})
                                 ? pattern.times * model::leastGlobalItems(access, in.profile)
                                 : items;
            }
        }
    u64 all = 0;
    for (const model::SiteReport& site : in.report.sites)
        if (site.space == Space::Global && isStoring(site.kind)) all += site.sectors;
    std::vector<Hint> hints;
    sums.forEach([&](const HintPlace& place, const Stores& sum) {
        if (sum.sectors < 2 * sum.least) return;
        Hint hint = hintAt(place, HintUnit::StoredSectors, sum.sectors - sum.least, all);
        hint.what =
            Message(english("Stores fill {0}% of the {1} {1:sector|sectors} that they access: before L2 "
                            "writes such a sector back, it may have to read the rest."),
                    percentOf(sum.least, sum.sectors), grouped(sum.sectors));
        hint.cure = english("Let the inactive lanes store, too, or store the elements side by side.");
        hints.push_back(std::move(hint));
    });
    return hints;
}

std::vector<Hint> localMemory(const HintInput& in) {
    struct Accesses {
        u64 executions = 0;
    };
    SumsByLine<Accesses> sums;
    for (const model::SiteReport& site : in.report.sites)
        if (site.space == Space::Local)
            sums.at(in.module, site.launch, site.pc, isStoring(site.kind)).executions += site.executions;
    std::vector<Hint> hints;
    sums.forEach([&](const HintPlace& place, const Accesses& sum) {
        if (sum.executions == 0) return;
        Hint hint = hintAt(place, HintUnit::IssueSlots, sum.executions, in.issueSlots());
        hint.what = Message(english("An array of each thread lies in local memory, which is device memory "
                                    "behind the caches: {0} {0:access|accesses} of warps."),
                            grouped(sum.executions));
        hint.cure = english(
            "Index it with constants, in loops that unroll (#pragma unroll), so that it "
            "stays in registers; or keep it in shared memory.");
        hints.push_back(std::move(hint));
    });
    return hints;
}

}  // namespace lockstep::explain
