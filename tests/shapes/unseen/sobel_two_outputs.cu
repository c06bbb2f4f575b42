// Sobel derivatives in x and in y of an image of bytes, edges repeated; pixels numbered in a line, a thread takes every (threads of the grid)-th.
typedef unsigned char uchar;

__device__ inline int px(const uchar *img, int x, int y, int w, int h)
{
    x = min(max(x, 0), w - 1);
    y = min(max(y, 0), h - 1);
    return img[y * w + x];
}

__global__ void sobel(const uchar *img, short *gx, short *gy, int w, int h)
{
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < w * h; p += gridDim.x * blockDim.x) {
        int x = p % w, y = p / w;
        int nw = px(img, x - 1, y - 1, w, h), no = px(img, x, y - 1, w, h), ne = px(img, x + 1, y - 1, w, h);
        int we = px(img, x - 1, y, w, h), ea = px(img, x + 1, y, w, h);
        int sw = px(img, x - 1, y + 1, w, h), so = px(img, x, y + 1, w, h), se = px(img, x + 1, y + 1, w, h);
        gx[p] = (short)(ne + 2 * ea + se - nw - 2 * we - sw);
        gy[p] = (short)(sw + 2 * so + se - nw - 2 * no - ne);
    }
}
