#include "explain/sentences/sentence.h"

#include "base/device_addresses.h"
#include "base/text/counted.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/sentences/shuffle_sentence.h"
#include "explain/sentences/words.h"
#include "explain/source/source_expression.h"
#include "model/branches/branch_lines.h"
#include "model/report.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using trace::Space;
using trace::Step;

// "all 32 lanes", "20 of 32 lanes"
Message lanesOf(u32 active, u32 lanesOfWarp) {
    if (active == lanesOfWarp && lanesOfWarp == 1) return english("its one lane");
    if (active == lanesOfWarp) return Message(english("all {0} {0:lane|lanes}"), active);
    return Message(english("{0} of {1} {1:lane|lanes}"), active, lanesOfWarp);
}

Message lineText(u32 line) { return Message(english("line {0}"), std::to_string(line)); }

Message lineOf(Pc pc, const ptx::Module& module) {
    const model::SourceLine source = model::sourceLineOf(pc, module);
    if (source.line) return lineText(source.line);
    if (pc.value >= module.instructions.size()) return english("the end");
    return Message(english("line {0} of the PTX"), module.at(pc).line);
}

class StepSentence {
public:
    StepSentence(const ptx::Module& module, const trace::Recording& recording, const trace::FocusBlock& block,
                 Warp warp, u32 step, const model::Profile& profile, std::span<const ArrayShape> shapes)
        : module_(module),
          recording_(recording),
          trace_(block.warps[warp.value]),
          at_(step),
          step_(trace_.steps[step]),
          instruction_(module.at(step_.pc)),
          name_(english("Warp {0}"), warp.value),
          within_(english("warp {0}"), warp.value),
          profile_(profile),
          shapes_(shapes) {
        const u64 before = u64{warp.value} * kWarpSize;
        lanesOfWarp_ =
            block.threads > before ? u32(std::min<u64>(block.threads - before, kWarpSize)) : kWarpSize;
    }

    Message text() const {
        if (step_.access < trace_.accesses.size())
            return access(trace_.unpack(trace_.accesses[step_.access]));
        const std::string_view form = instruction_.form;
        if (form.starts_with("bra")) return branch();
        if (form.starts_with("bar.warp"))
            return Message(english("{0} synchronizes at __syncwarp(): its lanes continue together."), name_);
        if (form.starts_with("bar.arrive"))
            return Message(english("{0} arrives at a named barrier and continues without waiting."), name_);
        if (form.starts_with("bar")) return barrier();
        if (form.starts_with("shfl")) return shuffleSentence(module_, step_.pc, step_.active, name_, lanes());
        if (form.starts_with("ret") || form.starts_with("exit")) return ends();
        if (instruction_.modifiers.space == ptx::StateSpace::Param && form.starts_with("ld"))
            return parameter();
        if (operands().size() == 2)
            if (const auto* special = std::get_if<ptx::SpecialOperand>(&operands()[1]))
                return specialRegister(*special);
        return plain();
    }

private:
    Message access(const trace::WarpAccess& access) const {
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
        if (access.space == Space::Global)
            return withThoseOutside(globalSentence(access, profile_, words), access);
        if (access.space == Space::Shared) {
            const model::SharedAtomicForm form =
                model::sharedAtomicForm(instruction_, module_.operandsOf(instruction_), access.kind);
            return sharedSentence(access, profile_, words, form);
        }
        const Words where = access.space == Space::Local      ? english("each thread's own local memory")
                            : access.space == Space::Constant ? english("constant memory")
                                                              : english("the kernel's parameters");
        return Message(english("{0} {1} {2} {2:byte|bytes} per lane of {3} in {4}."), name_,
                       verb(access.kind), access.widthBytes, where,
                       lanesOf(u32(access.active.count()), lanesOfWarp_));
    }

    // Lanes that are out of bounds, where that was found.
    Message withThoseOutside(const Message& sentence, const trace::WarpAccess& access) const {
        const bool isFound = std::ranges::any_of(recording_.findings, [&](const trace::Finding& finding) {
            return finding.kind == trace::FindingKind::OutOfBounds && finding.who.pc == access.pc;
        });
        if (!isFound) return sentence;
        u32 outside = 0;
        const Buffer* of = nullptr;
        for (Lane lane : access.active) {
            const u64 address = access.addresses[lane.value];
            const std::optional<u32> slot = bufferOfAddress(address);
            if (!slot || *slot >= recording_.initial.size()) continue;
            const Buffer& buffer = recording_.initial[*slot];
            const u64 offset = address - deviceAddressOf(*slot);  // before it: larger than any
            if (offset < buffer.bytes.size() && offset + access.widthBytes <= buffer.bytes.size()) continue;
            ++outside;
            of = &buffer;
        }
        if (!of) return sentence;
        return Message(english("{0} {1}"), sentence,
                       Message(english("In {0} {0:lane|lanes} the access is out of bounds: {1} has {2} "
                                       "{2:element|elements}."),
                               outside, of->name, grouped(of->bytes.size() / info(of->type).bytes)));
    }

    Message branch() const {
        const auto* label =
            operands().empty() ? nullptr : std::get_if<ptx::LabelOperand>(&operands().front());
        const Pc next{step_.pc.value + 1};
        if (!label) return plain();
        const bool back = label->target <= step_.pc;
        const Ways ways = waysFrom(next, label->target);
        const Message &target = ways.taken, &onwards = ways.onwards;
        const LaneMask taken = step_.active;
        const std::optional<LaneMask> path =
            instruction_.guard.present ? pathMask(module_, trace_, at_) : std::optional(taken);
        if (path && taken.empty())
            return Message(
                english("None of {0}'s {1} {1:lane|lanes} takes the branch: they fall through to {2}."),
                within_, path->count(), onwards);
        if (!path || *path == taken)
            return Message(back ? english("{0}: {1} loop back to {2}.") : english("{0}: {1} branch to {2}."),
                           name_, lanes(), target);
        const u32 others = u32((*path & ~taken).count());
        const Message own = lineOf(step_.pc, module_);
        if (back)
            return Message(english("{0} diverges at {4}: {1} {1:lane loops|lanes loop} back to {2}, {3} "
                                   "{3:leaves|leave} the loop and {3:waits|wait}."),
                           name_, taken.count(), target, others, own);
        if (model::endsEveryThread(module_, label->target))
            return Message(
                english("{0} diverges at {5}: {1} {1:lane branches|lanes branch} to the exit ({2}), {3} "
                        "{3:falls|fall} through to {4}; they do not reconverge."),
                name_, taken.count(), target, others, onwards, own);
        const Pc meet = model::reconvergenceBeforeTheEnd(module_, step_.pc);
        if (target == onwards && meet != kNoPc && ways.meeting == target)
            return Message(english("{0} diverges at {4}: {1} {1:lane skips|lanes skip} part of {2}, {3} "
                                   "{3:executes|execute} it; they reconverge there."),
                           name_, taken.count(), target, others, own);
        if (meet != kNoPc && ways.meeting == target && target == lineOf(step_.pc, module_))
            return Message(
                english("{0} diverges at {2}: {1} {1:lane takes|lanes take} the branch to a later part of "
                        "{2}, {3} {3:falls|fall} through to {4}; they reconverge in that part."),
                name_, taken.count(), target, others, onwards);
        return Message(
            meet == kNoPc
                ? english("{0} diverges at {6}: {1} {1:lane takes|lanes take} the branch to {2}, {3} "
                          "{3:falls|fall} through to {4}; they do not reconverge before the end.")
                : english("{0} diverges at {6}: {1} {1:lane takes|lanes take} the branch to {2}, {3} "
                          "{3:falls|fall} through to {4}; they reconverge at {5}."),
            name_, taken.count(), target, others, onwards, ways.meeting, own);
    }

    struct Ways {
        Message taken, onwards, meeting;
    };
    Ways waysFrom(Pc next, Pc target) const {
        const model::BranchLines lines = model::branchLines(step_.pc, target, module_);
        const auto named = [&](std::optional<u32> line, Pc pc) {
            return line ? lineText(*line) : lineOf(pc, module_);
        };
        return {named(lines.taken, target), named(lines.onwards, next),
                named(lines.meeting, module_.reconvergence(step_.pc))};
    }

    Message barrier() const {
        if (const u32 active = u32(step_.active.count()); active < lanesOfWarp_)
            return Message(
                english("{0} {0:lane|lanes} of {1} {0:waits|wait} at __syncthreads(), which the others do "
                        "not reach; the emulator lets {0:it|them} pass, and barrier interval {2} ends."),
                active, within_, trace_.phaseOf(at_));
        return Message(english("{0} waits at __syncthreads() until all warps of the block have arrived: "
                               "barrier interval {1} ends."),
                       name_, trace_.phaseOf(at_));
    }

    Message ends() const {
        const u32 active = u32(step_.active.count());
        if (!module_.functions[module_.functionOf(step_.pc).value].isEntry && instruction_.form == "ret")
            return Message(english("{0} returns to the caller in {1}."), name_, lanes());
        if (active == lanesOfWarp_) return Message(english("{0} exits."), name_);
        return Message(english("{0} {0:lane|lanes} of {1} {0:exits|exit} here."), active, within_);
    }

    Message parameter() const {
        return Message(english("{0} reads a kernel parameter in {1}."), name_, lanes());
    }

    // mov.u32 %r1, %tid.x: where most index arithmetic begins.
    Message specialRegister(const ptx::SpecialOperand& source) const {
        return Message(english("{0} reads {1} in {2}."), name_, ptx::nameOf(source.special), lanes());
    }

    Message plain() const {
        Message summary = opcodeSummary(instruction_);
        const std::optional<LaneMask> path = pathMask(module_, trace_, at_);
        const bool guarded = instruction_.guard.present && path && *path != step_.active;
        const int off = guarded ? (*path & ~step_.active).count() : 0;
        const std::string_view name = instruction_.name;
        if (isOfOperands(summary) && !sourceExpression(module_, step_.pc))
            return Message(guarded ? english("{0} executes {1} ({2}) in {3}, for {4}; predicated off in {5} "
                                             "{5:lane|lanes}.")
                                   : english("{0} executes {1} ({2}) in {3}, for {4}."),
                           name_, name, summary, lanes(), lineOf(step_.pc, module_), off);
        if (const std::optional<Message> verb = doing(summary))
            return Message(guarded ? english("{0} {1} in {2} ({3}; predicated off in {4} {4:lane|lanes}).")
                                   : english("{0} {1} in {2} ({3})."),
                           name_, *verb, lanes(), name, off);
        if (summary.empty())
            return Message(guarded
                               ? english("{0} executes {1} in {2} (predicated off in {3} {3:lane|lanes}).")
                               : english("{0} executes {1} in {2}."),
                           name_, name, lanes(), off);
        return Message(guarded
                           ? english("{0} executes {1} in {2} (predicated off in {4} {4:lane|lanes}): {3}.")
                           : english("{0} executes {1} in {2}: {3}."),
                       name_, name, lanes(), summary, off);
    }

    // Of the instruction's operands, as PTX's manual names them: the source knows no a and b.
    static bool isOfOperands(const Message& summary) {
        const std::string does = summary.english();
        return does.starts_with("d = ") || does.starts_with("p = ") || does.starts_with("copies ");
    }
    // Computes, evaluates, converts: what is done, before what PTX calls it.
    std::optional<Message> doing(const Message& summary) const {
        if (const std::optional<std::string> expression = sourceExpression(module_, step_.pc))
            return Message(
                instruction_.form.starts_with("setp") ? english("evaluates {0}") : english("computes {0}"),
                *expression);
        return summary.english().starts_with("converts ") ? std::optional(summary) : std::nullopt;
    }

    Message lanes() const { return lanesOf(u32(step_.active.count()), lanesOfWarp_); }
    std::span<const ptx::Operand> operands() const { return module_.operandsOf(instruction_); }

    const ptx::Module& module_;
    const trace::Recording& recording_;
    const trace::WarpTrace& trace_;
    u32 at_;
    const Step& step_;
    const ptx::Instruction& instruction_;
    Message name_, within_;  // at the beginning of a sentence, within one
    const model::Profile& profile_;
    std::span<const ArrayShape> shapes_;
    u32 lanesOfWarp_ = kWarpSize;
};

}  // namespace

Message sentenceAt(const ptx::Module& module, const trace::Recording& recording,
                   const trace::FocusBlock& block, Warp warp, u32 step, const model::Profile& profile,
                   std::span<const ArrayShape> shapes) {
    if (warp.value >= block.warps.size() || step >= block.warps[warp.value].steps.size()) return {};
    if (block.warps[warp.value].steps[step].pc.value >= module.instructions.size()) return {};
    return StepSentence(module, recording, block, warp, step, profile, shapes).text();
}

}  // namespace lockstep::explain
