// A run's performance hints, and the variants of the catalog that cure what they say.
#pragma once

#include "run/run.h"

namespace lockstep::explain {
struct HintFix;  // explain/hints/hint.h
}

namespace lockstep::run {

// Sets Run::hints; after a new report once more.
void findHints(Run& run);

// The cheapest way to the figures of a fix is to run it: larger runs than this, in thread instructions, name
// none. Some 50 ms on two cores.
inline constexpr u64 kMostForFixes = 20'000'000;

// Gives each hint of a run of the catalog the nearest variant of its family that cures it: of those that come
// after the run's variant (catalog::Variant::after) and fix something, the one with the least of the hint's
// unit. They run on the emulator with the same values.
void findFixes(const Resources& resources, Run& run, Progress* progress = nullptr);

// "lockstep compare transpose/shared transpose/shared-padded --set rows=1024": with what is not by default.
std::string compareCommand(const Run& run, const explain::HintFix& fix);

}  // namespace lockstep::run
