#include "catalog/reference_scan.h"

#include <fmt/format.h>

namespace lockstep::catalog {
namespace {

std::string check(const Experiment& experiment) {
    const Buffer& in = experiment.buffers[indexOf(experiment.buffers, "in")];
    const Buffer& out = experiment.buffers[indexOf(experiment.buffers, "out")];
    if (in.shape == out.shape) return {};
    return fmt::format("in has {} elements and out has {}: a scan needs as many", in.count(), out.count());
}

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const u32 output = indexOf(experiment.buffers, "out");
    const std::span<const s32> in = experiment.buffers[indexOf(experiment.buffers, "in")].as<s32>();
    Buffer out = experiment.buffers[output];
    u32 sum = 0;
    for (u64 i = 0; i < in.size(); ++i) {
        if (isTimeToStop(i, cancelled)) return {};
        sum += u32(in[i]);
        out.as<s32>()[i] = s32(sum);
    }
    return {{output, std::move(out)}};
}

}  // namespace

Reference scanReference() {
    return {.name = "scan",
            .buffers = {{"in", ElementType::I32, 1}, {"out", ElementType::I32, 1}},
            .check = check,
            .compute = compute};
}

}  // namespace lockstep::catalog
