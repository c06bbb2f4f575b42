// Threads compare and replace one after another, and between the two another one may have replaced it.
struct Best {
    int value, where;
};
__global__ void best_of_block(const int* in, int* out) {
    __shared__ Best best;
    int t = threadIdx.x;
    if (t == 0)
        best.value = -1, best.where = -1;
    __syncthreads();
    if (in[t] > best.value) {
        best.value = in[t];
        best.where = t;
    }
    __syncthreads();
    if (t < 2)
        out[t] = t ? best.where : best.value;
}
