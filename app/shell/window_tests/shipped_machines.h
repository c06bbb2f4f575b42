// The recordings that ship, for windows of tests whose views show measured times.
#pragma once

#include "app/shell/files/recorded_machines.h"
#include "catalog/catalog.h"
#include "run/recordings/times_facts.h"
#include "run/resources.h"

#include <memory>
#include <utility>
#include <vector>

namespace lockstep::shell {

inline std::shared_ptr<const RecordedMachines> shippedMachines() {
    static const auto machines =
        std::make_shared<const RecordedMachines>([]() -> Expected<RecordedMachines::All> {
            const run::Resources resources{LOCKSTEP_SOURCE_DIR};
            static const Expected<catalog::Catalog> catalog = catalog::Catalog::read(resources.kernels());
            Expected<std::vector<run::HardwareRecording>> all = run::shippedRecordings(resources);
            if (!all) return Unexpected{all.error()};
            return std::make_shared<const std::vector<run::RecordedMachine>>(
                run::recordedMachines(std::move(*all), *catalog));
        });
    return machines;
}

}  // namespace lockstep::shell
