#include "time/machine/op_builder.h"

#include <cstring>

namespace lockstep::time {

using sass::OperandKind;

namespace {

// A constant at a fixed place; none: it lies outside of its bank.
std::optional<u64> constantAt(const Program& program, const sass::Operand& operand, u32 bytes) {
    if (operand.base != sass::kZeroRegister || operand.uniformBase != sass::kZeroUniformRegister)
        return std::nullopt;
    const std::vector<std::byte>* const bank = program.bank(operand.number);
    if (!bank || operand.value > bank->size() || bank->size() - operand.value < bytes) return std::nullopt;
    u64 value = 0;
    std::memcpy(&value, bank->data() + operand.value, bytes);
    return value;
}

}  // namespace

bool OpBuilder::destination() {
    const sass::Operand* const next = take();
    if (!next || (next->kind != OperandKind::Register && next->kind != OperandKind::UniformRegister))
        return false;
    op.destination = next->number;
    op.toUniform = next->kind == OperandKind::UniformRegister;
    return true;
}

void OpBuilder::predicates() {
    for (u8& to : op.predicates) {
        const sass::Operand* const next = peek();
        if (!next || (next->kind != OperandKind::Predicate && next->kind != OperandKind::UniformPredicate))
            return;
        to = next->number;
        if (next->kind == OperandKind::UniformPredicate) op.toUniform = true;
        take();
    }
}

bool OpBuilder::source(std::size_t which, bool wide) {
    const sass::Operand* const next = take();
    if (!next) return false;
    Source source{.number = next->number,
                  .negated = next->negated,
                  .absolute = next->absolute,
                  .inverted = next->inverted,
                  .halves = next->halves};
    switch (next->kind) {
        case OperandKind::Register: source.kind = Source::Kind::Register; break;
        case OperandKind::UniformRegister: source.kind = Source::Kind::Uniform; break;
        case OperandKind::Immediate: source.value = next->value; break;
        case OperandKind::Constant: {
            const std::optional<u64> value = constantAt(program_, *next, wide ? 8 : 4);
            if (!value) return false;
            source.value = *value;
            break;
        }
        default: return false;
    }
    op.sources[which] = source;
    return true;
}

std::optional<u64> OpBuilder::constant(const sass::Operand& operand, u32 bytes) const {
    return constantAt(program_, operand, bytes);
}

bool OpBuilder::condition(std::size_t which) {
    const sass::Operand* const next = take();
    if (!next || (next->kind != OperandKind::Predicate && next->kind != OperandKind::UniformPredicate))
        return false;
    op.conditions[which] = {.number = next->number,
                            .isUniform = next->kind == OperandKind::UniformPredicate,
                            .isInverted = next->inverted};
    return true;
}

bool OpBuilder::immediate(u32& value) {
    const sass::Operand* const next = take();
    if (!next || next->kind != OperandKind::Immediate) return false;
    value = u32(next->value);
    return true;
}

bool OpBuilder::address() {
    const sass::Operand* const next = take();
    if (!next || next->kind != OperandKind::Address) return false;
    op.sources[0] = {.kind = Source::Kind::Register, .number = next->base};
    op.uniformBase = next->uniformBase;
    op.isPairAddress = next->isWide;
    op.offsetBytes = s64(next->value);
    return true;
}

bool OpBuilder::target() {
    const sass::Operand* const next = take();
    if (!next || next->kind != OperandKind::Target) return false;
    op.target = u32(next->value / sass::kInstructionBytes);
    return op.target < program_.code.size();
}

}  // namespace lockstep::time
