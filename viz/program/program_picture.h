// A whole program: its operations from left to right in the order in which it asked for them, a row for each
// stream, and the memory that they use. No widths are times: there are none.
#pragma once

#include "base/text/words.h"
#include "operations/operations.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <optional>
#include <string>

namespace lockstep::viz {

struct ProgramInput {
    const operations::Operations& operations;
    std::string program;  // its file, as it was named
    Size size;            // the scene is higher where there is more to show
    Language language = Language::English;
    const TextMetrics& metrics;
    std::optional<u32> followed{};  // a buffer, whose operations are framed
};

// Hits say what lies there.
Scene buildProgram(const ProgramInput& in);

}  // namespace lockstep::viz
