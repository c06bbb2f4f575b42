#include "viz/stage/second_thread.h"

#include "viz/finding_at.h"
#include "viz/finding_places.h"
#include "viz/findings_on_show.h"
#include "viz/lookup.h"
#include "viz/marks/cell.h"
#include "viz/messages.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr Words kReadBy{"read by thread {0}", "由线程 {0} 读取"};
constexpr Words kWrittenBy{"written by thread {0}", "由线程 {0} 写入"};
constexpr Words kChangedBy{"changed by thread {0}", "由线程 {0} 修改"};

const Words& whatIt(trace::AccessKind does) {
    switch (does) {
        case trace::AccessKind::Load: return kReadBy;
        case trace::AccessKind::Store: return kWrittenBy;
        default: return kChangedBy;
    }
}

}  // namespace

std::optional<SecondThread> secondThreadAt(const ViewInput& in) {
    const trace::Finding* finding = in.run.module ? findingAt(in.run, in.cursor) : nullptr;
    if (!finding || !finding->other || !(finding->other->block == in.cursor.block)) return std::nullopt;
    const std::string name =
        say(in.language, whatIt(finding->other->kind),
            coordinates(finding->other->thread, launchOf(in.run, finding->launch).block));
    return SecondThread{finding->space,
                        finding->address,
                        name,
                        textOf(in.run, *finding).in(in.language),
                        cursorOf(in.run, *finding, *finding->other),
                        trace::isRemark(finding->kind)};
}

void draw(Canvas& canvas, const SecondThread& second, const Rect& cell, const Rect& area, bool isFirst) {
    constexpr f32 kLeastCell = 6, kApart = 5, kSign = 12;
    const f32 grown = std::max(0.0f, kLeastCell - cell.width) / 2;
    const Rect box = cell.inset(-grown);
    const Role colour = roleOfFound(second.isRemark);
    canvas.rect(box, {.stroke = {colour, line::kRead}, .radius = box.width > 12 ? radius::kCell : 0.0f});
    const TextStyle style{.size = type::kCode, .bold = true, .role = colour};
    const f32 text = canvas.width(second.name, style) + 5, wide = kSign + 4 + text;
    // So that it hides no other cell, or at least stays in the picture.
    const bool hasLeft = box.x - kApart - wide >= area.x,
               hasRight = box.right() + kApart + wide <= area.right(),
               isRight = hasRight && !(isFirst && hasLeft);
    const f32 left = std::max(area.x, isRight ? box.right() + kApart : box.x - kApart - wide),
              y = std::clamp(box.centre().y, area.y + 9, std::max(area.y + 9, area.bottom() - 9));
    const Rect plate{left, y - 9, wide, 18};
    canvas.rect(plate, {.fill = role(RoleKind::Ground), .radius = radius::kCell});
    drawFound(canvas, {left + kSign / 2 + 2, y}, kSign, second.isRemark);
    textOnGround(canvas, {left + kSign + 4 + text / 2, y}, second.name, style);
    canvas.hit(plate, {.hover = second.sentence, .go = second.go});
}

}  // namespace lockstep::viz
