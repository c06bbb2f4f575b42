// Matrix-vector product, one thread for each row.
__global__ void matvec(const float *mat, const float *vec, float *out, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float dot = 0.0f;
        for (int c = 0; c < cols; c++)
            dot += mat[r * cols + c] * vec[c];
        out[r] = dot;
    }
}
