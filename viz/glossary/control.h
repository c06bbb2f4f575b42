// The glossary's second part: which lanes execute, and how threads wait for each other.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kControlTerms{
    Term{.id = "active-mask",
         .name = {"active mask", "活动掩码"},
         .en = {"active mask", "active masks", "active lane", "active lanes", "inactive lane",
                "inactive lanes"},
         .zh = {"活动掩码", "活动通道", "非活动通道"},
         .text = {"One bit for each lane of a warp, set where the lane takes part in the instruction. A "
                  "lane is inactive while its warp executes the other side of a branch, after its thread "
                  "has returned, and where the block's size is no multiple of 32 and the lane has no "
                  "thread. An instruction takes the same issue slot whether one lane is active or 32.",
                  "线程束的每个通道一位，参与当前指令的通道为 1。线程束正在执行分支的另一侧、线程已经返回，"
                  "或者线程块大小不是 32 的倍数因而没有对应的线程时，通道就是非活动的。不论活动的是 1 个还"
                  "是 32 个，一条指令都要占用一个发射槽。"},
         .see = {"divergence", "predicate", "issue-slot"}},
    Term{.id = "divergence",
         .name = {"divergence", "分化"},
         .en = {"divergence", "diverge", "diverges", "diverged", "diverging", "divergent", "divergences"},
         .zh = {"分化"},
         .text = {"A warp diverges when a branch is taken by some of its active lanes and not by the "
                  "others. Both sides are then executed one after the other, each with the other side's "
                  "lanes inactive, and the warp takes the time of both. Where all lanes of each warp agree "
                  "there is no divergence, even if different warps take different sides.",
                  "同一个线程束里，有的活动通道执行跳转、有的不跳转，线程束就发生分化。两侧只能先后执行，执"
                  "行一侧时另一侧的通道处于非活动状态，所花的时间是两侧之和。只要每个线程束内部意见一致就没"
                  "有分化，不同的线程束走不同的一侧也没关系。"},
         .see = {"reconvergence", "active-mask", "predicate"}},
    Term{.id = "reconvergence",
         .name = {"reconvergence", "重新汇合"},
         .en = {"reconvergence", "reconverge", "reconverges", "reconverged"},
         .zh = {"重新汇合", "汇合点"},
         .text = {"Where lanes that have diverged execute together again: as a rule at the first "
                  "instruction that every path from the branch must reach. Since compute capability 7.0 "
                  "each thread has a program counter of its own, so reconvergence there is likely but not "
                  "promised. __syncwarp() makes the lanes of a warp wait for each other.",
                  "分化的通道重新一起执行的地方，一般是从分支出发的每条路径都必经的第一条指令。从计算能力 "
                  "7.0 起，每个线程有自己的程序计数器，到了那里很可能重新汇合，但不作保证。__syncwarp() 让"
                  "线程束的各通道互相等待。"},
         .see = {"divergence", "warp-synchronous"}},
    Term{.id = "predicate",
         .name = {"predicate", "谓词"},
         .en = {"predicate", "predicates", "predicated", "predication", "predicated off"},
         .zh = {"谓词", "谓词执行"},
         .text = {"A register of one bit that holds the result of a test. An instruction that carries it "
                  "(@%p1 in PTX) has an effect only in lanes where it is true; the others are predicated "
                  "off. The compiler turns most short ifs into predicated instructions: no branch is left "
                  "that could diverge, but lanes that are predicated off do no useful work either.",
                  "保存判断结果的一位寄存器。带谓词的指令（PTX 中写作 @%p1）只在谓词为真的通道里生效，其余"
                  "通道的这条指令不起作用。编译器把大多数短小的 if 变成带谓词的指令：不再有会分化的分支，但"
                  "谓词为假的通道同样没有做有用的工作。"},
         .see = {"active-mask", "divergence", "machine-code"}},
    Term{.id = "barrier",
         .name = {"barrier", "屏障"},
         .en = {"barrier", "barriers", "__syncthreads()"},
         .zh = {"屏障", "同步屏障", "__syncthreads()"},
         .text = {"A place where the threads of a block wait until all of them have arrived: "
                  "__syncthreads(), bar.sync in PTX. What they stored before it, in shared or global "
                  "memory, the whole block can read after it. Every thread must reach the same barrier: "
                  "under a condition that differs within the block it is an error.",
                  "线程块的线程在此等待，直到全部到达：__syncthreads()，PTX 中是 bar.sync。屏障之前写入共享"
                  "内存或全局内存的数据，屏障之后整个线程块都能读到。每个线程都必须到达同一个屏障：放在线程"
                  "块内部结果不一致的条件里就是错误。"},
         .see = {"phase", "race", "block"}},
    Term{.id = "phase",
         .name = {"phase", "阶段"},
         .en = {"phase", "phases", "barrier interval", "barrier intervals"},
         .zh = {"阶段", "屏障区间"},
         .text = {"What a block does between one barrier and the next: the timeline and --phase count "
                  "these barrier intervals from 0. In the textbook's tiled multiplication a phase (ph) is "
                  "one round of the loop over tiles: load, barrier, multiply, barrier. Two barrier "
                  "intervals therefore make up one of the book's phases.",
                  "线程块在相邻两个屏障之间所做的事；时间线和 --phase 从 0 起数的就是这样的屏障区间。教科书"
                  "的分块矩阵乘法里，一个阶段（ph）是分块循环的一轮：装载、屏障、相乘、屏障。因此书上的一个"
                  "阶段包含两个屏障区间。"},
         .see = {"barrier", "tile"}},
    Term{.id = "race",
         .name = {"data race", "数据竞争"},
         .en = {"data race", "data races", "race", "races"},
         .zh = {"数据竞争"},
         .text = {"Two threads access the same address, at least one of them stores, and nothing orders "
                  "the two accesses: no barrier lies between them, and they are not both atomic. The "
                  "result depends on which comes first. That one run came out right proves nothing.",
                  "两个线程访问同一个地址，至少有一个是写入，而两次访问之间没有任何先后约束：中间没有屏障，"
                  "也不都是原子操作。结果取决于谁先谁后。一次运行结果正确，什么也证明不了。"},
         .see = {"barrier", "atomic", "warp-synchronous"}},
    Term{.id = "warp-synchronous",
         .name = {"warp-synchronous code", "依赖隐式线程束同步的代码"},
         .en = {"warp-synchronous", "warp-synchronous execution", "warp-synchronous code",
                "warp-synchronous programming", "lock step", "lock-step"},
         .zh = {"依赖隐式线程束同步", "线程束隐式同步"},
         .text = {"Code whose lanes exchange data through memory with nothing between the store and the "
                  "load, because all lanes of a warp are taken to execute in lockstep. Since compute "
                  "capability 7.0 that is no longer promised, and such code is legacy. With __syncwarp() "
                  "between the accesses it is correct everywhere.",
                  "线程束内的通道通过内存交换数据，写和读之间却没有任何同步，只因为认定所有通道步调一致。从"
                  "计算能力 7.0 起不再有这样的保证，这类代码属于历史遗留。在两次访问之间加上 __syncwarp()，"
                  "到哪里都正确。"},
         .see = {"reconvergence", "race", "shuffle"}},
    Term{.id = "shuffle",
         .name = {"warp shuffle", "线程束洗牌"},
         .en = {"shuffle", "shuffles", "warp shuffle", "warp shuffles"},
         .zh = {"线程束洗牌", "洗牌"},
         .text =
             {"Instructions such as __shfl_down_sync, with which the lanes of a warp read each other's "
              "registers. They need neither "
              "shared memory nor a barrier. What a lane reads from one that does not take part is undefined.",
              "__shfl_down_sync "
              "这一类指令，让线程束的通道互相读取寄存器。既不需要共享内存，也不需要屏障。从没有参与的通道读到"
              "的值是未定义的。"},
         .see = {"register", "reduction", "active-mask"}},
    Term{.id = "atomic",
         .name = {"atomic", "原子操作"},
         .en = {"atomic", "atomics", "atomic operation", "atomic operations", "atomically"},
         .zh = {"原子操作", "原子加"},
         .text = {"An access such as atomicAdd that reads a value, changes it and writes it back with no "
                  "other access in between. Any number of threads may use it on one address without a "
                  "race. Where many lanes meet on one word they are served one after another, so the fewer "
                  "meet, the faster it is.",
                  "像 atomicAdd 那样读出一个值、修改并写回，中间不会插进别的访问。多少个线程同时用在一个地"
                  "址上都不会产生数据竞争。许多通道碰到同一个字时只能一个接一个处理，所以碰到一起的越少越"
                  "快。"},
         .see = {"race", "histogram", "bank-conflict"}},
};

}  // namespace lockstep::viz
