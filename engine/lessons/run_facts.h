// What a lesson asks of a run that takes time to find out: found when it is first asked for, then kept.
#pragma once

#include "run/recordings/recordings.h"
#include "run/run.h"
#include "sass/machine_code.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::run {
struct TimedRun;      // run/machine/timed_run.h
struct ChangedTimes;  // run/machine/changed_times.h
}  // namespace lockstep::run
namespace lockstep::time {
enum class Change : u8;  // time/model/change.h
}

namespace lockstep::lessons {

class RunFacts {
public:
    using Settings = std::vector<std::pair<std::string, std::string>>;

    // file: of a kernel of the lesson's own.
    RunFacts(run::Resources resources, std::shared_ptr<const run::Run> run,
             std::optional<run::FileRequest> file = {})
        : resources_(std::move(resources)), run_(std::move(run)), file_(std::move(file)) {}

    // What a recording has of the run's kernel, with these values in place of the run's own. Null: nothing.
    const run::RecordedRun* recorded(const Settings& instead);
    const std::string& recordedDevice() const { return device_; }  // of the last one found
    // As shipped, for the run's device. Null: none is.
    const sass::MachineCode* machineCode();
    // How long it takes and what its warps wait for, by the cycle model; and its first launch with one thing
    // changed. Null: the model has no time of it. Takes a second or so.
    const run::TimedRun* time();
    const run::ChangedTimes* with(time::Change change);
    // Orders in which its blocks, warps and lanes may take turns. None: they cannot be tried.
    struct Orders {
        s64 tried = 0, changed = 0;  // changed: gave another result
    };
    std::optional<Orders> orders();
    // The run with a barrier of the block behind a line of its source. Fault: no barrier can stand there.
    Expected<std::shared_ptr<const run::Run>> withBarrier(u32 line);

private:
    run::Resources resources_;
    std::shared_ptr<const run::Run> run_;
    std::optional<run::FileRequest> file_;
    std::optional<std::vector<run::HardwareRecording>> recordings_;
    std::string device_;
    std::optional<std::shared_ptr<const sass::MachineCode>> code_;
    std::optional<std::optional<Orders>> orders_;
    std::optional<std::shared_ptr<const run::TimedRun>> time_;
    std::map<time::Change, std::shared_ptr<const run::ChangedTimes>> changed_;
    std::map<u32, Expected<std::shared_ptr<const run::Run>>> withBarrier_;
};

}  // namespace lockstep::lessons
