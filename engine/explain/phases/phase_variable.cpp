// Reads the for loops of a kernel's text and counts how often a warp comes to their barriers.
#include "explain/phases/phase_variable.h"

#include "base/text/trimmed.h"
#include "base/text/words.h"
#include "explain/source/code_only.h"
#include "explain/source/source_line.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::explain {
namespace {

constexpr Words kInterval = english("barrier interval {0}");
constexpr Words kIntervalWith = english("barrier interval {0}, {1} = {2}");

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

// The bracket that closes the one at `open`.
std::size_t closing(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < code.size(); ++at) {
        if (code[at] == '(' || code[at] == '{' || code[at] == '[') ++depth;
        if ((code[at] == ')' || code[at] == '}' || code[at] == ']') && --depth == 0) return at;
    }
    return code.size();
}

// Where the statement that begins at `at` ends; one without brackets may be another loop with a body of its
// own.
std::size_t endOfStatement(std::string_view code, std::size_t at, std::size_t end) {
    while (at < end) {
        while (at < end && std::isspace(u8(code[at])))
            ++at;
        const std::string_view rest = code.substr(at, end - at);
        const bool hasHead = std::ranges::any_of(
            std::array<std::string_view, 4>{"for", "while", "if", "switch"}, [&](std::string_view word) {
                return rest.starts_with(word) && (rest.size() == word.size() || !isWord(rest[word.size()]));
            });
        if (!hasHead) break;
        at = closing(code, std::min(code.find('(', at), end)) + 1;
    }
    return at < end && code[at] == '{' ? closing(code, at) : std::min(code.find(';', at), end);
}

// Whole numbers, the launch's extents, + - * / << >> and brackets; nothing of what is not known.
class Evaluated {
public:
    Evaluated(std::string_view text, const Launch& launch) : text_(text), launch_(launch) {}
    std::optional<s64> value() {
        const std::optional<s64> result = shifted();
        return trimmed(text_, kAllBlanks).empty() ? result : std::nullopt;
    }

private:
    bool take(std::string_view sign) {
        text_ = trimmed(text_, kAllBlanks);
        if (!text_.starts_with(sign)) return false;
        text_.remove_prefix(sign.size());
        return true;
    }
    template <class Operand, class Apply>
    std::optional<s64> chain(Operand&& operand, std::string_view first, std::string_view second,
                             Apply&& apply) {
        std::optional<s64> left = operand();
        while (left) {
            const bool isFirst = take(first);
            if (!isFirst && !take(second)) return left;
            const std::optional<s64> right = operand();
            left = right ? apply(*left, *right, isFirst) : std::nullopt;
        }
        return left;
    }
    std::optional<s64> shifted() {
        return chain([this] { return sum(); }, "<<", ">>",
                     [](s64 a, s64 b, bool left) {
                         return a < 0 || b < 0 || b > 31 ? std::nullopt
                                                         : std::optional(left ? a << b : a >> b);
                     });
    }
    std::optional<s64> sum() {
        return chain([this] { return product(); }, "+", "-",
                     [](s64 a, s64 b, bool plus) { return std::optional(plus ? a + b : a - b); });
    }
    std::optional<s64> product() {
        return chain([this] { return factor(); }, "*", "/",
                     [](s64 a, s64 b, bool times) {
                         return !times && b == 0 ? std::nullopt : std::optional(times ? a * b : a / b);
                     });
    }
    std::optional<s64> factor() {
        if (take("(")) {
            const std::optional<s64> inner = depth_++ < 8 ? shifted() : std::nullopt;
            return take(")") ? inner : std::nullopt;
        }
        text_ = trimmed(text_, kAllBlanks);
        std::size_t n = 0;
        while (n < text_.size() && (isWord(text_[n]) || text_[n] == '.'))
            ++n;
        const std::string_view word = text_.substr(0, n);
        text_.remove_prefix(n);
        const std::array<std::pair<std::string_view, u32>, 6> known{{{"blockDim.x", launch_.block.x},
                                                                     {"blockDim.y", launch_.block.y},
                                                                     {"blockDim.z", launch_.block.z},
                                                                     {"gridDim.x", launch_.grid.x},
                                                                     {"gridDim.y", launch_.grid.y},
                                                                     {"gridDim.z", launch_.grid.z}}};
        for (const auto& [name, value] : known)
            if (name == word) return s64(value);
        s64 number = 0;
        std::size_t digits = 0;
        while (digits < word.size() && std::isdigit(u8(word[digits])) && number < s64{1} << 31)
            number = number * 10 + (word[digits++] - '0');
        const std::string_view suffix = word.substr(digits);
        const bool isNumber = digits > 0 && (suffix.empty() || suffix == "u" || suffix == "U") &&
                              (digits == 1 || word[0] != '0');
        return isNumber ? std::optional(number) : std::nullopt;
    }

    std::string_view text_;
    const Launch& launch_;
    int depth_ = 0;
};

// What a round does to the variable.
struct Change {
    enum class How : u8 { Adds, Multiplies, Divides } how = How::Adds;
    s64 by = 1;
    s64 of(s64 value) const {
        return how == How::Adds ? value + by : how == How::Multiplies ? value * by : value / by;
    }
};

struct Loop {
    u32 firstLine = 0, lastLine = 0;  // of its body
    std::string variable;             // empty: it has none whose value is known
    s64 begin = 0;
    Change change;
};

std::optional<Change> changeOf(std::string_view text, std::string_view variable, const Launch& launch) {
    const std::string name(variable);
    text = trimmed(text, kAllBlanks);
    if (text == "++" + name || text == name + "++") return Change{Change::How::Adds, 1};
    if (text == "--" + name || text == name + "--") return Change{Change::How::Adds, -1};
    if (!text.starts_with(variable)) return std::nullopt;
    text = trimmed(text.substr(variable.size()), kAllBlanks);
    constexpr std::array<std::string_view, 6> kSigns{"+=", "-=", "*=", "/=", "<<=", ">>="};
    const auto sign = std::ranges::find_if(kSigns, [&](std::string_view s) { return text.starts_with(s); });
    if (sign == kSigns.end()) return std::nullopt;
    const std::optional<s64> by = Evaluated(text.substr(sign->size()), launch).value();
    if (!by || *by < 0 || *by > 1 << 20 || ((*sign == "<<=" || *sign == ">>=") && *by > 20))
        return std::nullopt;
    if (*sign == "+=") return Change{Change::How::Adds, *by};
    if (*sign == "-=") return Change{Change::How::Adds, -*by};
    if (*sign == "*=") return Change{Change::How::Multiplies, *by};
    if (*sign == "<<=") return Change{Change::How::Multiplies, s64{1} << *by};
    if (*sign == "/=") return *by ? std::optional(Change{Change::How::Divides, *by}) : std::nullopt;
    return Change{Change::How::Divides, s64{1} << *by};
}

// The body assigns the variable, takes its address, or leaves a round early.
bool changes(std::string_view body, std::string_view variable) {
    for (std::size_t at = 0; at < body.size(); ++at) {
        if (!isWord(body[at]) || (at > 0 && isWord(body[at - 1]))) continue;
        std::size_t end = at;
        while (end < body.size() && isWord(body[end]))
            ++end;
        const std::string_view word = body.substr(at, end - at);
        if (word == "continue" || word == "goto") return true;
        if (word != variable) continue;
        const std::string_view before = trimmed(body.substr(0, at), kAllBlanks),
                               after = trimmed(body.substr(end), kAllBlanks);
        if (before.ends_with("++") || before.ends_with("--") ||
            (before.ends_with("&") && !before.ends_with("&&")))
            return true;
        constexpr std::array<std::string_view, 13> kAssign{
            "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "="};
        if (!after.starts_with("==") &&
            std::ranges::any_of(kAssign, [&](std::string_view sign) { return after.starts_with(sign); }))
            return true;
    }
    return false;
}

// The loop's variable, where all that is asked of it holds.
void readHead(Loop& loop, std::string_view head, std::string_view body, const Launch& launch) {
    const std::size_t first = head.find(';'), second = head.find(';', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return;
    const std::string_view begins = head.substr(0, first);
    const std::size_t equals = begins.find('=');
    if (equals == std::string_view::npos || begins.find(',') != std::string_view::npos) return;
    std::string_view name = trimmed(begins.substr(0, equals), kAllBlanks);
    std::size_t at = name.size();
    while (at > 0 && isWord(name[at - 1]))
        --at;
    name = name.substr(at);
    const std::optional<s64> begin = Evaluated(begins.substr(equals + 1), launch).value();
    const std::optional<Change> change = changeOf(head.substr(second + 1), name, launch);
    if (name.empty() || !begin || !change) return;
    if (changes(body, name)) return;
    loop.variable = std::string(name), loop.begin = *begin, loop.change = *change;
}

// Of the kernels in a text: those of other functions count as loops without a variable, as they may be run
// more than once.
std::vector<Loop> loopsOf(std::string_view source, const Launch& launch) {
    const std::string code = codeOnly(source);
    const auto lineAt = [&](std::size_t at) {
        return u32(std::count(code.begin(), code.begin() + s64(std::min(at, code.size())), '\n')) + 1;
    };
    std::vector<Loop> loops;
    // Bodies of functions, one after another.
    for (std::size_t open = code.find('{'), before = 0; open != std::string::npos;) {
        const std::size_t end = closing(code, open);
        const bool isKernel =
            std::string_view(code).substr(before, open - before).find("__global__") != std::string_view::npos;
        for (std::size_t at = open; at < end; ++at) {
            const std::string_view rest = std::string_view(code).substr(at, end - at);
            if (isWord(code[at - 1])) continue;
            const auto begins = [&](std::string_view word) {
                return rest.starts_with(word) && rest.size() > word.size() && !isWord(rest[word.size()]);
            };
            const bool isFor = begins("for"), isWhile = begins("while"), isDo = begins("do");
            if (!isFor && !isWhile && !isDo) continue;
            std::size_t body = at + (isFor ? 3 : isWhile ? 5 : 2);
            std::string_view head;
            if (!isDo) {
                const std::size_t bracket = code.find('(', body), close = closing(code, bracket);
                if (bracket >= end || close >= end) continue;
                head = std::string_view(code).substr(bracket + 1, close - bracket - 1);
                body = close + 1;
            }
            while (body < end && std::isspace(u8(code[body])))
                ++body;
            const std::size_t last = endOfStatement(code, body, end);
            Loop loop{.firstLine = lineAt(body),
                      .lastLine = lineAt(last),
                      .variable = {},
                      .begin = 0,
                      .change = {}};
            if (isFor && isKernel)
                readHead(loop, head, std::string_view(code).substr(body, last - body), launch);
            loops.push_back(std::move(loop));
        }
        before = end;
        open = end < code.size() ? code.find('{', end + 1) : std::string::npos;
    }
    return loops;
}

}  // namespace

std::vector<std::optional<LoopValue>> loopValues(const ptx::Module& module, const Launch& launch,
                                                 const trace::WarpTrace& warp) {
    std::vector<std::optional<LoopValue>> values(warp.barrierSteps.size() + 1);
    if (warp.barrierSteps.empty()) return values;
    const u32 file = lineOf(module, warp.steps[warp.barrierSteps[0]].pc).file;
    if (file >= module.sources.size() || module.sources[file].empty()) return values;
    const std::vector<Loop> loops = loopsOf(module.sources[file], launch);
    std::vector<SourceLine> lines;
    for (const u32 step : warp.barrierSteps)
        lines.push_back(lineOf(module, warp.steps[step].pc));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Loop* around = nullptr;
        u32 enclosing = 0;
        for (const Loop& loop : loops)
            if (lines[i].file == file && lines[i].line >= loop.firstLine && lines[i].line <= loop.lastLine)
                around = &loop, ++enclosing;
        if (enclosing != 1 || around->variable.empty()) continue;
        // What the interval still does for the round before stands behind that round's last barrier.
        const u32 first = i == 0 ? 0 : warp.barrierSteps[i - 1] + 1;
        bool isOfBoth = false;
        if (i > 0 && lines[i - 1].line >= lines[i].line)
            for (u32 step = first; step < warp.barrierSteps[i]; ++step)
                if (const SourceLine line = lineOf(module, warp.steps[step].pc);
                    warp.steps[step].access != trace::Step::kNone && line.file == file)
                    isOfBoth |= line.line > lines[i - 1].line && line.line <= around->lastLine;
        if (isOfBoth) continue;
        s64 value = around->begin;
        const auto rounds = std::ranges::count(lines.begin(), lines.begin() + s64(i), lines[i]);
        for (s64 round = 0; round < rounds && value < s64{1} << 40; ++round)
            value = around->change.of(value);
        values[i] = LoopValue{around->variable, value};
    }
    return values;
}

std::string intervalText(Language language, u32 interval, const std::optional<LoopValue>& value) {
    return value ? say(language, kIntervalWith, interval, value->name, value->value)
                 : say(language, kInterval, interval);
}

}  // namespace lockstep::explain
