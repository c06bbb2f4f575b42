// Keeps what launches find in memory, as long as there is room for it.
#pragma once

#include "program/device_heap.h"
#include "program/kept_launches.h"
#include "program/modules.h"
#include "program/operation_log.h"
#include "program/server_options.h"

#include <memory>
#include <span>
#include <vector>

namespace lockstep::program {

// Does it call malloc() or free()?
bool usesKernelHeap(const ptx::Module& module, std::string_view entry);

class LaunchKeeper {
public:
    LaunchKeeper(const KeepOptions& options, const Modules& modules, const DeviceHeap& heap,
                 const OperationLog& operations)
        : options_(options), modules_(modules), heap_(heap), operations_(operations) {}

    // Before it starts.
    void keep(u64 number, KeptLaunch launch);
    // Once the lines are known.
    std::shared_ptr<const KeptLaunches> finish(BufferNames& names);

private:
    struct Known {  // of a block of the heap
        std::shared_ptr<const KeptContents> contents;
        u64 writes = 0;  // of operations, when it was looked at
    };
    void addReachable(KeptLaunch& launch);
    std::shared_ptr<const KeptContents> contentsOf(u32 block);
    std::shared_ptr<const KeptPiece> pieceOf(std::span<const std::byte> bytes);
    bool mayBeAddress(u64 word) const;

    const KeepOptions& options_;
    const Modules& modules_;
    const DeviceHeap& heap_;
    const OperationLog& operations_;
    std::shared_ptr<KeptLaunches> kept_ = std::make_shared<KeptLaunches>();
    std::vector<Known> known_;
    std::vector<std::pair<u64, u64>> registered_;  // host memory that kernels see: from, to
    u64 bytes_ = 0;
};

}  // namespace lockstep::program
