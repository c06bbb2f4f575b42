// Naive product of matrices from cudaMallocPitch: a row is found by its pitch in bytes.
#include <cstddef>

__device__ const float *rowOf(const float *base, size_t pitch, int r)
{
    return (const float *)((const char *)base + r * pitch);
}

__global__ void mulPitched(const float *dA, size_t pitchA, const float *dB, size_t pitchB,
                           float *dC, size_t pitchC, int m, int k, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < m)
    {
        const float *rowA = rowOf(dA, pitchA, y);
        float s = 0.f;
        for (int i = 0; i < k; ++i)
            s += rowA[i] * rowOf(dB, pitchB, i)[x];
        ((float *)((char *)dC + y * pitchC))[x] = s;
    }
}
