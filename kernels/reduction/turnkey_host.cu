// out[b] = the n elements of row b of `in`, combined by Operation; both in device memory. Each thread folds `fold` elements first.
// False where n and fold do not fit together: then use reduce_rows of general.cu.
template <class T, template <class> class Operation>
bool reduceBatches(const T* in, T* out, int n, int batches, int fold)
{
    if (fold < 1 || n % fold != 0) return false;
    int blocks = batches;
    switch (n / fold) {  // threads of a block: a power of two, at most 1024
    case 1024: reduce_batches<T, Operation, 1024><<<blocks, 1024>>>(in, out, fold); break;
    case  512: reduce_batches<T, Operation, 512><<<blocks, 512>>>(in, out, fold); break;
    case  256: reduce_batches<T, Operation, 256><<<blocks, 256>>>(in, out, fold); break;
    case  128: reduce_batches<T, Operation, 128><<<blocks, 128>>>(in, out, fold); break;
    case   64: reduce_batches<T, Operation, 64><<<blocks, 64>>>(in, out, fold); break;
    case   32: reduce_batches<T, Operation, 32><<<blocks, 32>>>(in, out, fold); break;
    case   16: reduce_batches<T, Operation, 16><<<blocks, 16>>>(in, out, fold); break;
    case    8: reduce_batches<T, Operation, 8><<<blocks, 8>>>(in, out, fold); break;
    case    4: reduce_batches<T, Operation, 4><<<blocks, 4>>>(in, out, fold); break;
    case    2: reduce_batches<T, Operation, 2><<<blocks, 2>>>(in, out, fold); break;
    case    1: reduce_batches<T, Operation, 1><<<blocks, 1>>>(in, out, fold); break;
    default: return false;
    }
    return cudaGetLastError() == cudaSuccess;
}

// For example: the largest element of each row of 8,192 floats in host memory, 256 threads per row, 32 elements per thread.
void largestOfRows(const float* rows, float* largest, int batches)
{
    const int n = 8192, fold = 32;
    size_t bytes = (size_t)batches * n * sizeof(float);
    float *rows_d, *largest_d;
    cudaMalloc(&rows_d, bytes);
    cudaMalloc(&largest_d, batches * sizeof(float));
    cudaMemcpy(rows_d, rows, bytes, cudaMemcpyHostToDevice);
    reduceBatches<float, Max>(rows_d, largest_d, n, batches, fold);
    cudaMemcpy(largest, largest_d, batches * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(rows_d);
    cudaFree(largest_d);
}
