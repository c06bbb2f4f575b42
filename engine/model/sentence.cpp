#include "model/sentence.h"

#include "model/branch_lines.h"
#include "model/report.h"
#include "model/shuffle_sentence.h"
#include "model/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::model {
namespace {

using trace::Space;
using trace::Step;

Text warpName(Warp warp) {
    return {fmt::format("Warp {}", warp.value), fmt::format("线程束 {}", warp.value)};
}

// "all 32 lanes", "20 of 32 lanes"
Text lanesOf(u32 active, u32 lanesOfWarp) {
    if (active == lanesOfWarp && lanesOfWarp == 1) return {"its one lane", "唯一的通道"};
    if (active == lanesOfWarp)
        return {fmt::format("all {} lanes", active), fmt::format("全部 {} 个通道", active)};
    return {fmt::format("{} of {}", active, counted(lanesOfWarp, "lane")),
            fmt::format("{} 个通道中的 {} 个", lanesOfWarp, active)};
}

Text lineOf(Pc pc, const ptx::Module& module) {
    const SourceLine source = sourceLineOf(pc, module);
    if (source.line) return {fmt::format("line {}", source.line), fmt::format("第 {} 行", source.line)};
    if (pc.value >= module.instructions.size()) return {"the end", "末尾"};
    return {fmt::format("line {} of the PTX", module.at(pc).line),
            fmt::format("PTX 第 {} 行", module.at(pc).line)};
}

class StepSentence {
public:
    StepSentence(const ptx::Module& module, const trace::Recording& recording, const trace::FocusBlock& block,
                 Warp warp, u32 step, const Profile& profile, std::span<const ArrayShape> shapes)
        : module_(module),
          recording_(recording),
          trace_(block.warps[warp.value]),
          at_(step),
          step_(trace_.steps[step]),
          instruction_(module.at(step_.pc)),
          name_(warpName(warp)),
          profile_(profile),
          shapes_(shapes) {
        const u64 before = u64{warp.value} * kWarpSize;
        lanesOfWarp_ =
            block.threads > before ? u32(std::min<u64>(block.threads - before, kWarpSize)) : kWarpSize;
    }

    Text text() const {
        if (step_.access < trace_.accesses.size())
            return access(trace_.unpack(trace_.accesses[step_.access]));
        const std::string_view form = instruction_.form;
        if (form.starts_with("bra")) return branch();
        if (form.starts_with("bar.warp"))
            return {name_.en + " synchronizes at __syncwarp(): its lanes continue together.",
                    name_.zh + "在 __syncwarp() 处同步：各通道一起继续。"};
        if (form.starts_with("bar.arrive"))
            return {name_.en + " arrives at a named barrier and continues without waiting.",
                    name_.zh + "到达命名屏障，不等待就继续。"};
        if (form.starts_with("bar")) return barrier();
        if (form.starts_with("shfl"))
            return shuffleSentence(module_, step_.pc, step_.active, name_,
                                   lanesOf(u32(step_.active.count()), lanesOfWarp_));
        if (form.starts_with("ret") || form.starts_with("exit")) return ends();
        if (instruction_.modifiers.space == ptx::StateSpace::Param && form.starts_with("ld"))
            return parameter();
        if (operands().size() == 2)
            if (const auto* special = std::get_if<ptx::SpecialOperand>(&operands()[1]))
                return specialRegister(*special);
        return plain();
    }

private:
    Text access(const trace::WarpAccess& access) const {
        AccessWords words{.who = name_, .array = {}, .first = {}, .last = {}, .lanesOfWarp = lanesOfWarp_};
        if (!access.active.empty()) {
            Lane lowest = access.active.lowest(), highest = lowest;
            for (Lane lane : access.active) {
                if (access.addresses[lane.value] < access.addresses[lowest.value]) lowest = lane;
                if (access.addresses[lane.value] > access.addresses[highest.value]) highest = lane;
            }
            words.first = nameOfAddress(access, lowest, module_, recording_, shapes_);
            words.last = nameOfAddress(access, highest, module_, recording_, shapes_);
            const auto arrayOf = [](const std::string& place) {
                return place.substr(0, place.find_first_of(" ["));
            };
            if (arrayOf(words.first) == arrayOf(words.last)) words.array = arrayOf(words.first);
        }
        if (access.space == Space::Global) return globalSentence(access, profile_, words);
        if (access.space == Space::Shared) {
            const SharedAtomicForm form =
                sharedAtomicForm(instruction_, module_.operandsOf(instruction_), access.kind);
            return sharedSentence(access, profile_, words, form);
        }
        const Text does = verb(access.kind), lanes = lanesOf(u32(access.active.count()), lanesOfWarp_);
        const Text where = access.space == Space::Local
                               ? Text{"each thread's own local memory", "各线程自己的本地内存"}
                           : access.space == Space::Constant ? Text{"constant memory", "常量内存"}
                                                             : Text{"the kernel's parameters", "核函数参数"};
        return {fmt::format("{} {} {} per lane of {} in {}.", name_.en, does.en,
                            counted(access.widthBytes, "byte"), where.en, lanes.en),
                fmt::format("{}在{}上{}{}，每个通道 {} 字节。", name_.zh, lanes.zh, does.zh, where.zh,
                            access.widthBytes)};
    }

    Text branch() const {
        const auto* label =
            operands().empty() ? nullptr : std::get_if<ptx::LabelOperand>(&operands().front());
        const Pc next{step_.pc.value + 1};
        if (!label) return plain();
        const bool back = label->target <= step_.pc;
        const Ways ways = waysFrom(next, label->target);
        const Text &target = ways.taken, &onwards = ways.onwards;
        const LaneMask taken = step_.active;
        const std::optional<LaneMask> path =
            instruction_.guard.present ? pathMask(module_, trace_, at_) : std::optional(taken);
        if (path && taken.empty())
            return {fmt::format("None of {}'s {} takes the branch: they fall through to {}.", lower(name_.en),
                                counted(u64(path->count()), "lane"), onwards.en),
                    fmt::format("{}的 {} 个通道都不跳转，从{}继续。", name_.zh, path->count(), onwards.zh)};
        if (!path || *path == taken) {
            const Text lanes = lanesOf(u32(taken.count()), lanesOfWarp_);
            return {fmt::format("{}: {} {} {}.", name_.en, lanes.en, back ? "loop back to" : "jump to",
                                target.en),
                    fmt::format("{}：{}{}{}。", name_.zh, lanes.zh, back ? "再循环一次，回到" : "跳转到",
                                target.zh)};
        }
        const u32 others = u32((*path & ~taken).count());
        if (back)
            return {fmt::format("{} diverges: {} {} back to {}, {} {} the loop and {}.", name_.en,
                                counted(u64(taken.count()), "lane"), taken.count() == 1 ? "loops" : "loop",
                                target.en, others, others == 1 ? "leaves" : "leave",
                                others == 1 ? "waits" : "wait"),
                    fmt::format("{}发生分化：{} 个通道回到{}再循环一次，{} 个离开循环并等待。", name_.zh,
                                taken.count(), target.zh, others)};
        const Pc meet = module_.reconvergence(step_.pc);
        if (target.en == onwards.en && meet != kNoPc && ways.meeting.en == target.en)
            return {fmt::format("{} diverges: {} {} part of {}, {} {} it; they reconverge there.", name_.en,
                                counted(u64(taken.count()), "lane"), taken.count() == 1 ? "skips" : "skip",
                                target.en, others, others == 1 ? "executes" : "execute"),
                    fmt::format("{}发生分化：{} 个通道跳过{}的一部分，{} 个执行它；随后在该行重新汇合。",
                                name_.zh, taken.count(), target.zh, others)};
        const Text meeting = meet == kNoPc ? Text{"they do not reconverge before the end", "到结束前不再汇合"}
                                           : Text{"they reconverge at " + ways.meeting.en,
                                                  "它们在" + ways.meeting.zh + "重新汇合"};
        return {fmt::format("{} diverges: {} {} the branch to {}, {} {} through to {}; {}.", name_.en,
                            counted(u64(taken.count()), "lane"), taken.count() == 1 ? "takes" : "take",
                            target.en, others, others == 1 ? "falls" : "fall", onwards.en, meeting.en),
                fmt::format("{}发生分化：{} 个通道跳转到{}，{} 个从{}继续；{}。", name_.zh, taken.count(),
                            target.zh, others, onwards.zh, meeting.zh)};
    }

    struct Ways {
        Text taken, onwards, meeting;
    };
    Ways waysFrom(Pc next, Pc target) const {
        const BranchLines lines = branchLines(step_.pc, target, module_);
        const auto named = [&](std::optional<u32> line, Pc pc) {
            return line ? Text{fmt::format("line {}", *line), fmt::format("第 {} 行", *line)}
                        : lineOf(pc, module_);
        };
        return {named(lines.taken, target), named(lines.onwards, next),
                named(lines.meeting, module_.reconvergence(step_.pc))};
    }

    Text barrier() const {
        const u32 phase = trace_.phaseOf(at_);
        return {fmt::format("{} waits at __syncthreads() until all warps of the block have arrived: barrier "
                            "interval {} ends.",
                            name_.en, phase),
                fmt::format("{}在 __syncthreads() 处等待线程块的所有线程束到齐：屏障区间 {} 结束。", name_.zh,
                            phase)};
    }

    Text ends() const {
        const u32 active = u32(step_.active.count());
        if (active == lanesOfWarp_) return {name_.en + " ends.", name_.zh + "结束。"};
        return {fmt::format("{} of {} end here.", counted(active, "lane"), lower(name_.en)),
                fmt::format("{}有 {} 个通道在此结束。", name_.zh, active)};
    }

    Text parameter() const {
        const Text lanes = lanesOf(u32(step_.active.count()), lanesOfWarp_);
        return {fmt::format("{} reads a parameter of the kernel in {}.", name_.en, lanes.en),
                fmt::format("{}在{}上读取一个核函数参数。", name_.zh, lanes.zh)};
    }

    // mov.u32 %r1, %tid.x: where most index arithmetic begins.
    Text specialRegister(const ptx::SpecialOperand& source) const {
        const Text lanes = lanesOf(u32(step_.active.count()), lanesOfWarp_);
        return {fmt::format("{} reads {} in {}.", name_.en, ptx::nameOf(source.special), lanes.en),
                fmt::format("{}在{}上读取 {}。", name_.zh, lanes.zh, ptx::nameOf(source.special))};
    }

    Text plain() const {
        const Text lanes = lanesOf(u32(step_.active.count()), lanesOfWarp_),
                   summary = opcodeSummary(instruction_);
        const std::optional<LaneMask> path = pathMask(module_, trace_, at_);
        const bool guarded = instruction_.guard.present && path && *path != step_.active;
        const int off = guarded ? (*path & ~step_.active).count() : 0;
        const Text why = guarded
                             ? Text{fmt::format("its condition is false in {}", counted(u64(off), "lane")),
                                    fmt::format("{} 个通道的条件为假", off)}
                             : Text{};
        const std::string_view name = instruction_.name;
        // What is computed before what PTX calls it.
        if (summary.en.starts_with("d = ") || summary.en.starts_with("p = "))
            return {fmt::format("{} computes {} in {} ({}{}{}).", name_.en, summary.en, lanes.en, name,
                                guarded ? "; " : "", why.en),
                    fmt::format("{}在{}上计算 {}（{}{}{}）。", name_.zh, lanes.zh, summary.zh, name,
                                guarded ? "；" : "", why.zh)};
        const bool known = !summary.en.empty();
        return {fmt::format("{} executes {} in {}{}{}{}.", name_.en, name, lanes.en,
                            guarded ? " (" + why.en + ")" : "", known ? ": " : "", summary.en),
                fmt::format("{}在{}上执行 {}{}{}{}。", name_.zh, lanes.zh, name,
                            guarded ? "（" + why.zh + "）" : "", known ? "：" : "", summary.zh)};
    }

    std::span<const ptx::Operand> operands() const { return module_.operandsOf(instruction_); }
    static std::string lower(std::string text) {
        if (!text.empty()) text[0] = char(text[0] - 'A' + 'a');
        return text;
    }

    const ptx::Module& module_;
    const trace::Recording& recording_;
    const trace::WarpTrace& trace_;
    u32 at_;
    const Step& step_;
    const ptx::Instruction& instruction_;
    Text name_;
    const Profile& profile_;
    std::span<const ArrayShape> shapes_;
    u32 lanesOfWarp_ = kWarpSize;
};

}  // namespace

Text sentenceAt(const ptx::Module& module, const trace::Recording& recording, const trace::FocusBlock& block,
                Warp warp, u32 step, const Profile& profile, std::span<const ArrayShape> shapes) {
    if (warp.value >= block.warps.size() || step >= block.warps[warp.value].steps.size()) return {};
    if (block.warps[warp.value].steps[step].pc.value >= module.instructions.size()) return {};
    Text text = StepSentence(module, recording, block, warp, step, profile, shapes).text();
    text.zh = spaced(text.zh);
    return text;
}

std::optional<LaneMask> pathMask(const ptx::Module& module, const trace::WarpTrace& warp, u32 step) {
    const Pc pc = warp.steps[step].pc;
    const auto unguarded = [&](u32 at) { return !module.at(warp.steps[at].pc).guard.present; };
    if (unguarded(step)) return warp.steps[step].active;
    const ptx::Function& function = module.functions[module.functionOf(pc).value];
    const ptx::BasicBlock& block = function.blocks[function.blockOf(pc)];
    // A straight run is executed without a change of lanes: its unguarded instructions show them.
    for (u32 back = 1; back <= step && pc.value - back + 1 > block.first.value; ++back) {
        if (warp.steps[step - back].pc.value != pc.value - back) break;
        if (unguarded(step - back)) return warp.steps[step - back].active;
    }
    for (u32 on = 1; step + on < warp.steps.size() && pc.value + on < block.end.value; ++on) {
        if (warp.steps[step + on].pc.value != pc.value + on) break;
        if (unguarded(step + on)) return warp.steps[step + on].active;
    }
    return std::nullopt;
}

}  // namespace lockstep::model
