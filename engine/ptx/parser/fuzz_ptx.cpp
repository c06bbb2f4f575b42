// Any bytes as PTX: parsed or refused, and every index of the Module is one that its readers can use.
#include "base/check.h"
#include "ptx/module.h"

#include <string>

namespace {

using namespace lockstep;
using namespace lockstep::ptx;

void checkOperand(const Module& module, const Function& function, const Operand& operand) {
    if (const auto* reg = std::get_if<RegisterOperand>(&operand))
        CHECK_LT(reg->id.value, function.registers.size(), "a register of the function");
    if (const auto* pair = std::get_if<PairOperand>(&operand)) {
        CHECK(pair->value.value < function.registers.size() &&
                  pair->predicate.value < function.registers.size(),
              "registers of the function");
    }
    if (const auto* variable = std::get_if<VariableOperand>(&operand))
        CHECK_LT(variable->id.value, module.variables.size(), "a variable");
    if (const auto* address = std::get_if<AddressOperand>(&operand)) {
        if (const auto* reg = std::get_if<RegisterId>(&address->base))
            CHECK_LT(reg->value, function.registers.size(), "a register of the function");
        if (const auto* variable = std::get_if<VariableId>(&address->base))
            CHECK_LT(variable->value, module.variables.size(), "a variable");
    }
    if (const auto* label = std::get_if<LabelOperand>(&operand))
        CHECK(function.first <= label->target && label->target < function.end, "a label of the function");
    if (const auto* callee = std::get_if<FunctionOperand>(&operand))
        CHECK_LT(callee->id.value, module.functions.size(), "a function");
    if (const auto* list = std::get_if<VectorOperand>(&operand))
        for (const Operand& element : list->elements)
            checkOperand(module, function, element);
}

void checkModule(const Module& module) {
    std::size_t covered = 0;
    for (const Function& function : module.functions) {
        demangle(function.name);
        if (function.isDeclaration) continue;
        CHECK(function.first < function.end && function.end.value <= module.instructions.size(),
              "a body has instructions");
        covered += function.end.value - function.first.value;
        for (const BasicBlock& block : function.blocks) {
            for (u32 s : block.successors)
                CHECK_LT(s, function.blocks.size(), "a block of the function");
            CHECK(block.immediatePostDominator == BasicBlock::kExit ||
                      block.immediatePostDominator < function.blocks.size(),
                  "a block");
        }
        for (u32 pc = function.first.value; pc < function.end.value; ++pc) {
            const Instruction& i = module.at(Pc{pc});
            CHECK(i.location < module.locations.size() && i.opcode < opcodeTable().size(),
                  "an instruction's references");
            CHECK(!i.guard.present || i.guard.predicate.value < function.registers.size(),
                  "a guard of the function");
            for (const Operand& operand : module.operandsOf(i))
                checkOperand(module, function, operand);
            CHECK(!module.textOf(Pc{pc}).empty() && !i.form.empty(), "an instruction has a text");
            module.reconvergence(Pc{pc});
        }
    }
    CHECK_EQ(covered, module.instructions.size(), "every instruction belongs to one function");
    for (std::size_t at = 0; at < module.locations.size(); ++at)
        CHECK(at == 0 ||
                  (module.locations[at].inlinedAt < at && module.locations[at].file < module.files.size()),
              "chains lead to the front");
    for (const Variable& variable : module.variables)
        CHECK(variable.initial.empty() || variable.initial.size() == variable.sizeBytes,
              "initial values of the whole variable");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (const auto module = parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx"))
        checkModule(*module);
    return 0;
}
