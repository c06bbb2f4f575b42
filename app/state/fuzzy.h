// Fuzzy search: finds an entry by a few of its letters.
#pragma once

#include <optional>
#include <string_view>

namespace lockstep::app {

// How well `query` fits `text`: every word of it must occur there as letters in order. More for letters side
// by side and at the beginning of words, less for gaps. None if it does not match; 0 for an empty query.
// ASCII capitals count as small letters.
std::optional<int> fuzzyScore(std::string_view query, std::string_view text);

}  // namespace lockstep::app
