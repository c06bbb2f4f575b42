// The stage of divergence: stretches of a warp's steps that the same lanes take, its branches, and the lane
// slots that it uses.
#include "base/text/counted.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

namespace {

// A branch that lanes can take or not, so that they diverge.
bool isConditional(const ptx::Module& module, Pc pc) {
    return module.at(pc).form.starts_with("bra") && module.at(pc).guard.present;
}

std::optional<Pc> targetOf(const ptx::Module& module, Pc pc) {
    for (const ptx::Operand& operand : module.operandsOf(module.at(pc)))
        if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) return label->target;
    return std::nullopt;
}

}  // namespace

// Where the cursor's warp splits: from a branch that lanes leave both ways, up to where lanes of both sides
// stand at the meeting place and none of them is still to come. A warp that never splits: its first branch at
// which another warp of the block goes another way.
const std::vector<Reader::Parting>& Reader::partings() {
    if (!partings_) partings_ = partingsOf(cursor_.warp.value);
    return *partings_;
}

std::vector<Reader::Parting> Reader::partingsOf(u32 w) const {
    std::vector<Parting> partings;
    const ptx::Module& module = *run_.run().module;
    const trace::WarpTrace& warp = traceOf(w);
    const u32 count = u32(warp.steps.size());
    std::vector<u32> at(count), later(count + 1, 0);
    for (u32 s = count; s-- > 0;)
        at[s] = block_.pathMask(w, s).bits, later[s] = later[s + 1] | at[s];
    for (u32 s = 0; s < count; ++s) {
        const u32 jump = warp.steps[s].active.bits, stay = at[s] & ~jump;
        if (!isConditional(module, warp.steps[s].pc) || !jump || !stay) continue;
        const Pc meet = module.reconvergence(warp.steps[s].pc);
        u32 end = s + 1;
        const auto haveMet = [&](u32 step) {
            return warp.steps[step].pc == meet && (at[step] & jump) && (at[step] & stay) &&
                   (at[s] & later[step] & ~at[step]) == 0;
        };
        while (end < count && !haveMet(end))
            ++end;
        partings.push_back({s, end, LaneMask{at[s]}, LaneMask{jump}, end < count, 0, 0, {}});
        s = end - 1;
    }
    for (u32 s = 0; partings.empty() && s < count; ++s) {
        const Pc pc = warp.steps[s].pc;
        if (!isConditional(module, pc) || !at[s]) continue;
        bool isOther = false;
        for (u32 other = 0; other < block_.block().warps.size(); ++other) {
            const auto& steps = traceOf(other).steps;
            const auto found = std::ranges::find(steps, pc, &trace::Step::pc);
            if (found == steps.end()) continue;
            const u32 came = block_.pathMask(other, u32(found - steps.begin())).bits;
            isOther |=
                warp.steps[s].active.empty() ? !found->active.empty() : (came & ~found->active.bits) != 0;
        }
        if (!isOther) continue;
        u32 end = s + 1;
        while (end < count && warp.steps[end].pc != module.reconvergence(pc))
            ++end;
        partings.push_back({s, end, LaneMask{at[s]}, warp.steps[s].active, end < count, 0, 0, {}});
    }
    for (Parting& parting : partings) {
        std::map<std::vector<bool>, u32> ways;  // which steps a lane took
        for (const Lane lane : parting.came) {
            std::vector<bool> steps;
            for (u32 s = parting.branch + 1; s < parting.end; ++s)
                steps.push_back(at[s] >> lane.value & 1);
            ways[steps] |= 1u << lane.value;
        }
        for (const auto& [steps, lanes] : ways)
            parting.groups.push_back(LaneMask{lanes});
        for (u32 s = parting.branch + 1; s < parting.end; ++s) {
            const u32 works = isConditional(module, warp.steps[s].pc) ? at[s] : warp.steps[s].active.bits;
            parting.slots += u64(parting.came.count());
            parting.used += u64(LaneMask{works & parting.came.bits}.count());
        }
    }
    return partings;
}

// That of the cursor's step, or the one to come; behind the last, the last.
const Reader::Parting* Reader::partingNow() {
    for (const Parting& parting : partings())
        if (cursor_.step <= parting.end) return &parting;
    return partings().empty() ? nullptr : &partings().back();
}

// "Warp 0 diverges at line 19: 31 lanes take the branch to line 21, 1 falls through to line 20; ...": of the
// cursor's step.
void Reader::splitText(const Said& said) {
    if (said.isHover || !says(text_, {" diverges at "})) return;
    const f64 jump = f64(traceOf(cursor_.warp.value).steps[cursor_.step].active.count()),
              stay = f64(block_.path(cursor_.warp.value, cursor_.step)) - jump;
    for (const Token& token : *tokens_) {
        const std::string_view rest = std::string_view(text_).substr(token.end);
        const bool goesOn = rest.starts_with(" fall through to") || rest.starts_with(" falls through to") ||
                            rest.starts_with(" leave");
        if (!goesOn) continue;
        mark(token);
        if (token.value != stay) fail(said, written(token), fmt::format("{} lanes do not jump", stay));
    }
}

void Reader::divergenceText(const Said& said) {
    if (tokens_->empty()) return;
    stretchText(said);
    branchLines(said);
    if (!said.isHover) divergenceSentence(said);  // also where the picture draws it
    const u32 w = cursor_.warp.value;
    if (is("Lane # reads memory # time*.", "通道 # 一共读取内存 # 次。")) {
        f64 reads = 0;
        for (const trace::StoredAccess& access : traceOf(w).accesses)
            reads += access.kind == AccessKind::Load &&
                     access.active.has(Lane{u32(tokens_->front().value)}) &&
                     (access.space == Space::Global || access.space == Space::Shared);
        return expectAll(said, {{}, reads});
    }
    // "A: 16 lanes" of the ways that the lanes take and that have a row: as many as there are of each size.
    if (is("*: # lane*", "*：# 个通道") && !said.isHover && tokens_->size() == 1) {
        const Parting* now = partingNow();
        std::multiset<u64> sizes, told;
        for (const Said& other : picture_.texts) {
            const std::vector<Token> tokens = tokensOf(other.text);
            const bool isGroup = !other.isHover && tokens.size() == 1 && tokens[0].noun == "lane" &&
                                 std::fabs(other.top - said.top) < 20 && other.text.size() > 2 &&
                                 (other.text[1] == ':' || other.text.compare(1, 3, "：") == 0);
            if (isGroup) told.insert(u64(tokens[0].value));
        }
        if (now)
            for (const LaneMask& group : now->groups)
                sizes.insert(u64(group.count()));
        done_[0] = true;
        if (told.empty() || !std::ranges::includes(sizes, told))
            fail(said, said.text, "the groups have other sizes");
    }
}

// "Steps 19 to 60: 16 lanes on, 42 warp instructions.", "Lane 3 works here: 42 instructions."
void Reader::stretchText(const Said& said) {
    const u32 w = cursor_.warp.value, count = u32(traceOf(w).steps.size());
    const auto isOne = [&](u32 first, u32 end) {  // the same lanes all along
        for (u32 s = first; s < end; ++s)
            if (!(block_.pathMask(w, s) == block_.pathMask(w, first))) return false;
        return true;
    };
    if (is("Steps # to #: # lane* active, # warp instruction*.",
           "第 # 到 # 步：# 个活动通道，# 条线程束指令。") ||
        is("Step #: # lane* active, # warp instruction*.", "第 # 步：# 个活动通道，# 条线程束指令。")) {
        const bool isRange = tokens_->size() == 4;
        const u32 first = u32(tokens_->front().value) - 1,
                  end = isRange ? u32((*tokens_)[1].value) : first + 1;
        markIn(0, text_.size());
        const auto value = [&](std::size_t fromEnd) { return (*tokens_)[tokens_->size() - fromEnd].value; };
        if (first >= end || end > count || !isOne(first, end))
            return fail(said, said.text, "not one stretch of the warp's steps");
        if (value(2) != block_.pathMask(w, first).count()) fail(said, said.text, "another number of lanes");
        if (value(1) != end - first) fail(said, said.text, fmt::format("{} instructions", end - first));
        // As long as it is: cut off only at a branch that parts, and where its lanes meet.
        const auto isCut = [&](u32 s) {
            return std::ranges::any_of(partings(), [&](const Parting& p) {
                return s == p.branch || s == p.branch + 1 || s == p.end;
            });
        };
        if ((first > 0 && !isCut(first) && isOne(first - 1, first + 1)) ||
            (end < count && !isCut(end) && isOne(end - 1, end + 1)))
            fail(said, said.text, "the stretch is longer");
        return;
    }
    if (is("Lane # is active here: # instruction*.", "通道 # 在这一段处于活动状态：# 条指令。")) {
        markIn(0, text_.size());
        const Lane lane{u32(tokens_->front().value)};
        const u32 length = u32(tokens_->back().value);
        if (!said.leadsTo || said.leadsTo->warp.value != w || said.leadsTo->step >= count) return;
        // The stretch of the step that it leads to.
        const auto isCut = [&](u32 s) {
            return std::ranges::any_of(partings(), [&](const Parting& p) {
                return s == p.branch || s == p.branch + 1 || s == p.end;
            });
        };
        u32 first = said.leadsTo->step, end = first + 1;
        while (first > 0 && !isCut(first) && isOne(first - 1, first + 1))
            --first;
        while (end < count && !isCut(end) && isOne(end - 1, end + 1))
            ++end;
        if (end - first != length) fail(said, said.text, fmt::format("{} instructions", end - first));
        if (!block_.pathMask(w, first).has(lane)) fail(said, said.text, "the lane is not on");
    }
}

// "Warp 0: 16 lanes go to line 11, 16 to line 14. Go there.", "Branch at line 10, in the whole grid: ...",
// "Warp 0, whole run: 106 instructions, ..."
void Reader::branchLines(const Said& said) {
    const Parting* now = partingNow();
    const ptx::Module& module = *run_.run().module;
    const u32 w = cursor_.warp.value;
    if (now && is("Branch at line #, in the whole grid: warps reached it # time* and diverged # time*. *",
                  "第 # 行的分支，整个网格：线程束到达 # 次，其中 # 次分化。*")) {
        const Pc pc = traceOf(w).steps[now->branch].pc;
        const auto sums = run_.ofPc().find(pc.value);
        if (sums == run_.ofPc().end()) return;
        std::vector<std::optional<f64>> wanted{
            {}, f64(sums->second.executions), f64(sums->second.divergent), f64(w)};
        if (tokens_->size() == 3) wanted.pop_back();
        expectAll(said, wanted);
        done_[0] = true;
        if (!run_.linesNear(pc).contains(u32(tokens_->front().value)))
            fail(said, written(tokens_->front()), fmt::format("the branch is at line {}", run_.lineOf(pc)));
        return;
    }
    const bool isWhole = english() ? contains(text_, ", whole run: ") : contains(text_, " 全程：");
    if (isWhole) {
        const BlockFacts::Sums& sums = block_.sums(w);
        const f64 used = f64(sums.laneSlotsOfBranches), slots = f64(sums.steps * block_.lanesOf(w));
        // In English the slots before the share, in Chinese behind it.
        const auto inOrder = [&](f64 part, f64 all) {
            return english() ? std::array{part, all, 100 * part / all}
                             : std::array{100 * part / all, part, all};
        };
        std::vector<std::optional<f64>> wanted{f64(w), f64(sums.steps)};
        const auto append = [&](const auto& numbers) {
            wanted.insert(wanted.end(), numbers.begin(), numbers.end());
        };
        append(inOrder(used, slots));
        if (now && tokens_->size() > 5) {
            append(inOrder(f64(now->used), f64(now->slots)));
            if (now->meets != says(text_, {"to reconvergence", "到重新汇合"}))
                fail(said, said.text, "whether its lanes meet");
        }
        if (tokens_->size() != wanted.size()) return fail(said, said.text, "other numbers are wanted");
        return expectAll(said, wanted);
    }
    // "warp 0: 32 lanes, 4 paths": lanes that come to the branch, and groups of them that go together from
    // there.
    if (now && (is("warp #: # lane*, # path*", "线程束 #：# 个通道，# 条路径") ||
                is("Warp #: # lane* reach* the branch and take* # path*. Click to show this warp.",
                   "线程束 #：# 个通道到达该分支，走 # 条路径。单击可查看该线程束。") ||
                is("#: # / #", "#: # / #"))) {
        const u32 other = u32(tokens_->front().value);
        if (other >= block_.block().warps.size()) return;
        const Pc pc = traceOf(w).steps[now->branch].pc;
        const auto& steps = traceOf(other).steps;
        const auto found = std::ranges::find(steps, pc, &trace::Step::pc);
        if (found == steps.end()) return fail(said, said.text, "the warp does not come to the branch");
        f64 paths = 1;
        for (const Parting& parting : partingsOf(other))
            if (traceOf(other).steps[parting.branch].pc == pc) {
                paths = f64(parting.groups.size());
                break;
            }
        done_.assign(done_.size(), true);
        return expectAll(said, {f64(other), f64(block_.path(other, u32(found - steps.begin()))), paths});
    }
    const bool isToLines =
                   is("Warp #: # lane* to line #, # to line #. Click to show this warp.",
                      "线程束 #：# 个通道转到代码第 # 行，# 个转到代码第 # 行。单击可查看该线程束。") ||
                   is("warp #: # to line #, # to line #", "线程束 #：# 个去第 # 行，# 个去第 # 行"),
               isInWords = is("Warp #: # lane* the branch, # fall* through. Click to show this warp.",
                              "线程束 #：# 个通道跳转，# 个继续向下执行。单击可查看该线程束。") ||
                           is("warp #: # take* it, # fall* through", "线程束 #：# 个跳转，# 个继续向下执行");
    if (!now || (!isToLines && !isInWords)) return;
    const u32 other = u32(tokens_->front().value);
    if (other >= block_.block().warps.size()) return;
    const Pc pc = traceOf(w).steps[now->branch].pc;
    const auto& steps = traceOf(other).steps;
    const auto found = std::ranges::find(steps, pc, &trace::Step::pc);
    if (found == steps.end()) return fail(said, said.text, "the warp does not come to the branch");
    const f64 jump = f64(found->active.count()),
              stay = f64(block_.path(other, u32(found - steps.begin()))) - jump;
    if (isInWords) return expectAll(said, {{}, jump, stay});
    expectAll(said, {{}, jump, {}, stay, {}});
    const std::optional<Pc> target = targetOf(module, pc);
    for (const auto& [i, to] : {std::pair{2u, target}, {4u, std::optional(Pc{pc.value + 1})}}) {
        done_[i] = true;
        const std::optional<u32> line = run_.waysOf(pc)[i == 2 ? 0 : 1];
        if (!to || (line ? *line != u32((*tokens_)[i].value)
                         : !run_.linesNear(*to).contains(u32((*tokens_)[i].value))))
            fail(said, written((*tokens_)[i]), fmt::format("another line: {}", line.value_or(0)));
    }
}

// "From step 3 (line 10) on, 2 groups of lanes run one after another: 50% of the lane slots are used
// until they meet." behind what the step does.
namespace {

// "从第 3 步（第 10 行）起，2 组通道依次执行……", "从第 7 行分化起到结束……": where that begins.
std::size_t chineseBegin(const std::string& text) {
    if (const std::size_t from = text.find(" 行）起，"); from != std::string::npos)
        return text.rfind("从第", from);
    const std::size_t after = text.find(" 行分化起到结束");
    return after == std::string::npos ? after : text.rfind("第", after);
}

}  // namespace

void Reader::divergenceSentence(const Said& said) {
    // Behind the sentence of the branch itself, which says that its lanes do not reconverge.
    const std::string_view before = english() ? "they do not reconverge. " : "它们不再汇合。";
    const std::size_t atBranch = text_.find(std::string(before) + (english() ? "" : "从那里起"));
    std::size_t begin =
        std::min({text_.find("From step "), text_.find("Its lanes do not reconverge after "),
                  chineseBegin(text_), atBranch == std::string::npos ? atBranch : atBranch + before.size()});
    const std::size_t whole = english() ? text_.rfind(". Its ") : text_.rfind("它的 ");
    const bool staysWhole = says(text_, {"other warps of the block another", "线程块中其他线程束走另一条"});
    if (staysWhole && whole != std::string::npos) begin = whole;
    if (staysWhole && whole == std::string::npos) begin = 0;
    const Parting* now = partingNow();
    if (begin == std::string::npos) return;
    if (!now) return fail(said, text_.substr(begin), "it never diverges");
    const Pc pc = traceOf(cursor_.warp.value).steps[now->branch].pc;
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.begin < begin) continue;
        done_[i] = true;
        if (token.noun == "line") {
            if (!run_.linesNear(pc).contains(u32(token.value)))
                fail(said, written(token), fmt::format("it is line {}", run_.lineOf(pc)));
        } else if (token.noun == "step") {
            if (token.value != now->branch + 1.0)
                fail(said, written(token), fmt::format("it is step {}", now->branch + 1));
        } else if (token.noun == "%") {
            if (!rounds(token, 100.0 * f64(now->used) / f64(std::max<u64>(1, now->slots))))
                fail(said, written(token), fmt::format("{} of {}", now->used, now->slots));
        } else if (token.noun == "group") {
            if (token.value != f64(now->groups.size()))
                fail(said, written(token), fmt::format("{} groups", now->groups.size()));
        } else if (token.noun == "lane") {
            if (token.value != now->came.count()) fail(said, written(token), "another number of lanes");
        } else
            done_[i] = false;
    }
    if (staysWhole != (now->groups.size() < 2)) fail(said, text_.substr(begin), "whether it diverges");
}

}  // namespace lockstep::witness
