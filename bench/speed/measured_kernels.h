// What speed_bench measures: every variant of the catalog, kernels of the shapes that are hard to watch
// (shapes.cu), and the runs whose instructions CI counts. One more is one row in measured_kernels.cpp.
#pragma once

#include "base/integers.h"
#include "run/run.h"
#include "subjects.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::bench {

// A variant at about a million elements; its times beside OpenCL's where speed_opencl has the same kernel.
struct VariantSubject {
    std::string name;  // family/variant
    Settings settings;
};
std::vector<VariantSubject> variantSubjects();

// A kernel of shapes.cu, at any n.
struct ShapeSubject {
    std::string name;
    std::vector<std::string> arguments;  // "{n}" is n, "{2n}" twice that
    u32 blocks = 0;                      // 0: one thread an element
    // Plain C++ with the same accesses, on one thread: seconds. The host has caches, too. May be none.
    std::function<f64(u32 n)> hostSeconds = {};
};
const std::vector<ShapeSubject>& shapeSubjects();

// Small runs of the catalog: how many instructions the host needs for them is compared with
// instructions.json.
const std::vector<VariantSubject>& countedSubjects();

run::Experiment open(const ShapeSubject& subject, u32 n);

}  // namespace lockstep::bench
