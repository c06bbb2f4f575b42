// Every block reverses its part of data, with one barrier too few.
__global__ void reverse(int* data)
{
    __shared__ int s[64];
    int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    s[t] = data[first + t];
    data[first + t] = s[63 - t];
}

int main()
{
    int* data;
    cudaMalloc(&data, 128 * sizeof(int));
    reverse<<<2, 64>>>(data);
    cudaDeviceSynchronize();
}
