// The glossary's fifth part: what lies between a multiprocessor and device memory.
#pragma once

#include "explain/glossary/term.h"

namespace lockstep::explain {

inline constexpr std::array kCacheTerms{
    Term{.id = "l1",
         .name = english("L1 cache"),
         .forms = english("forms", "L1|L1 cache|first-level cache"),
         .text = english("The cache inside each SM; today it shares its storage with shared memory. "
                         "Loads from global memory look there first, and what is missing comes from L2. Each "
                         "SM sees its own L1 only, so data that several of them read are fetched from "
                         "L2 several times."),
         .see = {"l2", "hit-rate", "write-through"}},
    Term{.id = "l2",
         .name = english("L2 cache"),
         .forms = english("forms", "L2|L2 cache|second-level cache"),
         .text =
             english("The cache that all SMs share, in front of device memory. Its contents "
                     "outlast a kernel: what one launch left there the next may find. Timings of inputs that "
                     "fit into L2 therefore say little about device memory unless L2 is flushed before each "
                     "run."),
         .see = {"l1", "write-back", "device-memory", "warm-up"}},
    Term{.id = "hit-rate",
         .name = english("hit rate"),
         .forms = english("forms", "hit rate|hit rates"),
         .text =
             english("The share of the sectors looked up in a cache that were there. The others are misses "
                     "and go on to the next level. 0% need not be bad: data that are read only once cannot "
                     "hit."),
         .see = {"sector", "l1", "l2", "store-hit"}},
    Term{.id = "store-hit",
         .name = english("store hit"),
         .forms = english("forms", "store hit|store hits|store hit rate|store hit rates"),
         .text = english(
             "A store whose sector is in the cache already, for example because an earlier store from "
             "the same SM left it there. In L1 it saves no traffic: every store is "
             "written through to L2, hit or not. So a low store hit rate in L1 costs nothing by "
             "itself."),
         .see = {"hit-rate", "write-through", "l1"}},
    Term{.id = "write-through",
         .name = english("write-through"),
         .forms = english("forms", "write-through|written through|writes through"),
         .text = english(
             "A cache passes what is stored on to the next level instead of keeping it until it needs the "
             "place. L1 does so: what a kernel "
             "stores goes on to L2, whether its sector is in L1 or not."),
         .see = {"write-back", "store-hit", "l1"}},
    Term{.id = "write-back",
         .name = english("write-back"),
         .forms = english("forms", "write-back|written back|writes back"),
         .text = english(
             "A cache keeps what is stored and passes it on only when it needs the place. L2 does so: "
             "several stores to a sector become one write to device memory, and a kernel may end "
             "before anything at all has been written there."),
         .see = {"write-through", "l2", "allocate"}},
    Term{.id = "allocate",
         .name = english("allocate (in a cache)"),
         .forms = english("forms", "allocate|allocates|write-allocate|write allocate|allocate on write"),
         .text =
             english("A cache allocates when it sets a line aside for an address that missed. L2 does so for "
                     "stores as well as for loads. A store that fills a whole sector needs nothing from "
                     "device memory; one that fills a part of it needs the rest, which costs a read."),
         .see = {"write-back", "cache-line", "sector"}},
};

}  // namespace lockstep::explain
