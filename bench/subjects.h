// The benchmarks' subjects: catalog kernels, opened and run as the program does.
#pragma once

#include "run/run.h"

#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

namespace lockstep::bench {

const catalog::Catalog& kernels();
// "transpose/naive" with some of its parameters, by name; the others are at their defaults.
using Settings = std::vector<std::pair<std::string, std::string>>;
run::Experiment experiment(const std::string& familySlashVariant, const Settings& settings);
// "matmul/tiled" with M, N and P of width x width; compile-time parameters at their defaults (T = 16).
run::Experiment matmul(const std::string& familySlashVariant, u32 width);

// matmul/tiled at 1024, run once a process with counts and events.
const run::Run& recordedRun();

// With --benchmark_repetitions: the fastest of them as well, which other programs disturb least.
void withFastest(benchmark::internal::Benchmark* benchmark);

}  // namespace lockstep::bench
