// What recording costs on a GPU: the tiled matrix product, plain, with four focus blocks, and with every
// access of the whole grid. Prints one line per size; docs/internals/recorder.md has its results.
#include "base/median.h"
#include "catalog/catalog.h"
#include "cuda/worker/execute.h"
#include "record/recording_text.h"
#include "run/gpu/gpu_record.h"
#include "run/run.h"
#include "simt/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace lockstep {
namespace {

constexpr u32 kExecutions = 30;

// Median milliseconds, or the sentence that says why there are none.
Expected<f64> millisecondsOf(const cuda::Context& context, cuda::Job job) {
    job.timedExecutions = kExecutions;
    std::optional<cuda::Timing> timing;
    const Expected<void> done = cuda::execute(context, job, [&](cuda::WorkerMessage message) {
        if (auto* found = std::get_if<cuda::Timing>(&message)) timing = std::move(*found);
    });
    if (!done) return Unexpected{done.error()};
    return median(timing->milliseconds);
}

struct Recorded {
    f64 milliseconds = 0;
    u64 bytes = 0;
};

// focus blocks are recorded with space for all that they do.
Expected<Recorded> record(const cuda::Context& context, const run::Experiment& experiment,
                          std::span<const Dim3> focus, bool values) {
    const Launch& launch = experiment.launches[0];
    Expected<record::RecordingText> text = record::recordingText(*experiment.module, launch.entry, values);
    if (!text) return Unexpected{text.error()};
    const u64 warps = (launch.block.count() + kWarpSize - 1) / kWarpSize,
              symbols = record::kWindowSymbols + text->plan.symbols.size();
    // A single block, to find how much it writes: all of them do the same.
    const auto bytesFor = [&](u64 capacity, u64 blocks) {
        return record::wordsPerWarp(text->plan, capacity) * 4 * warps * blocks;
    };
    std::optional<cuda::Outcome> outcome;
    const cuda::Job trial =
        run::recordingJob(text->ptx, launch, experiment.buffers, focus.first(1), 1, bytesFor(1, 1), symbols);
    const Expected<void> tried = cuda::execute(context, trial, [&](cuda::WorkerMessage message) {
        if (auto* found = std::get_if<cuda::Outcome>(&message)) outcome = std::move(*found);
    });
    if (!tried) return Unexpected{tried.error()};
    u64 capacity = 0;
    const auto* words = reinterpret_cast<const u32*>(outcome->scratch[0].data());
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        capacity = std::max<u64>(
            capacity, words[(1 + text->plan.longestSegment) * kWarpSize + lane] & ~record::kWantedBit);

    cuda::Job job = run::recordingJob(text->ptx, launch, experiment.buffers, focus, capacity,
                                      bytesFor(capacity, focus.size()), symbols);
    for (cuda::Scratch& scratch : job.scratch)
        scratch.wanted = false;
    const Expected<f64> milliseconds = millisecondsOf(context, std::move(job));
    if (!milliseconds) return Unexpected{milliseconds.error()};
    return Recorded{*milliseconds, capacity * kWarpSize * 4 * warps * focus.size()};
}

Expected<void> measure(const cuda::Context& context, const run::Experiment& experiment, s64 width,
                       bool wholeGrid) {
    const Launch& launch = experiment.launches[0];
    cuda::Job plain;
    plain.ptx = experiment.module->text();
    plain.launches = experiment.launches;
    plain.buffers = experiment.buffers;
    const Expected<f64> base = millisecondsOf(context, plain);
    if (!base) return Unexpected{base.error()};

    const auto line = [&](const char* what, const Expected<Recorded>& recorded) {
        if (!recorded) return fmt::print("{:>5}  {:<34} {}\n", width, what, describe(recorded.error()));
        fmt::print("{:>5}  {:<34} {:>9.4f} ms  {:>6.2f}x  {:>9.1f} MB  {:>5.0f} GB/s\n", width, what,
                   recorded->milliseconds, recorded->milliseconds / *base, f64(recorded->bytes) / 1e6,
                   f64(recorded->bytes) / recorded->milliseconds / 1e6);
    };
    line("plain", Recorded{*base, 0});
    line("four focus blocks", record(context, experiment, simt::defaultFocus(launch.grid), true));
    if (wholeGrid) {
        std::vector<Dim3> all;
        for (u64 i = 0; i < launch.grid.count(); ++i)
            all.push_back(coordinatesOf(i, launch.grid));
        line("every access of the whole grid", record(context, experiment, all, false));
        if (width <= 512) line("the same with values", record(context, experiment, all, true));
    }
    return {};
}

Expected<void> measureAll(const std::filesystem::path& root) {
    const Expected<catalog::Catalog> catalog = catalog::Catalog::read(root / "kernels");
    if (!catalog) return Unexpected{catalog.error()};
    const Expected<cuda::Context> context = cuda::Context::open();
    if (!context) return Unexpected{context.error()};
    fmt::print("{}, matmul/tiled, tile 16, medians of {}\n", context->device().name, kExecutions);
    for (const s64 width : {256, 512, 1024, 4096}) {
        const auto found = catalog->lookUp("matmul/tiled");
        if (!found) return Unexpected{found.error()};
        const std::vector<std::pair<std::string, std::string>> settings{{"width", std::to_string(width)}};
        const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, settings);
        if (!values) return Unexpected{values.error()};
        Expected<run::Experiment> experiment = run::open({root}, *found->first, *found->second, *values);
        if (!experiment) return Unexpected{experiment.error()};
        if (Expected<void> done = measure(*context, *experiment, width, width <= 1024); !done) return done;
    }
    return {};
}

}  // namespace
}  // namespace lockstep

int main(int count, char** arguments) {
    const lockstep::Expected<lockstep::run::Resources> found =
        lockstep::run::findResources(arguments[0], count > 1 ? arguments[1] : "");
    const lockstep::Expected<void> done =
        found ? lockstep::measureAll(found->root) : lockstep::Unexpected{found.error()};
    if (done) return 0;
    fmt::print(stderr, "record_bench: {}\n", describe(done.error()));
    return 2;
}
