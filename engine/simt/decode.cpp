#include "simt/decode.h"

#include <algorithm>

#include "simt/function_decoder.h"

namespace lockstep::simt {
namespace {

u64 roundUp(u64 value, u64 to) { return to ? (value + to - 1) / to * to : value; }

// Calls f on every operand, those inside of lists too.
template <class F>
void forEachOperand(std::span<const ptx::Operand> operands, const F& f) {
    for (const ptx::Operand& operand : operands) {
        f(operand);
        if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand)) forEachOperand(vector->elements, f);
    }
}

template <class F>
void forEachOperand(const ptx::Module& module, const ptx::Function& function, const F& f) {
    for (u32 pc = function.first.value; pc < function.end.value; ++pc) forEachOperand(module.operandsOf(module.instructions[pc]), f);
}

// The entry first, then every function with a body that it can come to.
std::vector<u32> reachableFunctions(const ptx::Module& module, const ptx::Function& entry) {
    std::vector<u32> reached{u32(&entry - module.functions.data())};
    for (std::size_t i = 0; i < reached.size(); ++i)
        forEachOperand(module, module.functions[reached[i]], [&](const ptx::Operand& operand) {
            const auto* callee = std::get_if<ptx::FunctionOperand>(&operand);
            if (callee && !module.functions[callee->id.value].isDeclaration && std::ranges::find(reached, callee->id.value) == reached.end())
                reached.push_back(callee->id.value);
        });
    return reached;
}

std::vector<bool> usedVariables(const ptx::Module& module, const std::vector<u32>& functions) {
    std::vector<bool> used(module.variables.size());
    const auto use = [&](ptx::VariableId id) { used[id.value] = true; };
    for (u32 function : functions) {
        for (u32 id = 0; id < module.variables.size(); ++id)
            if (module.variables[id].function && module.variables[id].function->value == function) used[id] = true;
        forEachOperand(module, module.functions[function], [&](const ptx::Operand& operand) {
            if (const auto* variable = std::get_if<ptx::VariableOperand>(&operand)) use(variable->id);
            if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
                if (const auto* variable = std::get_if<ptx::VariableId>(&address->base)) use(*variable);
        });
    }
    return used;
}

// Static arrays in the order of declaration, each at its alignment; behind them, at one address, all dynamic ones.
void layOutShared(DecodeContext& context, const std::vector<bool>& used) {
    constexpr u64 kDynamicAlignment = 16;  // CUDA C++ Programming Guide: dynamic shared memory is aligned for any built-in type
    const auto& variables = context.module.variables;
    context.sharedOffsets.assign(variables.size(), 0);
    u64 bytes = 0, dynamicAlignment = kDynamicAlignment;
    const auto isDynamic = [](const ptx::Variable& v) { return v.isExtern && !v.sizeBytes; };
    for (u32 id = 0; id < variables.size(); ++id) {
        if (!used[id] || variables[id].space != ptx::StateSpace::Shared) continue;
        if (isDynamic(variables[id])) {
            dynamicAlignment = std::max<u64>(dynamicAlignment, variables[id].alignBytes);
            continue;
        }
        bytes = roundUp(bytes, variables[id].alignBytes);
        context.sharedOffsets[id] = u32(bytes);
        bytes += variables[id].sizeBytes;
    }
    context.program.staticSharedBytes = u32(std::min<u64>(bytes, 0xffffffffu));
    const u64 dynamic = roundUp(bytes, dynamicAlignment);
    for (u32 id = 0; id < variables.size(); ++id)
        if (used[id] && variables[id].space == ptx::StateSpace::Shared && isDynamic(variables[id])) context.sharedOffsets[id] = u32(dynamic);
    context.program.sharedBytes = u32(context.shape.dynamicSharedBytes ? dynamic + context.shape.dynamicSharedBytes : bytes);
}

// Blocks cannot tell in which order they ran if they only add, or take minima, without looking at the old value.
bool dependsOnOrder(const MemoryOperation& operation) {
    if (operation.space != ptx::StateSpace::Global && operation.space != ptx::StateSpace::Generic) return false;
    if (operation.kind == trace::AccessKind::Atomic) return true;
    return operation.kind == trace::AccessKind::Reduction && !operation.commutes;
}

}  // namespace

std::vector<u32> parameterOffsets(const ptx::Module& module, const ptx::Function& entry) {
    std::vector<u32> offsets;
    u64 bytes = 0;
    for (ptx::VariableId id : entry.parameters) {
        const ptx::Variable& parameter = module.variables[id.value];
        bytes = roundUp(bytes, parameter.alignBytes);
        offsets.push_back(u32(bytes));
        bytes += parameter.sizeBytes;
    }
    offsets.push_back(u32(bytes));
    return offsets;
}

Expected<Program> decode(const ptx::Module& module, const ptx::Function& entry, const LaunchShape& shape, const DeviceMemory& memory) {
    Program program;
    program.module = &module;
    program.parameters.assign(shape.parameters.begin(), shape.parameters.end());
    const std::vector<u32> functions = reachableFunctions(module, entry);
    DecodeContext context{.module = module, .entry = entry, .shape = shape, .memory = memory, .program = program,
                          .parameterOffsets = parameterOffsets(module, entry), .sharedOffsets = {},
                          .codeOf = std::vector<u32>(module.functions.size(), kNoOp)};
    program.parameters.resize(context.parameterOffsets.back());
    for (u32 i = 0; i < functions.size(); ++i) context.codeOf[functions[i]] = i;
    layOutShared(context, usedVariables(module, functions));
    program.functions.resize(functions.size());
    for (u32 function : functions)
        if (Expected<void> done = FunctionDecoder(context, function).decode(); !done) return Unexpected(done.error());
    for (const FunctionCode& code : program.functions)
        program.localBytesPerCall = std::max(program.localBytesPerCall, u32(roundUp(code.localBytes, 16)));
    program.mustRunInOrder |= std::ranges::any_of(program.memory, dependsOnOrder);
    return program;
}

}  // namespace lockstep::simt
