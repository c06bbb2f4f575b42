#include "viz/captioned.h"

#include "viz/canvas.h"

namespace lockstep::viz {
namespace {

constexpr u32 kLines = 2, kLinesOfLow = 1;
constexpr f32 kMargin = 10, kMarginOfLow = 6, kLow = 360;  // height of a view that leaves less than that below it
const TextStyle kSentence{.size = type::kBody};

// Height that a view needs, below which a sentence at its foot is not worth the room.
f32 leastHeightOf(const ViewRow& view) { return view.name == "timeline" ? 120 : kLow; }

f32 lineHeight() { return kSentence.size * type::kLineHeight; }

}  // namespace

Scene buildCaptioned(const ViewRow& view, const ViewInput& in) {
    const bool isLow = in.size.height - lineHeight() * kLines - 2 * kMargin < kLow;
    const u32 lines = isLow ? kLinesOfLow : kLines;
    const f32 margin = isLow ? kMarginOfLow : kMargin, foot = lineHeight() * f32(lines) + 2 * margin;
    if (in.size.height - foot < leastHeightOf(view)) return view.build(in);
    ViewInput above = in;
    above.size.height -= foot;
    Scene scene = view.build(above);
    if (scene.sentence.empty()) return view.build(in);
    Canvas canvas(in.size, in.metrics);
    std::string sentence = std::move(scene.sentence), place = std::move(scene.caption);
    const bool animating = scene.animating;
    std::vector<Rect> panes = std::move(scene.panes);
    canvas.include(std::move(scene), {0, 0, above.size.width, above.size.height});
    const f32 top = above.size.height;
    canvas.rect({0, top, in.size.width, foot}, {.fill = role(RoleKind::Panel)});
    canvas.line({0, top + 0.5f}, {in.size.width, top + 0.5f}, {role(RoleKind::Line)});
    canvas.paragraph({space::kInset, top + margin + lineHeight() / 2}, in.size.width - 2 * space::kInset, sentence, kSentence, type::kLineHeight, lines);
    canvas.caption(place);
    Scene whole = std::move(canvas).take(std::move(sentence));
    whole.animating = animating;
    whole.panes = std::move(panes);
    return whole;
}

}  // namespace lockstep::viz
