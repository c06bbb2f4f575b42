// Copies are told by their operations: a line whose operations come as multiples of one number, and of which
// loads or stores come more often than its text can ask for once, stands in a loop that was unrolled. Of
// lines without any nothing is said.
#include "explain/source/unrolled.h"

#include "explain/branches.h"
#include "explain/source/code_only.h"
#include "explain/source/source_line.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <string>
#include <string_view>

namespace lockstep::explain {
namespace {

bool isAccess(std::string_view name) {
    return (name.starts_with("ld.") || name.starts_with("st.")) && !name.starts_with("ld.param");
}

// [i][j] is one.
u32 bracketsIn(std::string_view text) {
    u32 count = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        count += text[i] == '[' && (i == 0 || text[i - 1] != ']');
    return count;
}

// How many accesses a text writes at most.
u32 accessesIn(std::string_view text) {
    const auto others = std::ranges::count_if(text, [](char c) { return c == '*' || c == '>'; });
    return std::max(1u, bracketsIn(text) + u32(others));
}

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

// code: without comments.
bool hasLoop(std::string_view code) {
    while (!code.empty()) {
        std::size_t n = 0;
        while (n < code.size() && isWord(code[n]))
            ++n;
        const std::string_view word = code.substr(0, n);
        if (word == "for" || word == "while" || word == "do") return true;
        code.remove_prefix(std::max<std::size_t>(n, 1));
    }
    return false;
}

}  // namespace

std::optional<LineCopy> UnrolledLines::copyAt(Pc pc) {
    if (pc.value >= module_.instructions.size() || lineOf(module_, pc).line == 0) return std::nullopt;
    const Line& line = lineAt(pc);
    if (line.copies < 2) return std::nullopt;
    u32 before = 0, alike = 0;  // of the same operation
    for (const Pc other : line.instructions)
        if (module_.at(other).name == module_.at(pc).name) ++alike, before += other.value < pc.value;
    if (alike % line.copies != 0) return std::nullopt;
    return LineCopy{before / (alike / line.copies) + 1, line.copies};
}

const UnrolledLines::Line& UnrolledLines::lineAt(Pc pc) {
    const auto known =
        std::ranges::find_if(lines_, [&](const Line& line) { return areOfOneLine(line.any, pc); });
    if (known != lines_.end()) return *known;
    Line line{.any = pc, .instructions = {}};
    const ptx::Function& function = module_.functions[module_.functionOf(pc).value];
    for (u32 other = function.first.value; other < function.end.value; ++other)
        if (areOfOneLine(Pc{other}, pc)) line.instructions.push_back(Pc{other});
    line.copies = copiesOf(line);
    return lines_.emplace_back(std::move(line));
}

// Called from the same place, too, where they were inlined.
bool UnrolledLines::areOfOneLine(Pc a, Pc b) const {
    if (lineOf(module_, a) != lineOf(module_, b) || module_.functionOf(a) != module_.functionOf(b))
        return false;
    const ptx::Location *one = &module_.locationOf(a), *other = &module_.locationOf(b);
    while (one->inlinedAt && other->inlinedAt) {
        one = &module_.locations[one->inlinedAt], other = &module_.locations[other->inlinedAt];
        if (one->file != other->file || one->line != other->line) return false;
    }
    return !one->inlinedAt && !other->inlinedAt;
}

u32 UnrolledLines::copiesOf(const Line& line) const {
    const std::string_view text = textOfLine(module_, lineOf(module_, line.any));
    std::map<std::string_view, u32> times;
    for (const Pc pc : line.instructions)
        if (const std::string_view name = module_.at(pc).name;
            !isBranch(module_, pc) && name != "ret" && name != "exit")
            ++times[name];
    u32 copies = 0, most = 0, mostAccesses = 0;
    for (const auto& [name, count] : times) {
        most = std::max(most, count);
        if (isAccess(name)) mostAccesses = std::max(mostAccesses, count);
    }
    // What the loop needs once, before its first copy, is much rarer than the rest.
    constexpr u32 kRare = 4;
    for (const auto& [name, count] : times)
        if (count * kRare > most) copies = std::gcd(copies, count);
    if (copies < 2 || mostAccesses <= accessesIn(text) || !isInLoop(line)) return 1;
    // Where the accesses come as often as the brackets ask for, copies share some of the rest.
    u32 accesses = 0;
    for (const auto& [name, count] : times)
        accesses += isAccess(name) ? count : 0;
    const u32 written = bracketsIn(text), asked = written ? accesses / written : 0;
    const bool isWhole =
        asked > copies && accesses % written == 0 && std::ranges::all_of(times, [&](const auto& operation) {
            return !isAccess(operation.first) || operation.second % asked == 0;
        });
    return isWhole ? asked : copies;
}

// Whether a loop begins in the function's lines, up to this one.
bool UnrolledLines::isInLoop(const Line& line) const {
    const SourceLine here = lineOf(module_, line.any);
    const ptx::Function& function = module_.functions[module_.functionOf(line.any).value];
    u32 first = here.line;
    for (u32 pc = function.first.value; pc < function.end.value; ++pc)
        if (const SourceLine at = lineOf(module_, Pc{pc}); at.file == here.file && at.line)
            first = std::min(first, at.line);
    std::string text;
    for (u32 number = first; number <= here.line; ++number)
        text.append(textOfLine(module_, {here.file, number})).append("\n");
    return hasLoop(codeOnly(text));
}

}  // namespace lockstep::explain
