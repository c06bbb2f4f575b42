// Where a text names terms of the glossary.
#pragma once

#include "base/text/language.h"
#include "explain/glossary/term.h"

#include <string_view>
#include <vector>

namespace lockstep::explain {

struct NamedTerm {
    const Term* term = nullptr;
    std::size_t from = 0, length = 0;  // bytes of the text
};

// The language in which a term is named beside its name in this one, so that it is found by both.
inline Language otherNameLanguage(Language language) {
    return language == Language::English ? Language::Chinese : Language::English;
}

std::vector<std::string_view> formsOf(const Term& term, Language language);

// From left to right, none in another: "bank conflict" is one term, not also a bank. In English whole words
// alone count, in Chinese the longest name that fits. A name that the text's end or an ellipsis may have cut
// is none; `following` is what the next line goes on with.
std::vector<NamedTerm> termsIn(std::string_view text, Language language, std::string_view following = {});

}  // namespace lockstep::explain
