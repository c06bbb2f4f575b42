// Each thread transposes a 4 x 4 piece of the matrix in its registers: four loads and four stores of 16 bytes.
// A row of either matrix must start at a multiple of 16 bytes: rows and columns are multiples of 4.

__global__ void transpose_registers_4x4(const float* in, float* out, int rows, int columns)
{
    int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);  // first column of the piece in in
    int y = 4 * (blockIdx.y * blockDim.y + threadIdx.y);  // first row
    if (x >= columns || y >= rows)
        return;

    float4 a = *(const float4*)&in[(y + 0) * columns + x];
    float4 b = *(const float4*)&in[(y + 1) * columns + x];
    float4 c = *(const float4*)&in[(y + 2) * columns + x];
    float4 d = *(const float4*)&in[(y + 3) * columns + x];

    *(float4*)&out[(x + 0) * rows + y] = make_float4(a.x, b.x, c.x, d.x);
    *(float4*)&out[(x + 1) * rows + y] = make_float4(a.y, b.y, c.y, d.y);
    *(float4*)&out[(x + 2) * rows + y] = make_float4(a.z, b.z, c.z, d.z);
    *(float4*)&out[(x + 3) * rows + y] = make_float4(a.w, b.w, c.w, d.w);
}
