#include "viz/cursor/presentation.h"

#include "viz/scene/tokens.h"

#include <algorithm>

namespace lockstep::viz {

HallLayout hallLayout(Size window) {
    constexpr Size kScreen{1440, 900};
    HallLayout l;
    l.screen = std::min(window.width / kScreen.width, window.height / kScreen.height);
    l.letters = std::max(1.0f, hall::kLeastLetters / type::kAxis * l.screen);
    // Two lines of the sentence; three of the smallest letters are no higher.
    const f32 below = (2 * hall::kSentence * type::kLineHeight + 1.5f * hall::kPadding) * l.screen,
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
