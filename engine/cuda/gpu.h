// A device in use: its context, modules made from PTX, memory between guard zones, launches, events. All
// belong to the thread that opened the Context, and the Context must outlive them. Every driver error is a
// Fault of kind Gpu. After an illegal address and the like the Context is unusable: every later call fails.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"
#include "cuda/driver.h"
#include "cuda/driver_library.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::cuda {

class Context {
public:
    // By the device's number in findDriver()'s list.
    static Expected<Context> open(u32 device = 0);

    Context(Context&& other) noexcept;
    Context& operator=(Context&& other) noexcept;
    ~Context();

    const DriverLibrary& driver() const { return *driver_; }
    const Device& device() const { return device_; }
    DeviceHandle handle() const { return handle_; }
    ContextHandle native() const { return context_; }  // a CUcontext, for CUPTI

    // Waits for all work that was started.
    Expected<void> synchronize() const;
    // A property of the device: CUdevice_attribute. 0 where the driver does not know it.
    int attribute(int number) const;
    // The pitch that cuMemAllocPitch, and so cudaMallocPitch, chooses for rows of 4 bytes, of which every
    // pitch is a multiple. 0: not known.
    u64 pitchBytes() const;

private:
    Context() = default;
    const DriverLibrary* driver_ = nullptr;
    Device device_;
    DeviceHandle handle_ = 0;
    ContextHandle context_ = nullptr;
};

// A kernel as the driver compiled it for this device.
struct Kernel {
    FunctionHandle handle = nullptr;
    std::string name;             // in the PTX
    u32 registers = 0;            // per thread
    u32 staticSharedBytes = 0;    // per block
    u32 localBytes = 0;           // per thread: spills and arrays
    u32 mostThreadsPerBlock = 0;  // that fit the register file
};

struct JitOptions {
    u32 mostRegisters = 0;        // 0: the compiler's choice
    int optimisation = 4;         // 0..4, as ptxas -O
    bool lowerPtxVersion = true;  // to this driver's, if the text needs no more (minimum_ptx_version.h)
};

class Module {
public:
    // The Fault has the compiler's message, with its line of the PTX.
    static Expected<Module> load(const Context& context, const std::string& ptx,
                                 const JitOptions& options = {});

    Module(Module&& other) noexcept;
    Module& operator=(Module&& other) noexcept;
    ~Module();

    Expected<Kernel> kernel(const std::string& name) const;
    struct Variable {
        DevicePointer address = 0;
        u64 bytes = 0;
    };
    Expected<Variable> variable(const std::string& name) const;
    const std::string& log() const { return log_; }  // output of ptxas; may be empty

private:
    Module() = default;
    const DriverLibrary* driver_ = nullptr;
    ModuleHandle handle_ = nullptr;
    std::string log_;
};

// Contents of guard zones and uninitialized shared memory: all ones, NaN as a float, as on the emulator.
inline constexpr u8 kPoisonByte = 0xff;

// Device memory; optionally with guard zones of poison before and after. address() is a multiple of 256.
class DeviceMemory {
public:
    // Contents are undefined, the guard zones filled. A zone is rounded up to 256 bytes.
    static Expected<DeviceMemory> allocate(const Context& context, u64 bytes, u64 guardBytes = 0);

    DeviceMemory(DeviceMemory&& other) noexcept;
    DeviceMemory& operator=(DeviceMemory&& other) noexcept;
    ~DeviceMemory();

    DevicePointer address() const { return start_ + guardBytes_; }
    u64 bytes() const { return bytes_; }
    u64 guardBytes() const { return guardBytes_; }

    Expected<void> upload(std::span<const std::byte> from, u64 offset = 0) const;
    Expected<void> download(std::span<std::byte> to, u64 offset = 0) const;
    Expected<void> fill(u8 value) const;
    Expected<void> fillGuards() const;

    // A run of overwritten bytes in a guard zone.
    struct StrayWrite {
        s64 offset = 0;  // from address(): below 0, or from bytes() on
        u64 bytes = 0;
    };
    // Ascending; runs less than 4 bytes apart are merged. At most `most` of them.
    Expected<std::vector<StrayWrite>> strayWrites(u32 most = 1000) const;

private:
    DeviceMemory() = default;
    const DriverLibrary* driver_ = nullptr;
    DevicePointer start_ = 0;
    u64 bytes_ = 0, guardBytes_ = 0;
};

// The arguments of one launch as the driver expects them: pointers to copies owned here.
class PackedArguments {
public:
    // buffers: the device address of each of the experiment's buffers.
    PackedArguments(std::span<const Argument> arguments, std::span<const DevicePointer> buffers);
    PackedArguments(PackedArguments&&) = default;
    PackedArguments& operator=(PackedArguments&&) = default;

    void add(std::span<const std::byte> bytes);  // one more parameter, at the end
    void** data();

private:
    std::vector<std::vector<std::byte>> values_;
    std::vector<void*> pointers_;
};

// Launches on the default stream; errors of the kernel itself appear at the next synchronize(). Opts in to
// more than 48 KB of dynamic shared memory.
Expected<void> launch(const Context& context, const Kernel& kernel, const Launch& geometry,
                      PackedArguments& arguments);

class Event {
public:
    static Expected<Event> create(const Context& context);

    Event(Event&& other) noexcept;
    Event& operator=(Event&& other) noexcept;
    ~Event();

    Expected<void> record() const;
    Expected<void> wait() const;
    // Both must have been recorded and reached.
    static Expected<f64> milliseconds(const Event& from, const Event& to);

private:
    Event() = default;
    const DriverLibrary* driver_ = nullptr;
    EventHandle handle_ = nullptr;
};

}  // namespace lockstep::cuda
