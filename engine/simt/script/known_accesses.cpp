#include "simt/script/known_accesses.h"

#include "simt/script/script.h"

#include <algorithm>

namespace lockstep::simt {

// Are the steps of this block counted when the launch ends?
bool KnownAccesses::defers(Group& group) {
    const auto known = std::ranges::find(group.repeats, u8(group.by), &Group::Repeats::by);
    if (known != group.repeats.end()) {
        ++known->blocks;
        return true;
    }
    group.repeats.push_back({u8(group.by), 0});
    return false;
}

void KnownAccesses::begin(std::span<const u64> scalars, const Observers& observers) {
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
        group.memory = group.site.host + by;
        const bool isReady = isKnown && group.isInside;
        group.isCounted = observers.counter && !(isReady && defers(group));
        const bool isQuiet =
            isReady && group.direct != Direct::No && !group.isCounted && !observers.requests &&
            (!observers.globalShadow || observers.globalShadow->skipsLoad(group.site.allocation));
        group.now = isQuiet ? group.direct : Direct::No;
    }
}

u32 KnownAccesses::learn(const BlockMemory::WarpSite& site, const MemoryOperation& operation, u32 scalar,
                         u64 place) {
    const bool isWords = operation.kind == trace::AccessKind::Load && site.rows;
    const Direct direct = !isWords                                                ? Direct::No
                          : operation.elementBytes == 4 && site.isRun             ? Direct::Row
                          : operation.elementBytes == 4 && !site.shape->knownBits ? Direct::Same
                                                                                  : Direct::Rows;
    const auto isThis = [&](const Group& group) {
        return group.scalar == scalar && group.site.shape == site.shape &&
               group.site.pattern == site.pattern && group.site.allocation == site.allocation &&
               group.site.misaligned == site.misaligned;
    };
    auto group = std::ranges::find_if(groups_, isThis);
    if (group == groups_.end()) {
        group = groups_.emplace(groups_.end());
        group->site = site;
        group->scalar = scalar;
        group->elementBytes = operation.elementBytes;
        group->direct = direct;
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
