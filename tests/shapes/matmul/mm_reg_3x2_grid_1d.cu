// integers, 3 x 2 sums per thread, a grid of one dimension
__global__ void imul(const int* p, const int* q, int* o, int m, int k, int n)
{
    int per = (n + 15) / 16;
    int by = blockIdx.x / per, bx = blockIdx.x % per;
    int y = by * 12 + threadIdx.x / 8 * 3, x = bx * 16 + threadIdx.x % 8 * 2;
    int s[3][2] = {};
    for (int i = 0; i < k; ++i)
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 2; ++b)
                if (y + a < m && x + b < n) s[a][b] += p[(y + a) * k + i] * q[i * n + x + b];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 2; ++b)
            if (y + a < m && x + b < n) o[(y + a) * n + x + b] = s[a][b];
}
