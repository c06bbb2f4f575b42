// The glossary's sixth part: what makes a kernel fast, and how that is measured.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kPerformanceTerms{
    Term{.id = "occupancy",
         .name = {"occupancy", "占用率"},
         .en = {"occupancy"},
         .zh = {"占用率"},
         .text = {"The warps that are resident on a multiprocessor, as a share of the most that it can "
                  "hold. Registers, shared memory, threads or blocks limit it, whichever runs out first. "
                  "Resident warps hide each other's latency; once there are enough for that, more "
                  "occupancy brings nothing.",
                  "多处理器上驻留的线程束，占它最多能容纳的比例。受限于寄存器、共享内存、线程数或线程块数，"
                  "看哪个先用完。驻留的线程束互相掩盖延迟；足够掩盖之后，占用率再高也没有好处。"},
         .see = {"register", "shared-memory", "latency", "wave"}},
    Term{.id = "wave",
         .name = {"wave (of blocks)", "波（线程块）"},
         .en = {"wave", "waves", "waves of blocks", "wave of blocks"},
         .zh = {"一波", "每波", "几波"},
         .text = {"As many blocks as the whole GPU can hold at a time. A grid with more of them takes "
                  "several waves, and in the last one many multiprocessors may be idle. It is a way of "
                  "counting: a block starts as soon as another ends and makes room.",
                  "整个 GPU 同时能容纳的线程块。线程块更多的网格要分几波执行，最后一波可能有许多多处理器空"
                  "闲。这只是一种计数方式：一个线程块结束、腾出位置，下一个就立即开始。"},
         .see = {"grid", "occupancy", "multiprocessor"}},
    Term{.id = "issue-slot",
         .name = {"issue slot", "发射槽"},
         .en = {"issue slot", "issue slots", "instruction issue"},
         .zh = {"发射槽"},
         .text = {"A chance to issue an instruction: each warp scheduler of a multiprocessor has one per "
                  "clock cycle. It stays empty if no resident warp is eligible, because all of them are "
                  "stalled on memory, on a barrier or on an earlier result. A kernel that fills nearly all "
                  "of its issue slots can only get faster by executing fewer instructions.",
                  "发射一条指令的机会：多处理器的每个线程束调度器每个时钟周期一次。如果驻留的线程束都在等待"
                  "内存、屏障或前面的结果，没有一个可以发射，这个槽就空着。发射槽几乎占满的核函数，只有减少"
                  "指令才能更快。"},
         .see = {"warp", "latency", "bound"}},
    Term{.id = "latency",
         .name = {"latency", "延迟"},
         .en = {"latency", "latencies"},
         .zh = {"延迟"},
         .text = {"The time from issuing an instruction until its result can be used: a few clock cycles "
                  "for arithmetic, tens for shared memory, hundreds for global memory. A GPU does not "
                  "avoid it but hides it, by issuing other warps meanwhile. What has to be under way for "
                  "that is latency times throughput (Little's law).",
                  "从发射指令到结果可用的时间：算术运算几个时钟周期，共享内存几十个，全局内存几百个。GPU 不"
                  "是避免延迟，而是在等待时发射别的线程束，把它掩盖起来。为此需要同时进行的工作量，等于延迟"
                  "乘以吞吐量（Little 定律）。"},
         .see = {"throughput", "occupancy", "issue-slot"}},
    Term{.id = "throughput",
         .name = {"throughput", "吞吐量"},
         .en = {"throughput"},
         .zh = {"吞吐量", "吞吐率"},
         .text = {"Work done per unit of time: instructions per cycle, operations or bytes per second. It "
                  "is what a GPU is built for: a single thread waits long, but many are under way. The "
                  "resource whose throughput is exhausted first limits the kernel.",
                  "单位时间完成的工作：每周期的指令数、每秒的运算数或字节数。GPU 就是为吞吐量设计的：单个线"
                  "程要等很久，但同时进行的很多。哪种资源的吞吐量先用尽，核函数就受哪种资源限制。"},
         .see = {"latency", "bandwidth", "bound"}},
    Term{.id = "bandwidth",
         .name = {"bandwidth", "带宽"},
         .en = {"bandwidth"},
         .zh = {"带宽"},
         .text = {"The throughput of a memory, in bytes per second. A kernel's effective bandwidth is the "
                  "bytes that it has to read and write, divided by its time: beside that of a plain copy "
                  "it shows how much is left to gain. A kernel that only reads and adds, and yet is far "
                  "below it, is held up by its instructions or by latency.",
                  "内存的吞吐量，以每秒字节数计。核函数的有效带宽，是它必须读写的字节数除以用时：与单纯的复"
                  "制相比，就知道还有多少余地。只做读取和加法的核函数如果远低于这个值，就是被指令或延迟拖住"
                  "了。"},
         .see = {"throughput", "roofline", "device-memory"}},
    Term{.id = "roofline",
         .name = {"roofline", "Roofline（屋顶线）"},
         .en = {"roofline", "rooflines", "arithmetic intensity"},
         .zh = {"Roofline", "屋顶线", "运算强度"},
         .text = {"A chart of operations per second over operations per byte of device memory (arithmetic "
                  "intensity). The rising part of the roof is the bandwidth, the level part what the "
                  "arithmetic units can do at most: a kernel whose data come from device memory cannot lie "
                  "above it. A kernel below the rising part is memory-bound, one below the level part "
                  "compute-bound.",
                  "横轴是每字节设备内存的运算数（运算强度）、纵轴是每秒运算数的图。屋顶的斜线是带宽，水平线"
                  "是运算单元的上限：数据来自设备内存的核函数不可能在它上方。位于斜线之下的受内存限制，位于"
                  "水平线之下的受运算限制。"},
         .see = {"bandwidth", "bound", "throughput"}},
    Term{.id = "bound",
         .name = {"bound", "下界"},
         .en = {"Bounds", "lower bound", "lower bounds", "largest bound", "memory-bound", "compute-bound"},
         .zh = {"下界"},
         .text = {"The least time that one resource needs for its share of a run: bytes divided by "
                  "bandwidth, or instructions divided by issue slots per second. The largest of the bounds "
                  "is the one that counts, and it is no prediction: a run with too few warps to hide "
                  "latency may take many times as long.",
                  "一种资源完成自己那部分工作至少需要的时间：字节数除以带宽，或指令数除以每秒的发射槽数。起"
                  "作用的是各个下界中最大的一个。它不是预测：线程束太少、掩盖不住延迟的运行，用时可能是它的"
                  "许多倍。"},
         .see = {"roofline", "throughput", "latency"}},
    Term{.id = "warm-up",
         .name = {"warm-up", "预热"},
         .en = {"warm-up", "warm-ups", "warm-up launch"},
         .zh = {"预热"},
         .text = {"A launch before the timed ones, whose time does not count. The first launch of a kernel "
                  "also pays for loading its code onto the GPU, and it meets cold caches and a clock that "
                  "may still be low. Without a warm-up that is taken for the kernel's own time.",
                  "计时之前的一次启动，它的用时不算数。核函数第一次启动时，还要花时间把代码装到 GPU 上，而"
                  "且缓存是冷的，时钟频率也可能还没升上来。不预热，就会把这些都算成核函数自己的用时。"},
         .see = {"kernel", "l2"}},
    Term{.id = "compute-capability",
         .name = {"compute capability", "计算能力"},
         .en = {"compute capability", "compute capabilities"},
         .zh = {"计算能力"},
         .text = {"The version of a GPU's instruction set and limits, such as 9.0; cc for short. It says "
                  "which rules turn addresses into transactions, sectors and wavefronts. It is no measure "
                  "of speed.",
                  "GPU 指令集与各项限制的版本号，例如 9.0，简写为 cc。由它决定按哪种规则把地址换算成事务、"
                  "扇区和波前。它不表示速度。"},
         .see = {"profile", "sector", "transaction"}},
    Term{.id = "profile",
         .name = {"profile (of a device)", "设备规格（profile）"},
         .en = {"profile", "profiles", "device profile", "device profiles"},
         .zh = {"设备规格", "profile"},
         .text = {"A device as data: its multiprocessors, registers, shared memory and caches, and the "
                  "rules by which its accesses are counted. Rules in the window, or --profile on the "
                  "command line, chooses one; the same recorded addresses are then counted as that device "
                  "would.",
                  "以数据表示的设备：多处理器、寄存器、共享内存、缓存，以及统计访问的规则。在窗口的“规则”里"
                  "或命令行的 --profile 选择一种，同一批记录下来的地址就按那种设备的规则统计。"},
         .see = {"compute-capability", "multiprocessor"}},
    Term{.id = "ptx",
         .name = {"PTX", "PTX"},
         .en = {"PTX"},
         .zh = {"PTX"},
         .text = {"NVIDIA's instruction set for a virtual machine, into which CUDA is compiled first. The "
                  "emulator executes PTX as it is written. A GPU does not: ptxas or the driver turns it "
                  "into machine code and merges, removes or reorders instructions on the way.",
                  "NVIDIA 为虚拟机器定义的指令集，CUDA 代码先编译成 PTX。模拟器照原样执行 PTX。GPU 并不直接"
                  "执行它：ptxas 或驱动程序把它变成机器码，途中会合并、删除或重排指令。"},
         .see = {"machine-code", "site"}},
    Term{.id = "machine-code",
         .name = {"machine code (SASS)", "机器码（SASS）"},
         .en = {"machine code", "SASS"},
         .zh = {"机器码", "SASS"},
         .text = {"What a GPU really executes: the instructions that ptxas makes out of PTX for one "
                  "architecture. Neighboring loads may have become one wider load there, and short "
                  "branches predicated instructions. Hardware counters count machine code, which is one "
                  "reason why they can differ from figures taken from PTX.",
                  "GPU 真正执行的指令，由 ptxas 针对某一种架构从 PTX 生成。相邻的读取可能已经合成一次更宽的"
                  "读取，短分支可能变成带谓词的指令。硬件计数器统计的是机器码，这是它们可能与按 PTX 得出的"
                  "数字不同的原因之一。"},
         .see = {"ptx", "predicate", "site"}},
    Term{
        .id = "site",
        .name = {"site", "指令位置（site）"},
        .en = {"site", "sites"},
        .zh = {"指令位置", "site"},
        .text =
            {"One instruction of a kernel's PTX, known by its number (pc). What all warps do there is "
             "counted together: executions, "
             "sectors, wavefronts. Findings at one site are mostly the same mistake, seen several times.",
             "核函数 PTX 中的一条指令，以编号（pc）区分。所有线程束在这里的执行次数、扇区和波前合在一起统计。"
             "同一指令位置上的多处问题，多半是同一个错误的多次出现。"},
        .see = {"ptx", "request"}},
};

}  // namespace lockstep::viz
