__global__ void twice(float* data)
{
    data[threadIdx.x] = 2 * data[threadIdx.x];
}
