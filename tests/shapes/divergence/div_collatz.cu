// Steps of the Collatz sequence for each start value.
__global__ void collatz(const int *start, int *steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = start[i] + 1;
    int count = 0;
    while (x != 1) {
        if (x % 2 == 0)
            x /= 2;
        else
            x = 3 * x + 1;
        ++count;
    }
    steps[i] = count;
}
