// A text of the program, written in English where it is used, with places for values; po/ has its
// translations (scripts/texts collects what is to be translated).
#pragma once

#include "base/text/language.h"

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

// Two texts that are the same in English and not in another language are told apart by a context.
constexpr u64 keyOfText(std::string_view context, std::string_view english) {
    u64 key = 0xcbf29ce484222325;  // FNV-1a
    const auto add = [&](std::string_view text) {
        for (const char c : text)
            key = (key ^ u64(static_cast<unsigned char>(c))) * 0x100000001b3;
    };
    if (!context.empty()) add(context), add("\x04");
    add(english);
    return key;
}

// Places are {0}, {1}, ...; {0:lane|lanes} is the word that goes with a figure. Both are checked when the
// program is compiled, and those of the translations by a test.
class Words {
public:
    constexpr Words() = default;
    constexpr std::string_view english() const { return english_; }
    constexpr bool empty() const { return english_.empty(); }
    constexpr u64 key() const { return key_; }
    // Those of a key, where the program has such a text.
    static std::optional<Words> of(u64 key);
    std::string_view in(Language language) const;
    constexpr bool operator==(const Words&) const = default;

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

private:
    friend consteval Words english(const char* text);
    friend consteval Words english(const char* context, const char* text);
    constexpr Words(std::string_view context, std::string_view english)
        : english_(english), key_(keyOfText(context, english)) {}

    std::string_view english_;
    u64 key_ = 0;
};

// Marks what is to be translated, as gettext's tools look for it.
consteval Words english(const char* text) {
    if (!Words::wellFormed(text)) throw "a place is {0} or {0:one|many}";
    return {"", text};
}
// The context "note" is for texts whose places are figures of a run ({n: store_sectors}, viz/notes).
consteval Words english(const char* context, const char* text) {
    if (std::string_view(context) != "note" && !Words::wellFormed(text))
        throw "a place is {0} or {0:one|many}";
    return {context, text};
}

// What stands at a place; of whole numbers "1,024": what a user may have to type, or a line of a file, is
// given as text.
std::string spoken(u64 value);
std::string spoken(s64 value);
std::string spoken(f32 value);
std::string spoken(f64 value);
inline std::string spoken(std::string_view value) { return std::string(value); }
template <class Value> std::string spokenIn(Language language, const Value& value) {
    if constexpr (requires { std::string(value.in(language)); })
        return std::string(value.in(language));
    else if constexpr (std::floating_point<Value>)
        return spoken(value);
    else if constexpr (std::same_as<Value, char>)
        return std::string(1, value);
    else if constexpr (std::unsigned_integral<Value>)
        return spoken(u64(value));
    else if constexpr (std::signed_integral<Value>)
        return spoken(s64(value));
    else
        return spoken(std::string_view(value));
}

// Inserts values into a text in this language. wantsSpace: whether two adjacent texts are separated by a
// blank.
std::string filled(Language language, std::string_view text, std::span<const std::string> values,
                   bool (*wantsSpace)(std::string_view before, std::string_view after) = nullptr);

template <class... Values> std::string say(Language language, const Words& words, const Values&... values) {
    if constexpr (sizeof...(Values) == 0) return std::string(words.in(language));
    const std::string spoken[] = {spokenIn(language, values)..., std::string()};
    return filled(language, words.in(language), {spoken, sizeof...(Values)});
}

}  // namespace lockstep
