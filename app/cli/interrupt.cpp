#include "app/cli/interrupt.h"

#include "app/cli/cli.h"

#include <unistd.h>

#include <csignal>
#include <new>
#include <string_view>

namespace lockstep::cli {
namespace {

std::atomic<bool>* cancelledByKey = nullptr;
extern "C" void onInterrupt(int) {
    if (cancelledByKey) cancelledByKey->store(true, std::memory_order_relaxed);
}

// The parent process sees that the program was ended by the signal.
extern "C" void onTold(int signal) {
    constexpr std::string_view kSentence = "\r\033[Klockstep: canceled\n";
    constexpr std::string_view kPlain = kSentence.substr(4);
    const std::string_view text = isatty(STDERR_FILENO) ? kSentence : kPlain;
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void tellOfInterrupts() {
    if (std::signal(SIGINT, onTold) == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // started in the background
}

void tellOfLimits() {
    std::set_new_handler([] {
        constexpr std::string_view kSentence =
            "lockstep: there is not enough memory for this; choose a smaller size or fewer --threads\n";
        [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kSentence.data(), kSentence.size());
        _exit(kUsageError);
    });
    std::signal(SIGXFSZ, SIG_IGN);
}

InterruptCancels::InterruptCancels(Progress& progress, std::initializer_list<int> signals) {
    cancelledByKey = &progress.cancelled;
    for (const int signal : signals)
        before_.emplace_back(signal, std::signal(signal, onInterrupt));
}

InterruptCancels::~InterruptCancels() {
    for (const auto& [signal, handler] : before_)
        std::signal(signal, handler);
    cancelledByKey = nullptr;
}

}  // namespace lockstep::cli
