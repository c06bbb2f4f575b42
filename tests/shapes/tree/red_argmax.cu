// Position and value of the largest element of each block.
__global__ void argmax_kernel(const float *scores, int *best_index, float *best_score, int n) {
    __shared__ float s_val[128];
    __shared__ int s_idx[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    s_val[tid] = (i < n) ? scores[i] : -1e30f;
    s_idx[tid] = i;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        if (tid < stride && s_val[tid + stride] > s_val[tid]) {
            s_val[tid] = s_val[tid + stride];
            s_idx[tid] = s_idx[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        best_index[blockIdx.x] = s_idx[0];
        best_score[blockIdx.x] = s_val[0];
    }
}
