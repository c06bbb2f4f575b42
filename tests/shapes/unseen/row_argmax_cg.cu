// Largest value of each row and the column where it is, one warp a row, with cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct Best { float v; int at; };

static __device__ Best better(Best a, Best b)
{
    return (b.v > a.v || (b.v == a.v && b.at < a.at)) ? b : a;
}

__global__ void row_argmax(const float *logits, int ncols, int nrows, float *val, int *arg)
{
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> lanes = cg::tiled_partition<32>(cta);

    const int row = blockIdx.x * lanes.meta_group_size() + lanes.meta_group_rank();
    if (row >= nrows) return;

    Best mine = {-3.4e38f, 0x7fffffff};
    for (int c = lanes.thread_rank(); c < ncols; c += lanes.size())
        mine = better(mine, Best{logits[row * ncols + c], c});

    for (int half = lanes.size() / 2; half; half /= 2) {
        Best other;
        other.v = lanes.shfl_down(mine.v, half);
        other.at = lanes.shfl_down(mine.at, half);
        mine = better(mine, other);
    }
    if (lanes.thread_rank() == 0) {
        val[row] = mine.v;
        arg[row] = mine.at;
    }
}
