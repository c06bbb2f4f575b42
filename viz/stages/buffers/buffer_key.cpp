// What the marks of the stage of any kernel mean.
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/diamond.h"
#include "viz/messages.h"
#include "viz/stages/buffers/buffer_drawing.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kKeyAtomic = english("atomic: read-modify-write in one operation");
constexpr Words kAtomicInBrief = english("atomic");
constexpr Words kKeyOwnPart = english("this block's cells");
constexpr Words kKeyHalo = english("halo: cells of neighboring blocks");
constexpr Words kKeyReadBefore = english("value already read");
constexpr Words kKeyReadByLane = english("the same, by the cursor's lane");
constexpr Words kKeyReadByLaneAlone = english("value already read by the cursor's lane");
// The same where the key has little room.
constexpr Words kTouchedNowInBrief = english("now");
constexpr Words kTouchedInBrief = english("before");
constexpr Words kOwnPartInBrief = english("this block's part");
constexpr Words kHaloInBrief = english("halo");
constexpr Words kReadInBrief = english("already read");
constexpr Words kReadByLaneInBrief = english("by the cursor's lane");
constexpr Words kKeyThreadElement = english("cell of the cursor's lane");
constexpr Words kThreadElementInBrief = english("own element");

}  // namespace

void BufferStage::drawKey(Point at) {
    const f32 room = in_.size.width - 2 * space::kInset;
    std::vector<KeyRow> rows = drawnOf(canvas_, keys(false));
    if (keyRowWidth(canvas_, rows) > room) rows = drawnOf(canvas_, keys(true));
    keyRow(canvas_, at, room, rows);
}

std::vector<KeyRow> BufferStage::keys(bool inBrief) const {
    const Role color = warpRole(in_.cursor.warp);
    const auto words = [&](const Words& whole, const Words& brief) {
        return say(in_.language, inBrief ? brief : whole);
    };
    std::vector<KeyRow> rows{
        {[color](Canvas& c, Point p) {
             c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = color, .radius = 2});
         },
         words(kTouchedNow, kTouchedNowInBrief)},
        {[](Canvas& c, Point p) {
             c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2});
         },
         words(kTouchedByBlock, kTouchedInBrief)}};
    const auto outlined = [&](Stroke stroke, const Words& whole, const Words& brief) {
        rows.push_back({[stroke](Canvas& c, Point p) {
                            c.line({p.x - 8, p.y - 5}, {p.x + 7, p.y - 5}, stroke);
                            c.line({p.x + 7, p.y - 5}, {p.x + 7, p.y + 5}, stroke);
                            c.line({p.x - 8, p.y + 5}, {p.x + 7, p.y + 5}, stroke);
                            c.line({p.x - 8, p.y - 5}, {p.x - 8, p.y + 5}, stroke);
                        },
                        words(whole, brief)});
    };
    if (hasPart_) outlined(kPartLine, kKeyOwnPart, kOwnPartInBrief);
    if (hasHalo_) outlined(kHaloLine, kKeyHalo, kHaloInBrief);
    if (hasOwnCell_)
        rows.push_back({[](Canvas& c, Point p) {
                            drawThreadElement(c, {p.x - 6, p.y - 6, 12, 12});
                        },
                        words(kKeyThreadElement, kThreadElementInBrief)});
    if (hasUnused_)
        rows.push_back({[](Canvas& c, Point p) {
                            ghostCell(c, {p.x - 8, p.y - 7, 16, 14}, false);
                        },
                        say(in_.language, kKeyPadding)});
    const auto addRead = [&](bool byCursor, const Words& whole, const Words& brief) {
        rows.push_back({[color, byCursor](Canvas& c, Point p) {
                            drawRead(c, {p.x - 6, p.y - 6, 12, 12}, color, byCursor);
                        },
                        words(whole, brief)});
    };
    if (hasSources_) addRead(false, kKeyReadBefore, kReadInBrief);
    if (hasCursorsSources_)
        addRead(true, hasSources_ ? kKeyReadByLane : kKeyReadByLaneAlone, kReadByLaneInBrief);
    if (isAtomic_)
        rows.push_back({[color](Canvas& c, Point p) {
                            c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = color, .radius = 2});
                            diamond(c, p, inkOn(color));
                        },
                        words(kKeyAtomic, kAtomicInBrief)});
    rows.push_back({[](Canvas& c, Point p) {
                        cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3);
                    },
                    say(in_.language, kKeyCursor)});
    return rows;
}

void BufferStage::drawRead(Canvas& canvas, const Rect& box, Role color, bool byCursor) {
    canvas.rect(box, {.stroke = {color, line::kUnread}, .radius = box.width > 9 ? 2.0f : 0.0f});
    const f32 tall = std::max(1.5f, std::min(4.0f, box.height * 0.3f));
    if (byCursor) canvas.rect({box.x, box.bottom() - tall, box.width, tall}, {.fill = color});
}

void BufferStage::drawThreadElement(Canvas& canvas, const Rect& cell) {
    const bool isNumbered = cell.width >= kNumbered;
    const f32 radius = std::clamp(cell.width * (isNumbered ? 0.11f : 0.22f), 1.5f, 3.0f),
              inset = std::clamp((cell.width - kNumbered) / 3, 1.0f, 3.0f);  // clear of the digit
    const Point at =
        isNumbered ? Point{cell.right() - radius - inset, cell.y + radius + inset} : cell.centre();
    canvas.rect({at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                {.fill = role(RoleKind::Cursor), .radius = radius});
}

}  // namespace lockstep::viz
