// Copies a matrix whose rows start `pitch` bytes apart. The host lets the driver choose the pitch:
//
//     float *in, *out;
//     size_t pitch;  // in bytes, not in elements
//     cudaMallocPitch(&in, &pitch, width * sizeof(float), height);
//     cudaMallocPitch(&out, &pitch, width * sizeof(float), height);
//
// Row r starts r * pitch bytes after the first: so the pointer becomes a char* before the row is added, and a float* again before the
// column is. The bytes from the end of a row to the next row are left alone.

__global__ void copy_rows_pitched(const float* in, float* out, size_t pitch, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (column < width && row < height) {
        const float* from = (const float*)((const char*)in + row * pitch) + column;
        float* to = (float*)((char*)out + row * pitch) + column;
        *to = *from;
    }
}
