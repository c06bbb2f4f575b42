// Kernels of the catalog in OpenCL C, line for line (kernels/matmul/naive.cu, tiled.cu, kernels/transpose/naive.cu,
// kernels/reduction/v0.cu), for a comparison with other implementations on the same cores. T comes from the build options.

__kernel void mm_naive(__global const float* M, __global const float* N, __global float* P, int width)
{
    int Row = get_global_id(1), Col = get_global_id(0);

    if (Row < width && Col < width) {
        float sum = 0.0f;
        for (int k = 0; k < width; ++k)
            sum += M[Row * width + k] * N[k * width + Col];
        P[Row * width + Col] = sum;
    }
}

__kernel void mm_tiled(__global const float* M, __global const float* N, __global float* P, int width)
{
    __local float Mds[T][T];
    __local float Nds[T][T];

    int tx = get_local_id(0), ty = get_local_id(1);
    int Row = get_group_id(1) * T + ty;
    int Col = get_group_id(0) * T + tx;

    float sum = 0.0f;
    for (int ph = 0; ph * T < width; ++ph) {
        Mds[ty][tx] = M[Row * width + ph * T + tx];
        Nds[ty][tx] = N[(ph * T + ty) * width + Col];
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int k = 0; k < T; ++k)
            sum += Mds[ty][k] * Nds[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    P[Row * width + Col] = sum;
}

__kernel void transpose_naive(__global const float* in, __global float* out, int rows, int columns)
{
    int x = get_global_id(0), y = get_global_id(1);

    if (x < columns && y < rows)
        out[x * rows + y] = in[y * columns + x];
}

__kernel void reduce_v0(__global const int* in, __global int* out, int n, __local int* sdata)
{
    int tid = get_local_id(0);
    int i = get_global_id(0);
    sdata[tid] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    int size = get_local_size(0);  // in the loop's condition, PoCL 3.1 takes it for 1
    for (int s = 1; s < size; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        out[get_group_id(0)] = sdata[0];
}
