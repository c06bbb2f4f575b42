// Branches behind a guard and within another branch.
__global__ void paths(const int* in, int* out, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    int v = in[t];
    if (t < 20) {
        v += in[t + 32];
        if (t & 1)
            v *= in[t + 64];
        else
            v -= in[t + 96];
        out[t] = v;
    } else {
        out[t] = -v * in[t + 1];
    }
    out[t + 32] = v;
}
