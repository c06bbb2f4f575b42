// Adds up the lanes that happen to be here.
__global__ void those_here(const int* in, int* out) {
    int t = threadIdx.x, v = 0;
    for (int i = 0; i < t % 4; ++i)
        v += in[t + i];
    unsigned here = __activemask();
    int leader = __ffs(here) - 1;
    for (int from = 0; from < 32; ++from)
        if (here >> from & 1)
            v += __shfl_sync(here, v, from);
    if (t == leader)
        out[0] = v;
}
