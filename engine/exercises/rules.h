// A rule of an exercise: "sectors <= 1.1 * least". A quantity, a comparison and a limit over the parameters,
// the launch and other quantities.
#pragma once

#include "base/expected.h"
#include "catalog/catalog.h"
#include "exercises/quantities.h"

#include <string>
#include <vector>

namespace lockstep::exercises {

enum class Comparison : u8 { Equal, AtMost, AtLeast, Less, More };

struct Rule {
    std::string text;
    const Quantity* quantity = nullptr;
    Comparison comparison = Comparison::Equal;
    f64 factor = 1;     // of the limit
    std::string limit;  // an expression; empty: of a flag
};
// parameters: the names that the exercise has given a meaning.
Expected<Rule> parseRule(const std::string& text, const std::vector<std::string>& parameters);

// What it asks for: "Sectors of global memory, of all accesses: at most the least that is possible".
Message inWords(const Rule& rule);

// Names of the launch that limits may have: of all launches together.
const std::vector<std::string>& launchNames();
// A parameter of this name would be hidden.
bool isRuleWord(const std::string& name);

struct RuleResult {
    bool holds = true;
    Measured measured;
    f64 limit = 1;
    Message sentence;  // what is missing; empty if it holds
};
// Fault: its limit has no value at this size.
Expected<RuleResult> apply(const Rule& rule, const run::Run& run);

}  // namespace lockstep::exercises
