// First position in a sorted array that is not below each query.
__global__ void lowerBound(const int *sorted, const int *queries, int *pos, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int key = queries[t];
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (sorted[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    pos[t] = lo;
}
