// fails: shuffles
// Adds the bits of all lanes, a vote for each.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    const int lane = threadIdx.x % 32, row = 4 * blockIdx.x + threadIdx.x / 32;
    if (row >= rows) return;
    int s = 0;
    for (int c = lane; c < columns; c += 32) s += A[row * columns + c] * x[c];
    unsigned total = 0;
    for (int b = 0; b < 32; ++b) total += (unsigned)__popc(__ballot_sync(0xffffffffu, s >> b & 1)) << b;
    if (lane == 0) y[row] = total;
}
