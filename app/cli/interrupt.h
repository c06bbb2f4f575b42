// While it lives, signals cancel the work instead of ending the program: what there is by then is kept.
#pragma once

#include "base/progress.h"

#include <initializer_list>
#include <utility>
#include <vector>

namespace lockstep::cli {

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
