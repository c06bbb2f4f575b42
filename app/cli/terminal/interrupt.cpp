#include "app/cli/terminal/interrupt.h"

#include "app/cli/exit_status.h"
#include "base/text/words.h"

#include <unistd.h>

#include <csignal>
#include <new>
#include <string_view>

namespace lockstep::cli {
namespace {

std::atomic<bool>* cancelledByKey = nullptr;
bool quitsAtSecond = false;

// Sentences prepared in advance: where they are printed, memory must not be allocated.
std::string canceled, noMemory;
void put(std::string_view text) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void onInterrupt(int signal) {
    const bool isSecond = cancelledByKey && cancelledByKey->exchange(true, std::memory_order_relaxed);
    if (!isSecond || !quitsAtSecond) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

// The parent process must see that the signal ended the program.
extern "C" void onTold(int signal) {
    constexpr std::string_view kClearsTheLine = "\r\033[K";
    if (isatty(STDERR_FILENO)) put(kClearsTheLine);
    put(canceled);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

void tellOfInterrupts(Language language) {
    canceled = "lockstep: " + say(language, english("canceled")) + "\n";
    if (std::signal(SIGINT, onTold) == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // started in the background
}

void tellOfLimits(Language language) {
    noMemory = "lockstep: " +
               say(language, english("there is not enough memory for this; choose a smaller size or fewer "
                                     "--threads")) +
               "\n";
    std::set_new_handler([] {
        put(noMemory);
        _exit(kUsageError);
    });
    std::signal(SIGXFSZ, SIG_IGN);
}

InterruptCancels::InterruptCancels(Progress& progress, std::initializer_list<int> signals,
                                   SecondTime second) {
    cancelledByKey = &progress.cancelled;
    quitsAtSecond = second == SecondTime::Quits;
    for (const int signal : signals)
        before_.emplace_back(signal, std::signal(signal, onInterrupt));
}

InterruptCancels::~InterruptCancels() {
    for (const auto& [signal, handler] : before_)
        std::signal(signal, handler);
    cancelledByKey = nullptr;
}

}  // namespace lockstep::cli
