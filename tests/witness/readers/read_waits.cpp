// The view of what warps wait for: cycles, shares and savings are worked out once more from the table of the
// model, line by line.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lockstep::witness {
namespace {

using time::Stall;

bool isWaiting(std::size_t reason) {
    return reason != std::size_t(Stall::Selected) && reason != std::size_t(Stall::NotSelected);
}

u64 waitedIn(const time::StallCycles& cycles) {
    u64 sum = 0;
    for (std::size_t i = 0; i < cycles.size(); ++i)
        sum += isWaiting(i) ? cycles[i] : 0;
    return sum;
}

// "49", "5.2": what is said of a share in percent.
bool isPercent(f64 said, f64 share) {
    const f64 percent = 100 * share;
    return std::abs(said - percent) <= (percent < 10 ? 0.0501 : 0.501);
}

}  // namespace

void Reader::waitsText(const Said& said) {
    if (!picture_.issues) return;
    if (!picture_.issues->waits) return noTime(said, picture_.issues->whyNoWaits);
    if (!done_.empty() && std::ranges::all_of(done_, [](bool isDone) { return isDone; })) return;
    const run::WaitsOfRun& waits = *picture_.issues->waits;
    const run::ChangedTimes& changes = waits.changes;
    std::vector<f64> numbers;
    for (const Token& token : *tokens_)
        numbers.push_back(token.value);
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
    };
    u64 exposed = 0, waited = 0;
    for (const run::TimedLine& line : waits.time.lines) {
        exposed += waitedIn(line.exposed);
        waited += waitedIn(line.stalls);
    }
    const auto shareOf = [&](const run::TimedLine& line) {
        return f64(waitedIn(line.exposed)) / f64(std::max<u64>(exposed, 1));
    };
    const auto someLine = [&](auto&& isIt) { return std::ranges::any_of(waits.time.lines, isIt); };
    const auto someChange = [&](auto&& isIt) {
        return std::ranges::any_of(changes.changes, [&](const run::ChangedTime& changed) {
            return !changed.why && isIt(changed.elapsedCycles);
        });
    };
    // What the mouse is told of a line: its sums, then each reason with both of its sums.
    if (said.isHover && numbers.size() >= 3 &&
        is("*: # warp instruction* issued. All warps together wait # cycle* before them, # of these "
           "exposed.*",
           "*：发射了 # 条线程束指令。所有线程束在这些指令之前共等待 # 个周期，其中 # 个暴露。*")) {
        return all(someLine([&](const run::TimedLine& line) {
                       std::multiset<f64> own{f64(line.issued), f64(waitedIn(line.stalls)),
                                              f64(waitedIn(line.exposed))};
                       if (line.line) own.insert(f64(line.line));
                       for (std::size_t i = 0; i < line.stalls.size(); ++i)
                           if (isWaiting(i) && line.stalls[i])
                               own.insert({f64(line.stalls[i]), f64(line.exposed[i])});
                       std::multiset<f64> told(numbers.begin(), numbers.end());
                       if (said.leadsTo && told.size() > own.size()) own.insert(f64(said.leadsTo->step + 1));
                       return told == own;
                   }),
                   "no line has these cycles");
    }
    if (said.isSentence || is("Other warps hide*", "*等待被其他线程束掩盖*") ||
        is("Other warps hide none*", "*等待都没有被其他线程束掩盖*")) {
        const auto first = std::ranges::max_element(waits.time.lines, {}, [](const run::TimedLine& line) {
            return std::pair(waitedIn(line.exposed), waitedIn(line.stalls));
        });
        u64 best = changes.elapsedCycles;
        (void)someChange([&](u64 cycles) { return best = std::min(best, cycles), false; });
        const f64 saved = 1 - f64(best) / f64(changes.elapsedCycles);
        bool isTrue = first != waits.time.lines.end();
        std::size_t at = 0;
        const auto next = [&](auto&& agrees) {
            isTrue = isTrue && at < numbers.size() && agrees(numbers[at++]);
        };
        if (exposed) {
            if (exposed < waited - waited / 2000)
                next([&](f64 value) { return isPercent(value, 1 - f64(exposed) / f64(waited)); });
            next([&](f64 value) { return isPercent(value, shareOf(*first)); });
            if (first->line) next([&](f64 value) { return value == first->line; });
        }
        if (saved > 0.01 && !numbers.empty()) isTrue = isTrue && isPercent(numbers.back(), saved);
        return all(isTrue, "the sums of the lines or the savings are others");
    }
    if (said.isHover && (text_.ends_with(" cycles (modeled)") || text_.ends_with(" 个周期（模型值）")))
        return all(f64(changes.elapsedCycles) == numbers.back() ||
                       someChange([&](u64 cycles) { return f64(cycles) == numbers.back(); }),
                   "no change takes so many cycles");
    if (is("# cycle* (modeled, *", "# 个周期（模型值，*"))
        return all(numbers[0] == f64(waits.time.elapsedCycles), "the run takes other cycles");
    if (is("#% less time", "时间减少 #%") || is("#% more time", "时间增加 #%"))
        return all(someChange([&](u64 cycles) {
                       return isPercent(numbers[0], std::abs(1 - f64(cycles) / f64(changes.elapsedCycles)));
                   }),
                   "no change saves so much");
    if (is("#%", "#%") || is("under #%", "不足 #%"))
        return all(numbers[0] == 0.1 || someLine([&](const run::TimedLine& line) {
                       return isPercent(numbers[0], shareOf(line));
                   }),
                   "no line has this share");
    if (is("line #", "第 # 行"))
        return all(someLine([&](const run::TimedLine& line) { return line.line == numbers[0]; }),
                   "no time of such a line");
    if (is("and # more line*", "另有 # 行"))
        return all(numbers[0] < f64(waits.time.lines.size()), "there are not so many lines");
    // Code, cut where it has no room.
    std::string_view code = text_;
    if (code.ends_with("…")) code.remove_suffix(std::string_view("…").size());
    if (!numbers.empty() && someLine([&](const run::TimedLine& line) {
            return line.line && !code.empty() &&
                   run_.sourceLine(line.line).find(code) != std::string_view::npos;
        }))
        return all(true, "");
}

}  // namespace lockstep::witness
