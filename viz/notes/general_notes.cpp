// Questions that any kernel may raise. What is said of caches was measured on an H200 (docs/caches.md); of
// cc 1.x: CUDA C Programming Guide 3.0, appendix G.3.
#include "viz/lookup.h"
#include "viz/notes/notes.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

bool isFirstGeneration(const ViewInput& in) { return in.profile.major == 1; }

bool accessesShared(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    return here.access && here.access->space == trace::Space::Shared;
}

bool counts(const ViewInput& in, const char* key) {
    const auto found = in.run.report.counters.find(key);
    return found != in.run.report.counters.end() && found->second > 0;
}
// L1 writes through and L2 writes back on devices whose caches were measured or documented so.
bool storesThroughCaches(const ViewInput& in) {
    return in.profile.caches && counts(in, "lts__t_sectors_srcunit_tex_op_write");
}
bool loadsThroughCaches(const ViewInput& in) {
    return in.profile.caches && counts(in, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
}

bool hasTimes(const ViewInput& in) { return in.run.catalog && in.machines && !in.machines->empty(); }

}  // namespace

const std::vector<GeneralNote>& generalNotes() {
    static const std::vector<GeneralNote> notes{
        {.name = "half-warps",
         .views = {"banks", "sectors"},
         .applies = isFirstGeneration,
         .question = {"Why half-warps?", "为什么按半线程束处理？"},
         .answer =
             {{"On compute capability 1.x shared memory has 16 banks, and each bank delivers 32 bits every "
               "two clock cycles.",
               "在计算能力 1.x 的设备上，共享内存有 16 个存储体，每个存储体每两个时钟周期给出 32 位。"},
              {"One wavefront can therefore serve 16 lanes, so a request of a warp is split into two, one "
               "per "
               "half-warp; global memory is accessed by the same halves.",
               "所以一个波前最多服务 16 "
               "个通道，线程束的一次请求要分成两次，每个半线程束一次；访问全局内存时也按同样的两半进行。"},
              {"Branches are decided for whole warps all the same: 32 lanes share one instruction.",
               "但分支仍以整个线程束为单位：32 个通道共用一条指令。"}}},
        {.name = "one-instruction",
         .views = {"banks"},
         .applies = accessesShared,
         .question = {"Can two loads of one thread conflict?", "同一线程的两次读取会互相冲突吗？"},
         .answer = {{"No. A bank conflict is between lanes of one warp in one instruction: they access "
                     "different words of one bank in the same request.",
                     "不会。存储体冲突只发生在同一线程束的各通道之间、同一条指令之内：它们在同一次请求里访问"
                     "同一存储体的不同的字。"},
                    {"Two loads such as a[i] and a[i + s] are two instructions, issued one after the other; "
                     "it costs nothing that both words lie in one bank.",
                     "a[i] 和 a[i + s] "
                     "这样的两次读取是两条先后发出的指令，两个字即使在同一存储体，也没有任何代价。"},
                    {"Nor do different warps conflict: each of them makes its own request.",
                     "不同的线程束之间也不会冲突：各自发出各自的请求。"}}},
        {.name = "write-back",
         .views = {"memory"},
         .applies = storesThroughCaches,
         .question = {"Why do all stored sectors go on to L2, but not to device memory?",
                      "为什么写入的扇区全部送到 L2，却没有都到达设备内存？"},
         .answer = {{"L1 is write-through: it passes every stored sector on to L2 at once.",
                     "L1 采用写直达：每个写入的扇区立即送往 L2。"},
                    {"L2 is write-back: it allocates the line, keeps the sector, and writes it to device "
                     "memory when it needs the room.",
                     "L2 采用写回：分配缓存行，保留扇区，等需要腾出空间时才写到设备内存。"},
                    {"What still lies in L2 when the kernel ends is not counted: {n: store_sectors} sectors "
                     "were stored, {n: l2_writes} reached L2, and {n: dram_writes} device memory.",
                     "核函数结束时仍留在 L2 里的不计在内：共写入 {n: store_sectors} 个扇区，到达 L2 的有 {n: "
                     "l2_writes} 个，到达设备内存的有 {n: dram_writes} 个。"}}},
        {.name = "store-hit",
         .views = {"memory"},
         .applies = storesThroughCaches,
         .question = {"What is a hit of a store?", "写入的“命中”是什么意思？"},
         .answer = {{"L1 looks up every sector that is stored. It is a hit if an earlier store of the same "
                     "multiprocessor left that sector in L1.",
                     "L1 会查找每个写入的扇区；如果同一多处理器先前的写入把这个扇区留在了 L1，就算命中。"},
                    {"A hit saves no traffic: the sector goes on to L2 all the same.",
                     "命中并不减少传输量：扇区照样送往 L2。"},
                    {"In L2 a store hits if the line is there already. A store that fills its whole sector "
                     "never waits for device memory; one that fills a part of it makes L2 fetch the rest.",
                     "在 L2，缓存行已经在那里就算命中。写满整个扇区的写入不必等设备内存；只写一部分的，L2 "
                     "要从设备内存取来其余部分。"}}},
        {.name = "levels",
         .views = {"memory"},
         .applies = loadsThroughCaches,
         .question = {"What is transferred between L1, L2 and device memory?",
                      "L1、L2 和设备内存之间传输的是什么？"},
         .answer =
             {{"Sectors of 32 bytes, at every level. A load looks its sectors up in L1; those that miss go "
               "to L2, and those that miss there to device memory.",
               "每一级之间传输的都是 32 字节的扇区。读取先在 L1 查找扇区；未命中的去 "
               "L2，再未命中的去设备内存。"},
              {"A cache line is four sectors, but only the sectors that somebody asked for are fetched.",
               "一个缓存行有四个扇区，但只取来被请求的那些。"}}},
        {.name = "warm-up",
         .views = {"times"},
         .applies = hasTimes,
         .question = {"Why a warm-up before the kernel is timed?", "为什么计时前要先预热？"},
         .answer = {{"The first launch of a kernel also loads its code onto the GPU, finds cold caches, and "
                     "may find the GPU at a low clock rate.",
                     "核函数第一次启动时还要把代码装入 GPU，缓存是冷的，GPU 也可能还处在低频。"},
                    {"Its time says more about that than about the kernel, so it is not counted among the "
                     "times in this table. A program that launches a kernel once pays for it all the same.",
                     "这次的时间更多反映这些开销，而不是核函数本身，所以不计入本表的时间。只启动一次核函数的"
                     "程序照样要付出这个代价。"}}},
    };
    return notes;
}

}  // namespace lockstep::viz
