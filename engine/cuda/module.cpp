#include "cuda/compiler/minimum_ptx_version.h"
#include "cuda/driver_error.h"
#include "cuda/gpu.h"

#include <array>
#include <bit>
#include <utility>

namespace lockstep::cuda {
namespace {

// CUjit_option and CUfunction_attribute; CUDA Driver API, "Data types used by CUDA driver".
enum JitOption {
    kMaxRegisters = 0,
    kInfoLog = 3,
    kInfoLogBytes = 4,
    kErrorLog = 5,
    kErrorLogBytes = 6,
    kOptimisationLevel = 7
};
enum FunctionAttribute { kMaxThreadsPerBlock = 0, kSharedSizeBytes = 1, kLocalSizeBytes = 3, kNumRegs = 4 };

constexpr std::size_t kLogBytes = 16384;

// A log without its trailing line ends and zeros.
std::string trimmed(std::string log) {
    log.resize(std::char_traits<char>::length(log.c_str()));
    while (!log.empty() && (log.back() == '\n' || log.back() == ' '))
        log.pop_back();
    return log;
}

std::string asUnderstood(const std::string& ptx) {
    const std::optional<PtxVersion> stated = statedVersion(ptx), least = minimumPtxVersion(ptx);
    return stated && least && *least < *stated ? withVersion(ptx, *least) : ptx;
}

}  // namespace

Expected<Module> Module::load(const Context& context, const std::string& ptx, const JitOptions& options) {
    const DriverLibrary& driver = context.driver();
    const std::string text = options.lowerPtxVersion ? asUnderstood(ptx) : ptx;
    std::string information(kLogBytes, '\0'), errors(kLogBytes, '\0');
    std::array<int, 6> names{kInfoLog,       kInfoLogBytes,      kErrorLog,
                             kErrorLogBytes, kOptimisationLevel, kMaxRegisters};
    // Numbers are passed in place of pointers: CUDA Driver API, "cuModuleLoadDataEx".
    const auto number = [](std::size_t value) { return std::bit_cast<void*>(value); };
    std::array<void*, 6> values{information.data(),
                                number(kLogBytes),
                                errors.data(),
                                number(kLogBytes),
                                number(std::size_t(options.optimisation)),
                                number(options.mostRegisters)};
    const unsigned given = options.mostRegisters ? 6 : 5;

    Module module;
    const DriverResult result =
        driver.moduleLoadDataEx(&module.handle_, text.c_str(), given, names.data(), values.data());
    if (result) {
        Fault fault =
            driverFault(driver, result, Message(english("compiling it for {0}"), context.device().name));
        if (const std::string log = trimmed(errors); !log.empty())
            fault.message = Message(english("{0}: {1}"), fault.message, log);
        return Unexpected{std::move(fault)};
    }
    module.driver_ = &driver;
    module.log_ = trimmed(information);
    return module;
}

Module::Module(Module&& other) noexcept
    : driver_(std::exchange(other.driver_, nullptr)),
      handle_(std::exchange(other.handle_, nullptr)),
      log_(std::move(other.log_)) {}

Module& Module::operator=(Module&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(handle_, other.handle_);
    std::swap(log_, other.log_);
    return *this;
}

Module::~Module() {
    if (driver_) driver_->moduleUnload(handle_);
}

Expected<Kernel> Module::kernel(const std::string& name) const {
    Kernel kernel{.name = name};
    const auto found = check(*driver_, driver_->moduleGetFunction(&kernel.handle, handle_, name.c_str()),
                             Message(english("looking for the kernel {0}"), name));
    if (!found) return Unexpected{found.error()};
    const auto attribute = [&](FunctionAttribute number) {
        int value = 0;
        return driver_->functionGetAttribute(&value, number, kernel.handle) == kDriverSuccess ? u32(value)
                                                                                              : 0;
    };
    kernel.registers = attribute(kNumRegs);
    kernel.staticSharedBytes = attribute(kSharedSizeBytes);
    kernel.localBytes = attribute(kLocalSizeBytes);
    kernel.mostThreadsPerBlock = attribute(kMaxThreadsPerBlock);
    return kernel;
}

Expected<Module::Variable> Module::variable(const std::string& name) const {
    Variable variable;
    std::size_t bytes = 0;
    const auto found =
        check(*driver_, driver_->moduleGetGlobal(&variable.address, &bytes, handle_, name.c_str()),
              Message(english("looking for the variable {0}"), name));
    if (!found) return Unexpected{found.error()};
    variable.bytes = bytes;
    return variable;
}

}  // namespace lockstep::cuda
