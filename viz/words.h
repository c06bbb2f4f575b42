// A message in the program's two languages with places for values, and putting it together.
#pragma once

#include "base/counted.h"
#include "base/text.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace lockstep::viz {

// Both texts must name the same places, {0}, {1}, ..., and {0:lane|lanes} is the word that goes with a
// figure: checked when the program is compiled.
struct Words {
    std::string_view en, zh;

    consteval Words(const char* english, const char* chinese) : en(english), zh(chinese) {
        if (places(en) != places(zh)) throw "the two languages have different {places}";
        if (!wellFormed(en) || !wellFormed(zh)) throw "a place is {0} or {0:one|many}";
    }
    constexpr std::string_view in(Language language) const { return language == Language::Chinese ? zh : en; }

    // A bit for each {n} that occurs.
    static constexpr unsigned places(std::string_view text) {
        unsigned found = 0;
        for (std::size_t i = 0; i + 1 < text.size(); ++i)
            if (text[i] == '{' && text[i + 1] >= '0' && text[i + 1] <= '9')
                found |= 1u << (text[i + 1] - '0');
        return found;
    }
    static constexpr bool wellFormed(std::string_view text) {
        while (text.find('{') != std::string_view::npos) {
            text.remove_prefix(text.find('{') + 1);
            const std::string_view inside = text.substr(0, text.find('}'));
            const bool bends =
                inside.size() > 2 && inside[1] == ':' && inside.find('|') != std::string_view::npos;
            if (inside.size() == text.size() || inside.empty() || inside[0] < '0' || inside[0] > '9' ||
                (inside.size() > 1 && !bends))
                return false;
        }
        return true;
    }
};

// A value in a message, with the word that goes with it where the text asks for one.
template <class Value> struct Said {
    const Value& value;
};

template <class... Values> std::string say(Language language, const Words& words, const Values&... values) {
    return fmt::format(fmt::runtime(words.in(language)), Said<Values>{values}...);
}

}  // namespace lockstep::viz

template <class Value> struct fmt::formatter<lockstep::viz::Said<Value>> {
    constexpr auto parse(fmt::format_parse_context& context) {
        const char *begin = context.begin(), *end = begin;
        while (end != context.end() && *end != '}')
            ++end;
        const std::string_view spec(begin, std::size_t(end - begin));
        const std::size_t bar = spec.find('|');
        if (bar != std::string_view::npos) one = spec.substr(0, bar), many = spec.substr(bar + 1);
        return end;
    }
    template <class Context> auto format(const lockstep::viz::Said<Value>& said, Context& context) const {
        if (many.empty()) return fmt::format_to(context.out(), "{}", said.value);
        return fmt::format_to(context.out(), "{}",
                              lockstep::isOne(fmt::format("{}", said.value)) ? one : many);
    }
    std::string_view one, many;
};
