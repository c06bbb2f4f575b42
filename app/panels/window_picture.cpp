#include "app/panels/window_picture.h"

#include "app/panels/panels.h"
#include "app/panels/words.h"
#include "viz/cursor/presentation.h"
#include "viz/scene/canvas.h"
#include "viz/scene/scaled.h"

#include <algorithm>

namespace lockstep::app {
namespace {

using viz::role;
using viz::RoleKind;

constexpr f32 kTitleHeight = 28;  // of a view, above its area

bool isThere(const viz::Rect& rect) { return rect.width > 0 && rect.height > 0; }

// Font size readable from the last row, as in the presentation window.
void drawHallHead(viz::Canvas& canvas, const State& state, const WindowParts& parts) {
    namespace hall = viz::hall;
    const viz::TextStyle title{.size = hall::kTitle * parts.screen, .bold = true},
        place{.size = hall::kPlace * parts.screen, .role = role(RoleKind::TextSecond)};
    const f32 y = hall::kHead * parts.screen * 0.55f, x = hall::kInset * parts.screen,
              after = x + canvas.text({x, y}, windowTitle(state), title) + 36 * parts.screen;
    if (after + canvas.width(parts.caption, place) < parts.window.width - x)
        canvas.text({after, y}, parts.caption, place);
    canvas.line({0, parts.sentence.y}, {parts.window.width, parts.sentence.y},
                {role(RoleKind::Line), parts.screen});
}

void drawView(viz::Canvas& canvas, const PlacedView& view, const viz::TextMetrics& metrics) {
    viz::Scene scene = viz::scaled(*view.scene, view.scale);
    const std::string caption = scene.caption;
    canvas.include(std::move(scene), view.area);
    const f32 y = view.area.y - kTitleHeight / 2, inset = viz::space::kInset,
              room = view.area.width - 2 * inset;
    const f32 wide = canvas.textWithin({view.area.x + inset, y}, room, view.title, {.bold = true});
    const viz::TextStyle second{
        .size = viz::type::kCode, .align = viz::Align::Right, .role = role(RoleKind::TextSecond)};
    if (metrics.width(caption, second.size, second.face()) + 2 * inset < room - wide)
        canvas.text({view.area.right() - inset, y}, caption, second);
    canvas.rect({view.area.x + 0.5f, view.area.y - kTitleHeight + 0.5f, view.area.width - 1,
                 view.area.height + kTitleHeight - 1},
                {.stroke = {role(RoleKind::Line)}});
}

// The kernel, its sizes, and its results.
void drawExperimentText(viz::Canvas& canvas, const viz::Rect& area, const State& state) {
    const f32 inset = viz::space::kInset, width = area.width - 2 * inset;
    f32 y = area.y + inset;
    for (const ColumnText& text : experimentTexts(state)) {
        const f32 line = text.size * viz::type::kLineHeight;
        if (y + line > area.bottom()) return;
        y += text.isHeading ? line * 0.5f : 0;
        const viz::TextStyle style{.size = text.size, .bold = text.isHeading, .role = role(text.role)};
        const u32 lines = canvas.paragraph({area.x + inset, y + line / 2}, width, text.text, style,
                                           viz::type::kLineHeight, u32((area.bottom() - y) / line));
        y += f32(lines) * line + 3;
    }
}

void drawSentenceText(viz::Canvas& canvas, const viz::Rect& area, const std::string& said, f32 size,
                      f32 screen) {
    const bool presents = screen > 0;
    const f32 left =
                  area.x + (presents ? viz::hall::kPadding * screen : viz::space::kBar + viz::space::kInset),
              width = area.right() - left - (presents ? viz::hall::kPadding * screen : viz::space::kInset);
    canvas.rect({area.x, area.y, viz::space::kBar, area.height}, {.fill = role(RoleKind::Cursor)});
    viz::TextStyle style{.size = size > 0 ? size : viz::type::kSentence};
    const auto height = [&] {
        return f32(canvas.wrap(said, width, style).size()) * style.size * viz::type::kLineHeight;
    };
    while (size == 0 && style.size > viz::type::kBody && height() > area.height - 8)
        style.size -= 1;
    const f32 line = style.size * viz::type::kLineHeight,
              top = area.y + std::max(4.0f, (area.height - height()) / 2);
    canvas.paragraph({left, top + line / 2}, width, said, style, viz::type::kLineHeight,
                     std::max(1u, u32(area.height / line)));
}

}  // namespace

viz::Scene windowPicture(const State& state, const WindowParts& parts, const viz::TextMetrics& metrics) {
    viz::Canvas canvas(parts.window, metrics);
    const bool presents = parts.screen > 0;
    canvas.rect({0, 0, parts.window.width, parts.window.height},
                {.fill = role(presents ? RoleKind::Ground : RoleKind::Panel)});
    for (const PlacedView& view : parts.views)
        canvas.rect(view.area, {.fill = role(RoleKind::Ground)});
    const viz::TextStyle second{.size = viz::type::kBody, .role = role(RoleKind::TextSecond)};
    if (presents) {
        drawHallHead(canvas, state, parts);
        for (const PlacedView& view : parts.views)
            canvas.include(viz::scaled(*view.scene, view.scale), view.area);
    } else if (isThere(parts.bar)) {
        const f32 y = parts.bar.centre().y, after = viz::space::kInset +
                                                    canvas.text({viz::space::kInset, y}, "Lockstep",
                                                                {.size = viz::type::kTitle, .bold = true}) +
                                                    24;
        canvas.textWithin({after, y}, parts.bar.right() - after - viz::space::kInset, windowTitle(state),
                          second);
        canvas.line({0, parts.bar.bottom() - 0.5f}, {parts.window.width, parts.bar.bottom() - 0.5f},
                    {role(RoleKind::Line)});
    }
    if (isThere(parts.experiment)) drawExperimentText(canvas, parts.experiment, state);
    if (!presents)
        for (const PlacedView& view : parts.views)
            drawView(canvas, view, metrics);
    if (const std::string brief = briefOf(state); !brief.empty() && isThere(parts.brief))
        canvas.textWithin({parts.brief.x + viz::space::kBar + viz::space::kInset, parts.brief.centre().y},
                          parts.brief.width - viz::space::kBar - 2 * viz::space::kInset, brief, second);
    if (isThere(parts.sentence))
        drawSentenceText(canvas, parts.sentence, parts.said, parts.sentenceSize, parts.screen);
    if (isThere(parts.transport) && state.run) {
        const viz::TextStyle right{
            .size = viz::type::kBody, .align = viz::Align::Right, .role = role(RoleKind::TextSecond)};
        canvas.text({parts.transport.right() - viz::space::kInset, parts.transport.centre().y},
                    cursorText(state, false), right);
    }
    return std::move(canvas).take(parts.said);
}

}  // namespace lockstep::app
