// Host code in one file, a kernel in another.
#include "scale.h"

#include <cstdio>
#include <cuda_runtime.h>

int main() {
    float host[4] = {1, 2, 3, 4}, *device;
    cudaMalloc((void**)&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    scale(device, 4);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
}
