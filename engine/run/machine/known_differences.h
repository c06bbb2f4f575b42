// Known reasons for hardware counters to differ from the model: machine code differs from the PTX, or the
// figure depends on timing. One row per mechanism, each with a test for whether it applies.
// docs/guide/validate.md lists them.
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
    // Whether it applies to this kernel, as run on the emulator, with these figures.
    bool (*isAtWork)(const Run& run, std::string_view metric, f64 model, f64 measured);
    Words reason;  // text after the figures
};

std::span<const KnownDifference> knownDifferences();
// nullptr: no known explanation.
const KnownDifference* explain(const Run& run, std::string_view metric, f64 model, f64 measured);

}  // namespace lockstep::run
