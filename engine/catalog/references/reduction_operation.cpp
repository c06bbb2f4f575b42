#include "catalog/references/reduction_operation.h"

#include <algorithm>
#include <array>

namespace lockstep::catalog {
namespace {

constexpr std::array kOperations{
    ReductionOperation{"sum", [](s64 a, s64 b) { return s64(u64(a) + u64(b)); },
                       [](f64 a, f64 b) { return a + b; }},
    ReductionOperation{"product", [](s64 a, s64 b) { return s64(u64(a) * u64(b)); },
                       [](f64 a, f64 b) { return a * b; }},
    ReductionOperation{"min", [](s64 a, s64 b) { return std::min(a, b); },
                       [](f64 a, f64 b) { return std::min(a, b); }},
    ReductionOperation{"max", [](s64 a, s64 b) { return std::max(a, b); },
                       [](f64 a, f64 b) { return std::max(a, b); }},
    ReductionOperation{"and", [](s64 a, s64 b) { return a & b; }},
    ReductionOperation{"or", [](s64 a, s64 b) { return a | b; }},
    ReductionOperation{"xor", [](s64 a, s64 b) { return a ^ b; }},
};

}  // namespace

ReferenceParameter operationParameter() {
    ReferenceParameter parameter{.name = "op"};
    for (const ReductionOperation& operation : kOperations)
        parameter.choices.push_back(operation.name);
    return parameter;
}

const ReductionOperation* operationOf(const Experiment& experiment) {
    const std::string name = experiment.family->findParameter("op")->shown(experiment.values.at("op"));
    const auto found = std::ranges::find(kOperations, name, &ReductionOperation::name);
    return found == kOperations.end() ? nullptr : &*found;
}

}  // namespace lockstep::catalog
