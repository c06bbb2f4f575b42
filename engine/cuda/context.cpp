#include "cuda/driver_error.h"
#include "cuda/gpu.h"

#include <utility>

namespace lockstep::cuda {

Expected<Context> Context::open(u32 device) {
    const Expected<DriverInfo> info = findDriver();
    if (!info) return Unexpected{info.error()};
    if (device >= info->devices.size()) {
        const std::string number = std::to_string(device), most = std::to_string(info->devices.size() - 1);
        return fail(FaultKind::Usage, Message(english("there is no GPU {0}; this machine's are numbered from "
                                                      "0 to {1} (lockstep doctor lists them)"),
                                              number, most));
    }
    const DriverLibrary& driver = **driverLibrary();
    Context context;
    context.device_ = info->devices[device];
    DriverResult result = driver.deviceGet(&context.handle_, int(device));
    if (!result) result = driver.primaryContextRetain(&context.context_, context.handle_);
    if (result)
        return Unexpected{driverFault(driver, result, Message(english("opening {0}"), context.device_.name))};
    context.driver_ = &driver;
    if (const auto current = check(driver, driver.contextSetCurrent(context.context_),
                                   Message(english("opening {0}"), context.device_.name));
        !current)
        return Unexpected{current.error()};
    return context;
}

Context::Context(Context&& other) noexcept
    : driver_(std::exchange(other.driver_, nullptr)),
      device_(std::move(other.device_)),
      handle_(other.handle_),
      context_(std::exchange(other.context_, nullptr)) {}

Context& Context::operator=(Context&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(context_, other.context_);
    return *this;
}

Context::~Context() {
    if (driver_) driver_->primaryContextRelease(handle_);
}

Expected<void> Context::synchronize() const {
    return check(*driver_, driver_->contextSynchronize(), english("running"));
}

u64 Context::pitchBytes() const {
    constexpr std::size_t kRowBytes = 4, kRows = 2;
    DevicePointer address = 0;
    std::size_t pitch = 0;
    if (driver_->memoryAllocatePitch(&address, &pitch, kRowBytes, kRows, unsigned(kRowBytes)) !=
        kDriverSuccess)
        return 0;
    driver_->memoryFree(address);
    return pitch;
}

int Context::attribute(int number) const {
    int value = 0;
    return driver_->deviceGetAttribute(&value, number, handle_) == kDriverSuccess ? value : 0;
}

}  // namespace lockstep::cuda
