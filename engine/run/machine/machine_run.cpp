#include "run/machine/machine_run.h"

#include "cuda/compiler/toolkit.h"
#include "model/occupancy/launch_occupancy.h"

#include <charconv>
#include <utility>

namespace lockstep::run {
namespace {

// "9.0"
std::optional<std::pair<u32, u32>> capabilityOf(const Measured& measured) {
    const std::string& text = measured.computeCapability;
    const auto dot = text.find('.');
    if (dot == std::string::npos) return std::nullopt;
    u32 major = 0, minor = 0;
    std::from_chars(text.data(), text.data() + dot, major);
    std::from_chars(text.data() + dot + 1, text.data() + text.size(), minor);
    return std::pair(major, minor);
}

// Whether `profile` is of the measured device, or its substitute if it has none of its own.
bool isOf(const Measured& measured, const model::Profile& profile) {
    const auto capability = capabilityOf(measured);
    if (!capability) return false;
    const auto& [major, minor] = *capability;
    const model::Profile& nearest = model::nearestProfile(major, minor);
    return (profile.major == major && profile.minor == minor) ||
           (profile.major == nearest.major && profile.minor == nearest.minor);
}

}  // namespace

bool lacksToolkit(const Fault& why) { return cuda::lacksToolkit(why); }

bool hasMachineCode(const Run& run) { return run.machine && run.machine->code; }

std::optional<Registers> registersOf(const Run& run, const model::Profile& profile, std::size_t launch) {
    if (run.measured && launch < run.measured->registers.size() && isOf(*run.measured, profile))
        return Registers{.perThread = run.measured->registers[launch], .fromMachineCode = false};
    if (!hasMachineCode(run) || launch >= run.recording.launches.size() ||
        run.machine->code->computeCapability != 10 * profile.major + profile.minor)
        return std::nullopt;
    const sass::Function* kernel = run.machine->code->find(run.recording.launches[launch].entry);
    return kernel && kernel->registers
               ? std::optional(Registers{.perThread = *kernel->registers, .fromMachineCode = true})
               : std::nullopt;
}

std::optional<u32> registersPerThread(const Run& run) {
    const std::optional<Registers> registers = registersOf(run, run.profile);
    return registers ? std::optional(registers->perThread) : std::nullopt;
}

const model::Profile& profileOf(const Measured& measured) {
    const auto capability = capabilityOf(measured);
    return capability ? model::nearestProfile(capability->first, capability->second)
                      : model::defaultProfile();
}

const Measured* countedForProfile(const Run& run) {
    if (!run.measured || run.measured->counters.empty()) return nullptr;
    return run.measured->recording.empty() || isOf(*run.measured, run.profile) ? &*run.measured : nullptr;
}

void remakeOccupancy(Run& run) {
    if (run.recording.launches.empty()) return;
    run.report.occupancy =
        model::occupancyOf(*run.module, run.recording.launches.front(), run.profile, registersPerThread(run));
}

}  // namespace lockstep::run
