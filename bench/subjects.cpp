#include "subjects.h"

#include "base/check.h"

#include <algorithm>

namespace lockstep::bench {
namespace {

run::Resources resources() { return {LOCKSTEP_SOURCE_DIR}; }

const catalog::Catalog& kernels() {
    static const auto catalog = catalog::Catalog::read(resources().kernels());
    CHECK(catalog, "the repository's own catalogue is well-formed");
    return *catalog;
}

}  // namespace

run::Experiment matmul(const std::string& familySlashVariant, u32 width) {
    const auto found = kernels().lookUp(familySlashVariant);
    CHECK(found, "benchmarks name variants that exist");
    const std::pair<std::string, std::string> setting{"width", std::to_string(width)};
    const auto values = catalog::resolve(*found->first, *found->second, {&setting, 1});
    CHECK(values, "the width is one that the family allows");
    auto experiment = run::open(resources(), *found->first, *found->second, *values);
    CHECK(experiment, "the catalogue's PTX is prebuilt");
    return std::move(*experiment);
}

const run::Run& recordedRun() {
    static const auto run = run::run(matmul("matmul/tiled", 1024), {});
    CHECK(run, "the catalogue's kernel runs");
    return *run;
}

void withFastest(benchmark::internal::Benchmark* benchmark) {
    benchmark->ComputeStatistics(
        "fastest", [](const std::vector<double>& times) { return *std::ranges::min_element(times); });
}

}  // namespace lockstep::bench
