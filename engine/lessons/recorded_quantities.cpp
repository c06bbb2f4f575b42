// Figures that were measured on a GPU, now in a recording: a lesson names the device beside them.
#include "base/text/quantities.h"
#include "lessons/quantity_rows.h"
#include "lessons/site_clues.h"

#include <cmath>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;

const run::RecordedRun* recordedOf(P place) {
    return place.facts ? place.facts->recorded(place.recorded) : nullptr;
}

using Milliseconds = std::optional<f64> (*)(const run::RecordedRun&);

std::optional<f64> kernelOf(const run::RecordedRun& run) {
    if (!run.measured.timing) return {};
    return run.measured.timing->kernel.median;
}
std::optional<f64> firstOf(const run::RecordedRun& run) {
    if (!run.host) return {};
    return run.host->firstMs;
}
std::optional<f64> againOf(const run::RecordedRun& run) {
    if (!run.host) return {};
    return run.host->warmMs;
}
std::optional<f64> copiesOf(const run::RecordedRun& run) {
    const auto& timing = run.measured.timing;
    if (!timing || !timing->toDevice || !timing->toHost) return {};
    return timing->toDevice->milliseconds + timing->toHost->milliseconds;
}
std::optional<f64> cpuOf(const run::RecordedRun& run) { return run.cpuMilliseconds; }

template <Milliseconds Of> Number nanoseconds(P place) {
    constexpr f64 kNanoseconds = 1e6;
    const run::RecordedRun* run = recordedOf(place);
    const std::optional<f64> milliseconds = run ? Of(*run) : std::nullopt;
    return milliseconds ? Number(s64(std::llround(*milliseconds * kNanoseconds))) : Number();
}
template <Milliseconds Of> std::optional<std::string> inWords(P place) {
    const run::RecordedRun* run = recordedOf(place);
    const std::optional<f64> milliseconds = run ? Of(*run) : std::nullopt;
    return milliseconds ? std::optional(timeText(*milliseconds)) : std::nullopt;
}

Number warpsOf(P place) {
    const run::RecordedRun* run = recordedOf(place);
    if (!run || run->measured.blocksPerSm == 0) return {};
    const u64 threads = place.run->recording.launches.front().block.count();
    return s64(run->measured.blocksPerSm * ((threads + kWarpSize - 1) / kWarpSize));
}

Message recordedRegistersClue(P place) {
    const run::RecordedRun* run = recordedOf(place);
    if (!run || run->measured.registers.empty()) return {};
    return Message(english("Each thread takes {0} {0:register|registers}."), run->measured.registers.front());
}

// Another time of the same recording, beside which the one that is asked for stands.
template <Milliseconds Of> Message timeClue(P place, const Words& words) {
    const std::optional<std::string> time = inWords<Of>(place);
    return time ? Message(words, *time) : Message();
}
Message kernelClue(P place) {
    return timeClue<kernelOf>(place, english("On the GPU the kernel itself takes {0}."));
}
Message cpuClue(P) {
    return english(
        "A core of the CPU computes one element after another; the GPU computes thousands at the same "
        "time.");
}
Message againClue(P place) { return timeClue<againOf>(place, english("A later launch takes {0}.")); }
Message copiedClue(P place) {
    u64 bytes = 0;
    for (const Buffer& buffer : place.run->recording.initial)
        bytes += buffer.bytes.size();
    return Message(english("The arrays have {0} {0:byte|bytes} together."), bytes);
}
Message allowedClue(P place) {
    const Number warps = warpsOf(place);
    return warps ? Message(english("The driver allowed {0} resident {0:warp|warps} per SM."), *warps)
                 : Message();
}

}  // namespace

std::vector<Quantity> recordedRows() {
    return {
        {"recorded_ns", english("nanoseconds that the kernel took on a GPU, as recorded"),
         NumberOf(nanoseconds<kernelOf>), Clues(trafficClue, workOfThreadClue)},
        {"recorded_time", english("the same in words"), NameOf(inWords<kernelOf>)},
        {"recorded_device", english("the GPU of the recording"),
         NameOf([](P p) -> std::optional<std::string> {
             return recordedOf(p) ? std::optional(p.facts->recordedDevice()) : std::nullopt;
         })},
        {"recorded_first_ns",
         english("nanoseconds of its very first launch, by the host's clock, as recorded"),
         NumberOf(nanoseconds<firstOf>), Clues(againClue, kernelClue)},
        {"recorded_first_time", english("the same in words"), NameOf(inWords<firstOf>)},
        {"recorded_again_ns", english("nanoseconds of a later launch, by the host's clock, as recorded"),
         NumberOf(nanoseconds<againOf>), kernelClue},
        {"recorded_again_time", english("the same in words"), NameOf(inWords<againOf>)},
        {"recorded_copies_ns", english("nanoseconds to copy all arrays to the GPU and back, as recorded"),
         NumberOf(nanoseconds<copiesOf>), Clues(copiedClue, kernelClue)},
        {"recorded_copies_time", english("the same in words"), NameOf(inWords<copiesOf>)},
        {"recorded_cpu_ns", english("nanoseconds of the plain loop on that machine's CPU, as recorded"),
         NumberOf(nanoseconds<cpuOf>), Clues(cpuClue, kernelClue)},
        {"recorded_cpu_time", english("the same in words"), NameOf(inWords<cpuOf>)},
        {"recorded_warps_per_sm", english("resident warps per SM that the driver allowed, as recorded"),
         NumberOf(warpsOf), recordedRegistersClue},
        {"recorded_registers", english("registers per thread, as recorded"), NumberOf([](P p) -> Number {
             const run::RecordedRun* run = recordedOf(p);
             return run && !run->measured.registers.empty() ? Number(run->measured.registers.front())
                                                            : Number();
         }),
         allowedClue},
    };
}

}  // namespace lockstep::lessons
