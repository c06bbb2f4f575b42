// Launches that can be run again by themselves, on what they found in memory.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "program/record.h"
#include "ptx/module.h"
#include "simt/memory/kernel_heap.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::program {

// Memory piece by piece, each kept once as long as it stays the same.
struct KeptPiece {
    static constexpr u64 kBytes = u64{64} << 10;
    std::vector<std::byte> bytes;
    std::vector<u32> pointers;  // offsets of words that may be addresses
};
using KeptContents = std::vector<std::shared_ptr<const KeptPiece>>;  // null: zeros

struct KeptBlock {
    u32 block = 0;  // of the heap
    u64 address = 0, bytes = 0;
    std::optional<ptx::VariableId> variable{};  // of the launch's own module
    std::shared_ptr<const KeptContents> contents{};
};

struct KeptLaunch {
    u32 code = 0;   // which module
    Launch launch;  // its pointers as the program has them
    bool isCooperative = false;
    bool usesImages = false;          // textures or surfaces: then nothing else is kept
    std::vector<KeptBlock> blocks{};  // that its threads may reach
    // Where malloc() in kernels takes its memory from, and what it had given; none: they do not come to it.
    std::optional<u32> heapBlock{};
    std::optional<simt::KernelHeap> heap{};
};

// What a run of it by itself takes.
struct OpenedLaunch {
    std::shared_ptr<const ptx::Module> module;
    Launch launch;
    std::vector<Buffer> buffers;
    std::string entry;   // as written in C++
    std::string source;  // path of the file that it is in
    bool isCooperative = false;
    std::optional<simt::KernelHeap> heap{};  // in this buffer
    u32 heapBuffer = 0;
};

class KeptLaunches {
public:
    bool has(u64 launch) const { return launches_.contains(launch); }
    // Launches from the first to this one are there; 0: none.
    u64 last() const { return launches_.empty() ? 0 : launches_.rbegin()->first; }
    // Memory allowed no more than these.
    bool isFull() const { return isFull_; }
    // Its arguments, the memory that they lead to and its variables are those of the program; addresses are
    // those of a run. Fault: it is not there.
    Expected<OpenedLaunch> open(u64 launch) const;

private:
    friend class LaunchKeeper;
    struct Facts {  // of a block of the heap
        std::string name;
        u32 elementBytes = 4;  // as kernels access it
        u64 rowBytes = 0;      // 0: not known
    };
    std::map<u64, KeptLaunch> launches_;
    std::map<u32, std::shared_ptr<const ptx::Module>> modules_;  // with the text of their sources
    std::map<u32, Facts> facts_;
    bool isFull_ = false;
};

}  // namespace lockstep::program
