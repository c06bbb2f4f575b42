// Draws the cursor's marks.
#include "viz/marks/cursor_box.h"

namespace lockstep::viz {
namespace {

f32 filledText(Canvas& canvas, Point at, const std::string& text, TextStyle style, Role fill, Role ink,
               f32 minWidth, f32 height, f32 beside = 6) {
    const f32 width = std::max(minWidth, canvas.width(text, style) + 2 * beside),
              tall = height > 0 ? height : style.size + 8;
    const f32 left = style.align == Align::Centre  ? at.x - width / 2
                     : style.align == Align::Right ? at.x - width
                                                   : at.x;
    canvas.rect({left, at.y - tall / 2, width, tall}, {.fill = fill, .radius = radius::kControl});
    style.align = Align::Centre;
    style.role = ink;
    canvas.text({left + width / 2, at.y}, text, style);
    return width;
}

}  // namespace

void cursorBox(Canvas& canvas, const Rect& inner, f32 radius) {
    const f32 out = line::kCursorGap + line::kCursor / 2;
    canvas.rect(inner.inset(-out), {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = radius});
}

f32 cursorChip(Canvas& canvas, Point at, const std::string& text, TextStyle style, f32 minWidth, f32 height,
               f32 beside) {
    return filledText(canvas, at, text, style, role(RoleKind::Cursor), role(RoleKind::CursorInk), minWidth,
                      height, beside);
}

f32 chip(Canvas& canvas, Point at, const std::string& text, TextStyle style) {
    return filledText(canvas, at, text, style, role(RoleKind::Raised), style.role, 0, 0);
}

}  // namespace lockstep::viz
