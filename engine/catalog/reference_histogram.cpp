#include "catalog/reference_histogram.h"

namespace lockstep::catalog {
namespace {

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const u32 output = indexOf(experiment.buffers, "counts");
    const std::span<const u8> values = experiment.buffers[indexOf(experiment.buffers, "values")].as<u8>();
    Buffer counts = experiment.buffers[output];
    for (u64 i = 0; i < values.size(); ++i) {
        if (isTimeToStop(i, cancelled)) return {};
        ++counts.as<s32>()[values[i] % counts.count()];
    }
    return {{output, std::move(counts)}};
}

}  // namespace

Reference histogramReference() {
    return {.name = "histogram",
            .buffers = {{"values", ElementType::U8, 1}, {"counts", ElementType::I32, 1}},
            .check = [](const Experiment&) { return std::string(); },  // every number of bins will do
            .compute = compute};
}

}  // namespace lockstep::catalog
