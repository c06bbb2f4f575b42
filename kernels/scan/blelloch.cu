// Running sums with no more work than one thread would need (Blelloch): up the tree to sums of ever larger pieces, down
// the tree to what lies before each piece. 2 * log2 steps, about three operations per element. Each thread has two elements.
// The strides double as in reduction/v1: so do the bank conflicts.

__global__ void scan_blelloch(const int* in, int* out, int* totals, int n)
{
    extern __shared__ int tree[];

    int tid = threadIdx.x, size = 2 * blockDim.x;
    int first = blockIdx.x * size + tid, second = first + blockDim.x;
    int a = first < n ? in[first] : 0;
    int b = second < n ? in[second] : 0;
    tree[tid] = a;
    tree[tid + blockDim.x] = b;

    int stride = 1;
    for (int pairs = size / 2; pairs > 0; pairs /= 2) {  // up: the right one of each pair gets the pair's sum
        __syncthreads();
        if (tid < pairs) {
            int right = stride * (2 * tid + 2) - 1;
            tree[right] += tree[right - stride];
        }
        stride *= 2;
    }
    if (tid == 0) {
        totals[blockIdx.x] = tree[size - 1];
        tree[size - 1] = 0;
    }
    for (int pairs = 1; pairs < size; pairs *= 2) {  // down: left gets what lies before the pair, right that plus left
        stride /= 2;
        __syncthreads();
        if (tid < pairs) {
            int right = stride * (2 * tid + 2) - 1;
            int left = tree[right - stride];
            tree[right - stride] = tree[right];
            tree[right] += left;
        }
    }
    __syncthreads();

    // The tree holds what lies before each element; with the element itself it is the running sum.
    if (first < n)
        out[first] = tree[tid] + a;
    if (second < n)
        out[second] = tree[tid + blockDim.x] + b;
}

__global__ void scan_add_totals(int* out, const int* totals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += totals[blockIdx.x - 1];
}
