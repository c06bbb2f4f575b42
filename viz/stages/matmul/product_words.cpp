#include "viz/stages/matmul/product_words.h"

#include "explain/access/warp_steps.h"
#include "viz/cursor/lookup.h"
#include "viz/messages.h"
#include "viz/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::viz {

using namespace message;
using explain::Activity;

namespace {

constexpr Words kThreadOfNoUse = english("Thread {0} has no element to store: {1} is out of bounds.");
constexpr Words kLastAccess = english("last request: step {0}, {1}");
constexpr Words kNextIs = english("next: {0}");
constexpr Words kKeep = english("Warp {0} stores its {1} {1:element|elements} of {2} to {3}.");
constexpr Words kKeepForAll = english(
    "Warp {0} stores its {1} {1:element|elements} of {2} to {3}; after the next barrier the whole block can "
    "use "
    "{1:it|them}.");
constexpr Words kPictureOf = english(" The picture shows the last request: step {0}, {1}.");

// "load from M"
std::string doingName(const ProductMoment& moment, const explain::Doing& doing, Language l) {
    const std::string& operand = doing.onN ? moment.n : moment.m;
    switch (doing.activity) {
        case Activity::SetUp: return say(l, kDoingSetUp);
        case Activity::Load: return say(l, kDoingLoad, operand);
        case Activity::Keep: return say(l, moment.tiles > 1 ? kDoingKeep : kDoingKeepPart, operand);
        case Activity::Multiply: return say(l, kDoingMultiply);
        case Activity::Result: break;
    }
    return say(l, kDoingResult, moment.p);
}

// Whether the warp comes to a barrier before it loads anything that this step of it stores.
bool barrierComesFirst(const trace::WarpTrace& warp, u32 step) {
    const auto barrier = std::ranges::lower_bound(warp.barrierSteps, step);
    const trace::StoredAccess* stored = explain::accessOf(warp, step);
    if (barrier == warp.barrierSteps.end() || !stored) return false;
    std::set<u64> places;
    for (const Lane lane : stored->active)
        for (u32 byte = 0; byte < stored->widthBytes; ++byte)
            places.insert(warp.address(*stored, lane) + byte);
    for (u32 s = step + 1; s < *barrier; ++s) {
        const trace::StoredAccess* access = explain::accessOf(warp, s);
        if (!access || access->space != trace::Space::Shared || access->kind != trace::AccessKind::Load)
            continue;
        for (const Lane lane : access->active)
            for (u32 byte = 0; byte < access->widthBytes; ++byte)
                if (places.contains(warp.address(*access, lane) + byte)) return false;
    }
    return true;
}

}  // namespace

std::string keepSentence(const ViewInput& in, const trace::WarpTrace& warp, u32 step, u32 elements,
                         const std::string& matrix, const std::string& tile) {
    return say(in.language, barrierComesFirst(warp, step) ? kKeepForAll : kKeep, in.cursor.warp.value,
               elements, matrix, tile);
}

const Words& ownershipOf(const explain::MatmulFacts& facts, explain::CellIndex element) {
    if (facts.p.contains(element)) return kThreadOwns;
    const bool isShared = u64(element.row) < facts.p.rows || u64(element.column) < facts.p.columns;
    return facts.tiled() && isShared ? kThreadOwnsNothing : kThreadOfNoUse;
}

std::string cellName(const explain::Matrix& m, explain::CellIndex c) {
    return fmt::format("{}[{}][{}]", m.name, c.row, c.column);
}

std::string threadName(const ViewInput& in, Warp warp, Lane lane) {
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    return coordinates(explain::threadOf(launch, warp, lane), launch.block);
}

std::string pictureOf(const ProductMoment& moment, Language l) {
    return say(l, kPictureOf, *moment.lastAccess + 1, doingName(moment, moment.doing, l));
}

std::string productCaption(const ViewInput& in, const ProductMoment& moment) {
    const Language l = in.language;
    std::string text = say(l, kBlock, coordinates(in.cursor.block, launchOf(in.run, in.cursor.launch).grid));
    if (moment.tiles > 1 && moment.tile < moment.tiles)
        text += " · " + say(l, kTileOf, moment.tile + 1, moment.tiles);
    const std::string doing = doingName(moment, moment.doing, l);
    if (!moment.lastAccess) return text + " · " + doing;
    text += " · " + say(l, kLastAccess, *moment.lastAccess + 1, doing);
    return moment.next ? text + " · " + say(l, kNextIs, doingName(moment, *moment.next, l)) : text;
}

}  // namespace lockstep::viz
