#include "catalog/references/reference_reduction.h"

#include "base/check.h"
#include "catalog/references/reduction_operation.h"

#include <algorithm>

namespace lockstep::catalog {
namespace {

struct Ends {
    const Buffer &in, &out;
};

Ends endsOf(const Experiment& experiment) {
    return {experiment.buffers[indexOf(experiment.buffers, "in")],
            experiment.buffers[indexOf(experiment.buffers, "out")]};
}

u64 chunkOf(const Experiment& experiment) {
    const auto found = experiment.values.find("chunk");
    if (found != experiment.values.end()) return u64(std::max<s64>(1, found->second));
    const auto& [in, out] = endsOf(experiment);
    return in.count() / std::max<u64>(1, out.count());
}

Message check(const Experiment& experiment) {
    const auto& [in, out] = endsOf(experiment);
    if (in.type != out.type)
        return Message(english("in holds {0} and out {1}: a reduction keeps the type"), info(in.type).name,
                       info(out.type).name);
    constexpr std::array kTypes{ElementType::I32, ElementType::U32, ElementType::I64, ElementType::F32,
                                ElementType::F64};
    if (std::ranges::find(kTypes, in.type) == kTypes.end())
        return Message(english("{0} cannot be reduced; choose i32, u32, i64, f32 or f64"),
                       info(in.type).name);
    const ReductionOperation* operation = operationOf(experiment);
    if (!operation) return english("there is no operation of this name");
    if (isReal(in.type) && !operation->real)
        return Message(english("'{0}' works on whole numbers only"), operation->name);
    const u64 chunk = chunkOf(experiment), parts = out.count(), n = in.count();
    if (!experiment.values.contains("chunk") && chunk * parts != n)
        return Message(
            english("{0} {0:element|elements} are not {1} equal parts: give chunk, the elements of one part"),
            n, parts);
    if (chunk == 0 || (parts - 1) > (n - 1) / chunk || n - (parts - 1) * chunk > chunk)
        return Message(english("{0} {0:element|elements} in parts of {1} are {2} parts, and out has {3} "
                               "{3:element|elements}"),
                       n, chunk, chunk ? (n - 1) / chunk + 1 : 0, parts);
    return {};
}

template <class T, class Wide>
bool reduce(const Experiment& experiment, Buffer& result, Wide (*operation)(Wide, Wide),
            const std::atomic<bool>* cancelled) {
    const std::span<const T> elements = endsOf(experiment).in.as<T>();
    const u64 chunk = chunkOf(experiment);
    for (u64 part = 0; part < result.count(); ++part) {
        const u64 end = std::min<u64>(elements.size(), (part + 1) * chunk);
        Wide value = Wide(elements[part * chunk]);
        for (u64 i = part * chunk + 1; i < end; ++i) {
            if (isTimeToStop(i, cancelled)) return false;
            value = operation(value, Wide(elements[i]));
        }
        result.as<T>()[part] = T(value);
    }
    return true;
}

std::map<u32, Buffer> compute(const Experiment& experiment, const std::atomic<bool>* cancelled) {
    const ReductionOperation& operation = *operationOf(experiment);
    Buffer out = endsOf(experiment).out;
    const bool isFinished = [&] {
        switch (out.type) {
            case ElementType::I32: return reduce<s32>(experiment, out, operation.whole, cancelled);
            case ElementType::U32: return reduce<u32>(experiment, out, operation.whole, cancelled);
            case ElementType::I64: return reduce<s64>(experiment, out, operation.whole, cancelled);
            case ElementType::F32: return reduce<f32>(experiment, out, operation.real, cancelled);
            case ElementType::F64: return reduce<f64>(experiment, out, operation.real, cancelled);
            default: CHECK(false, "check() has refused other types");
        }
        return false;
    }();
    if (!isFinished) return {};
    return {{indexOf(experiment.buffers, "out"), std::move(out)}};
}

}  // namespace

Reference reductionReference() {
    return {.name = "reduction",
            .buffers = {{"in", {}, 1, {"n"}}, {"out", {}, 1, {"parts"}}},
            .parameters = {operationParameter(), {.name = "chunk", .isOptional = true}},
            .words = {"reduc", "sum", "total"},
            .check = check,
            .compute = compute};
}

}  // namespace lockstep::catalog
