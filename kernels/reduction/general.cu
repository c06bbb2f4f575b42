// Any number of elements, any block: one result per batch, a batch per row of the input. Threads walk along their row in
// strides of the grid's width; then warps shuffle. Launched twice: first every block of a row leaves one partial result,
// then one block per row reduces those.

typedef int i32;
typedef long long i64;
typedef float f32;
typedef double f64;

// An operation and its start: what a thread may begin with, as often as it likes, without changing the result. For a sum
// that is 0; for a minimum, any element of the row.
template <class T> struct Sum {
    static __device__ T start(T) { return 0; }
    static __device__ T of(T a, T b) { return a + b; }
};
template <class T> struct Product {
    static __device__ T start(T) { return 1; }
    static __device__ T of(T a, T b) { return a * b; }
};
template <class T> struct Min {
    static __device__ T start(T any) { return any; }
    static __device__ T of(T a, T b) { return b < a ? b : a; }
};
template <class T> struct Max {
    static __device__ T start(T any) { return any; }
    static __device__ T of(T a, T b) { return a < b ? b : a; }
};
template <class T> struct And {
    static __device__ T start(T any) { return any; }
    static __device__ T of(T a, T b) { return a & b; }
};
template <class T> struct Or {
    static __device__ T start(T any) { return any; }
    static __device__ T of(T a, T b) { return a | b; }
};
template <class T> struct Xor {
    static __device__ T start(T) { return 0; }
    static __device__ T of(T a, T b) { return a ^ b; }
};

template <class T, class Operation>
__device__ T warp_reduce(T result)  // lane 0 gets the result of all lanes
{
    for (int offset = 16; offset > 0; offset >>= 1)
        result = Operation::of(result, __shfl_down_sync(0xffffffff, result, offset));
    return result;
}

template <class T, template <class> class Operation>  // blockDim.x: a multiple of 32
__global__ void reduce_rows(const T* in, T* out, int n)
{
    __shared__ T warpResults[32];  // a block has at most 32 warps

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const T* row = in + (long long)blockIdx.y * n;

    T result = Operation<T>::start(row[0]);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        result = Operation<T>::of(result, row[i]);

    result = warp_reduce<T, Operation<T>>(result);
    if (lane == 0)
        warpResults[warp] = result;
    __syncthreads();

    if (warp == 0) {
        result = lane < blockDim.x / 32 ? warpResults[lane] : Operation<T>::start(row[0]);
        result = warp_reduce<T, Operation<T>>(result);
        if (lane == 0)
            out[blockIdx.y * gridDim.x + blockIdx.x] = result;
    }
}
