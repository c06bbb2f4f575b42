// Each element less the first one of its warp. Lane 0 hands its register to all others: no memory is needed.

__global__ void less_first(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? in[i] : 0;

    int first = __shfl_sync(0xffffffff, own, 0);

    if (i < n)
        out[i] = own - first;
}
