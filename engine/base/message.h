// What to say, not yet in a language: words with the values in their places, which may be messages again.
#pragma once

#include "base/words.h"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep {

class Message {
public:
    Message() = default;
    Message(const Words& words) : words_(words) {}
    // A name or a number, the same in every language.
    Message(std::string plain) : plain_(std::move(plain)) {}
    Message(std::string_view plain) : plain_(plain) {}
    Message(const char* plain) : plain_(plain) {}
    template <class First, class... Values>
    Message(const Words& words, const First& first, const Values&... values) : words_(words) {
        values_.reserve(1 + sizeof...(Values));
        add(first);
        (add(values), ...);
    }

    bool empty() const { return words_.empty() && plain_.empty() && values_.empty(); }
    std::string in(Language language) const;

    // One behind the other, with nothing between them.
    Message& operator+=(Message next);
    friend Message operator+(Message first, Message second) { return std::move(first += std::move(second)); }

private:
    template <class Value> void add(const Value& value) {
        if constexpr (std::is_convertible_v<const Value&, Message>)
            values_.emplace_back(value);
        else
            values_.emplace_back(spokenIn(Language::English, value));
    }

    Words words_;
    std::string plain_;
    std::vector<Message> values_;  // in the places of words_; without words: what follows plain_
};

}  // namespace lockstep
