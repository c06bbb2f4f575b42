// Every lane gets the sum of its warp. In each round a lane adds the value of the lane whose number differs from its own in one
// bit: both of a pair have the same sum afterwards.

__global__ void sum_for_all(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;

    for (int bit = 16; bit > 0; bit >>= 1)
        sum += __shfl_xor_sync(0xffffffff, sum, bit);

    if (i < n)
        out[i] = sum;
}
