__global__ void broken(float* data)
{
    data[threadIdx.x] = 2 * dta[threadIdx.x];
}
