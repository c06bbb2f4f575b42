// Sentences of a step that computes or accesses memory, and the caption that says where the cursor is.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::Space;

// "Warp 0 computes d = a + b in all 32 lanes (add.s64).", "... in 16 of 32 lanes": all of them are active, or
// so many of those that there are.
void Reader::issueSentence(const Said& said) {
    const trace::Step& step = traceOf(cursor_.warp.value).steps[cursor_.step];
    const f64 own = cursor_.warp.value, active = step.active.count(),
              exist = block_.lanesOf(cursor_.warp.value);
    const auto first = [&](std::initializer_list<f64> values) {
        std::size_t i = 0;
        for (const f64 value : values) {
            if (i == tokens_->size()) return;
            done_[i] = true;
            if ((*tokens_)[i].value != value)
                fail(said, written((*tokens_)[i]), fmt::format("it is {}", value));
            ++i;
        }
    };
    if (!text_.starts_with(english() ? "Warp " : "线程束 ")) return;
    if (!says(text_, {" computes ", " copies a to d ", " converts ", " reads %", " reads a parameter", "计算",
                      "复制到 d", "转换为", "读取 %", "读取核函数的参数"}))
        return;
    const std::size_t shape = text_.rfind(english() ? " in all " : "全部 ");
    if (says(text_, {" computes ", " copies a to d ", " converts ", "计算", "复制到 d", "转换为"}) &&
        !contains(text_, "(" + std::string(run_.run().module->at(step.pc).name) + ")") &&
        !contains(text_, "（" + std::string(run_.run().module->at(step.pc).name) + "）"))
        fail(said, text_, "another instruction is there");
    // The numbers of the sentence in front of and behind the formula, which has none but those of its names.
    if (tokens_->size() == 2 && shape != std::string::npos) {
        first({own, active});
        if (active != exist) fail(said, text_, "not all lanes");
    } else if (tokens_->size() == 3 && shape == std::string::npos)
        english() ? first({own, active, exist}) : first({own, exist, active});
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
