#include "viz/cursor/links.h"

#include "base/text/words.h"
#include "explain/cursor/navigation.h"
#include "explain/findings/finding_places.h"
#include "viz/cursor/lookup.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

using Kind = catalog::LinkTarget::Kind;

constexpr Words kGoThere = english("Go to step {0} of warp {1}");
constexpr Words kOpenView = english("Open the {0} view");
constexpr Words kRunVariant = english("Run the variant {0}");

// The line of the variant's own .cu, which is the first file of the module.
std::optional<u32> stepOnLine(const run::Run& run, const trace::WarpTrace& warp, u32 line, u32 from) {
    for (u32 step = from; step < warp.steps.size(); ++step)
        if (explain::lineOf(*run.module, warp.steps[step].pc).line == line) return step;
    return std::nullopt;
}

explain::Stride strideOf(std::string_view event) {
    if (event == "divergence") return explain::Stride::Divergence;
    if (event == "conflict") return explain::Stride::Conflict;
    if (event == "finding") return explain::Stride::Finding;
    return explain::Stride::Phase;
}

std::optional<Cursor> inWarp(const run::Run& run, const model::Profile& profile, const Cursor& cursor,
                             const catalog::LinkTarget& target) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.warp || here.warp->steps.empty()) return std::nullopt;
    Cursor to = cursor;
    switch (target.kind) {
        case Kind::Line: {
            std::optional<u32> step = stepOnLine(run, *here.warp, target.number, cursor.step);
            if (!step) step = stepOnLine(run, *here.warp, target.number, 0);
            if (!step) return std::nullopt;
            to.step = *step;
            return to;
        }
        case Kind::Phase:
            if (here.warp->barrierSteps.size() < target.number) return std::nullopt;
            return explain::startOfPhase(run, cursor, target.number);
        case Kind::Next: {
            const explain::Stride stride = strideOf(target.name);
            if (const std::optional<Cursor> next = explain::forward(run, profile, cursor, stride))
                return next;
            return explain::forward(run, profile, explain::toStart(run, cursor), stride);
        }
        default: return std::nullopt;
    }
}

std::optional<Cursor> inAnyWarp(const run::Run& run, const model::Profile& profile,
                                const catalog::LinkTarget& target) {
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        for (u32 warp = 0; warp < block.warps.size(); ++warp) {
            const Cursor start{
                .launch = block.launch, .block = block.block, .warp = Warp{warp}, .lane = Lane{0}, .step = 0};
            if (const std::optional<Cursor> there = inWarp(run, profile, start, target)) return there;
        }
    return std::nullopt;
}

}  // namespace

std::optional<Cursor> LinkPlaces::of(const run::Run& run, const model::Profile& profile, const Cursor& cursor,
                                     const catalog::LinkTarget& target) {
    if (target.kind == Kind::Next && target.name == "finding" && run.recording.findings.empty())
        return std::nullopt;
    if (const std::optional<Cursor> here = inWarp(run, profile, cursor, target)) return here;
    const auto known = std::ranges::find_if(elsewhere_, [&](const Elsewhere& one) {
        return one.profile == profile.name && one.target == target;
    });
    if (known != elsewhere_.end()) return known->place;
    return elsewhere_.emplace_back(profile.name, target, inAnyWarp(run, profile, target)).place;
}

std::optional<Hit> hitOf(const ViewInput& in, const catalog::LinkTarget& target, LinkPlaces& places) {
    switch (target.kind) {
        case Kind::View: {
            const ViewRow* view = findView(target.name);
            if (!view) return std::nullopt;
            return Hit{.hover = say(in.language, kOpenView, view->title.in(in.language)),
                       .view = target.name};
        }
        case Kind::Variant:
            return Hit{.hover = say(in.language, kRunVariant, target.name), .variant = target.name};
        case Kind::Term: return std::nullopt;  // the glossary marks its own terms
        default: break;
    }
    const std::optional<Cursor> place = places.of(in.run, in.profile, in.cursor, target);
    if (!place) return std::nullopt;
    return Hit{.hover = say(in.language, kGoThere, place->step + 1, place->warp.value), .go = place};
}

}  // namespace lockstep::viz
