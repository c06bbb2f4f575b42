#include "subjects.h"

#include "base/check.h"

#include <algorithm>

namespace lockstep::bench {
namespace {

run::Resources resources() { return {LOCKSTEP_SOURCE_DIR}; }

}  // namespace

const catalog::Catalog& kernels() {
    static const auto catalog = catalog::Catalog::read(resources().kernels());
    CHECK(catalog, "the repository's own catalog is well-formed");
    return *catalog;
}

run::Experiment experiment(const std::string& familySlashVariant, const Settings& settings) {
    const auto found = kernels().lookUp(familySlashVariant);
    CHECK(found, "benchmarks name variants that exist");
    const auto values = catalog::resolve(*found->first, *found->second, settings);
    CHECK(values, "the family allows these values");
    auto opened = run::open(resources(), *found->first, *found->second, *values);
    CHECK(opened, "the catalog's PTX is prebuilt");
    return std::move(*opened);
}

run::Experiment matmul(const std::string& familySlashVariant, u32 width) {
    return experiment(familySlashVariant, {{"width", std::to_string(width)}});
}

const run::Run& recordedRun() {
    static const auto run = run::run(matmul("matmul/tiled", 1024), {});
    CHECK(run, "the catalog's kernel runs");
    return *run;
}

void withFastest(benchmark::internal::Benchmark* benchmark) {
    benchmark->ComputeStatistics(
        "fastest", [](const std::vector<double>& times) { return *std::ranges::min_element(times); });
}

}  // namespace lockstep::bench
