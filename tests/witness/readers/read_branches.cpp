// Sentences of a step that is a branch: "Warp 0 diverges at line 10: 8 lanes take the branch to line
// 9, 24 fall through to line 8; they reconverge at line 9."
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::witness {

using Kind = Token::Kind;

namespace {

// Lines of all that may run from `from` on before `meet`.
std::set<u32> linesBefore(const RunFacts& run, Pc from, Pc meet) {
    const ptx::Module& module = *run.run().module;
    const ptx::Function& function = module.functions[module.functionOf(from).value];
    std::set<u32> lines;
    std::set<u32> seen;
    std::vector<u32> open{function.blockOf(from)};
    while (!open.empty()) {
        const u32 b = open.back();
        open.pop_back();
        if (b >= function.blocks.size() || function.blocks[b].first == meet || !seen.insert(b).second)
            continue;
        for (u32 pc = function.blocks[b].first.value; pc < function.blocks[b].end.value; ++pc)
            if (const u32 line = run.lineOf(Pc{pc})) lines.insert(line);
        open.insert(open.end(), function.blocks[b].successors.begin(), function.blocks[b].successors.end());
    }
    return lines;
}

// Not if both paths only have the end of the kernel in common.
bool reconvergesBeforeTheEnd(const ptx::Module& module, Pc branch) {
    const Pc meet = module.reconvergence(branch);
    if (meet == kNoPc) return false;
    const std::string_view text = module.textOf(meet);
    return !text.starts_with("ret") && !text.starts_with("exit");
}

}  // namespace

// Where the lanes that jump, those that go on, and all again behind them are: the next line further down that
// only that side has, else the line of the instruction itself.
Reader::Sides Reader::sidesOf(Pc branch, Pc target) const {
    const ptx::Module& module = *run_.run().module;
    const Pc next{branch.value + 1}, meet = module.reconvergence(branch);
    Sides sides{run_.lineOf(target), run_.lineOf(next), meet == kNoPc ? 0 : run_.lineOf(meet)};
    const u32 at = run_.lineOf(branch);
    if (!at || target.value <= branch.value) return sides;
    const std::set<u32> taken = linesBefore(run_, target, meet), onwards = linesBefore(run_, next, meet);
    const auto own = [&](const std::set<u32>& lines, const std::set<u32>& others, u32& found) {
        for (const u32 line : lines)
            if (line > at && !others.contains(line)) {
                found = line;
                return;
            }
    };
    own(taken, onwards, sides.taken), own(onwards, taken, sides.onwards);
    if (meet == kNoPc) return sides;
    u32 last = at;
    for (const std::set<u32>* lines : {&taken, &onwards})
        if (!lines->empty()) last = std::max(last, *lines->rbegin());
    const ptx::Function& function = module.functions[module.functionOf(meet).value];
    for (u32 pc = meet.value; pc < function.blocks[function.blockOf(meet)].end.value; ++pc)
        if (run_.lineOf(Pc{pc}) > last) {
            sides.meeting = run_.lineOf(Pc{pc});
            if (target == meet) sides.taken = sides.meeting;
            break;
        }
    return sides;
}

void Reader::branchSentence(const Said& said) {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const trace::Step& step = warp.steps[cursor_.step];
    const ptx::Module& module = *run_.run().module;
    const ptx::Instruction& instruction = module.at(step.pc);
    if (!instruction.form.starts_with("bra")) return;
    const auto operands = module.operandsOf(instruction);
    const auto* label = operands.empty() ? nullptr : std::get_if<ptx::LabelOperand>(&operands[0]);
    if (!label) return;
    const Sides sides = sidesOf(step.pc, label->target);
    const f64 own = cursor_.warp.value, jump = step.active.count(),
              came = instruction.guard.present ? block_.path(cursor_.warp.value, cursor_.step) : jump,
              others = came - jump, exist = block_.lanesOf(cursor_.warp.value), taken = sides.taken,
              onwards = sides.onwards, meeting = sides.meeting, at = run_.lineOf(step.pc);
    const auto expect = [&](const std::vector<std::optional<f64>>& values) {
        if (values.size() == tokens_->size()) return expectAll(said, values);
        fail(said, text_, "another number of figures");
    };
    if (is("None of warp #'s # lane* takes the branch: they fall through to line #.",
           "线程束 # 的 # 个通道都不跳转，从第 # 行继续。")) {
        if (jump > 0) fail(said, text_, "lanes jump");
        return expect({own, came, onwards});
    }
    if (is("Warp #: all # lanes *line #.", "线程束 #：全部 # 个通道*第 # 行。")) {
        if (jump != exist) fail(said, text_, "not all lanes");
        return expect({own, jump, taken});
    }
    if (is("Warp #: # of # lane*line #.", "线程束 #：# 个通道中的 # 个*第 # 行。"))
        return english() ? expect({own, jump, exist, taken}) : expect({own, exist, jump, taken});
    if (is("Warp # diverges at line #: # lane* loop* back to line #, # leave* the loop and wait*.",
           "线程束 # 在第 # 行发生分化：# 个通道回到第 # 行再循环一次，# 个离开循环并等待。"))
        return expect({own, at, jump, taken, others});
    if (is("Warp # diverges at line #: # lane* part of line #, # execute* it; they reconverge there.",
           "线程束 # 在第 # 行发生分化：# 个通道跳过第 # 行的一部分，# 个执行它；随后在该行重新汇合。"))
        return expect({own, at, jump, taken, others});
    if (is("Warp # diverges at line #: # lane* to the exit (line #), # fall* through to line #; they do not "
           "reconverge.",
           "线程束 # 在第 # 行发生分化：# 个通道跳转到第 # 行退出，# 个从第 # 行继续；它们不再汇合。")) {
        if (reconvergesBeforeTheEnd(module, step.pc)) fail(said, text_, "they reconverge");
        return expect({own, at, jump, taken, others, onwards});
    }
    if (is("Warp # diverges at line #: # lane* the branch to line #, # fall* through to line #; they "
           "reconverge at "
           "line #.",
           "线程束 # 在第 # 行发生分化：# 个通道跳转到第 # 行，# 个从第 # 行继续；它们在第 # 行重新汇合。"))
        return expect({own, at, jump, taken, others, onwards, meeting});
    if (is("Warp # diverges at line #: # lane* the branch to line #, # fall* through to line #; they do not "
           "reconverge "
           "before the end.",
           "线程束 # 在第 # 行发生分化：# 个通道跳转到第 # 行，# 个从第 # 行继续；直到结束都不再汇合。")) {
        if (reconvergesBeforeTheEnd(module, step.pc)) fail(said, text_, "they reconverge");
        return expect({own, at, jump, taken, others, onwards});
    }
    if (is("Warp # diverges: # lane* the branch, # fall* through; they reconverge at line #.",
           "线程束 # 发生分化：# 个通道跳转，# 个继续向下执行；它们在第 # 行重新汇合。"))
        return expect({own, jump, others, meeting});
}

}  // namespace lockstep::witness
