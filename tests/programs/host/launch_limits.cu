// Launches over a limit of the device. Each is asked for its error: it is found all the same.
#include <cstdio>

__global__ void fill(int* a) {
    extern __shared__ int room[];
    room[threadIdx.x] = 1;
    a[threadIdx.x] = room[threadIdx.x];
}

int main() {
    int* a;
    cudaMalloc(&a, 4096);
    fill<<<1, dim3(1, 1, 65), 400>>>(a);  // finds: launch_refused: The launch of fill was refused: a block of 1x1x65 has too many threads
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    fill<<<0, 32, 400>>>(a);  // finds: launch_refused: The launch of fill was refused: grid and block need at least 1 in every dimension
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    fill<<<dim3(1, 70000), 32, 400>>>(a);  // finds: launch_refused: The launch of fill was refused: a grid of 1x70000x1 is too large
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    fill<<<1, 32, 50000>>>(a);  // finds: launch_refused: it requests 50,000 bytes of dynamic shared memory; more than 49,152 must be enabled first
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(a);
}
