// Finds where a line of code may be broken, and breaks it.
#include "viz/marks/code_rows.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace lockstep::viz {
namespace {

constexpr std::size_t kUsualRows = 3, kMostRows = 5, kMostCommentRows = 4, kHanging = 4;
constexpr std::size_t kCommentSign = 3;  // "// "

struct Break {
    std::size_t end = 0, next = 0;  // of what stands before it, and where the line goes on
    enum Kind : u8 { Blank, Bracket, Best } kind = Blank;  // Best: behind an operator, or before a comment
};
struct Code {
    std::size_t end = 0;  // of what is no comment
    std::vector<Break> breaks, commentBreaks;
};

bool isOfWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ')' || c == ']' || c == '"';
}

// Blanks between tokens are plain text; those of a string or of a comment are not.
Code codeIn(std::string_view line, CodeLanguage language, bool insideComment) {
    Code code;
    std::size_t at = 0;
    for (const CodeToken& token : codeTokens(line, language, insideComment)) {
        if (token.kind == CodeKind::Directive && at == line.find_first_not_of(' ')) return {};
        const bool isComment = token.kind == CodeKind::Comment;
        for (std::size_t i = at; i < at + token.text.size(); ++i) {
            if (line[i] != ' ') {
                if (!isComment) code.end = i + 1;
                if (token.kind == CodeKind::Plain && line[i] == '(' && i + 1 < line.size() &&
                    line[i + 1] != ' ' && line[i + 1] != ')')
                    code.breaks.push_back({i + 1, i + 1, Break::Bracket});
                continue;
            }
            const std::size_t next = line.find_first_not_of(' ', i);
            if (i == 0 || line[i - 1] == ' ' || next == std::string_view::npos) continue;
            if (token.kind == CodeKind::Plain)
                code.breaks.push_back({i, next, isOfWord(line[i - 1]) ? Break::Blank : Break::Best});
            else if (isComment && i > at + 2)  // its sign stays with its first word
                code.commentBreaks.push_back({i, next});
        }
        at += token.text.size();
    }
    for (const Break& one : code.breaks)
        if (one.next >= code.end) code.commentBreaks.push_back({one.end, one.next, Break::Best});
    std::erase_if(code.breaks, [&](const Break& one) { return one.next >= code.end; });
    std::erase_if(code.commentBreaks, [&](const Break& one) { return one.end < code.end; });
    std::ranges::sort(code.commentBreaks, {}, &Break::end);
    return code;
}

// Takes rows from a line as long as it is too wide for one.
class Breaker {
public:
    Breaker(const Canvas& canvas, std::string_view line, f32 width, std::string hanging)
        : canvas_(canvas),
          line_(line),
          hanging_(std::move(hanging)),
          width_(width),
          indent_(std::min(line.find_first_not_of(' '), line.size())) {}

    bool fits(std::size_t end) const {
        return end <= begin_ ||
               canvas_.width(before_, kStyle) + canvas_.width(line_.substr(begin_, end - begin_), kStyle) <=
                   width_;
    }
    // At the last place that leaves the row narrow enough, the best of them first; false where there is none.
    bool breakAt(const std::vector<Break>& breaks) {
        const Break* best = nullptr;
        for (const Break& one : breaks)
            if (one.end > std::max(begin_, indent_) && fits(one.end) && (!best || one.kind >= best->kind))
                best = &one;
        if (!best) return false;
        rows_.push_back({before_ + std::string(line_.substr(begin_, best->end - begin_)), isInside_});
        begin_ = best->next, before_ = hanging_;
        return true;
    }
    void continueInside(bool comment) { isInside_ = comment; }
    std::size_t begin() const { return begin_; }
    std::size_t count() const { return rows_.size(); }
    std::vector<CodeRow> rows() && {
        rows_.push_back({before_ + std::string(line_.substr(begin_)), isInside_});
        return std::move(rows_);
    }

private:
    static constexpr TextStyle kStyle{.size = type::kCode, .mono = true};
    const Canvas& canvas_;
    std::string_view line_;
    std::string hanging_, before_;  // the blanks that a row begins with; the first has its own
    f32 width_;
    std::size_t indent_, begin_ = 0;
    bool isInside_ = false;
    std::vector<CodeRow> rows_;
};

}  // namespace

std::vector<CodeRow> codeRows(const Canvas& canvas, std::string_view text, CodeLanguage language,
                              bool insideComment, f32 width) {
    const std::string line = withoutTabs(text);
    const f32 column = canvas.width("0", {.size = type::kCode, .mono = true});
    // No glyph is wider than a column for each of its bytes.
    if (f32(line.size()) * column <= width) return {{line, insideComment}};
    const Code code = codeIn(line, language, insideComment);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t further = code.end > 0 ? kHanging : insideComment ? 0 : kCommentSign;
    const std::size_t hanging =
        std::min(indent + further, std::size_t(std::max(0.0f, width * 0.4f / column)));
    // In few rows where that is enough, else in more of them or further out.
    const std::pair<std::size_t, std::size_t> ways[] = {
        {kUsualRows, hanging}, {kMostRows, hanging}, {kMostRows, std::min(hanging, kHanging)}};
    std::optional<Breaker> best;
    bool isBestWhole = false;
    for (const auto& [most, blanks] : ways) {
        Breaker breaker(canvas, line, width, std::string(blanks, ' '));
        breaker.continueInside(insideComment);
        while (breaker.count() + 1 < most && !breaker.fits(code.end) && breaker.breakAt(code.breaks))
            breaker.continueInside(false);
        const bool isWhole = breaker.fits(code.end);
        const std::size_t mostInAll = breaker.count() + kMostCommentRows;
        while (breaker.count() + 1 < mostInAll && !breaker.fits(line.size()) &&
               breaker.breakAt(code.commentBreaks))
            breaker.continueInside(line.compare(breaker.begin(), 2, "//") != 0 &&
                                   line.compare(breaker.begin(), 2, "/*") != 0);
        if (!best || (isWhole && (!isBestWhole || breaker.count() < best->count())))
            best.emplace(std::move(breaker)), isBestWhole = isWhole;
        if (most == kUsualRows && isBestWhole) break;
    }
    return std::move(*best).rows();
}

}  // namespace lockstep::viz
