// Takes every stride-th element of the input.
__global__ void strideCopy(float *odata, float *idata, int stride)
{
    int xid = blockIdx.x * blockDim.x + threadIdx.x;
    odata[xid] = idata[xid * stride];
}
