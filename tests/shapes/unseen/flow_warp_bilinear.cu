// Image warped by a flow field: each pixel is interpolated from the four pixels around the place its flow vector points to.
__global__ void warp_by_flow(const float *img, const float2 *flow, float *out, int W, int H)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;

    float2 f = flow[y * W + x];
    float sx = fminf(fmaxf(x + f.x, 0.f), W - 1.001f);
    float sy = fminf(fmaxf(y + f.y, 0.f), H - 1.001f);
    int x0 = (int)sx, y0 = (int)sy;
    float ax = sx - x0, ay = sy - y0;
    const float *p = img + y0 * W + x0;
    float top = p[0] + ax * (p[1] - p[0]);
    float bottom = p[W] + ax * (p[W + 1] - p[W]);
    out[y * W + x] = top + ay * (bottom - top);
}
