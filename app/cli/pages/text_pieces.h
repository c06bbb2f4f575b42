// The texts of one picture in pieces that a reviewer judges one by one, and the same pieces of the picture in
// another language beside them.
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
    viz::Rect rect;  // where it stands, or reacts to the mouse
};
// Drawn texts, without those in the letters of code.
std::vector<TextPiece> labelsOf(const viz::Scene& scene, const viz::TextMetrics& metrics, Language language);
std::vector<TextPiece> hoversOf(const viz::Scene& scene);

// A row for each piece, with the text of each language; empty: it has none there. Pieces stand side by side
// in their order where all languages have equally many, else where they stand at one place.
std::vector<std::vector<std::string>> sideBySide(const std::vector<std::vector<TextPiece>>& pieces);
// Line by line where all have equally many.
std::vector<std::vector<std::string>> lineByLine(const std::vector<std::string>& texts);

// Two words, or a sentence.
bool isWorthReading(std::string_view text);
// The same for texts that differ in their numbers alone: "Lanes # load #".
std::string withoutNumbers(std::string_view text);

}  // namespace lockstep::cli
