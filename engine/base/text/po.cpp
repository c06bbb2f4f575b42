#include "base/text/po.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lockstep {
namespace {

std::string_view trimmedLine(std::string_view line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
        line.remove_suffix(1);
    while (!line.empty() && line.front() == ' ')
        line.remove_prefix(1);
    return line;
}

// Appends what stands between the quotes, its escapes resolved; false: the text is not in quotes.
bool appendUnquoted(std::string_view text, std::string& plain) {
    text = trimmedLine(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    for (;;) {
        const auto end = std::ranges::find_if(text, [](char c) { return c == '"' || c == '\\'; });
        plain.append(text.begin(), end);
        text.remove_prefix(std::size_t(end - text.begin()));
        if (text.empty()) return true;
        if (text.size() < 2 || text[0] == '"') return false;
        plain += text[1] == 'n' ? '\n' : text[1] == 't' ? '\t' : text[1];
        text.remove_prefix(2);
    }
}

class PoReader {
public:
    PoFile read(std::string_view text) {
        u32 number = 0;
        while (!text.empty() && file_.error.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            take(trimmedLine(text.substr(0, end)), ++number);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        finish();
        return std::move(file_);
    }

private:
    void take(std::string_view line, u32 number) {
        if (line.empty()) return finish();
        if (line.starts_with("#,")) {
            if (into_ == &entry_.translation) finish();
            entry_.isFuzzy |= line.find("fuzzy") != std::string_view::npos;
            return;
        }
        if (line.front() == '#') return;
        if (line.starts_with("msgctxt "))
            finishTranslation(), into_ = &entry_.context, line.remove_prefix(8);
        else if (line.starts_with("msgid "))
            finishTranslation(), into_ = &entry_.english, line.remove_prefix(6), hasId_ = true;
        else if (line.starts_with("msgstr "))
            into_ = &entry_.translation, line.remove_prefix(7);
        if (!into_ || !appendUnquoted(line, *into_))
            file_.error = "line " + std::to_string(number) +
                          ": msgctxt, msgid or msgstr and a text in quotes are expected";
    }
    void finishTranslation() {
        if (into_ == &entry_.translation) finish();
    }
    void finish() {
        if (hasId_ && entry_.english.empty())
            file_.header = entry_.translation;
        else if (hasId_)
            file_.entries.push_back(std::move(entry_));
        entry_ = {};
        into_ = nullptr;
        hasId_ = false;
    }

    PoFile file_;
    PoEntry entry_;
    std::string* into_ = nullptr;
    bool hasId_ = false;
};

// Reads and evaluates at once: such an expression has a dozen signs.
class PluralExpression {
public:
    PluralExpression(std::string_view text, u64 n) : text_(text), n_(n) {}
    std::optional<u64> value() {
        const u64 result = choice();
        skip();
        return isRight_ && text_.empty() ? std::optional(result) : std::nullopt;
    }

private:
    void skip() {
        while (!text_.empty() && text_.front() == ' ')
            text_.remove_prefix(1);
    }
    bool take(std::string_view sign) {
        skip();
        if (!text_.starts_with(sign)) return false;
        text_.remove_prefix(sign.size());
        return true;
    }
    u64 choice() {
        const u64 condition = either();
        if (!take("?")) return condition;
        const u64 yes = nested(), no = (isRight_ &= take(":"), nested());
        return condition ? yes : no;
    }
    u64 either() {
        u64 left = both();
        while (take("||")) {
            const u64 right = both();
            left = left || right;
        }
        return left;
    }
    u64 both() {
        u64 left = compared();
        while (take("&&")) {
            const u64 right = compared();
            left = left && right;
        }
        return left;
    }
    u64 compared() {
        u64 left = remainder();
        for (;;)
            if (take("=="))
                left = left == remainder();
            else if (take("!="))
                left = left != remainder();
            else if (take("<="))
                left = left <= remainder();
            else if (take(">="))
                left = left >= remainder();
            else if (take("<"))
                left = left < remainder();
            else if (take(">"))
                left = left > remainder();
            else
                return left;
    }
    u64 remainder() {
        u64 left = factor();
        while (take("%")) {
            const u64 right = factor();
            isRight_ &= right != 0;
            left = right ? left % right : 0;
        }
        return left;
    }
    u64 factor() {
        if (take("(")) {
            const u64 inside = nested();
            isRight_ &= take(")");
            return inside;
        }
        if (take("n")) return n_;
        skip();
        u64 number = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
        if (error != std::errc()) return isRight_ = false, 0;
        text_.remove_prefix(std::size_t(end - text_.data()));
        return number;
    }
    u64 nested() {
        if (++depth_ > 20) return isRight_ = false, text_ = {}, 0;
        const u64 inside = choice();
        --depth_;
        return inside;
    }

    std::string_view text_;
    u64 n_;
    u32 depth_ = 0;
    bool isRight_ = true;
};

}  // namespace

std::string_view PoFile::field(std::string_view name) const {
    std::string_view rest = header;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        if (line.starts_with(name) && line.substr(name.size()).starts_with(": "))
            return trimmedLine(line.substr(name.size() + 2));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

PoFile parsePo(std::string_view text) { return PoReader().read(text); }

PluralRule::PluralRule(std::string_view field) {
    constexpr std::string_view kForms = "nplurals=", kRule = "plural=";
    const std::size_t forms = field.find(kForms), end = std::min(field.find(';'), field.size());
    if (forms == std::string_view::npos || forms > end) return;
    const std::string_view count = field.substr(forms + kForms.size(), end - forms - kForms.size());
    std::from_chars(count.data(), count.data() + count.size(), forms_);
    field.remove_prefix(std::min(end + 1, field.size()));
    if (const std::size_t rule = field.find(kRule); rule != std::string_view::npos)
        expression_ = field.substr(rule + kRule.size(), field.find(';', rule) - rule - kRule.size());
    constexpr std::size_t kLongest = 500;
    bool isValid = forms_ >= 1 && forms_ <= 6 && expression_.size() <= kLongest;
    for (u64 n = 0; n < kTried && isValid; ++n) {
        const std::optional<u64> form = PluralExpression(expression_, n).value();
        isValid = form && *form < forms_;
        if (isValid) known_.push_back(u8(*form));
    }
    if (!isValid) known_.clear(), forms_ = 1;
}

u32 PluralRule::formOf(u64 n) const {
    if (!isValid()) return 0;
    if (n < known_.size()) return known_[n];
    return std::min(u32(PluralExpression(expression_, n).value().value_or(0)), forms_ - 1);
}

}  // namespace lockstep
