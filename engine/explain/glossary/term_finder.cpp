#include "explain/glossary/term_finder.h"

#include "explain/glossary/glossary.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace lockstep::explain {
namespace {

constexpr std::string_view kEllipsis = "…";

struct Form {
    std::string_view text;
    const Term* term;
};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t characterLength(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && isContinuation(text[length]))
        ++length;
    return length;
}

std::size_t wordLength(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && isLetter(text[length]))
        ++length;
    return length;
}

// What forms that begin alike are kept under: their first letters without regard to capitals, or the first
// Chinese character.
struct Key {
    char bytes[4] = {};
    bool operator==(const Key&) const = default;
};
struct HashOfKey {
    std::size_t operator()(const Key& key) const {
        return std::hash<std::string_view>{}({key.bytes, sizeof key.bytes});
    }
};
Key keyOf(std::string_view text) {
    Key key;
    const std::size_t length = std::min<std::size_t>(
        {isAscii(text[0]) ? std::max<std::size_t>(1, wordLength(text)) : characterLength(text), 4,
         text.size()});
    for (std::size_t i = 0; i < length; ++i)
        key.bytes[i] = text[i] >= 'A' && text[i] <= 'Z' ? char(text[i] - 'A' + 'a') : text[i];
    return key;
}

// The forms of one language, the longest first.
class Forms {
public:
    explicit Forms(Language language) {
        for (const Term* term : glossary())
            for (const std::string_view form : formsOf(*term, language))
                byKey_[keyOf(form)].push_back({form, term});
        for (auto& [key, forms] : byKey_)
            std::ranges::stable_sort(
                forms, [](const Form& a, const Form& b) { return a.text.size() > b.text.size(); });
    }
    const std::vector<Form>* beginningLike(std::string_view text) const {
        const auto found = byKey_.find(keyOf(text));
        return found == byKey_.end() ? nullptr : &found->second;
    }

private:
    std::unordered_map<Key, std::vector<Form>, HashOfKey> byKey_;
};

const Forms& formsOf(Language language) {
    static std::mutex mutex;
    static std::map<Language, Forms> known;
    const std::scoped_lock lock(mutex);
    const Language id = rowOf(language).id;
    return known.try_emplace(id, id).first->second;
}

// The first letter may be a capital where the form has a small one.
bool beginsWith(std::string_view text, std::string_view form) {
    if (text.size() < form.size()) return false;
    const bool sameFirst =
        text[0] == form[0] || (form[0] >= 'a' && form[0] <= 'z' && text[0] == char(form[0] - 'a' + 'A'));
    return sameFirst && text.substr(1, form.size() - 1) == form.substr(1);
}

// Letters, or what makes a name in code, a path or a compound of them: bank[3], lane.h, reduction/v1, -warp.
bool goesOn(std::string_view rest) {
    if (rest.empty()) return false;
    if (isLetter(rest[0]) || rest[0] == '-' || rest[0] == '/' || rest[0] == '[') return true;
    return rest.size() > 1 && (rest[0] == '.' || rest[0] == ':') && isLetter(rest[1]);
}
bool comesFrom(std::string_view before) {
    if (before.empty()) return false;
    const char last = before.back();
    if (isLetter(last) || last == '-' || last == '/') return true;
    return last == '.' && before.size() > 1 && isLetter(before[before.size() - 2]);
}

}  // namespace

std::vector<std::string_view> formsOf(const Term& term, Language language) {
    std::vector<std::string_view> forms;
    for (std::string_view rest = term.forms.in(language); !rest.empty();) {
        const std::size_t end = std::min(rest.find('|'), rest.size());
        if (end > 0) forms.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return forms;
}

std::vector<NamedTerm> termsIn(std::string_view text, Language language, std::string_view following) {
    std::vector<NamedTerm> found;
    const Forms& forms = formsOf(language);
    std::string joined;  // with what follows, once that matters
    const auto wholeName = [&](const Form& form, std::size_t at) {
        const std::size_t end = at + form.text.size();
        const std::string_view rest = text.substr(end);
        if (rest.starts_with(kEllipsis)) return false;
        return !isLetter(form.text.back()) || !goesOn(rest);
    };
    // Of the forms that fit, the longest; none where a longer one goes on in the next line.
    const auto longestAt = [&](std::size_t at) -> const Form* {
        const std::vector<Form>* candidates = forms.beginningLike(text.substr(at));
        if (!candidates) return nullptr;
        for (const Form& form : *candidates) {
            if (at + form.text.size() > text.size()) {
                if (following.empty()) continue;
                if (joined.empty()) {
                    joined = text;
                    if (language == Language::English && !joined.ends_with(' ')) joined += ' ';
                    joined += following;
                }
                if (beginsWith(std::string_view(joined).substr(at), form.text)) return nullptr;
            } else if (beginsWith(text.substr(at), form.text) && wholeName(form, at)) {
                return &form;
            }
        }
        return nullptr;
    };
    for (std::size_t at = 0; at < text.size();) {
        const bool isWord = isLetter(text[at]);
        if (const Form* form = isWord && comesFrom(text.substr(0, at)) ? nullptr : longestAt(at)) {
            found.push_back({form->term, at, form->text.size()});
            at += form->text.size();
        } else {
            at += isWord ? wordLength(text.substr(at)) : characterLength(text.substr(at));
        }
    }
    return found;
}

}  // namespace lockstep::explain
