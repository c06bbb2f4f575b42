#include "viz/stage/device_columns.h"

#include <algorithm>
#include <utility>

#include "viz/messages.h"
#include "viz/stage/request_picture.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kRoomForThree = 1080;  // pixels
constexpr f32 kLeastColumn = 340, kLeastRow = 132;

const Words& ruleOf(const model::Profile& profile) {
    switch (profile.globalRule) {
        case model::GlobalRule::InOrder: return kRuleInOrder;
        case model::GlobalRule::Segments: return kRuleSegments;
        case model::GlobalRule::Sectors: break;
    }
    return profile.cachedLoadsFetchLines ? kRuleLines : kRuleSectors;
}

const TextStyle kRule{.size = type::kBody, .role = role(RoleKind::TextSecond)};
constexpr f32 kRuleLine = 18;

// ruleLines: of the longest rule in any column, so that all pictures begin at one height.
void drawColumn(const RequestPicture& c, const Rect& area, u64 largest, std::size_t ruleLines) {
    Canvas& canvas = c.canvas;
    const Language l = c.shown.language;
    const bool low = area.height < 330;       // the rule's sentence, the segments and the bar give way
    const bool lowest = area.height < 190;    // and the figure stands in the title's line
    const u64 moved = movedBytes(c.cost), used = std::min(usedBytes(c.shown.access), moved);
    const std::string percent = moved == 0 ? "0" : used == moved ? "100" : fmt::format("{:.1f}", 100.0 * f64(used) / f64(moved));
    const std::string share = say(l, kUsed, percent), figure = figureOf(c.cost, c.profile, l);
    const std::string note = lowest ? figure + " · " + share : c.profile.measured ? say(l, kMeasuredOn, c.profile.card) : std::string(kDocumented.in(l));
    const TextStyle noteStyle{.size = lowest ? type::kTitle : type::kCode, .bold = lowest, .align = Align::Right, .role = role(lowest ? RoleKind::Text : RoleKind::TextSecond)};
    const f32 noteWide = std::min(canvas.width(note, noteStyle), area.width * 0.62f);
    const f32 titleWide = canvas.textWithin({area.x, area.y + 14}, lowest ? area.width - noteWide - 12 : area.width, say(l, kCapability, c.profile.major, c.profile.minor), {.size = lowest ? type::kTitle : type::kName, .bold = true});
    if (lowest || noteWide < area.width - titleWide - 12) canvas.textWithin({area.right(), area.y + 15}, noteWide, note, noteStyle);
    if (!low) {
        f32 y = area.y + 38;
        for (const std::string& line : canvas.wrap(ruleOf(c.profile).in(l), area.width, kRule)) canvas.text({area.x, std::exchange(y, y + kRuleLine)}, line, kRule);
    }
    const f32 head = low ? 28 : 52 + kRuleLine * f32(ruleLines - 1), room = area.height - head + 2, picture = lowest ? std::max(54.0f, area.height - 54) : low ? std::max(54.0f, area.height - 130) : std::clamp(room * 0.34f, 76.0f, 220.0f), footer = lowest ? 0 : low ? 36 : 92;
    f32 y = drawLanesAndRuler(c, area.y + head, picture);
    if (!low) y = drawSegments(c, y);
    drawItems(c, y + (lowest ? 4 : 8), area.bottom() - footer);
    if (lowest) return;
    // The figure: what was moved and how much of it was used, the bar to the same scale in all columns.
    const f32 fy = area.bottom() - (low ? 14 : 62);
    const TextStyle percentStyle{.size = type::kName, .bold = true, .align = Align::Right};
    const f32 shareWide = canvas.width(share, percentStyle);
    canvas.textWithin({area.x, fy}, area.width - shareWide - 12, figure, {.size = area.width > 400 && !low ? type::kFigure : type::kName, .bold = true});
    canvas.text({area.right(), fy + (low ? 0 : 2)}, share, percentStyle);
    if (low) return;
    const u64 leastBytes = c.profile.globalRule == model::GlobalRule::Sectors ? (used + model::kSectorBytes - 1) / model::kSectorBytes * model::kSectorBytes : moved;
    const f32 scale = largest ? area.width / f32(largest) : 0;
    canvas.rect({area.x, fy + 22, std::max(1.0f, f32(moved) * scale), 12}, {.fill = role(RoleKind::Wasted)});
    canvas.rect({area.x, fy + 22, std::max(1.0f, f32(used) * scale), 12}, {.fill = warpRole(c.shown.warp)});
    canvas.textWithin({area.x, fy + 48}, area.width, moved > leastBytes ? say(l, kMovedAndLeast, grouped(moved), grouped(used), grouped(leastBytes)) : say(l, kMoved, grouped(moved), grouped(used)), {.size = type::kBody, .role = role(RoleKind::TextSecond)});
}

// The names that a click on this device sets, in the order in which they were chosen.
std::vector<std::string> namesAfterClick(const ViewInput& in, const Devices& shown, const model::Profile& clicked) {
    std::vector<std::string> names;
    for (const model::Profile* device : in.devices.empty() ? shown : in.devices) names.push_back(device->name);
    if (const auto found = std::ranges::find(names, clicked.name); found != names.end()) {
        if (names.size() > 1) names.erase(found);
        return names;
    }
    if (names.size() >= kMostDevices) names.erase(names.begin());
    names.push_back(clicked.name);
    return names;
}

bool isOlder(const model::Profile* a, const model::Profile* b) { return std::pair(a->major, a->minor) < std::pair(b->major, b->minor); }

}  // namespace

Devices devicesOnShow(const ViewInput& in, f32 width) {
    Devices shown = in.devices;
    if (shown.empty()) {
        shown = {&in.profile};
        if (width >= kRoomForThree)
            for (const char* name : {"cc10", "cc12"})
                if (const model::Profile* old = model::findProfile(name); old && old->name != in.profile.name) shown.push_back(old);
    }
    if (shown.size() > kMostDevices) shown.erase(shown.begin(), shown.end() - std::ptrdiff_t(kMostDevices));
    std::ranges::stable_sort(shown, isOlder);
    return shown;
}

f32 drawDeviceChoice(Canvas& canvas, const ViewInput& in, const Devices& shown, const Rect& area) {
    f32 x = area.x, y = area.y;
    const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    if (const f32 wide = canvas.width(kSideBySide.in(in.language), label); wide < area.width * 0.3f) x += 12 + canvas.text({x, y + 12}, std::string(kSideBySide.in(in.language)), label);
    const f32 first = x;
    for (const model::Profile& profile : model::profiles()) {
        if (!profile.mode.empty()) continue;  // modes are of shared memory
        const bool on = std::ranges::any_of(shown, [&](const model::Profile* device) { return device->name == profile.name; });
        const std::string text = fmt::format("{}.{}", profile.major, profile.minor);
        const TextStyle style{.size = type::kCode, .bold = on, .mono = true, .align = Align::Centre, .role = on ? inkOn(role(RoleKind::TextSecond)) : role(RoleKind::TextSecond)};
        const f32 wide = canvas.width(text, style) + 12;
        if (x + wide > area.right() && x > first) x = area.x, y += 28;
        canvas.rect({x, y, wide, 24}, {.fill = role(on ? RoleKind::TextSecond : RoleKind::Raised), .radius = radius::kControl});
        canvas.text({x + wide / 2, y + 12}, text, style);
        const Words& does = on ? (shown.size() > 1 ? kTakeAway : kLastOne) : shown.size() < kMostDevices ? kPutBeside : kPutBesideInstead;
        canvas.hit({x, y, wide, 24}, {.hover = say(in.language, does, profile.major, profile.minor), .devices = namesAfterClick(in, shown, profile)});
        x += wide + 4;
    }
    return y + 24 - area.y;
}

std::vector<model::GlobalCost> drawDeviceColumns(Canvas& canvas, const AccessOnShow& access, const Devices& devices, const Rect& area) {
    std::vector<model::GlobalCost> costs;
    u64 largest = 0;
    for (const model::Profile* device : devices) {
        costs.push_back(model::globalCost(access.access, *device));
        largest = std::max(largest, movedBytes(costs.back()));
    }
    const f32 count = f32(devices.size());
    const bool stacked = area.width / count < kLeastColumn && area.height / count >= kLeastRow;
    const f32 pitch = (stacked ? area.height : area.width) / count;
    std::size_t ruleLines = 1;
    for (const model::Profile* device : devices)
        ruleLines = std::max(ruleLines, canvas.wrap(ruleOf(*device).in(access.language), (stacked ? area.width : pitch) - 2 * space::kInset, kRule).size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const f32 start = f32(i) * pitch;
        const Rect column = stacked ? Rect{area.x + space::kInset, area.y + start + 8, area.width - 2 * space::kInset, pitch - 12}
                                    : Rect{area.x + start + space::kInset, area.y + 8, pitch - 2 * space::kInset, area.height - 12};
        const Ruler ruler = makeRuler(access, costs, column);
        drawColumn({canvas, access, *devices[i], costs[i], ruler}, column, largest, ruleLines);
        if (i && stacked) canvas.line({area.x + space::kInset, area.y + start}, {area.right() - space::kInset, area.y + start}, {role(RoleKind::Line)});
        if (i && !stacked) canvas.line({area.x + start, area.y + 8}, {area.x + start, area.bottom() - 8}, {role(RoleKind::Line)});
    }
    return costs;
}

}  // namespace lockstep::viz
