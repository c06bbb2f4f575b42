// The accesses of shapes.cu as plain C++ loops on one thread: how much of a kernel's growing cost is the
// host's own caches. Each returns the seconds of the fastest of three.
#pragma once

#include "base/integers.h"

namespace lockstep::bench {

f64 hostSaxpy(u32 n);
f64 hostGather(u32 n);
f64 hostGatherByIndex(u32 n);
f64 hostScatter(u32 n);
f64 hostStride33(u32 n);
f64 hostPointerChase(u32 n);
f64 hostSparseRows(u32 n);
f64 hostHistogram(u32 n);
f64 hostHashInsert(u32 n);
f64 hostBitonicStep(u32 n);
f64 hostFrontier(u32 n);

}  // namespace lockstep::bench
