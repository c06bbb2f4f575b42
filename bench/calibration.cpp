#include "calibration.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>

#if defined(__x86_64__) && defined(__GNUC__)
#define LOCKSTEP_WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define LOCKSTEP_WIDEST
#endif

namespace lockstep::bench {
namespace {

constexpr int kPasses = 10'000, kRuns = 200;
constexpr std::size_t kGroup = 128;
using Page = std::array<f32, 1024>;  // 4 KiB

// Every element tends to 2: no value is ever so small that the CPU slows down.
LOCKSTEP_WIDEST void multiplyAndAdd(Page& page) {
    for (int pass = 0; pass < kPasses; ++pass) {
        // In groups that the compiler unrolls: the speed of a short loop depends on its alignment.
        for (std::size_t group = 0; group < page.size(); group += kGroup)
            for (std::size_t element = group; element < group + kGroup; ++element)
                page[element] = page[element] * 0.5f + 1.0f;
        benchmark::ClobberMemory();
    }
}

}  // namespace

f64 calibrationSeconds() {
    static const f64 fastest = [] {
        using Clock = std::chrono::steady_clock;
        alignas(4096) static Page page{};
        benchmark::DoNotOptimize(page.data());
        Clock::duration least = Clock::duration::max();
        for (int run = 0; run < kRuns; ++run) {
            const auto begun = Clock::now();
            multiplyAndAdd(page);
            least = std::min(least, Clock::now() - begun);
        }
        return std::chrono::duration<f64>(least).count();
    }();
    return fastest;
}

}  // namespace lockstep::bench
