// Looks up the row of each token in a table.
__global__ void embedding_forward(const int *tokens, const float *wte, float *out, int channels)
{
    int token = tokens[blockIdx.x];
    for (int c = threadIdx.x; c < channels; c += blockDim.x)
        out[blockIdx.x * channels + c] = wte[token * channels + c];
}
