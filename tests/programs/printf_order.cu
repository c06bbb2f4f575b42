// Lanes meet again behind a branch before they print: a warp's output is in the order of its lanes.
#include <cstdio>
__global__ void say() {
    const unsigned t = threadIdx.x;
    if (t == 0) printf("lanes: ");
    printf("%u ", t);
    if (t == 0) printf("\n");
    if (t == 0) printf("halves: ");
    printf("%u ", t / 2);
    if (t == 0) printf("\n");
}
int main() {
    say<<<1, 8>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
