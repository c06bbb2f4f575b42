// A texture object whose array was freed, one that was destroyed, one that is a surface, and a surface written outside.
#include <cstdio>

__global__ void readFreed(cudaTextureObject_t t, float* to) {
    *to = tex2D<float>(t, 0.5f, 0.5f);  // finds: invalid_texture: A thread accesses old, which was freed in line 34: use after free.
}
__global__ void write(cudaSurfaceObject_t s) {
    surf2Dwrite(1.0f, s, (int)threadIdx.x, 1);  // finds: invalid_texture: must be a multiple of the 4 bytes accessed
}
__global__ void writeOutside(cudaSurfaceObject_t s) {
    surf2Dwrite(1.0f, s, 4 * (int)threadIdx.x, 1);  // finds: invalid_texture: out of bounds, at x 16, y 1 of 16 x 4 (x in bytes)
}
__global__ void readSurface(cudaTextureObject_t t, float* to) {
    *to = tex2D<float>(t, 0.5f, 0.5f);  // finds: invalid_texture: fetches from a surface object
}
__global__ void read(cudaTextureObject_t t, float* to) {
    *to = tex2D<float>(t, 0.5f, 0.5f);  // finds: invalid_texture: A thread uses a texture object that was destroyed in line 44.
}

int main() {
    float* to;
    cudaMalloc(&to, sizeof(float));
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t array, old;
    cudaMallocArray(&array, &floats, 4, 4, cudaArraySurfaceLoadStore);
    cudaMallocArray(&old, &floats, 4, 4);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaTextureDesc how = {};
    cudaTextureObject_t first, second;
    cudaSurfaceObject_t surface;
    resource.res.array.array = old;
    cudaCreateTextureObject(&second, &resource, &how, nullptr);
    cudaFreeArray(old);
    resource.res.array.array = array;
    cudaCreateTextureObject(&first, &resource, &how, nullptr);
    cudaCreateSurfaceObject(&surface, &resource);

    readFreed<<<1, 1>>>(second, to);
    write<<<1, 4>>>(surface);
    writeOutside<<<1, 5>>>(surface);
    readSurface<<<1, 1>>>(surface, to);
    cudaDestroySurfaceObject(surface);
    cudaDestroyTextureObject(first);
    read<<<1, 1>>>(first, to);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
}
