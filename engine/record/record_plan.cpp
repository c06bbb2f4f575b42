#include "record/record_plan.h"

#include "ptx/analysis/shared_layout.h"

#include <algorithm>
#include <map>

namespace lockstep::record {

using ptx::StateSpace;
using trace::AccessKind;

namespace {

constexpr u32 kHeaderWords = 3;
constexpr u32 kMostGuards = 32;    // bits of a word
constexpr u32 kMostAccesses = 32;  // so that the clock is read regularly

bool hasPart(std::string_view form, std::string_view part) {
    for (std::size_t at = form.find(part); at != std::string_view::npos; at = form.find(part, at + 1))
        if (at > 0 && form[at - 1] == '.' &&
            (at + part.size() == form.size() || form[at + part.size()] == '.'))
            return true;
    return false;
}
bool hasAnyPart(std::string_view form, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return hasPart(form, part); });
}

std::string_view opcodeOf(const ptx::Instruction& instruction) {
    return ptx::opcodeTable()[instruction.opcode].name;
}
ptx::OpcodeClass classOf(const ptx::Instruction& instruction) {
    return ptx::opcodeTable()[instruction.opcode].opcodeClass;
}

enum class Role : u8 { Plain, Load, Store, Atomic, Reduction, AsyncCopy, Refused };

// An instruction's visible effect on memory.
Role roleOf(const ptx::Instruction& instruction) {
    const std::string_view opcode = opcodeOf(instruction), form = instruction.form;
    if (opcode == "ld" || opcode == "ldu")
        return instruction.modifiers.space == StateSpace::Param ? Role::Plain : Role::Load;
    if (opcode == "st" && !hasAnyPart(form, {"async", "bulk"}))
        return instruction.modifiers.space == StateSpace::Param ? Role::Plain : Role::Store;
    if (opcode == "atom") return Role::Atomic;
    if (opcode == "red" && !hasPart(form, "async")) return Role::Reduction;
    if (opcode == "cp") {
        if (hasAnyPart(form, {"bulk", "reduce"})) return Role::Refused;
        if (hasAnyPart(form, {"commit_group", "wait_group", "wait_all", "mbarrier"})) return Role::Plain;
        return Role::AsyncCopy;
    }
    constexpr std::string_view kHarmless[] = {"applypriority", "discard", "prefetch", "prefetchu"};
    if (std::ranges::find(kHarmless, opcode) != std::end(kHarmless)) return Role::Plain;
    if (classOf(instruction) == ptx::OpcodeClass::Memory || opcode == "red" || opcode == "tcgen05" ||
        opcode == "wgmma" || (opcode == "wmma" && hasAnyPart(form, {"load", "store"})))
        return Role::Refused;
    return Role::Plain;
}

bool names(const ptx::Operand& operand, ptx::RegisterId id) {
    if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand)) return r->id == id;
    if (const auto* pair = std::get_if<ptx::PairOperand>(&operand))
        return pair->value == id || pair->predicate == id;
    if (const auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
        const auto* base = std::get_if<ptx::RegisterId>(&address->base);
        return base && *base == id;
    }
    if (const auto* list = std::get_if<ptx::VectorOperand>(&operand))
        return std::ranges::any_of(list->elements,
                                   [&](const ptx::Operand& element) { return names(element, id); });
    return false;
}

bool endsThread(const ptx::Instruction& instruction) {
    return (opcodeOf(instruction) == "ret" || opcodeOf(instruction) == "exit") && !instruction.guard.present;
}

bool reads(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id);

class Planner {
public:
    Planner(const ptx::Module& module, const ptx::Function& entry, bool values) : module_(module) {
        plan_.entry = entry.name;
        plan_.values = values;
        plan_.functions = ptx::reachableFunctions(module, entry);
    }

    Expected<RecordPlan> plan() {
        for (ptx::FunctionId id : plan_.functions) {
            function_ = &module_.functions[id.value];
            if (auto done = planFunction(); !done) return Unexpected(done.error());
        }
        std::ranges::sort(plan_.segments, {}, &Segment::first);
        const std::vector<bool> used = ptx::usedVariables(module_, plan_.functions);
        for (u32 id = 0; id < used.size(); ++id)
            if (used[id] && module_.variables[id].space != StateSpace::Param)
                plan_.symbols.push_back(ptx::VariableId{id});
        return std::move(plan_);
    }

private:
    Expected<void> planFunction() {
        for (const ptx::BasicBlock& block : function_->blocks) {
            if (block.first == block.end) continue;
            begin(block.first);
            segment_.onlyEnds = endsThread(module_.at(block.first));
            for (u32 pc = block.first.value; pc < block.end.value; ++pc) {
                if (auto done = add(Pc{pc}); !done) return done;
                if (pc + 1 < block.end.value && endsBehind(module_.at(Pc{pc}))) {
                    finish(Pc{pc + 1});
                    begin(Pc{pc + 1});
                }
            }
            finish(block.end);
        }
        return {};
    }

    void begin(Pc first) {
        segment_ = {.first = first,
                    .end = first,
                    .words = kHeaderWords,
                    .guardWord = kNoWord,
                    .onlyEnds = false,
                    .accesses = {}};
        guards_ = 0;
        known_.clear();
    }
    void finish(Pc end) {
        segment_.end = end;
        plan_.longestSegment = std::max(plan_.longestSegment, segment_.words);
        plan_.segments.push_back(std::move(segment_));
    }
    // Other lanes may join after it, or it is time to read the clock.
    bool endsBehind(const ptx::Instruction& instruction) const {
        return classOf(instruction) == ptx::OpcodeClass::Barrier ||
               classOf(instruction) == ptx::OpcodeClass::Warp || guards_ == kMostGuards ||
               callsInto(module_, instruction) || segment_.accesses.size() >= kMostAccesses;
    }
    u32 take(u32 words) {
        const u32 at = segment_.words;
        segment_.words += words;
        return at;
    }

    // An atomic whose result is unused is a reduction, for ptxas too.
    bool isResultUnused(const ptx::Operand& result) const {
        const auto* list = std::get_if<ptx::VectorOperand>(&result);
        const std::span<const ptx::Operand> elements =
            list ? std::span<const ptx::Operand>(list->elements) : std::span(&result, 1);
        return std::ranges::none_of(elements, [&](const ptx::Operand& element) {
            const auto* r = std::get_if<ptx::RegisterOperand>(&element);
            if (!r) return false;
            for (u32 pc = function_->first.value; pc < function_->end.value; ++pc)
                if (reads(module_, module_.at(Pc{pc}), r->id)) return true;
            return false;
        });
    }

    Expected<void> refuse(Pc pc, const Words& why) const {
        const ptx::Location& location = module_.locationOf(pc);
        Fault fault;
        fault.kind = FaultKind::Unsupported;
        fault.message =
            Message(english("\"{0}\" {1}: what the kernel does can be recorded on the emulator alone"),
                    module_.at(pc).name, why);
        fault.place.file = location.line ? module_.files[location.file] : module_.name;
        fault.place.line = location.line ? location.line : module_.at(pc).line;
        fault.pc = pc;
        return Unexpected{std::move(fault)};
    }

    Expected<void> add(Pc pc) {
        const ptx::Instruction& instruction = module_.at(pc);
        if (instruction.guard.present && guards_++ == 0) segment_.guardWord = take(1);
        const Role role = roleOf(instruction);
        if (role == Role::Refused)
            return refuse(pc, english("accesses memory in a way that is not recorded on a GPU"));
        if (opcodeOf(instruction) == "call") {
            if (const std::optional<Words> mistake = mistakeInCall(instruction)) return refuse(pc, *mistake);
            known_.clear();
            return {};
        }
        if (role != Role::Plain)
            if (auto done = addAccess(pc, instruction, role); !done) return done;
        std::erase_if(known_, [&](const auto& entry) {
            return writes(module_, instruction, ptx::RegisterId{entry.first.first});
        });
        return {};
    }

    std::optional<Words> mistakeInCall(const ptx::Instruction& instruction) const {
        const ptx::FunctionOperand* callee = nullptr;
        for (const ptx::Operand& operand : module_.operandsOf(instruction)) {
            // Results and arguments are lists: a single register is the callee's address, the function after
            // it its prototype.
            if (std::holds_alternative<ptx::RegisterOperand>(operand))
                return english("calls a function by its address, and that is not recorded on a GPU");
            if (const auto* function = std::get_if<ptx::FunctionOperand>(&operand)) callee = function;
        }
        if (!callee || module_.functions[callee->id.value].isDeclaration) return std::nullopt;
        const bool hasOwn = std::ranges::any_of(module_.variables, [&](const ptx::Variable& v) {
            return v.function == callee->id && v.space != StateSpace::Param;
        });
        if (!hasOwn) return std::nullopt;
        return english("calls a function with arrays of its own, and that is not recorded on a GPU");
    }

    Expected<void> addAccess(Pc pc, const ptx::Instruction& instruction, Role role) {
        const std::span<const ptx::Operand> operands = module_.operandsOf(instruction);
        PlannedAccess access;
        access.pc = pc;
        if (role == Role::AsyncCopy) {
            const auto* size =
                operands.size() >= 3 ? std::get_if<ptx::ImmediateOperand>(&operands[2]) : nullptr;
            if (!size || size->bits > 16)
                return refuse(pc, english("is a copy that is not recorded on a GPU"));
            access.kind = AccessKind::AsyncCopy;
            access.elementBytes = 4;
            access.elements = u8(size->bits / 4);
            access.address = addressOf(operands[1], StateSpace::Global);
            access.sharedAddress = addressOf(operands[0], StateSpace::Shared);
            if (operands.size() >= 4) {
                PlannedValue bytes;
                if (const auto* constant = std::get_if<ptx::ImmediateOperand>(&operands[3]))
                    bytes.constant = constant->bits;
                else if (const auto* r = std::get_if<ptx::RegisterOperand>(&operands[3]);
                         r && function_->registers[r->id.value].type != ptx::Type::Pred)
                    bytes.word = take(1);
                else
                    return refuse(pc, english("is a copy that is not recorded on a GPU"));
                access.sourceBytes = bytes;
            }
            if (plan_.values)
                for (u32 i = 0; i < access.elements; ++i)
                    access.values.push_back({.word = take(1)});
            segment_.accesses.push_back(std::move(access));
            return {};
        }
        access.space = instruction.modifiers.space == StateSpace::None ? StateSpace::Generic
                                                                       : instruction.modifiers.space;
        access.elementBytes = u8(ptx::bytesOf(instruction.types[0]));
        access.elements = instruction.modifiers.vector;
        if (!access.elementBytes || access.elementBytes > 8 || access.widthBytes() > 32)
            return refuse(pc, english("has values that are not recorded on a GPU"));
        constexpr AccessKind kKinds[] = {AccessKind::Load, AccessKind::Load, AccessKind::Store,
                                         AccessKind::Atomic, AccessKind::Reduction};
        access.kind = kKinds[u32(role)];
        if (role == Role::Atomic && isResultUnused(operands[0])) access.kind = AccessKind::Reduction;
        const bool addressFirst = role == Role::Store || role == Role::Reduction;
        access.address = addressOf(operands[addressFirst ? 0 : 1], access.space);
        if (plan_.values) {
            const ptx::Operand& value = valueOperand(access.kind, addressFirst, operands);
            const auto* list = std::get_if<ptx::VectorOperand>(&value);
            for (u32 i = 0; i < access.elements; ++i) {
                const ptx::Operand& element = list ? list->elements[i] : value;
                PlannedValue planned;
                if (std::holds_alternative<ptx::RegisterOperand>(element))
                    planned.word = take(access.elementBytes > 4 ? 2 : 1);
                else if (const auto* constant = std::get_if<ptx::ImmediateOperand>(&element))
                    planned.constant = constant->bits;
                else if (!std::holds_alternative<ptx::DiscardOperand>(element))
                    return refuse(pc, english("has values that are not recorded on a GPU"));
                access.values.push_back(planned);
            }
        }
        segment_.accesses.push_back(std::move(access));
        return {};
    }

    PlannedAddress addressOf(const ptx::Operand& operand, StateSpace space) {
        PlannedAddress planned;
        ptx::AddressOperand address;
        if (const auto* a = std::get_if<ptx::AddressOperand>(&operand))
            address = *a;
        else if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand))
            address.base = r->id;
        planned.offsetBytes = address.offsetBytes;
        if (const auto* variable = std::get_if<ptx::VariableId>(&address.base)) {
            planned.variable = *variable;
        } else if (const auto* base = std::get_if<ptx::RegisterId>(&address.base)) {
            planned.wide = space == StateSpace::Global || space == StateSpace::Generic;
            const auto [entry, isNew] = known_.try_emplace({base->value, planned.wide}, kNoWord);
            if (isNew) entry->second = take(planned.wide ? 2 : 1);
            planned.word = entry->second;
        }
        return planned;
    }

    const ptx::Module& module_;
    const ptx::Function* function_ = nullptr;
    RecordPlan plan_;
    Segment segment_;
    u32 guards_ = 0;
    std::map<std::pair<u32, bool>, u32> known_;  // register, wide -> its word, as long as it is not written
};

bool reads(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id) {
    const std::span<const ptx::Operand> operands = module.operandsOf(instruction);
    const bool writesFirst = !operands.empty() && !std::holds_alternative<ptx::AddressOperand>(operands[0]) &&
                             classOf(instruction) != ptx::OpcodeClass::Barrier &&
                             classOf(instruction) != ptx::OpcodeClass::Control;
    return (instruction.guard.present && instruction.guard.predicate == id) ||
           std::ranges::any_of(operands.subspan(writesFirst),
                               [&](const ptx::Operand& operand) { return names(operand, id); });
}

}  // namespace

const ptx::Operand& valueOperand(AccessKind kind, bool addressFirst, std::span<const ptx::Operand> operands) {
    if (addressFirst) return operands[1];
    return operands[kind == AccessKind::Reduction ? 2 : 0];
}

bool callsInto(const ptx::Module& module, const ptx::Instruction& instruction) {
    return opcodeOf(instruction) == "call" &&
           std::ranges::any_of(module.operandsOf(instruction), [&](const ptx::Operand& operand) {
               const auto* callee = std::get_if<ptx::FunctionOperand>(&operand);
               return callee && !module.functions[callee->id.value].isDeclaration;
           });
}

bool standsInText(const ptx::Module& module, Pc pc) {
    const std::string_view text = module.text(), instruction = module.textOf(pc);
    return std::less_equal<>()(text.data(), instruction.data()) &&
           std::less_equal<>()(instruction.data() + instruction.size(), text.data() + text.size());
}

bool writes(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id) {
    const std::span<const ptx::Operand> operands = module.operandsOf(instruction);
    return !operands.empty() && !std::holds_alternative<ptx::AddressOperand>(operands[0]) &&
           names(operands[0], id);
}

bool touches(const ptx::Module& module, const ptx::Instruction& instruction, ptx::RegisterId id) {
    return (instruction.guard.present && instruction.guard.predicate == id) ||
           std::ranges::any_of(module.operandsOf(instruction),
                               [&](const ptx::Operand& operand) { return names(operand, id); });
}

Expected<RecordPlan> planRecord(const ptx::Module& module, std::string_view entry, bool values) {
    const ptx::Function* function = module.findEntry(entry);
    if (!function)
        return fail(FaultKind::NotFound, Message(english("there is no kernel \"{0}\" to record"), entry));
    return Planner(module, *function, values).plan();
}

}  // namespace lockstep::record
