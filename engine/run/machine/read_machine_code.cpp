#include "run/machine/read_machine_code.h"

#include "model/caches/code_sectors.h"
#include "run/find_hints.h"
#include "run/machine/code_archive.h"
#include "run/machine/machine_run.h"
#include "run/machine/uneven_loops.h"

#include <algorithm>

namespace lockstep::run {
namespace {

// Sectors of it that the launches read; none if it lacks one of their kernels.
std::optional<u64> codeSectors(const Run& run, const sass::MachineCode& code) {
    u64 all = 0;
    for (const Launch& launch : run.recording.launches) {
        const ptx::Function* entry = run.module->findEntry(launch.entry);
        const std::optional<u64> sectors =
            entry ? model::codeSectors(*run.module, *entry, code) : std::nullopt;
        if (!sectors) return std::nullopt;
        all += *sectors;
    }
    return all;
}

void take(cuda::Disassembler::Answer code, Run& run) {
    auto machine = std::make_shared<MachineRun>();
    if (!code) {
        machine->why = std::move(code.error());
        run.machine = std::move(machine);
        return;
    }
    machine->code = std::move(*code);
    model::MachineReport read = model::machineReport(*run.module, run.recording, run.profile, *machine->code,
                                                     registersPerThread(run));
    const std::optional<u64> sectors = run.caches ? codeSectors(run, *machine->code) : std::nullopt;
    if (sectors) run.caches->takeCode(*sectors);
    if (run.caches && run.emulated) read.report.counters.merge(run.caches->counters());
    run.report = std::move(read.report);
    machine->removed = std::move(read.removed);
    machine->differences = std::move(read.differences);
    run.machine = std::move(machine);
    const std::optional<Fault> note = noteOnUnevenLoops(run);
    if (note && std::ranges::find(run.notes, note->message, &Fault::message) == run.notes.end())
        run.notes.push_back(*note);
    if (run.hints) findHints(run);
}

}  // namespace

u32 computeCapabilityOf(const Run& run) { return 10 * run.profile.major + run.profile.minor; }

cuda::Disassembler::Answer shippedOrRead(const Resources& resources, cuda::Disassembler& disassembler,
                                         const Run& run, const cuda::Patience& patience) {
    const u32 computeCapability = computeCapabilityOf(run);
    if (auto shipped = shippedCode(resources, *run.module, computeCapability)) return shipped;
    return disassembler.of(*run.module, computeCapability, patience);
}

void readMachineCode(cuda::Disassembler& disassembler, Run& run, const cuda::Patience& patience) {
    take(disassembler.of(*run.module, computeCapabilityOf(run), patience), run);
}

bool takeMachineCode(cuda::Disassembler& disassembler, Run& run) {
    auto ready = disassembler.ready(*run.module, computeCapabilityOf(run));
    if (ready) take(std::move(*ready), run);
    return ready.has_value();
}

void takeCodeLength(cuda::Disassembler& disassembler, Run& run) {
    if (!run.caches || !run.emulated) return;
    const cuda::Disassembler::Answer code = disassembler.of(*run.module, computeCapabilityOf(run), {});
    const std::optional<u64> sectors = code ? codeSectors(run, **code) : std::nullopt;
    if (!sectors) return;
    run.caches->takeCode(*sectors);
    for (const auto& [metric, value] : run.caches->counters())
        run.report.counters[metric] = value;
}

}  // namespace lockstep::run
