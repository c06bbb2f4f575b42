// Errors: of calls, of launches, one that stays, and the reset that ends it.
#include <cstdio>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }

void say(const char* what, cudaError_t error) { printf("%s: %s (%s)\n", what, cudaGetErrorName(error), cudaGetErrorString(error)); }

int main() {
    int *a, host[4];
    say("too much", cudaMalloc(&a, size_t(1) << 50));
    say("last", cudaGetLastError());
    say("last again", cudaGetLastError());
    cudaMalloc(&a, sizeof host);
    fill<<<1, 5000>>>(a);
    say("launch", cudaGetLastError());
    say("device", cudaSetDevice(3));
    fill<<<1, 8>>>(a);
    say("launched", cudaGetLastError());
    say("waited", cudaDeviceSynchronize());
    say("stays", cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    say("reset", cudaDeviceReset());
    cudaMalloc(&a, sizeof host);
    fill<<<1, 4>>>(a);
    say("copied", cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host[3]);
    cudaFree(a);
}
