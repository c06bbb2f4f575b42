// Simulates a device's caches under a launch's requests: an L1 per SM, one L2, device memory behind it. What
// is measured, what is documented and what is a choice: docs/internals/caches.md.
#pragma once

#include "base/buffer.h"
#include "model/caches/cache_counts.h"
#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "trace/request_sink.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace lockstep::model {

// Default of a run: simulate if the device's caches are known, up to so many requests.
class CacheSimulations {
public:
    // With so many requests, the simulation would take longer than the run.
    static constexpr u64 kMostRequests = 100'000'000;

    // registersPerThread: of the compiled kernel, if known. threads: host threads for the simulation after
    // the run; 0: all cores; the counts do not depend on it. The module must outlive this.
    CacheSimulations(const ptx::Module& module, std::span<const Launch> launches, const Profile& profile,
                     u64 mostRequests = kMostRequests, std::optional<u32> registersPerThread = {},
                     u32 threads = 0);
    ~CacheSimulations();
    CacheSimulations(const CacheSimulations&) = delete;
    CacheSimulations& operator=(const CacheSimulations&) = delete;

    // For the emulator; must not outlive this. Null if the profile's caches are not known.
    trace::RequestSinkMaker sinkMaker();
    // Counts of all launches; each begins with empty caches, as in ncu. None: caches not known, not all
    // launches ended, too many requests, or `cancelled` returned true. Simulates what was not simulated
    // during the run; reports progress to `told`, as blocks begun of all blocks.
    std::optional<CacheCounts> counts(const std::atomic<bool>* cancelled = nullptr,
                                      const std::function<void(u64 done, u64 total)>& told = {});
    // Requests so far that can be simulated: an upper bound of counts()' work, because some are simulated
    // during the run.
    u64 requests() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lockstep::model
