// The timeline.
#include "reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

// "barrier interval 0, ph = 0: load tile 1: steps 35 to 43: 9 instructions of this warp, 288 lanes in all;
// global memory: 2 accesses, 8 sectors; shared memory: ...": of the cursor's warp.
void Reader::timelineText(const Said& said) {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const u32 steps = u32(warp.steps.size());
    if (is("The rows show steps # to # of #; *", "-") || is("-", "下面各行显示 # 步中的第 #–# 步；*")) {
        const std::size_t total = english() ? 2 : 0, from = english() ? 0 : 1;
        expectAll(said, english() ? std::vector<std::optional<f64>>{{}, {}, steps}
                                  : std::vector<std::optional<f64>>{steps});
        const f64 first = (*tokens_)[from].value, last = (*tokens_)[from + 1].value;
        // The cursor's step is among them.
        done_[from] = done_[from + 1] =
            first <= cursor_.step + 1 && cursor_.step + 1 <= last && first >= 1 && last <= steps;
        return (void)total;
    }
    if (is("Warp # waits at the barrier of step # for *", "线程束 # 在第 # 步的屏障处*")) {
        const u32 of = u32((*tokens_)[0].value), step = u32((*tokens_)[1].value) - 1;
        done_[0] = done_[1] =
            of < block_.block().warps.size() &&
            std::ranges::find(traceOf(of).barrierSteps, step) != traceOf(of).barrierSteps.end();
        return;
    }
    const std::string_view mark = english() ? ": steps " : "：第 ";
    if (!said.isHover ||
        !is("*: step* # to #: # instruction* of this warp, *", "*：第 # 到 # 步：本线程束 # 条指令，*"))
        return;
    const std::size_t at = text_.rfind(mark);
    std::size_t i = 0;
    while (i < tokens_->size() && (*tokens_)[i].begin < at)
        ++i;
    if (i + 4 > tokens_->size()) return;
    const u32 first = u32((*tokens_)[i].value) - 1, end = u32((*tokens_)[i + 1].value);
    if (first >= end || end > steps) return fail(said, text_, "no such steps");
    f64 lanes = 0, came = 0, accesses[2] = {0, 0}, items[2] = {0, 0};
    for (u32 s = first; s < end; ++s) {
        lanes += warp.steps[s].active.count(), came += block_.path(cursor_.warp.value, s);
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
        const bool isShared = access.space == Space::Shared;
        if (!isShared && access.space != Space::Global) continue;
        ++accesses[isShared];
        items[isShared] +=
            isShared ? sharedCost(access, run_.capability(), run_.run().module->textOf(access.pc)).wavefronts
                     : globalCost(access, run_.capability()).items;
    }
    std::vector<f64> values{first + 1.0, f64(end), f64(end - first), lanes};
    for (const bool isShared : {false, true})
        if (accesses[isShared] > 0) values.push_back(accesses[isShared]), values.push_back(items[isShared]);
    for (std::size_t v = 0; v < values.size() && i + v < tokens_->size(); ++v) {
        done_[i + v] = true;
        const Token& token = (*tokens_)[i + v];
        if (token.value != values[v] && !(v == 3 && token.value == came))
            fail(said, written(token), fmt::format("it is {}", values[v]));
    }
    // The interval that it names holds these steps, and the steps on both sides are of others or of another
    // part of it.
    const u32 phase = block_.phaseOf(cursor_.warp.value, first);
    std::optional<f64> loop;
    for (std::size_t k = 0; k < i; ++k) {
        const Token& token = (*tokens_)[k];
        if (token.noun == "phase" && token.kind == Kind::Id) {
            done_[k] = true;
            if (token.value != phase || block_.phaseOf(cursor_.warp.value, end - 1) != phase)
                fail(said, written(token), fmt::format("the steps are of interval {}", phase));
        } else if (std::string_view(text_).substr(0, token.begin).ends_with("= ")) {
            loop = token.value;  // "ph = 0"
            done_[k] = token.value >= 0 && token.value <= block_.block().phases();
        } else if (token.noun == "tile")
            done_[k] = loop ? token.value == *loop + 1
                            : token.value >= 1 && token.value <= block_.block().phases() + 1;
    }
}

void Reader::timelinePicture() {
    if (picture_.view == "timeline") {
        bool atomics = false;
        for (const trace::WarpTrace& warp : block_.block().warps)
            for (const trace::StoredAccess& access : warp.accesses)
                atomics =
                    atomics || access.kind == AccessKind::Atomic || access.kind == AccessKind::Reduction;
        const bool named = std::ranges::any_of(picture_.texts, [](const Said& said) {
            return !said.isSentence && !said.isHover && says(said.text, {"atomic", "原子"});
        });
        if (atomics && !named)
            fail({}, "legend", "the block has atomics, and the legend knows loads and stores alone");
    }
}

}  // namespace lockstep::witness
