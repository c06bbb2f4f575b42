// The glossary's fourth part: shared memory from the inside.
#pragma once

#include "viz/glossary/term.h"

namespace lockstep::viz {

inline constexpr std::array kBankTerms{
    Term{.id = "bank",
         .name = {"bank", "存储体"},
         .en = {"bank", "banks"},
         .zh = {"存储体"},
         .text = {"One of the 32 parts of shared memory (16 on compute capability 1.x), each four bytes "
                  "wide. Consecutive words lie in consecutive banks, word w in bank w % 32. In one "
                  "wavefront a bank delivers one word, to every lane that reads that word.",
                  "共享内存的 32 个组成部分之一（计算能力 1.x 为 16 个），每个宽 4 字节。连续的字依次落在连"
                  "续的存储体，字 w 在存储体 w % 32。一个波前里，一个存储体送出一个字，读这个字的通道都能得"
                  "到。"},
         .see = {"bank-conflict", "wavefront", "shared-memory"}},
    Term{.id = "bank-conflict",
         .name = {"bank conflict", "存储体冲突"},
         .en = {"bank conflict", "bank conflicts", "conflict", "conflicts", "conflict-free"},
         .zh = {"存储体冲突", "冲突"},
         .text = {"Lanes of one instruction access different words of the same bank: these are served one "
                  "after another, n words in n wavefronts (an n-way conflict). Lanes that access the same "
                  "word do not conflict. Nor do accesses of different instructions or of different warps, "
                  "sdata[tid] and sdata[tid + s] for example: each instruction is a request of its own.",
                  "同一条指令的几个通道访问同一个存储体里不同的字：只能一个接一个处理，n 个字要 n 个波前（"
                  "n 路冲突）。访问同一个字的通道不冲突。不同指令、不同线程束之间也不冲突，例如 sdata[tid] "
                  "和 sdata[tid + s]：每条指令本来就是各自独立的请求。"},
         .see = {"bank", "wavefront", "broadcast", "padding", "swizzle"}},
    Term{.id = "wavefront",
         .name = {"wavefront", "波前"},
         .en = {"wavefront", "wavefronts"},
         .zh = {"波前"},
         .text = {"One pass of a request through shared memory. With words of 4 bytes a request needs as "
                  "many wavefronts as different words are accessed in the bank that has most of them. 32 "
                  "different words of 8 or 16 bytes take at least 2 or 4 wavefronts, as one delivers at "
                  "most 128 bytes; only what exceeds the least possible number is a bank conflict.",
                  "一个请求通过共享内存的一趟。字宽为 4 字节时，看访问到不同的字最多的那个存储体有几个字，"
                  "就需要几个波前。32 个不同的 8 字节或 16 字节的字至少要 2 个或 4 个波前，因为一个波前最多"
                  "送出 128 字节；超出最少可能数的部分才是存储体冲突。"},
         .see = {"bank", "bank-conflict", "request"}},
    Term{.id = "broadcast",
         .name = {"broadcast", "广播"},
         .en = {"broadcast", "broadcasts"},
         .zh = {"广播"},
         .text = {"One word delivered to all lanes that read it, in the same wavefront. Two lanes or 32, "
                  "the cost is that of a single lane. Atomics on one word are not merged like this: as a "
                  "rule each lane takes its turn.",
                  "一个字在同一个波前里送给所有读它的通道。不论是两个通道还是 32 个，代价都和一个通道一样。"
                  "对同一个字的原子操作不会这样合并：一般每个通道要轮流处理。"},
         .see = {"bank-conflict", "atomic"}},
    Term{.id = "padding",
         .name = {"padding", "填充"},
         .en = {"padding", "padded"},
         .zh = {"填充"},
         .text = {"Elements at the end of each row that are never used and only move the next row on: "
                  "tile[32][32 + 1]. The words of a column then lie in 32 different banks instead of all "
                  "in one. The price is a little shared memory.",
                  "每行末尾从不使用、只为把下一行错开的元素：tile[32][32 + 1]。这样一列的字分散在 32 个不同"
                  "的存储体，而不是全在一个里。代价是多占一点共享内存。"},
         .see = {"bank-conflict", "swizzle", "pitch"}},
    Term{.id = "swizzle",
         .name = {"swizzle", "异或重排"},
         .en = {"swizzle", "swizzles", "swizzled", "swizzling"},
         .zh = {"异或重排", "swizzle"},
         .text = {"A rearrangement of the elements within each row, usually column ^ row: a row is still a "
                  "row, but the words of a column lie in different banks. It needs no padding, so rows "
                  "keep their alignment for accesses of 16 bytes. Loads and stores must compute the same "
                  "index.",
                  "把每行内的元素重新排列，通常是 column ^ row：一行仍在一行里，但一列的字落在不同的存储"
                  "体。不需要填充，所以各行保持 16 字节访问所要的对齐。写入和读取必须用同样的下标计算。"},
         .see = {"bank-conflict", "padding"}},
};

}  // namespace lockstep::viz
