// Where the hardware is known to count something else than the model: since the machine code is not the PTX,
// or since the figure depends on when things happen. One row a mechanism, each with what shows that it is at
// work. docs/guide/validate.md lists them.
#pragma once

#include "base/text/text.h"
#include "run/run.h"

#include <span>
#include <string_view>

namespace lockstep::run {

struct KnownDifference {
    const char* name;
    std::span<const char* const> metrics;  // that it changes
    enum class Direction : u8 { More, Less, Either } hardwareCounts = Direction::Either;
    // In this kernel, as it ran on the emulator, with these figures.
    bool (*isAtWork)(const Run& run, std::string_view metric, f64 model, f64 measured);
    Words reason;  // what comes behind the figures
};

std::span<const KnownDifference> knownDifferences();
// nullptr: the difference has no explanation.
const KnownDifference* explain(const Run& run, std::string_view metric, f64 model, f64 measured);

}  // namespace lockstep::run
