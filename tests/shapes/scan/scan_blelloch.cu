// Work-efficient exclusive scan: up-sweep, zero at the root, down-sweep; two elements for each thread.
#define ELEMENTS 128

__global__ void prescan(int *out, const int *in)
{
    __shared__ int temp[ELEMENTS];
    int t = threadIdx.x;
    int offset = 1;
    in += blockIdx.x * ELEMENTS;
    out += blockIdx.x * ELEMENTS;
    temp[2 * t] = in[2 * t];
    temp[2 * t + 1] = in[2 * t + 1];

    for (int d = ELEMENTS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (t == 0) temp[ELEMENTS - 1] = 0;
    for (int d = 1; d < ELEMENTS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            int v = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += v;
        }
    }
    __syncthreads();
    out[2 * t] = temp[2 * t];
    out[2 * t + 1] = temp[2 * t + 1];
}
