// The glossary's first part: what a launch consists of, and where it runs.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kExecutionTerms{
    Term{.id = "kernel",
         .name = english("kernel"),
         .forms = english("forms", "kernel|kernels"),
         .text = english(
             "A function marked __global__, which runs on the GPU. The launch kernel<<<grid, "
             "block>>>(...) runs it once in every thread of the grid, and each thread finds its share "
             "of the work from blockIdx and threadIdx. The CPU goes on at once after the launch, so "
             "timing a kernel means waiting for its end."),
         .see = {"grid", "block", "thread", "warm-up"}},
    Term{.id = "thread",
         .name = english("thread"),
         .forms = english("forms", "thread|threads"),
         .text = english(
             "One execution of the kernel's code, with registers and a threadIdx of its own: the view "
             "from which a kernel is written. The hardware does not issue instructions for single "
             "threads, but for the 32 threads of a warp together."),
         .see = {"warp", "lane", "register"}},
    Term{.id = "block",
         .name = english("block"),
         .forms = english("forms", "block|blocks|thread block|thread blocks"),
         .text =
             english("Threads that run on one SM, use the same shared memory and can wait for "
                     "each other at a barrier: up to 1,024 of them (512 on compute capability 1.x). They are "
                     "numbered with x fastest, then y, then z, and every 32 consecutive numbers form a warp. "
                     "Blocks of a grid run in any order, so one must not wait for another."),
         .see = {"grid", "warp", "shared-memory", "barrier", "occupancy"}},
    Term{.id = "grid",
         .name = english("grid"),
         .forms = english("forms", "grid|grids"),
         .text =
             english("All blocks of one launch, in one, two or three dimensions. Its size is usually rounded "
                     "up, so that there is at least one thread for every element; threads left over need a "
                     "bounds check. A grid may have more blocks than the GPU can hold at a time: the rest "
                     "start as others finish."),
         .see = {"block", "wave", "grid-stride", "out-of-bounds"}},
    Term{.id = "warp",
         .name = english("warp"),
         .forms = english("forms", "warp|warps"),
         .text = english(
             "32 threads of a block with consecutive numbers: the unit in which the hardware issues "
             "instructions. All active lanes of a warp execute the same instruction at the same time, "
             "each on data of its own. What one memory instruction of a warp costs depends on the "
             "addresses of all its active lanes."),
         .see = {"lane", "active-mask", "divergence", "coalescing"}},
    Term{.id = "lane",
         .name = english("lane"),
         .forms = english("forms", "lane|lanes"),
         .text = english("One of the 32 places in a warp, numbered 0 to 31, and the thread that has it. In a "
                         "block of one dimension the lane is threadIdx.x % 32."),
         .see = {"warp", "active-mask", "half-warp"}},
    Term{.id = "half-warp",
         .name = english("half-warp"),
         .forms = english("forms", "half-warp|half-warps"),
         .text =
             english("Lanes 0 to 15 or lanes 16 to 31 of a warp. On compute capability 1.x shared memory has "
                     "16 banks, and the coalescing rules look at 16 lanes: each memory instruction is served "
                     "as two requests, one for each half-warp, and their costs add up. Branches are a matter "
                     "of the whole warp there, too."),
         .see = {"warp", "transaction", "bank"}},
    Term{.id = "multiprocessor",
         .name = english("SM (streaming multiprocessor)"),
         .forms = english(
             "forms",
             "multiprocessor|multiprocessors|streaming multiprocessor|streaming multiprocessors|SM|SMs"),
         .text =
             english("The part of a GPU that executes blocks, a streaming multiprocessor: it has warp "
                     "schedulers, arithmetic units, registers, shared memory and an L1 cache of its own. A "
                     "block stays on one SM until it ends. Several blocks are resident at a time, "
                     "as many as their threads, registers and shared memory allow."),
         .see = {"block", "occupancy", "issue-slot"}},
    Term{.id = "register",
         .name = english("register"),
         .forms = english("forms", "register|registers"),
         .text = english(
             "Storage of a single thread inside the SM, and the fastest there is: the "
             "compiler keeps local variables there where it can. All resident threads share one "
             "register file, so the more registers a thread needs, the fewer warps are resident. What "
             "finds no register becomes a spill."),
         .see = {"spill", "occupancy", "shuffle"}},
    Term{.id = "grid-stride",
         .name = english("grid-stride loop"),
         .forms = english("forms", "grid-stride|grid-stride loop|grid-stride loops|grid stride"),
         .text = english(
             "A loop in which each thread handles an element, then the one that lies as many elements "
             "further as the grid has threads, and so on: for (i = ...; i < n; i += gridDim.x * "
             "blockDim.x). The size of the grid is then free, and in every round neighboring lanes "
             "still access neighboring elements."),
         .see = {"grid", "fold", "coalescing"}},
};

}  // namespace lockstep::explain
