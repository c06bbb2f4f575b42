// Puts an image into a larger one with a border of zeros.
__global__ void zeroPad(const float* in, float* out, int h, int w, int pad) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int oh = h + 2 * pad, ow = w + 2 * pad;
  if (r >= oh || c >= ow) return;
  int sr = r - pad, sc = c - pad;
  float v = 0.f;
  if (sr >= 0 && sr < h && sc >= 0 && sc < w)
    v = in[sr * w + sc];
  out[r * ow + c] = v;
}
