#include "app/cli/progress_line.h"

#include <chrono>
#include <cstdio>

#if defined(_WIN32)
#include <io.h>
#define LOCKSTEP_ISATTY(stream) _isatty(_fileno(stream))
#else
#include <unistd.h>
#define LOCKSTEP_ISATTY(stream) isatty(fileno(stream))
#endif

namespace lockstep::cli {

ProgressLine::ProgressLine(const Progress& progress) {
    if (!LOCKSTEP_ISATTY(stderr)) return;
    thread_ = std::thread([this, &progress] {
        using namespace std::chrono_literals;
        bool shown = false;
        std::unique_lock lock(mutex_);
        // Short runs end before anything is shown.
        for (auto pause = 700ms; !wake_.wait_for(lock, pause, [this] { return done_; }); pause = 100ms) {
            const u64 total = progress.total, done = progress.done;
            if (total && done >= total)  // what is left knows of no share
                std::fprintf(stderr, "\rall blocks ran; working out caches and the right result  (Ctrl+C stops)\033[K");
            else
                std::fprintf(stderr, "\r%3llu %%  (Ctrl+C stops the run)", static_cast<unsigned long long>(total ? done * 100 / total : 0));
            shown = true;
        }
        if (shown) std::fprintf(stderr, "\r\033[K");
    });
}

ProgressLine::~ProgressLine() {
    if (!thread_.joinable()) return;
    {
        const std::scoped_lock lock(mutex_);
        done_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

}  // namespace lockstep::cli
