// Colours code: a word list and comments are all it knows.
#include "viz/marks/code.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::viz {
namespace {

constexpr std::array<std::string_view, 35> kKeywords{
    "auto", "bool", "break", "char", "const", "constexpr", "continue", "do", "double", "else", "extern", "float", "for", "if", "inline", "int", "long",
    "return", "short", "signed", "sizeof", "static", "struct", "template", "typename", "unsigned", "using", "void", "volatile", "while",
    "__global__", "__device__", "__shared__", "__restrict__", "__syncthreads"};

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

enum class Kind : u8 { Plain, Keyword, Comment };

Kind kindOf(std::string_view token, CodeLanguage language) {
    if (token.starts_with("//")) return Kind::Comment;
    if (language == CodeLanguage::Ptx) return token.starts_with(".") || token.starts_with("@") ? Kind::Keyword : Kind::Plain;
    return token.starts_with("#") || std::ranges::find(kKeywords, token) != kKeywords.end() ? Kind::Keyword : Kind::Plain;
}

// A comment to the end, a word, or whatever stands between words.
std::size_t tokenLength(std::string_view text, CodeLanguage language) {
    if (text.starts_with("//") || (language == CodeLanguage::Cuda && text.starts_with("#"))) return text.size();
    const bool word = isWord(text[0]);
    if (language == CodeLanguage::Ptx && text[0] == '.') {
        std::size_t n = 1;
        while (n < text.size() && (isWord(text[n]) || text[n] == '.')) ++n;
        return n;
    }
    std::size_t n = 1;
    while (n < text.size() && isWord(text[n]) == word && !text.substr(n).starts_with("//") && !(language == CodeLanguage::Ptx && !word && text[n] == '.')) ++n;
    return n;
}

}  // namespace

void codeLine(Canvas& canvas, Point at, std::string_view text, CodeLanguage language, f32 size) {
    std::string line;
    for (const char c : text) line += c == '\t' ? std::string(4 - line.size() % 4, ' ') : std::string(1, c);
    std::string_view rest = line;
    f32 x = at.x;
    std::string plain;  // neighbouring plain tokens are one text
    f32 plainX = x;
    const auto flush = [&] {
        const std::size_t first = plain.find_first_not_of(' ');
        if (first != std::string::npos) canvas.text({plainX + canvas.width(plain.substr(0, first), {.size = size, .mono = true}), at.y}, plain.substr(first), {.size = size, .mono = true});
        plain.clear();
    };
    while (!rest.empty()) {
        const std::size_t length = tokenLength(rest, language);
        const std::string token(rest.substr(0, length));
        rest.remove_prefix(length);
        const Kind kind = kindOf(token, language);
        const TextStyle style{.size = size, .bold = kind == Kind::Keyword, .mono = true, .role = role(kind == Kind::Plain ? RoleKind::Text : RoleKind::TextThird)};
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

}  // namespace lockstep::viz
