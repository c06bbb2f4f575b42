// Turns an array of integers round in place, four at a time.
__device__ __forceinline__ int4 turned(int4 v) { return make_int4(v.w, v.z, v.y, v.x); }

__global__ void reverse_array(int *data, int N)
{
    int4 *q = (int4 *)data;
    int quads = N >> 2;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads / 2) return;
    int4 front = q[i];
    int4 back = q[quads - 1 - i];
    q[i] = turned(back);
    q[quads - 1 - i] = turned(front);
}
