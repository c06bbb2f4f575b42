// Sets code: word lists, numbers, what stands before a parenthesis, and comments are all it knows.
#include "viz/marks/code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "sass/memory_opcode.h"

namespace lockstep::viz {
namespace {

constexpr std::array<std::string_view, 27> kKeywords{
    "break", "case", "const", "constexpr", "continue", "default", "do", "else", "extern", "for", "if", "inline", "return", "sizeof", "static", "struct", "switch",
    "template", "typename", "using", "volatile", "while", "__global__", "__device__", "__shared__", "__restrict__", "__launch_bounds__"};
constexpr std::array<std::string_view, 25> kTypes{
    "auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void", "size_t", "half", "float2", "float3", "float4", "int2", "int4",
    "double2", "dim3", "uint", "uint2", "uint4", "uint32_t", "uint64_t"};

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

// Where the opcode of an access to shared or global memory stands, and how it is drawn.
struct AccessOpcode { std::size_t begin = 0, end = 0; RoleKind role = RoleKind::Text; };

std::optional<RoleKind> accessRole(std::string_view opcode, CodeLanguage language) {
    if (language == CodeLanguage::Machine) {
        const auto memory = sass::memoryOpcode(opcode);
        if (!memory || (memory->memory != sass::Memory::Shared && memory->memory != sass::Memory::Global && memory->memory != sass::Memory::Generic)) return std::nullopt;
        return memory->operation == sass::Operation::Load ? RoleKind::Load : RoleKind::Store;
    }
    if (opcode.find(".shared") == std::string_view::npos && opcode.find(".global") == std::string_view::npos) return std::nullopt;
    if (opcode.starts_with("ld.") || opcode.starts_with("ldu.") || opcode.starts_with("cp.async.")) return RoleKind::Load;
    return opcode.starts_with("st.") || opcode.starts_with("atom.") || opcode.starts_with("red.") ? std::optional(RoleKind::Store) : std::nullopt;
}

// After the guard, if there is one.
AccessOpcode accessOpcodeIn(std::string_view line, CodeLanguage language) {
    if (language == CodeLanguage::Cuda) return {};
    std::size_t begin = line.find_first_not_of(' ');
    if (begin != std::string_view::npos && line[begin] == '@') begin = line.find_first_not_of(' ', std::min(line.find(' ', begin), line.size()));
    if (begin == std::string_view::npos) return {};
    const std::size_t end = std::min(line.find_first_of(" ;", begin), line.size());
    const std::optional<RoleKind> role = accessRole(line.substr(begin, end - begin), language);
    return role ? AccessOpcode{begin, end, *role} : AccessOpcode{};
}

enum class Kind : u8 { Plain, Keyword, Type, Number, Call, Directive, Comment };

// behind: what follows the token in its line.
Kind kindOf(std::string_view token, std::string_view behind, CodeLanguage language) {
    if (token.starts_with("//")) return Kind::Comment;
    if (language != CodeLanguage::Cuda) return token.starts_with(".") || token.starts_with("@") ? Kind::Directive : Kind::Plain;
    if (token.starts_with("#")) return Kind::Directive;
    if (std::ranges::find(kKeywords, token) != kKeywords.end()) return Kind::Keyword;
    if (std::ranges::find(kTypes, token) != kTypes.end()) return Kind::Type;
    if (std::isdigit(u8(token[0]))) return Kind::Number;
    return isWord(token[0]) && behind.starts_with("(") ? Kind::Call : Kind::Plain;
}

struct Setting { RoleKind role = RoleKind::Text; bool bold = false; };
Setting settingOf(Kind kind) {
    switch (kind) {
        case Kind::Plain:
        case Kind::Number: return {};  // digits say themselves what they are
        case Kind::Call: return {RoleKind::Text, true};
        case Kind::Keyword: return {RoleKind::TextSecond, true};
        case Kind::Type: return {RoleKind::TextSecond, false};
        case Kind::Directive: return {RoleKind::TextThird, true};
        case Kind::Comment: return {RoleKind::TextThird, false};
    }
    return {};
}

// A comment to the end, a word, or whatever stands between words.
std::size_t tokenLength(std::string_view text, CodeLanguage language) {
    if (text.starts_with("//") || (language == CodeLanguage::Cuda && text.starts_with("#"))) return text.size();
    const bool word = isWord(text[0]);
    if (language != CodeLanguage::Cuda && text[0] == '.') {
        std::size_t n = 1;
        while (n < text.size() && (isWord(text[n]) || text[n] == '.')) ++n;
        return n;
    }
    std::size_t n = 1;
    while (n < text.size() && isWord(text[n]) == word && !text.substr(n).starts_with("//") && !(language != CodeLanguage::Cuda && !word && text[n] == '.')) ++n;
    return n;
}

// Tabs count as four blanks.
std::string withoutTabs(std::string_view text) {
    std::string line;
    for (const char c : text) line += c == '\t' ? std::string(4 - line.size() % 4, ' ') : std::string(1, c);
    return line;
}

}  // namespace

void codeLine(Canvas& canvas, Point at, std::string_view text, CodeLanguage language, f32 size) {
    const std::string line = withoutTabs(text);
    std::string_view rest = line;
    f32 x = at.x;
    std::string plain;  // neighbouring plain tokens are one text
    f32 plainX = x;
    const auto flush = [&] {
        const std::size_t first = plain.find_first_not_of(' ');
        if (first != std::string::npos) canvas.text({plainX + canvas.width(plain.substr(0, first), {.size = size, .mono = true}), at.y}, plain.substr(first), {.size = size, .mono = true});
        plain.clear();
    };
    const AccessOpcode opcode = accessOpcodeIn(line, language);
    while (!rest.empty()) {
        const std::size_t offset = line.size() - rest.size();
        if (offset == opcode.begin && opcode.end > offset) {
            flush();
            const TextStyle style{.size = size, .bold = true, .mono = true, .role = role(opcode.role)};
            x += canvas.text({x, at.y}, std::string(rest.substr(0, opcode.end - offset)), style);
            rest.remove_prefix(opcode.end - offset);
            continue;
        }
        const std::size_t length = tokenLength(rest, language);
        const std::string token(rest.substr(0, length));
        rest.remove_prefix(length);
        const Kind kind = kindOf(token, rest, language);
        const Setting setting = settingOf(kind);
        const TextStyle style{.size = size, .bold = setting.bold, .mono = true, .role = role(setting.role)};
        if (kind == Kind::Plain) {
            if (plain.empty()) plainX = x;
            plain += token;
        } else {
            flush();
            canvas.text({x, at.y}, token, style);
        }
        x += canvas.width(token, style);
    }
    flush();
}

CodeExtent codeExtent(const Canvas& canvas, std::string_view text, f32 size) {
    const TextStyle style{.size = size, .mono = true};
    const std::string line = withoutTabs(text);
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return {.width = canvas.width(line, style), .indent = canvas.width(std::string_view(line).substr(0, first), style)};
}

CodeCut codeCut(const Canvas& canvas, std::string_view text, f32 across, f32 width) {
    const CodeExtent extent = codeExtent(canvas, text);
    return {.before = extent.width > 0 && extent.indent < across, .behind = extent.width - across > width};
}

void codeInRow(Canvas& canvas, const Rect& row, f32 across, std::string_view text, CodeLanguage language, Role ground) {
    constexpr f32 kEllipsis = 14;
    const f32 middle = row.y + row.height / 2;
    codeLine(canvas, {row.x - across, middle}, text, language);
    const CodeCut cut = codeCut(canvas, text, across, row.width);
    const auto ellipsis = [&](f32 x, f32 inset) {
        canvas.rect({x, row.y, kEllipsis, row.height}, {.fill = ground});
        canvas.text({x + inset, middle}, "…", {.size = type::kCode, .mono = true, .role = role(RoleKind::TextThird)});
    };
    if (cut.before) ellipsis(row.x, 0);
    if (cut.behind) ellipsis(row.right() - kEllipsis, 2);
}

}  // namespace lockstep::viz
