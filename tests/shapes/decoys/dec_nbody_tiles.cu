// Forces between all pairs of bodies on a line, with tiles of bodies in shared memory.
#define BLOCK_SIZE 32
__global__ void bodyForce(const float *x, float *F, int n)
{
    __shared__ float spos[BLOCK_SIZE];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float xi = x[i];
    float Fx = 0.0f;
    for (int tile = 0; tile < gridDim.x; tile++) {
        spos[threadIdx.x] = x[tile * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BLOCK_SIZE; j++) {
            float dx = spos[j] - xi;
            float r = fabsf(dx);
            Fx += dx / (r * r * r + 0.01f);
        }
        __syncthreads();
    }
    if (i < n) F[i] = Fx;
}
