// The sum of any number of elements, at the speed of memory. As many blocks as the device holds at once walk over the
// input in strides of the whole grid, each thread with four loads of 16 bytes in flight; then warps shuffle. Launched
// twice: every block leaves one partial sum, and one block adds those up.

template <int Threads>  // of a block; a multiple of 32
__device__ int block_sum(int sum)  // thread 0 gets the sum over all threads of the block
{
    __shared__ int warpSums[Threads / 32];

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0)
        warpSums[warp] = sum;
    __syncthreads();

    sum = lane < Threads / 32 ? warpSums[lane] : 0;
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

__device__ int sum4(int4 four)
{
    return four.x + four.y + four.z + four.w;
}

// What this thread adds up of the whole input. Each element is read once: __ldcs marks it as the first that a cache may
// drop.
template <int Threads>
__device__ int thread_sum(const int* in, int n)
{
    const int4* in4 = reinterpret_cast<const int4*>(in);
    int stride = gridDim.x * Threads, first = blockIdx.x * Threads + threadIdx.x;

    int sum = 0, i = first;
    for (; i + 3 * stride < n / 4; i += 4 * stride) {
        int4 a = __ldcs(&in4[i]), b = __ldcs(&in4[i + stride]);
        int4 c = __ldcs(&in4[i + 2 * stride]), d = __ldcs(&in4[i + 3 * stride]);
        sum += sum4(a) + sum4(b) + sum4(c) + sum4(d);
    }
    for (; i < n / 4; i += stride)
        sum += sum4(__ldcs(&in4[i]));
    if (first < n % 4)
        sum += in[n / 4 * 4 + first];
    return sum;
}

template <int Threads>
__global__ void __launch_bounds__(Threads) reduce_grid_stride(const int* in, int* out, int n)
{
    int sum = block_sum<Threads>(thread_sum<Threads>(in, n));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
