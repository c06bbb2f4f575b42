// While it lives, signals cancel the work instead of ending the program: what there is by then is kept.
#pragma once

#include "base/progress.h"
#include "base/text/language.h"

#include <initializer_list>
#include <utility>
#include <vector>

namespace lockstep::cli {

// From now on Ctrl+C says that the command is canceled before it ends the program, where nothing below is at
// work that can do better.
void tellOfInterrupts(Language language);

// Memory that there is not is said in one sentence; a file that grows too large is a write that fails.
void tellOfLimits(Language language);

class InterruptCancels {
public:
    InterruptCancels(Progress& progress, std::initializer_list<int> signals);  // one at a time
    ~InterruptCancels();
    InterruptCancels(const InterruptCancels&) = delete;
    InterruptCancels& operator=(const InterruptCancels&) = delete;

private:
    std::vector<std::pair<int, void (*)(int)>> before_;
};

}  // namespace lockstep::cli
