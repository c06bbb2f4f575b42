#include "viz/scene/scene_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::viz {

std::string tableText(const Scene& scene) {
    struct Word {
        Point at;
        const std::string* text;
    };
    std::vector<Word> words;
    std::optional<Rect> clip;
    for (const Mark& mark : scene.marks) {
        if (const auto* c = std::get_if<ClipMark>(&mark)) clip = c->rect;
        const auto* text = std::get_if<TextMark>(&mark);
        const auto isOfKey = [&](const Rect& key) { return key.contains(text->at); };
        if (text && (!clip || clip->contains(text->at)) && std::ranges::none_of(scene.keys, isOfKey))
            words.push_back({text->at, &text->text});
    }
    // Texts of one line stand on one baseline, as far as sizes differ.
    constexpr f32 kSameLine = 4;
    std::ranges::stable_sort(words, [](const Word& a, const Word& b) { return a.at.y < b.at.y; });
    std::string out;
    for (std::size_t begin = 0; begin < words.size();) {
        std::size_t end = begin;
        while (end < words.size() && words[end].at.y - words[begin].at.y <= kSameLine)
            ++end;
        std::stable_sort(words.begin() + std::ptrdiff_t(begin), words.begin() + std::ptrdiff_t(end),
                         [](const Word& a, const Word& b) { return a.at.x < b.at.x; });
        for (std::size_t i = begin; i < end; ++i)
            out += (i > begin ? "\t" : "") + *words[i].text;
        out += "\n";
        begin = end;
    }
    return scene.sentence.empty() ? out : out + scene.sentence + "\n";
}

}  // namespace lockstep::viz
