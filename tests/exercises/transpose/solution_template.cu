template <class T, int Pitch> struct Tile { T cell[32 * Pitch]; __device__ T& at(int r, int c) { return cell[r * Pitch + c]; } };
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ Tile<float, 35> t;
    int id = threadIdx.y * 32 + threadIdx.x;
    for (int e = id; e < 1024; e += 256) {
        int r = blockIdx.y * 32 + e / 32, c = blockIdx.x * 32 + e % 32;
        if (r < rows && c < columns) t.at(e / 32, e % 32) = in[r * columns + c];
    }
    __syncthreads();
    for (int e = id; e < 1024; e += 256) {
        int r = blockIdx.x * 32 + e / 32, c = blockIdx.y * 32 + e % 32;
        if (r < columns && c < rows) out[r * rows + c] = t.at(e % 32, e / 32);
    }
}
