#include "base/text/message.h"

#include "base/text/translations.h"

#include <algorithm>

namespace lockstep {
namespace {

// In UTF-8 the ideographs begin with e4 to e9; their punctuation, which brings its own space, with e3 or ef.
bool beginsIdeograph(char c) { return u8(c) >= 0xe4 && u8(c) <= 0xe9; }
bool isLatin(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool endsInIdeograph(std::string_view text) {
    std::size_t at = text.size();
    while (at > 0 && (u8(text[at - 1]) & 0xc0) == 0x80)
        --at;
    return at > 0 && beginsIdeograph(text[at - 1]);
}
bool wantsSpace(std::string_view before, std::string_view after) {
    if (before.empty() || after.empty()) return false;
    const char last = before.back(), first = after.front();
    if (beginsIdeograph(first)) return isLatin(last) || last == ')' || last == ']';
    return endsInIdeograph(before) && (isLatin(first) || first == '(' || first == '[' || first == '_');
}

}  // namespace

std::string Message::in(Language language) const {
    std::vector<std::string> values;
    values.reserve(values_.size());
    for (const Message& value : values_)
        values.push_back(value.in(language));
    if (!words_.empty()) {
        if (values.empty()) return std::string(words_.in(language));
        return filled(language, words_.in(language), values, spacesLatin(language) ? &wantsSpace : nullptr);
    }
    // Not Text::in: a name may be the same as a text that has a translation.
    std::string text = language == Language::Chinese && !own_.zh.empty() ? own_.zh : own_.en;
    for (const std::string& next : values) {
        if (spacesLatin(language) && wantsSpace(text, next)) text += ' ';
        text += next;
    }
    return text;
}

Message& Message::operator+=(Message next) {
    if (empty()) return *this = std::move(next);
    if (!words_.empty()) {
        Message first = std::move(*this);
        *this = Message();
        values_.push_back(std::move(first));
    }
    values_.push_back(std::move(next));
    return *this;
}

std::optional<Message> Message::of(Parts parts) {
    Message message(std::move(parts.own));
    message.values_ = std::move(parts.values);
    if (parts.key == 0) return message;
    const std::optional<Words> words = Words::of(parts.key);
    if (!words || Words::places(words->english()) >> message.values_.size() != 0) return std::nullopt;
    message.words_ = *words;
    return message;
}

Message listed(std::span<const Message> parts) {
    if (parts.empty()) return {};
    Message list = parts[0];
    for (std::size_t i = 1; i + 1 < parts.size(); ++i)
        list += Message(english("a list", ", {0}"), parts[i]);
    return parts.size() == 1 ? list
                             : Message(english("the last of a list", "{0} and {1}"), list, parts.back());
}

}  // namespace lockstep
