// Kernels whose cost has to grow with their work and with nothing else: addresses and branches that data decide, long loops
// in few blocks, bytes, atomics on one word, large shared memory, local arrays. speed_bench runs them at growing n.

__device__ unsigned scramble(unsigned x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}
__device__ int threadOfGrid() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

extern "C" __global__ void saxpy(const float* x, float* y, int n) {
    const int i = threadOfGrid();
    if (i < n) y[i] = 2.5f * x[i] + y[i];
}

extern "C" __global__ void stride_33(const float* in, float* out, int n) {
    const int i = threadOfGrid();
    if (i < n) out[i] = in[i * 33ll % n];
}

extern "C" __global__ void gather(const float* in, float* out, int n) {
    const int i = threadOfGrid();
    if (i < n) out[i] = in[scramble(i) % n];
}

extern "C" __global__ void gather_by_index(const unsigned* index, const float* in, float* out, int n) {
    const int i = threadOfGrid();
    if (i < n) out[i] = in[index[i] % n];
}

// i -> 33 i + 7 is one to one where n is a power of two: nothing races.
extern "C" __global__ void scatter(const float* in, float* out, int n) {
    const int i = threadOfGrid();
    if (i < n) out[(33u * (i ^ i >> 7) + 7) % n] = in[i];
}

extern "C" __global__ void pointer_chase(unsigned* out, const unsigned* next, int n) {
    const int i = threadOfGrid();
    if (i >= n) return;
    unsigned at = i;
    for (int k = 0; k < 8; ++k)
        at = next[at % n];
    out[i] = at;
}

extern "C" __global__ void sparse_rows(const unsigned* lengths, const float* x, float* y, int n) {
    const int row = threadOfGrid();
    if (row >= n) return;
    float sum = 0;
    for (unsigned k = 0; k < lengths[row] % 12; ++k)
        sum += x[scramble(row * 12 + k) % n];
    y[row] = sum;
}

extern "C" __global__ void histogram_global(const unsigned* values, unsigned* bins, int n) {
    const int i = threadOfGrid();
    if (i < n) atomicAdd(&bins[scramble(values[i]) & 255], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned* values, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        own[bin] = 0;
    __syncthreads();
    for (int i = threadOfGrid(); i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[scramble(values[i]) & 255], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        atomicAdd(&bins[bin], own[bin]);
}

extern "C" __global__ void one_counter(const unsigned* in, unsigned* out, int n) {
    const int i = threadOfGrid();
    if (i < n) atomicAdd(out, in[i] & 7);
}

extern "C" __global__ void hash_insert(const unsigned* keys, unsigned* table, int n) {
    const int i = threadOfGrid();
    if (i >= n) return;
    const unsigned key = keys[i] | 1;
    unsigned slot = scramble(key) % (2 * n);
    for (int tries = 0; tries < 64; ++tries, slot = (slot + 1) % (2 * n)) {
        const unsigned before = atomicCAS(&table[slot], 0u, key);
        if (before == 0 || before == key) break;
    }
}

extern "C" __global__ void bitonic_step(unsigned* keys, int distance, int width, int n) {
    const int i = threadOfGrid(), other = i ^ distance;
    if (other <= i || other >= n) return;
    const unsigned a = keys[i], b = keys[other];
    if ((a > b) == ((i & width) == 0)) keys[i] = b, keys[other] = a;
}

extern "C" __global__ void frontier(const unsigned* edges, const unsigned* active, unsigned* visits, int n) {
    const int node = threadOfGrid();
    if (node >= n || !(active[node] & 1)) return;
    for (int edge = 0; edge < 4; ++edge)
        atomicAdd(&visits[edges[(4ll * node + edge) % n] % n], 1u);
}

// A thousand threads share all elements.
extern "C" __global__ void long_loop(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = threadOfGrid(); i < n; i += gridDim.x * blockDim.x)
        sum = sum * 0.5f + in[i];
    out[threadOfGrid()] = sum;
}

extern "C" __global__ void bytes(const unsigned char* in, unsigned char* out, int n) {
    const int i = threadOfGrid();
    if (i < n) out[i] = in[i] ^ 0x5a;
}

extern "C" __global__ void byte_table(const unsigned char* in, const unsigned char* table, unsigned char* out, int n) {
    const int i = threadOfGrid();
    if (i < n) out[i] = table[in[i]];
}

extern "C" __global__ void collatz(int* out, int n) {
    const int i = threadOfGrid();
    if (i >= n) return;
    unsigned x = i + 1;
    int steps = 0;
    for (; x != 1 && steps < 60; ++steps)
        x = x & 1 ? 3 * x + 1 : x >> 1;
    out[i] = steps;
}

extern "C" __global__ void eight_cases(const unsigned* in, float* out, int n) {
    const int i = threadOfGrid();
    if (i >= n) return;
    float x = i;
    switch (scramble(in[i]) & 7) {
        case 0: x = x * 2 + 1; break;
        case 1: x = sqrtf(x); break;
        case 2: x = x / 3; break;
        case 3: x = x - 7; break;
        case 4: x = x * x; break;
        case 5: x = -x; break;
        case 6: x = x + 0.5f; break;
        default: x = 1;
    }
    out[i] = x;
}

extern "C" __global__ void local_array(const unsigned* in, unsigned* out, int n) {
    const int i = threadOfGrid();
    if (i >= n) return;
    unsigned row[16], sum = 0, at = in[i];
    for (int k = 0; k < 16; ++k)
        row[k] = scramble(i + k);
    for (int k = 0; k < 16; ++k)
        sum += at = row[at & 15];
    out[i] = sum;
}

extern "C" __global__ void large_shared(const float* in, float* out, int n) {
    __shared__ float tile[12000];
    for (int k = threadIdx.x; k < 12000; k += blockDim.x)
        tile[k] = in[k % n];
    __syncthreads();
    const int i = threadOfGrid();
    if (i < n) out[i] = tile[scramble(i) % 12000];
}

extern "C" __global__ void shared_chase(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned next[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        next[k] = scramble(k);
    __syncthreads();
    const int i = threadOfGrid();
    if (i >= n) return;
    unsigned at = in[i];
    for (int k = 0; k < 8; ++k)
        at = next[at & 1023];
    out[i] = at;
}

extern "C" __global__ void doubles(const double* in, double* out, int n) {
    const int i = threadOfGrid();
    if (i >= n) return;
    double x = in[i];
    for (int k = 0; k < 8; ++k)
        x = x * x - 0.7;
    out[i] = x;
}
