#include "cuda/worker/time_job.h"

#include "base/median.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lockstep::cuda {
namespace {

using Clock = std::chrono::steady_clock;

// Events have a resolution of about half a microsecond (CUDA Driver API, cuEventElapsedTime): below this,
// several executions share one pair.
constexpr f64 kShortMs = 0.05, kBatchMs = 0.25;
constexpr u32 kMostBatch = 200;
// Clocks rise under load, and first executions pay for loading code.
constexpr f64 kWarmUpMs = 20;
constexpr u32 kLeastExecutions = 3, kMostWarmUps = 1000;
// More than the host needs to queue one launch; the device spins that long, so that it never waits for the
// host between the two events. In cycles of at most 2 GHz or so.
constexpr u64 kCyclesToQueueOne = 10'000, kCyclesToBegin = 40'000;
constexpr u32 kCopies = 5, kHostExecutions = 5;

class Stopwatch {
public:
    static Expected<Stopwatch> make(const Context& context) {
        Expected<Event> begin = Event::create(context), end = Event::create(context);
        if (!begin) return Unexpected{begin.error()};
        if (!end) return Unexpected{end.error()};
        return Stopwatch(std::move(*begin), std::move(*end));
    }
    Expected<void> start() const { return begin_.record(); }
    Expected<f64> stop() const {
        Expected<void> done = end_.record();
        if (done) done = end_.wait();
        if (!done) return Unexpected{done.error()};
        return Event::milliseconds(begin_, end_);
    }

private:
    Stopwatch(Event begin, Event end) : begin_(std::move(begin)), end_(std::move(end)) {}
    Event begin_, end_;
};

class JobTimer {
public:
    JobTimer(const Job& job, PreparedJob& prepared, HelperKernels& helpers, Stopwatch stopwatch)
        : job_(job), prepared_(prepared), helpers_(helpers), stopwatch_(std::move(stopwatch)) {}

    // Executes until the clocks have ramped up; returns the last one's milliseconds.
    Expected<f64> warmUp() {
        f64 sum = 0;
        Expected<f64> last = 0.0;
        for (u32 i = 0; i < kLeastExecutions || (sum < kWarmUpMs && i < kMostWarmUps); ++i) {
            last = measure(1);
            if (!last) return last;
            sum += *last;
        }
        return last;
    }

    // Milliseconds of `batch` executions from a measurement's start state: initial contents, and the
    // requested cache state.
    Expected<f64> measure(u32 batch) {
        Expected<void> done = prepared_.restore();
        if (done && job_.cache == CacheState::Cold) done = helpers_.coolCache();
        if (done) done = helpers_.spin(kCyclesToBegin + kCyclesToQueueOne * batch * prepared_.launches());
        if (done) done = stopwatch_.start();
        for (u32 i = 0; i < batch && done; ++i)
            done = prepared_.launchAll();
        if (!done) return Unexpected{done.error()};
        return stopwatch_.stop();
    }

    // Median of a few executions by the host's clock, each from the initial contents.
    Expected<f64> hostMilliseconds() {
        std::vector<f64> milliseconds;
        for (u32 i = 0; i < kHostExecutions; ++i) {
            if (const Expected<void> restored = prepared_.restore(); !restored)
                return Unexpected{restored.error()};
            Expected<f64> one = prepared_.hostMilliseconds();
            if (!one) return one;
            milliseconds.push_back(*one);
        }
        return median(std::move(milliseconds));
    }

private:
    const Job& job_;
    PreparedJob& prepared_;
    HelperKernels& helpers_;
    Stopwatch stopwatch_;
};

template <class Work> Expected<Copy> timeCopy(u64 bytes, Work&& work) {
    std::vector<f64> milliseconds;
    for (u32 i = 0; i < kCopies; ++i) {
        const auto start = Clock::now();
        const auto done = work();
        if (!done) return Unexpected{done.error()};
        milliseconds.push_back(std::chrono::duration<f64, std::milli>(Clock::now() - start).count());
    }
    return Copy{bytes, median(std::move(milliseconds))};
}

}  // namespace

Expected<Timing> timeJob(const Context& context, const Job& job, PreparedJob& prepared,
                         HelperKernels& helpers, const Report& report) {
    Expected<Stopwatch> stopwatch = Stopwatch::make(context);
    if (!stopwatch) return Unexpected{stopwatch.error()};
    JobTimer timer(job, prepared, helpers, std::move(*stopwatch));
    Timing timing{.milliseconds = {},
                  .batch = 1,
                  .cache = job.cache,
                  .smMegahertz = 0,
                  .host = {},
                  .toDevice = {},
                  .toHost = {}};

    const Expected<f64> one = timer.warmUp();
    if (!one) return Unexpected{one.error()};
    // Only if the cache may be warm, because a batch warms it, and if a batch's executions are alike.
    if (job.cache == CacheState::Warm && prepared.mayRepeat() && *one < kShortMs)
        timing.batch = u32(std::clamp(std::ceil(kBatchMs / std::max(*one, 1e-3)), 1.0, f64(kMostBatch)));
    const Expected<f64> byHost = timer.hostMilliseconds();
    if (!byHost) return Unexpected{byHost.error()};
    timing.host.warmMs = *byHost;
    const auto until = Clock::now() + std::chrono::duration<f64>(job.timingSeconds);
    for (u32 i = 0; i < job.timedExecutions; ++i) {
        if (i >= kLeastExecutions && Clock::now() >= until) break;
        report(AtStage{Stage::Timing, i, job.timedExecutions});
        const Expected<f64> milliseconds = timer.measure(timing.batch);
        if (!milliseconds) return Unexpected{milliseconds.error()};
        timing.milliseconds.push_back(*milliseconds / timing.batch);
    }
    if (const Expected<f64> clock = helpers.megahertz()) timing.smMegahertz = *clock;

    u64 bytes = 0;
    for (const Buffer& buffer : job.buffers)
        bytes += buffer.bytes.size();
    std::vector<Buffer> results = prepared.emptyResults();
    const Expected<Copy> toHost = timeCopy(bytes, [&] { return prepared.download(results); });
    if (!toHost) return Unexpected{toHost.error()};
    const Expected<Copy> toDevice = timeCopy(bytes, [&] { return prepared.upload(); });
    if (!toDevice) return Unexpected{toDevice.error()};
    timing.toHost = *toHost;
    timing.toDevice = *toDevice;
    return timing;
}

}  // namespace lockstep::cuda
