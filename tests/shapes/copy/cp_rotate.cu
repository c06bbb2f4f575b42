// Rotates an array to the left by k places.
__global__ void rotateLeft(const unsigned *a, unsigned *b, int n, int k)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        b[(i + n - k) % n] = a[i];
}
