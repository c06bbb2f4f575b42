// A text as its lines.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace lockstep {

// Without their ends; a line break at the end of the text begins no further one.
inline std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

}  // namespace lockstep
