// While it lives, signals cancel the work instead of ending the program: partial results are kept.
#pragma once

#include "base/progress.h"
#include "base/text/language.h"

#include <initializer_list>
#include <utility>
#include <vector>

namespace lockstep::cli {

// From now on Ctrl+C prints that the command is canceled before it ends the program, unless one of the
// classes below is active.
void tellOfInterrupts(Language language);

// Out of memory is reported in one sentence; a file that grows too large is a failed write.
void tellOfLimits(Language language);

class InterruptCancels {
public:
    enum class SecondTime : unsigned char { Waits, Quits };  // whether a second signal ends the program
    InterruptCancels(Progress& progress, std::initializer_list<int> signals,
                     SecondTime second = SecondTime::Waits);  // one at a time
    ~InterruptCancels();
    InterruptCancels(const InterruptCancels&) = delete;
    InterruptCancels& operator=(const InterruptCancels&) = delete;

private:
    std::vector<std::pair<int, void (*)(int)>> before_;
};

}  // namespace lockstep::cli
