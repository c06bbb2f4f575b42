// Copy that forgets the block's number: every block copies the first 32 elements.
__global__ void copy(int *in, int *out)
{
    int i = threadIdx.x;
    int value = in[i];
    out[i] = value;
}
