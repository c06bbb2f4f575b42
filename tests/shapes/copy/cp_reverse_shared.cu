// Reverses the part of each block in its place, through dynamic shared memory.
__global__ void dynamicReverse(int *d, int n)
{
  extern __shared__ int s[];
  int t = threadIdx.x;
  int base = blockIdx.x * blockDim.x;
  int tr = blockDim.x - t - 1;
  if (base + t < n)
    s[t] = d[base + t];
  __syncthreads();
  if (base + tr < n)
    d[base + t] = s[tr];
}
