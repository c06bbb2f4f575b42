// A word of padding after every lane's histogram: the copies of a bin lie in 32 different banks. Lanes with the same value
// never conflict; lanes with different values still may.

__global__ void histogram_padded(const int* values, const int* weights, int* bins, int n, int kinds)
{
    __shared__ int sums[32][64 + 1];

    for (int k = threadIdx.x; k < 32 * 64; k += blockDim.x)
        sums[k / 64][k % 64] = 0;
    __syncthreads();

    int lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int b = values[i] % kinds;
        atomicAdd(&sums[lane][b], weights[i]);  // the same lane of other warps adds here, too
    }
    __syncthreads();

    for (int b = threadIdx.x; b < 64; b += blockDim.x) {
        int sum = 0;
        for (int copy = 0; copy < 32; ++copy)
            sum += sums[copy][b];
        bins[b] = sum;
    }
}
