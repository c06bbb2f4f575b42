// Sentences of a step that computes or accesses memory, and the caption that says where the cursor is.
#include "explain/source/source_line.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::Space;

namespace {

std::string withoutBlanks(std::string_view text) {
    std::string all;
    for (const char c : text)
        if (c != ' ' && c != '\t') all += c;
    return all;
}

}  // namespace

// "Warp 0 computes tid % 8 in all 32 lanes (rem.s32).", "Warp 0 executes add.s64 (d = a + b) in 16 of 32
// lanes, for line 9.": all of them are active, or so many of those that there are; what is computed stands in
// the source line.
void Reader::issueSentence(const Said& said) {
    const trace::Step& step = traceOf(cursor_.warp.value).steps[cursor_.step];
    const f64 own = cursor_.warp.value, active = step.active.count(),
              exist = block_.lanesOf(cursor_.warp.value), line = run_.lineOf(step.pc);
    if (!text_.starts_with(english() ? "Warp " : "线程束 ")) return;
    if (!says(text_,
              {" computes ", " evaluates ", " executes ", " converts ", " reads %", " reads a parameter",
               "计算", "判断", "执行第", "转换为", "读取 %", "读取核函数的参数"}))
        return;
    const std::string name(run_.run().module->at(step.pc).name);
    const bool hasInstruction = contains(text_, "(" + name + ")") || contains(text_, "（" + name + "）") ||
                                contains(text_, name + " (") || contains(text_, name + "（");
    if (says(text_, {" computes ", " evaluates ", " converts ", "计算", "判断", "执行第", "转换为"}) &&
        !hasInstruction)
        fail(said, text_, "another instruction is there");
    // What is computed, in the source's words.
    std::size_t from = std::string::npos, to = 0;
    for (const std::string_view verb : {" computes ", " evaluates ", "计算 ", "判断 "})
        if (const std::size_t at = text_.find(verb); at != std::string::npos)
            from = at + verb.size(), to = text_.rfind(english() ? " in " : "（");
    const bool hasFormula = from != std::string::npos && to != std::string::npos && to > from;
    if (hasFormula && !contains(withoutBlanks(codeOf(u32(line))),
                                withoutBlanks(std::string_view(text_).substr(from, to - from))))
        fail(said, text_.substr(from, to - from), "the source line does not say so");
    std::vector<std::size_t> others;  // numbers beside that
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (hasFormula && token.begin >= from && token.end <= to)
            done_[i] = true;
        else
            others.push_back(i);
    }
    const bool areAll = text_.rfind(english() ? " in all " : "全部 ") != std::string::npos;
    std::vector<f64> expected{own};
    if (areAll)
        expected.push_back(active);
    else
        english() ? expected.insert(expected.end(), {active, exist})
                  : expected.insert(expected.end(), {exist, active});
    if (says(text_, {", for line ", "执行第"})) expected.push_back(line);
    if (areAll && active != exist) fail(said, text_, "not all lanes");
    for (std::size_t i = 0; i < std::min(others.size(), expected.size()); ++i) {
        done_[others[i]] = true;
        if ((*tokens_)[others[i]].value != expected[i])
            fail(said, written((*tokens_)[others[i]]), fmt::format("it is {}", expected[i]));
    }
}

// "load 2 of 3 of this line": of the instructions of that line that do the same to the same memory and were
// executed, in the order of their code.
void Reader::accessOfLine(const Said& said) {
    const std::string_view mark = english() ? " of this line" : "本行第 ";
    const std::size_t at = text_.find(mark);
    if (at == std::string::npos) return;
    // Of the cursor's access, or of the one near it that is shown in its place.
    const auto places = [&](u32 step) {
        const trace::Step& here = traceOf(cursor_.warp.value).steps[step];
        const ptx::Module& module = *run_.run().module;
        const auto kindOf = [&](Pc pc) {
            const std::string_view form = module.at(pc).form;
            if (form.starts_with("cp.async"))
                return form.substr(0, form.find(".global") != form.npos ? 8 : 0);
            return form.substr(0, form.find('.', form.find('.') + 1));
        };
        const auto isOfTheLine = [&](Pc pc) {
            return explain::lineOf(module, pc) == explain::lineOf(module, here.pc);
        };
        std::pair<f64, f64> found;  // which, of how many
        for (const auto& [pc, sums] : run_.ofPc()) {
            if (sums.activeLanes == 0 || !isOfTheLine(Pc{pc}) || kindOf(Pc{pc}) != kindOf(here.pc)) continue;
            ++found.second;
            if (pc <= here.pc.value) ++found.first;
        }
        return found;
    };
    std::vector<u32> steps = nearestAccesses();
    steps.insert(steps.begin(), cursor_.step);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if (english() ? (*tokens_)[i].end <= at : (*tokens_)[i].begin >= at) numbers.push_back(i);
    if (numbers.size() < 2) return fail(said, text_, "two numbers are missing");
    if (english()) numbers.erase(numbers.begin(), numbers.end() - 2);
    const f64 which = (*tokens_)[numbers[0]].value, all = (*tokens_)[numbers[1]].value;
    done_[numbers[0]] = done_[numbers[1]] = true;
    // The two sides of an asynchronous copy are recorded apart.
    if (says(text_, {"asynchronous copy", "异步复制"})) {
        if (which > all) fail(said, text_, "one of so many");
        return;
    }
    if (std::ranges::none_of(steps, [&](u32 step) { return places(step) == std::pair(which, all); }))
        fail(said, text_,
             fmt::format("it is {} of {}", places(steps.back()).first, places(steps.back()).second));
}

// "Warp 0 (8 of its 32 lanes) writes 128 bytes of out, ...: 1 request, 8 sectors instead of 4, 256 bytes
// transferred, 128 used.", "... reads 32 words of tile, up to 8 in one bank: 8 wavefronts instead
// of 1.": each number by what it is of and by its place among these.
void Reader::accessSentence(const Said& said) {
    // A step of the timeline is told with the cost of its own access (read_timeline.cpp).
    if (picture_.view == "timeline" && said.isHover) return;
    if (!access_ || !text_.starts_with(english() ? "Warp " : "线程束 ") ||
        (access_->space != Space::Global && access_->space != Space::Shared) || access_->active.empty())
        return;
    if (!says(text_, {"request", "个请求", "wavefront", "个波前"})) return;
    std::set<u64> places;
    for (const Lane lane : access_->active)
        places.insert(access_->addresses[lane.value]);
    const u64 wanted = places.size() * access_->widthBytes, wantedSectors = (wanted + 31) / 32;
    const bool isShared = access_->space == Space::Shared;
    const GlobalCost global = isShared ? GlobalCost{} : globalCost(*access_, run_.capability());
    const SharedCost shared =
        isShared ? sharedCost(*access_, run_.capability(), run_.run().module->textOf(access_->pc))
                 : SharedCost{};
    const std::size_t colon = text_.rfind(english() ? ": " : "：");
    std::map<std::string, u32> seen;  // how many of each noun, behind the colon
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.kind != Kind::Count || token.begin < colon) continue;
        // What the first byte is no multiple of: a sector's bytes.
        const bool isAlignment = std::string_view(text_).substr(token.end).starts_with(" 字节的整数倍");
        const u32 nth = isAlignment ? 0 : seen[token.noun]++;
        f64 value = -1;
        if (isAlignment)
            value = 32;
        else if (token.noun == "request")
            value = global.requests;
        else if (token.noun == "sector" && !isShared)
            value = nth == 0 ? f64(global.items) : f64(wantedSectors);
        else if (token.noun == "byte" && !isShared)
            value = nth == 0 ? f64(global.bytes) : f64(wanted);
        else if (token.noun == "wavefront")
            value = nth == 0 ? shared.wavefronts : shared.least;
        else
            continue;
        done_[i] = true;
        if (token.value != value) fail(said, written(token), fmt::format("it is {}", value));
    }
}

// "Block (x 0, y 0) · warp 0 · step 35 of 297 · line 17": the cursor's.
void Reader::captionText(const Said& said) {
    if (!is("*lock * · warp # · step # of # · line #", "*线程块 * · 线程束 # · 第 # 步* · 第 # 行")) return;
    const Token *warp = firstId("warp"), *step = firstId("step"), *line = firstId("line");
    if (!warp || !step || !line) return;
    const auto expect = [&](const Token& token, f64 value) {
        mark(token);
        if (token.value != value) fail(said, written(token), fmt::format("it is {}", value));
    };
    expect(*warp, cursor_.warp.value), expect(*step, cursor_.step + 1), expect(*line, line_);
    const f64 steps = f64(traceOf(cursor_.warp.value).steps.size());
    for (const Token& token : *tokens_)
        if (token.begin > warp->end && &token != step && &token != line) expect(token, steps);
}

}  // namespace lockstep::witness
