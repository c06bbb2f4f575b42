#include "catalog/references/reference_row_reduction.h"

#include "base/check.h"
#include "catalog/references/reduction_operation.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace lockstep::catalog {
namespace {

struct Matrices {
    const Buffer &rows, &results;
};

Matrices matricesOf(const Experiment& experiment) {
    return {experiment.buffers[indexOf(experiment.buffers, "rows")],
            experiment.buffers[indexOf(experiment.buffers, "results")]};
}

Message check(const Experiment& experiment) {
    const auto& [rows, results] = matricesOf(experiment);
    if (rows.type != results.type || rows.shape[0] != results.shape[0])
        return Message(
            english(
                "there are {0} rows of {1} and {2} results of {3}: a row has one result, of its own type"),
            rows.shape[0], info(rows.type).name, results.shape[0], info(results.type).name);
    if (rows.type != ElementType::I32 && rows.type != ElementType::I64 && !isReal(rows.type))
        return Message(english("rows of {0} cannot be reduced; choose i32, i64, f32 or f64"),
                       info(rows.type).name);
    const ReductionOperation* operation = operationOf(experiment);
    if (!operation) return english("there is no operation of this name");
    if (isReal(rows.type) && !operation->real)
        return Message(english("'{0}' works on whole numbers only"), operation->name);
    return {};
}

// cpu loop row_reduction
// One row after the other, or, `together`, on all cores.
template <class T, class Wide>
bool reduce(const Buffer& rows, Buffer& results, Wide (*operation)(Wide, Wide),
            [[maybe_unused]] bool together, const std::atomic<bool>* cancelled) {
    const std::span<const T> elements = rows.as<T>();
    const std::span<T> to = results.as<T>();
    const u64 columns = rows.shape[1];
    std::atomic<bool> stopped{false};
#pragma omp parallel for if (together)
    for (s64 row = 0; row < s64(rows.shape[0]); ++row) {
        const T* const from = elements.data() + u64(row) * columns;
        if (isTimeToStop(0, cancelled)) stopped = true;
        Wide result = Wide(from[0]);
        for (u64 column = 1; column < columns && !stopped; ++column) {
            if (isTimeToStop(column, cancelled)) stopped = true;
            result = operation(result, Wide(from[column]));
        }
        to[u64(row)] = T(result);
    }
    return !stopped;
}
// end of cpu loop

template <bool together>
bool reduceRows(const Experiment& experiment, Buffer& results, const std::atomic<bool>* cancelled) {
    const Buffer& rows = matricesOf(experiment).rows;
    const ReductionOperation& operation = *operationOf(experiment);
    switch (rows.type) {
        case ElementType::I32: return reduce<s32>(rows, results, operation.whole, together, cancelled);
        case ElementType::I64: return reduce<s64>(rows, results, operation.whole, together, cancelled);
        case ElementType::F32: return reduce<f32>(rows, results, operation.real, together, cancelled);
        case ElementType::F64: return reduce<f64>(rows, results, operation.real, together, cancelled);
        default: CHECK(false, "the experiment was made only after its types had been checked");
    }
    return false;
}

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    Buffer results = matricesOf(experiment).results;
    if (!reduceRows<false>(experiment, results, cancelled)) return {};
    return {{indexOf(experiment.buffers, "results"), std::move(results)}};
}

}  // namespace

Reference rowReductionReference() {
    return {.name = "row_reduction",
            .buffers = {{"rows", {}, 2, {"batches", "n"}}, {"results", {}, 1, {"batches"}}},
            .parameters = {operationParameter()},
            .words = {"rowsum", "row_sum", "row_reduc", "batch"},
            .check = check,
            .compute = compute,
            .asTaught = reduceRows<true>};
}

}  // namespace lockstep::catalog
