// Tables of figures: a cell belongs to the head with the same right edge and to the row at the same height.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

// "*" in the pattern stands for anything.
bool fits(std::string_view text, std::string_view pattern) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] != '*')
        return !text.empty() && text[0] == pattern[0] && fits(text.substr(1), pattern.substr(1));
    for (std::size_t skip = 0; skip <= text.size(); ++skip)
        if (fits(text.substr(skip), pattern.substr(1))) return true;
    return false;
}

f32 rightOf(const Said& said) { return 2 * said.at.x - said.left; }

}  // namespace

// The first text that is one of the names, further down than `below`.
std::optional<Reader::Head> Reader::head(std::initializer_list<std::string_view> names, f32 below) const {
    const Said* found = nullptr;
    for (const Said& said : picture_.texts)
        if (!said.isHover && !said.isSentence && !said.isCaption && said.top > below &&
            std::ranges::find(names, said.text) != names.end() && (!found || said.top < found->top))
            found = &said;
    if (!found) return std::nullopt;
    return Head{rightOf(*found), found->top, found};
}

const Said* Reader::cell(const Head& head, f32 top, f32 slack) const {
    for (const Said& said : picture_.texts)
        if (!said.isHover && !said.isSentence && !said.isCaption && said.top > head.top + 4 &&
            std::fabs(said.top - top) < slack && std::fabs(rightOf(said) - head.right) < 1)
            return &said;
    return nullptr;
}

bool Reader::is(std::string_view english, std::string_view chinese) const {
    return fits(form_, picture_.language == Language::English ? english : chinese);
}

void Reader::expectAll(const Said& said, const std::vector<std::optional<f64>>& values) {
    std::size_t i = 0;
    for (const std::optional<f64>& value : values) {
        if (i >= tokens_->size()) return;
        const Token& token = (*tokens_)[i];
        if (value) {
            done_[i] = true;
            if (!rounds(token, *value)) fail(said, written(token), fmt::format("it is {}", *value));
        }
        ++i;
    }
}

void Reader::take(const Said& said) {
    if (rowTexts_.insert(&said).second) w_.of(picture_.countedAs()).read += tokensOf(said.text).size();
}

void Reader::expect(const Said& said, std::optional<f64> value, std::string_view what) {
    take(said);
    const std::vector<Token> tokens = tokensOf(said.text);
    if (tokens.empty() && !value) return;
    if (tokens.empty() || !value)
        return fail(said, said.text,
                    fmt::format("{} is {}", what, value ? fmt::format("{}", *value) : "not known"));
    if (!rounds(tokens.front(), *value)) fail(said, said.text, fmt::format("{} is {}", what, *value));
}

}  // namespace lockstep::witness
