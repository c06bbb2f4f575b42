#include "scale.h"

#ifndef FACTOR
#error "FACTOR comes from the command line"
#endif

static __global__ void multiply(float* a, int n) {
    if (threadIdx.x < n) a[threadIdx.x] *= FACTOR;
}

void scale(float* device, int n) { multiply<<<1, 32>>>(device, n); }
