// Embedding of tokens: row tokens[t] of the table becomes row t of the output, four values a thread.
template <int DIM>
__global__ void embed(const int *tokens, const float4 *table, float4 *out, int ntokens)
{
    constexpr int Q = DIM / 4;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ntokens * Q; i += gridDim.x * blockDim.x) {
        int t = i / Q, q = i % Q;
        out[i] = __ldg(&table[(size_t)tokens[t] * Q + q]);
    }
}
