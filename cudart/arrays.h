// Arrays, the opaque memory of textures and surfaces. Their texels lie row by row, with nothing in between.
#pragma once

#include "cudart/call.h"

namespace lockstep::cudart {

// A copy whose arrays are replaced by the memory that they are, positions and widths in bytes; an error if an
// array is none, or the copy goes past its edge.
int withoutArrays(Call& call, cudaMemcpy3DParms& parameters);

// Of memory.cpp.
int copyBox(Call& call, const cudaMemcpy3DParms& parameters, cudaStream_t stream, bool isAsynchronous);
cudaError_t releaseDevice(Call& call, void* pointer);

}  // namespace lockstep::cudart
