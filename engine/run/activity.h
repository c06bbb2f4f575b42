// What a run is at, for those who wait for it.
#pragma once

#include "base/integers.h"

#include <functional>

namespace lockstep::run {

// The first is the emulator's, from Starting to Recording they are the GPU's; then the right result is worked
// out, and the caches are the model's.
enum class Activity : u8 {
    Emulating,
    Starting,
    Compiling,
    Running,
    Timing,
    Counting,
    Recording,
    Checking,
    Caches
};

// While it lives, `told` hears of every activity that a run on this thread begins with.
class ActivityListener {
public:
    explicit ActivityListener(std::function<void(Activity)> told);
    ActivityListener(const ActivityListener&) = delete;
    ActivityListener& operator=(const ActivityListener&) = delete;
    ~ActivityListener();

private:
    std::function<void(Activity)> before_;
};

// Of the run: to this thread's listener, if there is one.
void beginActivity(Activity activity);

}  // namespace lockstep::run
