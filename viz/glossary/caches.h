// The glossary's fifth part: what lies between a multiprocessor and device memory.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kCacheTerms{
    Term{.id = "l1",
         .name = {"L1 cache", "L1（一级缓存）"},
         .en = {"L1", "L1 cache", "first-level cache"},
         .zh = {"L1", "L1 缓存", "一级缓存"},
         .text = {"The cache inside each multiprocessor; today it shares its storage with shared memory. "
                  "Loads from global memory look there first, and what is missing comes from L2. Each "
                  "multiprocessor sees its own L1 only, so data that several of them read are fetched from "
                  "L2 several times.",
                  "每个多处理器内部的缓存，如今与共享内存共用一块存储。从全局内存读取时先查这里，没有的再向"
                  " L2 要。每个多处理器只能看到自己的 L1，所以几个多处理器都要读的数据，会从 L2 取好几次。"},
         .see = {"l2", "hit-rate", "write-through"}},
    Term{.id = "l2",
         .name = {"L2 cache", "L2（二级缓存）"},
         .en = {"L2", "L2 cache", "second-level cache"},
         .zh = {"L2", "L2 缓存", "二级缓存"},
         .text = {"The cache that all multiprocessors share, in front of device memory. Its contents "
                  "outlast a kernel: what one launch left there the next may find. Timings of inputs that "
                  "fit into L2 therefore say little about device memory unless L2 is flushed before each "
                  "run.",
                  "所有多处理器共用的缓存，位于设备内存之前。核函数结束后内容仍在：上一次启动留下的数据，下"
                  "一次可能直接命中。因此数据量装得进 L2 时，除非每次运行前清空 L2，否则测得的时间说明不了"
                  "设备内存的速度。"},
         .see = {"l1", "write-back", "device-memory", "warm-up"}},
    Term{.id = "hit-rate",
         .name = {"hit rate", "命中率"},
         .en = {"hit rate", "hit rates"},
         .zh = {"命中率"},
         .text = {"The share of the sectors looked up in a cache that were there. The others are misses "
                  "and go on to the next level. 0% need not be bad: data that are read only once cannot "
                  "hit.",
                  "在缓存中查找的扇区里，已经在其中的所占的比例。其余的是未命中，要到下一级去取。0% 不一定"
                  "是坏事：只读一次的数据不可能命中。"},
         .see = {"sector", "l1", "l2", "store-hit"}},
    Term{.id = "store-hit",
         .name = {"store hit", "写命中"},
         .en = {"store hit", "store hits", "store hit rate", "store hit rates"},
         .zh = {"写命中", "写命中率", "写入命中率"},
         .text = {"A store whose sector is in the cache already, for example because an earlier store from "
                  "the same multiprocessor left it there. In L1 it saves no traffic: every store is "
                  "written through to L2, hit or not. So a low store hit rate in L1 costs nothing by "
                  "itself.",
                  "写入时，目标扇区已经在缓存里，例如同一多处理器较早的写入把它留在了那里。在 L1 这并不减少"
                  "传输：不论是否命中，每次写入都直达 L2。所以 L1 的写命中率低，本身不造成损失。"},
         .see = {"hit-rate", "write-through", "l1"}},
    Term{.id = "write-through",
         .name = {"write-through", "写直达"},
         .en = {"write-through", "written through", "writes through"},
         .zh = {"写直达", "直写"},
         .text = {"A cache passes each store on to the next level at once. L1 does so: what a kernel "
                  "stores goes on to L2, whether its sector is in L1 or not.",
                  "缓存把每次写入立即交给下一级。L1 就是这样：核函数写入的数据都会送到 L2，不论相应的扇区在"
                  "不在 L1 中。"},
         .see = {"write-back", "store-hit", "l1"}},
    Term{.id = "write-back",
         .name = {"write-back", "写回策略"},
         .en = {"write-back", "written back", "writes back"},
         .zh = {"写回策略", "写回式", "write-back"},
         .text = {"A cache keeps what is stored and passes it on only when it needs the place. L2 does so: "
                  "several stores to a sector become one write to device memory, and a kernel may end "
                  "before anything at all has been written there.",
                  "缓存先留住写入的数据，等到要腾位置时才交给下一级。L2 就是这样：对一个扇区的多次写入，最"
                  "后只写一次设备内存；核函数结束时，设备内存里可能还什么都没写。"},
         .see = {"write-through", "l2", "allocate"}},
    Term{.id = "allocate",
         .name = {"allocate (in a cache)", "分配（缓存行）"},
         .en = {"allocate", "allocates", "write-allocate", "write allocate", "allocate on write"},
         .zh = {"写分配", "写时分配"},
         .text = {"A cache allocates when it sets a line aside for an address that missed. L2 does so for "
                  "stores as well as for loads. A store that fills a whole sector needs nothing from "
                  "device memory; one that fills a part of it needs the rest, which costs a read.",
                  "缓存为未命中的地址腾出一个缓存行，叫作分配。L2 对写入和读取都这样做。写满整个扇区的写入"
                  "不需要设备内存里的任何数据；只写一部分的则需要其余部分，要多读一次。"},
         .see = {"write-back", "cache-line", "sector"}},
};

}  // namespace lockstep::viz
