// P = M x N in host memory, as far as a block can have the shared memory that it needs.
void multiply(const float* M, const float* N, float* P, int width)
{
    size_t bytes = (size_t)width * width * sizeof(float);
    float *M_d, *N_d, *P_d;
    cudaMalloc(&M_d, bytes);
    cudaMalloc(&N_d, bytes);
    cudaMalloc(&P_d, bytes);
    cudaMemcpy(M_d, M, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(N_d, N, bytes, cudaMemcpyHostToDevice);

    const int T = 16;
    size_t shared = 2 * T * width * sizeof(float);
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    if (shared > (size_t)most) {
        printf("a block needs %zu bytes of shared memory, this device allows %d\n", shared, most);
        return;
    }
    // More than 48 KB has to be asked for.
    cudaFuncSetAttribute(mm_tiled_too_large, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    dim3 block(T, T);
    dim3 grid((width + block.x - 1) / block.x, (width + block.y - 1) / block.y);
    mm_tiled_too_large<<<grid, block, shared>>>(M_d, N_d, P_d, width);
    cudaError_t error = cudaGetLastError();  // a refused launch is reported here
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));

    cudaMemcpy(P, P_d, bytes, cudaMemcpyDeviceToHost);  // waits for the kernel
    cudaFree(M_d);
    cudaFree(N_d);
    cudaFree(P_d);
}
