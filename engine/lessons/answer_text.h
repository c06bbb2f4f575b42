// Answers as people type them: numbers, lanes, groups of lanes, words; in Chinese punctuation, too.
#pragma once

#include "base/expected.h"
#include "base/lane_mask.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::lessons {

// With plain commas, semicolons, bars, hyphens and blanks in place of the wide ones.
std::string plainAnswer(std::string_view text);
// With small letters for capitals; other scripts stay as they are.
std::string lowered(std::string_view text);

// "1,024", "-3".
std::optional<s64> numberIn(std::string_view text);
// The same with words before and behind it that have no digits: "line 21", "8 wavefronts".
std::optional<s64> numberAmongWords(std::string_view text);
// "3 7 11", "3, 7, 11".
std::optional<std::vector<s64>> numbersIn(std::string_view text);
// "0-3, 8", "0-30/2" (every second one), "{1, 3}", "lanes 1 and 3", "none". A Fault says what is wrong.
Expected<std::vector<s64>> listIn(std::string_view text, s64 most);
Expected<LaneMask> lanesIn(std::string_view text);
// "0-15 | 16-31", "{0-15}, {16-31}".
Expected<std::vector<LaneMask>> groupsIn(std::string_view text);
inline constexpr s64 kMostSectors = 1 << 20;  // of an array, in a list of their numbers
// Letters, digits, brackets and signs between blanks, commas, arrows or "<": "a b c".
std::vector<std::string> wordsIn(std::string_view text);

// As lanesIn reads it.
std::string textOf(LaneMask lanes);
std::string textOf(const std::vector<LaneMask>& groups);

}  // namespace lockstep::lessons
