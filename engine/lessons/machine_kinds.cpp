// Be the machine: put lanes into wavefronts, pick sectors, part a warp's lanes into paths, carry out a round
// of a reduction. Whatever obeys the rules is right: the order in which hardware does these things is not
// documented.
#include "explain/inactive_lanes/paths.h"
#include "explain/source/source_line.h"
#include "lessons/answer_text.h"
#include "lessons/divergence_quantities.h"
#include "lessons/kinds.h"
#include "lessons/reduction_quantities.h"
#include "lessons/wavefront_partition.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"

#include <algorithm>
#include <map>

namespace lockstep::lessons {
namespace {

constexpr Words kWavefronts =
    english("the lanes of each wavefront, with | between them, as 0-15 | 16-31; in any order");
constexpr Words kSectors =
    english("the numbers of the sectors, counted from 0 at the start of the array, as 0-3, 8");
constexpr Words kPaths = english("the lanes of each path, with | between them, as 0-7 | 8-31; in any order");
constexpr Words kRound =
    english("the new values in ascending order of their places, with blanks between them");

// All in one, halves, quarters, each alone.
std::vector<std::string> usualGroupsOf(LaneMask active) {
    std::vector<LaneMask> single, halves{{0x0000ffffu}, {0xffff0000u}}, quarters;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        single.push_back(LaneMask::of(Lane{lane}));
    for (u32 first = 0; first < kWarpSize; first += 8)
        quarters.push_back({0xffu << first});
    std::vector<std::string> all;
    for (const std::vector<LaneMask>& groups :
         {std::vector<LaneMask>{LaneMask::all()}, halves, quarters, single}) {
        std::vector<LaneMask> of;
        for (const LaneMask group : groups)
            if (const LaneMask lanes = group & active; !lanes.empty()) of.push_back(lanes);
        all.push_back(textOf(of));
    }
    return all;
}

std::vector<std::string> usualWavefronts(const AskedStep& asked) {
    return usualGroupsOf(asked.on().active());
}

// The groups in the order of their lowest lanes.
std::string plainGroups(std::vector<LaneMask> groups) {
    std::ranges::sort(groups, {}, [](LaneMask lanes) { return lanes.lowest().value; });
    return textOf(groups);
}

Expected<const trace::WarpAccess*> accessIn(const AskedStep& asked, trace::Space space) {
    const PlaceOnShow& on = asked.on();
    if (on.access && on.access->space == space && !on.access->active.empty()) return &*on.access;
    return fail(FaultKind::Usage, Message(english("the step is no access to {0} memory with active lanes"),
                                          trace::nameOf(space)));
}

Expected<std::string> truthOfWavefronts(const AskedStep& asked) {
    const auto access = accessIn(asked, trace::Space::Shared);
    if (!access) return Unexpected{access.error()};
    const auto groups = leastPartition(**access, asked.on().run->profile);
    if (!groups) return Unexpected{groups.error()};
    return textOf(*groups);
}

LaneMask allOf(const std::vector<LaneMask>& groups) {
    LaneMask all;
    for (const LaneMask group : groups)
        all = all | group;
    return all;
}

// Lanes that have no group yet; empty: all have one. Groups that are not made yet are no mistake.
Message lanesLeft(LaneMask left) {
    if (left.empty()) return {};
    return Message(english("{0} {0:lane is|lanes are} in no group yet."), left.count());
}

Expected<Judged> judgeWavefronts(const AskedStep& asked, std::string_view answer) {
    const auto access = accessIn(asked, trace::Space::Shared);
    if (!access) return Unexpected{access.error()};
    const Expected<std::vector<LaneMask>> groups = groupsIn(answer);
    if (!groups || groups->empty()) return unreadable(kWavefronts);
    if (Message left = lanesLeft((*access)->active & ~allOf(*groups)); !left.empty())
        return unfinished(std::move(left));
    const Message fault = partitionFault(**access, asked.on().run->profile, *groups);
    Judged judged = fault.empty() ? right(plainGroups(*groups)) : wrong(plainGroups(*groups), fault);
    judged.answer = judged.count = s64(groups->size());
    return judged;
}

Expected<std::string> truthOfSectors(const AskedStep& asked) {
    const auto access = accessIn(asked, trace::Space::Global);
    if (!access) return Unexpected{access.error()};
    std::string text;
    for (const TouchedSector& sector : touchedSectors(asked.on()))
        text += (text.empty() ? "" : ", ") + std::to_string(sector.number);
    return text;
}

Expected<Judged> judgeSectors(const AskedStep& asked, std::string_view answer) {
    const auto access = accessIn(asked, trace::Space::Global);
    if (!access) return Unexpected{access.error()};
    Expected<std::vector<s64>> given = listIn(answer, kMostSectors);
    if (!given) return unreadable(kSectors);
    std::ranges::sort(*given);
    given->erase(std::ranges::unique(*given).begin(), given->end());
    std::map<s64, LaneMask> touched;
    for (const TouchedSector& sector : touchedSectors(asked.on()))
        touched.emplace(sector.number, sector.lanes);
    std::string plain;
    Message reason;
    for (const s64 number : *given) {
        plain += std::to_string(number) + " ";
        if (!touched.contains(number) && reason.empty())
            reason =
                Message(english("No lane touches sector {0}, which holds bytes {1} to {2} of the array."),
                        number, number * model::kSectorBytes, (number + 1) * model::kSectorBytes - 1);
    }
    const auto isMissing = [&](const auto& sector) {
        return !std::ranges::binary_search(*given, sector.first);
    };
    if (const auto missing = std::ranges::find_if(touched, isMissing); missing != touched.end())
        reason = joined(std::move(reason),
                        Message(english("{0} {0:sector is|sectors are} missing: lane {1} touches one that "
                                        "is not in your answer."),
                                std::ranges::count_if(touched, isMissing), missing->second.lowest().value));
    Judged judged = reason.empty() ? right(plain) : wrong(plain, reason);
    judged.answer = judged.count = s64(given->size());
    return judged;
}

std::vector<std::string> usualSectors(const AskedStep& asked) {
    std::vector<std::string> all{"0-31", "0", "0-3"};
    const std::vector<TouchedSector> touched = touchedSectors(asked.on());
    if (!touched.empty()) {
        all.push_back(std::to_string(touched.front().number));
        all.push_back(std::to_string(touched.back().number + 1));
    }
    return all;
}

Expected<std::vector<LaneMask>> pathsOf(const AskedStep& asked) {
    const std::optional<explain::Parting> parting = partingAt(asked.on());
    if (!parting) return fail(FaultKind::Usage, english("the warp does not diverge from this step on"));
    return parting->groups;
}
std::vector<std::string> usualPaths(const AskedStep& asked) {
    LaneMask whole;
    if (const Expected<std::vector<LaneMask>> paths = pathsOf(asked))
        for (const LaneMask path : *paths)
            whole = whole | path;
    return usualGroupsOf(whole);
}
Expected<std::string> truthOfPaths(const AskedStep& asked) {
    const Expected<std::vector<LaneMask>> paths = pathsOf(asked);
    return paths ? Expected<std::string>(textOf(*paths)) : Unexpected{paths.error()};
}

// The path of each lane; lanes of no path have none.
std::map<u32, std::size_t> pathByLane(const std::vector<LaneMask>& paths) {
    std::map<u32, std::size_t> all;
    for (std::size_t path = 0; path < paths.size(); ++path)
        for (const Lane lane : paths[path])
            all.emplace(lane.value, path);
    return all;
}

Message faultOfPaths(const PlaceOnShow& place, const std::vector<LaneMask>& given,
                     const std::vector<LaneMask>& paths) {
    LaneMask seen;
    const LaneMask whole = allOf(paths);
    for (const LaneMask group : given) {
        if (const LaneMask twice = group & seen; !twice.empty())
            return Message(english("Lane {0} is on one path only."), twice.lowest().value);
        seen = seen | group;
        if (const LaneMask extra = group & ~whole; !extra.empty())
            return Message(english("Lane {0} does not come to this branch."), extra.lowest().value);
    }
    const std::map<u32, std::size_t> now = pathByLane(given), truth = pathByLane(paths);
    for (const auto& [a, pathOfA] : truth)
        for (const auto& [b, pathOfB] : truth) {
            if (a >= b || !now.contains(a) || !now.contains(b)) continue;
            if (now.at(a) == now.at(b) && pathOfA != pathOfB) {
                const u32 line = lineOfParting(place, Lane{a}, Lane{b});
                return line ? Message(english("Lanes {0} and {1} take different paths at line {2}."), a, b,
                                      line)
                            : Message(english("Lanes {0} and {1} take different paths."), a, b);
            }
            if (now.at(a) != now.at(b) && pathOfA == pathOfB)
                return Message(
                    english("Lanes {0} and {1} execute the same instructions: they are on one path."), a, b);
        }
    return {};
}

Expected<Judged> judgePaths(const AskedStep& asked, std::string_view answer) {
    const Expected<std::vector<LaneMask>> paths = pathsOf(asked);
    if (!paths) return Unexpected{paths.error()};
    const Expected<std::vector<LaneMask>> groups = groupsIn(answer);
    if (!groups || groups->empty()) return unreadable(kPaths);
    const Message fault = faultOfPaths(asked.on(), *groups, *paths);
    Message left = lanesLeft(allOf(*paths) & ~allOf(*groups));
    const bool isUnfinished = !left.empty();
    if (isUnfinished && fault.empty()) return unfinished(std::move(left));
    Judged judged = fault.empty() ? right(plainGroups(*groups)) : wrong(plainGroups(*groups), fault);
    judged.isUnfinished = isUnfinished;
    judged.answer = judged.count = s64(groups->size());
    return judged;
}

constexpr Words
    kAdds = english("{0}: lane {1} of warp {2} adds the value of {3}, which is {4}."),
    kCombines =
        english("{0}: lane {1} of warp {2} combines what stands there with the value of {3}, which is {4}."),
    // The other value is the answer.
    kTakes = english("{0}: lane {1} of warp {2} combines what stands there with the value of {3}.");

Message howItIsMade(const explain::ReductionFacts& facts, const explain::Addition& one) {
    const explain::Addend& other = one.from.back();
    const std::string to = facts.array.nameOf(one.to), from = facts.array.nameOf(other.place);
    if (other.value == one.sum) return Message(kTakes, to, one.lane.value, one.warp.value, from);
    return Message(facts.isSum ? kAdds : kCombines, to, one.lane.value, one.warp.value, from,
                   s64(other.value));
}

std::string sumsOf(const std::vector<explain::Addition>& additions, s64 more = 0) {
    std::string text;
    for (const explain::Addition& one : additions)
        text += (text.empty() ? "" : " ") + std::to_string(s64(one.sum) + more);
    return text;
}

Expected<std::string> truthOfRound(const AskedStep& asked) {
    const auto additions = additionsOf(asked.on());
    return additions ? Expected<std::string>(sumsOf(*additions)) : Unexpected{additions.error()};
}

// "sdata[0] = 126, sdata[32] = 130", in any order: the values in ascending order of the places. None: it is
// not written so, or names other places.
std::optional<std::vector<s64>> valuesByName(const explain::ReductionFacts& facts,
                                             const std::vector<explain::Addition>& additions,
                                             std::string_view answer) {
    std::map<std::string, s64> given;
    std::string plain = plainAnswer(answer);
    std::erase(plain, ' ');
    for (std::size_t from = 0; from < plain.size();) {
        const std::size_t equals = plain.find('=', from), end = std::min(plain.find(',', from), plain.size());
        if (equals > end) return {};
        const std::optional<s64> value =
            numberIn(std::string_view(plain).substr(equals + 1, end - equals - 1));
        if (!value || !given.emplace(plain.substr(from, equals - from), *value).second) return {};
        from = end + 1;
    }
    std::vector<s64> values;
    for (const explain::Addition& one : additions)
        if (const auto found = given.find(facts.array.nameOf(one.to)); found != given.end())
            values.push_back(found->second);
    if (values.empty() || values.size() != given.size()) return {};
    return values;
}

bool haveSameValues(std::vector<s64> given, const std::vector<explain::Addition>& additions) {
    std::vector<s64> sums;
    for (const explain::Addition& one : additions)
        sums.push_back(s64(one.sum));
    std::ranges::sort(sums);
    std::ranges::sort(given);
    return given == sums;
}

Expected<Judged> judgeRound(const AskedStep& asked, std::string_view answer) {
    const auto additions = additionsOf(asked.on());
    if (!additions) return Unexpected{additions.error()};
    const auto facts = reductionAt(asked.on());
    std::optional<std::vector<s64>> given = numbersIn(answer);
    if (!given) given = valuesByName(*facts, *additions, answer);
    if (!given || given->empty()) return unreadable(kRound);
    std::string plain;
    for (const s64 sum : *given)
        plain += std::to_string(sum) + " ";
    Judged judged = right(plain);
    judged.count = s64(given->size());
    if (given->size() != additions->size()) {
        judged.verdict = Verdict::Wrong;
        judged.reason =
            Message(english("{0} {0:place|places} of {2} {0:gets|get} a new value in this round, not {1}."),
                    additions->size(), given->size(), facts->array.name);
        return judged;
    }
    for (std::size_t i = 0; i < given->size(); ++i)
        if (const explain::Addition& one = (*additions)[i]; s64(one.sum) != (*given)[i]) {
            judged.verdict = Verdict::Wrong;
            judged.reason =
                haveSameValues(*given, *additions)
                    ? Message(english("The values are right, but not their order: the places ascend, and "
                                      "the value of {0} comes first."),
                              facts->array.nameOf(additions->front().to))
                    : howItIsMade(*facts, one);
            break;
        }
    return judged;
}

std::vector<std::string> usualRounds(const AskedStep& asked) {
    std::vector<std::string> all{"0"};
    if (const auto additions = additionsOf(asked.on())) {
        all.push_back(sumsOf(*additions, 1));
        all.push_back(sumsOf(*additions) + " 0");
    }
    return all;
}

}  // namespace

std::vector<QuestionKind> machineKinds() {
    return {
        {"wavefronts", kWavefronts, {}, truthOfWavefronts, judgeWavefronts, nullptr, usualWavefronts},
        {"sectors", kSectors, {}, truthOfSectors, judgeSectors, nullptr, usualSectors},
        {"paths", kPaths, {}, truthOfPaths, judgePaths, nullptr, usualPaths},
        {"round", kRound, {}, truthOfRound, judgeRound, nullptr, usualRounds},
    };
}

}  // namespace lockstep::lessons
