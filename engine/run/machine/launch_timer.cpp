#include "run/machine/launch_timer.h"

#include "ptx/analysis/shared_layout.h"
#include "sass/decode.h"
#include "simt/decode/decode.h"

#include <algorithm>
#include <cstring>

namespace lockstep::run {
namespace {

Unexpected noTime(Message why) { return fail(FaultKind::Unsupported, std::move(why)); }

}  // namespace

Expected<time::ModuleConstants> moduleConstants(const ptx::Module& module, const sass::MachineCode& code,
                                                const simt::DeviceMemory& memory) {
    time::ModuleConstants constants;
    for (const sass::ConstantBank& bank : code.constants) {
        if (bank.number != 3 && bank.number != 4) continue;
        std::vector<std::byte>& bytes = bank.number == 3 ? constants.user : constants.variableAddresses;
        bytes = bank.bytes;
        for (const sass::ConstantBank::Address& address : bank.addresses) {
            const auto found = std::ranges::find(module.variables, address.variable, &ptx::Variable::name);
            const u64 at = found == module.variables.end()
                               ? 0
                               : memory.addressOf(ptx::VariableId{u32(found - module.variables.begin())});
            if (!at)
                return noTime(
                    Message(english("its machine code needs the address of {0}, which its PTX does not have"),
                            address.variable));
            std::memcpy(bytes.data() + address.offsetBytes, &at, sizeof at);
        }
    }
    return constants;
}

Expected<time::Program> timedProgram(const Run& run, const Launch& launch, const sass::MachineCode& code,
                                     const simt::DeviceMemory& memory) {
    const sass::Function* const function = code.find(launch.entry);
    const ptx::Function* const entry = run.module->findEntry(launch.entry);
    if (!function || !entry)
        return noTime(
            Message(english("there is no machine code of kernel \"{0}\""), ptx::shortName(launch.entry)));
    const Expected<sass::DecodedFunction> decoded = sass::decode(*function);
    if (!decoded) return Unexpected{decoded.error()};
    const auto parameters = simt::parameterBlock(*run.module, *entry, launch, run.recording.initial.size());
    if (!parameters) return Unexpected{parameters.error()};
    Expected<time::ModuleConstants> constants = moduleConstants(*run.module, code, memory);
    if (!constants) return Unexpected{constants.error()};
    const u64 shared = ptx::sharedLayout(*run.module, *entry, launch.dynamicSharedBytes).totalBytes;
    return time::makeProgram(*decoded,
                             {.grid = launch.grid, .block = launch.block, .sharedBytes = u32(shared)},
                             *parameters, std::move(*constants));
}

Expected<LaunchTimer> LaunchTimer::make(const Run& run, const Launch& launch, const sass::MachineCode& code) {
    std::vector<Buffer> buffers = run.recording.initial;
    Expected<time::Program> program =
        timedProgram(run, launch, code, simt::DeviceMemory(*run.module, buffers));
    if (!program) return Unexpected{program.error()};
    return LaunchTimer(run, std::move(*program), code.find(launch.entry)->registers);
}

Expected<time::LaunchTime> LaunchTimer::time(const time::TimeOptions& options) const {
    std::vector<Buffer> buffers = run_->recording.initial;
    const simt::DeviceMemory memory(*run_->module, buffers);
    return time::timeLaunch(program_, memory, run_->profile, *time::timeProfileOf(run_->profile), registers_,
                            options);
}

}  // namespace lockstep::run
