// Checks of option values.
#include "app/cli/options/parser.h"
#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace lockstep::cli {
namespace {

constexpr std::size_t kMostInHelp = 3;  // of words; beyond that, they are in the description
constexpr f64 kMostSeconds = 1e9;

// Message for a value that is not allowed.
Message inQuotes(const std::string& text) {
    return text.empty() ? Message(english("instead of a value", "nothing")) : Message(english("'{0}'"), text);
}

std::optional<u64> wholeIn(const std::string& text) {
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const char *begin = text.data() + (isHex ? 2 : 0), *end = text.data() + text.size();
    u64 value = 0;
    const auto [rest, error] = std::from_chars(begin, end, value, isHex ? 16 : 10);
    return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

std::optional<f64> numberIn(const std::string& text) {
    f64 value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && rest == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool isWithin(const std::string& text, f64 least, f64 most) {
    const std::optional<f64> value = numberIn(text);
    return value && *value >= least && *value <= most;
}

// "warm or cold", "a, b or c".
Message alternatives(const std::vector<std::string>& words) {
    Message text = Message::plain(words.front());
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
        text += Message(english("a list", ", {0}"), words[i]);
    return words.size() == 1 ? text
                             : Message(english("the last of alternatives", "{0} or {1}"), text, words.back());
}

}  // namespace

Option Option::takesWhole(u64 least, u64 most) const {
    return checked("N", [least, most](std::string& text) -> Message {
        const std::optional<u64> value = wholeIn(text);
        if (!value || *value < least || *value > most)
            return Message(english("write a whole number from {0} to {1}, not {2}"), least,
                           most == std::numeric_limits<u64>::max() ? "2^64 - 1" : std::to_string(most),
                           inQuotes(text));
        text = std::to_string(*value);
        return {};
    });
}

Option Option::takesNumber(f64 least, f64 most) const {
    return checked("N", [=](const std::string& text) -> Message {
        if (isWithin(text, least, most)) return {};
        return Message(english("write a number from {0} to {1}, not {2}"), least, most, inQuotes(text));
    });
}

Option Option::takesSpeed(f64 least, f64 most) const {
    return checked("N", [=](const std::string& text) -> Message {
        if (isWithin(text, least, most)) return {};
        return Message(english("write a number of steps a second from {0} to {1}, not {2}"), least, most,
                       inQuotes(text));
    });
}

Option Option::takesSeconds() const {
    return checked("SECONDS", [](const std::string& text) -> Message {
        const std::optional<f64> value = numberIn(text);
        if (value && *value > 0 && *value <= kMostSeconds) return {};
        return Message(english("write a number of seconds above 0, for example 60, not {0}"), inQuotes(text));
    });
}

Option Option::takesOneOf(std::vector<std::string> words) const {
    const std::string type = words.size() > kMostInHelp ? "NAME" : fmt::format("{}", fmt::join(words, "|"));
    return checked(type, [words = std::move(words)](const std::string& text) -> Message {
        if (std::ranges::find(words, text) != words.end()) return {};
        return Message(english("say {0}, not {1}{2}"), alternatives(words), inQuotes(text),
                       didYouMean(text, words));
    });
}

}  // namespace lockstep::cli
