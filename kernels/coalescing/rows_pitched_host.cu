// Copies a matrix of height rows of width floats by way of the device. The driver chooses the pitch, in bytes.
void copyMatrix(const float* from, float* to, int width, int height)
{
    size_t rowBytes = width * sizeof(float), pitch;
    float *in, *out;
    cudaMallocPitch(&in, &pitch, rowBytes, height);
    cudaMallocPitch(&out, &pitch, rowBytes, height);  // the same extents: the same pitch
    // From rows without gaps to rows with a pitch, and back.
    cudaMemcpy2D(in, pitch, from, rowBytes, rowBytes, height, cudaMemcpyHostToDevice);

    dim3 block(32, 8);
    dim3 grid((width + 31) / 32, (height + 7) / 8);
    copy_rows_pitched<<<grid, block>>>(in, out, pitch, width, height);

    cudaMemcpy2D(to, rowBytes, out, pitch, rowBytes, height, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}
