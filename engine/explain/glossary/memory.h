// The glossary's third part: kinds of memory, and what an access to global memory is made of.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kMemoryTerms{
    Term{.id = "global-memory",
         .name = english("global memory"),
         .forms = english("forms", "global memory"),
         .text = english(
             "The memory that every thread of every block can access and that outlives a kernel: what "
             "cudaMalloc returns lies there. It is in device memory, behind L1 and L2, and its "
             "latency is hundreds of clock cycles. What an access costs is counted in sectors."),
         .see = {"sector", "coalescing", "device-memory"}},
    Term{.id = "shared-memory",
         .name = english("shared memory"),
         .forms = english("forms", "shared memory"),
         .text = english(
             "Memory inside the SM that the threads of one block share until the block ends: a "
             "cache that the kernel "
             "fills by itself. A value that is loaded from global memory once can be read from there many "
             "times, by any "
             "thread of the block and in any order, at a fraction of the latency. It is small, and what a "
             "block takes limits "
             "how many blocks are resident."),
         .see = {"bank", "tile", "occupancy", "barrier"}},
    Term{.id = "local-memory",
         .name = english("local memory"),
         .forms = english("forms", "local memory"),
         .text =
             english("Memory that belongs to a single thread: for spills, and for arrays whose index is only "
                     "known at run time. In spite of its name it lies in device memory, behind L1 and L2. It "
                     "is laid out so that lanes that access the same variable together access consecutive "
                     "words."),
         .see = {"spill", "register", "device-memory"}},
    Term{.id = "device-memory",
         .name = english("device memory"),
         .forms = english("forms", "device memory|DRAM"),
         .text = english("The DRAM of the graphics card: global and local memory lie in it, and L2 stands in "
                         "front of it. Kernels that compute little with each byte cannot be faster than its "
                         "bandwidth allows."),
         .see = {"global-memory", "l2", "bandwidth"}},
    Term{.id = "spill",
         .name = english("register spill"),
         .forms = english("forms", "spill|spills|spilled|register spill|register spills"),
         .text = english(
             "A value that the compiler keeps in local memory because the thread has no register left "
             "for it. Each costs a store and at least one load. Forcing a kernel to use fewer "
             "registers (__launch_bounds__, -maxrregcount) raises occupancy, but where it causes "
             "spills the kernel can end up slower."),
         .see = {"register", "local-memory", "occupancy"}},
    Term{.id = "load-store",
         .name = english("load, store"),
         .forms = english("forms", "load|loads|store|stores"),
         .text = english(
             "A load reads memory into registers of a warp's active lanes, a store writes registers to "
             "memory: one instruction for the whole warp, with an address for each lane. The warp goes on "
             "after a load until an instruction needs the value, and after a store at once. What either "
             "costs depends on all its addresses together."),
         .see = {"request", "sector", "wavefront", "latency"}},
    Term{
        .id = "request",
        .name = english("request"),
        .forms = english("forms", "request|requests"),
        .text = english("What one memory instruction of one warp asks of the memory, provided that a lane is "
                        "active. A request to global memory consists of sectors, one to shared memory of "
                        "wavefronts. Sectors per request and wavefronts per request say how well the lanes' "
                        "addresses fit together."),
        .see = {"sector", "wavefront", "transaction"}},
    Term{.id = "sector",
         .name = english("sector"),
         .forms = english("forms", "sector|sectors"),
         .text =
             english("32 bytes that begin at a multiple of 32: the unit in which L1, L2 and device memory "
                     "transfer data. A request costs one sector for each such stretch that its active lanes "
                     "access: 4 where 32 lanes read 32 consecutive aligned floats, 32 where every lane reads "
                     "somewhere else. Bytes of a sector that no lane uses are transferred all the same."),
         .see = {"request", "cache-line", "coalescing"}},
    Term{.id = "cache-line",
         .name = english("cache line"),
         .forms = english(
             "forms",
             "cache line|cache lines|128-byte line|128-byte lines|lines of 128 bytes|line of 128 bytes"),
         .text = english(
             "128 consecutive bytes of memory that have a place in L1 or L2 together: four sectors. Today a "
             "load "
             "fetches only those sectors of a line that it needs. On compute capability 2.x and 3.x a load "
             "that is cached in L1 fetches whole "
             "lines."),
         .see = {"sector", "l1", "hit-rate"}},
    Term{.id = "transaction",
         .name = english("transaction"),
         .forms = english("forms", "transaction|transactions"),
         .text =
             english("The unit in which compute capability 1.x to 3.x count accesses to global memory: one "
                     "transfer of 32, 64 or 128 bytes that begin at a multiple of their size. On 1.x the "
                     "transactions of each half-warp are added up. Later devices count sectors, so the two "
                     "figures cannot be compared one to one."),
         .see = {"half-warp", "sector", "coalescing"}},
    Term{.id = "coalescing",
         .name = english("coalescing"),
         .forms = english("forms", "coalescing|coalesced|coalesce|coalesces|uncoalesced"),
         .text = english(
             "Serving what the lanes of a warp access in global memory with as few sectors or transactions "
             "as their bytes need. It takes lanes with neighboring numbers that access neighboring "
             "addresses: in a row-major matrix, threadIdx.x has to run along the row. From compute "
             "capability 1.2 on, the order of the lanes within the stretch makes no difference."),
         .see = {"sector", "transaction", "stride", "alignment"}},
    Term{.id = "stride",
         .name = english("stride"),
         .forms = english("forms", "stride|strides"),
         .text = english(
             "The distance between what neighboring lanes access, in elements. Stride 1 uses every byte of "
             "the sectors that are "
             "transferred, stride 2 half of them; from a distance of 32 bytes on, every lane needs a sector "
             "of its own. In "
             "shared memory an odd stride in words has no bank conflict; an even one has, unless it is 0."),
         .see = {"coalescing", "bank-conflict", "grid-stride"}},
    Term{.id = "pitch",
         .name = english("pitch"),
         .forms = english("forms", "pitch|pitches|pitched|row pitch"),
         .text =
             english("The distance in bytes from the beginning of one row of a matrix to that of the next. "
                     "cudaMallocPitch rounds it up so that every row begins at an aligned address, and all "
                     "rows cost the same number of sectors. Element (row, column) is then at base + row * "
                     "pitch + column * sizeof(element), in bytes."),
         .see = {"alignment", "padding", "sector"}},
    Term{.id = "alignment",
         .name = english("alignment"),
         .forms = english("forms", "alignment|aligned|misaligned|unaligned"),
         .text = english(
             "An address is aligned to n bytes if it is a multiple of n. Each access must be aligned "
             "to its own width, 16 bytes for a float4: otherwise it is misaligned, and the GPU aborts "
             "the kernel. Where the consecutive addresses of a warp do not begin at a multiple of 32 "
             "bytes, the request takes one sector more."),
         .see = {"sector", "pitch", "coalescing"}},
    Term{.id = "out-of-bounds",
         .name = english("out of bounds"),
         .forms =
             english("forms", "out of bounds|out-of-bounds|bounds check|bounds checks|out-of-bounds access"),
         .text =
             english("An access outside the buffer that it is meant for. The address is often valid all the "
                     "same, in a neighboring row or buffer, so no error is raised: the load returns another "
                     "element's value, the store overwrites it. A bounds check such as if (i < n) keeps "
                     "threads without an element from the access, but not from the barriers."),
         .see = {"ghost", "alignment", "barrier"}},
    Term{.id = "uninitialized-read",
         .name = english("uninitialized read"),
         .forms = english("forms", "uninitialized read|uninitialized reads|uninitialized"),
         .text =
             english("A load from a place that nothing has been stored to: shared memory is not cleared when "
                     "a block begins, nor is what cudaMalloc returns. The value is indeterminate, and may "
                     "happen to be right in a test. A missing barrier before the load can be the cause."),
         .see = {"barrier", "shared-memory", "race"}},
};

}  // namespace lockstep::explain
