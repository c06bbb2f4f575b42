// A libcuda for tests: memory of the host stands in for the device's, a few kernels are known by name, the
// others run on the emulator, and every call fails as ordered. Signatures and numbers: CUDA Driver API.
#include "base/device_addresses.h"
#include "device.h"
#include "orders.h"

#include <dlfcn.h>

#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using Pointer = unsigned long long;
using fake::trait;

constexpr int kOutOfMemory = 2, kInvalidDevice = 101, kInvalidPtx = 218, kNotFound = 500;
constexpr int kErrorLog = 5, kErrorLogBytes = 6;  // options of cuModuleLoadDataEx()

fake::Memory memory;
// The one module variable that can be set: 8-byte words below the first slot's addresses.
constexpr Pointer kControl = 256;
unsigned long long control[4];

std::byte* hostOf(Pointer address) {
    const std::optional<lockstep::u32> slot = lockstep::bufferOfAddress(address);
    if (!slot) return reinterpret_cast<std::byte*>(control) + (address - kControl);
    return memory.at(*slot).data() + (address - lockstep::deviceAddressOf(*slot));
}

struct Launch {
    unsigned grid[3], block[3];
    void** arguments;
    template <class T> T argument(int index) const {
        T value;
        std::memcpy(&value, arguments[index], sizeof value);
        return value;
    }
    float* floats(int index) const { return reinterpret_cast<float*>(hostOf(argument<Pointer>(index))); }
};

// P = M x N as mm_naive.cu has it, each product rounded with its sum as the hardware's fma does.
void multiply(const Launch& launch) {
    const float *m = launch.floats(0), *n = launch.floats(1);
    float* p = launch.floats(2);
    const int width = launch.argument<int>(3);
    for (int row = 0; row < width; ++row)
        for (int column = 0; column < width; ++column) {
            float sum = 0;
            for (int k = 0; k < width; ++k)
                sum = __builtin_fmaf(m[row * width + k], n[k * width + column], sum);
            p[row * width + column] = sum;
        }
}
// buffer[n] = 1, the buffer having n elements.
void writeBehind(const Launch& launch) { launch.floats(0)[launch.argument<int>(1)] = 1; }
void addOne(const Launch& launch) {
    for (int i = 0; i < launch.argument<int>(1); ++i)
        launch.floats(0)[i] += 1;
}
void nothing(const Launch&) {}
// The module's variable: an address and a number, which is stored there behind what is there.
void storeControl(const Launch&) {
    auto* const at = reinterpret_cast<unsigned long long*>(hostOf(control[0]));
    at[1] = at[0] + control[1];
}

// Does its work once: the module's variable has to be as it was at first.
void once(const Launch&) {
    if (control[1]++) std::abort();
}

struct Kernel {
    const char* name;
    void (*run)(const Launch&);
    int registers;
};
constexpr int kUsualRegisters = 24;
constexpr Kernel kKernels[] = {
    {"store_control", storeControl, 10}, {"once", once, 6},       {"_Z8mm_naivePKfS0_Pfi", multiply, 32},
    {"write_behind", writeBehind, 8},    {"add_one", addOne, 10}, {"lockstep_sweep", nothing, 16},
    {"lockstep_spin", nothing, 8},       {"nothing", nothing, 4}};

// What a CUfunction points to.
struct Function {
    std::string name;
    const std::string* ptx;
    const Kernel* known;  // none: the emulator runs it
};
struct Module {
    std::string ptx;
    std::map<std::string, Function> functions;
};

struct Event {
    std::chrono::steady_clock::time_point at;
};

int spent = 0;  // an illegal address and the like stay

// The result ordered for a call; what spoils a context spoils it for good.
int outcome(std::string_view call) {
    if (spent) return spent;
    const int result = fake::resultOf(call);
    if ((result >= 700 && result < 720) || result == 214) spent = result;
    return result;
}

struct Name {
    int code;
    const char *name, *text;
};
constexpr Name kNames[] = {{2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
                           {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
                           {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
                           {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
                            "the provided PTX was compiled with an unsupported toolchain."},
                           {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
                           {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
                            "system has unsupported display driver / cuda driver combination"},
                           {999, "CUDA_ERROR_UNKNOWN", "unknown error"}};

}  // namespace

EXPORTED int cuInit(unsigned) { return outcome("cuInit"); }
EXPORTED int cuDriverGetVersion(int* version) {
    *version = int(trait("version", 13000));
    return outcome("cuDriverGetVersion");
}
EXPORTED int cuGetErrorName(int code, const char** name) {
    for (const Name& known : kNames)
        if (known.code == code) return *name = known.name, 0;
    return 1;
}
EXPORTED int cuGetErrorString(int code, const char** text) {
    for (const Name& known : kNames)
        if (known.code == code) return *text = known.text, 0;
    return 1;
}

EXPORTED int cuDeviceGetCount(int* count) {
    *count = int(trait("devices", 1));
    return outcome("cuDeviceGetCount");
}
EXPORTED int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return ordinal < trait("devices", 1) ? outcome("cuDeviceGet") : kInvalidDevice;
}
EXPORTED int cuDeviceGetName(char* name, int length, int device) {
    std::strncpy(name, device == 0 ? "Fake GPU" : "Second fake GPU", std::size_t(length));
    return 0;
}
EXPORTED int cuDeviceGetAttribute(int* value, int attribute, int) {
    switch (attribute) {
        case 13: *value = 1'500'000; return 0;
        case 16: *value = 4; return 0;
        case 36: *value = 2'000'000; return 0;
        case 38: *value = 1 << 20; return 0;
        case 75: *value = 9; return 0;
        case 76: *value = 0; return 0;
        case 97: *value = 232448; return 0;
        default: return 1;
    }
}
EXPORTED int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t(trait("memory", 1L << 30));
    return 0;
}

EXPORTED int cuDevicePrimaryCtxRetain(void** context, int device) {
    static int contexts[16];
    *context = &contexts[device];
    return outcome("cuDevicePrimaryCtxRetain");
}
EXPORTED int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
EXPORTED int cuCtxSetCurrent(void*) { return outcome("cuCtxSetCurrent"); }
EXPORTED int cuCtxSynchronize() { return outcome("cuCtxSynchronize"); }

// The PTX is its own module: a kernel is there if the text names it.
EXPORTED int cuModuleLoadDataEx(void** module, const void* text, unsigned options, int* names,
                                void** values) {
    if (const int result = outcome("cuModuleLoadDataEx")) return result;
    const std::string ptx = static_cast<const char*>(text);
    if (ptx.find(".version") == std::string::npos) {
        char* log = nullptr;
        std::size_t bytes = 0;
        for (unsigned i = 0; i < options; ++i)
            if (names[i] == kErrorLog)
                log = static_cast<char*>(values[i]);
            else if (names[i] == kErrorLogBytes)
                bytes = std::bit_cast<std::size_t>(values[i]);
        if (log && bytes)
            std::snprintf(log, bytes, "%s",
                          "ptxas application ptx input, line 1; fatal : Missing .version directive\n");
        return kInvalidPtx;
    }
    *module = new Module{ptx, {}};
    return 0;
}
EXPORTED int cuModuleUnload(Module* module) {
    delete module;
    return 0;
}
EXPORTED int cuModuleGetFunction(const Function** function, Module* module, const char* name) {
    if (const int result = outcome("cuModuleGetFunction")) return result;
    if (module->ptx.find(name) == std::string::npos) return kNotFound;
    // The text with the recorder in it has the same names, and only the emulator can run that.
    const bool records = module->ptx.find("lockstep_record_control") != std::string::npos;
    const Kernel* known = nullptr;
    for (const Kernel& kernel : kKernels)
        if (!records && std::string(kernel.name) == name) known = &kernel;
    *function = &(module->functions[name] = {name, &module->ptx, known});
    return 0;
}
EXPORTED int cuModuleGetGlobal_v2(Pointer* address, std::size_t* bytes, Module* module, const char* name) {
    if (const int result = outcome("cuModuleGetGlobal_v2")) return result;
    if (module->ptx.find(name) == std::string::npos) return kNotFound;
    *address = kControl;
    *bytes = std::string_view(name) == "control" ? 16 : sizeof control;
    return 0;
}
EXPORTED int cuFuncGetAttribute(int* value, int attribute, const Function* function) {
    const int registers = function->known ? function->known->registers : kUsualRegisters;
    *value = attribute == 4 ? registers : attribute == 0 ? 1024 : 0;
    return 0;
}
EXPORTED int cuFuncSetAttribute(void*, int, int) { return outcome("cuFuncSetAttribute"); }
EXPORTED int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, std::size_t) {
    *blocks = 2048 / threads;
    return 0;
}

EXPORTED int cuMemAlloc_v2(Pointer* address, std::size_t bytes) {
    if (const int result = outcome("cuMemAlloc_v2")) return result;
    if (bytes > std::size_t(trait("memory", 1L << 30))) return kOutOfMemory;
    unsigned slot = 0;
    while (memory.contains(slot))
        ++slot;
    memory[slot].resize(bytes);
    *address = lockstep::deviceAddressOf(slot);
    return 0;
}
EXPORTED int cuMemAllocPitch_v2(Pointer* address, std::size_t* pitch, std::size_t rowBytes, std::size_t rows,
                                unsigned) {
    const std::size_t alignment = std::size_t(trait("pitch", 512));
    *pitch = (rowBytes + alignment - 1) / alignment * alignment;
    return cuMemAlloc_v2(address, *pitch * rows);
}
EXPORTED int cuMemFree_v2(Pointer address) {
    memory.erase(*lockstep::bufferOfAddress(address));
    return 0;
}
EXPORTED int cuMemHostAlloc(void** at, std::size_t bytes, unsigned) {
    *at = std::malloc(bytes);
    return 0;
}
EXPORTED int cuMemFreeHost(void* at) {
    std::free(at);
    return 0;
}
EXPORTED int cuMemcpyHtoD_v2(Pointer to, const void* from, std::size_t bytes) {
    std::memcpy(hostOf(to), from, bytes);
    return outcome("cuMemcpyHtoD_v2");
}
EXPORTED int cuMemcpyDtoH_v2(void* to, Pointer from, std::size_t bytes) {
    std::memcpy(to, hostOf(from), bytes);
    return outcome("cuMemcpyDtoH_v2");
}
EXPORTED int cuMemcpyHtoDAsync_v2(Pointer to, const void* from, std::size_t bytes, void*) {
    return cuMemcpyHtoD_v2(to, from, bytes);
}
EXPORTED int cuMemcpyDtoHAsync_v2(void* to, Pointer from, std::size_t bytes, void*) {
    return cuMemcpyDtoH_v2(to, from, bytes);
}
EXPORTED int cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, std::size_t bytes, void*) {
    std::memmove(hostOf(to), hostOf(from), bytes);
    return outcome("cuMemcpyDtoDAsync_v2");
}
EXPORTED int cuMemsetD8Async(Pointer to, unsigned char value, std::size_t bytes, void*) {
    std::memset(hostOf(to), value, bytes);
    return outcome("cuMemsetD8Async");
}

EXPORTED int cuLaunchKernel(const Function* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, void*, void** arguments, void**) {
    if (const int result = outcome("cuLaunchKernel")) return result;
    if (function->known) return function->known->run({{gx, gy, gz}, {bx, by, bz}, arguments}), 0;
    static auto* const run = reinterpret_cast<decltype(&fakeGpuRun)>(dlsym(RTLD_DEFAULT, "fakeGpuRun"));
    if (!run) return kNotFound;
    const int result = run({function->ptx->c_str(),
                            function->name.c_str(),
                            {gx, gy, gz},
                            {bx, by, bz},
                            shared,
                            arguments,
                            control},
                           memory);
    if (result >= 700 && result < 720) spent = result;
    return result;
}

EXPORTED int cuEventCreate(Event** event, unsigned) {
    *event = new Event;
    return outcome("cuEventCreate");
}
EXPORTED int cuEventDestroy_v2(Event* event) {
    delete event;
    return 0;
}
EXPORTED int cuEventRecord(Event* event, void*) {
    event->at = std::chrono::steady_clock::now();
    return outcome("cuEventRecord");
}
EXPORTED int cuEventSynchronize(Event*) { return outcome("cuEventSynchronize"); }
EXPORTED int cuEventElapsedTime(float* milliseconds, Event* from, Event* to) {
    *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
    return 0;
}
