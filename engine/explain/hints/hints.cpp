#include "explain/hints/hints.h"

#include "base/check.h"
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/quantities.h"
#include "explain/hints/hint_rules.h"
#include "model/occupancy/bounds.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

// What another resource takes at least, so many times as long as the one that the excess takes, hides it.
constexpr f64 kHides = 2;

void limit(Hint& hint, std::string_view resource, const model::Bounds& bounds) {
    const model::Bound* binding = bounds.binding();
    const auto own = std::ranges::find(bounds.all, resource, &model::Bound::resource);
    if (own == bounds.all.end() || binding->resource == resource ||
        binding->leastMs() < kHides * own->leastMs())
        return;
    hint.boundBy = binding->resource;
    hint.bound =
        Message(english("It costs little here: {0} bounds the kernel, with at least {1} times the time "
                        "of {2}."),
                model::resourceName(binding->resource), threeDigits(binding->leastMs() / own->leastMs()),
                model::resourceName(own->resource));
}

Message scaleOf(const model::Bounds& bounds, const model::Profile& profile) {
    if (!bounds.binding() || !bounds.launchMs ||
        bounds.binding()->leastMs() >= bounds.launches * *bounds.launchMs)
        return {};
    return Message(english("At this size none of it shows: on the {0} an empty kernel takes longer than the "
                           "lower bound of all that this one does. The shares tell what will cost at larger "
                           "sizes."),
                   profile.card);
}

}  // namespace

Hints hintsOf(const ptx::Module& module, const trace::Recording& recording, const model::Report& report,
              const std::optional<model::CacheCounts>& caches, const model::Profile& profile) {
    Hints hints;
    if (!recording.complete || recording.counts.empty()) return hints;
    const RecordedAccesses recorded(module, recording, profile);
    const HintInput in{module, recording, report, profile, recorded};
    const std::optional<model::Bounds> bounds = model::boundsOf(module, recording, report, caches, profile);
    for (const HintRule& rule : hintRules())
        for (Hint& hint : rule.find(in)) {
            if (hint.excess == 0 || hint.share() < rule.leastShare) continue;
            hint.rule = rule.name;
            if (bounds && !rule.resource.empty()) limit(hint, rule.resource, *bounds);
            hints.all.push_back(std::move(hint));
        }
    std::ranges::stable_sort(hints.all, [](const Hint& a, const Hint& b) {
        return std::pair(a.boundBy.empty(), a.share()) > std::pair(b.boundBy.empty(), b.share());
    });
    if (bounds && !hints.all.empty()) hints.scale = scaleOf(*bounds, profile);
    return hints;
}

RuleSum sumOf(std::string_view name, const ptx::Module& module, const trace::Recording& recording,
              const model::Report& report, const model::Profile& profile) {
    const HintRule* rule = findHintRule(name);
    RuleSum sum;
    if (!rule) return sum;
    const RecordedAccesses recorded(module, recording, profile);
    for (const Hint& hint : rule->find({module, recording, report, profile, recorded}))
        sum.excess += hint.excess, sum.total = hint.total;
    return sum;
}

Message shareText(const Hint& hint) {
    const std::string share = percentOf(hint.excess, hint.total);
    switch (hint.unit) {
        case HintUnit::Lanes: return Message(english("{0}% of the lanes do not exist."), share);
        case HintUnit::Threads: return Message(english("{0}% of the threads are idle."), share);
        case HintUnit::Multiprocessors: return Message(english("{0}% of the SMs are idle."), share);
        case HintUnit::Bytes: return Message(english("{0}% of it is unused."), share);
        case HintUnit::Wavefronts: return Message(english("{0}% of all wavefronts could be saved."), share);
        case HintUnit::Sectors:
            return Message(hint.ofRecorded
                               ? english("{0}% of all sectors of the recorded blocks could be saved.")
                               : english("{0}% of all sectors could be saved."),
                           share);
        case HintUnit::Transactions:
            return Message(hint.ofRecorded
                               ? english("{0}% of all transactions of the recorded blocks could be saved.")
                               : english("{0}% of all transactions could be saved."),
                           share);
        case HintUnit::StoredSectors:
            return Message(english("{0}% of all stored sectors could be saved."), share);
        case HintUnit::IssueSlots:
            return Message(hint.ofRecorded
                               ? english("{0}% of all issue slots of the recorded blocks could be saved.")
                               : english("{0}% of all issue slots could be saved."),
                           share);
    }
    return {};
}

Message textOf(const Hint& hint) {
    Message text(english("two sentences", "{0} {1}"), hint.what, shareText(hint));
    if (!hint.bound.empty()) text = Message(english("two sentences", "{0} {1}"), text, hint.bound);
    return Message(english("two sentences", "{0} {1}"), text, hint.cure);
}

Message fixText(const Hint& hint) {
    CHECK(hint.fix, "only a hint with a fix says so");
    return Message(english("Compare with {0}: {1} in all, {2} here"), hint.fix->variant,
                   countOf(hint.unit, hint.fix->total), grouped(hint.fix->before));
}

}  // namespace lockstep::explain
