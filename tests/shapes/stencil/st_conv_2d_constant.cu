// 2-D convolution with a 3 x 3 Gaussian in constant memory.
#define R 1
__constant__ float F[3][3] = {{0.0625f, 0.125f, 0.0625f}, {0.125f, 0.25f, 0.125f}, {0.0625f, 0.125f, 0.0625f}};

__global__ void conv2D(float *N, float *P, int height, int width)
{
    int outCol = blockIdx.x * blockDim.x + threadIdx.x;
    int outRow = blockIdx.y * blockDim.y + threadIdx.y;
    if (outRow >= height || outCol >= width) return;
    float v = 0.0f;
    for (int fRow = 0; fRow < 2 * R + 1; fRow++)
        for (int fCol = 0; fCol < 2 * R + 1; fCol++) {
            int r = outRow - R + fRow;
            int c = outCol - R + fCol;
            if (r >= 0 && r < height && c >= 0 && c < width)
                v += F[fRow][fCol] * N[r * width + c];
        }
    P[outRow * width + outCol] = v;
}
