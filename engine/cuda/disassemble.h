// PTX to machine code with the toolkit's own programs: ptxas assembles it for a device, nvdisasm lists what came out.
#pragma once

#include "cuda/toolkit.h"
#include "ptx/module.h"
#include "sass/machine_code.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace lockstep::cuda {

// How long somebody wants to wait for machine code.
struct Patience {
    const std::atomic<bool>* cancelled = nullptr;  // may be null
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

// sm_90 of the Module's PTX. Takes some 50 ms for a small kernel and a second for a large one.
Expected<sass::MachineCode> disassemble(const Toolkit& toolkit, const ptx::Module& module, u32 computeCapability, const Patience& patience = {});

// The same for whoever asks again and again: the toolkit is looked for once, and the last answers are kept. Any thread may ask.
class Disassembler {
public:
    using Answer = Expected<std::shared_ptr<const sass::MachineCode>>;

    // A Fault where there is no toolkit, where ptxas refuses the PTX or the device, and where it would have taken too long.
    Answer of(const ptx::Module& module, u32 computeCapability, const Patience& patience = {});
    // What of() would answer, where it takes no time; else none.
    std::optional<Answer> ready(const ptx::Module& module, u32 computeCapability);

private:
    struct Key {
        std::string ptx;
        u32 computeCapability = 0;
        auto operator<=>(const Key&) const = default;
    };

    std::mutex mutex_;
    std::optional<Expected<Toolkit>> toolkit_;
    std::map<Key, Answer> answers_;
};

}  // namespace lockstep::cuda
