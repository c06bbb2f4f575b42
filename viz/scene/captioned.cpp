#include "viz/scene/captioned.h"

#include "viz/noted.h"
#include "viz/scene/canvas.h"

namespace lockstep::viz {
namespace {

constexpr u32 kLines = 2, kLinesOfNarrow = 3;
constexpr f32 kMargin = 10, kMarginOfLow = 4,
              kLow = 360 /* height of a view that leaves less than that below it */, kNarrow = 640;
const TextStyle kSentence{.size = type::kBody}, kSmall{.size = type::kAxis};

f32 heightOf(u32 lines, const TextStyle& style) { return style.size * type::kLineHeight * f32(lines); }

}  // namespace

Scene buildCaptioned(const ViewRow& view, const ViewInput& in) {
    return buildCaptioned([&](const ViewInput& of) { return buildNoted(view, of); }, view.leastCaptioned, in);
}

Scene buildCaptioned(const std::function<Scene(const ViewInput&)>& build, f32 leastCaptioned,
                     const ViewInput& in) {
    const u32 most = in.size.width < kNarrow ? kLinesOfNarrow : kLines;
    const bool isLow = in.size.height - heightOf(most, kSentence) - 2 * kMargin < kLow;
    // One that is too long is small, with as many lines as there is room for; of a low picture, two.
    const f32 foot = isLow ? heightOf(2, kSmall) + 2 * kMarginOfLow : heightOf(most, kSentence) + 2 * kMargin;
    if (in.size.height - foot < leastCaptioned) return build(in);
    ViewInput above = in;
    above.size.height -= foot;
    Scene scene = build(above);
    if (scene.sentence.empty()) return build(in);
    Canvas canvas(in.size, in.metrics);
    std::string sentence = canvas.continueFrom(std::move(scene), {0, 0, above.size.width, above.size.height});
    const f32 top = above.size.height;
    canvas.rect({0, top, in.size.width, foot}, {.fill = role(RoleKind::Panel)});
    canvas.line({0, top + 0.5f}, {in.size.width, top + 0.5f}, {role(RoleKind::Line)});
    const f32 wide = in.size.width - 2 * space::kInset;
    const u32 usual = isLow ? 1 : most;
    const bool isSmall = canvas.wrap(sentence, wide, kSentence).size() > usual;
    const TextStyle& style = isSmall ? kSmall : kSentence;
    const u32 lines = isSmall ? u32((foot - 2 * kMarginOfLow) / heightOf(1, kSmall)) : usual;
    const f32 margin = isLow || isSmall ? (foot - heightOf(lines, style)) / 2 : kMargin;
    canvas.paragraph({space::kInset, top + margin + heightOf(1, style) / 2}, wide, sentence, style,
                     type::kLineHeight, lines);
    return std::move(canvas).take(std::move(sentence));
}

}  // namespace lockstep::viz
