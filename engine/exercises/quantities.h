// What the rules of an exercise can speak of: one row a quantity, with how a run is counted for it. The
// rules' syntax, their sentences, the JSON and the list in `lockstep check --rules` come from here.
#pragma once

#include "base/text/message.h"
#include "run/run.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::exercises {

// A quantity of one run.
struct Measured {
    f64 value = 0;  // of a flag: 1 or 0
    // Where most of it is counted, by file and line; line 0: nowhere in particular. `there` says what happens
    // there, or of a flag why it does not hold.
    std::string file = {};
    u32 line = 0;
    Message there = {};
    bool isAllThere = true;  // else other lines have a part of it
};

struct Quantity {
    std::string_view name;  // "bank_conflicts"
    Words what;             // "Extra wavefronts of ..."
    Words amount = {};      // "{0} {0:sector|sectors}", to follow another sentence; empty: a flag
    Measured (*measure)(const run::Run& run) = nullptr;
    // The least that any kernel for the task needs, for `least` in a rule; null: it has none.
    f64 (*least)(const run::Run& run) = nullptr;
    bool isOfEachWarp = false;  // the run must have recorded every block

    bool isFlag() const { return amount.empty(); }
};
std::span<const Quantity> quantities();
const Quantity* findQuantity(std::string_view name);

// "1,024", "37.5"
std::string numberText(f64 value);

}  // namespace lockstep::exercises
