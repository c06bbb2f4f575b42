// P = M x N for matrices of width x width in host memory, for any width.
void multiply(const float* M, const float* N, float* P, int width)
{
    size_t bytes = (size_t)width * width * sizeof(float);
    float *M_d, *N_d, *P_d;
    cudaMalloc(&M_d, bytes);
    cudaMalloc(&N_d, bytes);
    cudaMalloc(&P_d, bytes);
    cudaMemcpy(M_d, M, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(N_d, N, bytes, cudaMemcpyHostToDevice);

    const int T = 16;  // a template argument: known to the compiler
    dim3 block(T, T);
    dim3 grid((width + block.x - 1) / block.x, (width + block.y - 1) / block.y);
    mm_tiled_bounds<T><<<grid, block>>>(M_d, N_d, P_d, width);
    cudaError_t error = cudaGetLastError();  // a refused launch is reported here
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));

    cudaMemcpy(P, P_d, bytes, cudaMemcpyDeviceToHost);  // waits for the kernel
    cudaFree(M_d);
    cudaFree(N_d);
    cudaFree(P_d);
}
