// The whole window as one scene, for files in which text stays text: the views where they are docked, each in
// its frame under its title, what runs with its parameters, and the sentence. Controls are left out: they
// cannot be pressed on paper.
#pragma once

#include "app/state/state.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <string>
#include <vector>

namespace lockstep::app {

// A view where it was drawn, in the window's pixels.
struct PlacedView {
    std::string title;
    const viz::Scene* scene = nullptr;
    viz::Rect area;
    f32 scale = 1;
};

// Where the window's parts are; those of no size are not there.
struct WindowParts {
    viz::Size window{};
    viz::Rect bar{}, experiment{}, brief{}, sentence{}, transport{};
    std::vector<PlacedView> views{};
    std::string said{};     // the sentence
    f32 sentenceSize = 0;   // of its letters; 0: as large as fits
    f32 screen = 0;         // of a presentation: viz::HallLayout::screen; 0: this is none
    std::string caption{};  // of a presentation: where the cursor is
};

viz::Scene windowPicture(const State& state, const WindowParts& parts, const viz::TextMetrics& metrics);

}  // namespace lockstep::app
