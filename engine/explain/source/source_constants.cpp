#include "explain/source/source_constants.h"

#include "base/text/trimmed.h"

#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <vector>

namespace lockstep::explain {
namespace {

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

class Expression {
public:
    Expression(std::string_view text, const Constants& constants) : text_(text), constants_(constants) {}
    std::optional<s64> evaluate() {
        const std::optional<s64> value = binary(0);
        skipBlanks();
        return text_.empty() ? value : std::nullopt;
    }

private:
    static constexpr s64 kMost = s64{1} << 40;  // no extent is larger, and products stay far from overflow
    static constexpr std::array<std::array<std::string_view, 3>, 3> kLevels{
        {{"<<", ">>", ""}, {"+", "-", ""}, {"*", "/", "%"}}};  // loosest first

    void skipBlanks() {
        while (!text_.empty() && std::isspace(u8(text_[0])))
            text_.remove_prefix(1);
    }
    std::string_view takeOneOf(const std::array<std::string_view, 3>& operators) {
        skipBlanks();
        for (const std::string_view op : operators)
            if (!op.empty() && text_.starts_with(op)) return text_.remove_prefix(op.size()), op;
        return {};
    }
    static std::optional<s64> apply(std::string_view op, s64 a, s64 b) {
        if (std::abs(a) > kMost || std::abs(b) > kMost) return std::nullopt;
        if (op == "+") return a + b;
        if (op == "-") return a - b;
        if (op == "*")
            return std::abs(a) < (s64{1} << 21) || std::abs(b) < (s64{1} << 21) ? std::optional(a * b)
                                                                                : std::nullopt;
        if ((op == "/" || op == "%") && b == 0) return std::nullopt;
        if (op == "/") return a / b;
        if (op == "%") return a % b;
        if (a < 0 || b < 0 || b > 20) return std::nullopt;
        return op == "<<" ? a << b : a >> b;
    }
    std::optional<s64> binary(std::size_t level) {
        if (level == kLevels.size()) return factor();
        std::optional<s64> left = binary(level + 1);
        while (left) {
            const std::string_view op = takeOneOf(kLevels[level]);
            if (op.empty()) return left;
            const std::optional<s64> right = binary(level + 1);
            left = right ? apply(op, *left, *right) : std::nullopt;
        }
        return left;
    }
    std::optional<s64> factor() {
        skipBlanks();
        if (text_.starts_with('(')) {
            text_.remove_prefix(1);
            if (depth_++ > 8) return std::nullopt;
            const std::optional<s64> inner = binary(0);
            skipBlanks();
            if (!text_.starts_with(')')) return std::nullopt;
            text_.remove_prefix(1);
            return inner;
        }
        std::size_t n = 0;
        while (n < text_.size() && isWord(text_[n]))
            ++n;
        std::string_view word = text_.substr(0, n);
        text_.remove_prefix(n);
        if (word.empty()) return std::nullopt;
        if (!std::isdigit(u8(word[0]))) {
            const auto found = constants_.find(word);
            return found == constants_.end() ? std::nullopt : std::optional(found->second);
        }
        while (!word.empty() && std::string_view("uUlL").find(word.back()) != std::string_view::npos)
            word.remove_suffix(1);
        s64 number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        return error == std::errc{} && end == word.data() + word.size() && number <= kMost
                   ? std::optional(number)
                   : std::nullopt;
    }

    std::string_view text_;
    const Constants& constants_;
    int depth_ = 0;
};

// At the commas that no bracket encloses.
std::vector<std::string_view> separated(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<' || text[i] == '(') ++depth;
        if (text[i] == '>' || text[i] == ')') --depth;
        if (text[i] == ',' && depth == 0)
            parts.push_back(trimmed(text.substr(from, i - from), kAllBlanks)), from = i + 1;
    }
    if (!trimmed(text.substr(from), kAllBlanks).empty())
        parts.push_back(trimmed(text.substr(from), kAllBlanks));
    return parts;
}

// What stands between < and the > that closes it; `text` begins with the <.
std::string_view withinAngles(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<') ++depth;
        if (text[i] == '>' && --depth == 0) return text.substr(1, i - 1);
    }
    return {};
}

// The same text, its comments blanks.
std::string withoutComments(std::string_view source) {
    std::string text(source);
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] != '/' || (text[i + 1] != '/' && text[i + 1] != '*')) continue;
        const bool isLine = text[i + 1] == '/';
        const std::size_t end = isLine ? text.find('\n', i) : text.find("*/", i + 2);
        for (const std::size_t stop = end == std::string::npos ? text.size()
                                      : isLine                 ? end
                                                               : end + 2;
             i < stop; ++i)
            if (text[i] != '\n') text[i] = ' ';
    }
    return text;
}

// Template parameters by name, with the arguments of the instance as they are written.
std::vector<std::pair<std::string_view, std::string_view>> templateArguments(std::string_view source,
                                                                             std::string_view kernel) {
    const std::size_t open = kernel.find('<');
    if (open == std::string_view::npos) return {};
    std::string_view name = trimmed(kernel.substr(0, open), kAllBlanks);
    name = name.substr(name.find_last_of(" :") == std::string_view::npos ? 0 : name.find_last_of(" :") + 1);
    const std::vector<std::string_view> arguments = separated(withinAngles(kernel.substr(open)));
    for (std::size_t at = source.find(name); at != std::string_view::npos; at = source.find(name, at + 1)) {
        const std::size_t after = at + name.size();
        if ((at > 0 && isWord(source[at - 1])) || after >= source.size() || source[after] != '(') continue;
        const std::size_t keyword = source.rfind("template", at);
        const std::size_t between =
            source.find_first_of(";{}", keyword == std::string_view::npos ? at : keyword);
        if (keyword == std::string_view::npos || between < at) continue;
        const std::size_t angle = source.find('<', keyword);
        if (angle == std::string_view::npos || angle > at) continue;
        const std::vector<std::string_view> parameters = separated(withinAngles(source.substr(angle)));
        std::vector<std::pair<std::string_view, std::string_view>> named;
        for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
            std::string_view parameter =
                trimmed(parameters[i].substr(0, parameters[i].find('=')), kAllBlanks);
            std::size_t begin = parameter.size();
            while (begin > 0 && isWord(parameter[begin - 1]))
                --begin;
            if (begin > 0) named.emplace_back(parameter.substr(begin), arguments[i]);
        }
        return named;
    }
    return {};
}

}  // namespace

std::optional<s64> constantValue(std::string_view text, const Constants& constants) {
    return Expression(text, constants).evaluate();
}

TypeNames templateTypesOf(std::string_view commented, std::string_view kernel) {
    const std::string source = withoutComments(commented);
    TypeNames types;
    for (const auto& [name, argument] : templateArguments(source, kernel))
        if (!constantValue(argument, {})) types.emplace(name, argument);
    return types;
}

Constants constantsOf(std::string_view commented, std::string_view kernel) {
    const std::string source = withoutComments(commented);
    Constants constants;
    std::set<std::string, std::less<>> several;  // names with more than one value
    for (const auto& [name, argument] : templateArguments(source, kernel))
        if (const std::optional<s64> value = constantValue(argument, constants))
            constants[std::string(name)] = *value;
    const auto add = [&](std::string_view name, std::string_view text) {
        const std::optional<s64> value = constantValue(trimmed(text, kAllBlanks), constants);
        const auto known = constants.find(name);
        if (!value || (known != constants.end() && known->second != *value)) {
            several.insert(std::string(name));
            if (known != constants.end()) constants.erase(known);
        } else if (!several.contains(name)) {
            constants[std::string(name)] = *value;
        }
    };
    std::size_t line = 0;
    while (line < source.size()) {
        const std::size_t end = std::min(source.find('\n', line), source.size());
        std::string_view text = trimmed(std::string_view(source).substr(line, end - line), kAllBlanks);
        line = end + 1;
        if (text.starts_with("#define ")) {
            text = trimmed(text.substr(8), kAllBlanks);
            std::size_t n = 0;
            while (n < text.size() && isWord(text[n]))
                ++n;
            if (n > 0 && n < text.size() && text[n] != '(') add(text.substr(0, n), text.substr(n));
            continue;
        }
        // "constexpr int Each = Tile / Depth;", "static const int a = 1, b = 2;"
        const bool isConstant =
            text.starts_with("constexpr ") || text.starts_with("const ") || text.starts_with("static const");
        if (!isConstant || text.find('=') == std::string_view::npos || text.find('(') < text.find('='))
            continue;
        text = text.substr(0, text.find(';'));
        for (const std::string_view part : separated(text)) {
            const std::size_t equals = part.find('=');
            if (equals == std::string_view::npos) continue;
            const std::string_view left = trimmed(part.substr(0, equals), kAllBlanks);
            std::size_t begin = left.size();
            while (begin > 0 && isWord(left[begin - 1]))
                --begin;
            if (begin < left.size()) add(left.substr(begin), part.substr(equals + 1));
        }
    }
    return constants;
}

}  // namespace lockstep::explain
