#include "trace/shadow/global_releases.h"

#include <algorithm>

namespace lockstep::trace {

void GlobalClock::learn(u64 key, u64 before) {
    if (knowsAll_) return;
    u64& known = before_[key];
    known = std::max(known, before);
    if (before_.size() > kMostEntries) {
        before_.clear();
        knowsAll_ = true;
    }
}

void GlobalClock::join(const GlobalClock& other) {
    if (other.knowsAll_) {
        before_.clear();
        knowsAll_ = true;
    }
    for (const auto& [key, before] : other.before_)
        learn(key, before);
}

void GlobalReleases::publish(u64 address, const GlobalClock& released, bool replaces) {
    GlobalClock& flag = flags_[address];
    if (replaces) flag.clear();
    flag.join(released);
}

}  // namespace lockstep::trace
