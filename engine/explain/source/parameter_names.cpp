#include "explain/source/parameter_names.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lockstep::explain {
namespace {

bool isOfWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Every comment as one blank.
std::string withoutComments(std::string_view source) {
    std::string text;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::string_view rest = source.substr(i);
        const std::string_view end = rest.starts_with("//") ? "\n" : rest.starts_with("/*") ? "*/" : "";
        if (end.empty()) {
            text += source[i];
            continue;
        }
        const std::size_t at = source.find(end, i + 2);
        if (at == std::string_view::npos) break;
        i = at + end.size() - 1;
        text += ' ';
    }
    return text;
}

// "const float* __restrict__ x" gives "x", "float x[]" too; nothing where the last word is the type.
std::string nameOf(std::string_view parameter) {
    parameter = parameter.substr(0, parameter.find('='));
    parameter = parameter.substr(0, parameter.find('['));
    while (!parameter.empty() && isBlank(parameter.back()))
        parameter.remove_suffix(1);
    std::size_t begin = parameter.size();
    while (begin > 0 && isOfWord(parameter[begin - 1]))
        --begin;
    const std::string_view before = parameter.substr(0, begin);
    constexpr std::array<std::string_view, 10> kTypes{"int",    "char",     "short",  "long", "float",
                                                      "double", "unsigned", "signed", "bool", "void"};
    const std::string_view word = parameter.substr(begin);
    const bool hasType =
        std::ranges::any_of(before, isOfWord) && std::ranges::find(kTypes, word) == kTypes.end();
    return hasType ? std::string(word) : std::string();
}

// What stands between the parentheses, one by one; commas within others separate nothing.
std::vector<std::string_view> parametersIn(std::string_view list) {
    std::vector<std::string_view> parameters;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        const char c = i < list.size() ? list[i] : ',';
        if (c == '<' || c == '(' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == ']') --depth;
        if (c != ',' || (depth != 0 && i < list.size())) continue;
        parameters.push_back(list.substr(begin, i - begin));
        begin = i + 1;
    }
    return parameters;
}

std::vector<std::string> namesOf(std::string_view list) {
    std::vector<std::string> names;
    for (const std::string_view parameter : parametersIn(list)) {
        names.push_back(nameOf(parameter));
        if (names.back().empty()) return {};
    }
    return names;
}

// What lies within a pair of brackets.
struct Between {
    std::size_t begin = 0, end = 0;
};

std::optional<Between> between(std::string_view text, std::size_t open, char opening, char closing) {
    int depth = 0;
    for (std::size_t close = open; close < text.size(); ++close) {
        if (text[close] == opening) ++depth;
        if (text[close] == closing && --depth == 0) return Between{open + 1, close};
    }
    return std::nullopt;
}

// Of the function `name` in a text without comments.
std::optional<Between> parameterList(std::string_view text, std::string_view name) {
    name = name.substr(0, name.find('<'));
    if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos)
        name.remove_prefix(scope + 2);
    if (name.empty()) return std::nullopt;
    // Where it is declared: behind __global__, with nothing between that ends a statement. A call has none.
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        std::size_t open = at + name.size();
        while (open < text.size() && isBlank(text[open]))
            ++open;
        const bool isWhole = (at == 0 || !isOfWord(text[at - 1])) && open < text.size() && text[open] == '(';
        const std::size_t kernel = text.rfind("__global__", at);
        if (!isWhole || kernel == std::string::npos || text.find_first_of(";{}", kernel) < at) continue;
        if (const std::optional<Between> list = between(text, open, '(', ')')) return list;
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> parameterNames(std::string_view source, std::string_view name) {
    const std::string text = withoutComments(source);
    const std::optional<Between> list = parameterList(text, name);
    return list ? namesOf(std::string_view(text).substr(list->begin, list->end - list->begin))
                : std::vector<std::string>{};
}

std::vector<std::string> parameterTypes(std::string_view source, std::string_view name) {
    const std::string text = withoutComments(source);
    const std::optional<Between> found = parameterList(text, name);
    if (!found) return {};
    const std::string_view list = std::string_view(text).substr(found->begin, found->end - found->begin);
    const std::vector<std::string> names = namesOf(list);
    std::vector<std::string> types;
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string_view type = parametersIn(list)[i];
        type = type.substr(0, type.rfind(names[i]));
        while (!type.empty() && isBlank(type.front()))
            type.remove_prefix(1);
        while (!type.empty() && isBlank(type.back()))
            type.remove_suffix(1);
        types.emplace_back(type);
    }
    return types;
}

std::string kernelBody(std::string_view source, std::string_view name) {
    const std::string text = withoutComments(source);
    const std::optional<Between> list = parameterList(text, name);
    if (!list) return {};
    const std::size_t open = text.find_first_not_of(" \t\r\n", list->end + 1);
    if (open == std::string::npos || text[open] != '{') return {};
    const std::optional<Between> body = between(text, open, '{', '}');
    return body ? text.substr(body->begin, body->end - body->begin) : std::string();
}

}  // namespace lockstep::explain
