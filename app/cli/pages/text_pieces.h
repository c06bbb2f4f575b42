// Splits the texts of one picture into pieces for review, aligned with the pieces of the same picture in
// another language.
#pragma once

#include "base/text/language.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

struct TextPiece {
    std::string text;
    viz::Rect rect;  // where it is drawn, or reacts to the mouse
};
// Drawn texts, except those in the code font.
std::vector<TextPiece> labelsOf(const viz::Scene& scene, const viz::TextMetrics& metrics, Language language);
std::vector<TextPiece> hoversOf(const viz::Scene& scene);

// One row per piece, with its text in each language; empty: none. Pieces are matched by order if all
// languages have equally many, else by position.
std::vector<std::vector<std::string>> sideBySide(const std::vector<std::vector<TextPiece>>& pieces);
// Line by line if all have equally many.
std::vector<std::vector<std::string>> lineByLine(const std::vector<std::string>& texts);

// Two words, or a sentence.
bool isWorthReading(std::string_view text);
// The same for texts that differ only in numbers: "Lanes # load #".
std::string withoutNumbers(std::string_view text);

}  // namespace lockstep::cli
