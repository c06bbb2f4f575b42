// What is allocated is freed, or gone by a reset.
#include <cstdio>

int main() {
    for (int i = 0; i < 3; ++i) {
        int *a, *pinned;
        cudaMalloc(&a, 1000);
        cudaMallocHost(&pinned, 10);
        if (i == 2) break;
        cudaFree(a);
        cudaFreeHost(pinned);
    }
    cudaDeviceReset();
    printf("done\n");
}
