// What to say, not yet in a language: words with the values in their places, which may be messages again.
#pragma once

#include "base/text/text.h"
#include "base/text/words.h"

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockstep {

class Message {
public:
    Message() = default;
    Message(const Words& words) : words_(words) {}
    // What a file of the user says, in one language or in two.
    Message(Text own) : own_(std::move(own)) {}
    template <class First, class... Values>
    Message(const Words& words, const First& first, const Values&... values) : words_(words) {
        values_.reserve(1 + sizeof...(Values));
        add(first);
        (add(values), ...);
    }
    // A name, a number, another program's words: the same in every language. A sentence of ours has Words.
    static Message plain(std::string text) { return Text{std::move(text), {}}; }

    bool empty() const { return words_.empty() && own_.en.empty() && values_.empty(); }
    // In languages that keep ideographs and Latin letters apart, a value is set off from the words around it.
    std::string in(Language language) const;
    std::string english() const { return in(Language::English); }
    bool operator==(const Message&) const = default;

    // One behind the other, with nothing between them.
    Message& operator+=(Message next);
    friend Message operator+(Message first, Message second) { return std::move(first += std::move(second)); }

    // The parts, to send a message to another process of the program.
    struct Parts {
        u64 key = 0;  // of the words; 0: there are none
        Text own;
        std::vector<Message> values;
    };
    Parts parts() const { return {words_.key(), own_, values_}; }
    // None: the program has no words of this key, or not as many values as they have places.
    static std::optional<Message> of(Parts parts);

private:
    template <class Value> void add(const Value& value) {
        if constexpr (std::is_convertible_v<const Value&, Message>)
            values_.emplace_back(value);
        else
            values_.push_back(plain(spokenIn(Language::English, value)));
    }

    Words words_;
    Text own_;
    std::vector<Message> values_;  // in the places of words_; without words: what follows own_
};

// "a, b and c", in Chinese "a、b 和 c".
Message listed(std::span<const Message> parts);

}  // namespace lockstep
