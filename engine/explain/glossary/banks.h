// The glossary's fourth part: shared memory from the inside.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kBankTerms{
    Term{.id = "bank",
         .name = english("bank"),
         .forms = english("forms", "bank|banks"),
         .text =
             english("One of the 32 parts of shared memory (16 on compute capability 1.x), each four bytes "
                     "wide. Consecutive words lie in consecutive banks, word w in bank w % 32. In one "
                     "wavefront a bank delivers one word, to every lane that reads that word."),
         .see = {"bank-conflict", "wavefront", "shared-memory"}},
    Term{.id = "bank-conflict",
         .name = english("bank conflict"),
         .forms = english("forms", "bank conflict|bank conflicts|conflict|conflicts|conflict-free"),
         .text =
             english("Lanes of one instruction access different words of the same bank: these are served one "
                     "after another, n words in n wavefronts (an n-way conflict). Lanes that access the same "
                     "word do not conflict. Nor do accesses of different instructions or of different warps, "
                     "sdata[tid] and sdata[tid + s] for example: each instruction is a request of its own."),
         .see = {"bank", "wavefront", "broadcast", "padding", "swizzle"}},
    Term{.id = "wavefront",
         .name = english("wavefront"),
         .forms = english("forms", "wavefront|wavefronts"),
         .text =
             english("One pass of a request through shared memory. With words of 4 bytes a request needs as "
                     "many wavefronts as different words are accessed in the bank that has most of them. 32 "
                     "different words of 8 or 16 bytes take at least 2 or 4 wavefronts, as one delivers at "
                     "most 128 bytes; only what exceeds the least possible number is a bank conflict."),
         .see = {"bank", "bank-conflict", "request"}},
    Term{.id = "broadcast",
         .name = english("broadcast"),
         .forms = english("forms", "broadcast|broadcasts"),
         .text =
             english("One word delivered to all lanes that read it, in the same wavefront. Two lanes or 32, "
                     "the cost is that of a single lane. Atomics on one word are not merged like this: as a "
                     "rule each lane takes its turn."),
         .see = {"bank-conflict", "atomic"}},
    Term{.id = "padding",
         .name = english("padding"),
         .forms = english("forms", "padding|padded"),
         .text =
             english("Elements at the end of each row that are never used and only move the next row on: "
                     "tile[32][32 + 1]. The words of a column then lie in 32 different banks instead of all "
                     "in one. The price is a little shared memory."),
         .see = {"bank-conflict", "swizzle", "pitch"}},
    Term{.id = "swizzle",
         .name = english("swizzle"),
         .forms = english("forms", "swizzle|swizzles|swizzled|swizzling"),
         .text = english(
             "A rearrangement of the elements within each row, usually column ^ row: a row is still a "
             "row, but the words of a column lie in different banks. It needs no padding, so rows "
             "keep their alignment for accesses of 16 bytes. Loads and stores must compute the same "
             "index."),
         .see = {"bank-conflict", "padding"}},
};

}  // namespace lockstep::explain
