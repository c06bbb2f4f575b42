// Which contents affect control flow and addresses: those that may flow into an address or a branch
// condition. Run again on its own results, such a kernel may behave differently: an incremented index
// continues where it was, an awaited flag never changes.
//
// Found statically: values are followed through registers and memory, ignoring control flow and order. So a
// buffer may be named that has no effect, but none is missed.
#pragma once

#include "cuda/worker/job.h"
#include "ptx/module.h"

namespace lockstep::run {

struct DataDependence {
    std::vector<u32> buffers;                       // ascending
    std::vector<cuda::ChangingVariable> variables;  // the module's variables that the kernels may write
    // Buffers where the results of atomic operations may affect what is stored, or where: their contents
    // depend on thread order. Ascending.
    std::vector<u32> ordered;
    // Accesses whose address may depend on the results of atomic operations. Ascending pcs; none if the
    // kernels cannot be followed.
    std::vector<u32> orderedAddresses;
};

// For all launches together, which pass values to each other through `buffers` buffers.
DataDependence dataDependenceOf(const ptx::Module& module, std::span<const Launch> launches,
                                std::size_t buffers);

}  // namespace lockstep::run
