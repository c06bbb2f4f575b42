#include "explain/hints/hint_rules.h"

#include "base/text/counted.h"
#include "model/source_line.h"

#include <algorithm>
#include <array>

namespace lockstep::explain {

u64 HintInput::issueSlots() const {
    u64 sum = 0;
    for (const trace::GridCounts& counts : recording.counts)
        sum += counts.warpInstructions;
    return sum;
}

HintPlace placeOf(const ptx::Module& module, LaunchId launch, Pc pc) {
    const model::SourceLine at = model::sourceLineOf(pc, module);
    return {.launch = launch, .pc = pc, .line = {at.file, at.line}};
}

std::string_view nameOf(HintUnit unit) {
    switch (unit) {
        case HintUnit::Wavefronts: return "wavefronts";
        case HintUnit::Sectors: return "sectors";
        case HintUnit::Transactions: return "transactions";
        case HintUnit::StoredSectors: return "stored_sectors";
        case HintUnit::IssueSlots: return "issue_slots";
        case HintUnit::Lanes: return "lanes";
        case HintUnit::Threads: return "threads";
        case HintUnit::Multiprocessors: return "multiprocessors";
        case HintUnit::Bytes: return "bytes";
    }
    return "bytes";
}

Message countOf(HintUnit unit, u64 count) {
    const std::string number = grouped(count);
    switch (unit) {
        case HintUnit::Wavefronts: return Message(english("{0} {0:wavefront|wavefronts}"), number);
        case HintUnit::Sectors:
        case HintUnit::StoredSectors: return Message(english("{0} {0:sector|sectors}"), number);
        case HintUnit::Transactions: return Message(english("{0} {0:transaction|transactions}"), number);
        case HintUnit::IssueSlots: return Message(english("{0} issue {0:slot|slots}"), number);
        case HintUnit::Lanes: return Message(english("{0} {0:lane|lanes}"), number);
        case HintUnit::Threads: return Message(english("{0} {0:thread|threads}"), number);
        case HintUnit::Multiprocessors: return Message(english("{0} {0:SM|SMs}"), number);
        case HintUnit::Bytes: return Message(english("{0} {0:byte|bytes}"), number);
    }
    return {};
}

std::span<const HintRule> hintRules() {
    // Least shares: a twentieth where the cure is a matter of a word, a tenth and more where code has to be
    // written anew.
    static const std::array kRules{
        HintRule{.name = "bank_conflict",
                 .title = english("Bank conflicts"),
                 .leastShare = 0.1,
                 .resource = "shared_memory",
                 .source = "CUDA C++ Best Practices Guide, \"Shared Memory and Memory Banks\"",
                 .find = bankConflicts},
        HintRule{.name = "shared_atomic_contention",
                 .title = english("Contended atomics in shared memory"),
                 .leastShare = 0.1,
                 .resource = "shared_memory",
                 .source =
                     "measured on an H200, docs/internals/accuracy.md; NVIDIA Technical Blog, \"GPU Pro "
                     "Tip: Fast Histograms Using Shared Atomics on Maxwell\"",
                 .find = sharedAtomics},
        HintRule{.name = "uncoalesced",
                 .title = english("Uncoalesced access"),
                 .leastShare = 0.1,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Coalesced Access to Global Memory\"",
                 .find = uncoalesced},
        HintRule{.name = "partial_sectors",
                 .title = english("Sectors stored in part"),
                 .leastShare = 0.2,
                 .resource = {},
                 .source = "measured on an H200, docs/internals/caches.md; NVIDIA Nsight Compute, \"Memory "
                           "Tables\", L2 fills of partially written sectors",
                 .find = partialSectors},
        HintRule{.name = "misaligned_start",
                 .title = english("Misaligned start"),
                 .leastShare = 0.05,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"A Sequential but Misaligned Access Pattern\"",
                 .find = misaligned},
        HintRule{.name = "reloaded",
                 .title = english("Data loaded again and again"),
                 .leastShare = 0.4,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Shared Memory in Matrix Multiplication (C=AB)\"",
                 .find = reloaded},
        HintRule{.name = "stored_again",
                 .title = english("Results kept in global memory"),
                 .leastShare = 0.05,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Device Memory Spaces\": registers and global "
                           "memory",
                 .find = storedAgain},
        HintRule{.name = "atomic_contention",
                 .title = english("Contended atomics in global memory"),
                 .leastShare = 0.1,
                 .resource = {},
                 .source = "NVIDIA Technical Blog, \"GPU Pro Tip: Fast Histograms Using Shared Atomics on "
                           "Maxwell\"",
                 .find = contendedAtomics},
        HintRule{.name = "divergence",
                 .title = english("Divergence"),
                 .leastShare = 0.15,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Branching and Divergence\"",
                 .find = divergence},
        HintRule{.name = "partial_warps",
                 .title = english("Warps that are not full"),
                 .leastShare = 0.2,
                 .resource = {},
                 .source =
                     "CUDA C++ Best Practices Guide, \"Thread and Block Heuristics\": a multiple of the "
                     "warp size",
                 .find = partialWarps},
        HintRule{.name = "idle_threads",
                 .title = english("Threads without work"),
                 .leastShare = 0.5,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Thread and Block Heuristics\"",
                 .find = idleThreads},
        HintRule{.name = "few_blocks",
                 .title = english("Too few blocks"),
                 .leastShare = 0.5,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Thread and Block Heuristics\": more blocks than "
                           "multiprocessors",
                 .find = fewBlocks},
        HintRule{.name = "local_memory",
                 .title = english("Local memory"),
                 .leastShare = 0.05,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Local Memory\"",
                 .find = localMemory},
        HintRule{.name = "unneeded_barrier",
                 .title = english("Unneeded barrier"),
                 .leastShare = 0.03,
                 .resource = {},
                 .source = "CUDA C++ Programming Guide, \"Synchronization Functions\"",
                 .find = unneededBarriers},
        HintRule{.name = "unused_shared_memory",
                 .title = english("Unused shared memory"),
                 .leastShare = 0.5,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Effects of Shared Memory\"",
                 .find = unusedSharedMemory},
        HintRule{.name = "accidental_double",
                 .title = english("Unintended 64-bit arithmetic"),
                 .leastShare = 0.05,
                 .resource = {},
                 .source = "CUDA C++ Best Practices Guide, \"Other Arithmetic Instructions\": automatic "
                           "conversion of floats to doubles",
                 .find = accidentalDoubles},
    };
    return kRules;
}

const HintRule* findHintRule(std::string_view name) {
    const auto found = std::ranges::find(hintRules(), name, &HintRule::name);
    return found == hintRules().end() ? nullptr : &*found;
}

}  // namespace lockstep::explain
