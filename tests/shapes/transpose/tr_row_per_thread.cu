// Transpose where each thread walks along a row of the input.
const int N = 32;

__global__ void transpose_parallel_per_row(float in[], float out[])
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    for (int j = 0; j < N; j++)
        out[j + i * N] = in[i + j * N];
}
