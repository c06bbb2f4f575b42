// How far a figure of the model may be from the hardware counter, and why: the one place for tests, `lockstep
// validate` and docs/internals/accuracy.md.
#pragma once

#include "base/integers.h"
#include "base/text/words.h"

#include <span>
#include <string_view>

namespace lockstep::model {

// Which of several readings of a counter represents them.
enum class Stands : u8 {
    First,  // an exact rule: all are the same
    Median,
    Least,  // other activity only adds to it
};

struct Tolerance {
    std::string_view metric;  // of Report::counters
    f64 relative = 0;         // of the larger of both
    f64 absolute = 0;         // whichever allows more
    Words reason;             // why it is not exact; of exact ones why it is
    f64 added = 0;            // typical excess of the program's own counting over the kernel's: added to
                              // the model's figure

    bool onlyAdded = false;  // other activity never makes a reading smaller

    // An exact rule; all others vary between measurements.
    bool isExact() const { return relative == 0 && absolute == 0; }
    Stands stands() const { return isExact() ? Stands::First : onlyAdded ? Stands::Least : Stands::Median; }
};

std::span<const Tolerance> tolerances();
// None for a metric without a row: it is not compared.
const Tolerance* findTolerance(std::string_view metric);
bool agrees(const Tolerance& tolerance, f64 model, f64 measured);

}  // namespace lockstep::model
