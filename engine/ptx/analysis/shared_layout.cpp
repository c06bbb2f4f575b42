#include "ptx/analysis/shared_layout.h"

#include <algorithm>

namespace lockstep::ptx {
namespace {

constexpr u64 kDynamicAlignment = 16;  // CUDA C++ Programming Guide: fit for any built-in type

u64 roundUp(u64 value, u64 unit) { return unit > 1 ? (value + unit - 1) / unit * unit : value; }

template <class Visit> void forEachOperand(std::span<const Operand> operands, const Visit& visit) {
    for (const Operand& operand : operands) {
        visit(operand);
        if (const auto* list = std::get_if<VectorOperand>(&operand)) forEachOperand(list->elements, visit);
    }
}

template <class Visit>
void forEachOperand(const Module& module, const Function& function, const Visit& visit) {
    for (u32 pc = function.first.value; pc < function.end.value; ++pc)
        forEachOperand(module.operandsOf(module.instructions[pc]), visit);
}

// Named by the operand, as a value or as an address's base.
const VariableId* variableIn(const Operand& operand) {
    if (const auto* variable = std::get_if<VariableOperand>(&operand)) return &variable->id;
    const auto* address = std::get_if<AddressOperand>(&operand);
    return address ? std::get_if<VariableId>(&address->base) : nullptr;
}

bool isDynamic(const Variable& variable) { return variable.isExtern && variable.sizeBytes == 0; }

}  // namespace

std::vector<FunctionId> reachableFunctions(const Module& module, const Function& entry) {
    std::vector<FunctionId> reached{FunctionId{u32(&entry - module.functions.data())}};
    std::vector<bool> lookedAt(module.variables.size());
    const auto reach = [&](FunctionId id) {
        if (!module.functions[id.value].isDeclaration && std::ranges::find(reached, id) == reached.end())
            reached.push_back(id);
    };
    // A variable may hold the addresses of functions (a table of them, a class's virtual ones) and of other
    // variables.
    const auto look = [&](VariableId id, const auto& self) -> void {
        if (lookedAt[id.value]) return;
        lookedAt[id.value] = true;
        for (const Variable::InitialAddress& address : module.variables[id.value].initialAddresses) {
            if (address.function)
                reach(*address.function);
            else
                self(address.of, self);
        }
    };
    for (std::size_t at = 0; at < reached.size(); ++at)
        forEachOperand(module, module.functions[reached[at].value], [&](const Operand& operand) {
            if (const auto* callee = std::get_if<FunctionOperand>(&operand)) reach(callee->id);
            if (const VariableId* variable = variableIn(operand)) look(*variable, look);
        });
    return reached;
}

std::vector<Special> usedSpecials(const Module& module, const std::vector<FunctionId>& functions) {
    std::vector<Special> used;
    for (FunctionId function : functions)
        forEachOperand(module, module.functions[function.value], [&](const Operand& operand) {
            if (const auto* special = std::get_if<SpecialOperand>(&operand);
                special && std::ranges::find(used, special->special) == used.end())
                used.push_back(special->special);
        });
    return used;
}

std::vector<bool> usedVariables(const Module& module, const std::vector<FunctionId>& functions) {
    std::vector<bool> used(module.variables.size());
    for (FunctionId function : functions) {
        for (std::size_t id = 0; id < used.size(); ++id)
            if (module.variables[id].function == function) used[id] = true;
        forEachOperand(module, module.functions[function.value], [&](const Operand& operand) {
            if (const VariableId* variable = variableIn(operand)) used[variable->value] = true;
        });
    }
    return used;
}

SharedLayout sharedLayout(const Module& module, const Function& entry, u64 dynamicBytes) {
    return sharedLayout(module, usedVariables(module, reachableFunctions(module, entry)), dynamicBytes);
}

SharedLayout sharedLayout(const Module& module, const std::vector<bool>& used, u64 dynamicBytes) {
    SharedLayout layout;
    u64 dynamicAlignment = kDynamicAlignment;
    std::vector<VariableId> dynamic;
    for (std::size_t id = 0; id < used.size(); ++id) {
        const Variable& variable = module.variables[id];
        if (!used[id] || variable.space != StateSpace::Shared) continue;
        if (isDynamic(variable)) {
            dynamic.emplace_back(u32(id));
            dynamicAlignment = std::max<u64>(dynamicAlignment, variable.alignBytes);
            continue;
        }
        const u64 offset = roundUp(layout.staticBytes, variable.alignBytes);
        layout.variables.push_back({VariableId{u32(id)}, offset, variable.sizeBytes});
        layout.staticBytes = offset + variable.sizeBytes;
    }
    const u64 dynamicOffset = roundUp(layout.staticBytes, dynamicAlignment);
    for (VariableId id : dynamic)
        layout.variables.push_back({id, dynamicOffset, dynamicBytes});
    layout.totalBytes = dynamicBytes ? dynamicOffset + dynamicBytes : layout.staticBytes;
    return layout;
}

}  // namespace lockstep::ptx
