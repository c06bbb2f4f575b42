// Each block moves its elements to the left, one place in each round; the first one goes to the end.

__global__ void rotate(int* ring, int rounds)
{
    __shared__ int places[1024];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    places[threadIdx.x] = ring[i];
    __syncthreads();

#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        int right = (threadIdx.x + 1) % blockDim.x;
        int next = places[right];
        places[threadIdx.x] = next;
        __syncthreads();
    }

    ring[i] = places[threadIdx.x];
}
