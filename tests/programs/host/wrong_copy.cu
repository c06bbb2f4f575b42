// Copies in the wrong direction, and of bytes that are not there.
#include <cstdio>
#include <vector>

int main() {
    const int n = 100;
    std::vector<int> host(2 * n, 3);
    int* a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemcpy(a, host.data(), n * sizeof(int), cudaMemcpyDeviceToHost);  // finds: wrong_direction: cudaMemcpy with cudaMemcpyDeviceToHost: the destination, a, is device memory.
    cudaMemcpy(host.data(), a, n * sizeof(double), cudaMemcpyDeviceToHost);  // finds: copy_out_of_bounds: cudaMemcpy of 800 bytes goes past the end of a, of which 400 bytes are left there.
    cudaMemset(host.data(), 0, 4);  // finds: wrong_direction: cudaMemset is given host memory; it fills device memory.
    cudaMemcpy(a + n / 2, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);  // finds: copy_out_of_bounds: cudaMemcpy of 400 bytes goes past the end of a, of which 200 bytes are left there.
    printf("%d\n", host[0]);
    cudaFree(a);
}
