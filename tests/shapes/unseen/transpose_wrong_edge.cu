// Transposes a rows x cols matrix of 16-bit values through a shared tile; mistake: the second half tests the edge with rows and cols not exchanged, so the last columns of the result stay as they were.
#define T 16

template <typename V>
__global__ void flip(V *dst, const V *src, int rows, int cols)
{
    __shared__ V patch[T][T + 1];

    int c = blockIdx.x * T + threadIdx.x;
    int r = blockIdx.y * T + threadIdx.y;
    if (r < rows && c < cols)
        patch[threadIdx.y][threadIdx.x] = *(src + r * cols + c);
    __syncthreads();

    c = blockIdx.y * T + threadIdx.x;
    r = blockIdx.x * T + threadIdx.y;
    if (r < rows && c < cols)
        *(dst + r * rows + c) = patch[threadIdx.x][threadIdx.y];
}
