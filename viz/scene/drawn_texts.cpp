#include "viz/scene/drawn_texts.h"

#include <cmath>

namespace lockstep::viz {
namespace {

bool endsSentence(const std::string& text) {
    return text.ends_with('.') || text.ends_with("。") || text.ends_with("…");
}

DrawnText drawnText(const TextMark& mark, const TextMetrics& metrics) {
    const f32 wide = metrics.width(mark.text, mark.size, mark.face);
    const f32 left = mark.at.x - (mark.align == Align::Left    ? 0
                                  : mark.align == Align::Right ? wide
                                                               : wide / 2);
    return {.text = mark.text,
            .firstLineBytes = mark.text.size(),
            .middle = {left + wide / 2, mark.at.y - mark.size * 0.35f},
            .left = left,
            .top = mark.at.y,
            .size = mark.size,
            .face = mark.face};
}

bool isHidden(const DrawnText& text, const std::optional<Rect>& clip) {
    const Point at = text.middle;
    return clip && (at.x < clip->x || at.x > clip->x + clip->width || at.y < clip->y ||
                    at.y > clip->y + clip->height);
}

// `lastTop`: of the last line of `before`.
bool goesOn(const DrawnText& before, f32 lastTop, const DrawnText& next, Flow flow) {
    if (flow == Flow::Begins) return false;
    const f32 down = next.top - lastTop;
    return next.face != Face::Mono && next.face != Face::MonoBold && before.face == next.face &&
           before.size == next.size && std::fabs(before.left - next.left) < 0.6f &&
           down > next.size * 1.05f && down < next.size * 1.8f &&
           (flow == Flow::GoesOn || (before.text.size() > 24 && !endsSentence(before.text)));
}

// A full-width sign has its space.
bool touches(const std::string& before, const std::string& next, Language language) {
    if (language != Language::Chinese) return false;
    if (next.starts_with("（")) return true;
    return u8(before.back()) >= 0x80 && (u8(next.front()) >= 0x80 || before.ends_with("：") ||
                                         before.ends_with("，") || before.ends_with("；"));
}

}  // namespace

std::vector<DrawnText> drawnTexts(const Scene& scene, const TextMetrics& metrics, Language language) {
    std::vector<DrawnText> texts;
    std::optional<Rect> clip;
    f32 lastTop = 0;
    for (const Mark& mark : scene.marks) {
        if (const auto* cut = std::get_if<ClipMark>(&mark)) clip = cut->rect;
        const auto* words = std::get_if<TextMark>(&mark);
        if (!words || words->text.empty()) continue;
        DrawnText text = drawnText(*words, metrics);
        if (isHidden(text, clip)) continue;
        const f32 top = text.top;
        if (!texts.empty() && goesOn(texts.back(), lastTop, text, words->flow))
            texts.back().text += (touches(texts.back().text, text.text, language) ? "" : " ") + text.text;
        else
            texts.push_back(std::move(text));
        lastTop = top;
    }
    return texts;
}

}  // namespace lockstep::viz
