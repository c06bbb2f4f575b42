// An array of points: the x of neighboring lanes are 12 bytes apart, and each of the three loads passes over the same
// bytes as the other two.

struct Point {
    float x, y, z;
};

__global__ void array_of_structures(const Point* points, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = points[i].x + points[i].y + points[i].z;
}
