// The timeline: rows of steps, the bands of what the cursor's warp does between barriers, and the scale.
#include "base/text/trimmed.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

namespace {

// The number behind a name of a loop's variable: "ph = 0".
bool followsEquals(std::string_view text, const Token& token) {
    return text.substr(0, token.begin).ends_with("= ");
}

using RoundPart = RoundsIn::Part;
// "add in round 3, stride 4", "rounds 2 to 7", "strides 32 to 1".
RoundPart partOfRounds(std::string_view text, const Token& token) {
    const std::string_view before = text.substr(0, token.begin), behind = text.substr(token.end);
    const auto follows = [&](std::string_view words) { return before.ends_with(words); };
    const std::size_t rounds = before.rfind("rounds "), strides = before.rfind("strides ");
    if (follows("round ") || follows("rounds ")) return RoundPart::First;
    if (follows("stride ") || follows("strides ") || follows("步长 ")) return RoundPart::FirstStride;
    if (follows(" to ") && rounds != std::string_view::npos)
        return strides != std::string_view::npos && strides > rounds ? RoundPart::LastStride
                                                                     : RoundPart::Last;
    if (behind.starts_with(" 轮")) return RoundPart::Last;
    if (behind.starts_with("–")) return RoundPart::First;
    return follows(" 到 ") && before.rfind("步长 ") != std::string_view::npos ? RoundPart::LastStride
                                                                              : RoundPart::None;
}

// What an access costs, and behind it the least possible where it costs more; empty where it is not counted.
std::vector<f64> costOf(const ptx::Module& module, const trace::WarpTrace& warp, u32 step,
                        Capability capability) {
    if (warp.steps[step].access == trace::Step::kNone) return {};
    const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[step].access]);
    if (access.active.empty()) return {};
    f64 cost = 0, least = 0;
    if (access.space == Space::Shared) {
        const SharedCost shared = sharedCost(access, capability, module.textOf(access.pc));
        cost = shared.wavefronts, least = shared.least;
    } else if (access.space == Space::Global) {
        // Transactions and lines hold 128 bytes at most, and each half-warp of cc 1.x has its own.
        const GlobalCost global = globalCost(access, capability);
        const bool areSectors =
            std::ranges::all_of(global.itemBytes, [](u32 bytes) { return bytes == 32; }) &&
            capability.major > 1;
        std::map<u32, std::set<u64>> places;  // by request
        for (const Lane lane : access.active)
            places[areSectors || global.requests == 1 ? 0 : lane.value * global.requests / kWarpSize].insert(
                access.addresses[lane.value]);
        cost = global.items;
        for (const auto& [request, own] : places)
            least += std::ceil(f64(own.size() * access.widthBytes) / (areSectors ? 32 : 128));
    } else
        return {};
    return cost > least ? std::vector{cost, least} : std::vector{cost};
}

// A whole number, one of the block's extents, or "64 / 2" of these.
std::optional<s64> simpleValue(std::string_view text, const Launch& launch) {
    text = trimmed(text, kAllBlanks);
    for (const char sign : {'/', '*'})
        if (const std::size_t at = text.find(sign); at != std::string_view::npos) {
            const auto a = simpleValue(text.substr(0, at), launch),
                       b = simpleValue(text.substr(at + 1), launch);
            if (!a || !b || *b == 0) return std::nullopt;
            return sign == '/' ? *a / *b : *a * *b;
        }
    if (text == "blockDim.x") return launch.block.x;
    if (text == "blockDim.y") return launch.block.y;
    if (text.empty() || !std::ranges::all_of(text, [](char c) { return std::isdigit(u8(c)); }))
        return std::nullopt;
    return std::stoll(std::string(text));
}

}  // namespace

// What a loop's variable is in the round that ends at the barrier of that number: from the loop's head in the
// source, and how often the warp has come to that barrier.
std::optional<s64> Reader::loopValue(std::string_view name, u32 barrier) const {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    if (barrier >= warp.barrierSteps.size()) return std::nullopt;
    const u32 line = run_.lineOf(warp.steps[warp.barrierSteps[barrier]].pc);
    u32 rounds = 0;
    for (u32 b = 0; b < barrier; ++b)
        rounds += run_.lineOf(warp.steps[warp.barrierSteps[b]].pc) == line;
    const std::string variable(name);
    for (u32 at = line; at > 0; --at) {
        std::string_view code = run_.sourceOf(at);
        code = code.substr(0, code.find("//"));
        const std::size_t head = code.find("for (");
        if (head == std::string_view::npos) continue;
        code.remove_prefix(head + 5);
        const std::size_t first = code.find(';'), second = code.find(';', first + 1);
        if (second == std::string_view::npos) continue;
        const std::size_t begins = code.substr(0, first).find(variable + " = ");
        if (begins == std::string_view::npos) continue;
        std::optional<s64> value =
            simpleValue(code.substr(begins + name.size() + 3, first - begins - name.size() - 3), launch_);
        const std::string_view change =
            trimmed(code.substr(second + 1, code.rfind(')') - second - 1), kAllBlanks);
        for (u32 round = 0; round < rounds && value; ++round) {
            if (change == "++" + variable)
                ++*value;
            else if (change == variable + " *= 2" || change == variable + " <<= 1")
                *value *= 2;
            else if (change == variable + " >>= 1" || change == variable + " /= 2")
                *value /= 2;
            else
                return std::nullopt;
        }
        return value;
    }
    return std::nullopt;
}

// Tiles of a matrix product along its width: what a pipeline stores behind the last one is none.
u32 Reader::tiles() const {
    const catalog::Values& values = run_.run().catalog->values;
    const auto width = values.find("width"), tile = values.find("tile");
    const s64 depth = run_.constant("Depth").value_or(tile != values.end() ? tile->second : 0);
    return width != values.end() && depth > 0 ? u32((width->second + depth - 1) / depth) : ~u32{0};
}

// The rounds whose additions the threads make in a barrier interval.
RoundsIn Reader::roundsIn(u32 phase) {
    RoundsIn found;
    const Rounds* all = allRounds();
    u32 number = 0;
    for (u32 r = 0; all && r < all->rounds.size(); ++r) {
        if (!all->adds(r)) continue;
        ++number;
        const Rounds::Addition& any = all->rounds[r].front();
        if (block_.phaseOf(any.warp, any.step) != phase) continue;
        const f64 stride = all->isPadded() ? 0 : f64(all->strideOf(r).value_or(0));
        if (found.first == 0) found.first = number, found.firstStride = stride;
        found.last = number, found.lastStride = stride;
    }
    return found;
}

// "barrier interval 1, ph = 0: multiply tile 1", or shorter: "1: work", "1". The interval holds the steps;
// the k-th tile is the one that the k-th interval with stores to shared memory stores.
void Reader::bandName(const Said& said, std::size_t end, std::optional<u32> phase) {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    for (std::size_t k = 0; k < end; ++k) {
        const Token& token = (*tokens_)[k];
        done_[k] = true;
        if (followsEquals(text_, token)) {
            std::size_t from = token.begin - 3;  // " = "
            while (from > 0 && (std::isalnum(u8(text_[from - 1])) || text_[from - 1] == '_'))
                --from;
            const std::string name = text_.substr(from, token.begin - 3 - from);
            const auto value = phase ? loopValue(name, *phase) : std::nullopt;
            if (!value || f64(*value) != token.value)
                fail(said, written(token),
                     value ? fmt::format("{} is {}", name, *value) : name + " is not known");
        } else if (const auto part = partOfRounds(text_, token); part != RoundsIn::Part::None) {
            const f64 is = phase ? roundsIn(*phase).of(part) : 0;
            if (token.value != is) fail(said, written(token), fmt::format("it is {}", is));
        } else if (token.noun == "tile") {
            u32 stored = 0;
            bool storesHere = false;
            for (u32 p = 0, s = 0; phase && p <= *phase; ++p) {
                storesHere = false;
                const u32 until =
                    p < warp.barrierSteps.size() ? warp.barrierSteps[p] + 1 : u32(warp.steps.size());
                for (; s < until; ++s)
                    if (const u32 at = warp.steps[s].access; at != trace::Step::kNone)
                        storesHere |= warp.accesses[at].kind == AccessKind::AsyncCopy ||
                                      (warp.accesses[at].space == Space::Shared &&
                                       warp.accesses[at].kind == AccessKind::Store);
                stored += storesHere && p < *phase;
            }
            const std::string_view rest = std::string_view(text_).substr(0, token.begin);
            const auto is = [&](std::string_view en, std::string_view zh) {
                return rest.ends_with(english() ? en : zh);
            };
            // Through registers, a tile is loaded an interval before it is stored.
            const bool storesAhead = says(text_, {", store tile ", "，写入第 "}),
                       isSecond = is(" and ", "对和第 ");
            const u32 ahead = isSecond                      ? 2
                              : is("load tile ", "装载第 ") ? (storesAhead ? 2 : 1)
                              : is("store tile ", "写入第 ") || is("load tiles ", "装载第 ") ? 1
                                                                                             : 0;
            const u32 tile = std::min(stored + ahead, tiles());
            if (token.value != f64(tile)) fail(said, written(token), fmt::format("it is tile {}", tile));
        } else if (!phase || token.value != f64(*phase))
            fail(said, written(token),
                 phase ? fmt::format("it is interval {}", *phase) : "there is no such interval");
    }
}

// "barrier interval 0, ph = 0: load tile 1; warp 0, steps 35 to 43: 9 warp instructions, 288 thread
// instructions; global memory: 2 requests, 8 sectors; shared memory: ...": of the cursor's warp.
void Reader::bandHover(const Said& said) {
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const u32 steps = u32(warp.steps.size());
    const std::string_view mark = english() ? "; warp " : "，线程束 ";
    const std::size_t at = text_.rfind(mark);
    std::size_t i = 0;
    while (i < tokens_->size() && (*tokens_)[i].begin < at)
        ++i;
    if (i + 5 > tokens_->size()) return;
    const u32 first = u32((*tokens_)[i + 1].value) - 1, end = u32((*tokens_)[i + 2].value);
    if (first >= end || end > steps) return fail(said, text_, "no such steps");
    f64 lanes = 0, requests[2] = {0, 0}, items[2] = {0, 0};
    const ptx::Module& module = *run_.run().module;
    for (u32 s = first; s < end; ++s) {
        // A branch is executed by all lanes that come to it.
        const ptx::Instruction& instruction = module.at(warp.steps[s].pc);
        const bool isBranch = instruction.form.starts_with("bra") && instruction.guard.present;
        lanes += isBranch ? block_.path(cursor_.warp.value, s) : u32(warp.steps[s].active.count());
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
        const bool isShared = access.space == Space::Shared;
        if ((!isShared && access.space != Space::Global) || access.active.empty()) continue;
        if (isShared) {
            ++requests[isShared];
            items[isShared] += sharedCost(access, run_.capability(), module.textOf(access.pc)).wavefronts;
        } else {
            const GlobalCost cost = globalCost(access, run_.capability());
            requests[isShared] += cost.requests, items[isShared] += cost.items;
        }
    }
    std::vector<f64> values{f64(cursor_.warp.value), first + 1.0, f64(end)};
    values.insert(values.end(), {f64(end - first), lanes});
    for (const bool isShared : {false, true})
        if (requests[isShared] > 0) values.push_back(requests[isShared]), values.push_back(items[isShared]);
    if (tokens_->size() - i != values.size()) fail(said, text_, "the steps have other accesses");
    for (std::size_t v = 0; v < values.size() && i + v < tokens_->size(); ++v) {
        done_[i + v] = true;
        const Token& token = (*tokens_)[i + v];
        if (token.value != values[v]) fail(said, written(token), fmt::format("it is {}", values[v]));
    }
    const u32 phase = block_.phaseOf(cursor_.warp.value, first);
    if (block_.phaseOf(cursor_.warp.value, end - 1) != phase && !warp.barrierSteps.empty())
        fail(said, text_, "the steps are of several intervals");
    bandName(said, i, phase);
}

void Reader::timelineText(const Said& said) {
    const trace::WarpTrace& own = traceOf(cursor_.warp.value);
    const u32 steps = u32(own.steps.size());
    const auto value = [&](std::size_t i) { return u32((*tokens_)[i].value); };
    if (is("The rows show steps # to # of #; *", "-") || is("-", "下面各行显示 # 步中的第 #–# 步；*")) {
        const std::size_t from = english() ? 0 : 1;
        expectAll(said, english() ? std::vector<std::optional<f64>>{{}, {}, steps}
                                  : std::vector<std::optional<f64>>{steps});
        const f64 first = (*tokens_)[from].value, last = (*tokens_)[from + 1].value;
        // The cursor's step is among them.
        done_[from] = done_[from + 1] =
            first <= cursor_.step + 1 && cursor_.step + 1 <= last && first >= 1 && last <= steps;
    } else if (is("Warp # waits at the barrier of step # for *", "线程束 # 在第 # 步的屏障处*")) {
        const u32 of = value(0), step = value(1) - 1;
        done_[0] = done_[1] =
            of < block_.block().warps.size() &&
            std::ranges::find(traceOf(of).barrierSteps, step) != traceOf(of).barrierSteps.end();
    } else if (said.isHover && is("Step #: # of # lane* active", "第 # 步：# 个通道中有 # 个处于活动状态")) {
        // Step, of how many, and how many: in the order of the language.
        const std::size_t on = english() ? 1 : 2, of = english() ? 2 : 1;
        const u32 step = value(0) - 1;
        done_.assign(3, true);
        if (step >= steps || (said.leadsTo && said.leadsTo->step != step))
            return fail(said, written((*tokens_)[0]), "it is another step");
        const ptx::Instruction& instruction = run_.run().module->at(own.steps[step].pc);
        const u32 lanes = instruction.form.starts_with("bra") ? block_.path(cursor_.warp.value, step)
                                                              : u32(own.steps[step].active.count());
        if (value(on) != lanes) fail(said, written((*tokens_)[on]), fmt::format("it is {}", lanes));
        if (value(of) != block_.lanesOf(cursor_.warp.value))
            fail(said, written((*tokens_)[of]), "the warp has other lanes");
    } else if (said.isHover && is("Step #. Drag *", "第 # 步。沿数字*")) {
        done_[0] = said.leadsTo && said.leadsTo->step + 1 == value(0) && value(0) <= steps;
    } else if (said.isHover &&
               is("Warp #, step #: *, # lane* active*.", "线程束 #，第 # 步：*，# 个活动通道*。")) {
        done_.assign(tokens_->size(), true);
        const u32 w = value(0), s = value(1) - 1;
        if (w >= block_.block().warps.size() || s >= traceOf(w).steps.size() ||
            (said.leadsTo && (said.leadsTo->step != s || said.leadsTo->warp.value != w)))
            return fail(said, text_, "no such step");
        const trace::Step& step = traceOf(w).steps[s];
        // Behind the lanes stands what the access costs, where it costs anything.
        const std::vector<f64> cost = costOf(*run_.run().module, traceOf(w), s, run_.capability());
        if (tokens_->size() < cost.size() + 4) return fail(said, text_, "the cost is missing");
        const std::size_t last = tokens_->size() - 1 - cost.size();
        const bool isBranch = run_.run().module->at(step.pc).form.starts_with("bra");
        const f64 line = run_.lineOf(step.pc),
                  lanes = isBranch ? block_.path(w, s) : u32(step.active.count());
        if ((*tokens_)[last - 1].value != line) fail(said, text_, fmt::format("it is line {}", line));
        if ((*tokens_)[last].value != lanes) fail(said, text_, fmt::format("it is {} lanes", lanes));
        for (std::size_t i = 0; i < cost.size(); ++i)
            if ((*tokens_)[last + 1 + i].value != cost[i])
                fail(said, written((*tokens_)[last + 1 + i]), fmt::format("it is {}", cost[i]));
        if (!contains(text_, run_.run().module->at(step.pc).name))
            fail(said, text_, "another instruction is there");
    } else if (is("Warp # waits here for others", "线程束 # 在此等待其他线程束") && said.isHover) {
        done_[0] = value(0) == cursor_.warp.value;
    } else if (is("Show warp # at the same moment*", "单击转到线程束 #，停在同一时刻*")) {
        done_[0] = !said.leadsTo || said.leadsTo->warp.value == value(0);
    } else if (is("# more warp* below", "下面还有 # 个线程束") ||
               is("# more warp* above", "上面还有 # 个线程束")) {
        // The tooltip names the first of them.
        const std::vector<Token> next = tokensOf(said.hover);
        const u32 warps = u32(block_.block().warps.size());
        done_[0] = true;
        const bool below = says(text_, {"below", "下面"});
        const f64 count = next.empty() ? -1 : below ? warps - next[0].value : next[0].value + 1;
        if (f64(value(0)) != count) fail(said, written((*tokens_)[0]), fmt::format("it is {}", count));
    } else if (said.isHover && is("*; warp #, step* # to #: # warp instruction*",
                                  "*，线程束 # 的第 # 到 # 步，共 # 条线程束指令、*"))
        bandHover(said);
}

// Names of bands, chips of warps and the scale, which are also the tooltip.
void Reader::timelinePicture() {
    const u32 steps = u32(traceOf(cursor_.warp.value).steps.size());
    f64 before = 0;  // the interval of the band on the left
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption) continue;
        const std::vector<Token> own = tokensOf(said.text), told = tokensOf(said.hover);
        if (own.empty()) continue;
        const std::string_view stepsMark = english() ? ", steps " : " 的第 ";
        if (const std::size_t mark = said.hover.rfind(stepsMark);
            mark != std::string::npos && (says(said.hover, {" thread instruction", " 条线程指令"}))) {
            // The name of a band, whose interval is that of the band's first step.
            const auto first =
                std::ranges::find_if(told, [&](const Token& token) { return token.begin >= mark; });
            if (first == told.end()) continue;
            take(said);
            text_ = said.text, tokens_ = &own, done_.assign(own.size(), false);
            const u32 phase = block_.phaseOf(cursor_.warp.value, u32(first->value) - 1);
            bandName(said, own.size(), phase), before = phase;
            continue;
        }
        // A name that no area lies below says which interval it is; they follow each other.
        if (said.hover.empty() &&
            (english() ? said.text.starts_with("barrier interval ") : said.text.starts_with("屏障区间 "))) {
            take(said);
            text_ = said.text, tokens_ = &own, done_.assign(own.size(), false);
            if (own[0].value < before || own[0].value > f64(traceOf(cursor_.warp.value).barrierSteps.size()))
                fail(said, said.text, "no such interval is there");
            bandName(said, own.size(), u32(own[0].value)), before = own[0].value;
            continue;
        }
        // The same where what is done says more than the number: the rounds are those of an interval behind.
        if (const RoundPart part = partOfRounds(said.text, own[0]);
            said.hover.empty() && (part == RoundPart::First || part == RoundPart::Last)) {
            const auto barriers = u32(traceOf(cursor_.warp.value).barrierSteps.size());
            u32 phase = u32(before);
            while (phase <= barriers && roundsIn(phase).first != own[0].value)
                ++phase;
            take(said);
            text_ = said.text, tokens_ = &own, done_.assign(own.size(), false);
            bandName(said, own.size(), phase), before = phase;
            continue;
        }
        if (own.size() != 1 || own[0].end - own[0].begin != said.text.size()) continue;
        const bool isChip = says(said.hover, {"Show warp ", "看线程束 "});
        if (isChip) {
            take(said);
            if (told.empty() || own[0].value != told[0].value)
                fail(said, said.text, "it is another warp's row");
        } else if (says(said.hover, {"Step ", "第 "}) && !told.empty()) {
            // A tick of the scale: of this step or, where several steps share a place, of one of them.
            take(said);
            const f64 apart = own[0].value - told[0].value;
            if (own[0].value != cursor_.step + 1.0 && (apart < 0 || apart > std::max(1.0, steps / 200.0)))
                fail(said, said.text, fmt::format("the scale has step {} there", told[0].value));
        }
    }
    bool atomics = false;
    for (const trace::WarpTrace& warp : block_.block().warps)
        for (const trace::StoredAccess& access : warp.accesses)
            atomics = atomics || access.kind == AccessKind::Atomic || access.kind == AccessKind::Reduction;
    const bool named = std::ranges::any_of(picture_.texts, [](const Said& said) {
        return !said.isSentence && !said.isHover && says(said.text, {"atomic", "原子"});
    });
    // Of a part of the run the legend names what is in it.
    const bool isPart = std::ranges::any_of(picture_.texts, [&](const Said& said) {
        return said.text == (english() ? "Whole run" : "整次运行");
    });
    if (atomics && !named && !isPart)
        fail({}, "legend", "the block has atomics, and the legend knows loads and stores alone");
}

// What the mouse is told at painted texts, in pictures whose areas are not read one by one.
void Reader::hoversOfTexts() {
    if (std::ranges::any_of(picture_.texts, &Said::isHover)) return;
    std::set<std::string_view> seen;
    for (const Said& said : picture_.texts)
        if (!said.hover.empty() && seen.insert(said.hover).second) {
            Said hover = said;
            hover.text = said.hover, hover.isHover = true, hover.hover.clear();
            text(hover);
        }
}

}  // namespace lockstep::witness
