#include "model/caches/code_sectors.h"

#include "trace/sector_size.h"

namespace lockstep::model {
namespace {

// CUDA Binary Utilities, "Instruction Set Reference": 128 bits since cc 7.0.
constexpr u64 kInstructionBytes = 16;
// Of the instruction cache, which functions fill.
constexpr u64 kLineBytes = 128;

// A PTX instruction becomes about one machine instruction; a full-precision division, this many. Of 362
// kernels (accuracy_bench compiler, ptxas 13.0 for cc 9.0) 340 are within 128 sectors of this estimate:
// unrolled loops are longer, merged accesses and folded addresses shorter.
constexpr u64 kOfDivision = 45;

u64 instructionsOf(const ptx::Module& module, const ptx::Function& function) {
    u64 instructions = 0;
    for (u32 pc = function.first.value; pc < function.end.value; ++pc) {
        const std::string_view name = module.at(Pc{pc}).name;
        const bool divides = (name.starts_with("div.") || name.starts_with("rem.")) &&
                             name.find(".approx") == std::string_view::npos;
        instructions += divides ? kOfDivision : 1;
    }
    return instructions;
}

u64 sectorsOf(u64 instructions) {
    return (instructions * kInstructionBytes + kLineBytes - 1) / kLineBytes *
           (kLineBytes / trace::kSectorBytes);
}

}  // namespace

u64 codeSectors(const ptx::Module& module, const ptx::Function& entry) {
    u64 instructions = 0;
    for (const ptx::Function& function : module.functions)
        if (&function == &entry || !function.isEntry) instructions += instructionsOf(module, function);
    return sectorsOf(instructions);
}

std::optional<u64> codeSectors(const ptx::Module& module, const ptx::Function& entry,
                               const sass::MachineCode& machineCode) {
    const sass::Function* const kernel = machineCode.find(entry.name);
    if (!kernel) return std::nullopt;
    u64 instructions = kernel->instructions.size();
    for (const ptx::Function& function : module.functions)
        if (const sass::Function* called = function.isEntry ? nullptr : machineCode.find(function.name))
            instructions += called->instructions.size();
    return sectorsOf(instructions);
}

}  // namespace lockstep::model
