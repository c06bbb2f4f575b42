// Each direction with the pointers that it needs, to the last byte.
#include <cstdio>
#include <vector>

int main() {
    const int n = 100;
    std::vector<int> host(2 * n, 3), back(n);
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, host.data() + n, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemset(b + n - 1, 0, sizeof(int));
    cudaMemcpy(back.data(), b, n * sizeof(int), cudaMemcpyDefault);
    cudaMemcpy(b + n / 2, host.data(), n / 2 * sizeof(int), cudaMemcpyDefault);
    printf("%d %d\n", back[0], back[n - 1]);
    cudaFree(a);
    cudaFree(b);
}
