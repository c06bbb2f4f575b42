// Conditions that leave a loop or a turn of it, and one of two parts.
__global__ void leaves(const int* in, int* out, int n) {
    int t = threadIdx.x, found = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
        if (in[t + k] > 24)
            break;
        out[t] = ++found;
    }
    int left = found;
    do {
        if (in[t] == 7)
            continue;
        out[(t + left) % 32] += left;
    } while (--left > t);
    if (t % 2 == 0 && in[t] > 10) {
        int sum = 0;
        for (int k = 0; k < in[t]; ++k)
            sum += in[(t + k) % 32] * k;
        out[t] = sum;
    }
}
