// The whole window as one scene, for files with real text: the docked views, each in its frame under its
// title, the kernel with its parameters, and the sentence. Controls are omitted.
#pragma once

#include "app/state/state.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <string>
#include <vector>

namespace lockstep::app {

// A view and its place, in the window's pixels.
struct PlacedView {
    std::string title;
    const viz::Scene* scene = nullptr;
    viz::Rect area;
    f32 scale = 1;
};

// Places of the window's parts; those of size 0 are absent.
struct WindowParts {
    viz::Size window{};
    viz::Rect bar{}, experiment{}, brief{}, sentence{}, transport{};
    std::vector<PlacedView> views{};
    std::string said{};     // the sentence
    f32 sentenceSize = 0;   // font size; 0: as large as fits
    f32 screen = 0;         // of a presentation: viz::HallLayout::screen; 0: not a presentation
    std::string caption{};  // of a presentation: the cursor's label
};

viz::Scene windowPicture(const State& state, const WindowParts& parts, const viz::TextMetrics& metrics);

}  // namespace lockstep::app
