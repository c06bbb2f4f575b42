// Sigmoid of each element, in place.
__global__ void sigmoid_inplace(float *data, int size)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        data[i] = 1.0f / (1.0f + expf(-data[i]));
}
