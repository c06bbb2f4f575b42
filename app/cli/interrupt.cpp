#include "app/cli/interrupt.h"

#include <csignal>

namespace lockstep::cli {
namespace {

std::atomic<bool>* cancelledByKey = nullptr;
extern "C" void onInterrupt(int) {
    if (cancelledByKey) cancelledByKey->store(true, std::memory_order_relaxed);
}

}  // namespace

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
