// Host memory that kernels may use: managed, pinned and registered.
#include <cstdio>
#include <cstdlib>

struct View {
    int* data;
    int n;
};
__global__ void add(int* a, View view) {
    if (threadIdx.x < view.n) a[threadIdx.x] += view.data[threadIdx.x];
}

int main() {
    int *managed, *pinned, *own = static_cast<int*>(malloc(32 * sizeof(int)));
    cudaMallocManaged(&managed, 32 * sizeof(int));
    cudaMallocHost(&pinned, 32 * sizeof(int));
    cudaHostRegister(own, 32 * sizeof(int), cudaHostRegisterDefault);
    for (int i = 0; i < 32; ++i)
        managed[i] = 1, pinned[i] = 2, own[i] = 3;
    add<<<1, 32>>>(managed, View{pinned, 32});
    add<<<1, 32>>>(managed, View{own, 32});
    cudaDeviceSynchronize();
    printf("%d\n", managed[31]);
    cudaHostUnregister(own);
    cudaFreeHost(pinned);
    cudaFree(managed);
    free(own);
}
