// CUDA graphs: work that is done each time its graph is launched, and streams that are captured into one.
#pragma once

#include "cudart/call.h"

#include <functional>
#include <vector>

namespace lockstep::cudart {

// Returns its error. Stream: that in which it is done.
using Work = std::function<int(Call&, cudaStream_t)>;

// Does it, or adds it to the graph that the stream is captured into.
cudaError_t perform(Call& call, cudaStream_t stream, cudaGraphNodeType type, const Work& work);
// Of <<<>>>, which returns nothing.
cudaError_t performUnseen(Call& call, cudaStream_t stream, cudaGraphNodeType type, const Work& work);

// As waitForAllIsForbidden(), of a call that waits for a stream.
int waitIsForbidden(cudaStream_t stream);

// An event recorded in a captured stream: streams that wait for it are captured, too. 0: none.
std::uint64_t captureOf(cudaStream_t stream);
void joinCapture(cudaStream_t stream, std::uint64_t capture);

// Work of nodes, by their parameters (memory.cpp, launch.cpp). The arguments of a kernel are copied; empty:
// it has none, the call's error says why.
Work copyWork(const cudaMemcpy3DParms& parameters);
Work fillWork(const cudaMemsetParams& parameters);
Work launchWork(Call& call, const cudaKernelNodeParams& parameters, bool isCooperative, int& error);

}  // namespace lockstep::cudart
