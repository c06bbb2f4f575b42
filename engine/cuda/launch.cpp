#include "base/check.h"
#include "cuda/driver_error.h"
#include "cuda/gpu.h"

#include <cstring>
#include <utility>

namespace lockstep::cuda {
namespace {

constexpr int kMaxDynamicSharedBytes = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr u32 kSharedBytesUnasked =
    48 * 1024;  // CUDA C++ Programming Guide, "Compute Capabilities": more needs opt-in

std::vector<std::byte> bytesOf(DevicePointer address) {
    std::vector<std::byte> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
}

}  // namespace

PackedArguments::PackedArguments(std::span<const Argument> arguments,
                                 std::span<const DevicePointer> buffers) {
    for (const Argument& argument : arguments) {
        if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
            CHECK_LT(buffer->buffer, buffers.size(), "every buffer has an address");
            values_.push_back(bytesOf(buffers[buffer->buffer]));
        } else {
            values_.push_back(std::get<ScalarArgument>(argument).bytes);
        }
    }
}

void PackedArguments::add(std::span<const std::byte> bytes) {
    values_.emplace_back(bytes.begin(), bytes.end());
}

void** PackedArguments::data() {
    pointers_.clear();
    for (std::vector<std::byte>& value : values_)
        pointers_.push_back(value.data());
    return pointers_.data();
}

Expected<void> launch(const Context& context, const Kernel& kernel, const Launch& geometry,
                      PackedArguments& arguments) {
    const DriverLibrary& driver = context.driver();
    const Message doing(english("starting {0}"), kernel.name);
    if (geometry.dynamicSharedBytes + kernel.staticSharedBytes > kSharedBytesUnasked)
        if (auto granted = check(driver,
                                 driver.functionSetAttribute(kernel.handle, kMaxDynamicSharedBytes,
                                                             int(geometry.dynamicSharedBytes)),
                                 doing);
            !granted)
            return granted;
    const auto& [grid, block] = std::pair(geometry.grid, geometry.block);
    return check(driver,
                 driver.launchKernel(kernel.handle, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     geometry.dynamicSharedBytes, nullptr, arguments.data(), nullptr),
                 doing);
}

}  // namespace lockstep::cuda
