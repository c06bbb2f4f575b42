#include "record/text_places.h"

#include "base/check.h"
#include "record/record_plan.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lockstep::record {
namespace {

constexpr u32 kLeastMajor = 6, kLeastMinor = 2;  // activemask: PTX ISA, "activemask"

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The position after a comment or a string that begins at `at`; `at` if none does.
u32 behindHidden(std::string_view text, u32 at) {
    if (text.substr(at, 2) == "//") return u32(std::min(text.find('\n', at), text.size()));
    if (text.substr(at, 2) == "/*") return u32(std::min(text.find("*/", at + 2), text.size() - 2) + 2);
    if (text[at] == '"') return u32(std::min(text.find('"', at + 1), text.size() - 1) + 1);
    return at;
}

// The first of `wanted` from `at` on outside comments and strings.
u32 findText(std::string_view text, u32 at, std::string_view wanted) {
    while (at < text.size() && wanted.find(text[at]) == std::string_view::npos) {
        const u32 behind = behindHidden(text, at);
        at = behind > at ? behind : at + 1;
    }
    CHECK_LT(at, text.size(), "the parser has seen this text to its end");
    return at;
}

u32 skipSpace(std::string_view text, u32 at, u32 end) {
    while (at < end) {
        if (isSpace(text[at])) {
            ++at;
            continue;
        }
        const u32 behind = text[at] == '"' ? at : behindHidden(text, at);
        if (behind == at) break;
        at = behind;
    }
    return at;
}

}  // namespace

FunctionPlaces placesOf(const ptx::Module& module, const ptx::Function& function) {
    const std::string_view text = module.text();
    FunctionPlaces places;
    // A function may be declared, and called, before it is defined: the definition is followed by a brace.
    std::size_t name = std::size_t(function.name.data() - text.data());
    CHECK_LT(name, text.size(), "a function's name stands in the text");
    u32 end = 0;
    while (text[end = findText(text, u32(name + function.name.size()), "{;")] != '{') {
        name = text.find(function.name, end);
        CHECK(name != std::string_view::npos, "the function has a body");
    }
    places.bodyBegin = end + 1;
    std::size_t begin = text.rfind(function.isEntry ? ".entry" : ".func", name);
    CHECK(begin != std::string_view::npos, "a function's name stands behind .entry or .func");
    for (std::string_view linkage : {".visible", ".weak"}) {
        std::size_t before = begin;
        while (before > 0 && isSpace(text[before - 1]))
            --before;
        if (before >= linkage.size() && text.substr(before - linkage.size(), linkage.size()) == linkage)
            begin = before - linkage.size();
    }
    places.begin = u32(begin);

    u32 depth = 1;
    for (u32 at = places.bodyBegin; depth;) {
        at = skipSpace(text, at, u32(text.size()));
        if (text.substr(at, 4) == ".loc" && isSpace(text[at + 4])) {  // ends with its line
            at = u32(std::min(text.find('\n', at), text.size()));
            continue;
        }
        constexpr std::string_view kSpaces[] = {".shared", ".local", ".global", ".const"};
        if (depth == 1 && std::ranges::any_of(kSpaces, [&](std::string_view space) {
                return text.substr(at, space.size()) == space;
            })) {
            const u32 end = behindSemicolon(text, at);
            places.declarations.push_back({at, end});
            at = end;
            continue;
        }
        at = findText(text, at, "{};:");
        if (text[at] == '{') ++depth;
        if (text[at] == '}' && --depth == 0) places.bodyEnd = at;
        ++at;
    }
    return places;
}

u32 behindSemicolon(std::string_view text, u32 at) { return findText(text, at, ";") + 1; }

bool hasBraceBetween(const ptx::Module& module, Pc first, Pc second) {
    if (!standsInText(module, first) || !standsInText(module, second)) return true;
    const std::string_view before = module.textOf(first), behind = module.textOf(second);
    const std::string_view gap(before.data() + before.size(),
                               std::size_t(behind.data() - before.data()) - before.size());
    return gap.find_first_of("{}") != std::string_view::npos;
}

std::string withoutDeclarations(std::string_view text, u32 begin, u32 end,
                                const std::vector<TextSpan>& declarations) {
    std::string result;
    for (const TextSpan& span : declarations) {
        if (span.begin < begin || span.end > end) continue;
        result += text.substr(begin, span.begin - begin);
        begin = span.end;
    }
    return result += text.substr(begin, end - begin);
}

std::string withMinimumPtxVersion(std::string head) {
    constexpr std::string_view kDirective = ".version";
    std::size_t at = head.find(kDirective);
    while (at != std::string::npos && at > 0 && head[at - 1] != '\n')
        at = head.find(kDirective, at + 1);
    if (at == std::string::npos) return head;
    at += kDirective.size();
    while (at < head.size() && isSpace(head[at]))
        ++at;
    u32 major = 0, minor = 0;
    const auto [dot, one] = std::from_chars(head.data() + at, head.data() + head.size(), major);
    if (one != std::errc() || *dot != '.') return head;
    const auto [end, two] = std::from_chars(dot + 1, head.data() + head.size(), minor);
    if (two != std::errc() || std::pair(major, minor) >= std::pair(kLeastMajor, kLeastMinor)) return head;
    return head.replace(at, std::size_t(end - (head.data() + at)),
                        std::to_string(kLeastMajor) + "." + std::to_string(kLeastMinor));
}

}  // namespace lockstep::record
