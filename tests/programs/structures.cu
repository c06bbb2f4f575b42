// Structures with pointers, passed by value and in device memory; pointers into the middle; a virtual-free class.
#include <cstdio>

struct Matrix {
    int rows, columns;
    float* elements;
    __host__ __device__ float& at(int r, int c) const { return elements[r * columns + c]; }
};
struct Job {
    Matrix in, out;
    float scale;
};

__global__ void transpose(Matrix in, Matrix out) {
    if (threadIdx.x < in.columns && threadIdx.y < in.rows) out.at(threadIdx.x, threadIdx.y) = in.at(threadIdx.y, threadIdx.x);
}
__global__ void run(const Job* jobs, int* order) {
    const Job& job = jobs[blockIdx.x];
    for (int i = threadIdx.x; i < job.in.rows * job.in.columns; i += blockDim.x) job.out.elements[i] = job.scale * job.in.elements[i];
    if (threadIdx.x == 0) order[blockIdx.x] = int(job.scale);
}

Matrix onDevice(int rows, int columns, const float* host) {
    Matrix m{rows, columns, nullptr};
    cudaMalloc(&m.elements, rows * columns * sizeof(float));
    if (host) cudaMemcpy(m.elements, host, rows * columns * sizeof(float), cudaMemcpyHostToDevice);
    return m;
}

int main() {
    const float values[6] = {1, 2, 3, 4, 5, 6};
    Matrix a = onDevice(2, 3, values), b = onDevice(3, 2, nullptr), c = onDevice(3, 2, nullptr);
    transpose<<<1, dim3(4, 4)>>>(a, b);
    Job jobs[2] = {{a, c, 10}, {b, a, 2}}, *d_jobs;
    int order[2], *d_order;
    cudaMalloc(&d_jobs, sizeof jobs);
    cudaMalloc(&d_order, sizeof order);
    cudaMemcpy(d_jobs, jobs, sizeof jobs, cudaMemcpyHostToDevice);
    run<<<1, 4>>>(d_jobs, d_order);
    run<<<1, 4>>>(d_jobs + 1, d_order + 1);
    cudaMemcpy(order, d_order, sizeof order, cudaMemcpyDeviceToHost);
    for (const Matrix& m : {a, b, c}) {
        float host[6];
        cudaMemcpy(host, m.elements, sizeof host, cudaMemcpyDeviceToHost);
        for (float value : host) printf("%g ", value);
        printf("\n");
        cudaFree(m.elements);
    }
    printf("%d %d\n", order[0], order[1]);
    cudaFree(d_jobs);
    cudaFree(d_order);
}
