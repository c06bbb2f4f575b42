// Puts keys into a hash table: the data decide the slot, but nothing is added up.
__global__ void insert(const unsigned *keys, unsigned *slots, int n, unsigned size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned key = keys[i] + 1, at = key * 2654435761u % size;
    for (unsigned tries = 0; tries < size; ++tries) {
        unsigned before = atomicCAS(&slots[at], 0u, key);
        if (before == 0u || before == key) return;
        at = (at + 1) % size;
    }
}
