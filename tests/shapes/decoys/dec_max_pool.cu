// Max pooling with windows of 2 x 2 and a stride of 2.
__global__ void maxpool2x2(const float *in, float *out, int h, int w)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int oy = blockIdx.y * blockDim.y + threadIdx.y;
    int ow = w / 2, oh = h / 2;
    if (ox >= ow || oy >= oh) return;
    const float *p = in + 2 * oy * w + 2 * ox;
    float m = p[0];
    m = fmaxf(m, p[1]);
    m = fmaxf(m, p[w]);
    m = fmaxf(m, p[w + 1]);
    out[oy * ow + ox] = m;
}
