// Splits an array of float4 into four arrays.
__global__ void aos2soa(const float4 *p, float *x, float *y, float *z, float *w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = p[i];
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
    w[i] = v.w;
}
