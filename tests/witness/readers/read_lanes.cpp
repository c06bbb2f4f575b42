// The rows of the lanes view, and why lanes are inactive.
#include "model/source_line.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;

// "Lane 3 is inactive: skipped this code at line 15; waiting at line 73": lines of branches that the warp
// came to before, and where they lead.
void Reader::whyOff(const Said& said) {
    if (!says(said.text, {" off",
                          "another path from",
                          "went from",
                          "skipped this code",
                          " to a later part of",
                          "inactive",
                          "非活动",
                          "不执行",
                          "转入另一条路径",
                          "直接到了",
                          "回到了",
                          "到了第",
                          "跳过",
                          "靠后的代码",
                          "returned at",
                          "to the exit",
                          "left the loop",
                          "返回",
                          "跳到核函数末尾",
                          "退出循环",
                          "关闭",
                          "do not exist",
                          "不存在"}))
        return;
    // "3 个通道（0–2）：", "8 个通道（3、7……31）：": as many as are listed.
    for (std::size_t i = 0; i < tokens_->size() && !english(); ++i) {
        constexpr std::string_view kOf = " 个通道（";
        const Token& told = (*tokens_)[i];
        if (!std::string_view(text_).substr(told.end).starts_with(kOf)) continue;
        const std::size_t from = told.end + kOf.size() - 1, end = text_.find("）", from);
        if (end == std::string::npos && text_.ends_with("…")) {  // cut off within the list
            done_[i] = true;
            continue;
        }
        u32 count = 0;
        std::optional<u32> before;
        u32 apart = 1;  // the last two
        for (const Token& token : *tokens_)
            if (token.begin > from && token.end <= end) {
                const std::string_view left = std::string_view(text_).substr(0, token.begin);
                const u32 lane = u32(token.value), step = before && lane > *before ? lane - *before : 1;
                const bool isRange = before && left.ends_with("–"), goesOn = before && left.ends_with("……");
                count += isRange ? step : goesOn ? step / apart : 1;
                before = lane, apart = step;
            }
        done_[i] = true;
        if (told.value != count) fail(said, written(told), fmt::format("{} lanes are listed", count));
    }
    Facts facts;
    const u32 w = scope_.warp.value_or(cursor_.warp.value);
    if (w >= block_.block().warps.size()) return;
    const trace::WarpTrace& warp = traceOf(w);
    const ptx::Module& module = *run_.run().module;
    const u32 until = std::min<u32>(u32(warp.steps.size()),
                                    (said.isHover && scope_.step && scope_.isOwn     ? *scope_.step
                                     : said.leadsTo && said.leadsTo->warp.value == w ? said.leadsTo->step
                                                                                     : cursor_.step) +
                                        64);
    for (u32 s = 0; s < until; ++s) {
        const ptx::Instruction& instruction = module.at(warp.steps[s].pc);
        if (instruction.form.starts_with("ret") || instruction.form.starts_with("exit"))
            for (u32 line : run_.linesNear(warp.steps[s].pc))
                facts.id("line", line);
        if (!instruction.form.starts_with("bra")) continue;
        for (u32 line : run_.linesNear(warp.steps[s].pc))
            facts.id("line", line);
        for (u32 line : run_.linesNear(Pc{warp.steps[s].pc.value + 1}))
            facts.id("line", line);
        for (const ptx::Operand& operand : module.operandsOf(instruction))
            if (const auto* label = std::get_if<ptx::LabelOperand>(&operand))
                facts.id("line", sidesOf(warp.steps[s].pc, label->target).meeting);
    }
    for (u32 lane = 0; lane < 32; ++lane)
        facts.id("lane", lane);
    scope_.facts.add(facts);
}

// The rows of the lanes view: step, line, instruction, lanes.
void Reader::laneRows() {
    std::map<int, std::vector<const Said*>> rows;
    for (const Said& said : picture_.texts)
        if (!said.isHover && !said.isSentence && !said.isCaption)
            rows[int(std::lround(said.at.y / 6))].push_back(&said);
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const ptx::Module& module = *run_.run().module;
    for (auto& [top, texts] : rows) {
        std::ranges::sort(texts, {}, &Said::left);
        const auto number = [](const std::string& text) {
            return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        };
        if (texts.size() < 2 || !number(texts[0]->text)) continue;
        const bool hasLine = number(texts[1]->text);  // said where it is another than above
        if (hasLine && texts.size() < 3) continue;
        const u32 step = u32(std::stoul(texts[0]->text)) - 1;
        std::string name = texts[hasLine ? 2 : 1]->text;
        if (name.ends_with("…")) name.resize(name.size() - std::string_view("…").size());
        if (name.empty() || number(name)) continue;
        if (step >= warp.steps.size()) {
            fail(*texts[0], texts[0]->text, "no step of the warp");
            continue;
        }
        const Pc pc = warp.steps[step].pc;
        rowTexts_.insert(texts[0]);
        if (hasLine) {
            rowTexts_.insert(texts[1]);
            if (!run_.linesNear(pc).contains(u32(std::stoul(texts[1]->text))))
                fail(*texts[1], texts[1]->text,
                     fmt::format("step {} is of line {}", step + 1, run_.lineOf(pc)));
        }
        rowTexts_.insert(texts[hasLine ? 2 : 1]);
        std::string whole = squeezed(module.textOf(pc));
        // A parameter may be written without the name of its kernel.
        if (const std::size_t parameter = whole.find("param_");
            contains(name, "[param_") && parameter < whole.size())
            whole.erase(whole.find('[') + 1, parameter - whole.find('[') - 1);
        if (!contains(whole, squeezed(name)))
            fail(*texts[hasLine ? 2 : 1], name, fmt::format("step {} is {}", step + 1, module.at(pc).name));
        // The number of lanes stands last, or "a|b" at a branch that diverges.
        const std::string& last = texts.back()->text;
        if (texts.size() > (hasLine ? 3u : 2u) && number(last)) {
            rowTexts_.insert(texts.back());
            if (std::stoul(last) != u64(warp.steps[step].active.count()))
                fail(*texts.back(), last,
                     fmt::format("step {} has {} lanes", step + 1, warp.steps[step].active.count()));
        }
    }
}

// "8 of 24 lanes take the branch, 16 fall through.": of a branch of the warp.
void Reader::branchText(const Said& said) {
    // "Last divergence, line 14. ...": of the branches behind, the nearest one of which only some lanes jump.
    constexpr std::string_view kLast = "Last divergence, line ", kLastChinese = "最近一次分化，第 ";
    if (std::string_view(text_).starts_with(english() ? kLast : kLastChinese)) {
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        for (u32 s = cursor_.step; s-- > 0;) {
            const u32 jump = u32(warp.steps[s].active.count());
            if (!run_.run().module->at(warp.steps[s].pc).form.starts_with("bra") || jump == 0 ||
                jump == block_.path(cursor_.warp.value, s))
                continue;
            if (f64(model::sourceLineOf(warp.steps[s].pc, *run_.run().module).line) == (*tokens_)[0].value)
                done_[0] = true;
            return;
        }
        return;
    }
    if (!said.isHover ||
        !is("# of # lane* take* the branch, # fall* through.", "# 个通道中有 # 个跳转，# 个继续向下执行。"))
        return;
    const std::size_t jump = english() ? 0 : 1, came = english() ? 1 : 0;
    const auto value = [&](std::size_t i) { return u32((*tokens_)[i].value); };
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    for (u32 s = 0; s < warp.steps.size(); ++s)
        if (run_.run().module->at(warp.steps[s].pc).form.starts_with("bra") &&
            u32(warp.steps[s].active.count()) == value(jump) &&
            block_.path(cursor_.warp.value, s) == value(came) && value(jump) + value(2) == value(came))
            done_[0] = done_[1] = done_[2] = true;
}

}  // namespace lockstep::witness
