// Managed variables and memory, a list of nodes, and memory of the host that kernels use.
#include <cstdio>
__device__ __managed__ int total = 5, table[3] = {1, 2, 3};
struct Node { int value; Node* next; };
__global__ void add(int n) { atomicAdd(&total, n + table[1]); table[2] = 77; }
__global__ void walk(Node* n, int* sum) { for (; n; n = n->next) *sum += n->value; }
int main() {
    printf("%d\n", total);
    total += 100; table[1] = 20;
    add<<<1, 4>>>(1); cudaDeviceSynchronize();
    printf("%d %d\n", total, table[2]);
    Node* head = nullptr; int* sum;
    for (int i = 1; i <= 5; ++i) { Node* n; cudaMallocManaged(&n, sizeof *n); n->value = i; n->next = head; head = n; }
    cudaMallocManaged(&sum, 4); *sum = 0;
    walk<<<1, 1>>>(head, sum); cudaDeviceSynchronize(); printf("%d\n", *sum);
    while (head) { Node* n = head->next; cudaFree(head); head = n; } cudaFree(sum);
    int* h = new int[1000]; for (int i = 0; i < 1000; ++i) h[i] = i;
    cudaHostRegister(h, 4000, cudaHostRegisterMapped); int* d; cudaHostGetDevicePointer(&d, h, 0);
    void* m; cudaGetSymbolAddress(&m, total); printf("%d\n", m == &total);
    int* r; cudaHostAlloc(&r, 4, cudaHostAllocMapped); *r = 0;
    Node* one; cudaMallocHost(&one, sizeof *one); one->value = 9; one->next = nullptr; walk<<<1,1>>>(one, r); cudaDeviceSynchronize();
    walk<<<1, 1>>>((Node*)nullptr, d); cudaDeviceSynchronize(); printf("%d %d %d\n", h[0], h[999], *r);
    cudaHostUnregister(h); printf("%d\n", h[500]); cudaFreeHost(r); cudaFreeHost(one); delete[] h;
}
