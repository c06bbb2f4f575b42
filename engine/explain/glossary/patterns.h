// The glossary's seventh part: ways in which kernels are built.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kPatternTerms{
    Term{.id = "tile",
         .name = english("tile"),
         .forms = english("forms", "tile|tiles|tiled|tiling"),
         .text = english(
             "A part of a matrix that a block loads into shared memory, uses many times and then "
             "replaces by the next. In matrix multiplication with tiles of T × T each element that is "
             "loaded from global memory is used T times. A larger T saves more loads but needs more "
             "shared memory and T × T threads, so T is at most 32 with a thread for each element."),
         .see = {"shared-memory", "phase", "halo"}},
    Term{.id = "ghost",
         .name = english("ghost (cell)"),
         .forms = english("forms", "ghost|ghosts|ghost cell|ghost cells|outside the matrix"),
         .text =
             english("A cell drawn outside a matrix: an element that a thread would load but that does not "
                     "exist, because the width is no multiple of the tile. With a bounds check the thread "
                     "stores 0.0 in its place, which changes no sum. Without one it loads whatever lies at "
                     "that address."),
         .see = {"out-of-bounds", "tile", "halo"}},
    Term{.id = "halo",
         .name = english("halo"),
         .forms = english("forms", "halo|halos"),
         .text = english(
             "The cells around a block's tile that belong to neighboring blocks but are needed at the "
             "tile's rim, in a stencil for example. Some threads load them in addition to their own "
             "cell. The smaller the tile, the more of the loads are for the halo."),
         .see = {"tile", "stencil", "ghost"}},
    Term{.id = "stencil",
         .name = english("stencil"),
         .forms = english("forms", "stencil|stencils"),
         .text =
             english("A computation in which each cell of a grid gets a new value from its own and from its "
                     "neighbors'. Neighboring threads read mostly the same cells, so a tile with a halo in "
                     "shared memory, or the caches, can save most of the loads."),
         .see = {"halo", "tile"}},
    Term{.id = "reduction",
         .name = english("reduction"),
         .forms = english("forms", "reduction|reductions"),
         .text = english(
             "Making one value out of many with an operation such as +, min or max. In parallel it "
             "takes rounds: in each, half as many threads combine pairs, so n elements need log2(n) "
             "rounds. The order of the additions differs from a plain loop's, so the last digits of a "
             "floating-point sum may, too."),
         .see = {"fold", "shuffle", "prefix-sum"}},
    Term{.id = "fold",
         .name = english("fold"),
         .forms = english("forms", "fold|folds|folding"),
         .text =
             english("What each thread does on its own before the threads combine their results: it adds up "
                     "several elements in a register while loading them. That takes neither a barrier nor "
                     "shared memory, so less of the work is left for the costly rounds of the tree."),
         .see = {"reduction", "grid-stride", "register"}},
    Term{.id = "prefix-sum",
         .name = english("prefix sum (scan)"),
         .forms = english("forms", "prefix sum|prefix sums|scan|scans"),
         .text =
             english("For each element the sum of all elements up to it: inclusive with the element itself, "
                     "exclusive without it. A block scans its part in rounds, then the sums of the blocks "
                     "before it are added. Sorting, filtering and allocation of places are built on it."),
         .see = {"reduction", "barrier"}},
    Term{.id = "histogram",
         .name = english("histogram"),
         .forms = english("forms", "histogram|histograms"),
         .text =
             english("Counting how many values fall into each bin. Threads whose values fall into the same "
                     "bin meet on one address, so each counts with an atomic. Copies of the histogram in "
                     "shared memory, for a block or even a lane each, make such meetings rare."),
         .see = {"atomic", "bank-conflict"}},
    Term{.id = "double-buffering",
         .name = english("double buffering"),
         .forms = english("forms", "double buffering|double-buffered|double buffer"),
         .text =
             english("Two tiles in shared memory that take turns: the block multiplies one while the next is "
                     "being loaded into the other. The latency of the loads is hidden behind arithmetic, for "
                     "twice the shared memory."),
         .see = {"tile", "latency", "async-copy"}},
    Term{.id = "async-copy",
         .name = english("asynchronous copy (cp.async)"),
         .forms = english("forms", "asynchronous copy|asynchronous copies|cp.async"),
         .text = english("A copy from global to shared memory that takes no register and does not hold up "
                         "its thread, from compute capability 8.0 on. The data may be read once the thread "
                         "has waited for the copy, and by other threads only after a barrier as well."),
         .see = {"double-buffering", "barrier"}},
};

}  // namespace lockstep::explain
