// Lane 0 gets the sum of its warp. In each round a lane adds the value of the lane that is `offset` further on; every lane
// stores what it has at the end.

__global__ void sum_down(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;

    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);

    if (i < n)
        out[i] = sum;
}
