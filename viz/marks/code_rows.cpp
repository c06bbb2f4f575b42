// Finds where a line of code may be broken, and breaks it.
#include "viz/marks/code_rows.h"

#include <algorithm>
#include <cctype>

namespace lockstep::viz {
namespace {

constexpr std::size_t kMostRows = 3, kHanging = 4;

struct Break {
    std::size_t end = 0, next = 0;  // of the code before it, and where the code goes on
    bool behindOperator = false;
};
struct Code {
    std::size_t end = 0;  // of what is no comment
    std::vector<Break> breaks;
};

bool isOfWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ')' || c == ']' || c == '"';
}

// Blanks between tokens are plain text; those of a string or of a comment are not.
Code codeIn(std::string_view line, CodeLanguage language) {
    Code code;
    bool insideComment = false;
    std::size_t at = 0;
    for (const CodeToken& token : codeTokens(line, language, insideComment)) {
        if (token.kind == CodeKind::Directive && at == line.find_first_not_of(' ')) return {};
        for (std::size_t i = at; i < at + token.text.size() && token.kind != CodeKind::Comment; ++i) {
            if (line[i] != ' ')
                code.end = i + 1;
            else if (token.kind == CodeKind::Plain && i > 0 && line[i - 1] != ' ')
                if (const std::size_t next = line.find_first_not_of(' ', i); next != std::string_view::npos)
                    code.breaks.push_back({i, next, !isOfWord(line[i - 1])});
        }
        at += token.text.size();
    }
    std::erase_if(code.breaks, [&](const Break& one) { return one.next >= code.end; });
    return code;
}

}  // namespace

std::vector<std::string> codeRows(const Canvas& canvas, std::string_view text, CodeLanguage language,
                                  bool insideComment, f32 width) {
    const TextStyle style{.size = type::kCode, .mono = true};
    const std::string line = withoutTabs(text);
    const f32 column = canvas.width("0", style);
    // No glyph is wider than a column for each of its bytes.
    if (insideComment || f32(line.size()) * column <= width) return {line};
    const Code code = codeIn(line, language);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string hanging(std::min(indent + kHanging, std::size_t(std::max(0.0f, width * 0.4f / column))),
                              ' ');
    std::vector<std::string> rows;
    std::string before;  // the blanks that the row begins with, but for the first, which has its own
    std::size_t begin = 0;
    while (rows.size() + 1 < kMostRows) {
        const auto widthTo = [&](std::size_t end) {
            return canvas.width(before, style) +
                   canvas.width(std::string_view(line).substr(begin, end - begin), style);
        };
        if (widthTo(code.end) <= width) break;
        const Break* best = nullptr;
        for (const Break& one : code.breaks)
            if (one.end > std::max(begin, indent) && widthTo(one.end) <= width &&
                (!best || one.behindOperator || !best->behindOperator))
                best = &one;
        if (!best) break;
        rows.push_back(before + line.substr(begin, best->end - begin));
        begin = best->next, before = hanging;
    }
    rows.push_back(before + line.substr(begin));
    return rows;
}

}  // namespace lockstep::viz
