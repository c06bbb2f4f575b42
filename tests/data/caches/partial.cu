// What device memory is asked for where sectors are stored in part: a launch a line, in the order of partial.csv.
#include <cstdio>
#include <cuda_runtime.h>

// A thread a word: a request reaches one line.
__global__ void words_of_sectors(float* out, int n, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 8 < words) out[i] = i;
}
// A thread a sector: a request reaches eight lines.
template <class T> __global__ void one_of_sectors(T* out, int sectors) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < sectors) out[i * (32 / sizeof(T))] = T{};
}
// A request reaches four lines, a sector of each.
__global__ void words_of_lines(float* out, int lines, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 8 < lines && i % 8 < words) out[32 * (i / 8) + i % 8] = i;
}
__global__ void halves(float* out, int sectors, int before) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sector = i / 4, word = i % 4;
  if (sector < sectors) out[8 * sector + word] = i;
  sector -= before;
  if (sector >= 0 && sector < sectors) out[8 * sector + 4 + word] = i;
}

int main() {
  char* p;
  cudaMalloc(&p, 512u << 20);
  cudaMemset(p, 0, 512u << 20);
  for (int n : {131072, 262144, 393216, 524288, 786432, 1048576, 2097152}) {
    for (int words = 1; words <= 8; words++) words_of_sectors<<<8 * n / 256, 256>>>((float*)p, 8 * n, words);
    one_of_sectors<<<n / 256, 256>>>((float*)p, n);
    one_of_sectors<<<n / 256, 256>>>((float4*)p, n);
    one_of_sectors<<<n / 256, 256>>>((float2*)p, n);
    one_of_sectors<<<n / 256, 256>>>((char*)p, n);
    for (int words : {1, 4, 8}) words_of_lines<<<n * 8 / 256, 256>>>((float*)p, n, words);
  }
  for (int n : {524288, 1048576, 2097152})
    for (int before : {0, 4096, 65536, 131072, 196608, 262144, 393216}) halves<<<(n + before) * 4 / 256, 256>>>((float*)p, n, before);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
