// PTX to machine code with the toolkit's own programs: ptxas assembles it for a device, nvdisasm lists the
// result.
#pragma once

#include "cuda/compiler/text_cache.h"
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

// How long to wait for machine code.
struct Patience {
    const std::atomic<bool>* cancelled = nullptr;  // may be null
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

// Disassembler with a cache: the toolkit is looked up until it is there, and the last results are kept. The
// toolkit's programs take about a second. Thread-safe.
class Disassembler {
public:
    using Answer = Expected<std::shared_ptr<const sass::MachineCode>>;

    // cache: folder for listings that persist to the next start; may be none.
    explicit Disassembler(std::optional<TextCache> cache = {}) : cache_(std::move(cache)) {}

    // Fault: no toolkit, ptxas rejects the PTX or the device, or time limit exceeded.
    Answer of(const ptx::Module& module, u32 computeCapability, const Patience& patience = {});
    // The result of of() if it is cached; else none.
    std::optional<Answer> ready(const ptx::Module& module, u32 computeCapability);

private:
    struct Key {
        std::string ptx;
        u32 computeCapability = 0;
        auto operator<=>(const Key&) const = default;
    };

    std::optional<TextCache> cache_;
    std::mutex mutex_;
    std::optional<Expected<Toolkit>> toolkit_;
    std::map<Key, Answer> answers_;
};

}  // namespace lockstep::cuda
