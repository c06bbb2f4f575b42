#include "app/shell/timing.h"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <string>

namespace lockstep::shell {
namespace {

f64 secondsOf(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return f64(now.tv_sec) + f64(now.tv_nsec) * 1e-9;
}

}  // namespace

f64 secondsSinceProcessStart() {
    // proc(5): field 22 of stat is the start in clock ticks since boot; field 2, in parentheses, may hold
    // anything.
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    std::size_t at = text.rfind(')');
    constexpr int kFieldsAfterName = 20;
    for (int field = 0; field < kFieldsAfterName && at != std::string::npos; ++field)
        at = text.find(' ', at + 1);
    if (at == std::string::npos) return 0;
    return secondsOf(CLOCK_BOOTTIME) -
           f64(std::strtoull(text.c_str() + at, nullptr, 10)) / f64(sysconf(_SC_CLK_TCK));
}

f64 queuedSeconds() {
    // Documentation/scheduler/sched-stats: ns on the processor, ns waiting for it, times.
    std::ifstream file("/proc/thread-self/schedstat");
    u64 running = 0, waiting = 0;
    file >> running >> waiting;
    return f64(waiting) * 1e-9;
}

f64 threadSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace lockstep::shell
