// Texture objects live as long as they are used; coordinates outside a texture are no error, nor those outside a surface that
// is told what to do then.
#include <cstdio>

__global__ void read(cudaTextureObject_t t, float* to) { to[threadIdx.x] = tex2D<float>(t, (int)threadIdx.x - 1, 9.0f); }
__global__ void write(cudaSurfaceObject_t s) {
    surf2Dwrite(1.0f, s, 4 * (int)threadIdx.x, 3);
    surf2Dwrite(2.0f, s, 4 * (int)threadIdx.x, 9, cudaBoundaryModeZero);
}

int main() {
    float *to, host[6];
    cudaMalloc(&to, sizeof host);
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &floats, 4, 4, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaCreateSurfaceObject(&surface, &resource);
    write<<<1, 4>>>(surface);
    read<<<1, 6>>>(texture, to);
    cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[0], host[5]);
    cudaDestroySurfaceObject(surface);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(to);
}
