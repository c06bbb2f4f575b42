#include "viz/issue/issue_help.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "time/model/time_profile.h"
#include "viz/issues_on_show.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <ranges>

namespace lockstep::viz {
namespace {

using sass::Opcode;
using time::Change;
using time::Stall;

constexpr Words
    kSaves = english("with \u201c{0}\u201d: {1}% less time"),
    kOfLaunch = english(
        "It saves {0} of the launch's {1} modeled cycles ({2}), of which its start and its end take {3}."),
    kWithinError = english("no change saves more than the model's error"),
    kLargest = english("The largest saving in the model: \u201c{0}\u201d, {1}% less time."),
    kNothing = english("no change saves more than 1%"), kMostWaited = english("most waited for: {0}"),
    kInCycles = english(
        "Of the {0} cycles in which this sub-core has warps, none issues in {1}. What most warps wait for "
        "then: {2}."),
    kReasonAndCycles = english("what is waited for, and in how many cycles", "{0} in {1}"),
    kOtherReasons = english("other reasons of waiting, and in how many cycles", "others in {0}"),
    kSavesMore = english("The change saves more than that, since other waits become shorter, too."),
    kMostlyValue = english("Most of these waits are for the value of {0}"),
    kMostlyStore = english("Most of these waits are for the store of {0}"),
    kMostlyAt = english("Most of these waits are at {0}"),
    kOtherCause = english("Another change is about that: \u201c{0}\u201d saves {1}%."),
    kNoChange = english("No change in the model is about that."),
    kAllHidden = english("some warp issues in nearly every cycle"),
    kFewWarps = english(
        "This sub-core has {0} {0:warp|warps} at a time, and room for {1}: while {0:it waits|they wait}, no "
        "other can issue.");

// What usually saves what the change saves; in the order of time::kChanges.
constexpr std::array<Words, time::kChanges.size()> kHelpsLike{
    english("What usually helps: padded rows or a swizzle, so that a warp's lanes use different banks."),
    english("What usually helps: neighboring lanes that access neighboring addresses."),
    english(
        "What usually helps: more warps, earlier loads, or values for reuse in shared memory or registers."),
    english("What usually helps: fewer barriers, or more blocks per SM."),
    english("What usually helps: fewer bytes, as by smaller types or values that are loaded only once."),
    english("What usually helps: fewer registers or less shared memory per block."),
    english(
        "What usually helps: less data in use at a time, so that blocks leave each other's in the cache."),
};
// Where no change was timed: in the order of time::Stall.
constexpr std::array<Words, time::kStalls> kUsuallyHelps{
    english("Enough warps are ready."),
    english("Enough warps are ready."),
    english("What usually helps: independent instructions in between, or more warps."),
    english("What usually helps: fewer branches, or more warps."),
    english("What usually helps: more work per launch. Code is slow when it runs for the first time."),
    english(
        "What usually helps: more warps, earlier loads, or values for reuse in shared memory or registers."),
    english("What usually helps: fewer bank conflicts, or other work before the value is used."),
    english("What usually helps: more work per launch. Parameters are slow when they are first read."),
    english("What usually helps: nothing in the source; the compiler chooses registers."),
    english("What usually helps: fewer instructions for this pipe."),
    english("What usually helps: fewer or wider accesses to shared memory, without bank conflicts."),
    english("What usually helps: fewer or wider accesses to global memory."),
    english("What usually helps: fewer barriers, or more blocks per SM."),
    english("What usually helps: fewer memory fences."),
    english("What usually helps: fewer or coalesced stores at the end."),
};
constexpr Words kAtomics = english(
                    "What usually helps: fewer atomics, as by sums of a block in shared memory first."),
                kStores = english("What usually helps: fewer stores, wider ones, or coalesced ones."),
                kFromDevice = english(
                    "What usually helps where values come from device memory: more warps, earlier loads, or "
                    "fewer bytes."),
                kFromL2 = english(
                    "What usually helps where values come from L2: reuse from shared memory or registers, or "
                    "more warps.");

// Which waits a change is about; the first change of a reason stands for it.
struct About {
    Change change;
    Stall reason;
};
constexpr std::array kAbout{
    About{Change::AllHits, Stall::LongScoreboard},
    About{Change::Coalesced, Stall::LgThrottle},
    About{Change::NoBankConflicts, Stall::MioThrottle},
    About{Change::NoBankConflicts, Stall::ShortScoreboard},
    About{Change::NoBarriers, Stall::Barrier},
    About{Change::Coalesced, Stall::LongScoreboard},
    About{Change::Coalesced, Stall::Drain},
    About{Change::TwiceTheBandwidth, Stall::LongScoreboard},
    About{Change::TwiceTheBandwidth, Stall::LgThrottle},
    About{Change::TwiceTheBandwidth, Stall::Drain},
};

constexpr f64 kWorthSaying = 0.01;

std::string percentText(f64 share) { return fmt::format("{:.{}f}", 100 * share, share < 0.1 ? 1 : 0); }

const run::ChangedTimes* changesOf(const IssueDrawing& d) {
    const IssuesOnShow* const shown = d.in.issues;
    return shown && shown->waits ? &shown->waits->changes : d.issues->changes ? &*d.issues->changes : nullptr;
}

const run::ChangedTime* bestOf(const run::ChangedTimes& changes) {
    const run::ChangedTime* best = nullptr;
    for (const run::ChangedTime& changed : changes.changes)
        if (!changed.why && (!best || changed.elapsedCycles < best->elapsedCycles)) best = &changed;
    return best;
}

// What the sub-core's waits for a reason are mostly about.
struct Behind {
    bool isAtomic = false, isStore = false;  // of what most of their cycles go to
    std::optional<time::MemoryLevel> level;  // that answers, where values are waited for
    std::string place;  // "line 13: ...", with its code; empty: none has half of the cycles
};

// The instruction that a warp which has ended waits for.
std::optional<u32> lastStore(const IssueDrawing& d, const time::WarpRecord& warp) {
    for (const time::IssueRecord& issue : std::views::reverse(warp.issues))
        if (d.issues->code[issue.instruction].isStore) return issue.instruction;
    return std::nullopt;
}

Behind behindMost(const IssueDrawing& d, Stall reason) {
    std::vector<u64> cyclesOf(d.issues->code.size());  // by instruction
    std::map<time::MemoryLevel, u64> levels;
    for (const time::WarpRecord& warp : d.sm().warps) {
        if (warp.subcore != d.subcore) continue;
        for (const time::WaitRecord& wait : warp.waits) {
            if (wait.reason != reason) continue;
            const u64 cycles = wait.end - wait.begin;
            const time::IssueRecord* const issue = broughtBy(warp, wait);
            const u32 instruction = issue                    ? issue->instruction
                                    : reason == Stall::Drain ? lastStore(d, warp).value_or(wait.instruction)
                                                             : wait.instruction;
            if (instruction < cyclesOf.size()) cyclesOf[instruction] += cycles;
            if (issue && issue->request != time::kNotRecorded)
                levels[d.sm().requests[issue->request].level] += cycles;
        }
    }
    struct Sum {
        u64 cycles = 0;
        u32 last = 0;  // of its instructions
    };
    std::map<std::string, Sum> places;
    u64 all = 0;
    for (u32 i = 0; i < cyclesOf.size(); ++i) {
        if (!cyclesOf[i]) continue;
        Sum& sum = places[d.sentences().place(i)];
        sum.cycles += cyclesOf[i], sum.last = i, all += cyclesOf[i];
    }
    Behind behind;
    const auto most = std::ranges::max_element(places, {}, [](const auto& at) { return at.second.cycles; });
    if (most == places.end()) return behind;
    const run::TimedInstruction& code = d.issues->code[most->second.last];
    behind.isAtomic = code.code == Opcode::Atomg || code.code == Opcode::Redg;
    behind.isStore = code.isStore;
    if (2 * most->second.cycles >= all) behind.place = d.sentences().placeWithCode(most->second.last);
    const auto level = std::ranges::max_element(levels, {}, [](const auto& at) { return at.second; });
    if (level != levels.end()) behind.level = level->first;
    return behind;
}

bool isLatency(Stall reason) {
    return reason == Stall::LongScoreboard || reason == Stall::ShortScoreboard || reason == Stall::Wait ||
           reason == Stall::BranchResolving;
}

// Too few warps: that is why none issues while they wait.
std::string fewWarps(const IssueDrawing& d, Stall reason) {
    constexpr u32 kFew = 2;
    const u32 warps = mostWarpsOf(d.sm(), d.subcore), fit = d.in.run.profile.warpsPerSm / kSubcores;
    if (!isLatency(reason) || warps > kFew || warps >= fit) return {};
    return say(d.in.language, kFewWarps, warps, fit);
}

const Words& usuallyHelps(Stall reason, const Behind& behind) {
    if (reason == Stall::LongScoreboard || reason == Stall::LgThrottle) {
        if (behind.isAtomic) return kAtomics;
        if (behind.isStore) return kStores;
    }
    if (reason == Stall::LongScoreboard && behind.level == time::MemoryLevel::Dram) return kFromDevice;
    if (reason == Stall::LongScoreboard && behind.level == time::MemoryLevel::L2) return kFromL2;
    return kUsuallyHelps[std::size_t(reason)];
}

// Why what is waited for most is not what the saving is about; empty: it is.
std::string otherCause(const IssueDrawing& d, const run::ChangedTimes& changes, const run::ChangedTime& best,
                       Stall reason) {
    const Language l = d.in.language;
    const auto isAboutIt = [&](const About& about) {
        return about.reason == reason && about.change == best.row->change;
    };
    if (best.row->isOfOccupancy || std::ranges::any_of(kAbout, isAboutIt)) return {};
    const auto about = std::ranges::find(kAbout, reason, &About::reason);
    if (about == kAbout.end()) return say(l, kNoChange);
    for (const run::ChangedTime& changed : changes.changes)
        if (!changed.why && changed.row->change == about->change && changes.saved(changed) > kWorthSaying)
            return say(l, kOtherCause, say(l, changed.row->title), percentText(changes.saved(changed)));
    return say(l, kNoChange);
}

// "long scoreboard (a value from memory) in 2,882, barrier in 1,020, others in 702".
std::string reasonsAndCycles(const IssueDrawing& d, std::span<const Waited> exposed, u64 idle) {
    constexpr std::size_t kTold = 2;
    const Language l = d.in.language;
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : comma(l)) + part; };
    u64 left = idle;
    for (const Waited& each : exposed.first(std::min(kTold, exposed.size()))) {
        add(say(l, kReasonAndCycles, reasonInWords(each.reason, l), grouped(each.cycles)));
        left -= std::min(left, each.cycles);
    }
    if (left > 0) add(say(l, kOtherReasons, grouped(left)));
    return text;
}

}  // namespace

IssueHelp helpOf(const IssueDrawing& d, std::span<const Waited> exposed, const Idle& idle) {
    const Language l = d.in.language;
    IssueHelp help;
    const run::ChangedTimes* const changes = changesOf(d);
    const run::ChangedTime* const best = changes ? bestOf(*changes) : nullptr;
    const f64 saved = best ? changes->saved(*best) : 0;
    const u64 savedCycles = best && saved > 0 ? changes->elapsedCycles - best->elapsedCycles : 0;
    const bool helps = saved > kWorthSaying,
               isWithin = helps && 100 * saved <= d.issues->errorPercent.value_or(0);
    const std::string title = best ? say(l, best->row->title) : std::string(), percent = percentText(saved);
    if (helps) {
        help.main = isWithin ? say(l, kWithinError) : say(l, kSaves, title, percent);
        if (isWithin) help.lines.push_back(say(l, kLargest, title, percent));
        if (const time::TimeProfile* times = time::timeProfileOf(d.in.run.profile))
            help.lines.push_back(say(l, kOfLaunch, grouped(savedCycles), grouped(changes->elapsedCycles),
                                     d.issues->errorBrief, grouped(times->launchCycles)));
    } else if (best) {
        help.main = say(l, kNothing);
    }
    if (exposed.empty()) {
        if (help.main.empty()) help.main = say(l, kAllHidden);
        return help;
    }
    const Waited& most = exposed.front();
    const Behind behind = behindMost(d, most.reason);
    const std::string other =
        helps && !isWithin ? otherCause(d, *changes, *best, most.reason) : std::string();
    // What usually saves what the change saves. That all loads hit is no change that a kernel can make: what
    // helps depends on where its values come from.
    if (helps && !isWithin) {
        const bool isOfHits = best->row->change == Change::AllHits && other.empty();
        help.lines.push_back(say(l, isOfHits ? usuallyHelps(most.reason, behind)
                                             : kHelpsLike[std::size_t(best->row - time::kChanges.data())]));
    }
    std::string line = say(l, kInCycles, grouped(endOf(d.sm()) - idle.withoutWarps), grouped(idle.cycles),
                           reasonsAndCycles(d, exposed, idle.cycles));
    if (!other.empty())
        line += sentenceGap(l) + other;
    else if (helps && !isWithin && savedCycles > most.cycles)
        line += sentenceGap(l) + say(l, kSavesMore);
    help.lines.push_back(std::move(line));
    if (!behind.place.empty())
        help.lines.push_back(
            say(l,
                most.reason == Stall::Drain                                                     ? kMostlyStore
                : most.reason == Stall::LongScoreboard || most.reason == Stall::ShortScoreboard ? kMostlyValue
                                                                                                : kMostlyAt,
                behind.place));
    if (std::string few = fewWarps(d, most.reason); !few.empty()) help.lines.push_back(std::move(few));
    if (help.main.empty()) {
        help.main = say(l, kMostWaited, reasonName(most.reason));
        help.lines.push_back(say(l, usuallyHelps(most.reason, behind)));
    }
    return help;
}

}  // namespace lockstep::viz
