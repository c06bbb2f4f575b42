#include "cuda/driver_error.h"

#include <algorithm>
#include <array>

namespace lockstep::cuda {
namespace {

// What is wrong, and what to do; {0} is the driver's name of the error and the failed action.
struct Sentence {
    DriverResult result;
    Words words;
};

constexpr std::array kSentences{
    Sentence{2, english("the GPU has not enough free memory {0}; choose a smaller size, or end other "
                        "programs that use the GPU")},
    Sentence{3, english("the NVIDIA driver is not started {0}; restart the computer if it stays so")},
    Sentence{34, english("libcuda is the toolkit's stub, not a driver {0}; install the NVIDIA driver, or "
                         "take the stubs folder out of LD_LIBRARY_PATH")},
    Sentence{46, english("the GPU is taken by another program {0}; end that program, or choose another GPU "
                         "with --device")},
    Sentence{100, english("the NVIDIA driver finds no GPU {0}; if there is one, look at nvidia-smi and "
                          "CUDA_VISIBLE_DEVICES")},
    Sentence{
        200,
        english(
            "the driver cannot read the compiled kernel {0}; this is a mistake of ours or of the driver's")},
    Sentence{209, english("the PTX was made for a newer GPU than this one {0}; compile it for an older "
                          "architecture, or use the emulator")},
    Sentence{214, english("the GPU's memory has an error that cannot be corrected {0}; reset the GPU or "
                          "restart the computer")},
    Sentence{218, english("the driver's compiler refuses the PTX {0}")},
    Sentence{221, english("the driver has no PTX compiler {0}; install the whole driver "
                          "(libnvidia-ptxjitcompiler is missing)")},
    Sentence{222,
             english("the driver is older than the PTX {0}; update the NVIDIA driver, or use the emulator")},
    Sentence{500, english("the compiled kernel has no such name {0}")},
    Sentence{700, english("the kernel accessed an address that belongs to no allocation {0}; run it with "
                          "--backend emulator to see which line and thread")},
    Sentence{701, english("the launch needs more registers, threads or shared memory than an SM "
                          "has {0}; choose smaller blocks")},
    Sentence{702, english("the kernel ran longer than the display's watchdog allows {0}; choose a smaller "
                          "size, or a GPU without a display")},
    Sentence{710, english("the kernel's assert() failed {0}")},
    Sentence{714, english("the kernel ran out of stack {0}; its calls go too deep")},
    Sentence{715, english("the kernel met an instruction that this GPU does not have {0}")},
    Sentence{716, english("the kernel accessed an address that is not a multiple of the access's size {0}; "
                          "run it with --backend emulator to see where")},
    Sentence{717, english("the kernel used an address of the wrong memory space {0}; run it with --backend "
                          "emulator to see where")},
    Sentence{719, english("the kernel failed {0}; run it with --backend emulator to see what it does")},
    Sentence{800, english("the system does not permit this {0}; ask the administrator")},
    Sentence{802, english("the GPU's system is not ready yet {0}; on machines with NVSwitch the fabric "
                          "manager has to run")},
    Sentence{803, english("the driver's library and its kernel module are of different versions {0}; restart "
                          "the computer")},
    Sentence{
        804,
        english(
            "the CUDA compatibility package does not support this GPU {0}; take it out of LD_LIBRARY_PATH")},
    Sentence{999, english("the GPU does not answer {0}; it may be lost (look at nvidia-smi), and the "
                          "computer may need a restart")},
};
constexpr Words kOther = english("the NVIDIA driver refuses {0}");

std::string nameOf(const DriverLibrary& driver, DriverResult result) {
    const char* name = nullptr;
    driver.getErrorName(result, &name);
    return name ? name : "error " + std::to_string(result);
}

}  // namespace

Fault gpuFault(Message message) {
    Fault fault;
    fault.kind = FaultKind::Gpu;
    fault.message = std::move(message);
    return fault;
}

Fault driverFault(const DriverLibrary& driver, DriverResult result, const Message& doing) {
    const auto row = std::ranges::find(kSentences, result, &Sentence::result);
    return gpuFault(Message(row != kSentences.end() ? row->words : kOther,
                            Message(english("({0} while {1})"), nameOf(driver, result), doing)));
}

Expected<void> check(const DriverLibrary& driver, DriverResult result, const Message& doing) {
    if (result == kDriverSuccess) return {};
    return Unexpected{driverFault(driver, result, doing)};
}

}  // namespace lockstep::cuda
