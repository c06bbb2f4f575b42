#include "model/shared_layout.h"

#include <algorithm>

namespace lockstep::model {
namespace {

constexpr u64 kDynamicAlignment = 16;  // CUDA C++ Programming Guide: fit for any built-in type

u64 roundUp(u64 value, u64 unit) { return unit > 1 ? (value + unit - 1) / unit * unit : value; }

template <class Visit> void forEachOperand(std::span<const ptx::Operand> operands, const Visit& visit) {
    for (const ptx::Operand& operand : operands) {
        visit(operand);
        if (const auto* list = std::get_if<ptx::VectorOperand>(&operand))
            forEachOperand(list->elements, visit);
    }
}

template <class Visit>
void forEachOperand(const ptx::Module& module, const ptx::Function& function, const Visit& visit) {
    for (u32 pc = function.first.value; pc < function.end.value; ++pc)
        forEachOperand(module.operandsOf(module.instructions[pc]), visit);
}

std::vector<bool> usedVariables(const ptx::Module& module, const std::vector<ptx::FunctionId>& functions) {
    std::vector<bool> used(module.variables.size());
    for (ptx::FunctionId function : functions) {
        for (std::size_t id = 0; id < used.size(); ++id)
            if (module.variables[id].function == function) used[id] = true;
        forEachOperand(module, module.functions[function.value], [&](const ptx::Operand& operand) {
            if (const auto* variable = std::get_if<ptx::VariableOperand>(&operand))
                used[variable->id.value] = true;
            const auto* address = std::get_if<ptx::AddressOperand>(&operand);
            if (const auto* base = address ? std::get_if<ptx::VariableId>(&address->base) : nullptr)
                used[base->value] = true;
        });
    }
    return used;
}

bool isDynamic(const ptx::Variable& variable) { return variable.isExtern && variable.sizeBytes == 0; }

}  // namespace

std::vector<ptx::FunctionId> reachableFunctions(const ptx::Module& module, const ptx::Function& entry) {
    std::vector<ptx::FunctionId> reached{ptx::FunctionId{u32(&entry - module.functions.data())}};
    for (std::size_t at = 0; at < reached.size(); ++at)
        forEachOperand(module, module.functions[reached[at].value], [&](const ptx::Operand& operand) {
            const auto* callee = std::get_if<ptx::FunctionOperand>(&operand);
            if (callee && !module.functions[callee->id.value].isDeclaration &&
                std::ranges::find(reached, callee->id) == reached.end())
                reached.push_back(callee->id);
        });
    return reached;
}

SharedLayout sharedLayout(const ptx::Module& module, const ptx::Function& entry, u64 dynamicBytes) {
    const std::vector<bool> used = usedVariables(module, reachableFunctions(module, entry));
    SharedLayout layout;
    u64 dynamicAlignment = kDynamicAlignment;
    std::vector<ptx::VariableId> dynamic;
    for (std::size_t id = 0; id < used.size(); ++id) {
        const ptx::Variable& variable = module.variables[id];
        if (!used[id] || variable.space != ptx::StateSpace::Shared) continue;
        if (isDynamic(variable)) {
            dynamic.emplace_back(u32(id));
            dynamicAlignment = std::max<u64>(dynamicAlignment, variable.alignBytes);
            continue;
        }
        const u64 offset = roundUp(layout.staticBytes, variable.alignBytes);
        layout.variables.push_back({ptx::VariableId{u32(id)}, offset, variable.sizeBytes});
        layout.staticBytes = offset + variable.sizeBytes;
    }
    const u64 dynamicOffset = roundUp(layout.staticBytes, dynamicAlignment);
    for (ptx::VariableId id : dynamic)
        layout.variables.push_back({id, dynamicOffset, dynamicBytes});
    layout.totalBytes = dynamicBytes ? dynamicOffset + dynamicBytes : layout.staticBytes;
    return layout;
}

}  // namespace lockstep::model
