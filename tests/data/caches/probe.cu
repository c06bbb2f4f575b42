// Small kernels that ask one question each of the caches of a GPU. Profiled with ncu, launch by launch (README.md); what each launch
// asks is printed, one line a launch, in the order of launching.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
typedef unsigned long long u64;

__device__ unsigned smid() { unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); return s; }
__device__ u64 timer() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__device__ float load(const float* p) { float v; asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ void store(float* p, float v) { asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory"); }
__device__ void wait(u64 cycles) { u64 t = clock64(); while (clock64() - t < cycles) {} }
__device__ void meet() { u64 t = ((timer() >> 14) + 2) << 14; while (timer() < t) {} }

// reps times from one end to the other; lanes: floats between lanes' addresses (1: a line a request). Only block `only` (-1: all).
__global__ void sweep(const float* in, float* out, int n, int reps, int only) {
  extern __shared__ float s[];
  float v = 0;
  if (only < 0 || int(blockIdx.x) == only)
    for (int r = 0; r < reps; r++)
      for (int i = threadIdx.x; i < n; i += blockDim.x) v += load(in + i);
  if (v == 12345.f) out[threadIdx.x] = v + s[0];
}
__global__ void sweep_static(const float* in, float* out, int n, int reps, int only) {   // 2 KB of shared memory, as a tiled multiply
  __shared__ float s[512];
  s[threadIdx.x] = in[0];
  __syncthreads();
  float v = 0;
  if (only < 0 || int(blockIdx.x) == only)
    for (int r = 0; r < reps; r++)
      for (int i = threadIdx.x; i < n; i += blockDim.x) v += load(in + i);
  if (v == 12345.f) out[threadIdx.x] = v + s[255 - threadIdx.x];
}
// One word of each `stride` floats.
__global__ void strided(const float* in, float* out, int words, int stride, int reps) {
  float v = 0;
  for (int r = 0; r < reps; r++)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) v += load(in + size_t(i) * stride);
  if (v == 12345.f) out[threadIdx.x] = v;
}
// 0 store, load; 1 load, store, load; 2 red, load; 3 load, red, load; 4 partial store (every other lane), load of all;
// 5 load, partial store, load; 6 store, store; 7 atom, load. By one warp; the second half by the other warp.
__global__ void mixed(float* p, float* out, int what) {
  float v = 0;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    if (what == 1 || what == 3 || what == 5) for (int i = 0; i < 32; i++) v += load(p + 32 * i + lane);
    if (v == 12345.f) out[0] = v;
    if (what == 0 || what == 1 || what == 6) for (int i = 0; i < 32; i++) store(p + 32 * i + lane, 1.f);
    if (what == 4 || what == 5) for (int i = 0; i < 32; i++) if (lane % 2) store(p + 32 * i + lane, 1.f);
    if (what == 2 || what == 3) for (int i = 0; i < 32; i++) atomicAdd(p + 32 * i + lane, 1.f);
    if (what == 7) for (int i = 0; i < 32; i++) v += atomicAdd(p + 32 * i + lane, 1.f);
  }
  __threadfence();
  __syncthreads();
  wait(5000);
  if (threadIdx.x >= 32) {
    if (what == 6) for (int i = 0; i < 32; i++) store(p + 32 * i + lane, 1.f);
    else for (int i = 0; i < 32; i++) v += load(p + 32 * i + lane);
  }
  if (v == 12345.f) out[threadIdx.x] = v;
}
// All warps of the grid load the same `lines` lines at once.
__global__ void same(const float* in, float* out, int lines) {
  float v = 0;
  for (int i = 0; i < lines; i++) v += load(in + 32 * i + threadIdx.x % 32);
  if (v == 12345.f) out[threadIdx.x] = v;
}
// Block b loads `lines` lines b * delay cycles after all have met; warm: block 0 has loaded them long before.
__global__ void late(const float* in, float* out, int lines, int delay, int warm) {
  float v = 0;
  if (warm && blockIdx.x == 0) for (int i = 0; i < lines; i++) v += load(in + 32 * i + threadIdx.x);
  meet();
  wait(20000);
  if (!warm || blockIdx.x != 0) {
    wait(u64(blockIdx.x) * delay + 1);
    for (int i = 0; i < lines; i++) v += load(in + 32 * i + threadIdx.x);
  }
  if (v == 12345.f) out[threadIdx.x] = v;
}
// Only the blocks on SM a and b load, b `delay` cycles later.
__global__ void pair(const float* in, float* out, int lines, int a, int b, int delay) {
  float v = 0;
  const int sm = smid();
  meet();
  if (sm == b && b != a) wait(delay + 1);
  if (sm == a || sm == b) for (int i = 0; i < lines; i++) v += load(in + 32 * i + threadIdx.x);
  if (v == 12345.f) out[threadIdx.x] = v;
}
__global__ void nothing(float* out) {}
template <int N> __global__ void code(float* out, float x) {   // N multiply-adds in a row
  float v = x;
#pragma unroll
  for (int i = 0; i < N; i++) v = v * x + float(i);
  if (v == 12345.f) out[0] = v;
}
// One warp stores one word of each sector of `lines` lines, then, `gap` cycles later, the next word of each, and so on: `words`.
__global__ void words(float* p, int lines, int words, int gap) {
  for (int w = 0; w < words; w++) {
    for (int i = 0; i < lines; i += 8) {
      const int sector = 4 * i + threadIdx.x;
      if (sector < 4 * lines) store(p + 8 * sector + w, 1.f);
    }
    if (gap) wait(gap);
  }
}
// Each thread stores six words in a row (24 bytes apart), as most outputs of several values a thread do; the same 8 bytes apart.
template <int K> __global__ void several(float* p, int gap) {
  float* o = p + K * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
  for (int k = 0; k < K; k++) { store(o + k, 1.f); if (gap) wait(gap); }
}
__global__ void copy_offset(const float* a, float* b, int offset) { int i = blockIdx.x * blockDim.x + threadIdx.x + offset; b[i] = a[i] + 1; }
__global__ void fill_offset(float* b, int offset) { int i = blockIdx.x * blockDim.x + threadIdx.x + offset; b[i] = 1; }
__global__ void fill_bytes(unsigned char* b, int offset) { int i = blockIdx.x * blockDim.x + threadIdx.x + offset; b[i] = 1; }
__global__ void fill_rows(float* out, int m, int n) {                                    // the stores of a naive transpose
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) out[size_t(x) * m + y] = 1;
}
__global__ void fill(float* p, size_t n, int stride) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) p[i * stride] = 1;
}
__global__ void read_all(const float4* p, float* out, size_t n, int reps) {
  float v = 0;
  for (int r = 0; r < reps; r++)
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) { float4 x = __ldcg(p + i); v += x.x + x.y + x.z + x.w; }
  if (v == 12345.f) out[threadIdx.x] = v;
}
__global__ void atomics(float* p, int n, int used, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) { if (used) v = atomicAdd(p + i, 1.f); else atomicAdd(p + i, 1.f); }
  if (v == 12345.f) out[0] = v;
}
// Where blocks run: their SM and when they began; each stays `ns` nanoseconds.
__global__ void where(u64* out, int ns) {
  extern __shared__ float s[];
  const u64 t = timer();
  if (threadIdx.x + threadIdx.y == 0) { const int b = blockIdx.x + gridDim.x * blockIdx.y; out[2 * b] = smid(); out[2 * b + 1] = t; }
  while (timer() < t + ns) {}
}

static int number = 0;
template <class... A> void ask(const char* format, A... a) { printf("%d,", number++); printf(format, a...); printf("\n"); fflush(stdout); }
#define RUN(kernel, grid, block, shared, ...) do { kernel<<<grid, block, shared>>>(__VA_ARGS__); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); } while (0)

int main(int argc, char** argv) {
  const char* part = argv[1];
  float *p, *out;
  const size_t bytes = size_t(300) << 20;
  CHECK(cudaMalloc(&p, bytes)); CHECK(cudaMalloc(&out, 1 << 20)); CHECK(cudaMemset(p, 0, bytes)); CHECK(cudaMemset(out, 0, 1 << 20));
  const int kShared = 227 * 1024;
  CHECK(cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CHECK(cudaFuncSetAttribute(where, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  if (!strcmp(part, "where")) {
    struct W { dim3 grid, block; int shared, ns; } cases[] = {
      {{1056}, {256}, 0, 60000}, {{264}, {1024}, 0, 60000}, {{32, 32}, {16, 16}, 2048, 60000}, {{16, 16}, {16, 16}, 0, 60000}, {{8}, {64}, 0, 60000},
      {{40}, {128}, 0, 60000}, {{2200}, {128}, 0, 60000}, {{600}, {256}, 0, 0}, {{3000}, {256}, 0, 3000}, {{132}, {64}, 200 * 1024, 60000}, {{16, 128}, {32, 8}, 0, 0}, {{1000}, {1024}, 100 * 1024, 20000}};
    u64* w; CHECK(cudaMalloc(&w, 16 * 8192));
    std::vector<u64> host(2 * 8192);
    for (const W& c : cases) {
      for (int k = 0; k < 2; k++) RUN(where, c.grid, c.block, c.shared, w, c.ns);
      const int blocks = c.grid.x * c.grid.y;
      CHECK(cudaMemcpy(host.data(), w, 16 * blocks, cudaMemcpyDeviceToHost));
      u64 first = ~0ull; for (int b = 0; b < blocks; b++) first = std::min(first, host[2 * b + 1]);
      printf("where grid=%dx%d block=%dx%d shared=%d ns=%d:", c.grid.x, c.grid.y, c.block.x, c.block.y, c.shared, c.ns);
      for (int b = 0; b < blocks; b++) printf(" %d@%d", int(host[2 * b]), int((host[2 * b + 1] - first) / 1));
      printf("\n");
    }
  }
  if (!strcmp(part, "l1")) {
    for (int threads : {32, 256}) for (int reps : {2, 4}) for (int kb = 192; kb <= 304; kb += 8) { ask("sweep threads=%d reps=%d kb=%d shared=0", threads, reps, kb); RUN(sweep, 1, threads, 0, p, out, kb * 256, reps, -1); }
    for (int kb : {224, 240, 256}) for (int reps : {3, 6, 10}) { ask("sweep threads=32 reps=%d kb=%d shared=0", reps, kb); RUN(sweep, 1, 32, 0, p, out, kb * 256, reps, -1); }
    for (int k : {1, 7, 8, 15, 16, 31, 32, 63, 64, 99, 100, 131, 132, 163, 164, 195, 196, 227})
      for (int less : {40, 16, -8}) {
        const int cut[] = {8, 16, 32, 64, 100, 132, 164, 196, 228}; int carve = 228; for (int c : cut) if (k + 1 <= c) { carve = c; break; }
        const int kb = 256 - carve - less; if (kb < 8) continue;
        ask("sweep threads=256 reps=2 kb=%d shared=%d", kb, k); RUN(sweep, 1, 256, k * 1024, p, out, kb * 256, 2, -1);
      }
    for (int grid : {1, 132, 1056}) for (int kb = 120; kb <= 248; kb += 16) { ask("sweep_static threads=256 grid=%d reps=2 kb=%d", grid, kb); RUN(sweep_static, grid, 256, 0, p, out, kb * 256, 2, 0); }
    for (int lines : {512, 1024, 1536, 1792, 2048, 3072, 4096, 6144, 8192}) { ask("strided lines=%d stride=32", lines); RUN(strided, 1, 256, 0, p, out, lines, 32, 2); }
    for (int sectors : {2048, 4096, 6144, 8192}) { ask("strided sectors=%d stride=16", sectors); RUN(strided, 1, 256, 0, p, out, sectors, 16, 2); }
    for (int w = 0; w < 8; w++) { ask("mixed what=%d", w); RUN(mixed, 1, 64, 0, p, out, w); }
    for (int threads : {64, 256, 1024}) { ask("same grid=1 threads=%d lines=1", threads); RUN(same, 1, threads, 0, p, out, 1); ask("same grid=1 threads=%d lines=64", threads); RUN(same, 1, threads, 0, p, out, 64); }
  }
  if (!strcmp(part, "l2")) {
    for (int grid : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 132, 264}) for (int lines : {1, 32}) { ask("same grid=%d threads=32 lines=%d", grid, lines); RUN(same, grid, 32, 0, p, out, lines); }
    for (int grid : {2, 8, 16, 66, 132}) for (int delay : {0, 20, 100, 300, 600, 1000, 2000}) for (int warm : {0, 1}) { ask("late grid=%d lines=8 delay=%d warm=%d", grid, delay, warm); RUN(late, grid, 32, 0, p, out, 8, delay, warm); }
    for (int b = 0; b < 132; b++) { ask("pair lines=16 a=0 b=%d delay=0", b); RUN(pair, 132, 32, 0, p, out, 16, 0, b, 0); }
    for (int b : {1, 2, 16, 17}) for (int delay : {50, 100, 200, 300, 400, 500, 600, 800, 1000, 1500}) { ask("pair lines=16 a=0 b=%d delay=%d", b, delay); RUN(pair, 132, 32, 0, p, out, 16, 0, b, delay); }
  }
  if (!strcmp(part, "writes")) {
    for (int lines : {1, 2, 4, 8, 16, 32, 64}) for (int gap : {0, 50, 200, 1000}) { ask("words lines=%d words=8 gap=%d", lines, gap); RUN(words, 1, 32, 0, p, lines, 8, gap); }
    for (int threads : {32, 64, 256}) for (int gap : {0, 20, 50, 100, 300, 1000}) { ask("several=6 threads=%d grid=2 gap=%d", threads, gap); RUN(several<6>, 2, threads, 0, p, gap); ask("several=2 threads=%d grid=2 gap=%d", threads, gap); RUN(several<2>, 2, threads, 0, p, gap); }
    for (int threads : {64, 128, 256, 1024}) for (int grid : {1, 16, 1024}) { ask("fill_offset threads=%d grid=%d", threads, grid); RUN(fill_offset, grid, threads, 0, p, 1); ask("copy_offset threads=%d grid=%d", threads, grid); RUN(copy_offset, grid, threads, 0, p, p + (32 << 20), 1); ask("fill_bytes=13 threads=%d grid=%d", threads, grid); RUN(fill_bytes, grid, threads, 0, (unsigned char*)p, 13); }
    for (int m : {64, 1024}) { ask("fill_rows m=%d n=512", m); RUN(fill_rows, dim3(16, m / 8), dim3(32, 8), 0, p, m, 512); ask("fill_rows m=%d n=32", m); RUN(fill_rows, dim3(1, m / 8), dim3(32, 8), 0, p, m, 32); }
  }
  if (!strcmp(part, "dram")) {
    ask("nothing"); RUN(nothing, 1, 32, 0, out);
    ask("nothing grid=1000"); RUN(nothing, 1000, 256, 0, out);
    ask("code=64"); RUN(code<64>, 1, 32, 0, out, 1.f); ask("code=512"); RUN(code<512>, 1, 32, 0, out, 1.f); ask("code=2048"); RUN(code<2048>, 1, 32, 0, out, 1.f); ask("code=8192"); RUN(code<8192>, 1, 32, 0, out, 1.f);
    ask("code=2048 grid=132"); RUN(code<2048>, 132, 32, 0, out, 1.f);
    for (int mb : {4, 16, 20, 24, 28, 32, 40, 48, 64, 128, 256}) { ask("fill mb=%d", mb); RUN(fill, 1056, 256, 0, p, size_t(mb) << 18, 1); }
    for (int mb : {4, 32, 64, 256}) { ask("fill partial (a word of a sector) mb=%d", mb); RUN(fill, 1056, 256, 0, p, size_t(mb) << 15, 8); }
    for (int mb : {8, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96}) { ask("read twice mb=%d", mb); RUN(read_all, 132, 1024, 0, (float4*)p, out, size_t(mb) << 16, 2); }
    for (int lines : {1024, 262144}) for (int stride : {8, 16, 32, 64, 128}) { ask("strided grid=132 words=%d stride=%d", lines, stride); RUN(strided, 132, 256, 0, p, out, lines, stride, 1); }
    for (int n : {4096, 1 << 20}) for (int used : {0, 1}) { ask("atomics n=%d used=%d", n, used); RUN(atomics, n / 256, 256, 0, p, n, used, out); }
  }
}
