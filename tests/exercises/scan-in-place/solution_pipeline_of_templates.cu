#include <cooperative_groups.h>
template <int Step> __device__ void steps(int* s, int& v, cooperative_groups::thread_block block) {
    if constexpr (Step < 128) {
        int t = block.thread_rank();
        block.sync();
        int u = t < Step ? 0 : s[t - Step];
        block.sync();
        if (u) s[t] = v += u;
        steps<2 * Step>(s, v, block);
    }
}
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int i = blockIdx.x * 128 + threadIdx.x, v = 0;
    if (i < n) v = in[i];
    s[threadIdx.x] = v;
    steps<1>(s, v, cooperative_groups::this_thread_block());
    if (i < n) out[i] = v;
}
