// Sets the tokens of code.
#include "viz/marks/code.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

struct Setting {
    RoleKind role = RoleKind::Text;
    bool bold = false;
};
Setting settingOf(CodeKind kind) {
    switch (kind) {
        case CodeKind::Plain:
        case CodeKind::Number: return {};  // digits say themselves what they are
        case CodeKind::Call: return {RoleKind::Text, true};
        case CodeKind::Keyword: return {RoleKind::TextSecond, true};
        case CodeKind::Type:
        case CodeKind::String: return {RoleKind::TextSecond, false};
        case CodeKind::Directive: return {RoleKind::TextThird, true};
        case CodeKind::Comment: return {RoleKind::TextThird, false};
        case CodeKind::Load: return {RoleKind::Load, true};
        case CodeKind::Store: return {RoleKind::Store, true};
    }
    return {};
}

}  // namespace

std::string withoutTabs(std::string_view text) {
    std::string line;
    for (const char c : text)
        line += c == '\t' ? std::string(4 - line.size() % 4, ' ') : std::string(1, c);
    return line;
}

void codeLine(Canvas& canvas, Point at, std::string_view text, CodeLanguage language, bool insideComment,
              f32 size) {
    const std::string line = withoutTabs(text);
    f32 x = at.x;
    std::string plain;  // neighboring plain tokens are one text
    f32 plainX = x;
    const auto flush = [&] {
        const std::size_t first = plain.find_first_not_of(' ');
        if (first != std::string::npos)
            canvas.text({plainX + canvas.width(plain.substr(0, first), {.size = size, .mono = true}), at.y},
                        plain.substr(first), {.size = size, .mono = true});
        plain.clear();
    };
    for (const CodeToken& token : codeTokens(line, language, insideComment)) {
        const Setting setting = settingOf(token.kind);
        const TextStyle style{.size = size, .bold = setting.bold, .mono = true, .role = role(setting.role)};
        if (token.kind == CodeKind::Plain) {
            if (plain.empty()) plainX = x;
            plain += token.text;
        } else {
            flush();
            // A comment that goes on in this row begins with the blanks before it.
            const std::size_t first = std::min(token.text.find_first_not_of(' '), token.text.size());
            if (first < token.text.size())
                canvas.text({x + canvas.width(token.text.substr(0, first), style), at.y},
                            std::string(token.text.substr(first)), style);
        }
        x += canvas.width(token.text, style);
    }
    flush();
}

std::vector<bool> insideComments(std::span<const std::string_view> lines, CodeLanguage language) {
    std::vector<bool> inside(lines.size());
    const auto opens = [](std::string_view line) { return line.find("/*") != std::string_view::npos; };
    if (language != CodeLanguage::Cuda || std::ranges::none_of(lines, opens)) return inside;
    bool now = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        inside[i] = now;
        codeTokens(withoutTabs(lines[i]), language, now);
    }
    return inside;
}

CodeExtent codeExtent(const Canvas& canvas, std::string_view text, f32 size) {
    const TextStyle style{.size = size, .mono = true};
    const std::string line = withoutTabs(text);
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return {.width = canvas.width(line, style),
            .indent = canvas.width(std::string_view(line).substr(0, first), style)};
}

CodeCut codeCut(const Canvas& canvas, std::string_view text, f32 across, f32 width) {
    const CodeExtent extent = codeExtent(canvas, text);
    return {.before = extent.width > 0 && extent.indent<across, .behind = extent.width - across> width};
}

namespace {

// What of the line is narrower than the room: up to a blank, or between two tokens; where its only token is
// wider, as many characters as fit.
std::string_view endingAtToken(const Canvas& canvas, std::string_view line, CodeLanguage language,
                               bool insideComment, f32 room) {
    const TextStyle style{.size = type::kCode, .mono = true};
    const auto fits = [&](std::size_t end) { return canvas.width(line.substr(0, end), style) <= room; };
    std::size_t at = 0, last = 0, characters = 0;
    for (const CodeToken& token : codeTokens(line, language, insideComment)) {
        for (std::size_t i = 1; i <= token.text.size(); ++i) {
            const std::size_t end = at + i;
            if (end < line.size() && (u8(line[end]) & 0xc0) == 0x80) continue;  // inside a character
            if (!fits(end)) {
                const std::size_t first = line.find_first_not_of(' ');
                return line.substr(0, last > first && first != std::string_view::npos ? last : characters);
            }
            characters = end;
            if (line[end - 1] != ' ' && (i == token.text.size() || line[end] == ' ')) last = end;
        }
        at += token.text.size();
    }
    return line;
}

}  // namespace

void codeInRow(Canvas& canvas, const Rect& row, f32 across, std::string_view text, CodeLanguage language,
               bool insideComment, Role ground) {
    constexpr f32 kEllipsis = 14;
    const f32 middle = row.y + row.height / 2;
    const CodeCut cut = codeCut(canvas, text, across, row.width);
    const std::string line = withoutTabs(text);
    const TextStyle style{.size = type::kCode, .mono = true, .role = role(RoleKind::TextThird)};
    const std::string_view shown =
        cut.behind ? endingAtToken(canvas, line, language, insideComment, row.width - kEllipsis + across)
                   : std::string_view(line);
    codeLine(canvas, {row.x - across, middle}, shown, language, insideComment);
    if (cut.before) {
        canvas.rect({row.x, row.y, kEllipsis, row.height}, {.fill = ground});
        canvas.text({row.x, middle}, "…", style);
    }
    if (cut.behind) canvas.text({row.x - across + canvas.width(shown, style) + 2, middle}, "…", style);
}

}  // namespace lockstep::viz
