// How many odd elements come before this one in its warp? All lanes vote with one bit each, and each lane gets all bits.

__global__ void odd_before(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool isOdd = i < n && in[i] % 2 != 0;

    unsigned odd = __ballot_sync(0xffffffff, isOdd);

    unsigned lower = (1u << threadIdx.x % 32) - 1;  // lanes with a lower number
    if (i < n)
        out[i] = __popc(odd & lower);
}
