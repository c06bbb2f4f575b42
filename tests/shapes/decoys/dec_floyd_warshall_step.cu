// One round of Floyd and Warshall: are the ways over vertex k shorter?
__global__ void floydStep(int *dist, int k, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n) {
        int via = dist[i * n + k] + dist[k * n + j];
        if (via < dist[i * n + j])
            dist[i * n + j] = via;
    }
}
