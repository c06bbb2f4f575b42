// Launches up to the limits of the device.
#include <cstdio>

__global__ void fill(int* a) {
    extern __shared__ int room[];
    room[threadIdx.z] = 1;
    if (blockIdx.y + blockIdx.x == 0) a[threadIdx.z] = room[threadIdx.z];
}

int main() {
    int *a, last = 0;
    cudaMalloc(&a, 4096);
    fill<<<1, dim3(1, 1, 64), 400>>>(a);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    fill<<<1, dim3(1, 1, 64), 49152>>>(a);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
    fill<<<1, dim3(1, 1, 64), 60000>>>(a);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaMemcpy(&last, a + 63, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    cudaFree(a);
}
