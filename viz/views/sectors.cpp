// The global access at the cursor on the address ruler, and what the memory moves for it under the rules of one device, or of
// three side by side where there is room: area is bytes.
#include "viz/views/views.h"

#include <algorithm>
#include <set>

#include "base/device_addresses.h"
#include "model/global_sectors.h"
#include "viz/lookup.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr u64 kLine = model::kLineBytes, kSector = model::kSectorBytes;

const Words& ruleOf(const model::Profile& profile) {
    switch (profile.globalRule) {
        case model::GlobalRule::InOrder: return kRuleInOrder;
        case model::GlobalRule::Segments: return kRuleSegments;
        case model::GlobalRule::Sectors: break;
    }
    return profile.cachedLoadsFetchLines ? kRuleLines : kRuleSectors;
}

// The touched lines of 128 bytes, drawn one after another; what lies between them is left out.
struct Ruler {
    std::vector<u64> lines;  // start addresses, ascending
    Rect area;
    f32 pixels = 1;          // a byte
    f32 gap = 0;             // before a line that does not follow the one before

    std::size_t indexOf(u64 address) const { return std::size_t(std::ranges::upper_bound(lines, address) - lines.begin()) - 1; }
    f32 startOf(std::size_t index) const {
        f32 x = area.x;
        for (std::size_t i = 1; i <= index; ++i) x += f32(kLine) * pixels + (lines[i] == lines[i - 1] + kLine ? 0 : gap);
        return x;
    }
    f32 x(u64 address) const {
        const std::size_t i = indexOf(address);
        return startOf(i) + f32(address - lines[i]) * pixels;
    }
};

Ruler makeRuler(const trace::WarpAccess& access, const std::vector<model::GlobalCost>& costs, const Rect& area) {
    std::set<u64> lines;
    for (const Lane lane : access.active) {
        lines.insert(access.addresses[lane.value] / kLine * kLine);
        lines.insert((access.addresses[lane.value] + access.widthBytes - 1) / kLine * kLine);
    }
    for (const model::GlobalCost& cost : costs)
        for (const model::MemoryItem& item : cost.items)
            for (u64 at = item.startByte / kLine * kLine; at < item.startByte + item.bytes; at += kLine) lines.insert(at);
    Ruler ruler{{lines.begin(), lines.end()}, area};
    std::size_t breaks = 0;
    for (std::size_t i = 1; i < ruler.lines.size(); ++i) breaks += ruler.lines[i] != ruler.lines[i - 1] + kLine;
    ruler.gap = breaks > 8 ? 2 : 8;
    ruler.pixels = (area.width - f32(breaks) * ruler.gap) / f32(std::max<std::size_t>(1, ruler.lines.size()) * kLine);
    return ruler;
}

struct Column {
    const ViewInput& in;
    const Here& here;
    Canvas& canvas;
    const trace::WarpAccess& access;
    const model::Profile& profile;
    const model::GlobalCost& cost;
    const Ruler& ruler;
    u32 exist;

    Role colour(Lane lane) const { return warpRole(in.cursor.warp, lane, exist); }
};

std::string figureOf(const Column& c) {
    const Language l = c.in.language;
    if (c.profile.globalRule != model::GlobalRule::Sectors || c.cost.sectors == 0) return say(l, kTransactions, c.cost.transactions);
    return say(l, kSectorsFigure, c.cost.sectors);
}

u64 movedBytes(const model::GlobalCost& cost) {
    u64 moved = 0;
    for (const model::MemoryItem& item : cost.items) moved += item.bytes;
    return moved;
}

// Bytes that some lane asked for, each once a request as the memory does.
u64 usedBytes(const trace::WarpAccess& access) {
    std::set<u64> bytes;
    for (const Lane lane : access.active)
        for (u32 b = 0; b < access.widthBytes; ++b) bytes.insert(access.addresses[lane.value] + b);
    return bytes.size();
}

Cursor withLane(Cursor cursor, Lane lane) {
    cursor.lane = lane;
    return cursor;
}

// Lanes above, the ruler below, a line from each lane to its address. Returns the ruler's lower edge.
f32 drawLanesAndRuler(const Column& c, f32 y, f32 height) {
    Canvas& canvas = c.canvas;
    const f32 cell = c.ruler.area.width / f32(kWarpSize), laneY = y + 16, rulerY = y + height - 18, x0 = c.ruler.area.x;
    const TextStyle axis{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    const bool halves = c.profile.globalRule != model::GlobalRule::Sectors;
    if (halves)
        for (u32 h = 0; h < 2; ++h) canvas.textWithin({x0 + f32(h) * 16 * cell, y + 6}, 16 * cell - 4, say(c.in.language, kHalfWarp, h), axis);
    for (u32 l = 0; l < c.exist; ++l) {
        const Lane lane{l};
        const Rect box{x0 + f32(l) * cell + 0.5f, laneY, cell - 1, 18};
        const bool on = c.access.active.has(lane);
        if (on) canvas.rect(box, {.fill = c.colour(lane), .radius = 2});
        else canvas.rect(box.inset(0.5f), {.stroke = {role(RoleKind::Line)}, .radius = 2});
        const TextStyle number{.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = on ? inkOn(c.colour(lane)) : role(RoleKind::TextThird)};
        const u32 shown = halves ? l % 16 : l;
        if (l % 4 == 0 || cell >= 15 || lane == c.in.cursor.lane)
            if (canvas.width(std::to_string(shown), number) <= cell) canvas.text(box.centre(), std::to_string(shown), number);
        canvas.hit(box, {.hover = laneSentence(c.in, c.here, lane), .go = withLane(c.in.cursor, lane)});
    }
    // Ruler: each line of 128 bytes in grey, the bytes that lanes want in their colour.
    for (std::size_t i = 0; i < c.ruler.lines.size(); ++i)
        canvas.rect({c.ruler.startOf(i) + 0.25f, rulerY, std::max(1.0f, f32(kLine) * c.ruler.pixels - 0.5f), 16}, {.fill = role(RoleKind::Inactive)});
    const auto wordBox = [&](Lane lane) {
        const u64 address = c.access.addresses[lane.value];
        return Rect{c.ruler.x(address) + 0.25f, rulerY, std::max(1.5f, f32(c.access.widthBytes) * c.ruler.pixels - 0.5f), 16};
    };
    for (const Lane lane : c.access.active) {
        const Rect box = wordBox(lane);
        canvas.rect(box, {.fill = c.colour(lane), .radius = box.width > 6 ? 1.0f : 0.0f});
        canvas.hit(box, {.hover = laneSentence(c.in, c.here, lane), .go = withLane(c.in.cursor, lane)});
    }
    const auto lineOfLane = [&](Lane lane, const Stroke& stroke) {
        const f32 part = std::clamp(c.in.motion, 0.0f, 1.0f);
        const Point from{x0 + (f32(lane.value) + 0.5f) * cell, laneY + 20}, to{wordBox(lane).centre().x, rulerY - 3};
        canvas.line(from, between(from, to, ease(part)), stroke);
    };
    for (const Lane lane : c.access.active)
        if (lane != c.in.cursor.lane) lineOfLane(lane, {c.colour(lane), 1});
    if (c.access.active.has(c.in.cursor.lane)) {
        lineOfLane(c.in.cursor.lane, {role(RoleKind::Cursor), line::kRead});
        cursorBox(canvas, wordBox(c.in.cursor.lane), 3);
    }
    cursorBox(canvas, {x0 + f32(c.in.cursor.lane.value) * cell + 0.5f, laneY, cell - 1, 18}, 3);
    return rulerY + 16;
}

// Byte numbers within the buffer, or of the first line, at every segment that there is room for.
f32 drawSegments(const Column& c, f32 y) {
    Canvas& canvas = c.canvas;
    const TextStyle axis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)};
    const auto buffer = bufferOfAddress(c.ruler.lines.front());
    const u64 zero = buffer ? deviceAddressOf(*buffer) : 0;
    f32 free = -1e9f;
    for (std::size_t i = 0; i < c.ruler.lines.size(); ++i) {
        const f32 start = c.ruler.startOf(i);
        for (u64 sector = 0; sector < kLine; sector += kSector) {
            const f32 x = start + f32(sector) * c.ruler.pixels;
            if (sector == 0 || c.ruler.pixels * f32(kSector) > 4) canvas.line({x, y}, {x, y + (sector ? 6.0f : 12.0f)}, {role(sector ? RoleKind::Edge : RoleKind::TextSecond)});
            const s64 offset = s64(c.ruler.lines[i] + sector - zero);
            const std::string text = std::to_string(offset);
            const f32 wide = canvas.width(text, axis);
            if (x + 3 < free || x + 3 + wide > c.ruler.area.right()) continue;
            if (sector && c.ruler.pixels * f32(kSector) < wide + 8) continue;
            canvas.text({x + 3, y + 10}, text, axis);
            free = x + 3 + wide + 8;
        }
    }
    y += 20;
    // The segments of 32, 64 and 128 bytes; of those that this access moves, the filled ones.
    for (const u64 bytes : {u64{32}, u64{64}, u64{128}}) {
        const std::string label = std::to_string(bytes) + " B";
        for (std::size_t i = 0; i < c.ruler.lines.size(); ++i)
            for (u64 at = 0; at < kLine; at += bytes) {
                const u64 start = c.ruler.lines[i] + at;
                const bool moved = std::ranges::any_of(c.cost.items, [&](const model::MemoryItem& item) { return item.startByte == start && item.bytes == bytes; });
                const Rect box{c.ruler.startOf(i) + f32(at) * c.ruler.pixels + 0.5f, y, std::max(1.0f, f32(bytes) * c.ruler.pixels - 1), 13};
                if (box.width < 3 && !moved) continue;
                if (moved) canvas.rect(box, {.fill = role(RoleKind::TextSecond), .radius = box.width > 6 ? 2.0f : 0.0f});
                else canvas.rect(box, {.stroke = {role(RoleKind::Line)}, .radius = 2});
                const TextStyle style{.size = type::kAxis, .bold = moved, .align = Align::Centre, .role = moved ? inkOn(role(RoleKind::TextSecond)) : role(RoleKind::TextThird)};
                if (canvas.width(label, style) < box.width - 4) canvas.text(box.centre(), label, style);
            }
        y += 15;
    }
    return y;
}

// What is moved: a row a transaction (all sectors of one request share a row), used bytes in their lanes' colours.
f32 drawItems(const Column& c, f32 y, f32 bottom) {
    Canvas& canvas = c.canvas;
    const bool oneRow = c.profile.globalRule == model::GlobalRule::Sectors;
    const std::size_t rows = oneRow ? 1 : c.cost.items.size();
    const f32 tall = std::clamp((bottom - y) / f32(std::max<std::size_t>(1, rows)), 2.0f, oneRow ? 16.0f : 12.0f);
    const f32 passes = c.in.motion >= 1 ? 1e9f : c.in.motion * f32(rows);
    std::optional<Rect> mine;
    for (std::size_t i = 0; i < c.cost.items.size(); ++i) {
        const model::MemoryItem& item = c.cost.items[i];
        const f32 top = y + (oneRow ? 0 : f32(i) * tall);
        if (top + tall > bottom || (!oneRow && f32(i) >= passes)) break;
        const Rect box{c.ruler.x(item.startByte) + 0.5f, top, std::max(1.0f, f32(item.bytes) * c.ruler.pixels - 1), tall - 1};
        canvas.rect(box, {.fill = role(RoleKind::Wasted)});
        for (const Lane lane : item.lanes) {
            const u64 from = std::max(c.access.addresses[lane.value], item.startByte), to = std::min(c.access.addresses[lane.value] + c.access.widthBytes, item.startByte + item.bytes);
            if (from < to) canvas.rect({c.ruler.x(from) + 0.25f, top, std::max(1.0f, f32(to - from) * c.ruler.pixels - 0.5f), tall - 1}, {.fill = c.colour(lane)});
        }
        const bool ours = item.lanes.has(c.in.cursor.lane);
        canvas.hit(box, {.hover = say(c.in.language, kItemHover, item.bytes, item.startByte % (u64{1} << 39), lanesText(item.lanes), item.lanes.count()), .go = withLane(c.in.cursor, ours ? c.in.cursor.lane : item.lanes.lowest())});
        if (ours && !mine) mine = box;
    }
    if (mine) cursorBox(canvas, *mine, 3);
    const f32 end = y + (oneRow ? tall : std::min(bottom - y, f32(rows) * tall));
    if (end + 18 < bottom) canvas.textWithin({c.ruler.area.x, end + 14}, c.ruler.area.width, (oneRow ? kGreyUnused : kRowIsTransaction).in(c.in.language), {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    return end;
}

void drawColumn(const Column& c, const Rect& area, u64 largest) {
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
    const Column last{in, here, canvas, access, in.profile, cost, {}, 0};
    const u64 moved = movedBytes(cost), wantedBytes = std::min(usedBytes(access), moved);
    Scene scene = std::move(canvas).take(say(in.language, kSectorsSentence, in.cursor.warp.value, verbOf(access.kind).in(in.language), wantedBytes, access.active.count(), moved, figureOf(last), moved ? (200 * wantedBytes + moved) / (2 * moved) : 0));
    scene.animating = in.motion < 1;
    return scene;
}

}  // namespace lockstep::viz
