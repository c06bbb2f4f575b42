#include "app/state/text_search.h"

#include <algorithm>

namespace lockstep::app {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

u32 charactersOf(std::string_view text) {
    return u32(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::vector<TextPlace> placesOf(std::string_view text, std::string_view wanted, bool tellsCase) {
    std::vector<TextPlace> places;
    if (wanted.empty()) return places;
    const auto isSame = [&](char a, char b) { return tellsCase ? a == b : lower(a) == lower(b); };
    for (u32 line = 0; !text.empty(); ++line) {
        const std::string_view here = text.substr(0, text.find('\n'));
        for (auto from = here.begin(); from != here.end();) {
            const auto found = std::search(from, here.end(), wanted.begin(), wanted.end(), isSame);
            if (found == here.end()) break;
            const std::string_view before(here.begin(), found);
            places.push_back({line, charactersOf(before), charactersOf(wanted)});
            from = found + std::ptrdiff_t(wanted.size());
        }
        text.remove_prefix(std::min(text.size(), here.size() + 1));
    }
    return places;
}

}  // namespace lockstep::app
