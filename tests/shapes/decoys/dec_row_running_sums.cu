// Running sums along each row, one thread for each row.
__global__ void cumsum_rows(const float *in, float *out, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float run = 0.0f;
    for (int c = 0; c < cols; ++c) {
        run += in[r * cols + c];
        out[r * cols + c] = run;
    }
}
