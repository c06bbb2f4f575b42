// Each lane chooses one of four operations.
__global__ void calculator(const int *x, const int *y, int *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = x[i], b = y[i], v = 0;
    switch (threadIdx.x % 4) {
        case 0:
            for (int k = 0; k < 6; k++) v += a + k * b;
            break;
        case 1:
            v = a;
            for (int k = 1; k < 9; k++) v -= k * b;
            break;
        case 2:
            v = a;
            for (int k = 0; k < 5; k++) v = v * b % 1009;
            break;
        default:
            v = a / b + a % b;
            break;
    }
    r[i] = v;
}
