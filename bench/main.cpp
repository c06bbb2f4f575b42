// The benchmarks' program: Google Benchmark's own, with one column more: how many calibration loops a result
// takes.
#include "calibration.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace lockstep::bench {
namespace {

class Reporter : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        std::vector<Run> extended = runs;
        for (Run& run : extended) {
            // The least of several rates would be that of the slowest.
            if (run.aggregate_name == "fastest") run.counters.clear();
            if (!run.error_occurred && run.aggregate_unit == benchmark::kTime)
                run.counters["calibrations"] = seconds(run) / calibrationSeconds();
        }
        ConsoleReporter::ReportRuns(extended);
    }

private:
    // Of one iteration, by the clock that the benchmark asks for.
    static f64 seconds(const Run& run) {
        const bool byTheWall = !run.run_name.time_type.empty();
        return (byTheWall ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) /
               benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
};

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    const std::string microseconds = std::to_string(lockstep::bench::calibrationSeconds() * 1e6);
    benchmark::AddCustomContext("calibration_us", microseconds);
    lockstep::bench::Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
}
