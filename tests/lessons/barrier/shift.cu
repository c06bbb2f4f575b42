// Every block turns its part of data by one element, with one barrier too few.
__global__ void shift(float* data,
                      int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < n) {
        s[t] = data[blockIdx.x * 64 + t];
    }
    float next = s[(t + 1) % 64];
    data[blockIdx.x * 64 + t] = next;
}
