// The issue timeline: each number of a span's sentence is one of the record that was kept of the SM, found by
// its cycles; sums and counts are added up once more.
#include "sass/opcodes.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::witness {
namespace {

using time::Stall;
using Numbers = std::vector<f64>;

// What the reader needs of the record, worked out for one block.
class IssueFacts {
public:
    IssueFacts(const run::IssueRun& issues, const RunFacts& run, Dim3 grid)
        : issues_(issues), run_(run), grid_(grid) {}

    // "warp 3", and of another block its coordinates.
    Numbers warp(u32 w) const {
        const time::WarpRecord& warp = issues_.sm.warps[w];
        Numbers numbers{f64(warp.warpOfBlock)};
        if (warp.block == linearOf(issues_.block, grid_)) return numbers;
        const Dim3 at = coordinatesOf(warp.block, grid_);
        numbers.push_back(at.x);
        if (grid_.y > 1 || grid_.z > 1) numbers.push_back(at.y);
        if (grid_.z > 1) numbers.push_back(at.z);
        return numbers;
    }
    // "line 21"; an instruction without a line is named by its number or its opcode.
    Numbers place(u32 instruction) const {
        const Pc pc = issues_.code[instruction].pc;
        if (pc == kNoPc) return digitsOf(issues_.code[instruction].opcode);
        const u32 line = run_.lineOf(pc);
        return {line ? f64(line) : f64(pc.value)};
    }
    static Numbers digitsOf(std::string_view text) {
        Numbers numbers;
        for (const Token& token : tokensOf(text))
            numbers.push_back(token.value);
        return numbers;
    }

    std::vector<Numbers> waits(u64 begin, u64 end) const {
        std::vector<Numbers> all;
        for (u32 w = 0; w < issues_.sm.warps.size(); ++w)
            for (const time::WaitRecord& wait : issues_.sm.warps[w].waits)
                if (wait.begin == begin && wait.end == end) all.push_back(numbersOf(w, wait));
        return all;
    }
    std::vector<Numbers> requests(u64 begin, u64 end) const {
        std::vector<Numbers> all;
        for (const time::RequestRecord& request : issues_.sm.requests)
            if (request.begin == begin && request.end == end) {
                Numbers numbers = warp(request.warp);
                add(numbers, place(issueOf(request.warp, request.issue).instruction));
                if (request.level == time::MemoryLevel::Shared)
                    numbers.push_back(request.wavefronts);
                else
                    numbers.push_back(request.sectors);
                if (request.level != time::MemoryLevel::Shared && !request.isStore)
                    add(numbers, {f64(request.l1), f64(request.l2), f64(request.dram)});
                numbers.push_back(f64(end - begin));
                all.push_back(std::move(numbers));
            }
        return all;
    }
    // The issue in a cycle, as its sentence has it.
    std::vector<Numbers> issues(u64 cycle) const {
        std::vector<Numbers> all;
        for (u32 w = 0; w < issues_.sm.warps.size(); ++w)
            for (const time::IssueRecord& issue : issues_.sm.warps[w].issues)
                if (issue.cycle == cycle) all.push_back(numbersOf(w, issue));
        return all;
    }
    // Instructions issued by each warp in a stretch, and its cycles by reason, in any order.
    std::vector<Numbers> sums(u64 begin, u64 end) const {
        std::vector<Numbers> all;
        for (u32 w = 0; w < issues_.sm.warps.size(); ++w) {
            const time::WarpRecord& warp = issues_.sm.warps[w];
            if (begin < warp.begin || end > warp.end) continue;
            u64 issued = 0;
            std::map<Stall, u64> waited;
            for (const time::IssueRecord& issue : warp.issues)
                issued += issue.cycle >= begin && issue.cycle < end;
            for (const time::WaitRecord& wait : warp.waits)
                if (const u64 from = std::max(begin, wait.begin), to = std::min(end, wait.end); to > from)
                    waited[wait.reason] += to - from;
            Numbers numbers = this->warp(w);
            numbers.push_back(f64(issued));
            for (const auto& [reason, cycles] : waited)
                numbers.push_back(f64(cycles));
            all.push_back(std::move(numbers));
        }
        return all;
    }
    Numbers numbersOf(u32 w, const time::IssueRecord& issue) const {
        Numbers numbers = warp(w);
        add(numbers, digitsOf(issues_.code[issue.instruction].opcode));
        if (issues_.code[issue.instruction].pc != kNoPc) add(numbers, place(issue.instruction));
        add(numbers, {f64(issue.cycle), f64(LaneMask{issue.lanes}.count())});
        return numbers;
    }
    Numbers numbersOf(u32 w, const time::WaitRecord& wait) const {
        Numbers numbers = warp(w);
        const f64 cycles = f64(wait.end - wait.begin);
        const bool isScoreboard =
            wait.reason == Stall::LongScoreboard || wait.reason == Stall::ShortScoreboard;
        if (isScoreboard && wait.issue < issues_.sm.warps[w].issues.size()) {
            const time::IssueRecord& issue = issueOf(w, wait.issue);
            add(numbers, place(issue.instruction));
            const bool isRequest = issue.request != time::kNotRecorded;
            const auto* request = isRequest ? &issues_.sm.requests[issue.request] : nullptr;
            if (!request || (!request->isStore && request->end != wait.end))
                add(numbers, digitsOf(issues_.code[issue.instruction].opcode));
            else if (!request->isStore)
                numbers.push_back(f64(request->end - request->begin));
        }
        if (wait.reason == Stall::Barrier && wait.warp < issues_.sm.warps.size() && wait.warp != w)
            numbers.push_back(issues_.sm.warps[wait.warp].warpOfBlock);
        numbers.push_back(cycles);
        return numbers;
    }

private:
    static void add(Numbers& to, const Numbers& more) { to.insert(to.end(), more.begin(), more.end()); }
    const time::IssueRecord& issueOf(u32 w, u32 issue) const { return issues_.sm.warps[w].issues[issue]; }

    const run::IssueRun& issues_;
    const RunFacts& run_;
    Dim3 grid_;
};

bool isAmong(const std::vector<Numbers>& all, Numbers numbers) {
    std::ranges::sort(numbers);
    return std::ranges::any_of(all, [&](Numbers one) {
        std::ranges::sort(one);
        return one == numbers;
    });
}

}  // namespace

void Reader::issueText(const Said& said) {
    if (!picture_.issues || !picture_.issues->run) return;
    const run::IssueRun& issues = *picture_.issues->run;
    const IssueFacts facts(issues, run_, launch_.grid);
    // Numbers by line of the text.
    std::vector<Numbers> lines(1);
    std::vector<std::string_view> texts;
    std::vector<std::size_t> lineOf;
    for (std::size_t from = 0; from <= text_.size();) {
        const std::size_t end = std::min(text_.find('\n', from), text_.size());
        texts.push_back(std::string_view(text_).substr(from, end - from));
        from = end + 1;
    }
    lines.resize(texts.size());
    for (const Token& token : *tokens_) {
        std::size_t line = 0;
        while (line + 1 < texts.size() && token.begin >= std::size_t(texts[line + 1].data() - text_.data()))
            ++line;
        if (token.kind == Token::Kind::Pair || token.kind == Token::Kind::Element)
            for (const s64 index : token.indices)
                lines[line].push_back(f64(index));
        else
            lines[line].push_back(token.value);
    }
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
    };
    // "Go to step 12": where a click leads.
    if (texts.size() > 1 && texts.back().starts_with(english() ? "Go to step " : "跳到第 ")) {
        const bool leads =
            said.leadsTo && lines.back().size() == 1 && lines.back()[0] == f64(said.leadsTo->step + 1);
        if (said.isHover && !leads) return all(false, "a click leads elsewhere");
        texts.pop_back(), lines.pop_back();
    }
    const bool hasCycles =
        texts.size() > 1 && (texts.back().starts_with("Cycle") || texts.back().ends_with("周期（建模）"));
    if (hasCycles && !lines.back().empty()) {
        const u64 begin = u64(lines.back().front()), end = u64(lines.back().back()) + 1;
        Numbers first = lines.front();
        if (isAmong(facts.waits(begin, end), first) || isAmong(facts.requests(begin, end), first))
            return all(true, "");
        for (std::size_t i = 1; i + 1 < lines.size(); ++i)
            first.insert(first.end(), lines[i].begin(), lines[i].end());
        return all(isAmong(facts.sums(begin, end), first), "no warp has such a span, or such sums");
    }
    // An issue, with the instruction below it.
    const auto isInstruction = [&](std::string_view text) {
        return std::ranges::any_of(issues.code, [&](const auto& one) { return one.text == text; });
    };
    if (texts.size() == 2 && isInstruction(texts[1])) {
        for (const f64 number : lines[0])
            if (isAmong(facts.issues(u64(number)), lines[0])) return all(true, "");
        return all(false, "no such issue");
    }
    if (said.isSentence) {
        // Of the cursor's step: what it waited for, and its issue.
        if (cursor_.warp.value >= issues.warps.size()) return;
        const u32 w = issues.warps[cursor_.warp.value];
        const time::WarpRecord& warp = issues.sm.warps[w];
        std::vector<Numbers> told;
        for (std::size_t i = 0; i < warp.issues.size(); ++i) {
            if (issues.steps[cursor_.warp.value][i] != cursor_.step) continue;
            const Numbers own = facts.numbersOf(w, warp.issues[i]);
            told.push_back(own);
            for (const time::WaitRecord& wait : warp.waits)
                if (wait.end <= warp.issues[i].cycle && (i == 0 || wait.begin > warp.issues[i - 1].cycle)) {
                    Numbers both = facts.numbersOf(w, wait);
                    both.insert(both.end(), own.begin(), own.end());
                    told.push_back(std::move(both));
                }
        }
        return all(isAmong(told, lines[0]), "the cursor's step has no such issue");
    }
    if (said.isHover || said.isCaption) return;
    // Heads, names of rows, numbers of the axis.
    u64 last = 0;
    for (const time::WarpRecord& warp : issues.sm.warps)
        last = std::max(last, warp.end);
    if (is("Sub-core #*: # cycles*", "*子核心 #：# 个周期*") ||
        is("Sub-core #, # cycles*", "子核心 #，# 个周期*"))
        return all(lines[0].size() >= 2 && lines[0][0] < 4 && lines[0][1] == f64(last), "it is another time");
    if (tokens_->size() == 1 && is("#", "#")) {
        // A chip with the number of a sub-core, or a cycle.
        return all(lines[0][0] <= f64(last), "the launch has ended by then");
    }
}

}  // namespace lockstep::witness
