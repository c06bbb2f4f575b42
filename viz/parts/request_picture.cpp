// Draws requests.
#include "viz/parts/request_picture.h"

#include "base/text/punctuation.h"
#include "model/access/in_order.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace lockstep::viz {
namespace {

using namespace message;

using model::kLineBytes, model::kSectorBytes;

constexpr f32 kNumbered = 9;  // width from which on a lane's cell has its number

constexpr u32 kHalfLanes = 16;

constexpr Words kFirstByte = english("byte {0}");  // the first number of the ruler
constexpr Words kFirstByteBrief = english("{0} B");
constexpr Words kLinesLeftOut = english("gaps: lines of {0} {0:byte|bytes} without an access are left out");
constexpr Words kSegmentOfNone = english("{0} {0:byte|bytes} from byte {1}: no lane uses any of them.");
constexpr Words kSegmentOfLanes =
    english("{0} {0:byte|bytes} from byte {1}, accessed by {3:lane|lanes} {2}.");
constexpr Words kSegmentMoved =
    english("{0} {0:byte|bytes} from byte {1}, transferred for {3:lane|lanes} {2}.");
constexpr Words kSectorOf = english("{0} B sector");
constexpr Words kLineOf = english("{0} B line");
constexpr Words kSegmentOf = english("{0} B segment");
constexpr Words kOneRowEach = english("one row = one transaction");
constexpr Words kGrayUnused = english("gray = not used"),
                kRowAndUnused = english("one row = one transaction; gray = not used");
constexpr Words kLanesTransaction = english("outlined: the transaction of lane {0}");
constexpr Words kLanesSector = english("outlined: the sector of lane {0}");
constexpr Words kOutOfOrder =
    english("half-warp {0}: lane {1} accesses word {2} instead of {3}, so each lane is served alone");
constexpr Words kElsewhere =
    english("half-warp {0}: lane {1} does not access word {2} of the segment, so each lane is served alone");
constexpr Words kNotAligned =
    english("half-warp {0} starts {1} {1:byte|bytes} past a multiple of {2}, so each lane is served alone");
constexpr Words kTooNarrow =
    english("{0} {0:byte|bytes} per lane {0:is|are} never coalesced, so each lane is served alone");

const TextStyle kNote{.size = type::kCode, .role = role(RoleKind::TextSecond)};
constexpr f32 kNoteLine = 17;

// Of the first half-warp that is not in order, where that is what the device asks for.
std::optional<std::string> whyAlone(const RequestPicture& c) {
    constexpr u32 kHalf = kHalfLanes;
    if (c.profile.globalRule != model::GlobalRule::InOrder) return std::nullopt;
    const Language l = c.shown.language;
    const trace::WarpAccess& access = c.shown.access;
    for (u32 first = 0; first < kWarpSize; first += kHalf) {
        const LaneMask half = access.active & LaneMask{LaneMask::firstLanes(kHalf).bits << first};
        const std::optional<model::Disorder> disorder =
            half.empty() ? std::nullopt : model::disorderOf(access, half, first);
        if (!disorder) continue;
        const s64 width = access.widthBytes;
        const u32 own = disorder->lane.value - first;
        switch (disorder->why) {
            case model::Disorder::Why::Width: return say(l, kTooNarrow, access.widthBytes);
            case model::Disorder::Why::Alignment:
                return say(l, kNotAligned, first / kHalf, disorder->offsetBytes, kHalf * width);
            case model::Disorder::Why::Order: break;
        }
        if (disorder->offsetBytes < 0 || disorder->offsetBytes % width != 0)
            return say(l, kElsewhere, first / kHalf, disorder->lane.value, own);
        return say(l, kOutOfOrder, first / kHalf, disorder->lane.value, disorder->offsetBytes / width, own);
    }
    return std::nullopt;
}

// What a segment of so many bytes is to the device: "32 B sector".
std::optional<std::string> nameOfSegment(const RequestPicture& c, u64 bytes) {
    if (c.profile.globalRule != model::GlobalRule::Sectors) return say(c.shown.language, kSegmentOf, bytes);
    if (bytes == model::kSectorBytes) return say(c.shown.language, kSectorOf, bytes);
    if (bytes == kLineBytes) return say(c.shown.language, kLineOf, bytes);
    return std::nullopt;
}

// Who asks for bytes of a segment, and whether it is moved; a click goes to one of these lanes.
Hit hitOfSegment(const RequestPicture& c, u64 start, u64 bytes, bool moved) {
    LaneMask lanes;
    for (const Lane lane : c.shown.access.active)
        if (const u64 at = c.shown.access.addresses[lane.value];
            at < start + bytes && at + c.shown.access.widthBytes > start)
            lanes = lanes | LaneMask::of(lane);
    const Language l = c.shown.language;
    const s64 from = s64(start - c.shown.zero);
    if (lanes.empty()) return {.hover = say(l, kSegmentOfNone, bytes, from)};
    return c.shown.hitOf(c.shown.laneToGo(lanes), say(l, moved ? kSegmentMoved : kSegmentOfLanes, bytes, from,
                                                      explain::lanesText(lanes, l), lanes.count()));
}

}  // namespace

Ruler makeRuler(const AccessOnShow& shown, std::span<const model::GlobalCost> costs, const Rect& area) {
    constexpr std::size_t kFewLines = 5;
    const trace::WarpAccess& access = shown.access;
    std::set<u64> lines;
    for (const Lane lane : access.active) {
        lines.insert(access.addresses[lane.value] / kLineBytes * kLineBytes);
        lines.insert((access.addresses[lane.value] + access.widthBytes - 1) / kLineBytes * kLineBytes);
    }
    for (const model::GlobalCost& cost : costs)
        for (const model::MemoryItem& item : cost.items)
            for (u64 at = item.startByte / kLineBytes * kLineBytes; at < item.startByte + item.bytes;
                 at += kLineBytes)
                lines.insert(at);
    if (shown.movable && !lines.empty() && lines.size() < kFewLines)
        lines.insert(*lines.rbegin() + kLineBytes);
    Ruler ruler{{lines.begin(), lines.end()}, area};
    const std::size_t breaks = ruler.breaks();
    ruler.gap = breaks > 8 ? 2 : 8;
    ruler.pixels = (area.width - f32(breaks) * ruler.gap) /
                   f32(std::max<std::size_t>(1, ruler.lines.size()) * kLineBytes);
    return ruler;
}

std::string figureOf(const model::GlobalCost& cost, const model::Profile& profile, Language language) {
    if (profile.globalRule != model::GlobalRule::Sectors || cost.sectors == 0)
        return say(language, kTransactions, cost.transactions);
    return say(language, cost.countsAccesses() ? kSectorAccesses : kSectorsFigure, cost.sectors);
}

u64 movedBytes(const model::GlobalCost& cost) {
    u64 moved = 0;
    for (const model::MemoryItem& item : cost.items)
        moved += item.bytes;
    return moved;
}

u64 usedBytes(const trace::WarpAccess& access) {
    std::set<u64> bytes;
    for (const Lane lane : access.active)
        for (u32 b = 0; b < access.widthBytes; ++b)
            bytes.insert(access.addresses[lane.value] + b);
    return bytes.size();
}

f32 drawLanesAndRuler(const RequestPicture& c, f32 y, f32 height) {
    Canvas& canvas = c.canvas;
    const f32 cell = c.ruler.area.width / f32(kWarpSize), laneY = y + 16, rulerY = y + height - 18,
              x0 = c.ruler.area.x;
    const TextStyle axis{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    const bool halves = c.profile.globalRule != model::GlobalRule::Sectors;
    if (halves && cell < kNumbered)
        canvas.line({x0 + 16 * cell, y}, {x0 + 16 * cell, laneY + 20}, {role(RoleKind::TextSecond)});
    else if (halves)
        for (u32 h = 0; h < 2; ++h)
            canvas.textWithin({x0 + f32(h) * 16 * cell, y + 6}, 16 * cell - 4,
                              say(c.shown.language, kHalfWarp, h), axis);
    for (u32 l = 0; l < c.shown.exist; ++l) {
        const Lane lane{l};
        const Rect box{x0 + f32(l) * cell + 0.5f, laneY, cell - 1, 18};
        const bool on = c.shown.access.active.has(lane);
        if (on)
            canvas.rect(box, {.fill = c.shown.color(lane), .radius = 2});
        else
            canvas.rect(box.inset(0.5f), {.stroke = {role(RoleKind::Line)}, .radius = 2});
        const TextStyle number{.size = type::kAxis,
                               .bold = true,
                               .mono = true,
                               .align = Align::Centre,
                               .role = on ? inkOn(c.shown.color(lane)) : role(RoleKind::TextThird)};
        if (cell < kNumbered) {  // above: a number in it would be struck through by the cursor's box
            if (l % 8 == 0)
                canvas.text({box.x + (halves && l == kHalfLanes ? 3.0f : 0.0f), y + 6}, std::to_string(l),
                            {.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)});
            canvas.hit(box, c.shown.hit(lane));
            continue;
        }
        // Every fourth may be wider than its cell: its neighbors have none.
        const f32 wide = canvas.width(std::to_string(l), number);
        const bool comparedCursor =
            lane != c.shown.cursor && std::abs(int(l) - int(c.shown.cursor.value)) < 2;
        if ((wide <= cell && (l % 4 == 0 || cell >= 15 || lane == c.shown.cursor)) ||
            (l % 4 == 0 && wide <= 1.6f * cell && !comparedCursor))
            canvas.text(box.centre(), std::to_string(l), number);
        canvas.hit(box, c.shown.hit(lane));
    }
    // Ruler: each line of 128 bytes in grey, the bytes that lanes want in their color.
    for (std::size_t i = 0; i < c.ruler.lines.size(); ++i)
        canvas.rect(
            {c.ruler.startOf(i) + 0.25f, rulerY, std::max(1.0f, f32(kLineBytes) * c.ruler.pixels - 0.5f), 16},
            {.fill = role(RoleKind::Inactive)});
    const auto elementBox = [&](u64 address) {
        return Rect{c.ruler.x(address) + 0.25f, rulerY,
                    std::max(1.5f, f32(c.shown.access.widthBytes) * c.ruler.pixels - 0.5f), 16};
    };
    const auto wordBox = [&](Lane lane) { return elementBox(c.shown.access.addresses[lane.value]); };
    if (c.shown.movable)
        for (const u64 line : c.ruler.lines)
            for (u64 at = line; at < line + kLineBytes; at += c.shown.access.widthBytes)
                canvas.hit(elementBox(at),
                           {.hover = say(c.shown.language, kElementHere, c.shown.elementAt(at)),
                            .place = c.shown.elementAt(at)});
    for (const Lane lane : c.shown.access.active) {
        const Rect box = wordBox(lane);
        canvas.rect(box, {.fill = c.shown.color(lane), .radius = box.width > 6 ? 1.0f : 0.0f});
        Hit hit = c.shown.hit(lane);
        if (c.shown.movable) hit.place = c.shown.elementAt(c.shown.access.addresses[lane.value]);
        canvas.hit(box, std::move(hit));
    }
    const auto lineOfLane = [&](Lane lane, const Stroke& stroke) {
        const f32 part = std::clamp(c.shown.motion, 0.0f, 1.0f);
        const Point from{x0 + (f32(lane.value) + 0.5f) * cell, laneY + 20},
            to{wordBox(lane).centre().x, rulerY - 3};
        canvas.line(from, c.ahead ? to : between(from, to, ease(part)), stroke);
    };
    for (const Lane lane : c.shown.access.active)
        if (lane != c.shown.cursor)
            lineOfLane(lane, {c.shown.color(lane), 1, c.ahead ? Dash::Sparse : Dash::Solid});
    if (c.shown.access.active.has(c.shown.cursor)) {
        lineOfLane(c.shown.cursor, {role(RoleKind::Cursor), c.ahead ? 1.0f : line::kRead,
                                    c.ahead ? Dash::Dotted : Dash::Solid});
        cursorBox(canvas, wordBox(c.shown.cursor), 3);
    }
    cursorBox(canvas, {x0 + f32(c.shown.cursor.value) * cell + 0.5f, laneY, cell - 1, 18}, 3);
    return rulerY + 16;
}

namespace {

// Of lines between which some are left out: at every how many of them numbers have so much room, and rise by
// the same amount where that can be.
std::size_t evenSteps(const Ruler& ruler, f32 room) {
    const std::size_t least =
        std::max<std::size_t>(1, std::size_t(std::ceil(room / (f32(kLineBytes) * ruler.pixels))));
    const auto isEven = [&](std::size_t every) {
        for (std::size_t i = 2 * every; i < ruler.lines.size(); i += every)
            if (ruler.lines[i] - ruler.lines[i - every] != ruler.lines[every] - ruler.lines[0]) return false;
        return true;
    };
    for (std::size_t every = least; every <= 2 * least; ++every)
        if (isEven(every)) return every;
    return least;
}

}  // namespace

// Byte numbers within the buffer, or of the first line, at even distances: round ones where the lines follow
// each other.
f32 drawSegments(const RequestPicture& c, f32 y) {
    Canvas& canvas = c.canvas;
    const TextStyle axis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)};
    const auto numberAt = [&](u64 address) { return std::to_string(s64(address - c.shown.zero)); };
    constexpr f32 kApart = 12;
    f32 widest = 0;
    for (const u64 line : c.ruler.lines)
        widest = std::max(widest, canvas.width(numberAt(line), axis));
    const bool follow = c.ruler.breaks() == 0;
    u64 distance = kLineBytes;
    while (follow && f32(distance) * c.ruler.pixels < widest + kApart)
        distance *= 2;
    const std::size_t every = follow ? 1 : evenSteps(c.ruler, widest + kApart);
    const std::string first =
        firstFitting(canvas, f32(kSectorBytes) * c.ruler.pixels - 8, axis,
                     {say(c.shown.language, kFirstByte, numberAt(c.ruler.lines[0])),
                      say(c.shown.language, kFirstByteBrief, numberAt(c.ruler.lines[0]))});
    f32 free = -1e9f;
    for (std::size_t i = 0; i < c.ruler.lines.size(); ++i) {
        const f32 start = c.ruler.startOf(i);
        for (u64 sector = 0; sector < kLineBytes; sector += kSectorBytes) {
            const f32 x = start + f32(sector) * c.ruler.pixels;
            const std::string text = i == 0 && sector == 0 ? first : numberAt(c.ruler.lines[i] + sector);
            const f32 wide = canvas.width(text, axis);
            const bool labelled =
                x + 3 >= free && x + 3 + wide <= c.ruler.area.right() &&
                (sector == 0
                     ? (!follow && i % every == 0) ||
                           (follow &&
                            (c.ruler.lines[i] - c.shown.zero / kLineBytes * kLineBytes) % distance == 0)
                     : c.ruler.pixels * f32(kSectorBytes) >= wide + 8);
            if (labelled || sector == 0 || c.ruler.pixels * f32(kSectorBytes) > 4)
                canvas.line({x, y}, {x, y + (labelled ? 15.0f : 4.0f)},
                            {role(labelled ? RoleKind::TextSecond : RoleKind::Edge)});
            if (!labelled) continue;
            canvas.text({x + 3, y + 11}, text, axis);
            free = x + 3 + wide + 8;
        }
    }
    y += 20;
    // The segments of 32, 64 and 128 bytes; of those that this access moves, the filled ones.
    for (const u64 bytes : {u64{32}, u64{64}, u64{128}}) {
        const std::string brief = std::to_string(bytes) + " B",
                          label = nameOfSegment(c, bytes).value_or(brief);
        for (std::size_t i = 0; i < c.ruler.lines.size(); ++i)
            for (u64 at = 0; at < kLineBytes; at += bytes) {
                const u64 start = c.ruler.lines[i] + at;
                const bool moved = std::ranges::any_of(c.cost.items, [&](const model::MemoryItem& item) {
                    return item.startByte == start && item.bytes == bytes;
                });
                const Rect box{c.ruler.startOf(i) + f32(at) * c.ruler.pixels + 0.5f, y,
                               std::max(1.0f, f32(bytes) * c.ruler.pixels - 1), 13};
                if (box.width < 3 && !moved) continue;
                if (moved)
                    canvas.rect(box,
                                {.fill = role(RoleKind::TextSecond), .radius = box.width > 6 ? 2.0f : 0.0f});
                else
                    canvas.rect(box, {.stroke = {role(RoleKind::Line)}, .radius = 2});
                const TextStyle style{
                    .size = type::kAxis,
                    .bold = moved,
                    .align = Align::Centre,
                    .role = moved ? inkOn(role(RoleKind::TextSecond)) : role(RoleKind::TextThird)};
                if (const std::string text = firstFitting(canvas, box.width - 4, style, {label, brief});
                    canvas.width(text, style) < box.width - 4)
                    canvas.text(box.centre(), text, style);
                canvas.hit(box, hitOfSegment(c, start, bytes, moved));
            }
        y += 15;
    }
    return y;
}

std::vector<std::string> notesOn(const RequestPicture& c) {
    const Language l = c.shown.language;
    const bool oneRow = c.profile.globalRule == model::GlobalRule::Sectors;
    std::vector<std::string> notes;
    if (std::optional<std::string> why = whyAlone(c)) notes.push_back(std::move(*why));
    u64 drawn = 0;  // a row has a sector once
    for (const model::MemoryItem& item : c.cost.items)
        drawn += item.bytes;
    const bool isGrey = drawn > usedBytes(c.shown.access);
    const bool isOutlined = c.shown.access.active.has(c.shown.cursor) && c.cost.items.size() > 1;
    std::string key =
        isOutlined ? say(l, c.cost.countsSectors ? kLanesSector : kLanesTransaction, c.shown.cursor.value)
                   : std::string();
    const auto add = [&](const Words& words) {
        key += (key.empty() ? std::string() : semicolon(l)) + say(l, words);
    };
    const bool isStore = c.shown.access.kind == trace::AccessKind::Store;
    if (!oneRow && c.cost.items.size() > 1)
        add(!isGrey ? kOneRowEach : isStore ? kRowIsTransactionStored : kRowAndUnused);
    else if (isGrey)
        add(isStore ? kGreyNotWritten : kGrayUnused);
    if (!key.empty()) notes.push_back(std::move(key));
    if (c.ruler.breaks() > 0) notes.push_back(say(l, kLinesLeftOut, kLineBytes));
    return notes;
}

f32 heightOfNotes(const RequestPicture& c, f32 width, bool onlyKey) {
    f32 lines = 0;
    const std::optional<std::string> why = onlyKey ? whyAlone(c) : std::nullopt;
    for (const std::string& note : notesOn(c))
        if (note != why) lines += f32(c.canvas.wrap(note, width, kNote).size());
    return lines > 0 ? lines * kNoteLine + 6 : 0;
}

f32 drawItems(const RequestPicture& c, f32 y, f32 bottom, f32 below) {
    Canvas& canvas = c.canvas;
    const bool oneRow = c.profile.globalRule == model::GlobalRule::Sectors;
    const std::size_t rows = oneRow ? 1 : c.cost.items.size();
    // Never cut, however many: rows become thin.
    const f32 tall = std::clamp((bottom - y) / f32(std::max<std::size_t>(1, rows)), 0.25f,
                                oneRow ? 16.0f : 12.0f),
              bar = tall - std::min(1.0f, tall * 0.25f);
    const f32 passes = c.shown.motion >= 1 ? 1e9f : c.shown.motion * f32(rows);
    std::optional<Rect> mine;
    for (std::size_t i = 0; i < c.cost.items.size(); ++i) {
        const model::MemoryItem& item = c.cost.items[i];
        const f32 top = y + (oneRow ? 0 : f32(i) * tall);
        if (top + bar > bottom + 1 || (!oneRow && f32(i) >= passes)) break;
        const Rect box{c.ruler.x(item.startByte) + 0.5f, top,
                       std::max(1.0f, f32(item.bytes) * c.ruler.pixels - 1), bar};
        canvas.rect(box, {.fill = role(RoleKind::Wasted)});
        for (const Lane lane : item.lanes) {
            const u64 from = std::max(c.shown.access.addresses[lane.value], item.startByte),
                      to = std::min(c.shown.access.addresses[lane.value] + c.shown.access.widthBytes,
                                    item.startByte + item.bytes);
            if (from < to)
                canvas.rect({c.ruler.x(from) + 0.25f, top,
                             std::max(1.0f, f32(to - from) * c.ruler.pixels - 0.5f), bar},
                            {.fill = c.shown.color(lane)});
        }
        const bool ours = item.lanes.has(c.shown.cursor);
        canvas.hit(box,
                   c.shown.hitOf(c.shown.laneToGo(item.lanes),
                                 say(c.shown.language, item.lanes.empty() ? kItemOfOthers : kItemHover,
                                     item.bytes, s64(item.startByte - c.shown.zero),
                                     explain::lanesText(item.lanes, c.shown.language), item.lanes.count())));
        if (ours && !mine) mine = box;
    }
    if (mine) cursorBox(canvas, *mine, 3);
    const f32 end = y + (oneRow ? tall : std::min(bottom - y, f32(rows) * tall));
    f32 at = end + 14;
    const std::optional<std::string> why =
        whyAlone(c);  // a fact of this access; the others say what the marks mean
    for (const std::string& note : notesOn(c)) {
        const f32 high = f32(canvas.wrap(note, c.ruler.area.width, kNote).size()) * kNoteLine;
        if (at - 10 + high > bottom + below) continue;
        canvas.paragraph({c.ruler.area.x, at}, c.ruler.area.width, note, kNote, kNoteLine / kNote.size);
        if (note != why) canvas.key({c.ruler.area.x - 2, at - kNoteLine / 2, c.ruler.area.width, high});
        at += high;
    }
    return std::max(end, at - 14 - kNoteLine);
}

}  // namespace lockstep::viz
