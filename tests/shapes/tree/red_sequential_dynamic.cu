// Sum of each block by sequential addressing in dynamic shared memory.
template <class T>
__global__ void reduceSum(const T *in, T *out, int n)
{
    extern __shared__ unsigned char raw[];
    T *buf = reinterpret_cast<T *>(raw);
    int t = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + t;
    buf[t] = gid < n ? in[gid] : T(0);
    __syncthreads();
    for (int half = blockDim.x >> 1; half; half >>= 1) {
        if (t < half)
            buf[t] += buf[t + half];
        __syncthreads();
    }
    if (!t)
        out[blockIdx.x] = buf[0];
}
