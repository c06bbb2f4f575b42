// A flag that threads set unless it is set, as the frontier of Rodinia's breadth-first search: the race stays,
// but whether a thread reads 0 or 1, and whichever store is the last, 1 is left. Launch: <<<2, 64>>>.
__global__ void same_value(const int* in, int* found) {
    if (in[threadIdx.x + blockIdx.x * blockDim.x] > 0 && *found == 0) *found = 1;
}
