#include "base/message.h"

namespace lockstep {

std::string Message::in(Language language) const {
    if (words_.empty()) {
        std::string text = plain_;
        for (const Message& next : values_)
            text += next.in(language);
        return text;
    }
    std::vector<std::string> values;
    values.reserve(values_.size());
    for (const Message& value : values_)
        values.push_back(value.in(language));
    return filled(language, words_.in(language), values);
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

}  // namespace lockstep
