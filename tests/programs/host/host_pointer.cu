// Pointers to host memory in kernels: as an argument, and inside of a structure.
#include <cstdio>
#include <vector>

struct View {
    int* data;
    int n;
};
__global__ void add(int* a, View view) {
    if (threadIdx.x < view.n)
        a[threadIdx.x] += view.data[threadIdx.x];  // finds: invalid_address: A thread accesses host memory
}
__global__ void fill(int* a) { a[threadIdx.x] = 1; }  // finds: invalid_address: A thread accesses host memory

int main() {
    std::vector<int> host(32, 5);
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    cudaMemset(a, 0, 32 * sizeof(int));
    add<<<1, 32>>>(a, View{host.data(), 32});
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    fill<<<1, 32>>>(host.data());  // finds: host_pointer: Argument 1 of kernel fill is a pointer to host memory
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
