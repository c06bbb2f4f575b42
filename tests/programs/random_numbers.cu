// Random numbers of three generators, from several seeds, subsequences and offsets: digests of their bits, and a few of them.
#include <cstdio>
#include <cstring>
#include <curand_kernel.h>

struct Start {
    unsigned long long seed, subsequence, offset;
};
__device__ const Start kStarts[] = {{0, 0, 0},
                                    {1234, 0, 0},
                                    {1234, 1, 0},
                                    {1234, 31, 7},
                                    {0x123456789abcdefULL, 1000000, 123456789},
                                    {~0ULL, 0xba9876543210ULL, 0xfedcba9876543211ULL}};
constexpr int kCount = 6;

__device__ unsigned long long mixed(unsigned long long digest, unsigned long long bits) {
    return (digest ^ bits) * 1099511628211ULL;
}
__device__ unsigned long long bitsOf(float value) { return __float_as_uint(value); }
__device__ unsigned long long bitsOf(double value) { return __double_as_longlong(value); }

template <class State> __global__ void integers(unsigned long long* digests, unsigned int* first) {
    const Start start = kStarts[threadIdx.x];
    State state;
    curand_init(start.seed, start.subsequence, start.offset, &state);
    first[threadIdx.x] = curand(&state);
    unsigned long long digest = 0;
    for (int i = 0; i < 100; ++i)
        digest = mixed(digest, curand(&state));
    skipahead(1000, &state);
    digest = mixed(digest, curand(&state));
    skipahead_sequence(3, &state);
    digest = mixed(digest, curand(&state));
    for (int i = 0; i < 20; ++i)
        digest = mixed(digest, bitsOf(curand_uniform(&state)));
    for (int i = 0; i < 20; ++i)
        digest = mixed(digest, bitsOf(curand_uniform_double(&state)));
    digests[threadIdx.x] = digest;
}
template <class State> __global__ void normals(float* values, double* doubles) {
    const Start start = kStarts[threadIdx.x];
    State state;
    curand_init(start.seed, start.subsequence, start.offset, &state);
    float* mine = values + 4 * threadIdx.x;
    mine[0] = curand_normal(&state), mine[1] = curand_normal(&state);
    mine[2] = curand_normal2(&state).y;
    mine[3] = curand_log_normal(&state, 1.0f, 0.5f);
    double* own = doubles + 3 * threadIdx.x;
    own[0] = curand_normal_double(&state), own[1] = curand_normal_double(&state);
    own[2] = curand_log_normal_double(&state, 0.0, 1.0);
}
__global__ void four(unsigned long long* digests) {
    const Start start = kStarts[threadIdx.x];
    curandStatePhilox4_32_10_t state;
    curand_init(start.seed, start.subsequence, start.offset, &state);
    unsigned long long digest = 0;
    for (int i = 0; i < 9; ++i) {
        const uint4 x = curand4(&state);
        digest = mixed(mixed(mixed(mixed(digest, x.x), x.y), x.z), x.w);
        if (i % 2) digest = mixed(digest, curand(&state));
        const float4 y = curand_uniform4(&state);
        digest = mixed(mixed(digest, bitsOf(y.x)), bitsOf(y.w));
        const double2 z = curand_uniform2_double(&state);
        digest = mixed(mixed(digest, bitsOf(z.x)), bitsOf(z.y));
    }
    digests[threadIdx.x] = digest;
}

template <class State> void show(const char* name) {
    unsigned long long* digests;
    unsigned int* first;
    float* values;
    double* doubles;
    cudaMallocManaged(&digests, kCount * sizeof *digests);
    cudaMallocManaged(&first, kCount * sizeof *first);
    cudaMallocManaged(&values, 4 * kCount * sizeof *values);
    cudaMallocManaged(&doubles, 3 * kCount * sizeof *doubles);
    integers<State><<<1, kCount>>>(digests, first);
    normals<State><<<1, kCount>>>(values, doubles);
    cudaDeviceSynchronize();
    printf("%s, %zu bytes\n", name, sizeof(State));
    for (int i = 0; i < kCount; ++i)
        printf("%08x %016llx  %.4f %.4f %.4f %.4f  %.6f %.6f %.6f\n", first[i], digests[i], values[4 * i],
               values[4 * i + 1], values[4 * i + 2], values[4 * i + 3], doubles[3 * i], doubles[3 * i + 1],
               doubles[3 * i + 2]);
    if (std::strcmp(name, "Philox") == 0) {
        four<<<1, kCount>>>(digests);
        cudaDeviceSynchronize();
        for (int i = 0; i < kCount; ++i)
            printf("%016llx\n", digests[i]);
    }
    cudaFree(digests);
    cudaFree(first);
    cudaFree(values);
    cudaFree(doubles);
}

int main() {
    show<curandState>("XORWOW");
    show<curandStatePhilox4_32_10_t>("Philox");
    show<curandStateMRG32k3a>("MRG32k3a");
}
