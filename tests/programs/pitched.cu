// Rows with a pitch, copies in two and three dimensions, fills, and what the device is.
#include <cstdio>

__global__ void add(char* rows, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height) ((int*)(rows + y * pitch))[x] += 100 * y;
}
__global__ void touch(cudaPitchedPtr p) { ((char*)p.ptr)[(1 * p.ysize + 1) * p.pitch + 2] = 'x'; }
__global__ void largest() {
    extern __shared__ char bytes[];
    bytes[threadIdx.x] = 0;
}

int main() {
    int host[3][5], back[3][5];
    for (int i = 0; i < 15; ++i) host[i / 5][i % 5] = i;
    char* rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 5 * sizeof(int), 3);
    cudaMemcpy2D(rows, pitch, host, sizeof host[0], sizeof host[0], 3, cudaMemcpyHostToDevice);
    add<<<1, dim3(8, 4)>>>(rows, pitch, 5, 3);
    cudaMemcpy2D(back, sizeof back[0], rows, pitch, sizeof back[0], 3, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", back[0][4], back[1][0], back[2][4], pitch % 512 == 0);
    cudaPitchedPtr box;
    cudaMalloc3D(&box, make_cudaExtent(4, 3, 2));
    cudaMemset3D(box, '.', make_cudaExtent(4, 3, 2));
    touch<<<1, 1>>>(box);
    char text[2][3][4];
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(text, 4, 4, 3);
    copy.extent = make_cudaExtent(4, 3, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    printf("%.24s\n", &text[0][0][0]);
    cudaDeviceProp device;
    int count = 0, blocks = 0, warp = 0;
    cudaGetDeviceCount(&count);
    cudaGetDeviceProperties(&device, 0);
    cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, largest, 256, 0);
    printf("%d device, %d.%d, warps of %d, %d blocks\n", count, device.major, device.minor, warp, blocks);
    largest<<<1, 32, 100000>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFuncSetAttribute(largest, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    largest<<<1, 32, 100000>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(rows);
    cudaFree(box.ptr);
}
