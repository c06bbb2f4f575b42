// What a lesson asks of a run that takes time to find out: found when it is first asked for, then kept.
#pragma once

#include "run/orders/order_search.h"
#include "run/recordings/recordings.h"
#include "run/run.h"
#include "sass/machine_code.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::lessons {

class RunFacts {
public:
    using Settings = std::vector<std::pair<std::string, std::string>>;

    RunFacts(run::Resources resources, std::shared_ptr<const run::Run> run)
        : resources_(std::move(resources)), run_(std::move(run)) {}

    // What a recording has of the run's kernel, with these values in place of the run's own. Null: nothing.
    const run::RecordedRun* recorded(const Settings& instead);
    const std::string& recordedDevice() const { return device_; }  // of the last one found
    // As shipped, for the run's device. Null: none is.
    const sass::MachineCode* machineCode();
    // Its orders of warps, blocks and lanes; null: they cannot be tried.
    const run::OrderSearch* orders();

private:
    run::Resources resources_;
    std::shared_ptr<const run::Run> run_;
    std::optional<std::vector<run::HardwareRecording>> recordings_;
    std::string device_;
    std::optional<std::shared_ptr<const sass::MachineCode>> code_;
    std::optional<Expected<run::OrderSearch>> orders_;
};

}  // namespace lockstep::lessons
