// The glossary's first part: what a launch consists of, and where it runs.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kExecutionTerms{
    Term{.id = "kernel",
         .name = {"kernel", "核函数"},
         .en = {"kernel", "kernels"},
         .zh = {"核函数"},
         .text = {"A function marked __global__, which runs on the GPU. The launch kernel<<<grid, "
                  "block>>>(...) runs it once in every thread of the grid, and each thread finds its share "
                  "of the work from blockIdx and threadIdx. The CPU goes on at once after the launch, so "
                  "timing a kernel means waiting for its end.",
                  "用 __global__ 声明、在 GPU 上执行的函数。启动语句 kernel<<<grid, block>>>(...) 让网格中"
                  "的每个线程各执行一遍，每个线程根据 blockIdx 和 threadIdx 确定自己的那份工作。CPU 启动之"
                  "后立即继续往下执行，所以计时必须等到核函数结束。"},
         .see = {"grid", "block", "thread", "warm-up"}},
    Term{.id = "thread",
         .name = {"thread", "线程"},
         .en = {"thread", "threads"},
         .zh = {"线程"},
         .text = {"One execution of the kernel's code, with registers and a threadIdx of its own: the view "
                  "from which a kernel is written. The hardware does not issue instructions for single "
                  "threads, but for the 32 threads of a warp together.",
                  "核函数代码的一次执行，有自己的寄存器和 threadIdx：写核函数时就站在一个线程的角度。硬件发"
                  "射指令时并不按单个线程，而是让一个线程束的 32 个线程一起执行。"},
         .see = {"warp", "lane", "register"}},
    Term{.id = "block",
         .name = {"block", "线程块"},
         .en = {"block", "blocks", "thread block", "thread blocks"},
         .zh = {"线程块"},
         .text = {"Threads that run on one multiprocessor, use the same shared memory and can wait for "
                  "each other at a barrier: up to 1,024 of them (512 on compute capability 1.x). They are "
                  "numbered with x fastest, then y, then z, and every 32 consecutive numbers form a warp. "
                  "Blocks of a grid run in any order, so one must not wait for another.",
                  "在同一个多处理器上执行的一组线程，使用同一份共享内存，可以在屏障处互相等待；最多 1,024 "
                  "个（计算能力 1.x 为 512 个）。编号时 x 变化最快，其次是 y，最后是 z，每 32 个连续的编号"
                  "组成一个线程束。网格中各线程块的执行顺序没有保证，所以一个线程块不能等待另一个。"},
         .see = {"grid", "warp", "shared-memory", "barrier", "occupancy"}},
    Term{.id = "grid",
         .name = {"grid", "网格"},
         .en = {"grid", "grids"},
         .zh = {"网格"},
         .text = {"All blocks of one launch, in one, two or three dimensions. Its size is usually rounded "
                  "up, so that there is at least one thread for every element; threads left over need a "
                  "bounds check. A grid may have more blocks than the GPU can hold at a time: the rest "
                  "start as others finish.",
                  "一次启动的全部线程块，可以是一维、二维或三维。大小通常向上取整，保证每个元素至少有一个线"
                  "程；多出来的线程要靠边界检查挡住。线程块数可以超过 GPU 同时容纳的数量：其余的等前面的结"
                  "束后再开始。"},
         .see = {"block", "wave", "grid-stride", "out-of-bounds"}},
    Term{.id = "warp",
         .name = {"warp", "线程束"},
         .en = {"warp", "warps"},
         .zh = {"线程束"},
         .text = {"32 threads of a block with consecutive numbers: the unit in which the hardware issues "
                  "instructions. All active lanes of a warp execute the same instruction at the same time, "
                  "each on data of its own. What one memory instruction of a warp costs depends on the "
                  "addresses of all its active lanes.",
                  "线程块中编号连续的 32 个线程，是硬件发射指令的单位。线程束的所有活动通道同时执行同一条指"
                  "令，各自处理自己的数据。线程束的一条访存指令要花多少代价，取决于所有活动通道的地址。"},
         .see = {"lane", "active-mask", "divergence", "coalescing"}},
    Term{.id = "lane",
         .name = {"lane", "通道"},
         .en = {"lane", "lanes"},
         .zh = {"通道"},
         .text = {"One of the 32 places in a warp, numbered 0 to 31, and the thread that has it. In a "
                  "block of one dimension the lane is threadIdx.x % 32.",
                  "线程束中的 32 个位置之一，编号 0 到 31，也指占据这个位置的线程。在一维的线程块里，通道号"
                  "就是 threadIdx.x % 32。"},
         .see = {"warp", "active-mask", "half-warp"}},
    Term{.id = "half-warp",
         .name = {"half-warp", "半线程束"},
         .en = {"half-warp", "half-warps"},
         .zh = {"半线程束"},
         .text =
             {"Lanes 0 to 15 or lanes 16 to 31 of a warp. On compute capability 1.x shared memory has "
              "16 banks, and the coalescing rules look at 16 lanes: each memory instruction is served "
              "as two requests, one for each half-warp, and their costs add up. Branches are a matter "
              "of the whole warp there, too.",
              "线程束的通道 0 到 15，或通道 16 到 31。在计算能力 1.x 的设备上，共享内存有 16 个存储体，"
              "合并访问的规则也只看 16 个通道：每条访存指令分成两个请求，一个半线程束一个，代价相加。分支在"
              "那里同样以整个线程束为单位。"},
         .see = {"warp", "transaction", "bank"}},
    Term{.id = "multiprocessor",
         .name = {"multiprocessor (SM)", "多处理器（SM）"},
         .en = {"multiprocessor", "multiprocessors", "streaming multiprocessor", "streaming multiprocessors",
                "SM", "SMs"},
         .zh = {"多处理器", "流多处理器", "SM"},
         .text = {"The part of a GPU that executes blocks (streaming multiprocessor): it has warp "
                  "schedulers, arithmetic units, registers, shared memory and an L1 cache of its own. A "
                  "block stays on one multiprocessor until it ends. Several blocks are resident at a time, "
                  "as many as their threads, registers and shared memory allow.",
                  "GPU 中执行线程块的部件（streaming multiprocessor），有自己的线程束调度器、运算单元、寄存"
                  "器、共享内存和 L1。线程块从开始到结束都在同一个多处理器上。一个多处理器可以同时驻留几个"
                  "线程块，数量取决于它们的线程、寄存器和共享内存。"},
         .see = {"block", "occupancy", "issue-slot"}},
    Term{.id = "register",
         .name = {"register", "寄存器"},
         .en = {"register", "registers"},
         .zh = {"寄存器"},
         .text = {"Storage of a single thread inside the multiprocessor, and the fastest there is: the "
                  "compiler keeps local variables there where it can. All resident threads share one "
                  "register file, so the more registers a thread needs, the fewer warps are resident. What "
                  "finds no register becomes a spill.",
                  "多处理器内部属于单个线程的存储，是最快的一种：编译器尽量把局部变量放在寄存器里。所有驻留"
                  "线程共用一个寄存器堆，每个线程用得越多，能驻留的线程束就越少。放不下的值会溢出到本地内"
                  "存。"},
         .see = {"spill", "occupancy", "shuffle"}},
    Term{.id = "grid-stride",
         .name = {"grid-stride loop", "网格跨步循环"},
         .en = {"grid-stride", "grid-stride loop", "grid-stride loops", "grid stride"},
         .zh = {"网格跨步", "网格跨步循环"},
         .text = {"A loop in which each thread handles an element, then the one that lies as many elements "
                  "further as the grid has threads, and so on: for (i = ...; i < n; i += gridDim.x * "
                  "blockDim.x). The size of the grid is then free, and in every round neighboring lanes "
                  "still access neighboring elements.",
                  "每个线程先处理一个元素，再处理相隔“网格线程总数”的下一个，如此继续的循环：for (i = ...; "
                  "i < n; i += gridDim.x * blockDim.x)。这样网格的大小可以自由选择，而且每一轮里相邻的通道"
                  "仍然访问相邻的元素。"},
         .see = {"grid", "fold", "coalescing"}},
};

}  // namespace lockstep::viz
