#include "cuda/counters.h"

#include "cuda/cupti_library.h"
#include "cuda/driver_error.h"

#include <cstddef>
#include <memory>

namespace lockstep::cuda {
namespace {

using namespace cupti;

constexpr u32 kMostPasses = 100;  // a dozen metrics take a handful

Fault refusal(const CuptiLibrary& library, Result result, const Words& doing) {
    const char* name = nullptr;
    library.getResultString(result, &name);
    if (result == kInsufficientPrivileges || result == kVirtualizedInsufficientPrivileges)
        return gpuFault(
            english("this user may not read the GPU's hardware counters (ERR_NVGPUCTRPERM); an administrator "
                    "allows it "
                    "with \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" in "
                    "/etc/modprobe.d/nvidia.conf and "
                    "a restart, or runs the program with CAP_SYS_ADMIN; everything else works without"));
    return gpuFault(Message(
        english("the hardware counters cannot be read ({0} while {1}); everything else works without"),
        name ? name : "error " + std::to_string(result), doing));
}

// Fills in the size field that every structure begins with.
template <class Parameters> Parameters sized(Parameters parameters, std::size_t bytes = sizeof(Parameters)) {
    parameters.size = bytes;
    return parameters;
}
#define SIZE_THROUGH(type, field) (offsetof(type, field) + sizeof(type::field))

class Profiler {
public:
    explicit Profiler(const CuptiLibrary& library) : library_(library) {}
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;
    ~Profiler() {
        if (profiler_) {
            auto disable = sized(OfProfiler{.size = 0, .priv = nullptr, .profiler = profiler_});
            library_.disable(&disable);
        }
        if (host_) {
            auto deinitialize = sized(HostDeinitialize{.size = 0, .priv = nullptr, .host = host_});
            library_.hostDeinitialize(&deinitialize);
        }
    }

    // Goes as far as needed to learn whether counters are permitted.
    Expected<void> open(const Context& context) {
        auto initialize = sized(Initialize{});
        if (const Result r = library_.initialize(&initialize)) return refused(r, english("starting CUPTI"));
        auto chip = sized(GetChipName{
            .size = 0, .priv = nullptr, .device = std::size_t(context.handle()), .chip = nullptr});
        if (const Result r = library_.getChipName(&chip)) return refused(r, english("asking for the chip"));
        auto available = sized(CounterAvailability{
            .size = 0, .priv = nullptr, .context = context.native(), .imageBytes = 0, .image = nullptr});
        if (const Result r = library_.counterAvailability(&available))
            return refused(r, english("asking which counters there are"));
        availability_.resize(available.imageBytes);
        available.image = availability_.data();
        if (const Result r = library_.counterAvailability(&available))
            return refused(r, english("asking which counters there are"));
        auto host = sized(HostInitialize{.size = 0,
                                         .priv = nullptr,
                                         .profiler = kRangeProfiler,
                                         .chip = chip.chip,
                                         .availability = availability_.data(),
                                         .host = nullptr});
        if (const Result r = library_.hostInitialize(&host)) return refused(r, english("starting CUPTI"));
        host_ = host.host;
        auto enable =
            sized(Enable{.size = 0, .priv = nullptr, .context = context.native(), .profiler = nullptr});
        if (const Result r = library_.enable(&enable))
            return refused(r, english("starting the range profiler"));
        profiler_ = enable.profiler;
        return {};
    }

    Expected<void> choose(const std::vector<std::string>& metrics, std::size_t ranges) {
        for (const std::string& metric : metrics)
            names_.push_back(metric.c_str());
        auto add = sized(AddMetrics{
            .size = 0, .priv = nullptr, .host = host_, .names = names_.data(), .count = names_.size()});
        if (const Result r = library_.addMetrics(&add)) return refused(r, english("choosing the metrics"));
        auto configSize = sized(ConfigImageSize{.size = 0, .priv = nullptr, .host = host_, .bytes = 0});
        if (const Result r = library_.configImageSize(&configSize))
            return refused(r, english("planning the passes"));
        config_.resize(configSize.bytes);
        auto config = sized(ConfigImage{
            .size = 0, .priv = nullptr, .host = host_, .bytes = config_.size(), .image = config_.data()});
        if (const Result r = library_.configImage(&config)) return refused(r, english("planning the passes"));
        auto dataSize = sized(DataSize{.size = 0,
                                       .priv = nullptr,
                                       .profiler = profiler_,
                                       .names = names_.data(),
                                       .count = names_.size(),
                                       .ranges = ranges,
                                       .nodes = u32(ranges),
                                       .bytes = 0});
        if (const Result r = library_.dataSize(&dataSize)) return refused(r, english("planning the passes"));
        data_.resize(dataSize.bytes);
        auto data = sized(DataInitialize{
            .size = 0, .priv = nullptr, .profiler = profiler_, .bytes = data_.size(), .data = data_.data()});
        if (const Result r = library_.dataInitialize(&data))
            return refused(r, english("planning the passes"));
        auto set = sized(SetConfig{.size = 0,
                                   .priv = nullptr,
                                   .profiler = profiler_,
                                   .configBytes = config_.size(),
                                   .config = config_.data(),
                                   .dataBytes = data_.size(),
                                   .data = data_.data(),
                                   .range = kUserRange,
                                   .replay = kUserReplay,
                                   .rangesPerPass = ranges,
                                   .nestingLevels = 1,
                                   .leastNesting = 1,
                                   .pass = 0,
                                   .nesting = 0},
                         SIZE_THROUGH(SetConfig, nesting));
        if (const Result r = library_.setConfig(&set)) return refused(r, english("planning the passes"));
        return {};
    }

    Expected<void> start() {
        auto start = sized(OfProfiler{.size = 0, .priv = nullptr, .profiler = profiler_});
        if (const Result r = library_.start(&start)) return refused(r, english("starting a pass"));
        return {};
    }
    Expected<void> beginRange(const std::string& name) {
        auto push = sized(PushRange{.size = 0, .priv = nullptr, .profiler = profiler_, .name = name.c_str()});
        if (const Result r = library_.pushRange(&push)) return refused(r, english("starting a range"));
        return {};
    }
    Expected<void> endRange() {
        auto pop = sized(OfProfiler{.size = 0, .priv = nullptr, .profiler = profiler_});
        if (const Result r = library_.popRange(&pop)) return refused(r, english("ending a range"));
        return {};
    }
    // True if every metric has been read.
    Expected<bool> stop() {
        auto stop = sized(Stop{.size = 0,
                               .priv = nullptr,
                               .profiler = profiler_,
                               .pass = 0,
                               .nesting = 0,
                               .allPassesSubmitted = 0},
                          SIZE_THROUGH(Stop, allPassesSubmitted));
        if (const Result r = library_.stop(&stop))
            return Unexpected{refusal(library_, r, english("ending a pass"))};
        return stop.allPassesSubmitted != 0;
    }
    Expected<void> decode() {
        auto decode = sized(Decode{.size = 0, .priv = nullptr, .profiler = profiler_, .dropped = 0});
        if (const Result r = library_.decode(&decode)) return refused(r, english("reading the counters"));
        return {};
    }
    Expected<std::vector<f64>> values(std::size_t range) {
        std::vector<f64> values(names_.size());
        auto evaluate = sized(Evaluate{.size = 0,
                                       .priv = nullptr,
                                       .host = host_,
                                       .data = data_.data(),
                                       .bytes = data_.size(),
                                       .range = range,
                                       .names = names_.data(),
                                       .count = names_.size(),
                                       .values = values.data()});
        if (const Result r = library_.evaluate(&evaluate))
            return Unexpected{refusal(library_, r, english("reading the counters"))};
        return values;
    }

private:
    Expected<void> refused(Result result, const Words& doing) const {
        return Unexpected{refusal(library_, result, doing)};
    }

    const CuptiLibrary& library_;
    void *host_ = nullptr, *profiler_ = nullptr;
    std::vector<const char*> names_;
    std::vector<u8> availability_, config_, data_;
};

// One execution from the beginning, with one range per launch.
Expected<bool> countPass(const Context& context, Profiler& profiler, PreparedJob& prepared,
                         HelperKernels& helpers) {
    Expected<void> done = prepared.restore();
    if (done) done = profiler.start();
    for (std::size_t i = 0; i < prepared.launches() && done; ++i) {
        done = helpers.coolCache();
        if (done) done = context.synchronize();
        if (done) done = profiler.beginRange("launch" + std::to_string(i));
        if (done) done = prepared.launchOne(i);
        if (done) done = context.synchronize();
        if (done) done = profiler.endRange();
    }
    if (!done) return Unexpected{done.error()};
    return profiler.stop();
}

// As many executions as needed to read everything once; calls begun(pass) before each.
template <class Begun>
Expected<Counters> readAll(const Context& context, const std::vector<std::string>& metrics,
                           Profiler& profiler, PreparedJob& prepared, HelperKernels& helpers, Begun&& begun) {
    for (u32 pass = 0;; ++pass) {
        if (pass == kMostPasses)
            return Unexpected{gpuFault(
                english("the hardware counters need more than a hundred passes; this is a mistake of ours"))};
        begun(pass);
        const Expected<bool> isLast = countPass(context, profiler, prepared, helpers);
        if (!isLast) return Unexpected{isLast.error()};
        if (*isLast) break;
    }
    if (const Expected<void> done = profiler.decode(); !done) return Unexpected{done.error()};
    Counters counters;
    for (std::size_t launch = 0; launch < prepared.launches(); ++launch) {
        const Expected<std::vector<f64>> values = profiler.values(launch);
        if (!values) return Unexpected{values.error()};
        auto& counted = counters.emplace_back();
        for (std::size_t i = 0; i < metrics.size(); ++i)
            counted[metrics[i]] = (*values)[i];
    }
    return counters;
}

}  // namespace

Expected<std::vector<Counters>> countJob(const Context& context, const std::vector<std::string>& metrics,
                                         u32 readings, PreparedJob& prepared, HelperKernels& helpers,
                                         const Report& report) {
    const Expected<const CuptiLibrary*> library = cuptiLibrary();
    if (!library) return Unexpected{library.error()};
    std::vector<Counters> counted;
    u64 passes = 0;  // of a reading: known after the first
    do {
        // Reopened for each: while it is open, machine code stays in the instruction caches, and launches no
        // longer read it from device memory (matmul/warp-tiled 64 x 64 on an H200: 1,280 to 1,408 sectors
        // instead of 2,416).
        Profiler profiler(**library);
        Expected<void> done = profiler.open(context);
        if (done) done = profiler.choose(metrics, prepared.launches());
        if (!done) return Unexpected{done.error()};
        Expected<Counters> counters = readAll(context, metrics, profiler, prepared, helpers, [&](u32 pass) {
            if (counted.empty()) passes = pass + 1;
            report(AtStage{Stage::Counting, counted.size() * passes + pass,
                           counted.empty() ? 0 : readings * passes});
        });
        if (!counters) return Unexpected{counters.error()};
        counted.push_back(std::move(*counters));
    } while (counted.size() < readings);
    return counted;
}

CounterSupport counterSupport(const Context& context) {
    const Expected<const CuptiLibrary*> library = cuptiLibrary();
    if (!library) return {.library = "", .refused = library.error()};
    CounterSupport support{.library = (*library)->path, .refused = {}};
    Profiler profiler(**library);
    if (const Expected<void> opened = profiler.open(context); !opened) support.refused = opened.error();
    return support;
}

}  // namespace lockstep::cuda
