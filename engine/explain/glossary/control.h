// The glossary's second part: which lanes execute, and how threads wait for each other.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kControlTerms{
    Term{.id = "active-mask",
         .name = english("active mask"),
         .forms = english("forms",
                          "active mask|active masks|active lane|active lanes|inactive lane|inactive lanes|"
                          "lane slot|lane slots"),
         .text = english(
             "One bit for each lane of a warp, set where the lane takes part in the instruction. A "
             "lane is inactive while its warp executes the other side of a branch, after its thread "
             "has returned, and where the block's size is no multiple of 32 and the lane has no "
             "thread. An instruction takes the same issue slot whether one lane is active or 32: it has "
             "32 lane slots, and those of inactive lanes are not used."),
         .see = {"divergence", "predicate", "issue-slot"}},
    Term{.id = "divergence",
         .name = english("divergence"),
         .forms = english("forms", "divergence|diverge|diverges|diverged|diverging|divergent|divergences"),
         .text = english(
             "A warp diverges when a branch is taken by some of its active lanes and not by the "
             "others. Both sides are then executed one after the other, each with the other side's "
             "lanes inactive, and the warp takes the time of both. Where all lanes of each warp agree "
             "there is no divergence, even if different warps take different sides."),
         .see = {"reconvergence", "active-mask", "predicate"}},
    Term{
        .id = "reconvergence",
        .name = english("reconvergence"),
        .forms = english("forms", "reconvergence|reconverge|reconverges|reconverged"),
        .text = english("Where lanes that have diverged execute together again: as a rule at the first "
                        "instruction that every path from the branch must reach. From compute capability 7.0 "
                        "on, each thread has a program counter of its own, so reconvergence there is likely "
                        "but not promised. __syncwarp() makes the lanes of a warp wait for each other."),
        .see = {"divergence", "warp-synchronous"}},
    Term{.id = "predicate",
         .name = english("predicate"),
         .forms = english("forms", "predicate|predicates|predicated|predication|predicated off"),
         .text =
             english("A register of one bit that holds the result of a test. An instruction that carries it "
                     "(@%p1 in PTX) has an effect only in lanes where it is true; the others are predicated "
                     "off. The compiler turns most short ifs into predicated instructions: no branch is left "
                     "that could diverge, but lanes that are predicated off do no useful work either."),
         .see = {"active-mask", "divergence", "machine-code"}},
    Term{.id = "barrier",
         .name = english("term", "barrier"),
         .forms = english("forms", "barrier|barriers|__syncthreads()"),
         .text =
             english("A place where the threads of a block wait until all of them have arrived: "
                     "__syncthreads(), bar.sync in PTX. What they stored before it, in shared or global "
                     "memory, the whole block can read after it. Every thread must reach the same barrier: "
                     "under a condition that differs within the block it is an error."),
         .see = {"phase", "race", "block"}},
    Term{.id = "phase",
         .name = english("phase"),
         .forms = english("forms", "phase|phases|barrier interval|barrier intervals"),
         .text =
             english("What a block does between one barrier and the next: the timeline and --phase count "
                     "these barrier intervals from 0. In the textbook's tiled multiplication a phase (ph) is "
                     "one round of the loop over tiles: load, barrier, multiply, barrier. Two barrier "
                     "intervals therefore make up one of the book's phases."),
         .see = {"barrier", "tile"}},
    Term{.id = "race",
         .name = english("data race"),
         .forms = english("forms", "data race|data races|race|races"),
         .text =
             english("Two threads access the same address, at least one of them stores, and nothing orders "
                     "the two accesses: no barrier lies between them, and they are not both atomic. The "
                     "result depends on which comes first. That one run came out right proves nothing."),
         .see = {"barrier", "atomic", "warp-synchronous"}},
    Term{.id = "warp-synchronous",
         .name = english("warp-synchronous code"),
         .forms = english("forms",
                          "warp-synchronous|warp-synchronous execution|warp-synchronous "
                          "code|warp-synchronous programming|lock step|lock-step"),
         .text = english("Code whose lanes exchange data through memory with nothing between the store and "
                         "the load, because all lanes of a warp are taken to execute in lockstep. From "
                         "compute capability 7.0 on, that is no longer promised, and such code is legacy. "
                         "With __syncwarp() between the accesses it is correct everywhere."),
         .see = {"reconvergence", "race", "shuffle"}},
    Term{.id = "shuffle",
         .name = english("warp shuffle"),
         .forms = english("forms", "shuffle|shuffles|warp shuffle|warp shuffles"),
         .text = english(
             "Instructions such as __shfl_down_sync, with which the lanes of a warp read each other's "
             "registers. They need neither "
             "shared memory nor a barrier. What a lane reads from one that does not take part is undefined."),
         .see = {"register", "reduction", "active-mask"}},
    Term{.id = "atomic",
         .name = english("atomic"),
         .forms = english("forms", "atomic|atomics|atomic operation|atomic operations|atomically"),
         .text = english(
             "An access such as atomicAdd that reads a value, changes it and writes it back with no "
             "other access in between. Any number of threads may use it on one address without a "
             "race. Where many lanes meet on one word they are served one after another, so the fewer "
             "meet, the faster it is."),
         .see = {"race", "histogram", "bank-conflict"}},
};

}  // namespace lockstep::explain
