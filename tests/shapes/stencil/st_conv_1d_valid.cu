// 1-D convolution without padding: output i takes elements i to i + kernel_size - 1.
__global__ void convolution_1d_kernel(const float* input, const float* kernel, float* output,
                                      int input_size, int kernel_size) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int output_size = input_size - kernel_size + 1;
    if (tid < output_size) {
        float acc = 0.0f;
        for (int j = 0; j < kernel_size; j++) {
            acc += input[tid + j] * kernel[j];
        }
        output[tid] = acc;
    }
}
