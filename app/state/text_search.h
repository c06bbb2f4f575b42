// Where a text has another one in it, for the editor's search.
#pragma once

#include "base/integers.h"

#include <string_view>
#include <vector>

namespace lockstep::app {

struct TextPlace {
    u32 line = 0, index = 0;  // both from 0; the index and the length in characters
    u32 length = 0;
    bool operator==(const TextPlace&) const = default;
};
// Within a line each, from the first on, none over another. Case is that of ASCII letters.
std::vector<TextPlace> placesOf(std::string_view text, std::string_view wanted, bool tellsCase);

}  // namespace lockstep::app
