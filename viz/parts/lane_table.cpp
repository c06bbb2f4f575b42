#include "viz/parts/lane_table.h"

#include "viz/marks/cursor_box.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/phrases.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kMoreLanes = english("lanes {1}–{2}; {0} more");
constexpr f32 kRow = 28, kLeastRow = 20, kTitle = 46;

// Whole numbers of a column, all with their ".0" or none: longer ones are written without it.
void writeAlike(std::vector<LaneTable::Row>& rows, std::string LaneTable::Row::*column, std::size_t most) {
    constexpr std::string_view kWhole = ".0";
    const auto isLong = [&](const LaneTable::Row& row) {
        const std::string& text = row.*column;
        const bool isNumber =
            !text.empty() && (text.front() == '-' || (text.front() >= '0' && text.front() <= '9'));
        return isNumber && (text.size() > most || text.find('.') == std::string::npos);
    };
    if (std::ranges::none_of(rows, isLong)) return;
    for (LaneTable::Row& row : rows)
        for (std::size_t at = 0; (at = (row.*column).find(kWhole, at)) != std::string::npos;) {
            const std::size_t end = at + kWhole.size();
            const bool ends = end == (row.*column).size() || (row.*column)[end] == ' ';
            ends ? void((row.*column).erase(at, kWhole.size())) : void(at = end);
        }
}

// The largest of these two sizes in which no row's text has more characters than it has room for.
f32 sizeForAll(const std::vector<LaneTable::Row>& rows, std::string LaneTable::Row::*column, std::size_t most,
               f32 size, f32 smaller) {
    return std::ranges::any_of(rows, [&](const LaneTable::Row& row) { return (row.*column).size() > most; })
               ? smaller
               : size;
}

// Where the rows that have room begin: with the cursor's lane, and as many as can be with it that do not read
// what they ask for, or nothing; or where the wheel has put them.
u32 firstShown(const ViewInput& in, u32 shown, u32 exist, const LaneTable& table) {
    const u32 cursor = in.cursor.lane.value, around = firstAround(cursor, shown, exist);
    if (shown >= exist) return around;
    if (const auto& scrolled = in.state.lanes; scrolled && scrolled->cursor == in.cursor.lane)
        return std::min(scrolled->first, exist - shown);
    std::vector<u32> before{0};  // such lanes before each
    for (u32 lane = 0; lane < exist; ++lane) {
        const LaneTable::Row row = table.rowOf(Lane{lane});
        before.push_back(before.back() + (row.astray || row.mark == false));
    }
    const auto count = [&](u32 first) { return before[first + shown] - before[first]; };
    u32 best = around;
    for (u32 first = cursor < shown ? 0 : cursor - shown + 1; first <= std::min(cursor, exist - shown);
         ++first)
        if (count(first) > count(best)) best = first;
    return best;
}

}  // namespace

f32 laneTableHeight(const ViewInput& in, const CursorContext& here, const Rect& side) {
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    const f32 whole = kTitle + f32(exist) * kRow, key = 22 + 20 * 11;
    return std::min(whole, std::max(side.height - key - 16, side.height * 0.45f));
}

void drawLaneTable(Canvas& canvas, const ViewInput& in, const CursorContext& here, const Rect& area,
                   const LaneTable& table) {
    const Language l = in.language;
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    // Closer rather than without the last ones; but where not all have room even so, easier to read.
    const f32 forRows = std::max(0.0f, area.height - kTitle),
              ofAll = exist ? std::min(kRow, std::floor(forRows / f32(exist))) : kRow,
              high = ofAll >= kLeastRow ? ofAll : kRow, chip = std::min(20.0f, high - 4);
    const u32 room = u32(forRows / high), shown = room >= exist ? exist : room > 1 ? room - 1 : room;
    if (shown == 0) return;
    const u32 first = firstShown(in, shown, exist, table);
    const f32 x = area.x, right = area.x + area.width - 4;
    const std::string existText = exist < kWarpSize ? say(l, kLanesExist, exist) : std::string();
    const TextStyle note{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextThird)};
    const f32 titleWide = canvas.textWithin({x, area.y + 10}, area.width,
                                            say(l, kLanesOfWarp, in.cursor.warp.value), {.bold = true});
    if (canvas.width(existText, note) < area.width - titleWide - 12)
        canvas.text({right, area.y + 10}, existText, note);
    const Words &firstTitle = table.first, &lastTitle = table.last;
    const bool marks = table.marks != nullptr;
    const TextStyle head{.size = type::kAxis, .role = role(RoleKind::TextThird)};
    const TextStyle cell{.size = type::kCode, .mono = true};
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    f32 threadWide = 38;  // of the widest name, so that all columns stay where they are while lanes scroll
    for (u32 lane = 0; lane < exist; ++lane)
        threadWide = std::max(
            threadWide,
            canvas.width(
                shortCoordinates(explain::threadOf(launch, in.cursor.warp, Lane{lane}), launch.block), cell));
    // A chip with a number says what it is; a language with longer words leaves its head out.
    f32 laneWide = std::max(28.0f, canvas.width(kColumnLane.in(l), head));
    const f32 headsWide = laneWide + threadWide + canvas.width(firstTitle.in(l), head) +
                          canvas.width(lastTitle.in(l), head) +
                          (marks ? canvas.width(table.marks->in(l), head) : 0) + 26;
    const bool hasLaneHead = headsWide <= right - x;
    if (!hasLaneHead) laneWide = 28;
    std::vector<LaneTable::Row> rows;
    for (u32 i = 0; i < shown; ++i)
        rows.push_back(table.rowOf(Lane{first + i}));
    writeAlike(rows, &LaneTable::Row::first, 11);
    writeAlike(rows, &LaneTable::Row::last, 7);
    const f32 firstSize = sizeForAll(rows, &LaneTable::Row::first, 9, type::kCode, type::kAxis),
              lastSize = sizeForAll(rows, &LaneTable::Row::last, 6, type::kBody, type::kCode);
    constexpr f32 kMostLast = 52;
    const TextStyle lastStyle{.size = lastSize, .bold = true, .mono = true, .align = Align::Right};
    f32 lastWide = std::max(40.0f, canvas.width(lastTitle.in(l), head));
    for (const LaneTable::Row& row : rows)
        lastWide = std::max(lastWide, std::min(kMostLast, canvas.width(row.last, lastStyle)));
    const f32 c1 = x + laneWide + 4, c2 = c1 + threadWide + 10,
              marksWide = marks ? std::max(34.0f, canvas.width(table.marks->in(l), head)) : 34,
              c3 = right - lastWide - 1 - marksWide / 2;
    if (hasLaneHead) canvas.textWithin({x, area.y + 33}, laneWide, kColumnLane.in(l), head);
    canvas.textWithin({c1, area.y + 33}, c2 - c1 - 4, kColumnThread.in(l), head);
    canvas.textWithin({c2, area.y + 33}, c3 - marksWide / 2 - 7 - c2, firstTitle.in(l), head);
    canvas.hit({c2, area.y + 26, c3 - marksWide / 2 - 7 - c2, 14}, {.hover = say(l, firstTitle)});
    if (marks)
        canvas.textWithin({c3, area.y + 33}, marksWide, table.marks->in(l),
                          {.size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::TextThird)});
    canvas.textWithin({right, area.y + 33}, lastWide, lastTitle.in(l),
                      {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)});
    for (u32 i = 0; i < shown; ++i) {
        const Lane lane{first + i};
        const f32 middle = area.y + kTitle + (f32(i) + 0.5f) * high;
        const Rect box{x - 4, middle - high / 2 + 1, area.width + 2, high - 2};
        const bool ours = lane == in.cursor.lane;
        if (ours) canvas.rect(box, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        const Role fill = warpRole(in.cursor.warp, lane, exist);
        canvas.rect({x, middle - chip / 2, 22, chip}, {.fill = fill, .radius = radius::kControl});
        canvas.text(
            {x + 11, middle}, std::to_string(lane.value),
            {.size = type::kCode, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)});
        const LaneTable::Row& row = rows[i];
        canvas.textWithin({c1, middle}, c2 - c1 - 4,
                          shortCoordinates(explain::threadOf(launch, in.cursor.warp, lane), launch.block),
                          cell);
        canvas.textWithin({c2, middle}, marks ? c3 - c2 - 8 : right - c2 - 54, row.first,
                          {.size = firstSize, .mono = true});
        if (row.mark && marks) {
            if (row.astray)
                warning(canvas, {c3, middle}, 14);
            else if (*row.mark)
                tick(canvas, {c3, middle}, role(RoleKind::TextSecond));
            else
                cross(canvas, {c3, middle}, role(RoleKind::TextSecond), 0.9f);
        }
        canvas.textWithin({right, middle}, kMostLast, row.last, lastStyle);
        Cursor go = in.cursor;
        go.lane = lane;
        canvas.hit(box, {.hover = laneSentence(in, here, lane), .go = go});
        if (ours) cursorBox(canvas, box);
    }
    if (shown < exist) canvas.lanes({.area = area, .first = first, .most = exist - shown});
    if (shown < exist && room > shown)
        canvas.textWithin({x, area.y + kTitle + (f32(shown) + 0.5f) * high}, area.width,
                          say(l, kMoreLanes, exist - shown, first, first + shown - 1),
                          {.size = type::kAxis, .role = role(RoleKind::TextThird)});
}

}  // namespace lockstep::viz
