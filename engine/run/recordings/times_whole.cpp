#include "run/recordings/times_whole.h"

#include "base/text/punctuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::run {
namespace {

constexpr Words kWithCopies = english("Kernel and transfers together: {0}.");
constexpr Words kFasterWithCopies = english(
    "Kernel and transfers together: {0}. Speedup over the CPU loop ({2}): {1}; without the transfers {3}.");
constexpr Words kFirstExecution = english(
    "Warm-up: timed on the host, the first launch, which also loads the code, took {0}; later launches take "
    "{1} including synchronization.");
constexpr Words kFirstNotRecorded = english("Warm-up: the time of the first launch is not recorded.");
constexpr Words kNotRecordedBrief = english("not rec.");

}  // namespace

std::optional<f64> withCopiesMs(const TimedKernel& kernel) {
    if (!kernel.run || kernel.milliseconds <= 0) return std::nullopt;
    if (!kernel.variant) return kernel.milliseconds;
    const std::optional<KernelTiming>& timing = kernel.run->measured.timing;
    if (!timing || !timing->toDevice || !timing->toHost) return std::nullopt;
    return kernel.milliseconds + timing->toDevice->milliseconds + timing->toHost->milliseconds;
}

std::string wholeTimeText(const TimedKernel& kernel, const TimedKernel* cpuLoop, Language language) {
    const std::string separator = sentenceGap(language);
    std::string text;
    if (const std::optional<f64> whole = withCopiesMs(kernel))
        text = cpuLoop ? say(language, kFasterWithCopies, timeText(*whole),
                             threeDigits(cpuLoop->milliseconds / *whole), timeText(cpuLoop->milliseconds),
                             threeDigits(cpuLoop->milliseconds / kernel.milliseconds))
                       : say(language, kWithCopies, timeText(*whole));
    if (!kernel.run) return text;
    if (!text.empty()) text += separator;
    return text + (kernel.run->host ? say(language, kFirstExecution, timeText(kernel.run->host->firstMs),
                                          timeText(kernel.run->host->warmMs))
                                    : say(language, kFirstNotRecorded));
}

std::string withCopiesCell(const TimedKernel& kernel, const TimeUnit& unit) {
    const std::optional<f64> whole = withCopiesMs(kernel);
    return whole ? unit.figure(*whole) : "–";
}

std::string firstExecutionCell(const TimedKernel& kernel, const TimeUnit& unit, Language language) {
    if (!kernel.variant || !kernel.run) return "–";
    return kernel.run->host ? unit.figure(kernel.run->host->firstMs) : say(language, kNotRecordedBrief);
}

}  // namespace lockstep::run
