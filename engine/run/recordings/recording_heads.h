// The shipped recordings, for a list: their header fields and number of runs, read without building the runs.
#pragma once

#include "base/expected.h"
#include "run/resources.h"

#include <string>
#include <vector>

namespace lockstep::run {

struct RecordingHead {
    std::string name;  // of its file, without .json
    std::string device, driver, computeCapability, date;
    u64 runs = 0;
};

// `file` for messages. Fault: not a recording.
Expected<RecordingHead> parseRecordingHead(const std::string& text, const std::string& file);
Expected<std::vector<RecordingHead>> shippedRecordingHeads(const Resources& resources);

}  // namespace lockstep::run
