// kernels/matmul/tiled.cu in OpenCL C, line for line, for a comparison with Oclgrind. T comes from the build options.

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
