// The sum of n ints in device memory. partials: device memory for (n + 2 * threads - 1) / (2 * threads) ints; both are overwritten.
// threads is known only at run time, the kernel's block size must be known to the compiler: so a switch picks the instance.
int sum(int* in, int* partials, int n, int threads)
{
    while (true) {
        int blocks = (n + 2 * threads - 1) / (2 * threads);
        switch (threads) {
        case 1024: reduce_v5<1024><<<blocks, 1024>>>(in, partials, n); break;
        case  512: reduce_v5<512><<<blocks, 512>>>(in, partials, n); break;
        case  256: reduce_v5<256><<<blocks, 256>>>(in, partials, n); break;
        case  128: reduce_v5<128><<<blocks, 128>>>(in, partials, n); break;
        case   64: reduce_v5<64><<<blocks, 64>>>(in, partials, n); break;
        }
        if (blocks == 1) break;
        n = blocks;  // again, on the partial sums: blocks cannot wait for each other, launches do
        std::swap(in, partials);
    }
    int result;
    cudaMemcpy(&result, partials, sizeof(int), cudaMemcpyDeviceToHost);
    return result;
}
