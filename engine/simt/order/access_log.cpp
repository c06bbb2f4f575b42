#include "simt/order/access_log.h"

namespace lockstep::simt {

void AccessLog::accessed(Dim3 block, Warp warp, const trace::WarpAccess& access, const std::byte* values) {
    const std::size_t bytes =
        accesses_.size() * sizeof(LoggedAccess) + addresses_.size() * sizeof(u64) + values_.size();
    isFull_ |= bytes > kMostBytes;
    if (isFull_) return;
    const auto phase = phases_.find(keyOf(block));
    accesses_.push_back({.launch = launch_,
                         .block = block,
                         .warp = warp,
                         .pc = access.pc,
                         .lanes = access.active,
                         .space = access.space,
                         .kind = access.kind,
                         .widthBytes = access.widthBytes,
                         .phase = phase == phases_.end() ? 0 : phase->second,
                         .firstAddress = addresses_.size(),
                         .firstValue = values_.size()});
    for (Lane lane : access.active) {
        addresses_.push_back(access.addresses[lane.value]);
        const std::byte* const value = values + std::size_t{lane.value} * access.widthBytes;
        values_.insert(values_.end(), value, value + access.widthBytes);
    }
}

void AccessLog::clear() {
    accesses_.clear();
    phases_.clear();
    addresses_.clear();
    values_.clear();
    isFull_ = false;
}

}  // namespace lockstep::simt
