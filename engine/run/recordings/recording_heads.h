// Which recordings ship, for a list: what stands at their top and how many runs they hold, read without
// building the runs.
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

// `file` for messages. A Fault where it is no recording.
Expected<RecordingHead> parseRecordingHead(const std::string& text, const std::string& file);
Expected<std::vector<RecordingHead>> shippedRecordingHeads(const Resources& resources);

}  // namespace lockstep::run
