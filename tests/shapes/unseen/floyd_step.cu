// One step of Floyd's shortest paths in place: d[i][j] = min(d[i][j], d[i][k] + d[k][j]) for one k.
__global__ void relax_through(int *d, int *via, int n, int k)
{
    __shared__ int to_k[16], from_k[16];
    int j = blockIdx.x * 16 + threadIdx.x;
    int i = blockIdx.y * 16 + threadIdx.y;

    if (threadIdx.x == 0) to_k[threadIdx.y] = d[i * n + k];
    if (threadIdx.y == 0) from_k[threadIdx.x] = d[k * n + j];
    __syncthreads();

    int through = to_k[threadIdx.y] + from_k[threadIdx.x];
    if (through < d[i * n + j]) {
        d[i * n + j] = through;
        via[i * n + j] = k;
    }
}
