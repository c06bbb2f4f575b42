// One step of heat flowing through a plate: each cell moves towards its four neighbors. All five cells come from global
// memory. The edge of the plate keeps its temperature.

__global__ void stencil_global(const float* in, float* out, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns)
        return;

    int cell = row * columns + column;
    float here = in[cell];
    bool isEdge = row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
    if (isEdge) {
        out[cell] = here;
        return;
    }
    float around = in[cell - columns] + in[cell - 1] + in[cell + 1] + in[cell + columns];
    out[cell] = here + 0.125f * (around - 4.0f * here);
}
