#include "viz/issue/issue_marks.h"

namespace lockstep::viz {
namespace {

constexpr f32 kWide = 4;       // from here on shapes can be told
constexpr f32 kThin = 2;       // of a fixed latency
constexpr f32 kLeastBusy = 2;  // so that a cycle of it is seen
constexpr f32 kFaint = 0.34f;  // of a wait's color
constexpr f32 kCorner = 5;     // of the cursor's frame

// Where a hatch has no room: unlike a store's mark, not solid.
void drawDashes(Canvas& canvas, const Rect& slot) {
    constexpr f32 kDash = 4, kGap = 3;
    for (f32 y = slot.y; y < slot.bottom(); y += kDash + kGap)
        canvas.rect({slot.x, y, std::max(slot.width, kLeastBusy), std::min(kDash, slot.bottom() - y)},
                    {.fill = role(RoleKind::Store, 0.75f)});
}

}  // namespace

f32 heightOf(IssueKind kind) {
    switch (kind) {
        case IssueKind::Arithmetic: return 0.55f;
        case IssueKind::Control: return 0.35f;
        case IssueKind::Barrier:
        case IssueKind::Load:
        case IssueKind::Store: break;
    }
    return 1;
}

Role roleOf(IssueKind kind) {
    switch (kind) {
        case IssueKind::Load: return role(RoleKind::Load);
        case IssueKind::Store: return role(RoleKind::Store);
        case IssueKind::Barrier: return role(RoleKind::Text);
        case IssueKind::Arithmetic:
        case IssueKind::Control: break;
    }
    return role(RoleKind::TextSecond);
}

void drawIssueMark(Canvas& canvas, const Rect& slot, IssueKind kind) {
    const f32 tall = slot.height * heightOf(kind), top = slot.bottom() - tall, right = slot.right(),
              base = slot.bottom(), middle = slot.x + slot.width / 2;
    const Role color = roleOf(kind);
    const f32 depth = std::min(3.0f, tall / 3);
    if (slot.width < kWide || kind == IssueKind::Arithmetic || kind == IssueKind::Control) {
        canvas.rect({slot.x, top, slot.width, tall}, {.fill = color});
    } else if (kind == IssueKind::Barrier) {
        canvas.rect(Rect{slot.x, top, slot.width, tall}.inset(0.5f), {.stroke = {color}});
    } else if (kind == IssueKind::Load) {
        canvas.polygon({{slot.x, base}, {slot.x, top}, {middle, top + depth}, {right, top}, {right, base}},
                       color);
    } else {
        canvas.polygon(
            {{slot.x, base}, {slot.x, top + depth}, {middle, top}, {right, top + depth}, {right, base}},
            color);
    }
}

std::optional<Rect> roomForWords(const Rect& slot, WaitLook look) {
    switch (look) {
        case WaitLook::Memory:
        case WaitLook::Others:
        case WaitLook::Code: return slot;
        case WaitLook::Result: return Rect{slot.x, slot.y + slot.height / 2, slot.width, slot.height / 2};
        case WaitLook::Busy:
        case WaitLook::Fixed:
        case WaitLook::NotSelected: break;
    }
    return std::nullopt;
}

bool isNarrowFrame(f32 width) {
    constexpr f32 kNarrow = 24;
    return width < kNarrow;
}

void drawCursorFrame(Canvas& canvas, const Rect& box, bool isCertain, bool isNarrow) {
    const Stroke stroke{role(RoleKind::Cursor), line::kCursor, isCertain ? Dash::Solid : Dash::Dashed};
    if (!isNarrow) return canvas.rect(box, {.stroke = stroke, .radius = 2});
    const f32 corner = std::min(kCorner, box.height / 3);
    for (const f32 x : {box.x, box.right()}) {
        canvas.line({x, box.y}, {x, box.y + corner}, stroke);
        canvas.line({x, box.bottom() - corner}, {x, box.bottom()}, stroke);
    }
    for (const f32 y : {box.y, box.bottom()})
        canvas.line({box.x, y}, {box.right(), y}, stroke);
}

void drawIdleMark(Canvas& canvas, const Rect& bar, bool isLongest) {
    canvas.rect(bar, {.fill = role(RoleKind::Finding, isLongest ? 0.35f : 0.18f),
                      .stroke = {isLongest ? role(RoleKind::Finding) : Role{}}});
}

void drawNoWarp(Canvas& canvas, const Rect& bar) {
    canvas.rect(bar, {.stroke = {role(RoleKind::Line)}, .hatch = role(RoleKind::Edge), .hatchPitch = 6});
}

void drawNoLane(Canvas& canvas, const Rect& slot) {
    canvas.rect({slot.x, slot.bottom() - 2, slot.width, 2}, {.fill = role(RoleKind::Finding)});
}

void drawPredicatedOffMark(Canvas& canvas, const Rect& mark) {
    canvas.rect(mark.inset(0.5f), {.stroke = {role(RoleKind::TextThird)}});
}

void drawWaitMark(Canvas& canvas, const Rect& slot, WaitLook look) {
    const Rect lower{slot.x, slot.y + slot.height / 2, slot.width, slot.height / 2};
    switch (look) {
        case WaitLook::Memory: return canvas.rect(slot, {.fill = role(RoleKind::Load, kFaint)});
        case WaitLook::Result: return canvas.rect(lower, {.fill = role(RoleKind::Load, kFaint)});
        case WaitLook::Others: return canvas.rect(slot, {.fill = role(RoleKind::TextThird, kFaint)});
        case WaitLook::Busy:
            if (slot.width < kWide) return drawDashes(canvas, slot);
            return canvas.rect(
                slot,
                {.fill = role(RoleKind::Store, 0.2f), .hatch = role(RoleKind::Store, 0.9f), .hatchPitch = 4});
        case WaitLook::Fixed:
            return canvas.rect({slot.x, slot.bottom() - kThin, slot.width, kThin},
                               {.fill = role(RoleKind::TextThird)});
        case WaitLook::Code:
            return canvas.rect(slot, {.hatch = role(RoleKind::Ghost, 0.8f), .hatchPitch = 7});
        case WaitLook::NotSelected:
            if (lower.width < 3) return canvas.rect(lower, {.fill = role(RoleKind::Edge, 0.5f)});
            return canvas.rect(lower.inset(0.5f), {.stroke = {role(RoleKind::Edge)}});
    }
}

}  // namespace lockstep::viz
