// Reusable: one result per batch. The input is a matrix, a batch per row; a block reduces a row of blockSize * fold
// elements. Element type, operation and block size are template parameters: one source, an instance for every use.
// Any other row length: general.cu.

typedef int i32;
typedef long long i64;
typedef float f32;
typedef double f64;

// The operations: associative and commutative, because elements are combined in another order than they are stored in.
template <class T> struct Sum { static __device__ T of(T a, T b) { return a + b; } };
template <class T> struct Product { static __device__ T of(T a, T b) { return a * b; } };
template <class T> struct Min { static __device__ T of(T a, T b) { return b < a ? b : a; } };
template <class T> struct Max { static __device__ T of(T a, T b) { return a < b ? b : a; } };
template <class T> struct And { static __device__ T of(T a, T b) { return a & b; } };
template <class T> struct Or { static __device__ T of(T a, T b) { return a | b; } };
template <class T> struct Xor { static __device__ T of(T a, T b) { return a ^ b; } };

template <class T, template <class> class Operation, int blockSize>  // blockSize: a power of two, 1 to 1024
__global__ void reduce_batches(const T* in, T* out, int fold)
{
    __shared__ T sdata[blockSize];

    int tid = threadIdx.x;
    const T* row = in + (long long)blockIdx.x * blockSize * fold;

    // Each thread folds elements a block's width apart, so that neighbors read neighbors.
    T result = row[tid];
    for (int k = 1; k < fold; ++k)
        result = Operation<T>::of(result, row[tid + k * blockSize]);
    sdata[tid] = result;
    __syncthreads();

    // blockSize is known: the compiler writes the steps out, without loop or counter.
    for (int s = blockSize / 2; s > 0; s >>= 1) {
        if (tid < s) {
            result = Operation<T>::of(result, sdata[tid + s]);
            sdata[tid] = result;
        }
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = result;
}
