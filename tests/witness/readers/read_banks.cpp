// What the banks view says of words and banks.
#include "witness/forms.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::Space;

// "Lanes 0, 8 touch the same word 88: bank 24, pass 1".
void Reader::bankHover(const Said& said) {
    const Token* word = firstId("word");
    const Token* bank = firstId("bank");
    if (!word || !bank || tokens_->front().noun != "lane") return;
    const trace::WarpAccess* access = access_ && access_->space == Space::Shared ? &*access_ : nullptr;
    std::optional<trace::WarpAccess> other;
    if (!access)
        for (u32 s : nearestAccesses()) {
            const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
            trace::WarpAccess candidate = warp.unpack(warp.accesses[warp.steps[s].access]);
            if (candidate.space != Space::Shared) continue;
            const Lane lane{u32(tokens_->front().value)};
            if (!other ||
                (candidate.active.has(lane) && candidate.addresses[lane.value] / 4 <= u64(word->value)))
                other = candidate;
        }
    if (!access && other) access = &*other;
    if (!access) return fail(said, "word", "there is no access to shared memory near");
    mark(*word), mark(*bank);
    if (run_.capability().bankOf(u64(word->value)) != u64(bank->value))
        fail(said, "bank", "not the bank of that word");
    std::optional<u32> from;
    for (const Token& token : *tokens_) {
        if (token.noun != "lane" || token.kind != Kind::Id) continue;
        mark(token);
        const bool isRange = from && std::string_view(text_).substr(0, token.begin).ends_with("–");
        for (u32 lane = isRange ? *from : u32(token.value); lane <= u32(token.value); ++lane) {
            const u64 first = access->addresses[lane] / 4,
                      last = (access->addresses[lane] + access->widthBytes - 1) / 4;
            if (!access->active.has(Lane{lane}) || u64(word->value) < first || u64(word->value) > last)
                fail(said, fmt::format("lane {}", lane), "the lane touches another word");
        }
        from = u32(token.value);
    }
}

// "word = 2·lane + 96, so bank (2·lane) mod 32", "..., so bank 5 for every lane": of every active lane of
// an access that is near.
void Reader::wordOfLane(const Said& said) {
    std::size_t at = std::min(text_.find("word = "), text_.find("字 = "));
    if (at == std::string::npos && text_.starts_with("每个通道都访问字 ")) at = 0;
    if (at == std::string::npos || picture_.view == "times") return;  // there it is a size of the run
    struct Linear {
        s64 times, plus;
        s64 at(Lane lane) const { return times * s64(lane.value) + plus; }
    };
    const auto linear = [&](std::size_t from, std::size_t to) {
        const std::string_view part = std::string_view(text_).substr(from, to - from);
        s64 times = (contains(part, "lane") && !contains(part, "every lane")) ||
                            (contains(part, "通道") && !contains(part, "每个通道"))
                        ? 1
                        : 0,
            plus = 0;
        for (std::size_t i = 0; i < tokens_->size(); ++i) {
            const Token& token = (*tokens_)[i];
            if (token.begin < from || token.end > to) continue;
            done_[i] = true;
            const std::string_view rest = std::string_view(text_).substr(token.end, 3);
            const bool minus = (token.begin >= from + 2 && text_[token.begin - 2] == '-') ||
                               (token.begin >= from + 4 && text_.compare(token.begin - 4, 3, "−") == 0);
            if (rest.starts_with("·") || rest.starts_with(" ·"))
                times = s64(token.value);
            else
                plus = minus ? -s64(token.value) : s64(token.value);
        }
        return Linear{times, plus};
    };
    const std::size_t comma = std::min(text_.find(',', at), text_.find("，", at));
    if (comma == std::string::npos) return;
    const Linear wordOf = linear(at, comma);
    const std::size_t mod = std::min(text_.find(" mod ", comma), text_.find(" % ", comma));
    std::size_t end = mod;
    if (mod == std::string::npos) {  // one bank: the first number behind the comma
        const auto first =
            std::ranges::find_if(*tokens_, [&](const Token& token) { return token.begin >= comma; });
        end = first == tokens_->end() ? text_.size() : first->end;
    }
    const Linear bankOf = linear(comma, end);
    const u32 banks = run_.capability().banks();
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if (mod != std::string::npos && (*tokens_)[i].begin >= mod && (*tokens_)[i].begin < mod + 6) {
            done_[i] = true;
            if ((*tokens_)[i].value != banks) fail(said, "mod", "the device has another number of banks");
        }
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    std::vector<trace::WarpAccess> candidates;
    if (access_ && access_->space == Space::Shared)
        candidates.push_back(*access_);
    else
        for (u32 s : nearestAccesses())
            if (const trace::StoredAccess& stored = warp.accesses[warp.steps[s].access];
                stored.space == Space::Shared)
                candidates.push_back(warp.unpack(stored));
    const bool holds = std::ranges::any_of(candidates, [&](const trace::WarpAccess& access) {
        for (Lane lane : access.active) {
            const s64 word = s64(access.addresses[lane.value] / 4), bank = bankOf.at(lane);
            if (word != wordOf.at(lane) ||
                ((bank % s64(banks)) + s64(banks)) % s64(banks) != word % s64(banks))
                return false;
        }
        return true;
    });
    if (!holds) fail(said, "word = ", "some lane accesses another word");
}

// "half-warp 0: 4-way, half-warp 1: no conflict, 5 wavefronts in all".
std::string halfWarpText(trace::WarpAccess access, Capability capability, std::string_view instruction,
                         bool english) {
    const LaneMask active = access.active;
    std::string text;
    u32 all = 0, halves = 0;
    for (u32 half = 0; half < 2; ++half) {
        access.active = active & LaneMask{LaneMask::firstLanes(16).bits << (16 * half)};
        if (access.active.empty()) continue;
        const SharedCost cost = sharedCost(access, capability, instruction);
        const u32 n = cost.wavefronts;
        all += n, ++halves;
        const std::string how = n <= cost.least ? english ? "no conflict" : "没有冲突"
                                : cost.least == 1
                                    ? english ? fmt::format("{}-way", n) : fmt::format("{} 路冲突", n)
                                : english ? fmt::format("{} wavefronts instead of {}", n, cost.least)
                                          : fmt::format("{} 个波前而不是 {} 个", n, cost.least);
        text += english ? fmt::format("half-warp {}: {}, ", half, how)
                        : fmt::format("半线程束 {}：{}，", half, how);
    }
    return text +
           (english ? fmt::format("{} wavefront{}{}", all, all == 1 ? "" : "s", halves > 1 ? " in all" : "")
                    : fmt::format("{}{} 个波前", halves > 1 ? "共 " : "", all));
}

// cc 1.x: "half-warp 0: 4-way, half-warp 1: 4-way, 8 wavefronts in all", of the access at the cursor or of
// one that is near.
void Reader::halfWarps(const Said& said) {
    if (!says(said.text, {"half-warp 0: ", "half-warp 1: ", "半线程束 0：", "半线程束 1："}) ||
        !says(said.text, {"wavefront", "波前"}) || run_.capability().major > 1)
        return;
    const trace::WarpTrace& warp = traceOf(scope_.warp.value_or(cursor_.warp.value));
    std::vector<u32> steps;
    if (access_ && access_->space == Space::Shared) steps.push_back(cursor_.step);
    if (steps.empty() || said.isHover)
        for (u32 s : nearestAccesses())
            steps.push_back(s);
    if (scope_.step && *scope_.step < warp.steps.size()) steps.push_back(*scope_.step);
    std::string known;
    for (u32 s : steps) {
        if (warp.steps[s].access == trace::Step::kNone) continue;
        trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
        if (access.space != Space::Shared) continue;
        const std::string text =
            halfWarpText(access, run_.capability(), run_.run().module->textOf(warp.steps[s].pc), english());
        const std::size_t at = said.text.find(text);
        known = text;
        if (at == std::string::npos) continue;
        for (std::size_t i = 0; i < tokens_->size(); ++i)
            if ((*tokens_)[i].begin >= at && (*tokens_)[i].end <= at + text.size()) done_[i] = true;
        return;
    }
    fail(said, "half-warp", "it is: " + known);
}

// Compute capability 1.x: how many wavefronts an access takes is told half-warp by half-warp.
void Reader::halfWarpsLeftOut(const Said& said) {
    if (run_.capability().major > 1 || says(said.text, {"half-warp ", "半线程束 ", "half-warps"}) ||
        !says(said.text, {"wavefront", "波前"}))
        return;
    if (is("*Warp # reads # word*", "*线程束 # 读取 # 个字*") ||
        is("*Warp # writes # word*", "*线程束 # 写入 # 个字*") ||
        is("*Warp # (# of its # lanes) reads # word*", "*线程束 #（# 个通道中的 # 个）读取 # 个字*") ||
        is("*Warp # (# of its # lanes) writes # word*", "*线程束 #（# 个通道中的 # 个）写入 # 个字*"))
        fail(said, "wavefront", "no word of the half-warps");
}

// "At 16 bytes per lane, 8 lanes are served at a time: ...", of the access at the cursor or of one near it.
void Reader::lanesOfGroup(const Said& said) {
    const std::size_t at = said.text.find(english() ? " served at" : "一次处理 ");
    if (at == std::string::npos) return;
    const bool saysNeighbors = says(said.text, {"same address in neighboring lanes", "相邻通道地址相同"});
    std::vector<u32> steps = nearestAccesses();
    if (access_ && access_->space == Space::Shared) steps = {cursor_.step};
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const Token* lanes = nullptr;  // the last before these words in English, the first behind them in Chinese
    for (const Token& token : *tokens_)
        if (english() ? token.begin < at : token.begin > at && !lanes) lanes = &token;
    if (lanes) mark(*lanes);
    const bool holds = lanes && std::ranges::any_of(steps, [&](u32 s) {
                           if (warp.steps[s].access == trace::Step::kNone) return false;
                           trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
                           if (access.space != Space::Shared) return false;
                           const u32 served = sharedLanesAtATime(access, run_.capability());
                           access.kind = trace::AccessKind::Store;  // never merged
                           return f64(served) == lanes->value &&
                                  saysNeighbors == (served != sharedLanesAtATime(access, run_.capability()));
                       });
    if (!holds) fail(said, said.text.substr(at), "other lanes make a group");
}

// "16×" in a cell of a pile: as many lanes share the word as the mouse is told there, or, where it is told
// nothing, as share one in the access.
void Reader::sharedWord(const Said& said) {
    if (said.isHover || !is("#×", "#×") || done_[0]) return;
    const f64 number = tokens_->front().value;
    const auto told = match(said.hover, english() ? "Lanes {lanes:list} access the same word**"
                                                  : "通道 {lanes:list} 访问同一个字**");
    const auto lanes = told ? lanesIn(told->text("lanes")) : std::nullopt;
    done_[0] = true;
    bool found = lanes && f64(lanes->size()) == number;
    const auto isShared = [&](const trace::WarpAccess& access) {
        std::map<u64, u32> sharing;
        for (const Lane lane : access.active)
            ++sharing[access.addresses[lane.value] / 4];
        return std::ranges::any_of(sharing, [&](const auto& word) { return f64(word.second) == number; });
    };
    if (said.hover.empty() && access_) found = isShared(*access_);
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    for (u32 s : found || !said.hover.empty() ? std::vector<u32>() : nearestAccesses())
        found = found || isShared(warp.unpack(warp.accesses[warp.steps[s].access]));
    // In Compare a factor between the two is written like that as well; it has its own rule.
    const bool isFactor = !found && picture_.view == "compare" && said.hover.empty();
    if (isFactor) done_[0] = false;
    if (!found && !isFactor) fail(said, said.text, "other lanes share the word");
}

}  // namespace lockstep::witness
