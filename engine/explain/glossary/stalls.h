// The glossary's part on why a warp does not issue: stall reasons, in Nsight Compute's words, and the queues
// and pipes that they are about.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kStallTerms{
    Term{.id = "sub-core",
         .name = english("sub-core"),
         .forms = english("forms", "sub-core|sub-cores|warp scheduler|warp schedulers"),
         .text = english(
             "A quarter of an SM: a warp scheduler with registers and pipes of its own. A warp stays on the "
             "sub-core on which it started, and each sub-core issues at most one instruction per cycle, of "
             "one of its warps."),
         .see = {"multiprocessor", "warp", "issue-slot"}},
    Term{
        .id = "stall-reason",
        .name = english("stall reason"),
        .forms = english("forms", "stall reason|stall reasons"),
        .text = english(
            "Why a warp does not issue in a cycle, in Nsight Compute's words. A large stall is no "
            "problem by itself: it costs time only in cycles in which no other warp of the sub-core issues."),
        .see = {"issue-slot", "latency", "long-scoreboard", "short-scoreboard"}},
    Term{.id = "long-scoreboard",
         .name = english("long scoreboard"),
         .forms = english("forms", "long scoreboard"),
         .text = english("A stall reason: the warp waits for a value of global or local memory, be it from "
                         "L1, L2 or device "
                         "memory. The scoreboard is the note of which registers are still to be written."),
         .see = {"stall-reason", "global-memory", "latency"}},
    Term{.id = "short-scoreboard",
         .name = english("short scoreboard"),
         .forms = english("forms", "short scoreboard"),
         .text = english(
             "A stall reason: the warp waits for another result whose time is not fixed: of shared "
             "memory, of a shuffle, of the XU pipe, of a special register. Bank conflicts make it longer."),
         .see = {"stall-reason", "shared-memory", "xu"}},
    Term{.id = "mio",
         .name = english("MIO queue"),
         .forms = english("forms", "MIO|MIO queue|MIO throttle"),
         .text = english(
             "Memory input/output: the queue of a sub-core for accesses to shared memory, shuffles, special "
             "registers and the XU pipe. MIO throttle is the stall reason of a warp whose next instruction "
             "finds it full, often since bank conflicts empty it slowly."),
         .see = {"stall-reason", "shared-memory", "bank-conflict", "lg"}},
    Term{
        .id = "lg",
        .name = english("LG queue"),
        .forms = english("forms", "LG queue|LG throttle"),
        .text = english(
            "Local and global memory: the queue of a sub-core for accesses to them. LG throttle is the stall "
            "reason of a warp whose next access finds it full: many narrow or scattered accesses one "
            "after another."),
        .see = {"stall-reason", "global-memory", "local-memory", "mio"}},
    Term{
        .id = "imc",
        .name = english("IMC miss"),
        .forms = english("forms", "IMC|IMC miss"),
        .text = english(
            "A stall reason: a constant that the instruction reads, often a parameter of the kernel, is not "
            "in "
            "the cache for constants (immediate constant cache) yet. It costs most at the start of a block."),
        .see = {"stall-reason", "kernel"}},
    Term{.id = "xu",
         .name = english("XU pipe"),
         .forms = english("forms", "XU|XU pipe"),
         .text = english(
             "The pipe for sine, exponential, logarithm, reciprocal, square root and for conversions between "
             "types. It takes far fewer lanes per cycle than the FMA pipe."),
         .see = {"stall-reason", "short-scoreboard", "mio"}},
};

}  // namespace lockstep::explain
