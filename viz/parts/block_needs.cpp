#include "viz/parts/block_needs.h"

namespace lockstep::viz {

KnownNeeds needsOf(const run::Run& run, const model::Profile& profile, const run::Measured* measured) {
    KnownNeeds known{.needs = {.threads = 0, .sharedBytes = 0, .registersPerThread = {}}, .registers = {}};
    if (run.recording.launches.empty() || !run.module) return known;
    const Launch& launch = run.recording.launches.front();
    known.needs = {.threads = launch.block.count(),
                   .sharedBytes = run::sharedBytes(*run.module, launch),
                   .registersPerThread = {},
                   .gridBlocks = launch.grid.count()};
    known.registers = run::registersOf(run, profile);
    if (!known.registers && measured && !measured->registers.empty())
        known.registers = run::Registers{.perThread = measured->registers.front(), .fromMachineCode = false};
    if (known.registers) known.needs.registersPerThread = known.registers->perThread;
    return known;
}

}  // namespace lockstep::viz
