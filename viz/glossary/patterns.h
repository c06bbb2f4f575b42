// The glossary's seventh part: ways in which kernels are built.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kPatternTerms{
    Term{.id = "tile",
         .name = {"tile", "分块"},
         .en = {"tile", "tiles", "tiled", "tiling"},
         .zh = {"分块"},
         .text = {"A part of a matrix that a block loads into shared memory, uses many times and then "
                  "replaces by the next. In matrix multiplication with tiles of T × T each element that is "
                  "loaded from global memory is used T times. A larger T saves more loads but needs more "
                  "shared memory and T × T threads, so T is at most 32 with a thread for each element.",
                  "矩阵的一部分，由线程块装载到共享内存、反复使用，再换成下一块。矩阵乘法里分块为 T × T "
                  "时，从全局内存装载的每个元素都用 T 次。T 越大，省下的读取越多，但需要更多共享内存和 T × "
                  "T 个线程；一个线程对应一个元素时，T 最多为 32。"},
         .see = {"shared-memory", "phase", "halo"}},
    Term{.id = "ghost",
         .name = {"ghost (cell)", "越界单元"},
         .en = {"ghost", "ghosts", "ghost cell", "ghost cells"},
         .zh = {"越界单元"},
         .text = {"A cell drawn outside a matrix: an element that a thread would load but that does not "
                  "exist, because the width is no multiple of the tile. With a bounds check the thread "
                  "stores 0.0 in its place, which changes no sum. Without one it loads whatever lies at "
                  "that address.",
                  "画在矩阵之外的格子：线程要装载、却不存在的元素，因为宽度不是分块的整数倍。有边界检查时，"
                  "线程存入 0.0，不影响任何和。没有检查时，读到的是那个地址上碰巧有的内容。"},
         .see = {"out-of-bounds", "tile", "halo"}},
    Term{.id = "halo",
         .name = {"halo", "光环区"},
         .en = {"halo", "halos"},
         .zh = {"光环区", "光环"},
         .text = {"The cells around a block's tile that belong to neighboring blocks but are needed at the "
                  "tile's rim, in a stencil for example. Some threads load them in addition to their own "
                  "cell. The smaller the tile, the more of the loads are for the halo.",
                  "分块周围属于相邻线程块、但计算分块边缘时要用到的单元，例如在模板计算中。有些线程除了自己"
                  "的单元，还要负责装载它们。分块越小，花在光环区上的读取所占的比例越大。"},
         .see = {"tile", "stencil", "ghost"}},
    Term{.id = "stencil",
         .name = {"stencil", "模板计算"},
         .en = {"stencil", "stencils"},
         .zh = {"模板计算"},
         .text = {"A computation in which each cell of a grid gets a new value from its own and from its "
                  "neighbors'. Neighboring threads read mostly the same cells, so a tile with a halo in "
                  "shared memory, or the caches, can save most of the loads.",
                  "网格中每个单元的新值由它自己和邻居的旧值算出。相邻线程读的大多是同样的单元，所以共享内存"
                  "里带光环区的分块，或者缓存，可以省下大部分读取。"},
         .see = {"halo", "tile"}},
    Term{.id = "reduction",
         .name = {"reduction", "归约"},
         .en = {"reduction", "reductions"},
         .zh = {"归约", "树形归约"},
         .text = {"Making one value out of many with an operation such as +, min or max. In parallel it "
                  "takes rounds: in each, half as many threads combine pairs, so n elements need log2(n) "
                  "rounds. The order of the additions differs from a plain loop's, so the last digits of a "
                  "floating-point sum may, too.",
                  "用 +、min、max 这类运算把许多值变成一个值。并行时一轮一轮进行：每一轮参与的线程减半、两"
                  "两合并，n 个元素要 log2(n) 轮。相加的次序与普通循环不同，所以浮点数之和的末几位也可能不"
                  "同。"},
         .see = {"fold", "shuffle", "prefix-sum"}},
    Term{.id = "fold",
         .name = {"fold", "逐个累加（fold）"},
         .en = {"fold", "folds", "folding"},
         .zh = {"fold"},
         .text = {"What each thread does on its own before the threads combine their results: it adds up "
                  "several elements in a register while loading them. That takes neither a barrier nor "
                  "shared memory, so less of the work is left for the costly rounds of the tree.",
                  "线程之间合并结果之前，每个线程先独自做的事：一边装载几个元素，一边在寄存器里累加。这既不"
                  "用屏障也不用共享内存，因此同样的工作里，留给代价高的树形各轮的就少了。"},
         .see = {"reduction", "grid-stride", "register"}},
    Term{.id = "prefix-sum",
         .name = {"prefix sum (scan)", "前缀和（scan）"},
         .en = {"prefix sum", "prefix sums", "scan", "scans"},
         .zh = {"前缀和", "扫描"},
         .text = {"For each element the sum of all elements up to it: inclusive with the element itself, "
                  "exclusive without it. A block scans its part in rounds, then the sums of the blocks "
                  "before it are added. Sorting, filtering and allocation of places are built on it.",
                  "对每个元素求它之前所有元素的和：包含自己的叫 inclusive，不包含的叫 exclusive。线程块分几"
                  "轮扫描自己的部分，再加上前面各线程块的和。排序、筛选、分配位置都以它为基础。"},
         .see = {"reduction", "barrier"}},
    Term{
        .id = "histogram",
        .name = {"histogram", "直方图"},
        .en = {"histogram", "histograms"},
        .zh = {"直方图"},
        .text = {"Counting how many values fall into each bin. Threads whose values fall into the same "
                 "bin meet on one address, so each counts with an atomic. Copies of the histogram in "
                 "shared memory, for a block or even a lane each, make such meetings rare.",
                 "统计落入每个桶（bin）的值有多少个。值落入同一个桶的线程会碰到同一个地址，所以要用原子操作计"
                 "数。在共享内存里给每个线程块、甚至每个通道各放一份直方图，就很少碰到一起。"},
        .see = {"atomic", "bank-conflict"}},
    Term{.id = "double-buffering",
         .name = {"double buffering", "双缓冲"},
         .en = {"double buffering", "double-buffered", "double buffer"},
         .zh = {"双缓冲"},
         .text = {"Two tiles in shared memory that take turns: the block multiplies one while the next is "
                  "being loaded into the other. The latency of the loads is hidden behind arithmetic, for "
                  "twice the shared memory.",
                  "共享内存里的两份分块轮流使用：线程块用一份相乘，同时往另一份装载下一块。读取的延迟藏在运"
                  "算后面，代价是两倍的共享内存。"},
         .see = {"tile", "latency", "async-copy"}},
    Term{.id = "async-copy",
         .name = {"asynchronous copy (cp.async)", "异步复制（cp.async）"},
         .en = {"asynchronous copy", "asynchronous copies", "cp.async"},
         .zh = {"异步复制", "cp.async"},
         .text = {"A copy from global to shared memory that takes no register and does not hold up its "
                  "thread, since compute capability 8.0. The data may be read once the thread has waited "
                  "for the copy, and by other threads only after a barrier as well.",
                  "从全局内存到共享内存的复制，不经过寄存器，也不阻塞线程，计算能力 8.0 起才有。线程等到复"
                  "制完成后才能读这些数据，其他线程还要再过一个屏障才能读。"},
         .see = {"double-buffering", "barrier"}},
};

}  // namespace lockstep::viz
