// The global access at the cursor on the address ruler, and what the memory moves for it under the rules of one device, or of
// three side by side where there is room: area is bytes.
#include "viz/views/views.h"

#include <algorithm>

#include "model/global_sectors.h"
#include "viz/lookup.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stage/request_picture.h"

namespace lockstep::viz {
namespace {

using namespace message;

const Words& ruleOf(const model::Profile& profile) {
    switch (profile.globalRule) {
        case model::GlobalRule::InOrder: return kRuleInOrder;
        case model::GlobalRule::Segments: return kRuleSegments;
        case model::GlobalRule::Sectors: break;
    }
    return profile.cachedLoadsFetchLines ? kRuleLines : kRuleSectors;
}

void drawColumn(const RequestPicture& c, const Rect& area, u64 largest) {
    Canvas& canvas = c.canvas;
    const Language l = c.in.language;
    const std::string source = c.profile.measured ? say(l, kMeasuredOn, c.profile.card) : std::string(kDocumented.in(l));
    const TextStyle sourceStyle{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    const f32 titleWide = canvas.textWithin({area.x, area.y + 14}, area.width, say(l, kCapability, c.profile.major, c.profile.minor), {.size = type::kName, .bold = true});
    if (canvas.width(source, sourceStyle) < area.width - titleWide - 12) canvas.text({area.right(), area.y + 15}, source, sourceStyle);
    const bool low = area.height < 330;  // the rule's sentence, the segments and the bar give way
    if (!low) canvas.textWithin({area.x, area.y + 38}, area.width, ruleOf(c.profile).in(l), {.size = type::kBody, .role = role(RoleKind::TextSecond)});
    const f32 room = area.height - 50, picture = low ? std::max(54.0f, area.height - 130) : std::clamp(room * 0.34f, 76.0f, 220.0f), footer = low ? 36 : 92;
    f32 y = drawLanesAndRuler(c, area.y + (low ? 28 : 52), picture);
    if (!low) y = drawSegments(c, y);
    drawItems(c, y + 8, area.bottom() - footer);
    // The figure: what was moved and how much of it was used, the bar to the same scale in all columns.
    const u64 moved = movedBytes(c.cost), used = std::min(usedBytes(c.access), moved);
    const std::string percent = moved == 0 ? "0" : used == moved ? "100" : fmt::format("{:.1f}", 100.0 * f64(used) / f64(moved));
    const f32 fy = area.bottom() - (low ? 14 : 62);
    const TextStyle percentStyle{.size = type::kName, .bold = true, .align = Align::Right};
    const std::string share = say(l, kUsed, percent);
    const f32 shareWide = canvas.width(share, percentStyle);
    canvas.textWithin({area.x, fy}, area.width - shareWide - 12, figureOf(c), {.size = area.width > 400 && !low ? type::kFigure : type::kName, .bold = true});
    canvas.text({area.right(), fy + (low ? 0 : 2)}, share, percentStyle);
    if (low) return;
    const f32 scale = largest ? area.width / f32(largest) : 0;
    canvas.rect({area.x, fy + 22, std::max(1.0f, f32(moved) * scale), 12}, {.fill = role(RoleKind::Wasted)});
    canvas.rect({area.x, fy + 22, std::max(1.0f, f32(used) * scale), 12}, {.fill = warpRole(c.in.cursor.warp)});
    canvas.textWithin({area.x, fy + 48}, area.width, say(l, kMoved, grouped(moved), grouped(used)), {.size = type::kBody, .role = role(RoleKind::TextSecond)});
}

// One chip a device; a click chooses its rules. Returns the height used.
f32 drawChoice(Canvas& canvas, const ViewInput& in, const Rect& body) {
    f32 x = body.x + space::kInset, y = body.y + 8;
    for (const model::Profile& profile : model::profiles()) {
        const bool on = profile.name == in.profile.name;
        const std::string text = fmt::format("{}.{}", profile.major, profile.minor);
        const TextStyle style{.size = type::kCode, .bold = on, .mono = true, .align = Align::Centre, .role = on ? inkOn(role(RoleKind::TextSecond)) : role(RoleKind::TextSecond)};
        const f32 wide = canvas.width(text, style) + 12;
        if (x + wide > body.right() - space::kInset) x = body.x + space::kInset, y += 28;
        canvas.rect({x, y, wide, 24}, {.fill = role(on ? RoleKind::TextSecond : RoleKind::Raised), .radius = radius::kControl});
        canvas.text({x + wide / 2, y + 12}, text, style);
        canvas.hit({x, y, wide, 24}, {.hover = say(in.language, kRulesOf, profile.major, profile.minor), .profile = profile.name});
        x += wide + 4;
    }
    return y + 32 - body.y;
}

}  // namespace

Scene buildSectors(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, kSectorsTitle, why);
    const auto wanted = [](const trace::StoredAccess& a) { return a.space == trace::Space::Global && !a.active.empty(); };
    if (!here.access || !wanted(*here.access)) {
        const auto next = nearestAccess(here, in.cursor, wanted);
        const bool off = here.access && here.access->space == trace::Space::Global;
        return emptyScene(in, kSectorsTitle, off ? say(in.language, kNoActiveLane) : next ? say(in.language, kNoGlobalAccess) : say(in.language, kNoGlobalAccessAtAll, in.cursor.warp.value), next,
                          next ? say(in.language, kGoToStep, next->step + 1) : "");
    }
    if (in.size.width < 280 || in.size.height < 200) return emptyScene(in, kSectorsTitle, say(in.language, kTooSmall));
    Canvas canvas(in.size, in.metrics);
    Rect body = head(canvas, in, kSectorsTitle.in(in.language), placeText(in, here));
    const f32 used = drawChoice(canvas, in, body);
    body = {body.x, body.y + used, body.width, body.height - used};

    const trace::WarpAccess access = here.warp->unpack(*here.access);
    std::vector<const model::Profile*> profiles{&in.profile};
    if (body.width >= 1080)  // room for the oldest rules, the relaxed ones, and the chosen
        for (const char* name : {"cc12", "cc10"})
            if (const model::Profile* old = model::findProfile(name); old && old->name != in.profile.name) profiles.insert(profiles.begin(), old);
    std::vector<model::GlobalCost> costs;
    u64 largest = 0;
    for (const model::Profile* profile : profiles) {
        costs.push_back(model::globalCost(access, *profile));
        largest = std::max(largest, movedBytes(costs.back()));
    }
    const f32 pitch = body.width / f32(profiles.size());
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        const Rect area{body.x + f32(i) * pitch + space::kInset, body.y + 8, pitch - 2 * space::kInset, body.height - 12};
        const Ruler ruler = makeRuler(access, costs, area);
        drawColumn({in, here, canvas, access, *profiles[i], costs[i], ruler, lanesOf(*here.block, in.cursor.warp)}, area, largest);
        if (i) canvas.line({body.x + f32(i) * pitch, body.y + 8}, {body.x + f32(i) * pitch, body.bottom() - 8}, {role(RoleKind::Line)});
    }
    const model::GlobalCost& cost = costs.back();
    const RequestPicture last{in, here, canvas, access, in.profile, cost, {}, 0};
    const u64 moved = movedBytes(cost), wantedBytes = std::min(usedBytes(access), moved);
    Scene scene = std::move(canvas).take(say(in.language, kSectorsSentence, in.cursor.warp.value, verbOf(access.kind).in(in.language), wantedBytes, access.active.count(), moved, figureOf(last), moved ? (200 * wantedBytes + moved) / (2 * moved) : 0));
    scene.animating = in.motion < 1;
    return scene;
}

}  // namespace lockstep::viz
