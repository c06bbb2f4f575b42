#include "cuda/worker/execute.h"

#include "cuda/counters.h"
#include "cuda/helper_kernels.h"
#include "cuda/worker/prepared_job.h"
#include "cuda/worker/time_job.h"

#include <iterator>

namespace lockstep::cuda {
namespace {

Expected<Outcome> runOnce(const Context& context, PreparedJob& prepared, f64& firstMs) {
    const Expected<f64> first = prepared.hostMilliseconds();
    if (!first) return Unexpected{first.error()};
    firstMs = *first;
    std::vector<Buffer> results = prepared.emptyResults();
    if (const Expected<void> done = prepared.download(results); !done) return Unexpected{done.error()};
    Expected<std::vector<StrayBytes>> strays = prepared.strays();
    if (!strays) return Unexpected{strays.error()};
    Expected<std::vector<std::vector<std::byte>>> scratch = prepared.scratch();
    if (!scratch) return Unexpected{scratch.error()};
    const Expected<DriverInfo> driver = findDriver();
    if (!driver) return Unexpected{driver.error()};
    return Outcome{.device = context.device(),
                   .driver = driver->version,
                   .driverRelease = driver->release,
                   .launches = prepared.compiled(),
                   .buffers = std::move(results),
                   .strays = std::move(*strays),
                   .addresses = prepared.addresses(),
                   .scratch = std::move(*scratch),
                   .pitchBytes = context.pitchBytes()};
}

}  // namespace

Expected<void> execute(const Context& context, const Job& job, const Report& report) {
    report(AtStage{Stage::Compiling});
    Expected<PreparedJob> prepared = PreparedJob::make(context, job);
    if (!prepared) return Unexpected{prepared.error()};

    report(AtStage{Stage::Running});
    f64 firstMs = 0;
    Expected<Outcome> outcome = runOnce(context, *prepared, firstMs);
    if (!outcome) return Unexpected{outcome.error()};
    if (job.timedExecutions == 0 && job.metrics.empty()) {
        report(std::move(*outcome));
        return {};
    }
    Expected<void> kept = prepared->keepInitial(outcome->buffers);
    report(std::move(*outcome));
    if (!kept) return kept;
    Expected<HelperKernels> helpers = HelperKernels::load(context);
    if (!helpers) return Unexpected{helpers.error()};

    if (job.timedExecutions) {
        report(AtStage{Stage::Timing});
        Expected<Timing> timing = timeJob(context, job, *prepared, *helpers, report);
        if (!timing) return Unexpected{timing.error()};
        timing->host.firstMs = firstMs;
        report(std::move(*timing));
    }
    if (!job.metrics.empty()) {
        report(AtStage{Stage::Counting});
        Counted counted;
        Expected<std::vector<Counters>> readings =
            countJob(context, job.metrics, job.readings, *prepared, *helpers, report);
        if (readings) {
            counted.counters = std::move(readings->front());
            counted.again.assign(std::make_move_iterator(readings->begin() + 1),
                                 std::make_move_iterator(readings->end()));
        } else {
            counted.refused = readings.error();
        }
        report(std::move(counted));
    }
    return {};
}

}  // namespace lockstep::cuda
