#include "run/sample/block_likeness.h"

#include "ptx/analysis/register_uses.h"
#include "run/sample/linear_value.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace lockstep::run {
namespace {

using Kind = LinearValue::Kind;
using ptx::Instruction;
using ptx::OpcodeClass;
using ptx::Operand;
using ptx::StateSpace;
using trace::Unproved;

// Ranges of values that change in loops grow without end: after so many rounds they are unbounded.
constexpr u32 kRoundsUntilUnbounded = 4;
// Addresses that jump where an index overflows: valid ones differ by less (block_likeness.h).
constexpr s64 kMostBytes = s64{1} << 31;

LinearValue unsettled(LinearValue value) {
    if (value.isNumber()) value.rest = {};
    return value;
}

class Follower {
public:
    Follower(const ptx::Module& module, const ptx::Function& entry, const Launch& launch,
             const trace::SampleBox& box, std::span<const Buffer> buffers)
        : module_(module), entry_(entry), launch_(launch), before_(entry.blocks.size()) {
        positions_.first = {box.first.x, box.first.y, box.first.z};
        positions_.last = {box.last.x, box.last.y, box.last.z};
        for (const Buffer& buffer : buffers)
            buffersAreSmall_ &= s64(buffer.bytes.size()) < kMostBytes;
    }

    Likeness follow() {
        for (u32 pc = entry_.first.value; pc < entry_.end.value; ++pc)
            if (opcodeOf(module_.at(Pc{pc})) == "call") return {Unproved::CallsFunctions, Pc{pc}};
        // Registers that are read before they are written hold 0.
        before_[0].assign(entry_.registers.size(), sameValue(Range::of(0)));
        for (changed_ = true; changed_; ++round_) {
            changed_ = false;
            for (u32 block = 0; block < entry_.blocks.size(); ++block)
                passThrough(block);
        }
        Likeness likeness;
        likeness.shifts.resize(module_.instructions.size());
        for (u32 block = 0; block < entry_.blocks.size(); ++block) {
            if (before_[block].empty()) continue;  // never reached
            registers_ = before_[block];
            for (u32 pc = entry_.blocks[block].first.value; pc < entry_.blocks[block].end.value; ++pc) {
                if (const Unproved why = judge(module_.at(Pc{pc})); why != Unproved::Nothing)
                    return {why, Pc{pc}};
                likeness.shifts[pc] = shiftOf(module_.at(Pc{pc}));
                step(module_.at(Pc{pc}));
            }
        }
        return likeness;
    }

private:
    // From what is known before a basic block to what is known before its successors.
    void passThrough(u32 block) {
        if (before_[block].empty()) return;
        registers_ = before_[block];
        for (u32 pc = entry_.blocks[block].first.value; pc < entry_.blocks[block].end.value; ++pc)
            step(module_.at(Pc{pc}));
        for (const u32 successor : entry_.blocks[block].successors)
            mergeInto(before_[successor]);
    }

    void mergeInto(std::vector<LinearValue>& known) {
        if (known.empty()) {
            known = registers_;
            changed_ = true;
            return;
        }
        for (std::size_t i = 0; i < known.size(); ++i) {
            LinearValue now = joined(known[i], registers_[i]);
            if (now == known[i]) continue;
            if (round_ >= kRoundsUntilUnbounded) now = unsettled(now);
            if (now == known[i]) continue;
            known[i] = now;
            changed_ = true;
        }
    }

    // SampleBox::shifts. An instruction that copies from one space to another has the source last.
    std::array<u8, 3> shiftOf(const Instruction& instruction) const {
        std::array<u8, 3> shift{};
        for (const Operand& operand : module_.operandsOf(instruction)) {
            const auto* address = std::get_if<ptx::AddressOperand>(&operand);
            const auto* base = address ? std::get_if<ptx::RegisterId>(&address->base) : nullptr;
            if (!base) continue;
            const LinearValue& value = registers_[base->value];
            for (u32 axis = 0; axis < 3; ++axis)
                shift[axis] = value.kind == Kind::Linear ? u8(value.coefficients[axis]) : u8{0};
        }
        return shift;
    }

    static std::string_view opcodeOf(const Instruction& instruction) {
        return ptx::opcodeTable()[instruction.opcode].name;
    }
    static OpcodeClass classOf(const Instruction& instruction) {
        return ptx::opcodeTable()[instruction.opcode].opcodeClass;
    }

    LinearValue position(u32 axis) const {
        if (positions_.extent(axis) == 0) return sameValue(Range::of(positions_.first[axis]));
        LinearValue value = sameValue(Range::of(0), 0);
        value.kind = Kind::Linear;
        value.zeros = 0;
        value.coefficients[axis] = 1;
        return value;
    }

    LinearValue ofSpecial(ptx::Special special) const {
        using ptx::Special;
        const auto upTo = [](u32 extent) { return sameValue({0, s64{extent} - 1}); };
        switch (special) {
            case Special::TidX: return upTo(launch_.block.x);
            case Special::TidY: return upTo(launch_.block.y);
            case Special::TidZ: return upTo(launch_.block.z);
            case Special::NtidX: return sameValue(Range::of(launch_.block.x));
            case Special::NtidY: return sameValue(Range::of(launch_.block.y));
            case Special::NtidZ: return sameValue(Range::of(launch_.block.z));
            case Special::CtaidX: return position(0);
            case Special::CtaidY: return position(1);
            case Special::CtaidZ: return position(2);
            case Special::NctaidX: return sameValue(Range::of(launch_.grid.x));
            case Special::NctaidY: return sameValue(Range::of(launch_.grid.y));
            case Special::NctaidZ: return sameValue(Range::of(launch_.grid.z));
            case Special::LaneId: return upTo(kWarpSize);
            case Special::WarpId:
            case Special::NWarpId:
            case Special::LaneMaskEq:
            case Special::LaneMaskLe:
            case Special::LaneMaskLt:
            case Special::LaneMaskGe:
            case Special::LaneMaskGt:
            case Special::DynamicSharedSize:
            case Special::TotalSharedSize: return sameValue();
            default: return otherValue(false);
        }
    }

    static LinearValue ofImmediate(const ptx::ImmediateOperand& immediate) {
        switch (ptx::isFloat(immediate.type) ? 0 : ptx::bytesOf(immediate.type)) {
            case 4:
                return sameValue(Range::of(immediate.type == ptx::Type::U32 ? s64(u32(immediate.bits))
                                                                            : s64(s32(immediate.bits))));
            case 8: return sameValue(Range::of(s64(immediate.bits)));
            default: return sameValue();
        }
    }

    LinearValue ofOperand(const Operand& operand) const {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand)) return registers_[r->id.value];
        if (const auto* i = std::get_if<ptx::ImmediateOperand>(&operand)) return ofImmediate(*i);
        if (const auto* s = std::get_if<ptx::SpecialOperand>(&operand)) return ofSpecial(s->special);
        if (const auto* p = std::get_if<ptx::PairOperand>(&operand))
            return mixed(registers_[p->value.value], registers_[p->predicate.value]);
        if (const auto* list = std::get_if<ptx::VectorOperand>(&operand)) {
            LinearValue all = sameValue();
            for (const Operand& element : list->elements)
                all = mixed(all, ofOperand(element));
            return all;
        }
        return sameValue();  // the address of a variable, a label
    }

    // isGuarded: the register may keep its value.
    void assign(const Operand& operand, const LinearValue& value, bool isGuarded) {
        ptx::forEachRegister(operand, [&](ptx::RegisterId id) {
            LinearValue& known = registers_[id.value];
            known = isGuarded ? joined(known, value) : value;
        });
    }

    // A parameter's value where it is a number; the address of a buffer is a multiple of 256.
    LinearValue parameter(const Instruction& instruction, const ptx::AddressOperand& address) const {
        const auto* id = std::get_if<ptx::VariableId>(&address.base);
        if (!id) return otherValue(true);
        const auto found = std::ranges::find(entry_.parameters, *id);
        if (found == entry_.parameters.end()) return otherValue(true);
        const Argument& argument = launch_.arguments[std::size_t(found - entry_.parameters.begin())];
        const auto* scalar = std::get_if<ScalarArgument>(&argument);
        constexpr u32 kZerosOfBuffers = 8;
        if (!scalar) return sameValue({}, address.offsetBytes == 0 ? kZerosOfBuffers : 0);
        const ptx::Type type = instruction.types[0];
        const u64 bytes = ptx::bytesOf(type), at = u64(address.offsetBytes);
        if (ptx::isFloat(type) || instruction.modifiers.vector > 1 || (bytes != 4 && bytes != 8) ||
            at + bytes > scalar->bytes.size())
            return sameValue();
        u64 bits = 0;
        std::memcpy(&bits, scalar->bytes.data() + at, bytes);
        return sameValue(Range::of(bytes == 8               ? s64(bits)
                                   : type == ptx::Type::U32 ? s64(bits)
                                                            : s64(s32(bits))));
    }

    // What a load of memory gives.
    LinearValue loaded(const Instruction& instruction, const ptx::AddressOperand& address) const {
        if (instruction.modifiers.space == StateSpace::Param) return parameter(instruction, address);
        if (instruction.modifiers.space != StateSpace::Const) return otherValue(true);
        const auto* base = std::get_if<ptx::RegisterId>(&address.base);
        return !base || registers_[base->value].kind == Kind::Same ? sameValue() : otherValue(true);
    }

    void step(const Instruction& instruction) {
        if (!ptx::hasResult(module_, instruction)) return;
        const bool isGuarded = instruction.guard.present;
        const std::span<const Operand> operands = module_.operandsOf(instruction);
        for (const Operand& operand : operands.subspan(1))
            if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
                return assign(operands[0], loaded(instruction, *address), isGuarded);
        const OpcodeClass kind = classOf(instruction);
        if (kind == OpcodeClass::Memory || kind == OpcodeClass::Atomic || kind == OpcodeClass::Other)
            return assign(operands[0], otherValue(true), isGuarded);
        std::array<LinearValue, 4> sources;
        u32 count = 0;
        LinearValue all = sameValue();
        for (const Operand& operand : operands.subspan(1)) {
            const LinearValue source = ofOperand(operand);
            all = mixed(all, source);
            if (count < sources.size()) sources[count++] = source;
        }
        assign(operands[0], computed(instruction, std::span(sources).first(count), all), isGuarded);
    }

    // all: what is known without looking at the instruction.
    LinearValue computed(const Instruction& instruction, std::span<const LinearValue> s,
                         const LinearValue& all) const {
        const std::string_view opcode = opcodeOf(instruction);
        const ptx::Type type = instruction.types[0];
        if (instruction.modifiers.carry || opcode == "addc" || opcode == "subc" || opcode == "madc")
            return otherValue(all.kind == Kind::Data);
        if (type == ptx::Type::Pred || opcode == "setp") return predicate(instruction, s, all);
        if (ptx::isFloat(type) || instruction.modifiers.vector > 1 || instruction.modifiers.sat) return all;
        if (opcode == "mov" || opcode == "cvta") return s.size() == 1 ? s[0] : all;
        if (opcode == "cvt") return s.size() == 1 ? converted(type, instruction.types[1], s[0]) : all;
        if (opcode == "selp" && s.size() == 3) return selected(s);
        if (ptx::bytesOf(type) < 4) return all;
        return arithmetic(instruction, opcode, s, all);
    }

    LinearValue arithmetic(const Instruction& instruction, std::string_view opcode,
                           std::span<const LinearValue> s, const LinearValue& all) const {
        const ptx::Type type = instruction.types[0];
        const LinearValue minus = sameValue(Range::of(-1));
        if (opcode == "neg") return product(s[0], minus);
        if (opcode == "not") return sum(product(s[0], minus), minus);
        if (s.size() < 2) return all;
        if (opcode == "add") return sum(s[0], s[1]);
        if (opcode == "sub") return sum(s[0], product(s[1], minus));
        if (opcode == "and" || opcode == "or" || opcode == "xor") return bitwise(opcode, s[0], s[1]);
        if (opcode == "shr") return shiftedRight(s[0], s[1], type, positions_);
        if (opcode == "min" || opcode == "max") return extreme(opcode == "max", s[0], s[1], type, positions_);
        if (opcode == "shl") {
            const bool isKnown = s[1].kind == Kind::Same && s[1].rest.isOne() && s[1].rest.least >= 0 &&
                                 s[1].rest.least < s64{8} * ptx::bytesOf(type) - 1;
            return isKnown ? product(s[0], sameValue(Range::of(s64{1} << s[1].rest.least))) : all;
        }
        if (opcode == "mul" || opcode == "mad") {
            const std::string_view form = instruction.form;
            const bool isWide = form.find(".wide") != std::string_view::npos;
            if (!isWide && form.find(".lo") == std::string_view::npos) return all;
            const LinearValue product =
                isWide ? run::product(extended(s[0], type, positions_), extended(s[1], type, positions_))
                       : run::product(s[0], s[1]);
            return opcode == "mul" ? product : s.size() == 3 ? sum(product, s[2]) : all;
        }
        return all;
    }

    LinearValue converted(ptx::Type to, ptx::Type from, const LinearValue& value) const {
        if (value.kind == Kind::Same && !value.rest.isBounded()) return sameValue();
        const u32 toBytes = ptx::bytesOf(to), fromBytes = ptx::bytesOf(from);
        if (!value.isNumber() || ptx::isFloat(from) || toBytes < 4 || fromBytes < 4)
            return mixed(value, value);
        if (toBytes > fromBytes) return extended(value, from, positions_);
        LinearValue result = value;
        if (toBytes < fromBytes) result.mayJump = false;  // jumps by multiples of 2^32 are cut off
        return result;
    }

    // One of both, which one is the same in all blocks.
    static LinearValue selected(std::span<const LinearValue> s) {
        if (s[2].kind == Kind::Same) return joined(s[0], s[1]);
        return mixed(mixed(s[0], s[1]), s[2]);
    }

    LinearValue predicate(const Instruction& instruction, std::span<const LinearValue> s,
                          const LinearValue& all) const {
        const std::string_view opcode = opcodeOf(instruction);
        if (opcode == "setp" && s.size() >= 2) {
            const LinearValue result =
                compared(instruction.modifiers.comparison, s[0], s[1], instruction.types[0], positions_);
            return s.size() == 2 ? result : combined(result, s[2]);
        }
        if ((opcode == "and" || opcode == "or" || opcode == "xor") && s.size() == 2)
            return combined(s[0], s[1]);
        if ((opcode == "not" || opcode == "mov") && s.size() == 1) return s[0];
        return all;
    }

    // ---- What has to be proved.
    static Unproved reasonOf(Kind kind) {
        return kind == Kind::Data ? Unproved::DependsOnData : Unproved::NotLinear;
    }

    Unproved ofAddress(const ptx::AddressOperand& address) const {
        const auto* base = std::get_if<ptx::RegisterId>(&address.base);
        if (!base) return Unproved::Nothing;
        const LinearValue& value = registers_[base->value];
        if (!value.isNumber()) return reasonOf(value.kind);
        const bool mayNotJump =
            value.kind == Kind::Affine || !buffersAreSmall_ || positions_.spanOf(value) >= kMostBytes;
        return value.mayJump && mayNotJump ? Unproved::NotLinear : Unproved::Nothing;
    }

    Unproved judge(const Instruction& instruction) const {
        if (instruction.guard.present) {
            const Kind kind = registers_[instruction.guard.predicate.value].kind;
            if (kind != Kind::Same && kind != Kind::Half) return reasonOf(kind);
        }
        const OpcodeClass opcodeClass = classOf(instruction);
        const bool decides = opcodeClass == OpcodeClass::Control || opcodeClass == OpcodeClass::Barrier;
        for (const Operand& operand : module_.operandsOf(instruction)) {
            if (const auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
                if (instruction.modifiers.space == StateSpace::Param) continue;
                if (const Unproved why = ofAddress(*address); why != Unproved::Nothing) return why;
            } else if (decides) {
                const Kind kind = ofOperand(operand).kind;
                if (kind != Kind::Same) return reasonOf(kind);
            }
        }
        return Unproved::Nothing;
    }

    const ptx::Module& module_;
    const ptx::Function& entry_;
    const Launch& launch_;
    Positions positions_;
    bool buffersAreSmall_ = true;
    std::vector<std::vector<LinearValue>> before_;  // each basic block; empty: not reached so far
    std::vector<LinearValue> registers_;            // where the analysis is
    bool changed_ = true;
    u32 round_ = 0;
};

}  // namespace

Likeness likenessOf(const ptx::Module& module, const Launch& launch, const trace::SampleBox& box,
                    std::span<const Buffer> buffers) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    if (!entry || entry->parameters.size() != launch.arguments.size()) return {Unproved::NotLinear, kNoPc};
    return Follower(module, *entry, launch, box, buffers).follow();
}

}  // namespace lockstep::run
