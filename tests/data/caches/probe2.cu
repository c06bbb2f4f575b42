// A second round of probe.cu: how much shared memory an SM sets aside, what loads find of stores, which stores and requests go as one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#define CHECK(x) do { cudaError_t e = (x); if (e) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
typedef unsigned long long u64;
__device__ u64 timer() { u64 t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__device__ float load(const float* p) { float v; asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ float loadcg(const float* p) { float v; asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ float loadvol(const float* p) { float v; asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ float loadnc(const float* p) { float v; asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ void store(float* p, float v) { asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory"); }
__device__ void red(float* p) { asm volatile("red.global.add.f32 [%0], 1.0;" :: "l"(p) : "memory"); }
__device__ void wait(u64 cycles) { u64 t = clock64(); while (clock64() - t < cycles) {} }
__device__ void meet() { u64 t = ((timer() >> 14) + 2) << 14; while (timer() < t) {} }

__global__ void shape(float* out) { extern __shared__ float s[]; if (out == nullptr) s[threadIdx.x] = 1; }
template <int R> __global__ void __launch_bounds__(1024) many(float* out, float x) {}
// Steps of one warp over 32 lines, a letter each; the other warp does the letters behind '|'. l load, g load past L1 (cg), v volatile load,
// n load through the read-only path, s store, h store by every other lane, r reduction, f fence, w wait.
__global__ void steps(float* p, float* out, const char* what, int length) {
  float v = 0;
  const int lane = threadIdx.x % 32, mine = threadIdx.x / 32;
  int who = 0;
  for (int k = 0; k < length; k++) {
    const char c = what[k];
    if (c == '|') { __syncthreads(); wait(3000); who = 1; continue; }
    if (who != mine) continue;
    if (c == 'f') { __threadfence(); continue; }
    if (c == 'b') { __threadfence_block(); continue; }
    if (c == 'w') { wait(3000); continue; }
    for (int i = 0; i < 32; i++) {
      float* q = p + 32 * i + lane;
      if (c == 'l') v += load(q);
      if (c == 'g') v += loadcg(q);
      if (c == 'v') v += loadvol(q);
      if (c == 'n') v += loadnc(q);
      if (c == 's') store(q, 1);
      if (c == 'h' && lane % 2) store(q, 1);
      if (c == 'r') red(q);
    }
  }
  if (v == 12345.f) out[threadIdx.x] = v;
}
// A thread stores K words in a row, with G additions between two of them.
template <int K, int G> __global__ void several(float* p, float x) {
  float* o = p + K * (blockIdx.x * blockDim.x + threadIdx.x);
  float v = x;
#pragma unroll
  for (int k = 0; k < K; k++) {
    store(o + k, v);
#pragma unroll
    for (int g = 0; g < G; g++) asm volatile("add.f32 %0, %0, %1;" : "+f"(v) : "f"(x));
  }
}
// Every block reads all lines, block b beginning `shift` * b lines later (and going round).
__global__ void rounds(const float* in, float* out, int lines, int shift, int align) {
  float v = 0;
  if (align) meet();
  for (int i = threadIdx.x / 32; i < lines; i += blockDim.x / 32) v += load(in + 32 * ((i + blockIdx.x * shift) % lines) + threadIdx.x % 32);
  if (v == 12345.f) out[threadIdx.x] = v;
}
// Lanes read words a sector (spread 1) or a line (spread 4) apart, in an order of the warp's own (hash) or the same for all.
__global__ void scatter(const float* in, float* out, int sectors, int own, int spread, int align) {
  float v = 0;
  if (align) meet();
  unsigned at = threadIdx.x * spread;
  if (own) at = (threadIdx.x + 1) * 2654435761u ^ (blockIdx.x + 1) * 40503u * own, at ^= at >> 15, at *= 2246822519u, at ^= at >> 13;
  v += load(in + 8 * (at % sectors));
  if (v == 12345.f) out[threadIdx.x] = v;
}
// A thread's own array in local memory: words of it written, then read `reps` times.
template <int N> __global__ void local(float* out, int n, int reps) {
  float a[N];
  for (int i = 0; i < n; i++) a[i] = i * out[threadIdx.x];
  float v = 0;
  for (int r = 0; r < reps; r++) for (int i = 0; i < n; i++) v += a[(i * 7 + r) % n];
  if (v == 12345.f) out[threadIdx.x] = v;
}
static int number = 0;
template <class... A> void ask(const char* format, A... a) { printf("%d,", number++); printf(format, a...); printf("\n"); fflush(stdout); }
#define RUN(kernel, grid, block, shared, ...) do { kernel<<<grid, block, shared>>>(__VA_ARGS__); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); } while (0)

int main(int argc, char** argv) {
  const char* part = argv[1];
  float *p, *out; char* text;
  CHECK(cudaMalloc(&p, 64 << 20)); CHECK(cudaMalloc(&out, 1 << 20)); CHECK(cudaMalloc(&text, 64)); CHECK(cudaMemset(p, 0, 64 << 20)); CHECK(cudaMemset(out, 0, 1 << 20));
  if (!strcmp(part, "shape")) {
    CHECK(cudaFuncSetAttribute(shape, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (int threads : {32, 64, 128, 256, 512, 1024})
      for (int bytes : {0, 128, 512, 1024, 2048, 3072, 4096, 5120, 6144, 7168, 8192, 10240, 12288, 16384, 20480, 24576, 32768, 40960, 49152, 65536, 81920, 102400, 131072, 166912, 200704, 232448}) {
        ask("shape threads=%d shared=%d", threads, bytes); RUN(shape, 4, threads, bytes, out);
      }
  }
  if (!strcmp(part, "steps")) {
    for (const char* s : {"ll", "sl", "s|l", "l|l", "ls|l", "lsl", "hl", "lhl", "rl", "lrl", "lfl", "lbl", "gl", "gg", "lg", "vl", "vv", "lv", "nl", "ln", "nn", "l|g", "l|v", "lslsl", "ss", "s|s", "ls", "lws", "sf|s"}) {
      CHECK(cudaMemcpy(text, s, strlen(s), cudaMemcpyHostToDevice));
      ask("steps %s", s); RUN(steps, 1, 64, 0, p, out, text, (int)strlen(s));
    }
    for (int threads : {32, 64, 128, 256}) for (int grid : {1, 264}) {
#define S(K, G) ask("several words=%d between=%d threads=%d grid=%d", K, G, threads, grid); RUN((several<K, G>), grid, threads, 0, p, 1.f);
      S(2, 0) S(2, 1) S(2, 2) S(2, 4) S(2, 8) S(4, 0) S(4, 1) S(4, 2) S(4, 4) S(8, 0) S(8, 2) S(3, 0) S(5, 0)
    }
    for (int n : {16, 64, 200, 1000}) for (int threads : {64, 1024}) { ask("local words=%d threads=%d reps=2", n, threads); RUN(local<1000>, 1, threads, 0, out, n, 2); }
  }
  if (!strcmp(part, "meet")) {
    for (int align : {0, 1}) for (int grid : {4, 16, 40, 132}) for (int threads : {32, 256}) for (int shift : {0, 1, 2, 4, 8, 16, 64}) { ask("rounds grid=%d threads=%d lines=256 shift=%d align=%d", grid, threads, shift, align); RUN(rounds, grid, threads, 0, p, out, 256, shift, align); }
    for (int align : {0, 1}) for (int grid : {4, 40, 132}) for (int threads : {32, 128}) for (int own : {0, 1}) for (int sectors : {64, 512, 4096}) { ask("scatter grid=%d threads=%d sectors=%d own=%d align=%d", grid, threads, sectors, own, align); RUN(scatter, grid, threads, 0, p, out, sectors, own, 4, align); }
  }
}
