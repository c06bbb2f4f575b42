#include "app/cli/progress_line.h"

#include "base/counted.h"
#include "base/percent.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

#if defined(_WIN32)
#include <io.h>
#define LOCKSTEP_ISATTY(stream) _isatty(_fileno(stream))
#else
#include <unistd.h>
#define LOCKSTEP_ISATTY(stream) isatty(fileno(stream))
#endif

namespace lockstep::cli {
namespace {

// Of the emulator it is known how far it is; of the others, what they are at.
std::string sentenceOf(run::Activity activity, const Progress& progress) {
    const u64 total = progress.total, done = progress.done;
    switch (activity) {
        case run::Activity::Emulating:
            if (total == 0) return "emulating";
            return fmt::format("{:>3}%, {} of {} blocks", wholePercentOf(done, total), grouped(done),
                               grouped(total));
        case run::Activity::Starting: return "on the GPU: starting";
        case run::Activity::Compiling: return "on the GPU: compiling";
        case run::Activity::Running: return "on the GPU: running";
        case run::Activity::Timing: return "on the GPU: timing";
        case run::Activity::Counting: return "on the GPU: counting";
        case run::Activity::Recording: return "on the GPU: recording the trace";
        case run::Activity::Checking: return "working out the right result on the CPU";
        case run::Activity::Caches: return "simulating the caches";
    }
    return {};
}

}  // namespace

ProgressLine::ProgressLine(std::string what) : ProgressLine([what = std::move(what)] { return what; }) {}

ProgressLine::ProgressLine(std::function<std::string()> sentence) {
    if (!LOCKSTEP_ISATTY(stderr)) return;
    thread_ = std::thread([this, sentence = std::move(sentence)] {
        using namespace std::chrono_literals;
        bool shown = false;
        std::unique_lock lock(mutex_);
        // Short runs end before anything is shown.
        for (auto pause = 700ms; !wake_.wait_for(lock, pause, [this] { return done_; }); pause = 100ms) {
            std::fprintf(stderr, "\r%s  (Ctrl+C cancels)\033[K", sentence().c_str());
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

RunProgressLine::RunProgressLine(const Progress& progress, std::string of)
    : line_([this, &progress, of = std::move(of)] {
          return of + (of.empty() ? "" : ", ") + sentenceOf(activity_, progress);
      }) {}

}  // namespace lockstep::cli
