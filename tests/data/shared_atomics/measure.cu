// What shared atomics cost, by operation and pattern of lanes; h200.csv is what ncu counted on an NVIDIA H200 (cc 9.0, CUDA 13.0).
//
//     nvcc -O3 -arch=sm_90 measure.cu && ncu --csv --page raw --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,atom}.sum,
//         l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,atom}.sum ./a.out
//
// Of the loads the one at the kernel's end is taken off: 1 wavefront, of 64-bit words 2. u64 has one conflict of arbitration.
#include <cstdio>
// pattern p: word index of lane l
__device__ int word(int p, int l) {
  switch (p) {
    case 0: return l;            // all different banks
    case 1: return 0;            // all one word
    case 2: return l / 2;        // pairs on a word
    case 3: return l / 4;        // four on a word
    case 4: return l * 32;       // one bank, 32 words
    case 5: return (l % 2) * 32; // one bank, 2 words of 16 lanes
    case 6: return l * 2;        // two lanes a bank
    case 7: return l % 8 ;       // 8 words, 4 lanes each, interleaved
    case 8: return (l/8)*32 + l%8; // 8 banks, 4 words each
    case 9: return l<3 ? 0 : l;
  }
  return 0;
}
template <class T, int K> __global__ void go(int* out, const int* idx, T v) {
  __shared__ T s[1024];
  for (int k = threadIdx.x; k < 1024; k += 32) s[k] = 0;
  __syncthreads();
  int at = idx[threadIdx.x];
  T old = 0;
  if (K == 0) atomicAdd(&s[at], v);
  if (K == 1) old = atomicAdd(&s[at], v);
  if (K == 2) atomicAdd(&s[at], T(1));
  if (K == 3) atomicMax(&s[at], T(v + threadIdx.x));
  if (K == 4) atomicCAS(&s[at], T(0), T(v));
  if (K == 5) atomicExch(&s[at], T(v));
  __syncthreads();
  out[threadIdx.x] = int(s[threadIdx.x]) + int(old);
}
template <class T, int K> __global__ void gof(int* out, const int* idx, T v) {
  __shared__ T s[1024];
  for (int k = threadIdx.x; k < 1024; k += 32) s[k] = 0;
  __syncthreads();
  int at = idx[threadIdx.x];
  T old = 0;
  if (K == 0) atomicAdd(&s[at], v);
  if (K == 1) old = atomicAdd(&s[at], v);
  __syncthreads();
  out[threadIdx.x] = int(s[threadIdx.x]) + int(old);
}
__global__ void fill(int* idx, int p) { idx[threadIdx.x] = word(p, threadIdx.x); }
int main() {
  int *out, *idx; cudaMalloc(&out, 4096); cudaMalloc(&idx, 4096);
  for (int p = 0; p < 10; p++) {
    fill<<<1, 32>>>(idx, p);
    gof<float, 0><<<1, 32>>>(out, idx, 1.5f);
    gof<float, 1><<<1, 32>>>(out, idx, 1.5f);
    gof<double, 0><<<1, 32>>>(out, idx, 1.5);
    go<unsigned long long, 0><<<1, 32>>>(out, idx, 3ull);
    go<unsigned long long, 3><<<1, 32>>>(out, idx, 3ull);
    go<unsigned long long, 4><<<1, 32>>>(out, idx, 3ull);
    go<unsigned long long, 5><<<1, 32>>>(out, idx, 3ull);
    go<int, 0><<<1, 32>>>(out, idx, 3);
    go<int, 1><<<1, 32>>>(out, idx, 3);
    go<int, 2><<<1, 32>>>(out, idx, 3);
    go<int, 3><<<1, 32>>>(out, idx, 3);
    go<int, 4><<<1, 32>>>(out, idx, 3);
    go<int, 5><<<1, 32>>>(out, idx, 3);
  }
  cudaDeviceSynchronize(); printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
