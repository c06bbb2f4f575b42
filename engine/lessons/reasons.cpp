// Clues of the run: what a figure follows from, without the figure.
#include "base/device_addresses.h"
#include "explain/access/warp_steps.h"
#include "explain/cursor/lookup.h"
#include "explain/findings/finding_at.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "explain/sentences/finding_text.h"
#include "explain/sentences/lane_lists.h"
#include "lessons/kinds.h"
#include "lessons/quantities.h"
#include "model/access/global_sectors.h"
#include "model/access/in_order.h"
#include "model/access/shared_wavefronts.h"
#include "trace/finding.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::lessons {
namespace {

// In both languages: explain's sentences are texts of one.
Message inBoth(const auto& textIn) { return Text{textIn(Language::English), textIn(Language::Chinese)}; }

Message lanesNamed(LaneMask lanes) {
    return inBoth([&](Language language) { return explain::lanesText(lanes, language); });
}

// Of the buffer that an address of global memory belongs to, in bounds or not.
u64 startOfArray(u64 address) {
    const std::optional<u32> buffer = bufferOfAddress(address);
    return buffer ? deviceAddressOf(*buffer) : 0;
}

// Two lanes that request different words of one bank; empty: no two do.
Message conflictOf(const trace::WarpAccess& access, const model::Profile& profile) {
    for (const LaneMask group : model::sharedGroups(access, profile)) {
        trace::WarpAccess part = access;
        part.active = group;
        std::map<u32, model::Pass::Use> first;  // by bank
        for (const model::Pass& pass : model::passes(part, profile))
            for (const model::Pass::Use& use : pass.uses) {
                const auto [other, isNew] = first.emplace(use.bank, use);
                if (!isNew && other->second.word != use.word)
                    return Message(
                        english("Lanes {0} and {1} both request bank {2}, but different words: {3} and {4}. "
                                "A bank delivers one word per wavefront."),
                        other->second.lane.value, use.lane.value, u32(use.bank),
                        std::to_string(other->second.word), std::to_string(use.word));
            }
    }
    return {};
}

struct SharedWord {
    u64 word = 0;
    LaneMask lanes;
};
// The word that most lanes begin to access; the first of several.
SharedWord mostSharedWord(const trace::WarpAccess& access) {
    std::map<u64, LaneMask> words;
    for (const Lane lane : access.active) {
        LaneMask& lanes = words[access.addresses[lane.value] / model::kBankBytes];
        lanes = lanes | LaneMask::of(lane);
    }
    SharedWord most;
    for (const auto& [word, lanes] : words)
        if (lanes.count() > most.lanes.count()) most = {word, lanes};
    return most;
}

}  // namespace

Message conflictClue(const PlaceOnShow& place) {
    const trace::WarpTrace& warp = place.warp();
    for (u32 step = 0; step < warp.steps.size(); ++step)
        if (const trace::StoredAccess* stored = explain::accessOf(warp, step);
            stored && stored->space == trace::Space::Shared)
            if (Message conflict = conflictOf(warp.unpack(*stored), place.run->profile); !conflict.empty())
                return conflict;
    return {};
}

Message bankClue(const PlaceOnShow& place) {
    if (!place.access || place.access->space != trace::Space::Shared) return {};
    const trace::WarpAccess& access = *place.access;
    if (Message conflict = conflictOf(access, place.run->profile); !conflict.empty()) return conflict;
    const u32 together = model::sharedLanesPerGroup(access, place.run->profile);
    if (together < kWarpSize)
        return Message(english("With {0} {0:byte|bytes} per lane, {1} {1:lane|lanes} are served together, "
                               "and no two of these "
                               "request different "
                               "words of one bank."),
                       u32(access.widthBytes), together);
    if (const SharedWord shared = mostSharedWord(access); shared.lanes.count() > 1)
        return Message(english("No two lanes request different words of one bank: lanes {0} share word {1}."),
                       lanesNamed(shared.lanes), std::to_string(shared.word));
    return english("No two lanes request different words of one bank.");
}

namespace {
Message servedTogether(const PlaceOnShow& place, bool isLast) {
    if (!place.access || place.access->space != trace::Space::Shared) return {};
    const std::vector<model::Pass> passes = model::passes(*place.access, place.run->profile);
    if (passes.size() < 2) return {};  // of all lanes there is more to say
    for (const model::Pass& pass : passes)
        for (std::size_t i = 0; i + 1 < pass.uses.size(); ++i) {
            const model::Pass::Use &use = isLast ? pass.uses[pass.uses.size() - 1] : pass.uses[i + 1],
                                   &first = isLast ? pass.uses[pass.uses.size() - 2 - i] : pass.uses.front();
            if (use.lane == first.lane) continue;
            return use.word == first.word
                       ? Message(
                             english("Lanes {0} and {1} request the same word: one wavefront serves both."),
                             first.lane.value, use.lane.value)
                       : Message(english("Lanes {0} and {1} request different banks, {2} and {3}: one "
                                         "wavefront serves both."),
                                 first.lane.value, use.lane.value, u32(first.bank), u32(use.bank));
        }
    return {};
}
}  // namespace

Message servedTogetherClue(const PlaceOnShow& place) { return servedTogether(place, false); }
Message servedTogetherLastClue(const PlaceOnShow& place) { return servedTogether(place, true); }

Message wordClue(const PlaceOnShow& place) {
    const bool hasWords = place.access && place.access->space == trace::Space::Shared &&
                          place.access->widthBytes <= model::kBankBytes && !place.access->active.empty();
    if (!hasWords) return {};
    const SharedWord shared = mostSharedWord(*place.access);
    if (shared.lanes.count() < 2) return english("No two lanes request the same word.");
    return Message(english("Lanes {0} request the same word, {1}."), lanesNamed(shared.lanes),
                   std::to_string(shared.word));
}

std::vector<TouchedSector> touchedSectors(const PlaceOnShow& place) {
    std::vector<TouchedSector> sectors;
    if (!place.access || place.access->space != trace::Space::Global || place.access->active.empty())
        return sectors;
    const trace::WarpAccess& access = *place.access;
    const u64 start = startOfArray(access.addresses[access.active.lowest().value]);
    std::map<s64, LaneMask> found;
    for (const Lane lane : access.active) {
        const u64 address = access.addresses[lane.value];
        const auto sectorOf = [&](u64 byte) {
            const s64 offset = s64(byte - start), size = s64(model::kSectorBytes);
            return offset / size - (offset % size < 0);
        };
        for (s64 sector = sectorOf(address); sector <= sectorOf(address + access.widthBytes - 1); ++sector) {
            LaneMask& lanes = found[sector];
            lanes = lanes | LaneMask::of(lane);
        }
    }
    for (const auto& [number, lanes] : found)
        sectors.push_back({number, lanes});
    return sectors;
}

// Of two lanes that stand beside each other, how far their addresses lie apart.
Message apartClue(const trace::WarpAccess& access) {
    std::optional<Lane> before;
    for (const Lane lane : access.active) {
        if (before) {
            const u64 a = access.addresses[before->value], b = access.addresses[lane.value];
            return Message(english("The addresses of lanes {0} and {1} lie {2} {2:byte|bytes} apart."),
                           before->value, lane.value, std::max(a, b) - std::min(a, b));
        }
        before = lane;
    }
    return {};
}

namespace {

// Where lane k of a half-warp has to access word k of a segment: whether it does.
Message inOrderClue(const trace::WarpAccess& access) {
    constexpr u32 kHalfWarp = kWarpSize / 2;
    for (u32 first = 0; first < kWarpSize; first += kHalfWarp) {
        const LaneMask half{access.active.bits & (LaneMask::firstLanes(kHalfWarp).bits << first)};
        const auto disorder = half.empty() ? std::nullopt : model::disorderOf(access, half, first);
        if (!disorder) continue;
        switch (disorder->why) {
            case model::Disorder::Why::Width:
                return Message(english("Words of {0} {0:byte|bytes} are never coalesced by this rule."),
                               u32(access.widthBytes));
            case model::Disorder::Why::Alignment:
                return Message(english("The word of lane {0} lies {1} {1:byte|bytes} past an address at "
                                       "which a segment may begin."),
                               half.lowest().value, disorder->offsetBytes);
            case model::Disorder::Why::Order: break;
        }
        return Message(english("Lane {0} does not access word {1} of the segment of its half-warp."),
                       disorder->lane.value, disorder->lane.value - first);
    }
    return english("Each lane of a half-warp accesses the word of its own number in an aligned segment.");
}

}  // namespace

Message sectorClue(const PlaceOnShow& place) {
    const std::vector<TouchedSector> sectors = touchedSectors(place);
    if (sectors.empty()) return {};
    const model::Profile& profile = place.run->profile;
    if (profile.globalRule == model::GlobalRule::InOrder) return inOrderClue(*place.access);
    if (profile.globalRule == model::GlobalRule::Segments) {
        const model::GlobalCost cost = model::globalCost(*place.access, profile);
        const model::MemoryItem &first = cost.items.front(), &last = cost.items.back();
        return Message(
            english("The first transaction moves {0} {0:byte|bytes} for {2:lane|lanes} {1}, the last one {3} "
                    "{3:byte|bytes} for {5:lane|lanes} {4}."),
            first.bytes, lanesNamed(first.lanes), first.lanes.count(), last.bytes, lanesNamed(last.lanes),
            last.lanes.count());
    }
    const auto isOfOneLane = [](const TouchedSector& sector) { return sector.lanes.count() == 1; };
    const bool isScattered = sectors.size() > 1 && std::ranges::all_of(sectors, isOfOneLane);
    if (isScattered || !model::countsSectors(place.access->kind, profile)) return apartClue(*place.access);
    const TouchedSector& one = sectors.front();
    if (sectors.size() == 1)
        return Message(
            english("All of it lies in one sector of {0} {0:byte|bytes}, which serves {2:lane|lanes} {1}."),
            model::kSectorBytes, lanesNamed(one.lanes), one.lanes.count());
    return Message(
        english("A sector is {0} {0:byte|bytes}: the first one serves {3:lane|lanes} {1}, the last one "
                "{4:lane|lanes} {2}."),
        model::kSectorBytes, lanesNamed(one.lanes), lanesNamed(sectors.back().lanes), one.lanes.count(),
        sectors.back().lanes.count());
}

Message warpsClue(const PlaceOnShow& place) {
    return Message(
        english("A block has {0} {0:thread|threads} in {1} {1:warp|warps}; a request is of one warp."),
        explain::launchOf(*place.run, place.cursor.launch).block.count(), place.here.block->warps.size());
}

Message findingClue(const PlaceOnShow& place) {
    for (const trace::Finding& finding : place.run->recording.findings)
        if (!trace::isRemark(finding.kind)) return explain::occurrenceOf(*place.run, finding);
    return {};
}

Message findingLineClue(const PlaceOnShow& place) {
    for (const trace::Finding& finding : place.run->recording.findings)
        if (const u32 line = explain::lineOf(*place.run->module, finding.who.pc).line;
            line && !trace::isRemark(finding.kind))
            return Message(english("what is found at a line", "{0}, line {1}."),
                           explain::titleOf(finding.kind), line);
    return {};
}

namespace {
// How often the warp passes a barrier, by line. None: lanes of a warp waited at different ones.
std::optional<std::map<u32, u32>> barriersByLine(const PlaceOnShow& place) {
    for (const trace::Finding& finding : place.run->recording.findings)
        if (finding.kind == trace::FindingKind::DivergentBarrier) return std::nullopt;
    std::map<u32, u32> times;
    for (const u32 step : place.warp().barrierSteps)
        ++times[explain::lineOf(*place.run->module, place.warp().steps[step].pc).line];
    return times;
}
}  // namespace

Message mostBarriersClue(const PlaceOnShow& place) {
    const std::optional<std::map<u32, u32>> times = barriersByLine(place);
    if (!times || times->empty()) return {};
    const auto most = std::ranges::max_element(*times, {}, [](const auto& line) { return line.second; });
    return Message(english("This warp passes the barrier at line {0} {1} {1:time|times}."), most->first,
                   most->second);
}

Message barrierClue(const PlaceOnShow& place) {
    const std::optional<std::map<u32, u32>> times = barriersByLine(place);
    if (!times) return {};
    std::vector<Message> once, again;
    for (const auto& [line, count] : *times)
        (count > 1 ? again : once).push_back(Message::plain(std::to_string(line)));
    if (times->empty()) return english("This warp passes no barrier.");
    if (again.empty())
        return Message(english("This warp passes {1:a barrier at line|barriers at lines} {0}."), listed(once),
                       once.size());
    Message repeated(
        english("Each time around its loop this warp passes {1:a barrier at line|barriers at lines} {0}."),
        listed(again), again.size());
    if (once.empty()) return repeated;
    return joined(std::move(repeated),
                  Message(english("At {1:line|lines} {0} it passes one once."), listed(once), once.size()));
}

Message activityOfLane(const PlaceOnShow& place, Lane lane) {
    if (place.active().has(lane)) return Message(english("Lane {0} is active here."), lane.value);
    const ptx::Module& module = *place.run->module;
    const std::vector<explain::InactiveLanes> off =
        explain::inactiveLanes(module, place.warp(), place.cursor.step, LaneMask::of(lane));
    if (off.empty()) return Message(english("Lane {0} is inactive here."), lane.value);
    return Message(english("Lane {0} is inactive here ({1})."), lane.value, inBoth([&](Language language) {
                       return explain::whyInWords(module, off.front(), language);
                   }));
}

Message decisionClue(const PlaceOnShow& place) {
    const LaneMask off =
        LaneMask::firstLanes(explain::lanesOf(*place.here.block, place.cursor.warp)) & ~place.active();
    for (const explain::InactiveLanes& some :
         explain::inactiveLanes(*place.run->module, place.warp(), place.cursor.step, off))
        if (some.at != kNoPc)
            return Message(english("Which lanes come here is decided by the branch at line {0}."),
                           explain::lineOf(*place.run->module, some.at).line);
    return {};
}

Message laneClue(const PlaceOnShow& place) {
    const LaneMask off =
        LaneMask::firstLanes(explain::lanesOf(*place.here.block, place.cursor.warp)) & ~place.active();
    return off.empty() ? Message() : activityOfLane(place, off.lowest());
}

}  // namespace lockstep::lessons
