// PTX to machine code with the toolkit's own programs: ptxas assembles it for a device, nvdisasm lists what
// came out.
#pragma once

#include "cuda/compiler/listing_cache.h"
#include "cuda/compiler/toolkit.h"
#include "ptx/module.h"
#include "sass/machine_code.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace lockstep::cuda {

// How long somebody wants to wait for machine code.
struct Patience {
    const std::atomic<bool>* cancelled = nullptr;  // may be null
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

// sm_90 of the Module's PTX, for whoever asks again and again: the toolkit is looked for once, and the last
// answers are kept. The toolkit's programs take about a second. Any thread may ask.
class Disassembler {
public:
    using Answer = Expected<std::shared_ptr<const sass::MachineCode>>;

    // cache: where listings are kept for the next start; may be none.
    explicit Disassembler(std::optional<ListingCache> cache = {}) : cache_(std::move(cache)) {}

    // A Fault where there is no toolkit, where ptxas refuses the PTX or the device, and where it would have
    // taken too long.
    Answer of(const ptx::Module& module, u32 computeCapability, const Patience& patience = {});
    // What of() would answer, where it takes no time; else none.
    std::optional<Answer> ready(const ptx::Module& module, u32 computeCapability);

private:
    struct Key {
        std::string ptx;
        u32 computeCapability = 0;
        auto operator<=>(const Key&) const = default;
    };

    std::optional<ListingCache> cache_;
    std::mutex mutex_;
    std::optional<Expected<Toolkit>> toolkit_;
    std::map<Key, Answer> answers_;
};

}  // namespace lockstep::cuda
