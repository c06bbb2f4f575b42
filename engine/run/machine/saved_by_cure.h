// What a performance hint is worth in time: hints count what could be saved, the cycle model says whether the
// launch would be faster for it.
#pragma once

#include "explain/hints/hint.h"
#include "run/machine/waits_of_run.h"

#include <optional>
#include <string_view>

namespace lockstep::run {

// The change of the cycle model that takes away all that a rule of the hints counts; null: none does.
const time::ChangeRow* changeFor(std::string_view rule);

// A sentence with the error, where the launch would take less time by more than the model's error; else
// none: nothing is said of time that the model cannot tell.
std::optional<Message> savingText(const explain::Hint& hint, const WaitsOfRun& waits);

}  // namespace lockstep::run
