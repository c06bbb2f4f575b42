// PTX to machine code with the toolkit's own programs: ptxas assembles it for a device, nvdisasm lists what came out.
#pragma once

#include "cuda/toolkit.h"
#include "ptx/module.h"
#include "sass/machine_code.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace lockstep::cuda {

// sm_90 of the Module's PTX. Takes some 50 ms for a small kernel and a second for a large one.
Expected<sass::MachineCode> disassemble(const Toolkit& toolkit, const ptx::Module& module, u32 computeCapability, const std::atomic<bool>* cancelled = nullptr);

// The same for whoever asks again and again: the toolkit is looked for once, and the last answers are kept. Any thread may ask.
class Disassembler {
public:
    // A Fault where there is no toolkit, and where ptxas refuses the PTX or the device.
    Expected<std::shared_ptr<const sass::MachineCode>> of(const ptx::Module& module, u32 computeCapability, const std::atomic<bool>* cancelled = nullptr);

private:
    using Answer = Expected<std::shared_ptr<const sass::MachineCode>>;
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
