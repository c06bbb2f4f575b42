// A whole program: its operations from left to right in the order in which it asked for them, a row for each
// stream, and the memory that they use. No widths are times: there are none.
#pragma once

#include "base/text/words.h"
#include "operations/operations.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::viz {

// What is drawn there.
struct ProgramTarget {
    Rect rect;
    std::optional<u64> operation{};  // by its index
    u64 times = 1, length = 1;       // of a stretch that is repeated: the same comes so much later again
    std::optional<u32> buffer{};
};

struct ProgramInput {
    const operations::Operations& operations;
    std::string program;  // its file, as it was named
    Size size;            // the scene is higher where there is more to show
    Language language = Language::English;
    const TextMetrics& metrics;
    std::optional<u32> followed{};                  // a buffer, whose operations are framed
    bool titled = true;                             // with a head that names the program
    std::vector<ProgramTarget>* targets = nullptr;  // where somebody wants to know what lies where
};

// Hits say what lies there.
Scene buildProgram(const ProgramInput& in);

}  // namespace lockstep::viz
