// Every metric that the program counts or reads from hardware counters: one row each, with its name in words.
// Reports, comparisons, tables and the profiler's list of counters take their names from here.
#pragma once

#include "base/integers.h"
#include "base/text/words.h"

#include <span>
#include <string>
#include <string_view>

namespace lockstep::model {

// Where the value comes from.
enum class Source : u8 { Model, Hardware, Both };

struct Metric {
    std::string key;  // of Report::counters and of measurements: ncu's name without .sum, or ptx__ and
                      // model__ of our own
    Words what;       // plural, to follow a number: "global load sectors"
    Source source = Source::Both;

    bool isPredicted() const { return source != Source::Hardware; }
    bool isCounted() const { return source != Source::Model; }
};

// In reading order: global memory, shared memory, instructions.
std::span<const Metric> metrics();
const Metric* findMetric(std::string_view key);

}  // namespace lockstep::model
