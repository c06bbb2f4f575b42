// The global access at the cursor on the address ruler, and what the memory moves for it under the rules of
// one to three devices.
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "viz/access/access_in_brief.h"
#include "viz/access/access_of_line.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/device_columns.h"
#include "viz/parts/nearby_access.h"
#include "viz/parts/request_picture.h"
#include "viz/parts/variant_row.h"
#include "viz/phrases.h"
#include "viz/views/views.h"

#include <algorithm>
#include <set>

namespace lockstep::viz {
namespace {

// Of a store, whose sectors may come from device memory for what it leaves.
constexpr Words kStoredSentence = english(
    "Warp {0} {1} {2} {2:byte|bytes} with {3} {3:lane|lanes}, in {5} ({4} {4:byte|bytes}): {6}% of these "
    "bytes are written.");

// Of an atomic whose lanes share words, on a device of which no count of their turns is known.
constexpr Words kOnDeviceOnce =
    english("Compute capability {0}.{1}: {2} (repeated updates of a word not counted).");

using namespace message;

constexpr f32 kRoomForVariants = 420;  // height that leaves the ruler and the rows below it theirs

bool sharesWord(const trace::WarpAccess& access) {
    std::set<u64> words;
    for (const Lane lane : access.active)
        if (!words.insert(access.addresses[lane.value]).second) return true;
    return false;
}

// What the other devices on show make of it.
std::string othersText(const ViewInput& in, const Devices& devices,
                       const std::vector<model::GlobalCost>& costs, const trace::WarpAccess& access) {
    const bool isAtomic = trace::isAtomic(access.kind), sharesWords = isAtomic && sharesWord(access);
    std::string text;
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i]->name != in.profile.name)
            text +=
                sentenceGap(in.language) +
                (isAtomic && !model::hasGlobalAtomics(*devices[i])
                     ? say(in.language, kNoAtomicsOn, devices[i]->major, devices[i]->minor)
                     : say(in.language, sharesWords && !costs[i].countsAccesses() ? kOnDeviceOnce : kOnDevice,
                           devices[i]->major, devices[i]->minor,
                           figureOf(costs[i], *devices[i], in.language)));
    return text;
}

std::string sentenceOf(const ViewInput& in, const trace::WarpAccess& access, const model::GlobalCost& cost,
                       u64 wantedBytes, u64 moved) {
    const u32 warp = in.cursor.warp.value, lanes = u32(access.active.count());
    if (trace::isAtomic(access.kind) && cost.countsSectors)
        return say(in.language, kAtomicSentence, warp, grouped(wantedBytes), lanes, cost.sectors,
                   cost.items.size());
    // A share that is no whole number has one decimal: 12.5%.
    const int decimals = moved > 0 && wantedBytes * 100 % moved == 0 ? 0 : 1;
    return say(in.language, access.kind == trace::AccessKind::Store ? kStoredSentence : kSectorsSentence,
               warp, verbOf(access.kind).in(in.language), grouped(wantedBytes), lanes, grouped(moved),
               figureOf(cost, in.profile, in.language), percentOf(wantedBytes, moved, decimals));
}

}  // namespace

Scene buildSectors(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, kSectorsTitle, why);
    const auto wanted = [](const trace::StoredAccess& a) {
        return a.space == trace::Space::Global && !a.active.empty();
    };
    if (!here.access || !wanted(*here.access)) {
        const auto nearby = accessNearby(here, in.cursor, wanted);
        const bool off = here.access && here.access->space == trace::Space::Global;
        if (nearby)
            return sceneNearby(in, here, *nearby, kSectorsTitle,
                               say(in.language, off ? kNoActiveLane : kNoGlobalAccess), buildSectors);
        return emptyScene(in, kSectorsTitle,
                          off ? say(in.language, kNoActiveLane)
                              : say(in.language, kNoGlobalAccessAtAll, in.cursor.warp.value));
    }
    if (in.size.width < 280 || in.size.height < 200)
        return emptyScene(in, kSectorsTitle, say(in.language, kTooSmall));
    Canvas canvas(in.size, in.metrics);
    Rect body = head(canvas, in, kSectorsTitle.in(in.language), placeText(in, here));
    const AccessOnShow shown = accessOnShow(in, here);
    const trace::WarpAccess& access = shown.access;
    if (body.height >= 380) {  // what was written, and what it asks for
        TextStyle right{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
        const std::string whole = accessText(in, access, exist), brief = accessTextInBrief(in, access, exist),
                          which = accessOfLineInBrief(in, here);
        const std::string asks =
            firstFitting(canvas, body.width * 0.6f, right,
                         {whole + accessOfLineText(in, here), whole + which, brief + which, whole, brief});
        right = shrunkToFit(canvas, body.width * 0.6f, right, asks);
        const f32 wide = std::min(canvas.width(asks, right), body.width * 0.6f);
        canvas.textWithin({body.right() - space::kInset, body.y + 20}, wide, asks, right);
        const TextStyle code{.size = type::kBody, .bold = true, .mono = true};
        const std::string_view text =
            explain::textOfLine(*in.run.module, explain::lineOf(*in.run.module, here.step->pc));
        const f32 room = body.width - wide - 2 * space::kInset - 16;
        canvas.textWithin(
            {body.x + space::kInset, body.y + 20}, room,
            explain::lineOrSide(text, trace::writes(access.kind), canvas.width(text, code) <= room), code);
        body = {body.x, body.y + 32, body.width, body.height - 32};
    }
    if (body.height >= kRoomForVariants) {
        const f32 row = drawVariantRow(
            canvas, in, {body.x + space::kInset, body.y + 2, body.width - 2 * space::kInset, body.height});
        if (row > 0) body = {body.x, body.y + row + 6, body.width, body.height - row - 6};
    }
    const Devices devices = devicesOnShow(in, body.width);
    const f32 used =
        drawDeviceChoice(canvas, in, devices,
                         {body.x + space::kInset, body.y + 8, body.width - 2 * space::kInset, body.height}) +
        16;
    body = {body.x, body.y + used, body.width, body.height - used};

    const std::vector<model::GlobalCost> costs = drawDeviceColumns(canvas, shown, devices, body);
    const model::GlobalCost cost = model::globalCost(access, in.profile);
    const u64 moved = movedBytes(cost), wantedBytes = std::min(usedBytes(access), moved);
    Scene scene = std::move(canvas).take(sentenceOf(in, access, cost, wantedBytes, moved) +
                                         othersText(in, devices, costs, access));
    scene.animating = in.motion < 1;
    return scene;
}

}  // namespace lockstep::viz
