// The accesses of a run to memory that threads share, in the order in which they took place.
#pragma once

#include "simt/memory/block_memory.h"

#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace lockstep::simt {

struct LoggedAccess {
    u32 launch = 0;
    Dim3 block{0, 0, 0};
    Warp warp;
    Pc pc;
    LaneMask lanes;
    trace::Space space = trace::Space::Global;
    trace::AccessKind kind = trace::AccessKind::Load;
    u8 widthBytes = 4;
    u32 phase = 0;                                 // barriers of its block before it
    std::size_t firstAddress = 0, firstValue = 0;  // of the lowest lane, in the log's lists
};

class AccessLog : public AccessListener {
public:
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

    void accessed(Dim3 block, Warp warp, const trace::WarpAccess& access, const std::byte* values) override;
    void blockBarrier(Dim3 block) override { ++phases_[keyOf(block)]; }
    void beginLaunch(u32 launch) {
        launch_ = launch;
        phases_.clear();
    }
    void clear();

    std::span<const LoggedAccess> all() const { return accesses_; }
    // It is the run's beginning: there was too much.
    bool isFull() const { return isFull_; }
    // index: counts the access's lanes from the lowest.
    u64 address(const LoggedAccess& access, u32 index) const {
        return addresses_[access.firstAddress + index];
    }
    // Read, or written; of an atomic the old value, of a reduction the operand.
    std::span<const std::byte> value(const LoggedAccess& access, u32 index) const {
        return std::span(values_).subspan(access.firstValue + std::size_t{index} * access.widthBytes,
                                          access.widthBytes);
    }

private:
    using BlockKey = std::tuple<u32, u32, u32>;
    static BlockKey keyOf(Dim3 block) { return {block.z, block.y, block.x}; }

    u32 launch_ = 0;
    std::map<BlockKey, u32> phases_;  // of this launch
    std::vector<LoggedAccess> accesses_;
    std::vector<u64> addresses_;
    std::vector<std::byte> values_;
    bool isFull_ = false;
};

}  // namespace lockstep::simt
