// Memory that is never freed, a remark: the program ends, and with it its memory.
#include <cstdio>

int main() {
    for (int i = 0; i < 3; ++i) {
        int *a, *pinned;
        cudaMalloc(&a, 1000);  // finds: leak: 3 allocations of device memory, 3,000 bytes in all, are never freed.
        cudaMallocHost(&pinned, 10);  // finds: leak: 3 allocations of pinned memory, 30 bytes in all, are never freed.
    }
    printf("done\n");
}
