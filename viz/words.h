// A message in the program's two languages with places for values, and putting it together.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"

namespace lockstep::viz {

// Both texts must name the same places, {0}, {1}, ...: checked when the program is compiled.
struct Words {
    std::string_view en, zh;

    consteval Words(const char* english, const char* chinese) : en(english), zh(chinese) {
        if (places(en) != places(zh)) throw "the two languages have different {places}";
    }
    constexpr std::string_view in(Language language) const { return language == Language::Chinese ? zh : en; }

    // A bit for each {n} that occurs.
    static constexpr unsigned places(std::string_view text) {
        unsigned found = 0;
        for (std::size_t i = 0; i + 1 < text.size(); ++i)
            if (text[i] == '{' && text[i + 1] >= '0' && text[i + 1] <= '9') found |= 1u << (text[i + 1] - '0');
        return found;
    }
};

template <class... Values>
std::string say(Language language, const Words& words, const Values&... values) {
    return fmt::format(fmt::runtime(words.in(language)), values...);
}

// 16384 -> "16,384".
std::string grouped(u64 number);

}  // namespace lockstep::viz
