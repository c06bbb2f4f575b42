// The current activity of a run, for progress display.
#pragma once

#include "base/integers.h"
#include "base/progress.h"
#include "base/text/message.h"

#include <functional>
#include <optional>

namespace lockstep::run {

// The first is the emulator's; Starting to Recording are the GPU's; then the reference is computed, and the
// model simulates the caches.
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

// While it lives, calls `told` with every activity that a run on this thread begins.
class ActivityListener {
public:
    explicit ActivityListener(std::function<void(Activity)> told);
    ActivityListener(const ActivityListener&) = delete;
    ActivityListener& operator=(const ActivityListener&) = delete;
    ~ActivityListener();

private:
    std::function<void(Activity)> before_;
};

// Called by the run: notifies this thread's listener, if any.
void beginActivity(Activity activity);

// How far the emulator is, with a total: "12%, 8,012 of 65,536 blocks, about 40 s left"; of blocks so long
// that none has ended, "0 of 4 blocks, 12,345,678 warp instructions".
Message emulatedSoFar(const Progress& progress, std::optional<f64> secondsLeft);

}  // namespace lockstep::run
