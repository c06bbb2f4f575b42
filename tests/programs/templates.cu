// Templates of kernels, functors, lambdas of device code, and functions through pointers.
#include <cstdio>
#include <type_traits>

template <class T> struct Doubled {
    __device__ T operator()(T x) const { return x + x; }
};
struct Power {
    int exponent;
    __host__ __device__ double operator()(double x) const {
        double result = 1;
        for (int i = 0; i < exponent; ++i) result *= x;
        return result;
    }
};
template <class T, class F> __global__ void apply(T* values, int n, F f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = f(values[i]);
}
using Function = int (*)(int);
__device__ int negative(int x) { return -x; }
__device__ int plusOne(int x) { return x + 1; }
__device__ Function functions[2] = {negative, plusOne};
__global__ void call(int* values) { values[threadIdx.x] = functions[threadIdx.x % 2](values[threadIdx.x]); }

template <class T, class F> void show(F f) {
    T host[4] = {1, 2, 3, 4}, *device;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    apply<<<1, 2>>>(device, 4, f);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (T value : host) printf("%g ", double(value));
    printf("%zu bytes\n", sizeof(T));
    cudaFree(device);
}

int main() {
    show<int>(Doubled<int>());
    show<float>(Doubled<float>());
    show<double>(Power{3});
    int host[4] = {5, 6, 7, 8}, *device;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    call<<<1, 4>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(device);
}
