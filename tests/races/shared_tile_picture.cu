// A tile of a picture, read mirrored without a barrier: the shared-memory bitmap of CUDA by Example, section
// 5.3. Launch: <<<2, (8, 8)>>>.
__global__ void shared_tile_picture(int* picture) {
    __shared__ int tile[8][8];
    const int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 64 + y * 8 + x;
    tile[y][x] = at * 3 + 1;
    picture[at] = tile[7 - y][7 - x];
}
