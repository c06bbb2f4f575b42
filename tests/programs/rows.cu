// Threads of one warp access several allocations: a matrix of rows that were allocated one by one, and a list of nodes.
#include <cstdio>

constexpr int kRows = 4, kColumns = 8;

struct Node {
    int value;
    Node* next;
};

__global__ void transpose(float* const* rows, float* out) {
    out[threadIdx.x * kRows + threadIdx.y] = rows[threadIdx.y][threadIdx.x];
    rows[threadIdx.y][threadIdx.x] += 100;
}
__global__ void pick(const int* a, const int* b, int* out) {
    const int* const from = threadIdx.x < 16 ? a : b;
    out[threadIdx.x] = from[threadIdx.x % 16];
}
__global__ void walk(Node* const* heads, int* sums) {
    int sum = 0;
    for (Node* node = heads[threadIdx.x]; node; node = node->next) {
        sum += node->value;
        atomicAdd(&node->value, 1);
    }
    sums[threadIdx.x] = sum;
}

int main() {
    float *rows[kRows], **d_rows, *d_out, out[kRows * kColumns];
    for (int r = 0; r < kRows; ++r) {
        float row[kColumns];
        for (int c = 0; c < kColumns; ++c) row[c] = float(10 * r + c);
        cudaMalloc(&rows[r], sizeof row);
        cudaMemcpy(rows[r], row, sizeof row, cudaMemcpyHostToDevice);
    }
    cudaMalloc(&d_rows, sizeof rows);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
    transpose<<<1, dim3(kColumns, kRows)>>>(d_rows, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (float value : out) printf("%g ", value);
    printf("\n");
    for (float* row : rows) {
        float last;
        cudaMemcpy(&last, row + kColumns - 1, sizeof last, cudaMemcpyDeviceToHost);
        printf("%g ", last);
        cudaFree(row);
    }
    printf("\n");

    int *a, *b, *picked;
    cudaMallocManaged(&a, 16 * sizeof(int));
    cudaMallocManaged(&b, 16 * sizeof(int));
    cudaMallocManaged(&picked, 32 * sizeof(int));
    for (int i = 0; i < 16; ++i) a[i] = i, b[i] = -i;
    pick<<<1, 32>>>(a, b, picked);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) printf("%d ", picked[i]);
    printf("\n");

    Node** heads;
    int* sums;
    cudaMallocManaged(&heads, 8 * sizeof *heads);
    cudaMallocManaged(&sums, 8 * sizeof *sums);
    for (int i = 0; i < 8; ++i) {
        heads[i] = nullptr;
        for (int j = 0; j <= i; ++j) {
            Node* node;
            cudaMallocManaged(&node, sizeof *node);
            *node = {10 * i + j, heads[i]};
            heads[i] = node;
        }
    }
    walk<<<1, 8>>>(heads, sums);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; ++i) printf("%d ", sums[i]);
    printf("%d\n", heads[7]->next->value);
    for (int i = 0; i < 8; ++i)
        for (Node* node = heads[i]; node;) {
            Node* const next = node->next;
            cudaFree(node);
            node = next;
        }
    for (void* each : {(void*)d_rows, (void*)d_out, (void*)a, (void*)b, (void*)picked, (void*)heads, (void*)sums}) cudaFree(each);
}
