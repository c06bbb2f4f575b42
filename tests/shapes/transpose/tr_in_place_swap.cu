// Transposes a square matrix in its place: threads below the diagonal exchange two elements.
__global__ void transposeInPlace(float *a, int n)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < n && c < r) {
        float t = a[r * n + c];
        a[r * n + c] = a[c * n + r];
        a[c * n + r] = t;
    }
}
