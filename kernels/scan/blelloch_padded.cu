// blelloch.cu without its bank conflicts: after every 32 words one word is left out, so that words which lie a power of two
// apart fall into different banks.

__device__ int padded(int index)
{
    return index + index / 32;
}

__global__ void scan_blelloch_padded(const int* in, int* out, int* totals, int n)
{
    extern __shared__ int tree[];

    int tid = threadIdx.x, size = 2 * blockDim.x;
    int first = blockIdx.x * size + tid, second = first + blockDim.x;
    int a = first < n ? in[first] : 0;
    int b = second < n ? in[second] : 0;
    tree[padded(tid)] = a;
    tree[padded(tid + blockDim.x)] = b;

    int stride = 1;
    for (int pairs = size / 2; pairs > 0; pairs /= 2) {
        __syncthreads();
        if (tid < pairs) {
            int right = stride * (2 * tid + 2) - 1;
            tree[padded(right)] += tree[padded(right - stride)];
        }
        stride *= 2;
    }
    if (tid == 0) {
        totals[blockIdx.x] = tree[padded(size - 1)];
        tree[padded(size - 1)] = 0;
    }
    for (int pairs = 1; pairs < size; pairs *= 2) {
        stride /= 2;
        __syncthreads();
        if (tid < pairs) {
            int right = stride * (2 * tid + 2) - 1;
            int left = tree[padded(right - stride)];
            tree[padded(right - stride)] = tree[padded(right)];
            tree[padded(right)] += left;
        }
    }
    __syncthreads();

    if (first < n)
        out[first] = tree[padded(tid)] + a;
    if (second < n)
        out[second] = tree[padded(tid + blockDim.x)] + b;
}

__global__ void scan_add_totals(int* out, const int* totals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += totals[blockIdx.x - 1];
}
