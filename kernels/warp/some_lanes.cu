// One lane of every `every` has a loop, the others a single load. They wait for it.

__global__ void some_lanes(const int* in, int* out, int n, int every)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    if (threadIdx.x % every == 0) {
        for (int k = i; k < n; k += blockDim.x)
            sum += in[k];
    } else {
        sum = -in[i];
    }
    out[i] = sum;
}
