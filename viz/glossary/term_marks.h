// Where a picture names a term of the glossary for the first time: what the window underlines and explains.
#pragma once

#include "base/text/text.h"
#include "explain/glossary/term_finder.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <vector>

namespace lockstep::viz {

struct TermMark {
    const explain::Term* term = nullptr;
    Rect word;         // of its letters
    f32 baseline = 0;  // of the text
};

// Of each term the first in reading order that is seen whole. Left out: what is set in the fixed face (code
// and numbers), what stands on a colored ground, and what something else is drawn over.
std::vector<TermMark> markTerms(const Scene& scene, const TextMetrics& metrics, Language language);

TermMark placeOf(const explain::NamedTerm& named, const TextMark& text, const TextMetrics& metrics);

// Dots below all of them, to be drawn over the scene.
Scene underlines(const std::vector<TermMark>& marks, Size size);

}  // namespace lockstep::viz
