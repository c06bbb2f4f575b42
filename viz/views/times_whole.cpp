#include "viz/views/times_whole.h"

#include "viz/punctuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Words kWithCopies = english("Kernel and copies together: {0} ms.");
constexpr Words kFasterWithCopies = english(
    "Kernel and copies together: {0} ms, {1} times as fast as the CPU loop ({2} ms); without copies {3} "
    "times.");
constexpr Words kFirstExecution = english(
    "Warm-up: by the host's clock the first execution took {0} ms, which loads the code; after the warm-up "
    "it takes {1} ms from launch to synchronization.");
constexpr Words kFirstNotRecorded = english("Warm-up: the time of the first execution is not recorded.");
constexpr Words kNotRecordedBrief = english("not rec.");

// Three figures that count, as elsewhere in the table.
std::string figure(f64 value) {
    const int digits = value <= 0 ? 0 : std::clamp(2 - int(std::floor(std::log10(value))), 0, 5);
    return fmt::format("{:.{}f}", value, digits);
}

}  // namespace

std::optional<f64> withCopiesMs(const TimedKernel& kernel) {
    if (!kernel.run || kernel.milliseconds <= 0) return std::nullopt;
    if (!kernel.variant) return kernel.milliseconds;
    const std::optional<run::KernelTiming>& timing = kernel.run->measured.timing;
    if (!timing || !timing->toDevice || !timing->toHost) return std::nullopt;
    return kernel.milliseconds + timing->toDevice->milliseconds + timing->toHost->milliseconds;
}

std::string wholeTimeText(const TimedKernel& kernel, const TimedKernel* cpuLoop, Language language) {
    const std::string separator = sentenceGap(language);
    std::string text;
    if (const std::optional<f64> whole = withCopiesMs(kernel))
        text = cpuLoop
                   ? say(language, kFasterWithCopies, figure(*whole), figure(cpuLoop->milliseconds / *whole),
                         figure(cpuLoop->milliseconds), figure(cpuLoop->milliseconds / kernel.milliseconds))
                   : say(language, kWithCopies, figure(*whole));
    if (!kernel.run) return text;
    if (!text.empty()) text += separator;
    return text + (kernel.run->host ? say(language, kFirstExecution, figure(kernel.run->host->firstMs),
                                          figure(kernel.run->host->warmMs))
                                    : say(language, kFirstNotRecorded));
}

std::string withCopiesCell(const TimedKernel& kernel) {
    const std::optional<f64> whole = withCopiesMs(kernel);
    return whole ? figure(*whole) : "–";
}

std::string firstExecutionCell(const TimedKernel& kernel, Language language) {
    if (!kernel.variant || !kernel.run) return "–";
    return kernel.run->host ? figure(kernel.run->host->firstMs) : say(language, kNotRecordedBrief);
}

}  // namespace lockstep::viz
