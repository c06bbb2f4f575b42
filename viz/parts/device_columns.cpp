#include "viz/parts/device_columns.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "model/profiles/card_names.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"
#include "viz/parts/request_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kWholeBar =
    english("The whole bar: {0} {0:byte|bytes}, the most that any device shown transfers for this request.");
constexpr f32 kRoomForThree = 1080;  // pixels
constexpr f32 kLeastColumn = 150, kLeastRow = 132;
constexpr Words kCapabilityBrief = english("cc {0}.{1}");
// Of the rules, where a column has no room for all their words.
constexpr Words kInOrderBrief = english("lane k takes word k, or alone");
constexpr Words kNarrowNotInOrder =
    english("By half-warps: only 4, 8 or 16 bytes per lane are coalesced, so each lane is served alone.");
constexpr Words kNarrowNotInOrderBrief = english("1 or 2 bytes per lane: each alone");
constexpr Words kSegmentsBrief = english("segments of {0} {0:byte|bytes} or less");
constexpr Words kSegmentsOf = english(
    "By half-warps, in any order: at {1} {1:byte|bytes} per lane one transaction per segment of {0} "
    "{0:byte|bytes}{2}.");
constexpr Words kHalvedWhileIdle = english(", halved while one half is unused, down to 32 bytes");
constexpr Words kSectorsBrief = english("distinct sectors of 32 bytes");
constexpr Words kLinesBrief = english("distinct lines of 128 bytes");
// Compute capability 2.0 to 5.2: wide words go in parts, each a request of its own.
constexpr Words kSectorsInParts = english(
    "{0} {0:lane|lanes} at a time, in any order: each sector of 32 bytes is transferred once for them.");
constexpr Words kLinesInParts =
    english("{0} {0:lane|lanes} at a time, in any order: the distinct lines of 128 bytes.");
constexpr Words kSectorsInPartsBrief = english("distinct sectors of {0} {0:lane|lanes}");
constexpr Words kLinesInPartsBrief = english("distinct lines of {0} {0:lane|lanes}");
constexpr Words kMeasured = english("measured");

bool isNarrow(u32 widthBytes) { return widthBytes < 4; }

// Of accesses of this width.
// countsSectors: of this kind of access, for loads that L1 does not cache and stores move sectors where other
// loads move lines.
std::string ruleOf(const model::Profile& profile, u32 widthBytes, bool countsSectors, Language language) {
    switch (profile.globalRule) {
        case model::GlobalRule::InOrder:
            return say(language, isNarrow(widthBytes) ? kNarrowNotInOrder : kRuleInOrder);
        case model::GlobalRule::Segments: {
            const u32 bytes = model::segmentBytes(widthBytes);
            if (!isNarrow(widthBytes)) return say(language, kRuleSegments);
            return say(language, kSegmentsOf, bytes, widthBytes,
                       bytes > model::kSectorBytes ? kHalvedWhileIdle.in(language) : std::string_view());
        }
        case model::GlobalRule::Sectors: break;
    }
    if (const u32 lanes = profile.globalGroups.of(widthBytes); lanes < kWarpSize)
        return say(language, countsSectors ? kSectorsInParts : kLinesInParts, lanes);
    return say(language, countsSectors ? kRuleSectors : kRuleLines);
}

std::string ruleInBrief(const model::Profile& profile, u32 widthBytes, bool countsSectors,
                        Language language) {
    switch (profile.globalRule) {
        case model::GlobalRule::InOrder:
            return say(language, isNarrow(widthBytes) ? kNarrowNotInOrderBrief : kInOrderBrief);
        case model::GlobalRule::Segments:
            return say(language, kSegmentsBrief, model::segmentBytes(widthBytes));
        case model::GlobalRule::Sectors: break;
    }
    if (const u32 lanes = profile.globalGroups.of(widthBytes); lanes < kWarpSize)
        return say(language, countsSectors ? kSectorsInPartsBrief : kLinesInPartsBrief, lanes);
    return say(language, countsSectors ? kSectorsBrief : kLinesBrief);
}

constexpr Words kCardsOf = english("GPUs with it: {0}.");
constexpr Words kCardsWithChip = english("GPUs with it: {0} (chip {1}).");  // of the first capabilities

// What hovers add: " GPUs with it: G80, GeForce 8800 GTX."
std::string cardsText(const model::Profile& profile, Language language) {
    const std::span<const std::string> cards = model::cardsOf(profile);
    if (cards.empty()) return "";
    const bool hasChip = profile.major == 1 && cards.size() > 1;  // before the cards
    const std::string names = fmt::format("{}", fmt::join(cards.subspan(hasChip), listComma(language)));
    return fullStop(language) + sentenceGap(language) +
           (hasChip ? say(language, kCardsWithChip, names, cards.front()) : say(language, kCardsOf, names));
}

const TextStyle kRule{.size = type::kBody, .role = role(RoleKind::TextSecond)};
constexpr f32 kTextLine = 18;

std::string shareOf(const RequestPicture& c) {
    const u64 moved = movedBytes(c.cost), used = std::min(usedBytes(c.shown.access), moved);
    const bool isStore = c.shown.access.kind == trace::AccessKind::Store;
    return say(c.shown.language, isStore ? kWritten : kUsed, percentOf(used, moved, 1));
}

std::string movedText(const RequestPicture& c, bool inBrief) {
    const u64 moved = movedBytes(c.cost), used = std::min(usedBytes(c.shown.access), moved);
    const u64 piece = c.cost.countsSectors ? model::kSectorBytes : model::kLineBytes;
    const u64 least =
        c.profile.globalRule == model::GlobalRule::Sectors ? (used + piece - 1) / piece * piece : moved;
    const bool isStore = c.shown.access.kind == trace::AccessKind::Store;
    // Lanes of an atomic that want the same word go to it in turn, wherever it lies.
    return moved > least && !inBrief && !trace::isAtomic(c.shown.access.kind)
               ? say(c.shown.language, isStore ? kStoredAndLeast : kMovedAndLeast, grouped(moved),
                     grouped(used), grouped(least))
               : say(c.shown.language, isStore ? kStoredOf : kMoved, grouped(moved), grouped(used));
}

// Which parts a column has, and how high: the same in all columns, so that they can be compared. Parts come
// in the order in which they are worth their room.
struct Plan {
    bool figureInTitle = false;  // the figure stands in the title's line
    bool figureInTwo = false;    // how much is used stands below the figure
    bool segments = false, bar = false, ruleInBrief = false;
    bool movedInBrief = false;  // without what the fewest would be
    bool titleInBrief = false;  // "cc 9.0", where not all have room for more
    u32 ruleLines = 0, movedLines = 0;
    f32 figureSize = type::kName, figure = 0, picture = 0, notes = 0;  // heights
};

constexpr f32 kTitleLine = 30, kLeastPicture = 68, kSegments = 68, kBar = 18;

// A device's name, and beside it who says its rule, or the figure.
struct Title {
    std::string name, note;
    TextStyle nameStyle, noteStyle;
};

// The longest that fits; in brief also without the GPU that it is known by.
std::optional<Title> titleOf(const RequestPicture& c, const Plan& plan, bool inBrief, f32 width) {
    const Language l = c.shown.language;
    const TextStyle nameStyle{.size = plan.figureInTitle ? type::kTitle : type::kName, .bold = true};
    const TextStyle noteStyle{.size = plan.figureInTitle ? type::kTitle : type::kCode,
                              .bold = plan.figureInTitle,
                              .align = Align::Right,
                              .role = role(plan.figureInTitle ? RoleKind::Text : RoleKind::TextSecond)};
    const std::string known =
        model::cardsOf(c.profile).empty() ? "" : " · " + model::cardsOf(c.profile).front();
    const std::string name =
        say(l, inBrief ? kCapabilityBrief : kCapability, c.profile.major, c.profile.minor);
    std::vector<std::string> notes;
    if (plan.figureInTitle)
        notes = {figureOf(c.cost, c.profile, l) + " · " + shareOf(c)};
    else if (c.profile.measured)
        notes = {say(l, kMeasuredOn, c.profile.card), say(l, kMeasured)};
    else
        notes = {std::string(kDocumented.in(l))};
    std::vector<std::string> names{name + known};
    if (inBrief) names.push_back(name);
    for (const std::string& whole : names)
        for (const std::string& note : notes)
            if (c.canvas.width(whole, nameStyle) + 12 + c.canvas.width(note, noteStyle) <= width)
                return Title{whole, note, nameStyle, noteStyle};
    return std::nullopt;
}

Plan planFor(std::span<const RequestPicture> columns, Size room) {
    Plan plan;
    u32 ruleLines = 1, movedLines = 1, rows = 1;
    f32 notes = 0, key = 0;
    for (const RequestPicture& c : columns) {
        notes = std::max(notes, heightOfNotes(c, room.width));
        key = std::max(key, heightOfNotes(c, room.width, true));
        ruleLines = std::max(ruleLines, u32(c.canvas
                                                .wrap(ruleOf(c.profile, c.shown.access.widthBytes,
                                                             c.cost.countsSectors, c.shown.language),
                                                      room.width, kRule)
                                                .size()));
        movedLines = std::max(movedLines, u32(c.canvas.wrap(movedText(c, false), room.width, kRule).size()));
        if (c.profile.globalRule != model::GlobalRule::Sectors)
            rows = std::max(rows, u32(c.cost.items.size()));
    }
    constexpr f32 kRow = 2, kMostForRows = 48, kLowest = 190, kLarge = 330, kWide = 400;
    plan.figureInTitle = room.height < kLowest && room.width > kWide;
    plan.figureSize = room.width > kWide && room.height >= kLarge ? type::kFigure : type::kName;
    for (const RequestPicture& c : columns)
        plan.figureInTwo |= c.canvas.width(figureOf(c.cost, c.profile, c.shown.language),
                                           {.size = plan.figureSize, .bold = true}) +
                                12 + c.canvas.width(shareOf(c), {.size = type::kName, .bold = true}) >
                            room.width;
    plan.figure = plan.figureInTitle ? 0 : plan.figureInTwo ? 50 : 36;
    f32 left = room.height - kTitleLine - kLeastPicture - std::clamp(f32(rows) * kRow, 20.0f, kMostForRows) -
               8 - plan.figure;
    const auto take = [&](f32 height) { return left >= height ? left -= height, true : false; };
    plan.segments = take(kSegments);
    if (take(f32(ruleLines) * kTextLine))
        plan.ruleLines = ruleLines;
    else if (take(kTextLine))
        plan.ruleLines = 1, plan.ruleInBrief = true;
    plan.bar = take(kBar);
    if (take(f32(movedLines) * kTextLine))
        plan.movedLines = movedLines;
    else if (take(kTextLine))
        plan.movedLines = 1, plan.movedInBrief = true;
    if (take(notes))
        plan.notes = notes;
    else if (take(key))
        plan.notes = key;
    for (const RequestPicture& c : columns)
        plan.titleInBrief |= !titleOf(c, plan, false, room.width);
    plan.picture = std::clamp(kLeastPicture + std::max(0.0f, left) * 0.4f, kLeastPicture, 220.0f);
    return plan;
}

void drawTitle(const RequestPicture& c, const Rect& area, const Plan& plan) {
    const f32 y = area.y + 14;
    for (const bool inBrief : {plan.titleInBrief, true})
        if (const auto title = titleOf(c, plan, inBrief, area.width)) {
            c.canvas.text({area.x, y}, title->name, title->nameStyle);
            c.canvas.text({area.right(), y + 1}, title->note, title->noteStyle);
            return;
        }
    c.canvas.textWithin({area.x, y}, area.width,
                        say(c.shown.language, kCapabilityBrief, c.profile.major, c.profile.minor),
                        {.size = plan.figureInTitle ? type::kTitle : type::kName, .bold = true});
}

void drawFigure(const RequestPicture& c, const Rect& area, const Plan& plan, f32 y) {
    Canvas& canvas = c.canvas;
    const TextStyle figure{.size = plan.figureSize, .bold = true};
    TextStyle share{.size = type::kName, .bold = true};
    if (plan.figureInTwo) {
        const std::string text = figureOf(c.cost, c.profile, c.shown.language);
        canvas.textWithin({area.x, y + 12}, area.width, text, shrunkToFit(canvas, area.width, figure, text));
        canvas.textWithin({area.x, y + 36}, area.width, shareOf(c), share);
        return;
    }
    canvas.text({area.x, y + 18}, figureOf(c.cost, c.profile, c.shown.language), figure);
    share.align = Align::Right;
    canvas.text({area.right(), y + 18}, shareOf(c), share);
}

// largest: bytes that any of the columns moves: the bars have one scale.
void drawColumn(const RequestPicture& c, const Rect& area, u64 largest, const Plan& plan) {
    Canvas& canvas = c.canvas;
    drawTitle(c, area, plan);
    f32 y = area.y + kTitleLine + 6;
    if (plan.ruleLines > 0) {
        const u32 width = c.shown.access.widthBytes;
        if (const std::string brief = ruleInBrief(c.profile, width, c.cost.countsSectors, c.shown.language);
            plan.ruleInBrief)
            canvas.textWithin({area.x, y}, area.width, brief, shrunkToFit(canvas, area.width, kRule, brief));
        else
            canvas.paragraph({area.x, y}, area.width,
                             ruleOf(c.profile, width, c.cost.countsSectors, c.shown.language), kRule,
                             kTextLine / kRule.size);
        y += f32(plan.ruleLines) * kTextLine;
    }
    y = drawLanesAndRuler(c, y - 5, plan.picture);
    if (plan.segments) y = drawSegments(c, y);
    f32 below = area.bottom() - plan.figure - (plan.bar ? kBar : 0) - f32(plan.movedLines) * kTextLine;
    drawItems(c, y + (plan.figureInTitle ? 4 : 8), below - 4 - plan.notes, plan.notes);
    if (plan.figureInTitle) return;
    drawFigure(c, area, plan, below);
    below += plan.figure;
    if (plan.bar) {
        const u64 moved = movedBytes(c.cost), used = std::min(usedBytes(c.shown.access), moved);
        const f32 scale = largest ? area.width / f32(largest) : 0;
        const Rect whole{area.x, below, area.width, 12};
        canvas.hit(whole, {.hover = say(c.shown.language, kWholeBar, largest)});
        canvas.rect({area.x, below, std::max(1.0f, f32(moved) * scale), 12},
                    {.fill = role(RoleKind::Wasted)});
        canvas.rect({area.x, below, std::max(1.0f, f32(used) * scale), 12}, {.fill = warpRole(c.shown.warp)});
        below += kBar;
    }
    if (plan.movedLines > 0)
        canvas.paragraph({area.x, below + kTextLine / 2}, area.width, movedText(c, plan.movedInBrief), kRule,
                         kTextLine / kRule.size, plan.movedLines);
}

// A device in another mode of its banks has the same rules for global memory.
bool isSameCapability(const model::Profile& a, const model::Profile& b) {
    return a.major == b.major && a.minor == b.minor;
}

// The names that a click on this device sets, in the order in which they were chosen.
std::vector<std::string> namesAfterClick(const ViewInput& in, const Devices& shown,
                                         const model::Profile& clicked) {
    const Devices& chosen = in.devices.empty() ? shown : in.devices;
    std::vector<std::string> names;
    for (const model::Profile* device : chosen)
        names.push_back(device->name);
    if (const auto found = std::ranges::find_if(
            chosen, [&](const model::Profile* device) { return isSameCapability(*device, clicked); });
        found != chosen.end()) {
        if (names.size() > 1) names.erase(names.begin() + (found - chosen.begin()));
        return names;
    }
    if (names.size() >= kMostDevices) names.erase(names.begin());
    names.push_back(clicked.name);
    return names;
}

bool isOlder(const model::Profile* a, const model::Profile* b) {
    return std::pair(a->major, a->minor) < std::pair(b->major, b->minor);
}

}  // namespace

Devices devicesOnShow(const ViewInput& in, f32 width) {
    Devices shown = in.devices;
    if (shown.empty()) {
        shown = {&in.profile};
        if (width >= kRoomForThree)
            for (const char* name : {"cc10", "cc12"})
                if (const model::Profile* old = model::findProfile(name); old && old->name != in.profile.name)
                    shown.push_back(old);
    }
    if (shown.size() > kMostDevices) shown.erase(shown.begin(), shown.end() - std::ptrdiff_t(kMostDevices));
    std::ranges::stable_sort(shown, isOlder);
    return shown;
}

f32 drawDeviceChoice(Canvas& canvas, const ViewInput& in, const Devices& shown, const Rect& area) {
    f32 x = area.x, y = area.y;
    const TextStyle label{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    // On one line: without the words before it, or with less room about the numbers, where that is what it
    // takes.
    f32 about = 12, apart = 4;
    enum class Names : u8 { Everywhere, OnShow, Nowhere } names = Names::Everywhere;
    const auto isOn = [&](const model::Profile& profile) {
        return std::ranges::any_of(
            shown, [&](const model::Profile* device) { return isSameCapability(*device, profile); });
    };
    const auto textOf = [&](const model::Profile& profile) {
        return names == Names::Everywhere || (names == Names::OnShow && isOn(profile))
                   ? model::knownAs(profile)
                   : model::capabilityOf(profile);
    };
    const auto chips = [&] {
        f32 wide = -apart;
        for (const model::Profile& profile : model::profiles())
            if (profile.mode.empty())
                wide += canvas.width(textOf(profile), {.size = type::kCode, .bold = true, .mono = true}) +
                        about + apart;
        return wide;
    };
    const f32 words = canvas.width(kSideBySide.in(in.language), label) + 12;
    for (const Names fewer : {Names::OnShow, Names::Nowhere})
        if (words + chips() > area.width) names = fewer;
    const bool labelled = words + chips() <= area.width;
    if (!labelled && chips() > area.width) about = 6, apart = 2;
    if (const f32 wide = canvas.width(kSideBySide.in(in.language), label);
        wide < area.width * 0.3f && (labelled || chips() > area.width))
        x += 12 + canvas.text({x, y + 12}, std::string(kSideBySide.in(in.language)), label);
    const f32 first = x;
    for (const model::Profile& profile : model::profiles()) {
        if (!profile.mode.empty()) continue;  // modes are of shared memory
        const bool on = isOn(profile);
        const std::string text = textOf(profile);
        const TextStyle style{.size = type::kCode,
                              .bold = on,
                              .mono = true,
                              .align = Align::Centre,
                              .role = on ? inkOn(role(RoleKind::TextSecond)) : role(RoleKind::TextSecond)};
        const f32 wide = canvas.width(text, style) + about;
        if (x + wide > area.right() && x > first) x = area.x, y += 28;
        canvas.rect({x, y, wide, 24},
                    {.fill = role(on ? RoleKind::TextSecond : RoleKind::Raised), .radius = radius::kControl});
        canvas.text({x + wide / 2, y + 12}, text, style);
        const Words& does = on                            ? (shown.size() > 1 ? kTakeAway : kLastOne)
                            : shown.size() < kMostDevices ? kPutBeside
                                                          : kPutBesideInstead;
        canvas.hit({x, y, wide, 24}, {.hover = say(in.language, does, profile.major, profile.minor) +
                                               cardsText(profile, in.language),
                                      .devices = namesAfterClick(in, shown, profile)});
        x += wide + apart;
    }
    return y + 24 - area.y;
}

std::vector<model::GlobalCost> drawDeviceColumns(Canvas& canvas, const AccessOnShow& access,
                                                 const Devices& devices, const Rect& area) {
    std::vector<model::GlobalCost> costs;
    u64 largest = 0;
    for (const model::Profile* device : devices) {
        costs.push_back(model::globalCost(access.access, *device));
        largest = std::max(largest, movedBytes(costs.back()));
    }
    const f32 count = f32(devices.size());
    const bool stacked = area.width / count < kLeastColumn && area.height / count >= kLeastRow;
    const f32 pitch = (stacked ? area.height : area.width) / count;
    const auto columnOf = [&](std::size_t i) {
        const f32 start = f32(i) * pitch;
        return stacked ? Rect{area.x + space::kInset, area.y + start + 8, area.width - 2 * space::kInset,
                              pitch - 12}
                       : Rect{area.x + start + space::kInset, area.y + 8, pitch - 2 * space::kInset,
                              area.height - 12};
    };
    std::vector<Ruler> rulers;
    for (std::size_t i = 0; i < devices.size(); ++i)
        rulers.push_back(makeRuler(access, costs, columnOf(i)));
    std::vector<RequestPicture> columns;
    for (std::size_t i = 0; i < devices.size(); ++i)
        columns.push_back({canvas, access, *devices[i], costs[i], rulers[i]});
    const Rect first = columnOf(0);
    const Plan plan = planFor(columns, {first.width, first.height});
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const f32 start = f32(i) * pitch;
        drawColumn(columns[i], columnOf(i), largest, plan);
        if (i && stacked)
            canvas.line({area.x + space::kInset, area.y + start},
                        {area.right() - space::kInset, area.y + start}, {role(RoleKind::Line)});
        if (i && !stacked)
            canvas.line({area.x + start, area.y + 8}, {area.x + start, area.bottom() - 8},
                        {role(RoleKind::Line)});
    }
    return costs;
}

}  // namespace lockstep::viz
