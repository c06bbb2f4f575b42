// Loads four elements at once; a row of 33 words.
template <int Pitch> __device__ int& cell(int* s, int row, int column) { return s[row * Pitch + column]; }
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int s[32 * 33];
    int t = threadIdx.y * 32 + threadIdx.x, first = blockIdx.x * 32, sum = 0;
    for (int q = t; q < 256; q += 128) {
        int r = q / 8, c = q % 8 * 4;
        if (first + r >= rows) break;
        int4 v = *(const int4*)&in[(first + r) * 32 + c];
        cell<33>(s, r, c) = v.x; cell<33>(s, r, c + 1) = v.y; cell<33>(s, r, c + 2) = v.z; cell<33>(s, r, c + 3) = v.w;
    }
    __syncthreads();
    if (t < 32 && first + t < rows) { for (int k = 0; k < 32; ++k) sum += cell<33>(s, t, k); out[first + t] = sum; }
}
