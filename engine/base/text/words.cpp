#include "base/text/words.h"

#include "base/check.h"
#include "base/text/counted.h"
#include "base/text/po.h"
#include "base/text/translations.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace lockstep {
namespace {

// The places are as they were, the letters are not, and two for each five are added.
std::string pseudo(std::string_view english) {
    constexpr std::string_view kPlain = "aceinouyACEINOUY";
    constexpr std::string_view kAccented[] = {"á", "ç", "é", "í", "ñ", "ó", "ú", "ý",
                                              "Á", "Ç", "É", "Í", "Ñ", "Ó", "Ú", "Ý"};
    std::string text;
    u32 letters = 0;
    bool isPlace = false, isForm = false;
    char before = 0;
    for (const char c : english) {
        if (c == '{' || (c == '(' && before == ']')) isPlace = true;  // a value, or where a link leads
        if (c == '}' || c == ')') isPlace = isForm = false;
        const std::size_t at = isPlace && !isForm ? std::string_view::npos : kPlain.find(c);
        if (at == std::string_view::npos)
            text += c;
        else
            text += kAccented[at];
        if (isPlace && c == ':' && before >= '0' && before <= '9') isForm = true;
        before = c;
        letters += !isPlace && c != ' ' && c != '}';
        if (letters >= 5 && c == ' ') {  // between two words, so that lines break as in a language
            text.append(letters * 2 / 5, '~');
            text += ' ';
            letters = 0;
        }
    }
    if (letters > 1) text += std::string(std::max(1u, letters * 2 / 5), '~');
    return text;
}

using Texts = std::unordered_map<u64, std::string>;  // by their keys

// Those of one PO file: the translations, or what they translate.
Texts textsOf(const EmbeddedPo& embedded, std::string PoEntry::*which) {
    std::string text;
    for (const std::string_view entry : embedded.entries)
        text.append(entry).append("\n\n");
    PoFile file = parsePo(text);
    CHECK(file.error.empty(), file.error.c_str());
    Texts texts;
    texts.reserve(file.entries.size());
    for (PoEntry& entry : file.entries)
        if (which == &PoEntry::english || (!entry.isFuzzy && !entry.translation.empty()))
            texts.emplace(keyOfText(entry.context, entry.english), std::move(entry.*which));
    return texts;
}

bool isTranslated(std::string_view entry) {
    return !entry.ends_with("\nmsgstr \"\"") && entry.find("#, fuzzy") == std::string_view::npos;
}

// A language: its header is read at once, its texts when the first is asked for. So a start in English reads
// none.
class Translation {
public:
    Translation(std::string_view code, std::string_view name)
        : code_(code), name_(name), english_(name), isComplete_(code == "en") {}
    explicit Translation(const EmbeddedPo& embedded)
        : embedded_(&embedded), isComplete_(std::ranges::all_of(embedded.entries.subspan(1), isTranslated)) {
        const PoFile header = parsePo(embedded.entries.front());
        CHECK(header.error.empty(), header.error.c_str());
        code_ = header.field("Language");
        std::ranges::replace(code_, '_', '-');
        name_ = header.field("X-Language-Name");
        english_ = header.field("X-Language-English");
        plural_ = PluralRule(header.field("Plural-Forms"));
        spacesLatin_ = header.field("X-Spaces-Latin") == "yes";
    }
    const Texts& texts() const {
        std::call_once(isRead_, [this] {
            if (embedded_) texts_ = textsOf(*embedded_, &PoEntry::translation);
        });
        return texts_;
    }
    const PluralRule& plural() const { return plural_; }
    bool spacesLatin() const { return spacesLatin_; }
    LanguageRow row(Language id) const {
        return {.id = id, .code = code_, .name = name_, .english = english_, .isComplete = isComplete_};
    }

private:
    const EmbeddedPo* embedded_ = nullptr;
    std::string code_, name_, english_;
    PluralRule plural_;
    bool isComplete_ = false, spacesLatin_ = false;
    mutable std::once_flag isRead_;
    mutable Texts texts_;
};

const std::string* find(const Texts& texts, u64 key) {
    const auto found = texts.find(key);
    return found == texts.end() ? nullptr : &found->second;
}

// scripts/texts writes the same texts into every file.
const Texts& englishTexts() {
    static const Texts texts = textsOf(embeddedPo().front(), &PoEntry::english);
    return texts;
}

class Translations {
public:
    Translations() {
        all_.emplace_back("en", "English");
        for (const EmbeddedPo& embedded : embeddedPo())
            all_.emplace_back(embedded);
        all_.emplace_back(kPseudoLanguage, "Pseudo");
        for (const Translation& translation : all_)
            rows_.push_back(translation.row(Language(rows_.size())));
    }
    const Translation& of(Language language) const {
        return all_[std::min(std::size_t(language), all_.size() - 1)];
    }
    const std::string* translated(Language language, u64 key) const {
        const bool isPseudo = std::size_t(language) + 1 >= all_.size();
        return find(isPseudo ? longer() : of(language).texts(), key);
    }
    std::span<const LanguageRow> rows() const { return rows_; }

private:
    // Made when a test asks for it: a user never does.
    static const Texts& longer() {
        static const Texts texts = [] {
            Texts made;
            for (const auto& [key, english] : englishTexts())
                made.emplace(key, pseudo(english));
            return made;
        }();
        return texts;
    }

    std::deque<Translation> all_;
    std::vector<LanguageRow> rows_;
};

const Translations& translations() {
    static const Translations all;
    return all;
}

// Of "one|many" the form that goes with a figure.
std::string_view formFor(Language language, std::string_view forms, std::string_view figure) {
    u64 n = 0;
    bool isWhole = !figure.empty();
    for (const char c : figure)
        if (c >= '0' && c <= '9')
            n = n * 10 + u64(c - '0');
        else if (c != ',')
            isWhole = false;
    const PluralRule& rule = translations().of(language).plural();
    u32 form = isWhole ? rule.formOf(n) : rule.forms() - 1;
    for (; form > 0 && forms.find('|') != std::string_view::npos; --form)
        forms.remove_prefix(forms.find('|') + 1);
    return forms.substr(0, forms.find('|'));
}

}  // namespace

std::span<const LanguageRow> languages() { return translations().rows(); }

const LanguageRow& rowOf(Language language) {
    return languages()[std::min(std::size_t(language), languages().size() - 1)];
}

std::optional<Language> languageOf(std::string_view code) {
    for (const LanguageRow& row : languages())
        if (row.code == code || (!code.empty() && row.code.substr(0, row.code.find('-')) == code))
            return row.id;
    return std::nullopt;
}

Language nextLanguage(Language language) {
    const std::span<const LanguageRow> rows = languages();
    std::size_t next = std::min(std::size_t(language), rows.size() - 1);
    do
        next = (next + 1) % rows.size();
    while (!rows[next].isComplete);
    return rows[next].id;
}

const std::string* translation(Language language, u64 key) {
    return language == Language::English ? nullptr : translations().translated(language, key);
}

std::string_view translated(Language language, std::string_view english, u64 key) {
    const std::string* found = translation(language, key);
    return found ? std::string_view(*found) : english;
}

bool spacesLatin(Language language) { return translations().of(language).spacesLatin(); }

std::optional<Words> Words::of(u64 key) {
    const std::string* text = find(englishTexts(), key);
    if (!text) return std::nullopt;
    Words words;
    words.english_ = *text;
    words.key_ = key;
    return words;
}

std::string_view Words::in(Language language) const { return translated(language, english_, key_); }

std::string spoken(u64 value) { return grouped(value); }
std::string spoken(s64 value) {
    return (value < 0 ? "-" : "") + grouped(value < 0 ? 0 - u64(value) : u64(value));
}
std::string spoken(f32 value) { return fmt::format("{}", value); }
std::string spoken(f64 value) { return fmt::format("{}", value); }

namespace {

// Full-width punctuation brings its own space: "）", "。" and their like, which begin with ef bc, ef bd or
// e3 80.
bool endsFullWidth(std::string_view text) {
    constexpr std::size_t kBytes = 3;
    if (text.size() < kBytes) return false;
    const std::string_view last = text.substr(text.size() - kBytes);
    return last.starts_with("\xef\xbc") || last.starts_with("\xef\xbd") || last.starts_with("\xe3\x80");
}

}  // namespace

std::string filled(Language language, std::string_view text, std::span<const std::string> values,
                   bool (*wantsSpace)(std::string_view before, std::string_view after)) {
    std::string filled;
    const auto add = [&](std::string_view next) {
        if (next.starts_with(' ') && endsFullWidth(filled)) next.remove_prefix(1);
        if (wantsSpace && wantsSpace(filled, next)) filled += ' ';
        filled += next;
    };
    for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
        const std::size_t close = text.find('}', open), place = std::size_t(text[open + 1] - '0');
        CHECK(close != std::string_view::npos, "a place has an end");
        CHECK_LT(place, values.size(), "a place has a value");
        add(text.substr(0, open));
        const std::string_view forms = text.substr(open + 2, close - open - 2);
        if (forms.empty())
            add(values[place]);
        else
            add(formFor(language, forms.substr(1), values[place]));
        text.remove_prefix(close + 1);
    }
    add(text);
    return filled;
}

}  // namespace lockstep
