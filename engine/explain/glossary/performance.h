// The glossary's sixth part: what makes a kernel fast, and how that is measured.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kPerformanceTerms{
    Term{.id = "occupancy",
         .name = english("occupancy"),
         .forms = english("forms", "occupancy"),
         .text =
             english("The warps that are resident on an SM, as a share of the most that it can "
                     "hold. Registers, shared memory, threads or blocks limit it, whichever runs out first. "
                     "Resident warps hide each other's latency; once there are enough for that, more "
                     "occupancy brings nothing."),
         .see = {"register", "shared-memory", "latency", "wave"}},
    Term{.id = "wave",
         .name = english("wave (of blocks)"),
         .forms = english("forms", "wave|waves|waves of blocks|wave of blocks"),
         .text = english("As many blocks as the whole GPU can hold at a time. A grid with more of them takes "
                         "several waves, and in the last one many SMs may be idle. It is a way of "
                         "counting: a block starts as soon as another ends and makes room."),
         .see = {"grid", "occupancy", "multiprocessor"}},
    Term{.id = "issue-slot",
         .name = english("issue slot"),
         .forms = english("forms", "issue slot|issue slots|instruction issue"),
         .text = english(
             "A chance to issue an instruction: each warp scheduler of an SM has one per "
             "clock cycle. It stays empty if no resident warp is eligible, because all of them are "
             "stalled on memory, on a barrier or on an earlier result. A kernel that fills nearly all "
             "of its issue slots can only get faster by executing fewer instructions."),
         .see = {"warp", "latency", "bound"}},
    Term{.id = "latency",
         .name = english("latency"),
         .forms = english("forms", "latency|latencies"),
         .text =
             english("The time from issuing an instruction until its result can be used: a few clock cycles "
                     "for arithmetic, tens for shared memory, hundreds for global memory. A GPU does not "
                     "avoid it but hides it, by issuing other warps meanwhile. What has to be under way for "
                     "that is latency times throughput (Little's law)."),
         .see = {"throughput", "occupancy", "issue-slot"}},
    Term{.id = "throughput",
         .name = english("throughput"),
         .forms = english("forms", "throughput"),
         .text =
             english("Work done per unit of time: instructions per cycle, operations or bytes per second. It "
                     "is what a GPU is built for: a single thread waits long, but many are under way. The "
                     "resource whose throughput is exhausted first limits the kernel."),
         .see = {"latency", "bandwidth", "bound"}},
    Term{.id = "bandwidth",
         .name = english("bandwidth"),
         .forms = english("forms", "bandwidth"),
         .text =
             english("The throughput of a memory, in bytes per second. A kernel's effective bandwidth is the "
                     "bytes that it has to read and write, divided by its time: beside that of a plain copy "
                     "it shows how much is left to gain. A kernel that only reads and adds, and yet is far "
                     "below it, is held up by its instructions or by latency."),
         .see = {"throughput", "roofline", "device-memory"}},
    Term{.id = "roofline",
         .name = english("roofline"),
         .forms = english("forms", "roofline|rooflines|arithmetic intensity"),
         .text = english(
             "A chart of operations per second over operations per byte of device memory (arithmetic "
             "intensity). The rising part of the roof is the bandwidth, the level part what the "
             "arithmetic units can do at most: a kernel whose data come from device memory cannot lie "
             "above it. A kernel below the rising part is memory-bound, one below the level part "
             "compute-bound."),
         .see = {"bandwidth", "bound", "throughput"}},
    Term{
        .id = "bound",
        .name = english("bound"),
        .forms = english("forms", "Bounds|lower bound|lower bounds|largest bound|memory-bound|compute-bound"),
        .text =
            english("The least time that one resource needs for its share of a run: bytes divided by "
                    "bandwidth, or instructions divided by issue slots per second. The largest of the bounds "
                    "is the one that counts, and it is no prediction: a run with too few warps to hide "
                    "latency may take many times as long."),
        .see = {"roofline", "throughput", "latency"}},
    Term{.id = "warm-up",
         .name = english("warm-up"),
         .forms = english("forms", "warm-up|warm-ups|warm-up launch"),
         .text = english(
             "A launch before the timed ones, whose time does not count. The first launch of a kernel "
             "also pays for loading its code onto the GPU, and it meets cold caches and a clock that "
             "may still be low. Without a warm-up that is taken for the kernel's own time."),
         .see = {"kernel", "l2"}},
    Term{.id = "compute-capability",
         .name = english("compute capability"),
         .forms = english("forms", "compute capability|compute capabilities"),
         .text =
             english("The version of a GPU's instruction set and limits, such as 9.0; cc for short. It says "
                     "which rules turn addresses into transactions, sectors and wavefronts. It is no measure "
                     "of speed."),
         .see = {"profile", "sector", "transaction"}},
    Term{.id = "profile",
         .name = english("profile (of a device)"),
         .forms = english("forms", "profile|profiles|device profile|device profiles"),
         .text =
             english("A device as data: its SMs, registers, shared memory and caches, and the "
                     "rules by which its accesses are counted. Rules in the window, or --profile on the "
                     "command line, chooses one; the same recorded addresses are then counted as that device "
                     "would."),
         .see = {"compute-capability", "multiprocessor"}},
    Term{.id = "ptx",
         .name = english("PTX"),
         .forms = english("forms", "PTX"),
         .text =
             english("NVIDIA's instruction set for a virtual machine, into which CUDA is compiled first. The "
                     "emulator executes PTX as it is written. A GPU does not: ptxas or the driver turns it "
                     "into machine code and merges, removes or reorders instructions on the way."),
         .see = {"machine-code", "site"}},
    Term{.id = "machine-code",
         .name = english("machine code (SASS)"),
         .forms = english("forms", "machine code|SASS"),
         .text =
             english("What a GPU really executes: the instructions that ptxas makes out of PTX for one "
                     "architecture. Neighboring loads may have become one wider load there, and short "
                     "branches predicated instructions. Hardware counters count machine code, which is one "
                     "reason why they can differ from figures taken from PTX."),
         .see = {"ptx", "predicate", "site"}},
    Term{.id = "site",
         .name = english("site"),
         .forms = english("forms", "site|sites"),
         .text = english(
             "One instruction of a kernel's PTX, known by its number (pc). What all warps do there is "
             "counted together: executions, "
             "sectors, wavefronts. Findings at one site are mostly the same mistake, seen several times."),
         .see = {"ptx", "request"}},
};

}  // namespace lockstep::explain
