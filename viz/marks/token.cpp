// Draws tokens.
#include "viz/marks/token.h"

#include "viz/marks/cell.h"

#include <algorithm>

namespace lockstep::viz {

Rect bounds(const Token& t) {
    return {t.centre.x - t.width / 2, t.centre.y - t.height / 2, t.width, t.height};
}

void draw(Canvas& canvas, const Token& t) {
    const Rect box = bounds(t);
    // Sized for five characters at least, so that neighbors with shorter values look alike; the lane's number
    // only where both can be read.
    TextStyle style{.bold = true, .mono = true, .align = Align::Centre};
    const std::string sizedFor = t.value.size() < 5 ? std::string(5, '0') : t.value;
    const f32 comparedLane = 9 + f32(t.lane.size()) * 5, most = std::min(14.0f, t.height * 0.6f);
    const bool withLane = !t.lane.empty() && fittingSize(canvas, sizedFor, t.width - comparedLane - 6, style,
                                                         most) >= std::min(type::kAxis, most);
    const f32 laneWidth = withLane ? comparedLane : 0;
    const Role ink = t.hollow ? role(RoleKind::Text) : inkOn(t.fill);
    if (t.hollow) {
        Role hatch = t.fill;
        hatch.alpha = 0.55f;
        canvas.rect(box, {.fill = role(RoleKind::Ground),
                          .stroke = {t.fill, line::kUnread},
                          .radius = radius::kToken,
                          .hatch = hatch,
                          .hatchPitch = 7});
    } else {
        canvas.rect(box, {.fill = t.fill, .radius = radius::kToken});
    }
    style.role = ink;
    if (t.value.empty()) {  // no room for values: the lane alone
        style.size = fittingSize(canvas, t.lane, t.width - 4, style, std::min(type::kAxis, t.height));
        if (style.size > 0) canvas.text(t.centre, t.lane, style);
        return;
    }
    style.size = fittingSize(canvas, sizedFor, t.width - laneWidth - 4, style, most);
    if (style.size == 0) style.size = fittingSize(canvas, t.value, t.width - laneWidth - 4, style, most);
    const Point valueAt{box.x + laneWidth + (t.width - laneWidth) / 2, t.centre.y};
    if (style.size > 0) {
        if (t.hollow)
            textOnGround(canvas, valueAt, t.value, style);
        else
            canvas.text(valueAt, t.value, style);
    }
    if (!withLane) return;
    const TextStyle laneStyle{
        .size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = ink};
    const Point laneAt{box.x + 2 + laneWidth / 2, t.centre.y};
    if (t.hollow) {
        textOnGround(canvas, laneAt, t.lane, laneStyle);
    } else {
        canvas.text(laneAt, t.lane, laneStyle);
        canvas.line({box.x + laneWidth + 2, t.centre.y - t.height * 0.27f},
                    {box.x + laneWidth + 2, t.centre.y + t.height * 0.27f}, {ink, 0.5f});
    }
}

void drawValueSign(Canvas& canvas, Point centre, Role color, bool hasNumber) {
    canvas.rect({centre.x - 12, centre.y - 8, 24, 16}, {.fill = color, .radius = radius::kCell});
    if (hasNumber)
        canvas.text(
            centre, "0",
            {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(color)});
}

}  // namespace lockstep::viz
