// Running sums of a block's section, each step adding the value at twice the distance; mistake: one barrier a step, so a thread may read a neighbour that was already added to.
#define SECTION 128

__global__ void running_sum(float *X, float *Y, int n)
{
    __shared__ float XY[SECTION];
    int i = threadIdx.x + SECTION * blockIdx.x;

    XY[threadIdx.x] = i < n ? X[i] : 0.0f;

    for (int step = 1; step < SECTION; step = step * 2) {
        __syncthreads();
        if ((int)threadIdx.x >= step)
            XY[threadIdx.x] = XY[threadIdx.x] + XY[threadIdx.x - step];
    }

    if (i < n) Y[i] = XY[threadIdx.x];
}
