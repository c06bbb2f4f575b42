// The caches of a device under the requests of a launch: an L1 for each multiprocessor, one L2, device memory
// behind it. What is measured, what is documented and what is a choice: docs/internals/caches.md.
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

// What a run asks for: on a device whose caches are known, up to so many requests.
class CacheSimulations {
public:
    // Many: with a run of so many requests, the simulation would take longer than the run.
    static constexpr u64 kMostRequests = 100'000'000;

    // registersPerThread: of the compiled kernel, where known. threads: of the host, for what is simulated
    // once the run is done; 0: all cores; the counts do not depend on it. The module must outlive this.
    CacheSimulations(const ptx::Module& module, std::span<const Launch> launches, const Profile& profile,
                     u64 mostRequests = kMostRequests, std::optional<u32> registersPerThread = {},
                     u32 threads = 0);
    ~CacheSimulations();
    CacheSimulations(const CacheSimulations&) = delete;
    CacheSimulations& operator=(const CacheSimulations&) = delete;

    // For the emulator; must not outlive this. Null where the profile's caches are not known.
    trace::RequestSinkMaker sinkMaker();
    // All launches together; each begins with empty caches, as ncu has it. None: not known, not all launches
    // ended, or too many requests. Simulates what was not simulated while the run went on, until `cancelled`
    // says that nobody wants it any more: none, then. `told` hears from time to time how many of all blocks
    // have begun.
    std::optional<CacheCounts> counts(const std::atomic<bool>* cancelled = nullptr,
                                      const std::function<void(u64 done, u64 total)>& told = {});
    // That the run made so far, where they can be simulated: how long counts() may take. Since some are
    // simulated while the run goes on, at most.
    u64 requests() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lockstep::model
