// The glossary's third part: kinds of memory, and what an access to global memory is made of.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kMemoryTerms{
    Term{.id = "global-memory",
         .name = {"global memory", "全局内存"},
         .en = {"global memory"},
         .zh = {"全局内存"},
         .text = {"The memory that every thread of every block can access and that outlives a kernel: what "
                  "cudaMalloc returns lies there. It is in device memory, behind L1 and L2, and its "
                  "latency is hundreds of clock cycles. What an access costs is counted in sectors.",
                  "所有线程块的所有线程都能访问、核函数结束后仍然存在的内存：cudaMalloc 分配的就在这里。它"
                  "位于设备内存，前面有 L1 和 L2，延迟有几百个时钟周期。访问的代价按扇区计算。"},
         .see = {"sector", "coalescing", "device-memory"}},
    Term{.id = "shared-memory",
         .name = {"shared memory", "共享内存"},
         .en = {"shared memory"},
         .zh = {"共享内存"},
         .text =
             {"Memory inside the multiprocessor that the threads of one block share until the block ends: a "
              "cache that the kernel "
              "fills by itself. A value that is loaded from global memory once can be read from there many "
              "times, by any "
              "thread of the block and in any order, at a fraction of the latency. It is small, and what a "
              "block takes limits "
              "how many blocks are resident.",
              "多处理器内部、由一个线程块的线程共用的内存，线程块结束就消失：相当于由核函数自己管理的缓存。"
              "从全局内存读来一次的值，线程块的任何线程都可以按任何顺序从这里反复读取，延迟只是全局内存的几分"
              "之一。"
              "它容量很小，一个线程块用得越多，能驻留的线程块就越少。"},
         .see = {"bank", "tile", "occupancy", "barrier"}},
    Term{.id = "local-memory",
         .name = {"local memory", "本地内存"},
         .en = {"local memory"},
         .zh = {"本地内存"},
         .text = {"Memory that belongs to a single thread: for spills, and for arrays whose index is only "
                  "known at run time. In spite of its name it lies in device memory, behind L1 and L2. It "
                  "is laid out so that lanes that access the same variable together access consecutive "
                  "words.",
                  "属于单个线程的内存：存放溢出的寄存器，以及运行时才知道下标的数组。它虽然叫本地，其实位于"
                  "设备内存，前面有 L1 和 L2。它的布局保证各通道同时访问同一个变量时，访问的是连续的字。"},
         .see = {"spill", "register", "device-memory"}},
    Term{.id = "device-memory",
         .name = {"device memory", "设备内存"},
         .en = {"device memory", "DRAM"},
         .zh = {"设备内存", "显存"},
         .text = {"The DRAM of the graphics card: global and local memory lie in it, and L2 stands in "
                  "front of it. Kernels that compute little with each byte cannot be faster than its "
                  "bandwidth allows.",
                  "显卡上的 DRAM：全局内存和本地内存都在其中，前面是 L2。每个字节只做很少运算的核函数，速度"
                  "受它的带宽限制。"},
         .see = {"global-memory", "l2", "bandwidth"}},
    Term{.id = "spill",
         .name = {"register spill", "寄存器溢出"},
         .en = {"spill", "spills", "spilled", "register spill", "register spills"},
         .zh = {"寄存器溢出"},
         .text = {"A value that the compiler keeps in local memory because the thread has no register left "
                  "for it. Each costs a store and at least one load. Forcing a kernel to use fewer "
                  "registers (__launch_bounds__, -maxrregcount) raises occupancy, but where it causes "
                  "spills the kernel can end up slower.",
                  "线程的寄存器不够用时，被编译器放进本地内存的值。每个这样的值要写一次，至少再读一次。强行"
                  "限制寄存器数（__launch_bounds__、-maxrregcount）能提高占用率，但若因此产生溢出，核函数反"
                  "而可能变慢。"},
         .see = {"register", "local-memory", "occupancy"}},
    Term{.id = "request",
         .name = {"request", "请求"},
         .en = {"request", "requests"},
         .zh = {"请求"},
         .text = {"What one memory instruction of one warp asks of the memory, provided that a lane is "
                  "active. A request to global memory consists of sectors, one to shared memory of "
                  "wavefronts. Sectors per request and wavefronts per request say how well the lanes' "
                  "addresses fit together.",
                  "一个线程束的一条访存指令（至少有一个活动通道）向内存提出的要求。对全局内存的请求由扇区组"
                  "成，对共享内存的请求由波前组成。每个请求的扇区数或波前数，说明各通道的地址配合得好不好。"},
         .see = {"sector", "wavefront", "transaction"}},
    Term{.id = "sector",
         .name = {"sector", "扇区"},
         .en = {"sector", "sectors"},
         .zh = {"扇区"},
         .text = {"32 bytes that begin at a multiple of 32: the unit in which L1, L2 and device memory "
                  "transfer data. A request costs one sector for each such stretch that its active lanes "
                  "access: 4 where 32 lanes read 32 consecutive aligned floats, 32 where every lane reads "
                  "somewhere else. Bytes of a sector that no lane uses are transferred all the same.",
                  "从 32 的倍数开始的 32 个字节，是 L1、L2 和设备内存之间传输数据的单位。活动通道访问到多少"
                  "个这样的 32 字节，请求就要多少个扇区：32 个通道读 32 个连续且对齐的 float 是 4 个，每个"
                  "通道各读一处则是 32 个。扇区里没有通道用到的字节也照样传输。"},
         .see = {"request", "cache-line", "coalescing"}},
    Term{
        .id = "cache-line",
        .name = {"cache line", "缓存行"},
        .en = {"cache line", "cache lines", "128-byte line", "128-byte lines", "lines of 128 bytes",
               "line of 128 bytes"},
        .zh = {"缓存行", "128 字节行", "128 字节的行"},
        .text =
            {"128 consecutive bytes of memory that have a place in L1 or L2 together: four sectors. Today a "
             "load "
             "fetches only those sectors of a line that it needs. On compute capability 2.x and 3.x a load "
             "that is cached in L1 fetches whole "
             "lines.",
             "在 L1 或 L2 中共占一个位置的 128 个连续字节，由四个扇区组成。如今一次读取只取回其中需要的扇区。"
             "在计算能力 2.x 和 3.x 上，经 L1 缓存的读取总是取回整行。"},
        .see = {"sector", "l1", "hit-rate"}},
    Term{.id = "transaction",
         .name = {"transaction", "事务"},
         .en = {"transaction", "transactions"},
         .zh = {"事务"},
         .text =
             {"The unit in which compute capability 1.x to 3.x count accesses to global memory: one "
              "transfer of 32, 64 or 128 bytes that begin at a multiple of their size. On 1.x the "
              "transactions of each half-warp are added up. Later devices count sectors, so the two "
              "figures cannot be compared one to one.",
              "计算能力 1.x 到 3.x 统计全局内存访问的单位：一次传输 32、64 或 128 字节，起始地址是这个"
              "大小的倍数。在 1.x 上按半线程束分别统计再相加。以后的设备按扇区统计，两种数字不能直接相比。"},
         .see = {"half-warp", "sector", "coalescing"}},
    Term{.id = "coalescing",
         .name = {"coalescing", "合并访问"},
         .en = {"coalescing", "coalesced", "coalesce", "coalesces", "uncoalesced"},
         .zh = {"合并访问", "合并访存"},
         .text = {"Serving what the lanes of a warp access in global memory with as few sectors or "
                  "transactions as their bytes need. It takes lanes with neighboring numbers that access "
                  "neighboring addresses: in a row-major matrix, threadIdx.x has to run along the row. "
                  "Since compute capability 1.2 the order of the lanes within the stretch makes no "
                  "difference.",
                  "用尽可能少的扇区或事务，完成一个线程束的各通道对全局内存的访问。条件是编号相邻的通道访问"
                  "相邻的地址：按行存放的矩阵里，threadIdx.x 要沿着行的方向变化。从计算能力 1.2 起，通道在"
                  "这一段地址内的先后次序不再有影响。"},
         .see = {"sector", "transaction", "stride", "alignment"}},
    Term{.id = "stride",
         .name = {"stride", "步长"},
         .en = {"stride", "strides"},
         .zh = {"步长"},
         .text =
             {"The distance between what neighboring lanes access, in elements. Stride 1 uses every byte of "
              "the sectors that are "
              "transferred, stride 2 half of them; from a distance of 32 bytes on, every lane needs a sector "
              "of its own. In "
              "shared memory an odd stride in words has no bank conflict; an even one has, unless it is 0.",
              "相邻通道所访问的元素之间的距离，以元素为单位。步长 1 用上所传输扇区的全部字节，步长 2 "
              "只用一半；"
              "距离达到 32 "
              "字节以后，每个通道各要一个扇区。在共享内存里，以字计的步长为奇数时没有存储体冲突，为偶数（0 "
              "除外）时就有。"},
         .see = {"coalescing", "bank-conflict", "grid-stride"}},
    Term{.id = "pitch",
         .name = {"pitch", "行距"},
         .en = {"pitch", "pitches", "pitched", "row pitch"},
         .zh = {"行距"},
         .text = {"The distance in bytes from the beginning of one row of a matrix to that of the next. "
                  "cudaMallocPitch rounds it up so that every row begins at an aligned address, and all "
                  "rows cost the same number of sectors. Element (row, column) is then at base + row * "
                  "pitch + column * sizeof(element), in bytes.",
                  "矩阵的一行开头到下一行开头的字节数。cudaMallocPitch 把它向上取整，使每一行都从对齐的地址"
                  "开始，各行所需的扇区数相同。元素 (row, column) 的地址于是为 base + row * pitch + column "
                  "* sizeof(element)，以字节计。"},
         .see = {"alignment", "padding", "sector"}},
    Term{.id = "alignment",
         .name = {"alignment", "对齐"},
         .en = {"alignment", "aligned", "misaligned", "unaligned"},
         .zh = {"对齐", "未对齐"},
         .text = {"An address is aligned to n bytes if it is a multiple of n. Each access must be aligned "
                  "to its own width, 16 bytes for a float4: otherwise it is misaligned, and the GPU aborts "
                  "the kernel. Where the consecutive addresses of a warp do not begin at a multiple of 32 "
                  "bytes, the request takes one sector more.",
                  "地址是 n 的倍数，就说它按 n 字节对齐。每次访问都必须按自己的宽度对齐，例如 float4 要按 "
                  "16 字节；否则就是未对齐的访问，GPU 会中止核函数。一个线程束的连续地址如果不从 32 字节的"
                  "倍数开始，请求就要多一个扇区。"},
         .see = {"sector", "pitch", "coalescing"}},
    Term{.id = "out-of-bounds",
         .name = {"out of bounds", "越界"},
         .en = {"out of bounds", "out-of-bounds", "bounds check", "bounds checks", "out-of-bounds access"},
         .zh = {"越界", "越界访问", "边界检查", "越界检查"},
         .text = {"An access outside the buffer that it is meant for. The address is often valid all the "
                  "same, in a neighboring row or buffer, so no error is raised: the load returns another "
                  "element's value, the store overwrites it. A bounds check such as if (i < n) keeps "
                  "threads without an element from the access, but not from the barriers.",
                  "访问落在目标缓冲区之外。地址往往仍然有效，只是属于相邻的行或别的缓冲区，所以不会报错：读"
                  "到的是另一个元素的值，写入则覆盖它。边界检查（例如 if (i < n)）让没有对应元素的线程跳过"
                  "这次访问，但不能让它们跳过屏障。"},
         .see = {"ghost", "alignment", "barrier"}},
    Term{.id = "uninitialized-read",
         .name = {"uninitialized read", "读取未初始化的值"},
         .en = {"uninitialized read", "uninitialized reads", "uninitialized"},
         .zh = {"未初始化"},
         .text = {"A load from a place that nothing has been stored to: shared memory is not cleared when "
                  "a block begins, nor is what cudaMalloc returns. The value is indeterminate, and may "
                  "happen to be right in a test. A missing barrier before the load can be the cause.",
                  "从没有写过的地方读取：线程块开始时共享内存不会清零，cudaMalloc 分配的内存也不会。读到的"
                  "值不确定，测试时可能碰巧正确。读取之前少了一个屏障也会造成这种情况。"},
         .see = {"barrier", "shared-memory", "race"}},
};

}  // namespace lockstep::viz
