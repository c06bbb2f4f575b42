#include "explain/source/source_expression.h"

#include "explain/source/code_only.h"
#include "explain/source/source_line.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::explain {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

struct Sign {
    std::size_t at = 0;
    std::string_view text;
};

// Signs that begin alike: the longest first.
constexpr std::array<std::string_view, 20> kSigns{
    "<<=", ">>=", "<=", ">=", "==", "!=", "<<", ">>", "&&", "||",
    "->",  "+=",  "-=", "*=", "/=", "%=", "<",  ">",  "/",  "%"};

std::vector<Sign> signsOf(std::string_view line) {
    std::vector<Sign> signs;
    for (std::size_t at = 0; at < line.size();) {
        const auto found = std::ranges::find_if(
            kSigns, [&](std::string_view sign) { return line.substr(at).starts_with(sign); });
        if (found != kSigns.end()) signs.push_back({at, *found});
        at += found != kSigns.end() ? found->size() : 1;
    }
    return signs;
}

bool isComparison(std::string_view sign) {
    return sign == "<" || sign == ">" || sign == "<=" || sign == ">=" || sign == "==" || sign == "!=";
}

// Whether an operand of a comparison ends here, outside of brackets.
bool endsComparison(std::string_view line, std::size_t at) {
    const std::string_view rest = line.substr(at);
    return std::string_view(";,?:{}").find(rest.front()) != std::string_view::npos ||
           rest.starts_with("&&") || rest.starts_with("||") || rest.starts_with("=");
}

// The first place from `at` on, to the left or to the right, that is not part of the operand; npos: the line
// ends before. Of a product only * / % go on.
std::size_t leftEnd(std::string_view line, std::size_t at, bool ofProduct) {
    int depth = 0;
    while (at > 0) {
        const char c = line[at - 1];
        if (c == ')' || c == ']') ++depth;
        if ((c == '(' || c == '[') && depth-- == 0) return at;
        if (depth == 0 && c != ')' && c != ']' && c != '(' && c != '[') {
            if (endsComparison(line, at - 1) || c == '&' || c == '|') return at;
            if (ofProduct && !isWord(c) && !isBlank(c) && c != '*' && c != '/' && c != '%') return at;
            if (line.substr(0, at).ends_with("return ")) return at;
        }
        --at;
    }
    return std::string_view::npos;
}
std::size_t rightEnd(std::string_view line, std::size_t at, bool ofProduct) {
    int depth = 0;
    bool hasBegun = false;
    for (; at < line.size(); ++at) {
        const char c = line[at];
        if ((c == ')' || c == ']') && depth-- == 0) return at;
        if (depth == 0 && c != '(' && c != '[' && c != ')' && c != ']') {
            if (endsComparison(line, at) || c == '&' || c == '|') return at;
            // Of a product the next factor alone.
            if (ofProduct && hasBegun && !isWord(c)) return at;
            hasBegun |= isWord(c);
        }
        if (c == '(' || c == '[') ++depth, hasBegun = true;
    }
    return std::string_view::npos;
}

std::string trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return std::string(text);
}

}  // namespace

std::optional<std::string> expressionAround(std::string_view line, std::string_view sign) {
    const std::string code = codeOnly(line);
    const bool isCompared = isComparison(sign);
    std::vector<Sign> alike;
    for (const Sign& one : signsOf(code))
        if (isCompared ? isComparison(one.text) : one.text.substr(0, 1) == sign) alike.push_back(one);
    if (alike.size() != 1 || (!isCompared && alike.front().text != sign)) return std::nullopt;
    const Sign& own = alike.front();
    const bool areEqual = sign == "==" || sign == "!=", isEqual = own.text == "==" || own.text == "!=";
    if (isCompared && areEqual != isEqual) return std::nullopt;
    const std::size_t left = leftEnd(code, own.at, !isCompared),
                      right = rightEnd(code, own.at + own.text.size(), !isCompared);
    if (left == std::string::npos || right == std::string::npos) return std::nullopt;
    const std::string a = trimmed(std::string_view(code).substr(left, own.at - left)),
                      b = trimmed(std::string_view(code).substr(own.at + own.text.size(),
                                                                right - own.at - own.text.size()));
    if (a.empty() || b.empty()) return std::nullopt;
    return a + " " + std::string(own.text) + " " + b;
}

std::optional<std::string> sourceExpression(const ptx::Module& module, Pc pc) {
    constexpr std::size_t kLongest = 60;
    const ptx::Instruction& instruction = module.at(pc);
    const std::string_view form = instruction.form;
    std::string_view sign;
    if (form.starts_with("rem."))
        sign = "%";
    else if (form.starts_with("div."))
        sign = "/";
    else if (form.starts_with("setp."))
        sign = instruction.modifiers.comparison == ptx::Comparison::Eq ||
                       instruction.modifiers.comparison == ptx::Comparison::Ne
                   ? "=="
                   : "<";
    else
        return std::nullopt;
    const SourceLine line = lineOf(module, pc);
    if (line.line == 0) return std::nullopt;
    std::optional<std::string> expression = expressionAround(textOfLine(module, line), sign);
    return expression && expression->size() <= kLongest ? expression : std::nullopt;
}

}  // namespace lockstep::explain
