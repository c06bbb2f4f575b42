#include "explain/source/type_layout.h"

#include "explain/source/code_only.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace lockstep::explain {
namespace {

using ptx::Type;

constexpr u32 kMostBytes = 4096, kMostAlign = 16, kMostDepth = 8;

struct Named {
    std::string_view name;
    Type type;
};
constexpr Named kScalars[] = {
    {"float", Type::F32},     {"double", Type::F64},       {"half", Type::F16},
    {"__half", Type::F16},    {"__nv_bfloat", Type::BF16}, {"int", Type::S32},
    {"uint", Type::U32},      {"char", Type::S8},          {"uchar", Type::U8},
    {"short", Type::S16},     {"ushort", Type::U16},       {"longlong", Type::S64},
    {"ulonglong", Type::U64}, {"size_t", Type::U64},       {"int8_t", Type::S8},
    {"uint8_t", Type::U8},    {"int16_t", Type::S16},      {"uint16_t", Type::U16},
    {"int32_t", Type::S32},   {"uint32_t", Type::U32},     {"int64_t", Type::S64},
    {"uint64_t", Type::U64},  {"bool", Type::U8},          {"__nv_bfloat16", Type::BF16}};
constexpr std::string_view kNoType[] = {
    "const",  "volatile",   "struct",     "union",    "__restrict__", "__restrict",   "mutable",
    "extern", "__shared__", "__device__", "typename", "static",       "__restrict__*"};

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isWord(text[end]))
            ++end;
        if (end > at) words.push_back(text.substr(at, end - at));
        at = std::max(end, at + 1);
    }
    std::erase_if(
        words, [](std::string_view word) { return std::ranges::find(kNoType, word) != std::end(kNoType); });
    return words;
}

TypeLayout scalar(Type type) {
    const u32 bytes = ptx::bytesOf(type);
    return {bytes, bytes, {{"", 0, bytes, type}}};
}

TypeLayout vector(Type type, u32 count) {
    TypeLayout layout = scalar(type);
    const u32 each = layout.bytes;
    layout.bytes = each * count;
    if (count != 3) layout.align = std::min(kMostAlign, layout.bytes);
    layout.leaves.clear();
    for (u32 i = 0; i < count; ++i)
        layout.leaves.push_back({{'.', "xyzw"[i]}, i * each, each, type});
    return layout;
}

const Named* scalarNamed(std::string_view word) {
    const auto* const found = std::ranges::find(kScalars, word, &Named::name);
    return found == std::end(kScalars) ? nullptr : found;
}

// Types of the language and of CUDA's headers: "unsigned long long", "float4". 0 bytes: another one.
TypeLayout builtIn(const std::vector<std::string_view>& words) {
    const auto has = [&](std::string_view word) { return std::ranges::count(words, word); };
    const bool isUnsigned = has("unsigned") > 0;
    if (has("char")) return scalar(isUnsigned ? Type::U8 : Type::S8);
    if (has("short")) return scalar(isUnsigned ? Type::U16 : Type::S16);
    if (has("double")) return scalar(Type::F64);
    if (has("long")) return scalar(isUnsigned ? Type::U64 : Type::S64);
    if (isUnsigned) return scalar(Type::U32);
    if (has("signed")) return scalar(Type::S32);
    for (const std::string_view word : words) {
        if (const Named* named = scalarNamed(word)) return scalar(named->type);
        if (word.size() < 2 || word.back() < '1' || word.back() > '4') continue;
        if (const Named* named = scalarNamed(word.substr(0, word.size() - 1)))
            return vector(named->type, u32(word.back() - '0'));
    }
    return {};
}

class Layouts {
public:
    Layouts(std::string_view code, const TypeNames& types, const Constants& constants)
        : code_(code), types_(types), constants_(constants) {}

    TypeLayout of(std::string_view type, u32 depth = 0) const {
        if (depth > kMostDepth || type.find('<') != type.npos) return {};
        std::vector<std::string_view> words = wordsOf(type);
        for (std::string_view& word : words)
            if (const auto argument = types_.find(word); argument != types_.end()) word = argument->second;
        if (TypeLayout known = builtIn(words); known.bytes) return known;
        for (const std::string_view word : words) {
            if (TypeLayout layout = structNamed(word, depth); layout.bytes) return layout;
            if (const std::string_view other = aliasOf(word); !other.empty()) return of(other, depth + 1);
        }
        return {};
    }

private:
    std::size_t find(std::string_view word, std::size_t from) const {
        for (std::size_t at = code_.find(word, from); at != std::string_view::npos;
             at = code_.find(word, at + 1)) {
            const std::size_t end = at + word.size();
            if ((at == 0 || !isWord(code_[at - 1])) && (end == code_.size() || !isWord(code_[end])))
                return at;
        }
        return std::string_view::npos;
    }

    // "using Name = float4;", "typedef float4 Name;"
    std::string_view aliasOf(std::string_view name) const {
        for (std::size_t at = find(name, 0); at != std::string_view::npos; at = find(name, at + 1)) {
            const std::size_t before = code_.find_last_of(";{}", at) + 1, end = code_.find(';', at);
            if (end == std::string_view::npos) continue;
            const std::string_view lead = code_.substr(before, at - before),
                                   rest = code_.substr(at + name.size(), end - at - name.size());
            const std::vector<std::string_view> words = wordsOf(lead);
            if (words.size() == 1 && words[0] == "using" && rest.find('=') != std::string_view::npos)
                return rest.substr(rest.find('=') + 1);
            if (words.size() > 1 && words[0] == "typedef" && rest.find_first_not_of(" \t\r\n") == rest.npos)
                return lead.substr(lead.find("typedef") + 7);
        }
        return {};
    }

    TypeLayout structNamed(std::string_view name, u32 depth) const {
        for (const std::string_view keyword : {"struct", "union"})
            for (std::size_t at = find(keyword, 0); at != std::string_view::npos;
                 at = find(keyword, at + 1)) {
                const std::size_t open = code_.find_first_of("{;()=", at);
                const std::size_t aligned = open == code_.npos ? open : alignedEnd(at, open);
                if (aligned == code_.npos || code_[aligned] != '{') continue;
                const std::size_t close = closing(aligned);
                if (close == code_.npos) continue;
                const std::string_view head =
                    code_.substr(at + keyword.size(), aligned - at - keyword.size());
                const std::size_t end = std::min(code_.find(';', close), code_.size());
                const bool isHere = isNameOf(head.substr(0, head.find(':')), name),
                           isTypedef = wordsOf(code_.substr(close, end - close)) ==
                                       std::vector<std::string_view>{name};
                if (!isHere && !isTypedef) continue;
                return withMembers(code_.substr(aligned + 1, close - aligned - 1), keyword == "union",
                                   alignOf(head), depth);
            }
        return {};
    }

    // Behind "__align__(16)" between "struct" and the brace.
    std::size_t alignedEnd(std::size_t from, std::size_t at) const {
        while (at != code_.npos && code_[at] == '(') {
            const std::size_t end = code_.find(')', at);
            if (end == code_.npos) return end;
            at = code_.find_first_of("{;()=", end + 1);
        }
        return at != code_.npos && at > from ? at : code_.npos;
    }
    static bool isNameOf(std::string_view head, std::string_view name) {
        const std::size_t at = head.rfind(name);
        return at != head.npos && (at == 0 || !isWord(head[at - 1])) &&
               head.find_first_not_of(" \t\r\n", at + name.size()) == head.npos;
    }
    u32 alignOf(std::string_view head) const {
        const std::size_t open = head.find('('), close = head.find(')');
        if (open == head.npos || close == head.npos || close < open) return 1;
        const auto value = constantValue(head.substr(open + 1, close - open - 1), constants_);
        return value && *value > 0 && *value <= 128 ? u32(*value) : 1;
    }
    std::size_t closing(std::size_t open) const {
        u32 depth = 0;
        for (std::size_t at = open; at < code_.size(); ++at) {
            depth += code_[at] == '{';
            if (code_[at] == '}' && --depth == 0) return at;
        }
        return code_.npos;
    }

    // Whatever is no plain member ends it: a layout that is half known would name the wrong ones.
    TypeLayout withMembers(std::string_view body, bool isUnion, u32 align, u32 depth) const {
        TypeLayout layout;
        layout.align = align;
        u32 at = 0;
        for (const std::string_view statement : statementsOf(body)) {
            if (isFunction(statement)) continue;
            const std::optional<u32> end = addMembers(layout, statement, isUnion ? 0 : at, depth);
            if (!end || *end > kMostBytes) return {};
            at = isUnion ? std::max(at, *end) : *end;
        }
        layout.bytes = (at + layout.align - 1) / layout.align * layout.align;
        return layout;
    }

    // Up to each semicolon; a body in braces ends one, too.
    static std::vector<std::string_view> statementsOf(std::string_view body) {
        std::vector<std::string_view> statements;
        std::size_t from = 0;
        u32 depth = 0;
        for (std::size_t at = 0; at < body.size(); ++at) {
            depth += body[at] == '{';
            const bool closes = body[at] == '}' && depth > 0 && --depth == 0;
            if (depth > 0 || (body[at] != ';' && !closes)) continue;
            statements.push_back(body.substr(from, at - from + closes));
            from = at + 1;
        }
        statements.push_back(body.substr(from));
        std::erase_if(statements, [](std::string_view one) { return wordsOf(one).empty(); });
        return statements;
    }
    static bool isFunction(std::string_view statement) {
        const std::size_t open = statement.find('(');
        return open != statement.npos && open < statement.find_first_of("={");
    }

    // "float x, y", "int a[3] = {}": the end of the last one.
    std::optional<u32> addMembers(TypeLayout& layout, std::string_view statement, u32 at, u32 depth) const {
        std::size_t comma = statement.find(',');
        std::string_view first = statement.substr(0, comma);
        first = first.substr(0, first.find_first_of("[={"));
        std::size_t nameEnd = first.size();
        while (nameEnd > 0 && !isWord(first[nameEnd - 1]))
            --nameEnd;
        std::size_t nameAt = nameEnd;
        while (nameAt > 0 && isWord(first[nameAt - 1]))
            --nameAt;
        std::string_view type = first.substr(0, nameAt), rest = statement.substr(nameAt);
        if (statement.find_first_of("&:<") != statement.npos || wordsOf(type).empty() ||
            statement.find("static") != statement.npos)
            return std::nullopt;
        bool isPointer = type.find('*') != type.npos;
        while (true) {
            comma = rest.find(',');
            std::string_view declarator = rest.substr(0, comma);
            isPointer = isPointer || declarator.find('*') != declarator.npos;
            const TypeLayout member = isPointer ? scalar(Type::U64) : of(type, depth + 1);
            const std::optional<u32> end = addMember(layout, member, declarator, at);
            if (!end) return std::nullopt;
            at = *end;
            isPointer = false;
            if (comma == rest.npos) return at;
            rest.remove_prefix(comma + 1);
        }
    }

    std::optional<u32> addMember(TypeLayout& layout, const TypeLayout& member, std::string_view declarator,
                                 u32 at) const {
        declarator = declarator.substr(0, declarator.find_first_of("={"));
        const std::vector<std::string_view> name = wordsOf(declarator.substr(0, declarator.find('[')));
        if (member.bytes == 0 || name.size() != 1) return std::nullopt;
        std::vector<std::string> indices{""};
        for (std::size_t open = declarator.find('['); open != declarator.npos;
             open = declarator.find('[', open + 1)) {
            const std::size_t close = declarator.find(']', open);
            if (close == declarator.npos) return std::nullopt;
            const auto extent = constantValue(declarator.substr(open + 1, close - open - 1), constants_);
            if (!extent || *extent <= 0 || u64(*extent) * indices.size() > kMostBytes) return std::nullopt;
            std::vector<std::string> all;
            for (const std::string& outer : indices)
                for (s64 i = 0; i < *extent; ++i)
                    all.push_back(outer + "[" + std::to_string(i) + "]");
            indices = std::move(all);
        }
        layout.align = std::max(layout.align, member.align);
        at = (at + member.align - 1) / member.align * member.align;
        for (const std::string& index : indices) {
            if (at > kMostBytes) return std::nullopt;
            for (const TypeLayout::Leaf& leaf : member.leaves)
                layout.leaves.push_back({"." + std::string(name[0]) + index + leaf.name, at + leaf.offset,
                                         leaf.bytes, leaf.type});
            at += member.bytes;
        }
        return at;
    }

    std::string_view code_;
    const TypeNames& types_;
    const Constants& constants_;
};

}  // namespace

const TypeLayout::Leaf* TypeLayout::leafAt(u32 offset, u32 width) const {
    const auto found = std::ranges::find_if(
        leaves, [&](const Leaf& leaf) { return leaf.offset == offset && leaf.bytes == width; });
    return found == leaves.end() ? nullptr : &*found;
}

TypeLayout layoutOf(std::string_view type, std::string_view source, const TypeNames& types,
                    const Constants& constants) {
    if (TypeLayout known = Layouts({}, types, constants).of(type); known.bytes) return known;
    const std::string code = codeOnly(source);
    return Layouts(code, types, constants).of(type);
}

}  // namespace lockstep::explain
