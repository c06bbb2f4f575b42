// What a run is at, for those who wait for it.
#pragma once

#include <functional>

#include "base/integers.h"

namespace lockstep::run {

// The first is the emulator's, the last the model's, those between are the GPU's.
enum class Activity : u8 { Emulating, Starting, Compiling, Running, Timing, Counting, Recording, Caches };

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
