// Of the matrix stage: the row-major strip where reads go astray, and the key of all marks.
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/key_columns.h"
#include "viz/messages.h"
#include "viz/stages/matmul/matmul_drawing.h"
#include "viz/stages/matmul/matmul_table.h"

#include <algorithm>
#include <map>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kKeyWrong = english("not what was asked for");
constexpr Words kKeyAsked = english("asked for; no such cell");
constexpr Words kKeyReadNow = english("read now");
constexpr Words kKeyMadeUp = english("0.0, filled in by the kernel");
constexpr Words kKeyToGo = english("remaining path");
constexpr Words kKeyOfBlock = english("the block's part of {0}");
constexpr Words kOfBlockInBrief = english("block's part of {0}");
constexpr Words kKeyBands = english("rows, columns the block needs");
constexpr Words kBandsInBrief = english("needed rows, columns");
constexpr Words kKeySegmentOfThread = english("row, column of the thread");
constexpr Words kSegmentInBrief = english("thread's row, column");
constexpr Words kKeySegmentInMatrix = english("row, column in the matrix");
constexpr Words kSegmentInMatrixInBrief = english("loaded from here");
constexpr Words kKeyPasses = english("passes the check: stores");
constexpr Words kKeyFails = english("fails the check: stores nothing");
constexpr Words kKeyPastEnd = english("read past the end");
// Where the key is a row.
constexpr Words kValueInBrief = english("value");
constexpr Words kOutsideInBrief = english("ghost cell");
constexpr Words kReadInBrief = english("read");
constexpr Words kTileInBrief = english("block's tile");
constexpr Words kTileNextInBrief = english("loaded next");

}  // namespace

void MatmulStage::drawStrip(const Rect& area) {
    const Operand& operand = current();
    const Matrix& m = operand.matrix;
    const u64 count = m.rows * m.columns;
    const auto elementOf = [&](const Transfer& t) { return t.read->row * s64(m.columns) + t.read->column; };
    std::map<s64, const Transfer*> readers;
    for (const Transfer& t : operand.transfers)
        if (t.round == facts_.round && t.read && t.warp == in_.cursor.warp &&
            progressOf(t) != Progress::Ahead)
            readers[elementOf(t)] = &t;
    // As far as something is read, where that is not far beyond the end; around what is spoken of where all
    // has no room.
    constexpr s64 kBeyond = 16;
    const s64 last = readers.empty() ? 0 : std::min(readers.rbegin()->first, s64(count) + kBeyond);
    const u64 cells = std::max<u64>(count + 2, u64(std::max<s64>(0, last)) + 1);
    const Transfer* wrong = wrongSpokenOf();
    const f32 label = canvas_.width(cellName(m, {s64(m.rows) - 1, s64(m.columns) - 1}),
                                    {.size = type::kAxis, .bold = true, .mono = true}) +
                      8;
    const f32 pitch = std::max(label, std::clamp(area.width / f32(cells), 46.0f, 64.0f));
    const u64 shown = std::max<u64>(1, u64(area.width / pitch));
    const s64 low = wrong ? elementOf(*wrong) : readers.empty() ? 0 : readers.begin()->first;
    const s64 first = cells <= shown ? 0 : std::max<s64>(0, low - s64(shown) / 2);
    const Buffer& buffer = in_.run.recording.initial[m.buffer];
    const f32 y = area.y + 24, tall = 30;
    const auto cellOf = [&](s64 element) {
        return Rect{area.x + f32(element - first) * pitch, y, pitch, tall};
    };
    // An arrow for each read that goes astray where there are few; the one that is spoken of is thick and in
    // front.
    std::vector<const Transfer*> astray;
    for (const auto& [element, reader] : readers)
        if (isWrong(*reader) && reader->asked && element >= first && element < first + s64(shown))
            astray.push_back(reader);
    constexpr std::size_t kMostArrows = 4;
    if (astray.size() > kMostArrows || layout_.magnified || layout_.alone)
        std::erase_if(astray, [&](const Transfer* t) { return t != wrong; });
    std::ranges::stable_partition(astray, [&](const Transfer* t) { return t != wrong; });
    for (std::size_t i = 0; i < astray.size(); ++i)
        drawAstray(*astray[i], cellOf(elementOf(*astray[i])), area, u32(astray.size() - 1 - i),
                   astray[i] == wrong);
    const std::string title =
        canvas_.cut(say(in_.language, kMemoryRows, m.name), area.width, {.size = type::kBody, .bold = true});
    textOnGround(canvas_,
                 {area.x + canvas_.width(title, {.size = type::kBody, .bold = true}) / 2, area.y + 10}, title,
                 {.size = type::kBody, .bold = true});
    if (first + s64(shown) < s64(count))
        canvas_.text({cellOf(first + s64(shown)).x + 3, y + tall / 2}, "…",
                     {.size = type::kBody, .role = role(RoleKind::TextSecond)});
    for (u64 i = 0; i < shown; ++i) {
        const s64 element = first + s64(i);
        const Rect cell = cellOf(element);
        const CellIndex index{element / s64(m.columns), element % s64(m.columns)};
        const bool inside = u64(element) < count;
        if (!inside && u64(element) >= cells) break;
        const auto reader = readers.find(element);
        const bool isRead = reader != readers.end();
        const Role fill =
            !isRead ? role(RoleKind::Raised) : laneColor(reader->second->warp, reader->second->lane);
        const TextStyle value{.size = type::kBody,
                              .bold = true,
                              .mono = true,
                              .align = Align::Centre,
                              .role = isRead ? inkOn(fill) : role(RoleKind::TextSecond)};
        if (inside || isRead)
            canvas_.rect(cell.inset(1), {.fill = fill, .radius = radius::kCell});
        else
            ghostCell(canvas_, cell, false);
        const std::string text = inside   ? explain::numberText(buffer.valueAt(u64(element)), true, 6)
                                 : isRead ? reader->second->value
                                          : std::string();
        const f32 numbered = isRead && pitch >= 58 ? 12 : 0;
        if (!text.empty()) canvas_.text({cell.centre().x + numbered / 2, cell.centre().y}, text, value);
        if (inside) canvas_.cell({.rect = cell, .at = addressOf(m, u64(element))});
        if (numbered > 0)
            canvas_.text({cell.x + 10, cell.y + 9}, std::to_string(reader->second->lane.value),
                         {.size = type::kAxis,
                          .bold = true,
                          .mono = true,
                          .align = Align::Centre,
                          .role = inkOn(fill)});
        if (index.column == 0 && i)
            canvas_.line({cell.x, y - 6}, {cell.x, y + tall + 16}, {role(RoleKind::Edge), 2});
        const std::string name = inside ? cellName(m, index) : say(in_.language, kPastEnd);
        canvas_.textWithin({cell.centre().x, y + tall + 11}, pitch - 2, name,
                           {.size = type::kAxis,
                            .bold = isRead,
                            .mono = inside,
                            .align = Align::Centre,
                            .role = role(isRead ? RoleKind::Text : RoleKind::TextThird)});
        if (!isRead) {
            if (inside)
                canvas_.hit(cell, linkToElement(m, u64(element), say(in_.language, kCellIs, name, text)));
            continue;
        }
        const Transfer& t = *reader->second;
        if (isWrong(t))
            canvas_.rect(cell.inset(2), {.stroke = {role(RoleKind::Finding), 2}, .radius = radius::kCell});
        canvas_.hit(cell,
                    {.hover = transferSentence(in_, operand, t), .go = at(t.warp, t.lane, in_.cursor.step)});
        if (isCursor(t.warp, t.lane)) cursorBox(canvas_, cell.inset(1));
    }
}

void MatmulStage::drawAstray(const Transfer& t, const Rect& cell, const Rect& strip, u32 track,
                             bool isSpokenOf) {
    const Matrix& m = current().matrix;
    const Point origin = facts_.onN ? layout_.n : layout_.m, to{cell.centre().x, cell.y - 2};
    const Rect ghost = layout_.cellAt(origin, *t.asked);
    const Stroke stroke{role(RoleKind::Finding), isSpokenOf ? line::kRead : line::kUnread};
    constexpr f32 kArrow = 9, kBeside = 12, kTrack = 6;
    const f32 aside = f32(track) * kTrack;     // of other arrows
    if (layout_.magnified || layout_.alone) {  // from the map, or past the cells below
        const Point from = layout_.alone ? Point{ghost.right(), ghost.bottom() - 8} : ghost.centre(),
                    out = layout_.alone ? Point{from.x + 44, from.y} : Point{from.x, from.y + 40};
        canvas_.curve({from, out, Point{to.x, to.y - 60}, to}, stroke, kArrow);
        return;
    }
    const f32 right = origin.x + f32(facts_.onN ? layout_.columnsN : layout_.inner) * layout_.cell + kBeside +
                      aside,
              low = strip.y - 2 - aside;
    std::vector<Point> way;
    if (t.asked->column >= s64(m.columns))
        way = {{ghost.right(), ghost.centre().y}, {right, ghost.centre().y}, {right, low}};
    else if (facts_.onN)
        way = {{ghost.centre().x, ghost.bottom()},
               {ghost.centre().x, ghost.bottom() + 8},
               {right, ghost.bottom() + 8},
               {right, low}};
    else
        way = {{ghost.centre().x, ghost.bottom()}, {ghost.centre().x, low}};
    way.push_back({to.x, low});
    way.push_back(to);
    for (std::size_t i = 0; i + 1 < way.size(); ++i)
        canvas_.line(way[i], way[i + 1], stroke, i + 2 == way.size() ? kArrow : 0);
}

void MatmulStage::drawMarksKey(const Rect& area) {
    if (area.height < 60) return;
    canvas_.textWithin({area.x, area.y + 10}, area.width, kMarks.in(in_.language), {.bold = true});
    keyInColumns(canvas_, {area.x, area.y + 22, area.width, area.height - 22}, drawnOf(canvas_, marks(false)),
                 drawnOf(canvas_, marks(true)));
}

std::vector<KeyRow> MatmulStage::marks(bool inBrief) const {
    const auto words = [&](const Words& whole, const Words& brief) {
        return say(in_.language, inBrief ? brief : whole);
    };
    const Role color = warpColor();
    std::vector<KeyRow> rows;
    const std::vector<Transfer>& all = current().transfers;
    const auto addWrong = [&] {
        rows.push_back({[](Canvas& c, Point p) {
                            c.rect(
                                {p.x - 12, p.y - 8, 24, 16},
                                {.stroke = {role(RoleKind::Finding), line::kTile}, .radius = radius::kCell});
                        },
                        say(in_.language, kKeyWrong)});
    };
    const bool hasWrong =
        std::ranges::any_of(all, [&](const Transfer& t) { return t.round == facts_.round && isWrong(t); });
    if (inBrief && hasWrong) addWrong();  // first, lest there be no room left
    constexpr f32 kNumbered = 12;
    const bool hasNumbers = std::max(layout_.cell, facts_.tiled() ? layout_.tileCell : 0) > kNumbered;
    rows.push_back({[color, hasNumbers](Canvas& c, Point p) { drawValueSign(c, p, color, hasNumbers); },
                    facts_.tiled() ? words(hasNumbers ? kKeyValue : kValueInBrief, kValueInBrief)
                                   : say(in_.language, kKeyReadNow)});
    rows.push_back({[](Canvas& c, Point p) {
                        ghostCell(c, {p.x - 12, p.y - 8, 24, 16}, true);
                    },
                    words(kKeyOutside, kOutsideInBrief)});
    rows.push_back({[color](Canvas& c, Point p) {
                        Role hatch = color;
                        hatch.alpha = 0.55f;
                        c.rect({p.x - 12, p.y - 8, 24, 16}, {.fill = role(RoleKind::Ground),
                                                             .stroke = {color, line::kUnread},
                                                             .radius = radius::kCell,
                                                             .hatch = hatch,
                                                             .hatchPitch = 7});
                    },
                    say(in_.language, kKeyMadeUp)});
    const auto pastEnd =
        std::ranges::find_if(all, [&](const Transfer& t) { return t.round == facts_.round && t.outside; });
    if (layout_.strip) {
        if (!layout_.magnified)
            rows.push_back(
                {[](Canvas& c, Point p) {
                     const Rect box{p.x - 12, p.y - 8, 24, 16};
                     ghostCell(c, box, true);
                     c.rect(box, {.stroke = {role(RoleKind::Finding), line::kTile}, .radius = radius::kCell});
                     textOnGround(c, p, "?", {.size = type::kAxis, .bold = true, .mono = true});
                 },
                 say(in_.language, kKeyAsked)});
        rows.push_back({[](Canvas& c, Point p) {
                            c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {role(RoleKind::Finding), 2}, 8);
                        },
                        say(in_.language, kKeyAstray)});
        if (!inBrief) addWrong();
        if (pastEnd != all.end())
            rows.push_back(
                {[text = pastEnd->value.substr(0, 3)](Canvas& c, Point p) {
                     c.text(p, text,
                            {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre});
                 },
                 say(in_.language, kKeyPastEnd)});
    }
    if (facts_.tiled()) {
        rows.push_back({[color](Canvas& c, Point p) {
                            c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {color, line::kRead});
                        },
                        words(kKeyRead, kReadInBrief)});
        rows.push_back({[color](Canvas& c, Point p) {
                            c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {color, line::kUnread, Dash::Dashed});
                        },
                        say(in_.language, kKeyUnread)});
        rows.push_back({[color](Canvas& c, Point p) {
                            c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {color, 1.2f, Dash::Dotted}, 6);
                        },
                        say(in_.language, kKeyToGo)});
        rows.push_back(
            {[](Canvas& c, Point p) {
                 c.line({p.x - 12, p.y}, {p.x + 12, p.y}, {role(RoleKind::TextThird), 1, Dash::Sparse});
             },
             say(in_.language, kKeyNext)});
        rows.push_back({[color](Canvas& c, Point p) {
                            c.rect({p.x - 12, p.y - 8, 24, 16},
                                   {.stroke = {color, line::kUnread, Dash::Dashed}, .radius = radius::kCell});
                        },
                        words(kKeyTileNext, kTileNextInBrief)});
    }
    rows.push_back(
        {[color](Canvas& c, Point p) {
             c.rect({p.x - 12, p.y - 8, 24, 16}, {.stroke = {color, line::kTile}, .radius = radius::kCell});
         },
         facts_.tiled() ? words(kKeyTile, kTileInBrief)
                        : say(in_.language, inBrief ? kOfBlockInBrief : kKeyOfBlock, facts_.p.name)});
    rows.push_back({[band = warpColor(kBand)](Canvas& c, Point p) {
                        c.rect({p.x - 12, p.y - 6, 24, 12}, {.fill = band});
                    },
                    words(kKeyBands, kBandsInBrief)});
    rows.push_back({[](Canvas& c, Point p) {
                        c.rect({p.x - 12, p.y - 3, 24, 6}, {.stroke = kSegmentLine, .radius = 1});
                    },
                    words(kKeySegmentOfThread, kSegmentInBrief)});
    rows.push_back({[color, fill = warpColor(0.28f)](Canvas& c, Point p) {
                        c.rect({p.x - 12, p.y - 4, 24, 8}, {.fill = fill, .stroke = {color, 1}, .radius = 1});
                    },
                    words(kKeySegmentInMatrix, kSegmentInMatrixInBrief)});
    if (facts_.tiled() && anyStale())
        rows.push_back({[](Canvas& c, Point p) {
                            const Rect box{p.x - 12, p.y - 8, 24, 16};
                            c.rect(box, {.fill = role(RoleKind::Inactive), .radius = radius::kCell});
                            cutCorner(c, box, RoleKind::Ground);
                        },
                        say(in_.language, kKeyStale)});
    if (hasTicks_)
        rows.push_back({[](Canvas& c, Point p) { tick(c, p, kPasses); }, say(in_.language, kKeyPasses)});
    if (hasCrosses_)
        rows.push_back({[](Canvas& c, Point p) { cross(c, p, kFails); }, say(in_.language, kKeyFails)});
    rows.push_back({[](Canvas& c, Point p) {
                        cursorBox(c, {p.x - 9, p.y - 6, 18, 12}, 3);
                    },
                    say(in_.language, kKeyCursor)});
    return rows;
}

}  // namespace lockstep::viz
