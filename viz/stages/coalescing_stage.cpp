// Draws the coalescing stage.
#include "viz/stages/coalescing_stage.h"

#include "base/device_addresses.h"
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/sentence.h"
#include "viz/cursor/presentation.h"
#include "viz/facts/explained_run.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/parts/nearby_access.h"
#include "viz/parts/request_picture.h"
#include "viz/phrases.h"

#include <algorithm>
#include <optional>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kNotTouched = english("This block does not access this part of {0}[].");
constexpr Words kWholeBufferBrief = english("All of {0}[]; marked: accessed by this block");

constexpr Words kKeyLaneToBytes = english("from lane to its bytes");
constexpr Words kKeyRequestAhead = english("the same, not yet issued");

constexpr f32 kTitle = 30;

// The request whose picture is drawn: the cursor's own, else the warp's next one, else its last.
struct Shown {
    u32 step = 0;
    bool ahead = false;  // the cursor has not come to it yet
    bool now = false;    // the cursor stands on it
};

std::optional<Shown> requestAt(const CursorContext& here, const Cursor& cursor) {
    const auto isRequest = [&](u32 step) {
        const u32 access = here.warp->steps[step].access;
        return access != trace::Step::kNone && here.warp->accesses[access].space == trace::Space::Global &&
               !here.warp->accesses[access].active.empty();
    };
    if (isRequest(cursor.step)) return Shown{cursor.step, false, true};
    for (u32 step = cursor.step + 1; step < here.warp->steps.size(); ++step)
        if (isRequest(step)) return Shown{step, true, false};
    for (u32 step = cursor.step; step-- > 0;)
        if (isRequest(step)) return Shown{step, false, false};
    return std::nullopt;
}

// One buffer from its first byte to its last as a bar: what the block has touched so far marked, the request
// in the warp's color. Each place of it leads to the block's nearest access there.
void drawWhole(const RequestPicture& p, const ViewInput& in, const trace::FocusBlock& block, u32 buffer,
               const Rect& bar, u32 order) {
    const Buffer& b = in.run.recording.initial[buffer];
    u64 bytes = info(b.type).bytes;
    for (const u64 extent : b.shape)
        bytes *= extent;
    if (bytes == 0) return;
    const u64 base = deviceAddressOf(buffer);
    const f32 pixels = bar.width / f32(bytes);
    p.canvas.rect(bar, {.fill = role(RoleKind::Inactive), .radius = 2});
    const auto mark = [&](u64 address, u32 width, Role role) {
        if (address < base || address >= base + bytes) return;
        p.canvas.rect(
            {bar.x + f32(address - base) * pixels, bar.y, std::max(1.0f, f32(width) * pixels), bar.height},
            {.fill = role});
    };
    // A pixel is drawn once: bytes that share it are not told apart.
    std::vector<char> touched(std::size_t(bar.width) + 1);
    std::vector<std::optional<u64>> reached(
        touched.size());  // an address there that the block touches sooner or later
    for (const trace::WarpTrace& warp : block.warps)
        for (const trace::Step& step : warp.steps) {
            if (step.access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[step.access];
            if (access.space != trace::Space::Global) continue;
            for (const Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                if (address < base || address >= base + bytes) continue;
                const std::size_t first = std::size_t(f32(address - base) * pixels),
                                  last = std::size_t(
                                      f32(std::min(address + access.widthBytes, base + bytes) - base) *
                                      pixels);
                for (std::size_t x = first;
                     x <= std::max(first, last - (last > first ? 1 : 0)) && x < touched.size(); ++x) {
                    if (step.order < order) touched[x] = 1;
                    if (!reached[x]) reached[x] = address;
                }
            }
        }
    for (std::size_t x = 0; x < touched.size();) {
        std::size_t end = x;
        while (end < touched.size() && touched[end])
            ++end;
        if (end > x)
            p.canvas.rect({bar.x + f32(x), bar.y, std::min(f32(end - x), bar.width - f32(x)), bar.height},
                          {.fill = role(RoleKind::TextSecond)});
        x = std::max(end, x + 1);
    }
    const auto accesses = accessesOfBlock(in);
    const explain::TypeLayout vectors = elementLayout(in.run, in.cursor.launch, buffer);
    p.canvas.hit(bar, {.hover = say(in.language, kNotTouched, b.name)});
    for (std::size_t x = 0; x < reached.size(); ++x) {
        if (!reached[x] || (x > 0 && reached[x] == reached[x - 1])) continue;
        std::size_t end = x + 1;
        while (end < reached.size() && reached[end] == reached[x])
            ++end;
        const u64 element = (*reached[x] - base) / info(b.type).bytes;
        p.canvas.hit({bar.x + f32(x), bar.y, std::min(f32(end - x), bar.width - f32(x)), bar.height},
                     linkTo(in, *accesses, trace::Space::Global, base + element * info(b.type).bytes, order,
                            explain::nameOfBufferBytes(b, s64(element * info(b.type).bytes),
                                                       info(b.type).bytes, vectors)));
    }
    for (const Lane lane : p.shown.access.active)
        mark(p.shown.access.addresses[lane.value], p.shown.access.widthBytes, p.shown.color(lane));
}

// What the device transfers.
const Words& keyOfItem(const ViewInput& in, const model::GlobalCost& cost) {
    if (in.profile.globalRule != model::GlobalRule::Sectors) return kKeySegment;
    return cost.countsSectors ? kKeySector : kKeyLine;
}

void drawKeys(Canvas& canvas, const ViewInput& in, const model::GlobalCost& cost, bool isStore, Point at) {
    const Role mine = warpRole(in.cursor.warp);
    const KeyRow rows[] = {
        {[mine](Canvas& c, Point p) {
             c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2});
         },
         say(in.language, isStore ? kKeyLaneBytesStored : kKeyLaneBytes)},
        {[](Canvas& c, Point p) {
             c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::TextSecond), .radius = 2});
         },
         say(in.language, keyOfItem(in, cost))},
        {[](Canvas& c, Point p) {
             c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2});
         },
         say(in.language, isStore ? kKeyNotWritten : kKeyUnused)},
        {[mine](Canvas& c, Point p) {
             c.line({p.x - 8, p.y}, {p.x + 8, p.y}, {mine});
         },
         say(in.language, kKeyLaneToBytes)},
        {[mine](Canvas& c, Point p) {
             c.line({p.x - 8, p.y}, {p.x + 8, p.y}, {mine, 1, Dash::Sparse});
         },
         say(in.language, kKeyRequestAhead)},
        {[](Canvas& c, Point p) {
             cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3);
         },
         say(in.language, kKeyCursor)}};
    keyRow(canvas, at, in.size.width - 2 * space::kInset, drawnOf(canvas, rows));
}

}  // namespace

std::optional<Scene> buildCoalescingStage(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    const std::optional<Shown> shown = requestAt(here, in.cursor);
    if (!shown) return std::nullopt;
    if (in.size.width < 280 || in.size.height < 200)
        return emptyScene(in, kStageTitle, say(in.language, kTooSmall));
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, kStageTitle.in(in.language), placeText(in, here));
    const trace::StoredAccess& stored = here.warp->accesses[here.warp->steps[shown->step].access];
    const trace::WarpAccess access = here.warp->unpack(stored);
    const model::GlobalCost cost = model::globalCost(access, in.profile);
    const Language l = in.language;
    const bool isPresented = in.isPresented;
    const std::optional<u32> buffer = bufferOfAddress(access.addresses[access.active.lowest().value]);
    const std::string name = buffer && *buffer < in.run.recording.initial.size()
                                 ? in.run.recording.initial[*buffer].name
                                 : std::string();

    // Pictures of requests share the cursor's motion; one that the cursor does not stand on is still.
    ViewInput still = in;
    if (!shown->now) still.motion = 1;
    still.cursor.step = shown->step;
    const CursorContext there = lookUp(in.run, still.cursor);
    const Rect area{body.x + space::kInset, body.y + 8, body.width - 2 * space::kInset,
                    body.height - (isPresented ? 0 : keyStrip(in.size.width)) - 12};
    const std::vector<model::GlobalCost> costs{cost};
    const AccessOnShow onShow = accessOnShow(still, there);
    const Ruler ruler = makeRuler(onShow, costs, area);
    const RequestPicture picture{canvas, onShow, in.profile, cost, ruler, shown->ahead};

    const std::string what = say(l, kRequestOf, in.cursor.warp.value, verbOf(access.kind).in(l), name);
    const f32 wide =
        canvas.textWithin({area.x, area.y + 12}, area.width, what, {.size = type::kName, .bold = true});
    const std::string when =
        shown->now ? std::string() : say(l, shown->ahead ? kRequestAhead : kRequestBehind, shown->step + 1);
    const TextStyle note{.size = type::kBody, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    if (!when.empty() && canvas.width(when, note) < area.width - wide - 16) {
        canvas.text({area.right(), area.y + 13}, when, note);
        Cursor go = in.cursor;
        go.step = shown->step;
        canvas.hit({area.right() - canvas.width(when, note), area.y, canvas.width(when, note), 24},
                   {.hover = say(l, kGoToStep, shown->step + 1), .go = go});
    }
    const bool low = area.height < 300;
    const f32 picturesEnd = area.bottom() - (low ? 40 : 110);
    f32 y = drawLanesAndRuler(picture, area.y + kTitle,
                              std::clamp((picturesEnd - area.y) * 0.45f, 70.0f, 280.0f));
    if (!low) y = drawSegments(picture, y);
    y = drawItems(picture, y + 8, picturesEnd) + 34;

    const u64 moved = movedBytes(cost), used = std::min(usedBytes(access), moved);
    const f32 figures = std::min(area.bottom() - (low ? 14 : 76), y + 10);
    const bool isStore = access.kind == trace::AccessKind::Store;
    const std::string share = say(l, isStore ? kWritten : kUsed, percentOf(used, moved, 1));
    const TextStyle big{.size = low ? type::kName : type::kFigure, .bold = true};
    TextStyle right = big;
    right.size = type::kName, right.align = Align::Right;
    const f32 costRoom = area.width - canvas.width(share, right) - 12;
    const std::string itemsText = figureOf(cost, in.profile, l);
    const std::string costText = firstFitting(
        canvas, costRoom, {.size = type::kAxis, .bold = true},
        {itemsText + " · " + say(l, isStore ? kStoredOf : kMoved, grouped(moved), grouped(used)), itemsText});
    canvas.textWithin(
        {area.x, figures}, costRoom, costText,
        shrunkToFit(canvas, costRoom, {.size = low ? type::kBody : type::kName, .bold = true}, costText));
    canvas.text({area.right(), figures}, share, right);
    if (!low && !name.empty()) {
        const TextStyle second{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        canvas.textWithin({area.x, figures + 30}, area.width,
                          firstFitting(canvas, area.width, second,
                                       {say(l, kWholeBuffer, name), say(l, kWholeBufferBrief, name)}),
                          second);
        drawWhole(picture, in, *here.block, *buffer, {area.x, figures + 40, area.width, 14},
                  here.step->order);
    }
    if (!isPresented)
        drawKeys(canvas, in, cost, access.kind == trace::AccessKind::Store,
                 {body.x + space::kInset, body.bottom() - keyStrip(in.size.width) / 2});
    std::string said = explain::sentenceAt(*in.run.module, in.run.recording, *here.block, in.cursor.warp,
                                           in.cursor.step, in.profile, arrayShapes(in.run, in.cursor.launch))
                           .in(l);
    if (!shown->now) said += pictureIsOf(l, shown->step, shown->ahead);
    Scene scene = std::move(canvas).take(std::move(said));
    scene.animating = shown->now && in.motion < 1;
    return scene;
}

}  // namespace lockstep::viz
