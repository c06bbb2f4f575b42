// Whoever comes first keeps the seat.
__global__ void first_come(int* seats) {
    atomicCAS(&seats[threadIdx.x % 4], 0, blockIdx.x * blockDim.x + threadIdx.x + 1);
}
