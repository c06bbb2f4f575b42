#include "explain/source/condition.h"

#include "explain/source/code_only.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace lockstep::explain {
namespace {

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Places in the text as offsets: [begin, end).
struct Range {
    std::size_t begin = 0, end = 0;
    bool has(const Range& other) const { return begin <= other.begin && other.end <= end; }
};

struct Found {
    Condition::Kind kind = Condition::Kind::If;
    Range head, body, whole;
    bool hasCondition = true;
};

class Scanner {
public:
    explicit Scanner(std::string_view source) : text_(codeOnly(source)) {
        lineStarts_.push_back(0);
        for (std::size_t at = 0; at < text_.size(); ++at)
            if (text_[at] == '\n') lineStarts_.push_back(at + 1);
        blankDirectives();
        find();
    }

    std::vector<Condition> all() const {
        std::vector<Condition> conditions;
        for (const Found& one : found_)
            conditions.push_back(conditionOf(one));
        return conditions;
    }

private:
    // Lines of the preprocessor are no statements; #pragma unroll stands before one.
    void blankDirectives() {
        for (const std::size_t start : lineStarts_) {
            const std::size_t first = text_.find_first_not_of(" \t", start);
            if (first == std::string::npos || text_[first] != '#') continue;
            for (std::size_t at = first; at < text_.size() && text_[at] != '\n'; ++at)
                text_[at] = ' ';
        }
    }
    bool isWord(std::size_t at, std::string_view word) const {
        return text_.compare(at, word.size(), word) == 0 && (at == 0 || !isOfName(text_[at - 1])) &&
               (at + word.size() >= text_.size() || !isOfName(text_[at + word.size()]));
    }
    std::size_t skipBlanks(std::size_t at) const {
        return std::min(text_.find_first_not_of(" \t\r\n", at), text_.size());
    }
    // Behind the bracket that closes the one here.
    std::size_t behindBracket(std::size_t at) const {
        int depth = 0;
        for (; at < text_.size(); ++at) {
            const char c = text_[at];
            if (c == '(' || c == '{' || c == '[') ++depth;
            if ((c == ')' || c == '}' || c == ']') && --depth == 0) return at + 1;
        }
        return text_.size();
    }
    std::size_t behindHead(std::size_t keyword, std::size_t length) const {
        std::size_t at = skipBlanks(keyword + length);
        if (isWord(at, "constexpr")) at = skipBlanks(at + std::string_view("constexpr").size());
        return at < text_.size() && text_[at] == '(' ? behindBracket(at) : at;
    }
    // Behind the statement that begins here.
    std::size_t behindStatement(std::size_t at, u32 depth = 0) const {
        constexpr u32 kDeepest = 200;
        at = skipBlanks(at);
        if (at >= text_.size() || depth > kDeepest) return text_.size();
        if (text_[at] == '{') return behindBracket(at);
        for (const std::string_view word : {"if", "for", "while", "switch"}) {
            if (!isWord(at, word)) continue;
            std::size_t end = behindStatement(behindHead(at, word.size()), depth + 1);
            const std::size_t next = skipBlanks(end);
            if (word == "if" && isWord(next, "else")) end = behindStatement(next + 4, depth + 1);
            return end;
        }
        if (isWord(at, "do")) at = behindStatement(at + 2, depth + 1);
        for (; at < text_.size(); ++at) {
            const char c = text_[at];
            if (c == ';') return at + 1;
            if (c == '(' || c == '{' || c == '[') at = behindBracket(at) - 1;
            if (c == '}') return at;  // what is damaged ends there
        }
        return text_.size();
    }
    static constexpr u32 kMost = 10'000;
    void find() {
        std::vector<std::size_t> ofDo;  // the while behind a do
        for (std::size_t at = 0; at < text_.size() && found_.size() < kMost; ++at) {
            if (isWord(at, "do")) {
                const std::size_t end = behindStatement(at + 2), head = skipBlanks(end);
                if (!isWord(head, "while")) continue;
                ofDo.push_back(head);
                const std::size_t close = behindHead(head, 5);
                found_.push_back({Condition::Kind::Loop, {head, close}, {at + 2, end}, {at, close}});
            }
            for (const std::string_view word : {"if", "for", "while"}) {
                if (!isWord(at, word) || std::ranges::find(ofDo, at) != ofDo.end()) continue;
                const std::size_t close = behindHead(at, word.size()), end = behindStatement(close);
                const std::string inner = text_.substr(at, close - at);
                const bool hasCondition = word == "for" ? hasMiddle(inner) : !isEndless(inner);
                found_.push_back({word == "if" ? Condition::Kind::If : Condition::Kind::Loop,
                                  {at, close},
                                  {skipBlanks(close), end},
                                  {at, end},
                                  hasCondition});
            }
        }
    }
    // while (true)
    static bool isEndless(std::string head) {
        std::erase_if(head, [](char c) { return std::isspace(u8(c)) != 0; });
        return head == "while(true)" || head == "while(1)";
    }
    // for (;;) has none.
    static bool hasMiddle(const std::string& head) {
        const std::size_t first = head.find(';'), second = head.find(';', first + 1);
        if (first == std::string::npos || second == std::string::npos) return true;  // over a range
        return head.find_first_not_of(" \t\r\n", first + 1) < second;
    }

    std::pair<u32, u32> placeOf(std::size_t at) const {
        const auto line = std::ranges::upper_bound(lineStarts_, at) - 1;
        return {u32(line - lineStarts_.begin()) + 1, u32(at - *line) + 1};
    }
    SourceSpan spanOf(Range range) const {
        const auto [firstLine, firstColumn] = placeOf(range.begin);
        const auto [lastLine, lastColumn] = placeOf(std::max(range.end, range.begin + 1) - 1);
        return {firstLine, firstColumn, lastLine, lastColumn};
    }
    Condition::Leaves leaves(Range body) const {
        std::size_t at = body.begin;
        while (at < body.end && (text_[at] == '{' || std::isspace(u8(text_[at]))))
            ++at;
        if (isWord(at, "break")) return Condition::Leaves::Loop;
        if (isWord(at, "continue")) return Condition::Leaves::Turn;
        if (isWord(at, "return")) return Condition::Leaves::Function;
        return Condition::Leaves::Nothing;
    }
    Condition conditionOf(const Found& one) const {
        Condition condition{one.kind, spanOf(one.head), spanOf(one.body), leaves(one.body), {}, {}};
        const Found* inner = nullptr;
        for (const Found& loop : found_)
            if (loop.kind == Condition::Kind::Loop && &loop != &one && loop.body.has(one.whole) &&
                (!inner || inner->body.has(loop.whole)))
                inner = &loop;
        if (inner) {
            condition.loop = spanOf(inner->whole);
            if (inner->hasCondition) condition.loopHead = spanOf(inner->head);
        }
        return condition;
    }

    std::string text_;
    std::vector<std::size_t> lineStarts_;
    std::vector<Found> found_;
};

}  // namespace

std::optional<Condition> conditionAt(std::string_view source, u32 line, u32 column) {
    for (const Condition& one : Scanner(source).all())
        if (one.head.contains(line, column)) return one;
    return std::nullopt;
}

std::vector<Condition> conditionsAround(std::string_view source, u32 line) {
    std::vector<Condition> around;
    for (const Condition& one : Scanner(source).all())
        if (one.body.firstLine <= line && line <= one.body.lastLine) around.push_back(one);
    return around;
}

}  // namespace lockstep::explain
