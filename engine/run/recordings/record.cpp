#include "run/recordings/record.h"

#include "base/check.h"
#include "base/median.h"
#include "catalog/cpu/cpu_timing.h"
#include "catalog/prebuilt.h"
#include "run/gpu/gpu_run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

namespace lockstep::run {
namespace {

using namespace std::chrono_literals;

constexpr auto kMostReference = 10s;  // the largest sizes take well under a second on 16 cores
constexpr auto kMostOnCpu = 2s;
constexpr u32 kCpuRuns = 50;

// Sets its flag after a time limit, or when the recording is canceled, unless destroyed first.
class Deadline {
public:
    Deadline(std::chrono::seconds after, const Progress* progress)
        : thread_([this, until = std::chrono::steady_clock::now() + after, progress] {
              constexpr auto kBetweenLooks = 50ms;
              std::unique_lock lock(mutex_);
              while (!changed_.wait_for(lock, kBetweenLooks, [this] { return isGone_; })) {
                  if (std::chrono::steady_clock::now() < until && !(progress && progress->cancelled))
                      continue;
                  passed_ = true;
                  return;
              }
          }) {}
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline() {
        {
            const std::scoped_lock lock(mutex_);
            isGone_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    const std::atomic<bool>& passed() const { return passed_; }

private:
    std::atomic<bool> passed_{false};
    bool isGone_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
};

// none: nothing to compare with, or not in time; a note says which.
Expected<std::optional<bool>> checkAgainstReference(const catalog::Experiment& experiment,
                                                    const std::vector<Buffer>& results,
                                                    const Progress* progress, std::vector<Fault>& notes) {
    const Deadline deadline(kMostReference, progress);
    const auto reference = catalog::computeReference(experiment, &deadline.passed());
    if (!reference) return Unexpected{reference.error()};
    if (deadline.passed()) {
        notes.push_back(
            fail(
                FaultKind::Gpu,
                Message(english("the result is not checked: the CPU reference was not computed within {0} s"),
                        kMostReference.count()))
                .value());
    }
    if (deadline.passed() || reference->empty()) return std::optional<bool>{};
    return std::optional(catalog::compare(experiment, *reference, results).correct);
}

std::optional<f64> cpuMilliseconds(const catalog::Experiment& experiment, const Progress* progress) {
    const Deadline deadline(kMostOnCpu, progress);
    const std::optional<catalog::CpuTiming> timing =
        catalog::timeOnCpu(experiment, kCpuRuns, &deadline.passed());
    if (!timing || timing->seconds.empty()) return {};
    return 1e3 * median(timing->seconds);
}

}  // namespace

Expected<Recorded> record(Experiment experiment, const Options& options) {
    CHECK(experiment.catalog, "of the catalog");
    GpuRun gpu = runOnGpu(experiment, options, {});
    if (!gpu.results && !gpu.kernelIsToBlame) return Unexpected{*gpu.fault};
    RecordedRun run{.kernel = experiment.catalog->family->name + "/" + experiment.catalog->variant->name,
                    .parameters = {},
                    .ptxHash = catalog::hashOf(experiment.module->text()),
                    .correct = {},
                    .ending = gpu.results    ? Ending::Whole
                              : gpu.timedOut ? Ending::Hangs
                                             : Ending::Stopped,
                    .why = {},
                    .measured = std::move(gpu.measured),
                    .host = {},
                    .cpuMilliseconds = {}};
    if (gpu.firstMs > 0 && gpu.warmMs > 0) run.host = RecordedRun::HostClock{gpu.firstMs, gpu.warmMs};
    for (const std::string& name : experiment.catalog->variant->parameters)
        run.parameters.emplace_back(name, experiment.catalog->family->findParameter(name)->shown(
                                              experiment.catalog->values.at(name)));
    if (run.ending != Ending::Whole) {
        run.correct = false;
        run.why = {gpu.fault->message.english(), gpu.fault->message.in(Language::Chinese)};
        return Recorded{std::move(run), gpu.pitchBytes, gpu.contextMs, std::move(gpu.notes)};
    }
    experiment.catalog->buffers = std::move(experiment.buffers);
    const Progress* progress = options.emulator.progress;
    const auto correct = checkAgainstReference(*experiment.catalog, *gpu.results, progress, gpu.notes);
    if (!correct) return Unexpected{correct.error()};
    run.correct = *correct;
    if (!gpu.findings.empty()) run.correct = false;
    run.cpuMilliseconds = cpuMilliseconds(*experiment.catalog, progress);
    return Recorded{std::move(run), gpu.pitchBytes, gpu.contextMs, std::move(gpu.notes)};
}

Expected<std::vector<catalog::Values>> sizesToRecord(const catalog::Family& family,
                                                     const catalog::Variant& variant,
                                                     const std::filesystem::path& sizes) {
    std::vector<catalog::Values> all;
    const Expected<catalog::Values> defaults = catalog::resolve(family, variant, {});
    if (!defaults) return Unexpected{defaults.error()};
    all.push_back(*defaults);
    std::ifstream in(sizes);
    const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
    if (json.is_discarded() || !json.is_object())
        return fail(FaultKind::Syntax,
                    english("is not the list of sizes that it should be; put it back as it was, or say "
                            "--sizes name=value"),
                    {.file = sizes.string()});
    if (!json.contains(family.name)) return all;
    for (const auto& size : json[family.name]) {
        std::vector<std::pair<std::string, std::string>> settings;
        for (const auto& [name, value] : size.items())
            if (std::ranges::find(variant.parameters, name) != variant.parameters.end())
                settings.emplace_back(name, value.is_string() ? value.get<std::string>()
                                                              : value.dump());  // a label, or a number
        const Expected<catalog::Values> values = catalog::resolve(family, variant, settings);
        if (!values) continue;  // a size that this variant does not accept
        if (std::ranges::find(all, *values) == all.end()) all.push_back(*values);
    }
    return all;
}

}  // namespace lockstep::run
