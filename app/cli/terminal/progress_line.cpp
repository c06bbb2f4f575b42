#include "app/cli/terminal/progress_line.h"

#include "app/cli/terminal/is_terminal.h"
#include "base/text/message.h"

#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace lockstep::cli {
namespace {

// The emulator reports progress; the others only their activity.
Message sentenceOf(run::Activity activity, const Progress& progress, std::optional<f64> secondsLeft) {
    switch (activity) {
        case run::Activity::Emulating:
            if (progress.total == 0) return english("emulating");
            return run::emulatedSoFar(progress, secondsLeft);
        case run::Activity::Starting: return english("on the GPU: starting");
        case run::Activity::Compiling: return english("on the GPU: compiling");
        case run::Activity::Running: return english("on the GPU: running");
        case run::Activity::Timing: return english("on the GPU: timing");
        case run::Activity::Counting: return english("on the GPU: counting");
        case run::Activity::Recording: return english("on the GPU: recording the trace");
        case run::Activity::Checking: return english("working out the right result on the CPU");
        case run::Activity::Caches: return english("simulating the caches");
    }
    return {};
}

}  // namespace

ProgressLine::ProgressLine(Language language, std::string what)
    : ProgressLine(language, [what = std::move(what)] { return what; }) {}

ProgressLine::ProgressLine(Language language, std::function<std::string()> sentence) {
    if (!isTerminal(stderr)) return;
    thread_ = std::thread([this, language, sentence = std::move(sentence)] {
        using namespace std::chrono_literals;
        bool shown = false;
        std::unique_lock lock(mutex_);
        // Short runs end before anything is shown.
        for (auto pause = 700ms; !wake_.wait_for(lock, pause, [this] { return done_; }); pause = 100ms) {
            std::fprintf(stderr, "\r%s  %s\033[K", sentence().c_str(),
                         say(language, english("(Ctrl+C cancels)")).c_str());
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

RunProgressLine::RunProgressLine(Language language, const Progress& progress, std::string of)
    : line_(language, [this, language, &progress, of = std::move(of)] {
          const std::chrono::duration<f64> passed = std::chrono::steady_clock::now() - began_;
          left_.tell(passed.count(), shareDone(progress));
          const Message sentence = sentenceOf(activity_, progress, left_.left());
          return of.empty() ? sentence.in(language) : say(language, english("{0}, {1}"), of, sentence);
      }) {}

}  // namespace lockstep::cli
