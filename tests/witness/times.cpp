#include "times.h"

#include <algorithm>

namespace lockstep::witness {

bool isRecordedSize(const World& world, const std::string& family,
                    const std::vector<std::pair<std::string, std::string>>& settings) {
    for (const viz::RecordedMachine& machine : world.machines)
        for (const run::RecordedRun& run : machine.recording.runs)
            if (run.kernel.starts_with(family + "/") && std::ranges::all_of(settings, [&](const auto& pair) {
                    return std::ranges::find(run.parameters, pair) != run.parameters.end();
                }))
                return true;
    return false;
}

}  // namespace lockstep::witness
