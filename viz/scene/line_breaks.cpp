#include "viz/scene/line_breaks.h"

#include <string_view>

namespace lockstep::viz {

bool isIdeograph(char32_t c) { return c >= 0x2E80 && c <= 0x9FFF; }

bool mayNotEnd(char32_t c) { return std::u32string_view(U"（“‘《『「").find(c) != std::u32string_view::npos; }

bool mayNotBegin(char32_t c) {
    constexpr std::u32string_view kMarks = U"，。；：、）！？》」』”’…,.;:)!?";
    return kMarks.find(c) != std::u32string_view::npos || (c >= 0xFF00 && c <= 0xFF1F && !mayNotEnd(c));
}

}  // namespace lockstep::viz
