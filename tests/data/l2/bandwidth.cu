// How much L2 gives in a second: every SM reads a buffer that fits into L2 again and again, past L1, each block from another place on, so
// that no two SMs ask for one line at about the same time. nvcc -O3 -arch=sm_90 -o bandwidth bandwidth.cu && ./bandwidth > bandwidth.csv
// A row: the median of 21 launches, after three that fill L2.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
typedef unsigned long long u64;

__device__ uint4 load(const uint4* p) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
}

// cycles: of block 0, from its first instruction to its last; ns: the same by the clock on the wall.
__global__ void sweep(const uint4* p, u64 count, int times, uint4* out, u64* cycles, u64* ns) {
  u64 t0 = clock64(), w0, w1;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(w0));
  uint4 sum = {0, 0, 0, 0};
  const u64 start = blockIdx.x * (count / gridDim.x), mask = count - 1;
  for (int time = 0; time < times; time++)
    for (u64 i = threadIdx.x; i < count / gridDim.x; i += 8 * blockDim.x) {
      uint4 v[8];
      // Turn `time` reads what the block 37 * `time` further on began with: blocks of neighbouring SMs do not meet.
#pragma unroll
      for (int k = 0; k < 8; k++) v[k] = load(p + ((start + (u64)time * 37 * (count / gridDim.x) + i + k * blockDim.x) & mask));
#pragma unroll
      for (int k = 0; k < 8; k++) { sum.x ^= v[k].x; sum.y ^= v[k].y; sum.z ^= v[k].z; sum.w ^= v[k].w; }
    }
  if (sum.x == 1 && sum.y == 2) *out = sum;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(w1));
  if (blockIdx.x == 0 && threadIdx.x == 0) { *cycles = clock64() - t0; *ns = w1 - w0; }
}

__global__ void fill(uint4* p, u64 count, int times) {
  const u64 part = count / gridDim.x, start = blockIdx.x * part, mask = count - 1;
  for (int time = 0; time < times; time++)
    for (u64 i = threadIdx.x; i < part; i += blockDim.x) p[(start + (u64)time * part + i) & mask] = {1u, 2u, 3u, (unsigned)time};
}

int main() {
  uint4 *p, *out; u64 *said;
  CHECK(cudaMalloc(&p, 64 << 20)); CHECK(cudaMemset(p, 0, 64 << 20)); CHECK(cudaMalloc(&out, 64)); CHECK(cudaMallocManaged(&said, 16));
  cudaEvent_t a, b; CHECK(cudaEventCreate(&a)); CHECK(cudaEventCreate(&b));
  printf("op,megabytes,blocks,threads,gigabytes_per_s,least,most,sm_mhz,bytes_per_clock\n");
  for (int op = 0; op < 2; op++)
    for (int mb : {2, 4, 8, 16, 32})
      for (int blocks : {128, 256, 512})
        for (int threads : {256, 512, 1024}) {
          const u64 count = (u64)mb * (1 << 20) / 16;
          if (count / blocks < 8 * (u64)threads) continue;
          const int times = blocks * 16;  // so often the whole buffer is read: 16 times by as many blocks
          const int turns = std::max(1, times / mb / 4);
          std::vector<float> ms, mhz;
          for (int run = 0; run < 24; run++) {
            CHECK(cudaEventRecord(a));
            if (op == 0) sweep<<<blocks, threads>>>(p, count, turns, out, said, said + 1);
            else fill<<<blocks, threads>>>(p, count, turns);
            CHECK(cudaEventRecord(b)); CHECK(cudaEventSynchronize(b));
            float t; CHECK(cudaEventElapsedTime(&t, a, b));
            if (run >= 3) { ms.push_back(t); mhz.push_back(op == 0 ? 1e3f * said[0] / said[1] : 0); }
          }
          std::sort(ms.begin(), ms.end()); std::sort(mhz.begin(), mhz.end());
          const double bytes = 16.0 * count * turns;
          const double rate = bytes / ms[ms.size() / 2] / 1e6;
          printf("%s,%d,%d,%d,%.0f,%.0f,%.0f,%.0f,%.0f\n", op ? "store" : "load", mb, blocks, threads, rate, bytes / ms.back() / 1e6, bytes / ms[0] / 1e6,
                 mhz[mhz.size() / 2], op ? 0 : 1e3 * rate / mhz[mhz.size() / 2]);
        }
  CHECK(cudaGetLastError());
}
