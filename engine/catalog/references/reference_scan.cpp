#include "catalog/references/reference_scan.h"

#include <algorithm>
#include <array>

namespace lockstep::catalog {
namespace {

Message check(const Experiment& experiment) {
    const Buffer& in = experiment.buffers[indexOf(experiment.buffers, "in")];
    const Buffer& out = experiment.buffers[indexOf(experiment.buffers, "out")];
    if (in.shape == out.shape) return {};
    return Message(english("in has {0} {0:element|elements} and out has {1}: a scan needs as many"),
                   in.count(), out.count());
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

// cpu loop scan
// Twice over the elements, in as many pieces as there are threads: sums of the pieces, then the scan of each
// from what lies before it.
bool computeAsTaught(const Experiment& experiment, Buffer& out, const std::atomic<bool>* cancelled) {
    constexpr s64 kPieces = 256;
    const std::span<const s32> in = experiment.buffers[indexOf(experiment.buffers, "in")].as<s32>();
    s32* const to = out.as<s32>().data();
    const s64 count = s64(in.size()), piece = (count + kPieces - 1) / kPieces;
    std::array<u32, kPieces + 1> before{};
#pragma omp parallel for
    for (s64 number = 0; number < kPieces; ++number)
        for (s64 i = number * piece; i < std::min(count, (number + 1) * piece); ++i)
            before[u64(number + 1)] += u32(in[u64(i)]);
    for (std::size_t number = 1; number < before.size(); ++number)
        before[number] += before[number - 1];
    if (cancelled && *cancelled) return false;
#pragma omp parallel for
    for (s64 number = 0; number < kPieces; ++number) {
        u32 sum = before[u64(number)];
        for (s64 i = number * piece; i < std::min(count, (number + 1) * piece); ++i)
            to[i] = s32(sum += u32(in[u64(i)]));
    }
    return true;
}
// end of cpu loop

}  // namespace

Reference scanReference() {
    return {.name = "scan",
            .buffers = {{"in", ElementType::I32, 1, {"n"}}, {"out", ElementType::I32, 1, {"n"}}},
            .words = {"scan", "prefix"},
            .check = check,
            .compute = compute,
            .asTaught = computeAsTaught};
}

}  // namespace lockstep::catalog
