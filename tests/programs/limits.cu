// What a GPU refuses: memory that is not cudaFree()'s, sizes beyond all memory, more shared memory than enabled.
#include <cstdio>
#include <cstdlib>

__device__ int variable = 7;

extern __shared__ float dynamic[];
__global__ void share(float* out) {
    __shared__ float tile[10240];  // 40 KiB
    tile[threadIdx.x] = 1;
    dynamic[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x] + dynamic[31 - threadIdx.x];
}
__global__ void readVariable(int* out) { *out = variable; }

void print(cudaError_t error) {
    printf("%s ", cudaGetErrorName(error));
    cudaGetLastError();
}

int main() {
    int *registered = (int*)malloc(400), *of, *pinned, value = 0;
    cudaHostRegister(registered, 400, 0);
    cudaMallocHost(&pinned, 400);
    print(cudaFree(registered));
    print(cudaFree(pinned));
    print(cudaFreeHost(registered));
    registered[99] = pinned[99] = 1;
    cudaGetSymbolAddress((void**)&of, variable);
    print(cudaFree(of));
    cudaMemcpy(&value, of, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    print(cudaHostUnregister(registered));
    print(cudaFreeHost(pinned));
    free(registered);
    printf("\n");

    void* pointer = nullptr;
    size_t pitch = 0;
    print(cudaMallocPitch(&pointer, &pitch, size_t(1) << 40, size_t(1) << 30));
    print(cudaMallocPitch(&pointer, &pitch, ~size_t(0), 1));
    cudaPitchedPtr box;
    print(cudaMalloc3D(&box, make_cudaExtent(512, size_t(1) << 32, size_t(1) << 32)));
    printf("%d\n", pointer == nullptr);
    char *rows, row[64] = {};
    cudaMalloc(&rows, 4096);
    print(cudaMemcpy2D(rows, size_t(1) << 63, row, 64, 64, 3, cudaMemcpyHostToDevice));
    print(cudaMemset2D(rows, size_t(1) << 63, 0, 64, 3));
    print(cudaMemset2D(rows, 64, 0, 64, 64));
    printf("\n");

    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, share);
    printf("%d %d\n", int(attributes.sharedSizeBytes), attributes.maxDynamicSharedSizeBytes);
    float* out = (float*)rows;
    share<<<1, 32, 8192>>>(out);
    print(cudaGetLastError());
    share<<<1, 32, 8193>>>(out);
    print(cudaGetLastError());
    cudaFuncSetAttribute(share, cudaFuncAttributeMaxDynamicSharedMemorySize, 20480);
    share<<<1, 32, 20480>>>(out);
    print(cudaDeviceSynchronize());
    printf("\n");
    cudaFree(rows);
}
