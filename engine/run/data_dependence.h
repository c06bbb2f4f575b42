// Which contents decide what a kernel does: those that may reach an address or the condition of a branch. Run
// again on what it left there, such a kernel may take another way: an index counted up goes on where it was,
// a turn waited for never comes.
//
// Found in the text, without running it: values are followed through registers and memory, flow and order
// left aside, so that a buffer may be named that decides nothing, but none is left out.
#pragma once

#include "cuda/worker/job.h"
#include "ptx/module.h"

namespace lockstep::run {

struct DataDependence {
    std::vector<u32> buffers;                       // ascending
    std::vector<cuda::ChangingVariable> variables;  // those of the module that the kernels may write
    // Buffers where the results of atomic operations may decide what is stored, or where: who came first
    // shows in them. Ascending.
    std::vector<u32> ordered;
    // Accesses whose address the results of atomic operations may decide. Ascending pcs; none where the
    // kernels are not followed.
    std::vector<u32> orderedAddresses;
};

// Of all launches together, which hand values on to each other through `buffers` buffers.
DataDependence dataDependenceOf(const ptx::Module& module, std::span<const Launch> launches,
                                std::size_t buffers);

}  // namespace lockstep::run
