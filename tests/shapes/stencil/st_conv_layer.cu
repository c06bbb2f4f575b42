// Forward pass of a convolution layer: two images of two channels, three feature maps.
__global__ void conv_forward_kernel(float *output, const float *input, const float *mask,
                                    const int Map_out, const int Channel, const int Height,
                                    const int Width, const int K)
{
    const int H_out = Height - K + 1;
    const int W_out = Width - K + 1;
#define out_4d(i3, i2, i1, i0) output[(i3) * (Map_out * H_out * W_out) + (i2) * (H_out * W_out) + (i1) * W_out + i0]
#define in_4d(i3, i2, i1, i0) input[(i3) * (Channel * Height * Width) + (i2) * (Height * Width) + (i1) * Width + i0]
#define mask_4d(i3, i2, i1, i0) mask[(i3) * (Channel * K * K) + (i2) * (K * K) + (i1) * K + i0]
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int h = threadIdx.y;
    int m = blockIdx.y;
    int b = blockIdx.z;
    if (h < H_out && w < W_out) {
        float acc = 0.0f;
        for (int c = 0; c < Channel; c++)
            for (int p = 0; p < K; p++)
                for (int q = 0; q < K; q++)
                    acc += in_4d(b, c, h + p, w + q) * mask_4d(m, c, p, q);
        out_4d(b, m, h, w) = acc;
    }
}
