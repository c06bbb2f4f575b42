// Streams as the runtime keeps them.
#pragma once

#include "cuda_runtime.h"

struct CUstream_st {
    int priority = 0;
    bool isBlocking = true;  // the legacy stream waits for it, and it for the legacy stream
};

namespace lockstep::cudart {

// The default streams are numbers, not objects.
inline bool isOfProgram(cudaStream_t stream) { return stream > cudaStreamPerThread; }
inline bool isLegacy(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }
// As operations name it: of a destroyed one, the number that it had; kNone: there never was one.
std::uint64_t numberOf(const void* stream);
inline bool isBlocking(cudaStream_t stream) { return !isOfProgram(stream) || stream->isBlocking; }

// All of a stream's work so far was waited for. What is not certain to be unwaited counts as waited for, too.
void waitedFor(cudaStream_t stream);

}  // namespace lockstep::cudart
