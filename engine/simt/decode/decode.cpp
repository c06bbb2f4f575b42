#include "simt/decode/decode.h"

#include "base/device_addresses.h"
#include "base/text/counted.h"
#include "ptx/analysis/shared_layout.h"
#include "simt/decode/function_decoder.h"

#include <algorithm>
#include <cstring>

namespace lockstep::simt {
namespace {

u64 roundUp(u64 value, u64 to) { return to ? (value + to - 1) / to * to : value; }

void layOutShared(DecodeContext& context, const std::vector<ptx::FunctionId>& functions) {
    const ptx::SharedLayout layout = ptx::sharedLayout(
        context.module, ptx::usedVariables(context.module, functions), context.shape.dynamicSharedBytes);
    context.sharedOffsets.assign(context.module.variables.size(), 0);
    for (const ptx::SharedLayout::Placed& placed : layout.variables)
        context.sharedOffsets[placed.variable.value] = u32(placed.offsetBytes);
    if (layout.variables.size() > 1)
        for (const ptx::SharedLayout::Placed& placed : layout.variables)
            context.program.sharedArrays.push_back({placed.variable, placed.offsetBytes, placed.sizeBytes});
    Program& program = context.program;
    program.ownSharedBytes = program.sharedBytes = u32(std::min<u64>(layout.totalBytes, 0xffffffffu));
    using enum ptx::Special;
    const std::vector<ptx::Special> specials = ptx::usedSpecials(context.module, functions);
    const auto uses = [&](ptx::Special special) {
        return std::ranges::find(specials, special) != specials.end();
    };
    program.usesWorkspace = uses(EnvReg1) || uses(EnvReg2);
    if (uses(ReservedSharedBegin) || uses(ReservedShared0) || uses(ReservedShared1)) {
        constexpr u64 kAlignment = 128;
        const u64 at = std::max(kAlignment, roundUp(layout.totalBytes, kAlignment));
        program.reservedSharedAt = u32(at);
        program.sharedBytes = u32(std::min<u64>(at + kReservedSharedBytes, 0xffffffffu));
    }
}

// The result does not depend on block order if blocks only add, or take minima, without using the old value.
bool dependsOnOrder(const MemoryOperation& operation) {
    if (operation.space != ptx::StateSpace::Global && operation.space != ptx::StateSpace::Generic)
        return false;
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

Expected<std::vector<std::byte>> parameterBlock(const ptx::Module& module, const ptx::Function& entry,
                                                const Launch& launch, std::size_t buffers) {
    const std::string kernel = ptx::shortName(launch.entry);
    const std::vector<u32> offsets = parameterOffsets(module, entry);
    if (launch.arguments.size() != entry.parameters.size())
        return fail(
            FaultKind::Usage,
            Message(english("kernel \"{0}\": it has {1} {1:parameter|parameters}, but the launch gives {2} "
                            "{2:argument|arguments}"),
                    kernel, grouped(entry.parameters.size()), grouped(launch.arguments.size())));
    std::vector<std::byte> block(offsets.back());
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const u64 wanted = module.variables[entry.parameters[i].value].sizeBytes;
        std::vector<std::byte> bytes;
        if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i])) {
            if (buffer->buffer >= buffers)
                return fail(
                    FaultKind::Usage,
                    Message(english("kernel \"{0}\": argument {1} names a buffer that does not exist"),
                            kernel, i));
            const u64 address = deviceAddressOf(buffer->buffer);
            bytes.resize(sizeof address);
            std::memcpy(bytes.data(), &address, sizeof address);
        } else {
            bytes = std::get<ScalarArgument>(launch.arguments[i]).bytes;
        }
        if (bytes.size() != wanted)
            return fail(
                FaultKind::Usage,
                Message(
                    english("kernel \"{0}\": argument {1} has {2} {2:byte|bytes}, the parameter {3}: give a "
                            "value of the parameter's type"),
                    kernel, i, grouped(bytes.size()), wanted));
        std::ranges::copy(bytes, block.begin() + offsets[i]);
    }
    return block;
}

Expected<Program> decode(const ptx::Module& module, const ptx::Function& entry, const LaunchShape& shape,
                         const DeviceMemory& memory, Missing missing) {
    Program program;
    program.module = &module;
    program.parameters.assign(shape.parameters.begin(), shape.parameters.end());
    const std::vector<ptx::FunctionId> functions = ptx::reachableFunctions(module, entry);
    DecodeContext context{.module = module,
                          .entry = entry,
                          .shape = shape,
                          .memory = memory,
                          .program = program,
                          .missing = missing,
                          .parameterOffsets = parameterOffsets(module, entry),
                          .sharedOffsets = {},
                          .codeOf = std::vector<u32>(module.functions.size(), kNoOp)};
    program.parameters.resize(context.parameterOffsets.back());
    for (u32 i = 0; i < functions.size(); ++i)
        context.codeOf[functions[i].value] = i;
    layOutShared(context, functions);
    program.functions.resize(functions.size());
    for (ptx::FunctionId function : functions)
        if (Expected<void> done = FunctionDecoder(context, function.value).decode(); !done)
            return Unexpected(done.error());
    for (const FunctionCode& code : program.functions)
        program.localBytesPerCall = std::max(program.localBytesPerCall, u32(roundUp(code.localBytes, 16)));
    program.blocksCommunicate |= std::ranges::any_of(program.memory, dependsOnOrder);
    program.blocksCommunicate |= shape.cooperative && program.usesWorkspace;
    program.mustRunInOrder |= program.blocksCommunicate;
    return program;
}

}  // namespace lockstep::simt
