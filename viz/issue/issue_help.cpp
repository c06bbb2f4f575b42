#include "viz/issue/issue_help.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "time/model/time_profile.h"
#include "viz/issues_on_show.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <array>

namespace lockstep::viz {
namespace {

using sass::Opcode;
using time::Change;
using time::Stall;

constexpr Words
    kSaves = english("{0}: {1}% less time"),
    kOfLaunch =
        english("Of the launch's {0} modeled cycles ({1}) {2} lie before and behind the work of all SMs."),
    kWithinError = english("no change saves more than the model's error"),
    kLargest = english("The largest saving in the model: {0}, {1}% less time."),
    kNothing = english("no change saves more than 1%"), kMostWaited = english("most waited for: {0}"),
    kInCycles =
        english("In {0} of the sub-core's {1} cycles no warp issues and its warps wait mostly for: {2}."),
    kOtherCause = english("Another cause: \u201c{0}\u201d saves {1}%."),
    kNoChange = english("Another cause, which no change in the model is about."),
    kAllHidden = english("some warp issues in nearly every cycle");

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
                kStores = english("What usually helps: fewer stores, wider ones, or coalesced ones.");

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

// What is behind most of the sub-core's waits for this reason: an atomic, a store, or neither.
enum class Behind : u8 { Other, Store, Atomic };
Behind behindMost(const IssueDrawing& d, Stall reason) {
    std::array<u64, 3> cycles{};
    for (const time::WarpRecord& warp : d.sm().warps) {
        if (warp.subcore != d.subcore) continue;
        for (const time::WaitRecord& wait : warp.waits) {
            if (wait.reason != reason) continue;
            const bool isOfIssue = reason == Stall::LongScoreboard && wait.issue < warp.issues.size();
            const run::TimedInstruction& instruction =
                d.issues->code[isOfIssue ? warp.issues[wait.issue].instruction : wait.instruction];
            const bool isAtomic = instruction.code == Opcode::Atomg || instruction.code == Opcode::Redg;
            const Behind behind = isAtomic              ? Behind::Atomic
                                  : instruction.isStore ? Behind::Store
                                                        : Behind::Other;
            cycles[std::size_t(behind)] += wait.end - wait.begin;
        }
    }
    return Behind(std::ranges::max_element(cycles) - cycles.begin());
}

const Words& usuallyHelps(const IssueDrawing& d, Stall reason) {
    if (reason == Stall::LongScoreboard || reason == Stall::LgThrottle) switch (behindMost(d, reason)) {
            case Behind::Atomic: return kAtomics;
            case Behind::Store: return kStores;
            case Behind::Other: break;
        }
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
        if (!changed.why && changed.row->change == about->change)
            return say(l, kOtherCause, say(l, changed.row->title),
                       percentText(std::max(0.0, changes.saved(changed))));
    return say(l, kNoChange);
}

}  // namespace

IssueHelp helpOf(const IssueDrawing& d, std::span<const Waited> exposed) {
    const Language l = d.in.language;
    IssueHelp help;
    const run::ChangedTimes* const changes = changesOf(d);
    const run::ChangedTime* const best = changes ? bestOf(*changes) : nullptr;
    const f64 saved = best ? changes->saved(*best) : 0;
    const bool helps = saved > kWorthSaying,
               isWithin = helps && 100 * saved <= d.issues->errorPercent.value_or(0);
    if (helps) {
        const std::string title = say(l, best->row->title), percent = percentText(saved);
        help.main = isWithin ? say(l, kWithinError) : say(l, kSaves, title, percent);
        if (isWithin) help.lines.push_back(say(l, kLargest, title, percent));
        if (!isWithin)
            help.lines.push_back(say(l, kHelpsLike[std::size_t(best->row - time::kChanges.data())]));
        if (const time::TimeProfile* times = time::timeProfileOf(d.in.run.profile))
            help.lines.push_back(say(l, kOfLaunch, grouped(changes->elapsedCycles), d.issues->errorBrief,
                                     grouped(times->launchCycles)));
    } else if (best) {
        help.main = say(l, kNothing);
    }
    if (exposed.empty()) {
        if (help.main.empty()) help.main = say(l, kAllHidden);
        return help;
    }
    const Waited& most = exposed.front();
    std::string line =
        say(l, kInCycles, grouped(most.cycles), grouped(endOf(d.sm())), reasonName(most.reason));
    if (help.main.empty()) {
        help.main = say(l, kMostWaited, reasonName(most.reason));
        help.lines = {line, say(l, usuallyHelps(d, most.reason))};
        return help;
    }
    if (const std::string other =
            helps && !isWithin ? otherCause(d, *changes, *best, most.reason) : std::string();
        !other.empty())
        line += sentenceGap(l) + other;
    help.lines.push_back(line);
    return help;
}

}  // namespace lockstep::viz
