// Lane k executes the loop k + 1 times. The warp goes on until its last lane is done, with fewer and fewer active lanes.

__global__ void trip_counts(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    for (int k = 0; k <= threadIdx.x % 32; ++k)
        sum += in[i + k];
    out[i] = sum;
}
