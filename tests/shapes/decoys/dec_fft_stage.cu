// One stage of a radix-2 transform on 128 complex numbers, in place.
__global__ void fftStage(float2 *data, int stage)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int half = 1 << stage;
    int k = t & (half - 1);
    int top = ((t >> stage) << (stage + 1)) + k;
    int bottom = top + half;

    float angle = -3.14159265f * k / half;
    float c = cosf(angle), s = sinf(angle);
    float2 a = data[top], b = data[bottom];
    float2 w = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    data[top] = make_float2(a.x + w.x, a.y + w.y);
    data[bottom] = make_float2(a.x - w.x, a.y - w.y);
}
