// Texts and cells are the same ones where they stand in the same place.
#include "viz/compare/differing_texts.h"

#include "viz/scene/tokens.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace lockstep::viz {
namespace {

std::map<std::tuple<s32, s32, Align>, const TextMark*> textsOf(const Scene& scene) {
    std::map<std::tuple<s32, s32, Align>, const TextMark*> texts;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark))
            texts[{s32(std::lround(text->at.x)), s32(std::lround(text->at.y)), text->align}] = text;
    return texts;
}

// Within a rectangle hardly larger than itself: the number in a cell, on a token or a bar.
bool standsInCell(const TextMark& text, const Scene& scene, const TextMetrics& metrics) {
    constexpr f32 kHigh = 3, kWide = 3;  // of a cell, in heights and widths of its text
    const f32 width = metrics.width(text.text, text.size, text.face),
              middle = text.at.y - text.size * type::kMiddle;
    const f32 left = text.at.x - (text.align == Align::Centre  ? width / 2
                                  : text.align == Align::Right ? width
                                                               : 0);
    const Point centre{left + width / 2, middle};
    return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* cell = std::get_if<RectMark>(&mark);
        return cell && cell->rect.contains(centre) && cell->rect.height <= kHigh * text.size &&
               cell->rect.width <= std::max(kWide * width, kHigh * text.size);
    });
}

Rect frameOf(const TextMark& text, const TextMetrics& metrics) {
    constexpr f32 kAcross = 4, kUpright = 3;
    const f32 width = metrics.width(text.text, text.size, text.face),
              middle = text.at.y - text.size * type::kMiddle, tall = text.size + 2 * kUpright;
    const f32 left = text.at.x - (text.align == Align::Centre  ? width / 2
                                  : text.align == Align::Right ? width
                                                               : 0);
    return {left - kAcross, middle - tall / 2, width + 2 * kAcross, tall};
}

bool isKey(const TextMark& text, const Scene& scene) {
    return std::ranges::any_of(scene.keys, [&](const Rect& key) {
        return key.contains({text.at.x, text.at.y - text.size * type::kMiddle});
    });
}

// Boxes with a text in their middle, and what it says; of several boxes around one text the smallest.
// `boxes`: all that there are.
using Place = std::tuple<s32, s32>;
struct Cells {
    std::map<Place, Rect> boxes;
    std::map<Place, std::string> texts;

    Cells(const Scene& scene, const TextMetrics& metrics) {
        constexpr f32 kMost = 140;  // wide or high: more is a panel
        for (const Mark& mark : scene.marks)
            if (const auto* box = std::get_if<RectMark>(&mark);
                box && box->rect.width <= kMost && box->rect.height <= kMost) {
                const auto [at, isNew] = boxes.emplace(placeOf(box->rect.centre()), box->rect);
                if (!isNew && box->rect.width < at->second.width) at->second = box->rect;
            }
        for (const Mark& mark : scene.marks) {
            const auto* text = std::get_if<TextMark>(&mark);
            if (!text || text->align != Align::Centre || isKey(*text, scene)) continue;
            const Place place = placeOf({text->at.x, text->at.y - text->size * type::kMiddle});
            if (const auto box = boxes.find(place);
                box != boxes.end() && metrics.width(text->text, text->size, text->face) <= box->second.width)
                texts[place] = text->text;
        }
    }
    std::string_view textAt(const Place& place) const {
        const auto text = texts.find(place);
        return text == texts.end() ? std::string_view() : text->second;
    }

    static Place placeOf(Point p) { return {s32(std::lround(2 * p.x)), s32(std::lround(2 * p.y))}; }
};

// Cells of one place and size that hold different things, or of which only one holds something.
void addDifferingCells(const Cells& a, const Cells& b, DifferingTexts& differing) {
    constexpr f32 kMost = 0.5f;
    std::vector<Rect> boxes;
    std::size_t common = 0;
    for (const auto& [place, box] : a.boxes) {
        const auto other = b.boxes.find(place);
        const std::string_view here = a.textAt(place), there = b.textAt(place);
        if (other == b.boxes.end() || std::fabs(box.width - other->second.width) > 1 ||
            (here.empty() && there.empty()))
            continue;
        ++common;
        if (here != there) boxes.push_back(box);
    }
    if (f32(boxes.size()) > kMost * f32(common)) return;
    differing.first.insert(differing.first.end(), boxes.begin(), boxes.end());
    differing.second.insert(differing.second.end(), boxes.begin(), boxes.end());
}

}  // namespace

DifferingTexts differingTexts(const Scene& first, const Scene& second, const TextMetrics& metrics) {
    constexpr f32 kAlike = 0.7f,
                  kFew = 0.25f;        // parts of the texts that stand in one place, and that may differ
    constexpr std::size_t kMost = 10;  // frames that an eye still goes to one by one
    if (std::fabs(first.size.width - second.size.width) > 1 ||
        std::fabs(first.size.height - second.size.height) > 1)
        return {};
    const auto a = textsOf(first), b = textsOf(second);
    DifferingTexts differing;
    std::size_t matched = 0;
    for (const auto& [place, text] : a) {
        const auto other = b.find(place);
        if (other == b.end()) continue;
        ++matched;
        if (other->second->text == text->text || isKey(*text, first) || isKey(*other->second, second) ||
            standsInCell(*text, first, metrics) || standsInCell(*other->second, second, metrics))
            continue;
        differing.first.push_back(frameOf(*text, metrics));
        differing.second.push_back(frameOf(*other->second, metrics));
    }
    if (f32(matched) < kAlike * f32(std::max(a.size(), b.size())) ||
        f32(differing.first.size()) > kFew * f32(matched) || differing.first.size() > kMost)
        differing = {};
    addDifferingCells(Cells(first, metrics), Cells(second, metrics), differing);
    return differing;
}

}  // namespace lockstep::viz
