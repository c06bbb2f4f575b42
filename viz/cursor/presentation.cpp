#include "viz/cursor/presentation.h"

#include "viz/scene/tokens.h"

#include <algorithm>

namespace lockstep::viz {

namespace {

constexpr f32 kAround = 1.5f;  // of the padding, above and below the sentence

f32 screenOf(Size window) {
    constexpr Size kScreen{1440, 900};
    return std::min(window.width / kScreen.width, window.height / kScreen.height);
}

}  // namespace

f32 mostOfSentence(Size window) {
    constexpr f32 kShare = 0.3f;
    return window.height * kShare - kAround * hall::kPadding * screenOf(window);
}

HallLayout hallLayout(Size window, f32 sentence) {
    HallLayout l;
    l.screen = screenOf(window);
    l.letters = std::max(1.0f, hall::kLeastLetters / type::kAxis * l.screen);
    // Two lines of the sentence; three of the smallest letters are no higher.
    const f32 lines = 2 * hall::kSentence * type::kLineHeight * l.screen,
              below = std::max(lines, std::min(sentence, mostOfSentence(window))) +
                      kAround * hall::kPadding * l.screen,
              top = hall::kHead * l.screen, inset = hall::kInset * l.screen * 0.5f;
    l.view = {inset, top, window.width - 2 * inset, std::max(0.0f, window.height - top - below)};
    l.sentence = {0, l.view.bottom(), window.width, below};
    return l;
}

Scene presented(const ViewRow& view, ViewInput in) {
    in.isPresented = view.drawsPresented;
    in.titled = false;
    Scene scene = view.build(in);
    constexpr f32 kRounding = 0.01f;
    std::erase_if(scene.marks, [](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->size < type::kAxis - kRounding;
    });
    return scene;
}

}  // namespace lockstep::viz
