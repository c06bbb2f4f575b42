// Copies an array of structures.
struct Body
{
    float px, py, pz;
    float vx, vy, vz;
    float mass;
};

__global__ void copyBodies(const Body *from, Body *to, int count)
{
    int id = blockDim.x * blockIdx.x + threadIdx.x;
    if (id < count)
        to[id] = from[id];
}
