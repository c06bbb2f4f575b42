#include "catalog/references/reference_stencil.h"

#include <cmath>

namespace lockstep::catalog {
namespace {

Message check(const Experiment& experiment) {
    const Buffer& in = experiment.buffers[indexOf(experiment.buffers, "in")];
    const Buffer& out = experiment.buffers[indexOf(experiment.buffers, "out")];
    if (in.shape == out.shape) return {};
    return Message(english("in is {0} x {1} and out is {2} x {3}: both must have the same size"), in.shape[0],
                   in.shape[1], out.shape[0], out.shape[1]);
}

// here + (around - 4 * here) / 8, contracted to fused multiply-adds as the compiler does it.
f32 heated(f32 here, f32 above, f32 left, f32 right, f32 below) {
    const f32 around = above + left + right + below;
    return std::fma(0.125f, std::fma(-4.0f, here, around), here);
}

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const u32 output = indexOf(experiment.buffers, "out");
    const Buffer& plate = experiment.buffers[indexOf(experiment.buffers, "in")];
    const std::span<const f32> in = plate.as<f32>();
    const u64 rows = plate.shape[0], columns = plate.shape[1];
    Buffer out = experiment.buffers[output];
    for (u64 i = 0; i < in.size(); ++i) {
        if (isTimeToStop(i, cancelled)) return {};
        const u64 row = i / columns, column = i % columns;
        const bool isEdge = row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
        out.as<f32>()[i] =
            isEdge ? in[i] : heated(in[i], in[i - columns], in[i - 1], in[i + 1], in[i + columns]);
    }
    return {{output, std::move(out)}};
}

// cpu loop stencil
bool computeAsTaught(const Experiment& experiment, Buffer& out, const std::atomic<bool>* cancelled) {
    const Buffer& plate = experiment.buffers[indexOf(experiment.buffers, "in")];
    const f32* const from = plate.as<f32>().data();
    f32* const to = out.as<f32>().data();
    const s64 rows = s64(plate.shape[0]), columns = s64(plate.shape[1]);
#pragma omp parallel for
    for (s64 row = 0; row < rows; ++row) {
        if (cancelled && *cancelled) continue;
        for (s64 i = row * columns; i < (row + 1) * columns; ++i) {
            const bool isEdge =
                row == 0 || row == rows - 1 || i == row * columns || i == (row + 1) * columns - 1;
            to[i] = isEdge ? from[i]
                           : heated(from[i], from[i - columns], from[i - 1], from[i + 1], from[i + columns]);
        }
    }
    return !cancelled || !*cancelled;
}
// end of cpu loop

}  // namespace

Reference stencilReference() {
    return {.name = "stencil",
            .buffers = {{"in", ElementType::F32, 2, {"rows", "columns"}},
                        {"out", ElementType::F32, 2, {"rows", "columns"}}},
            .square = "width",
            .words = {"stencil", "heat", "jacobi", "diffus"},
            .check = check,
            .compute = compute,
            .asTaught = computeAsTaught};
}

}  // namespace lockstep::catalog
