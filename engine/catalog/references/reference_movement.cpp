#include "catalog/references/reference_movement.h"

#include <cstring>

namespace lockstep::catalog {
namespace {

const Buffer& inOf(const Experiment& experiment) {
    return experiment.buffers[indexOf(experiment.buffers, "in")];
}
const Buffer& outOf(const Experiment& experiment) {
    return experiment.buffers[indexOf(experiment.buffers, "out")];
}

Message checkTypes(const Experiment& experiment) {
    const Buffer &in = inOf(experiment), &out = outOf(experiment);
    if (in.type == out.type) return {};
    return Message(english("in holds {0} and out {1}: both need the same type"), info(in.type).name,
                   info(out.type).name);
}

Message checkCopy(const Experiment& experiment) {
    const Buffer &in = inOf(experiment), &out = outOf(experiment);
    if (in.count() != out.count())
        return Message(english("in has {0} {0:element|elements} and out has {1}: a copy needs as many"),
                       in.count(), out.count());
    return checkTypes(experiment);
}

std::map<u32, Buffer> computeCopy(const Experiment& experiment, const std::atomic<bool>*) {
    Buffer out = outOf(experiment);
    out.bytes = inOf(experiment).bytes;
    return {{indexOf(experiment.buffers, "out"), std::move(out)}};
}

Message checkTranspose(const Experiment& experiment) {
    const std::vector<u64>&in = inOf(experiment).shape, &out = outOf(experiment).shape;
    if (in[0] != out[1] || in[1] != out[0])
        return Message(
            english(
                "in is {0} x {1} and out is {2} x {3}: a transpose needs rows x columns and columns x rows"),
            in[0], in[1], out[0], out[1]);
    return checkTypes(experiment);
}

std::map<u32, Buffer> computeTranspose(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const Buffer& in = inOf(experiment);
    const u64 rows = in.shape[0], columns = in.shape[1], width = info(in.type).bytes;
    Buffer out = outOf(experiment);
    for (u64 i = 0; i < rows * columns; ++i) {
        if (isTimeToStop(i, cancelled)) return {};
        const u64 row = i / columns, column = i % columns;
        std::memcpy(out.bytes.data() + (column * rows + row) * width, in.bytes.data() + i * width, width);
    }
    return {{indexOf(experiment.buffers, "out"), std::move(out)}};
}

}  // namespace

Reference copyReference() {
    return {.name = "copy",
            .buffers = {{"in", {}, 1, {"n"}}, {"out", {}, 1, {"n"}}},
            .words = {"copy"},
            .check = checkCopy,
            .compute = computeCopy};
}

Reference transposeReference() {
    return {.name = "transpose",
            .buffers = {{"in", {}, 2, {"rows", "columns"}}, {"out", {}, 2, {"columns", "rows"}}},
            .square = "width",
            .words = {"transpose", "transp"},
            .check = checkTranspose,
            .compute = computeTranspose};
}

}  // namespace lockstep::catalog
