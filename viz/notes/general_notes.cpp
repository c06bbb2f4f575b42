// Questions that any kernel may raise. What is said of caches was measured on an H200
// (docs/internals/caches.md); of cc 1.x: CUDA C Programming Guide 3.0, appendix G.3.
#include "viz/cursor/lookup.h"
#include "viz/notes/notes.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

bool isFirstGeneration(const ViewInput& in) { return in.profile.major == 1; }

bool accessesShared(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
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
         .question = english("Why half-warps?"),
         .answer =
             {english("On compute capability 1.x shared memory has 16 banks, and each bank delivers 32 bits "
                      "every "
                      "two clock cycles."),
              english(
                  "One wavefront can therefore serve 16 lanes, so a request of a warp is split into two, one "
                  "per "
                  "half-warp; global memory is accessed by the same halves."),
              english("Branches are decided for whole warps all the same: 32 lanes share one instruction.")}},
        {.name = "one-instruction",
         .views = {"banks"},
         .applies = accessesShared,
         .question = english("Can two loads of one thread conflict?"),
         .answer =
             {english("No. A bank conflict is between lanes of one warp in one instruction: they access "
                      "different words of one bank in the same request."),
              english("Two loads such as a[i] and a[i + s] are two instructions, issued one after the other; "
                      "it costs nothing that both words lie in one bank."),
              english("Nor do different warps conflict: each of them makes its own request.")}},
        {.name = "write-back",
         .views = {"memory"},
         .applies = storesThroughCaches,
         .question = english("Why does all that is stored go on to L2, but not to device memory?"),
         .answer =
             {english("L1 is write-through: every store goes on to L2; stores to one sector that are "
                      "still pending "
                      "may be merged on the way."),
              english("L2 is write-back: it allocates the line, keeps the sector, and writes it to device "
                      "memory when it needs the room."),
              english("note",
                      "What still lies in L2 when the kernel ends is not counted: {n: store_sectors} sectors "
                      "were stored, {n: l2_writes} reached L2, and {n: dram_writes} device memory.")}},
        {.name = "store-hit",
         .views = {"memory"},
         .applies = storesThroughCaches,
         .question = english("When does a store hit?"),
         .answer =
             {english("L1 looks up every sector that is stored. It is a hit if the same SM "
                      "loaded or stored a sector of that line before."),
              english("A hit saves no traffic: what is stored goes on to L2 all the same."),
              english("For a store that fills a whole sector L2 needs nothing from device memory. If a store "
                      "fills only part of a sector, L2 fetches the rest, unless other stores fill it "
                      "before the sector is written back.")}},
        {.name = "levels",
         .views = {"memory"},
         .applies = loadsThroughCaches,
         .question = english("What is transferred between L1, L2 and device memory?"),
         .answer = {english("Sectors of 32 bytes, at every level. A load looks its sectors up in L1; those "
                            "that miss go "
                            "to L2, and those that miss there to device memory."),
                    english("A cache line is four sectors, but only the requested sectors are fetched from "
                            "L2; device memory is read in pairs of them.")}},
        {.name = "warm-up",
         .views = {"times"},
         .applies = hasTimes,
         .question = english("Why is there a warm-up before the kernel is timed?"),
         .answer =
             {english("The first launch of a kernel also loads its code onto the GPU, finds cold caches, and "
                      "may find the GPU at a low clock rate."),
              english(
                  "Its time says more about that than about the kernel, so it is not counted among the times "
                  "in the Times view. A program that launches a kernel once pays for it all the same.")}},
    };
    return notes;
}

}  // namespace lockstep::viz
