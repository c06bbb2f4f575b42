// C++ names from the names in PTX.
#include "ptx/demangled_parameters.h"
#include "ptx/demangled_size.h"
#include "ptx/module.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <optional>

namespace lockstep::ptx {
namespace {

// Longer names, and those that stand for longer texts, are shown as they are.
constexpr std::size_t kLongestName = 4096;
constexpr u64 kLongestText = 16 << 20;

std::string fullName(std::string_view mangled) {
    if (!mangled.starts_with("_Z") || mangled.size() > kLongestName ||
        demangledSizeBound(mangled) > kLongestText)
        return std::string(mangled);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : std::string(mangled);
}

// Position of the '(' that opens the parameters; npos if there are none.
std::size_t parametersAt(std::string_view name) {
    const std::size_t close = name.rfind(')');
    if (close == std::string_view::npos) return close;
    int depth = 0;
    for (std::size_t at = close + 1; at-- > 0;) {
        if (name[at] == ')') ++depth;
        if (name[at] == '(' && --depth == 0) return at;
    }
    return std::string_view::npos;
}

// "void f<16>" -> "f<16>": what stands before the last space outside of brackets is the return type.
std::string_view withoutReturnType(std::string_view name) {
    int depth = 0;
    for (std::size_t at = name.size(); at-- > 0;) {
        const char c = name[at];
        if (c == '>' || c == ')' || c == ']' || c == '}') ++depth;
        if (c == '<' || c == '(' || c == '[' || c == '{') --depth;
        if (c == ' ' && depth == 0) return name.substr(at + 1);
    }
    return name;
}

// Template arguments as people write them: "16u" -> "16", "(short)3" -> "3".
std::string withPlainArguments(std::string_view name) {
    std::string result;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char before = result.empty() ? 0 : result.back();
        const bool startsArgument =
            before == '<' || (before == ' ' && result.size() > 1 && result[result.size() - 2] == ',');
        if (startsArgument && name[at] == '(') {
            const std::size_t close = name.find(')', at);
            if (close != std::string_view::npos && close + 1 < name.size() &&
                (std::isdigit(static_cast<unsigned char>(name[close + 1])) || name[close + 1] == '-'))
                at = close + 1;
        }
        if (startsArgument && (std::isdigit(static_cast<unsigned char>(name[at])) || name[at] == '-')) {
            do
                result += name[at++];
            while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])));
            while (at < name.size() && (name[at] == 'u' || name[at] == 'l'))
                ++at;
            --at;
            continue;
        }
        result += name[at];
    }
    return result;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Reads "<length><name>" at the start of `text`.
std::optional<std::string_view> lengthPrefixed(std::string_view text) {
    std::size_t length = 0, at = 0;
    for (; at < text.size() && isDigit(text[at]) && length < text.size(); ++at)
        length = length * 10 + std::size_t(text[at] - '0');
    if (at == 0 || length == 0 || at + length > text.size()) return std::nullopt;
    return text.substr(at, length);
}

// What may follow the last <length><name> of a mangled variable: the E of a namespace, or a number that tells
// apart equal names of one function, _0 to _9 and __10_ onwards (Itanium C++ ABI, "discriminator").
bool endsMangledName(std::string_view rest) {
    if (rest.empty() || rest == "E") return true;
    if (rest.size() == 2) return rest[0] == '_' && isDigit(rest[1]);
    return rest.size() > 3 && rest.starts_with("__") && rest.ends_with("_") &&
           std::ranges::all_of(rest.substr(2, rest.size() - 3), isDigit);
}

}  // namespace

std::string shortName(std::string_view mangled) {
    std::string full = fullName(mangled);
    if (full == mangled) return full;
    return withPlainArguments(withoutReturnType(std::string_view(full).substr(0, parametersAt(full))));
}

std::string demangle(std::string_view mangled) {
    std::string full = fullName(mangled);
    if (full == mangled) return full;
    std::string name = shortName(mangled);
    const std::size_t parameters = parametersAt(full);
    if (name.ends_with('>') || parameters == std::string::npos)
        return name;  // an instance has one set of parameters
    return name + full.substr(parameters);
}

std::string demangledParameters(std::string_view mangled) {
    const std::string full = fullName(mangled);
    const std::size_t parameters = full == mangled ? std::string::npos : parametersAt(full);
    return parameters == std::string::npos ? std::string() : full.substr(parameters);
}

std::string variableName(std::string_view ptxName) {
    constexpr std::string_view kLocalMark = "_non_const_";  // __cuda_local_var_41177_33_non_const_Mds
    if (ptxName.starts_with("__cuda_local_var_"))
        if (const std::size_t mark = ptxName.find(kLocalMark); mark != std::string_view::npos)
            return std::string(ptxName.substr(mark + kLocalMark.size()));
    if (!ptxName.starts_with("_Z")) return std::string(ptxName);
    for (std::size_t at = ptxName.size(); at-- > 2;) {
        if (!isDigit(ptxName[at]) || isDigit(ptxName[at - 1])) continue;
        const std::optional<std::string_view> name = lengthPrefixed(ptxName.substr(at));
        if (!name || isDigit(name->front())) continue;
        if (endsMangledName(ptxName.substr(std::size_t(name->data() + name->size() - ptxName.data()))))
            return std::string(*name);
    }
    return std::string(ptxName);
}

}  // namespace lockstep::ptx
