// For tests: machine code by hand for the runs of test_run.h.
#pragma once

#include "run/machine/machine_run.h"

#include <initializer_list>
#include <memory>
#include <utility>

namespace lockstep::viz {

struct TestInstruction {
    const char *guard, *opcode, *operands;
    u32 pc;
};

inline run::Run withMachineCode(run::Run run, std::initializer_list<TestInstruction> instructions) {
    sass::Function kernel{.name = "kernel", .instructions = {}, .registers = 40};
    for (const TestInstruction& i : instructions)
        kernel.instructions.push_back({.offsetBytes = u32(16 * kernel.instructions.size()),
                                       .guard = i.guard,
                                       .opcode = i.opcode,
                                       .operands = i.operands,
                                       .pc = Pc{i.pc}});
    auto machine = std::make_shared<run::MachineRun>();
    machine->code = std::make_shared<const sass::MachineCode>(sass::MachineCode{
        .compiler = "ptxas 13.0.88", .computeCapability = 90, .functions = {std::move(kernel)}});
    run.machine = std::move(machine);
    return run;
}

// As if ptxas had made it of tiledMatmul(): one turn of the inner loop's two loads became one of 8 bytes,
// here at the second.
inline run::Run tiledMatmulMachine(run::Run run) {
    return withMachineCode(std::move(run), {{"", "S2R", "R0, SR_TID.X", 0},
                                            {"", "ISETP.GE.AND", "P0, PT, R0, UR4, PT", 1},
                                            {"@!P0", "LDG.E", "R9, desc[UR6][R2.64]", 2},
                                            {"@!P0", "LDG.E", "R11, desc[UR6][R4.64]", 4},
                                            {"", "STS", "[R7], R9", 3},
                                            {"", "STS", "[R8], R11", 5},
                                            {"", "BAR.SYNC.DEFER_BLOCKING", "0x0", 6},
                                            {"", "LDS.64", "R12, [R6]", 8},
                                            {"", "FFMA", "R10, R12, R13, R10", 9},
                                            {"", "BAR.SYNC.DEFER_BLOCKING", "0x0", 10},
                                            {"@!P0", "STG.E", "desc[UR6][R14.64], R10", 11},
                                            {"", "EXIT", "", 12},
                                            {"", "BRA", "0xc0", kNoPc.value}});
}

}  // namespace lockstep::viz
