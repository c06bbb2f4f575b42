// Takes the elements that an index array names.
__global__ void gather(const float* table, const int* index, float* out, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}
