#include "trace/shadow/global_epochs.h"

namespace lockstep::trace {

bool GlobalEpochs::refill(Chunk& chunk) {
    const std::scoped_lock lock(mutex_);
    const u32 first = next_.load(std::memory_order_relaxed);
    if (first >= kMost - kChunk) {
        overflowed_.store(true, std::memory_order_relaxed);
        return false;
    }
    const u32 page = first / kPage;
    if (!owned_[page]) {
        owned_[page] = std::make_unique<GlobalEpoch[]>(kPage);
        pages_[page].store(owned_[page].get(), std::memory_order_release);
    }
    next_.store(first + kChunk, std::memory_order_relaxed);
    chunk = {first, first + kChunk};
    return true;
}

}  // namespace lockstep::trace
