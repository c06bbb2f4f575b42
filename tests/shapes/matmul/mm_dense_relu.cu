// Forward pass of a dense layer: out = relu(x * w + bias).
__global__ void linear_relu_forward(float* out, const float* x, const float* w, const float* bias,
                                    int batch, int in_features, int out_features) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockIdx.y * blockDim.y + threadIdx.y;
  if (o >= out_features || b >= batch) return;

  float v = bias[o];
  for (int i = 0; i < in_features; i++) {
    v += x[b * in_features + i] * w[i * out_features + o];
  }
  out[b * out_features + o] = v > 0.0f ? v : 0.0f;
}
