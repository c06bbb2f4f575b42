// Texts are the same ones where they stand in the same place.
#include "viz/differing_texts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "viz/tokens.h"

namespace lockstep::viz {
namespace {

std::map<std::tuple<s32, s32, Align>, const TextMark*> textsOf(const Scene& scene) {
    std::map<std::tuple<s32, s32, Align>, const TextMark*> texts;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) texts[{s32(std::lround(text->at.x)), s32(std::lround(text->at.y)), text->align}] = text;
    return texts;
}

// Within a rectangle hardly larger than itself: the number in a cell, on a token or a bar.
bool standsInCell(const TextMark& text, const Scene& scene, const TextMetrics& metrics) {
    constexpr f32 kHigh = 3, kWide = 3;  // of a cell, in heights and widths of its text
    const f32 width = metrics.width(text.text, text.size, text.face), middle = text.at.y - text.size * type::kMiddle;
    const f32 left = text.at.x - (text.align == Align::Centre ? width / 2 : text.align == Align::Right ? width : 0);
    const Point centre{left + width / 2, middle};
    return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* cell = std::get_if<RectMark>(&mark);
        return cell && cell->rect.contains(centre) && cell->rect.height <= kHigh * text.size && cell->rect.width <= std::max(kWide * width, kHigh * text.size);
    });
}

Rect frameOf(const TextMark& text, const TextMetrics& metrics) {
    constexpr f32 kAcross = 4, kUpright = 3;
    const f32 width = metrics.width(text.text, text.size, text.face), middle = text.at.y - text.size * type::kMiddle, tall = text.size + 2 * kUpright;
    const f32 left = text.at.x - (text.align == Align::Centre ? width / 2 : text.align == Align::Right ? width : 0);
    return {left - kAcross, middle - tall / 2, width + 2 * kAcross, tall};
}

}  // namespace

DifferingTexts differingTexts(const Scene& first, const Scene& second, const TextMetrics& metrics) {
    constexpr f32 kAlike = 0.7f, kFew = 0.25f;  // parts of the texts that stand in one place, and that may differ
    constexpr std::size_t kMost = 10;           // frames that an eye still goes to one by one
    if (std::fabs(first.size.width - second.size.width) > 1 || std::fabs(first.size.height - second.size.height) > 1) return {};
    const auto a = textsOf(first), b = textsOf(second);
    DifferingTexts differing;
    std::size_t matched = 0;
    for (const auto& [place, text] : a) {
        const auto other = b.find(place);
        if (other == b.end()) continue;
        ++matched;
        if (other->second->text == text->text || standsInCell(*text, first, metrics) || standsInCell(*other->second, second, metrics)) continue;
        differing.first.push_back(frameOf(*text, metrics));
        differing.second.push_back(frameOf(*other->second, metrics));
    }
    if (f32(matched) < kAlike * f32(std::max(a.size(), b.size())) || f32(differing.first.size()) > kFew * f32(matched) || differing.first.size() > kMost) return {};
    return differing;
}

}  // namespace lockstep::viz
