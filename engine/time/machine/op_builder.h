// Turns a decoded instruction into an Op: reads its operands in order, and says what is left unknown.
#pragma once

#include "time/machine/lane_operands.h"

#include <optional>
#include <span>

namespace lockstep::time {

class OpBuilder {
public:
    OpBuilder(const sass::DecodedInstruction& instruction, const Program& program, Op& op)
        : op(op), instruction_(instruction), program_(program), left_(instruction.operands()) {}

    Op& op;

    bool has(sass::Modifier modifier) const { return instruction_.modifiers.has(modifier); }
    sass::Modifier firstModifier() const { return instruction_.firstModifier; }
    sass::Opcode opcode() const { return instruction_.row->opcode; }
    std::size_t left() const { return left_.size(); }
    const sass::Operand* peek() const { return left_.empty() ? nullptr : &left_.front(); }
    const sass::Operand* take() {
        if (left_.empty()) return nullptr;
        const sass::Operand* const next = &left_.front();
        left_ = left_.subspan(1);
        return next;
    }

    // Register, uniform register. False: it is something else.
    bool destination();
    // Leading predicates, up to two, are destinations.
    void predicates();
    // The next operand becomes sources[which]. wide: of two registers.
    bool source(std::size_t which, bool wide = false);
    // The value of a constant at a fixed place; none: it lies outside, or its place is in a register.
    std::optional<u64> constant(const sass::Operand& operand, u32 bytes) const;
    // The next operand becomes conditions[which].
    bool condition(std::size_t which);
    bool immediate(u32& value);
    bool hasBank(u32 number) const { return program_.bank(number) != nullptr; }
    // The next operand is an address: base register to sources[0].
    bool address();
    bool target();

private:
    const sass::DecodedInstruction& instruction_;
    const Program& program_;
    std::span<const sass::Operand> left_;
};

// A way to make the Op of one opcode; false: a form that is not executed.
struct ExecuteRow {
    sass::Opcode opcode;
    bool (*build)(OpBuilder& build);
};
std::span<const ExecuteRow> integerRows();
std::span<const ExecuteRow> floatRows();
std::span<const ExecuteRow> halfRows();
std::span<const ExecuteRow> conversionRows();
std::span<const ExecuteRow> warpRows();
std::span<const ExecuteRow> memoryRows();
std::span<const ExecuteRow> flowRows();

}  // namespace lockstep::time
