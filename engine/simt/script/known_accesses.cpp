#include "simt/script/known_accesses.h"

#include "simt/script/script.h"

#include <algorithm>

namespace lockstep::simt {

void KnownAccesses::begin(std::span<const u64> scalars, bool mayDefer) {
    const bool isKnown = !isLearning();
    learned_ += !isKnown;
    for (Group& group : groups_) {
        const u64 by = scalars[group.scalar];
        const u64 least = group.least + by, most = group.most + by, span = group.site.span;
        group.isInside = least <= most && most <= span && !(by & group.site.misaligned);
        const u64 ahead = by - group.by;
        const bool isAheadInside = least + ahead <= most + ahead && most + ahead <= span;
        group.ahead = isAheadInside ? s64(ahead) : 0;
        group.by = by;
        group.isCounted = true;
        if (!mayDefer || !isKnown || !group.isInside) continue;
        const auto known = std::ranges::find(group.repeats, u8(by), &Group::Repeats::by);
        if (known == group.repeats.end()) {
            group.repeats.push_back({u8(by), 0});
        } else {
            ++known->blocks;
            group.isCounted = false;
        }
    }
}

u32 KnownAccesses::learn(const BlockMemory::WarpSite& site, u32 scalar, u64 place) {
    const auto isThis = [&](const Group& group) {
        return group.scalar == scalar && group.site.shape == site.shape && group.site.pattern == site.pattern &&
               group.site.allocation == site.allocation && group.site.misaligned == site.misaligned;
    };
    auto group = std::ranges::find_if(groups_, isThis);
    if (group == groups_.end()) {
        group = groups_.emplace(groups_.end());
        group->site = site;
        group->scalar = scalar;
    }
    group->least = std::min(group->least, place);
    group->most = std::max(group->most, place);
    return u32(group - groups_.begin());
}

void KnownAccesses::settle(std::span<const ScriptStep> steps, trace::PatternCounter& counter) {
    std::vector<std::array<u64, 256>> places(groups_.size());
    for (const ScriptStep& step : steps)
        if (step.kind == ScriptStep::Kind::AccessAt && step.group != kUnknown)
            ++places[step.group][u8(groups_[step.group].site.first + step.place)];
    for (std::size_t i = 0; i < groups_.size(); ++i)
        for (Group::Repeats& repeats : groups_[i].repeats) {
            for (u32 place = 0; place < places[i].size() && repeats.blocks; ++place)
                if (const u64 times = places[i][place])
                    counter.count(groups_[i].site.pattern, u64{place} + repeats.by, times * repeats.blocks);
            repeats.blocks = 0;
        }
}

}  // namespace lockstep::simt
