// As grid_stride.cu, in one launch. Blocks cannot wait for each other, but each can draw a ticket when its partial sum is
// written: the one that draws the last knows that all partial sums are there, and adds them up.

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
__global__ void __launch_bounds__(Threads) reduce_single_pass(const int* in, int* partials, unsigned* ticket, int* out, int n)
{
    __shared__ bool isLast;

    int sum = block_sum<Threads>(thread_sum<Threads>(in, n));
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();  // the partial sum before the ticket
        // The last ticket sets the counter back to 0, for the next launch.
        isLast = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();  // the last ticket before the partial sums of the others
    }
    __syncthreads();
    if (!isLast)
        return;

    sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += Threads)
        sum += partials[i];
    sum = block_sum<Threads>(sum);
    if (threadIdx.x == 0)
        *out = sum;
}
