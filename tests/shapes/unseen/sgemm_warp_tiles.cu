// blog-like warp tiling: block 64x64x8, warp 32x32, warp sub-tile 16x32, thread 4x4, 4 warps
__global__ void __launch_bounds__(128) warptile(int M, int N, int K, float* A, float* B, float* C)
{
    const int BM = 64, BN = 64, BK = 8, WM = 32, WN = 32, TM = 4, TN = 4, WMI = 2, WNI = 1;
    const int WSM = WM / WMI, WSN = WN / WNI;
    __shared__ float As[BM * BK], Bs[BK * BN];
    int warp = threadIdx.x / 32, wc = warp % (BN / WN), wr = warp / (BN / WN);
    int lane = threadIdx.x % 32, lc = lane % (WSN / TN), lr = lane / (WSN / TN);
    A += blockIdx.y * BM * K; B += blockIdx.x * BN; C += (blockIdx.y * BM + wr * WM) * N + blockIdx.x * BN + wc * WN;
    int ar = threadIdx.x / (BK / 4), ac = threadIdx.x % (BK / 4), br = threadIdx.x / (BN / 4), bc = threadIdx.x % (BN / 4);
    float res[WMI * TM * WNI * TN] = {0}, rm[WMI * TM], rn[WNI * TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        float4 t = reinterpret_cast<float4*>(&A[ar * K + ac * 4])[0];
        As[(ac * 4 + 0) * BM + ar] = t.x; As[(ac * 4 + 1) * BM + ar] = t.y; As[(ac * 4 + 2) * BM + ar] = t.z; As[(ac * 4 + 3) * BM + ar] = t.w;
        reinterpret_cast<float4*>(&Bs[br * BN + bc * 4])[0] = reinterpret_cast<float4*>(&B[br * N + bc * 4])[0];
        __syncthreads();
        for (int d = 0; d < BK; ++d) {
            for (int w = 0; w < WMI; ++w) for (int i = 0; i < TM; ++i) rm[w * TM + i] = As[d * BM + wr * WM + w * WSM + lr * TM + i];
            for (int i = 0; i < TN; ++i) rn[i] = Bs[d * BN + wc * WN + lc * TN + i];
            for (int w = 0; w < WMI; ++w) for (int i = 0; i < TM; ++i) for (int j = 0; j < TN; ++j)
                res[(w * TM + i) * TN + j] += rm[w * TM + i] * rn[j];
        }
        A += BK; B += BK * N;
        __syncthreads();
    }
    for (int w = 0; w < WMI; ++w) for (int i = 0; i < TM; ++i) for (int j = 0; j < TN; j += 4) {
        float* c = &C[(w * WSM + lr * TM + i) * N + lc * TN + j];
        float4 t = reinterpret_cast<float4*>(c)[0];
        const float* r = &res[(w * TM + i) * TN + j];
        t.x = 1.0f * r[0] + 0.25f * t.x; t.y = 1.0f * r[1] + 0.25f * t.y; t.z = 1.0f * r[2] + 0.25f * t.z; t.w = 1.0f * r[3] + 0.25f * t.w;
        reinterpret_cast<float4*>(c)[0] = t;
    }
}
