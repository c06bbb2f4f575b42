// What the compiler generates calls of, and launches.
#include "cudart/call.h"
#include "cudart/graph.h"
#include "cudart/streams.h"
#include "cudart/unwaited.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

using namespace lockstep::cudart;

namespace {

struct Configuration {
    dim3 grid, block;
    size_t sharedBytes;
    void* stream;
    const void* caller;
};
thread_local std::vector<Configuration> configurations;  // of <<<>>> whose stub has not run yet
thread_local const void* callerOfStub = nullptr;

int start(Call& call, const Kernel& kernel, dim3 grid, dim3 block, const std::string& arguments,
          size_t sharedBytes, const void* stream, bool isCooperative) {
    showPrinted();
    std::string text = kernel.name;
    text += '\0';
    text += arguments;
    const Answered answered =
        call.ask(Ask::Launch,
                 {kernel.module, grid.x, grid.y, grid.z, block.x, block.y, block.z, sharedBytes,
                  kernel.mostDynamicShared(state().device), std::uint64_t(isCooperative), numberOf(stream)},
                 text);
    std::vector<WrittenRange> written(
        std::min<std::uint64_t>(answered.answer.numbers[1], answered.text.size() / sizeof(WrittenRange)));
    if (!written.empty())
        std::memcpy(written.data(), answered.text.data(), written.size() * sizeof(WrittenRange));
    const std::string output = answered.text.substr(written.size() * sizeof(WrittenRange));
    const std::size_t printed = std::min<std::uint64_t>(answered.answer.numbers[2], output.size());
    state().printed.append(output, 0, printed);
    state().assertions.append(output, printed, std::string::npos);
    unwaited::add(written, stream, call.caller());
    if (answered.answer.numbers[0] && !state().pending) state().pending = int(answered.answer.numbers[0]);
    return answered.answer.error;
}

}  // namespace

namespace lockstep::cudart {

Work launchWork(Call& call, const cudaKernelNodeParams& p, bool isCooperative, int& error) {
    const Kernel* const kernel = kernelOf(call, p.func);
    if (!kernel) {  // the answer says why
        const auto known = state().kernels.find(p.func);
        error = known == state().kernels.end()
                    ? int(cudaErrorInvalidDeviceFunction)
                    : call.ask(Ask::Launch,
                               {known->second.module, p.gridDim.x, p.gridDim.y, p.gridDim.z, p.blockDim.x,
                                p.blockDim.y, p.blockDim.z, p.sharedMemBytes},
                               known->second.name)
                          .answer.error;
        return {};
    }
    std::string arguments;
    for (std::size_t i = 0; i < kernel->parameterBytes.size(); ++i) {
        if (!p.kernelParams) {
            error = cudaErrorInvalidValue;
            return {};
        }
        arguments.append(static_cast<const char*>(p.kernelParams[i]), kernel->parameterBytes[i]);
    }
    return [kernel, arguments, grid = p.gridDim, block = p.blockDim, sharedBytes = p.sharedMemBytes,
            isCooperative](Call& now, cudaStream_t stream) {
        return start(now, *kernel, grid, block, arguments, sharedBytes, stream, isCooperative);
    };
}

}  // namespace lockstep::cudart

extern "C" {

struct FatBinary {  // what the compiler makes
    int magic, version;
    const void* code;
    void* unused;
};

void** __cudaRegisterFatBinary(const FatBinary* binary) {
    Call call("__cudaRegisterFatBinary", __builtin_return_address(0));
    auto* const number = new std::uint64_t{~std::uint64_t{0}};
    CodeHead head;
    std::memcpy(&head, binary->code, sizeof head);
    if (std::memcmp(head.magic, kCodeMagic, sizeof head.magic) == 0) {
        const char* const text = static_cast<const char*>(binary->code) + sizeof head;
        *number = call.ask(Ask::Module, {}, std::string(text, head.bytes)).answer.numbers[0];
    }
    return reinterpret_cast<void**>(number);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** module, const void* stub, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
    Call call("__cudaRegisterFunction", __builtin_return_address(0));
    state().kernels[stub] = {.module = *reinterpret_cast<std::uint64_t*>(module), .name = name};
}
// Where the linker puts variables that are __managed__.
extern char __start_lockstep_managed[] __attribute__((weak));
extern char __stop_lockstep_managed[] __attribute__((weak));

void __cudaRegisterVar(void** module, const void* shadow, char*, const char* name, int, size_t bytes, int,
                       int) {
    Call call("__cudaRegisterVar", __builtin_return_address(0));
    Variable& variable = state().variables[shadow];
    variable.module = *reinterpret_cast<std::uint64_t*>(module);
    variable.name = name;
    const char* const first = __start_lockstep_managed;
    if (!first || shadow < first || shadow >= __stop_lockstep_managed || !isConnected()) return;
    static std::uint64_t offsetOfFirst = 0;
    static const bool isShared =
        shareWithDevice(call, first, std::size_t(__stop_lockstep_managed - first), offsetOfFirst);
    const auto address = reinterpret_cast<std::uint64_t>(shadow);
    const std::uint64_t offset = offsetOfFirst + (address - reinterpret_cast<std::uint64_t>(first));
    if (!isShared || call.ask(Ask::Variable, {variable.module, address, offset}, name).answer.error) return;
    variable.isKnown = true;
    variable.address = address;
    variable.bytes = bytes;
    state().allocations[address] = {
        .bytes = bytes, .here = static_cast<char*>(const_cast<void*>(shadow)), .memory = Memory::Registered};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes, void* stream) {
    configurations.push_back({grid, block, sharedBytes, stream, __builtin_return_address(0)});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, void** stream) {
    if (configurations.empty()) return cudaErrorInvalidConfiguration;
    const Configuration last = configurations.back();
    configurations.pop_back();
    *grid = last.grid;
    *block = last.block;
    *sharedBytes = last.sharedBytes;
    *stream = last.stream;
    callerOfStub = last.caller;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t sharedBytes,
                             cudaStream_t stream) {
    const void* const chevrons = std::exchange(callerOfStub, nullptr);
    Call call("cudaLaunchKernel", chevrons ? chevrons : __builtin_return_address(0));
    int error = call.sticky();
    Work work;
    if (!error)
        work = launchWork(call,
                          {const_cast<void*>(stub), grid, block, unsigned(sharedBytes), arguments, nullptr},
                          false, error);
    if (error) return chevrons ? call.doneUnseen(error) : call.done(error);
    return chevrons ? performUnseen(call, stream, cudaGraphNodeTypeKernel, work)
                    : perform(call, stream, cudaGraphNodeTypeKernel, work);
}
cudaError_t cudaLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                                        size_t sharedBytes, cudaStream_t stream) {
    LOCKSTEP_ORDINARY("cudaLaunchCooperativeKernel");
    int error = cudaSuccess;
    const Work work = launchWork(
        call, {const_cast<void*>(stub), grid, block, unsigned(sharedBytes), arguments, nullptr}, true, error);
    if (error) return call.done(error);
    return perform(call, stream, cudaGraphNodeTypeKernel, work);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* stub, void** arguments) {
    LOCKSTEP_ORDINARY("cudaLaunchKernelExC");
    if (!config || (config->numAttrs && !config->attrs)) return call.done(cudaErrorInvalidValue);
    bool isCooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        const auto& cluster = attribute.val.clusterDim;
        switch (attribute.id) {
            case cudaLaunchAttributeCooperative: isCooperative = attribute.val.cooperative != 0; break;
            case cudaLaunchAttributeClusterDimension:
                if (std::uint64_t(cluster.x) * cluster.y * cluster.z > 1) return call.refuse();
                break;
            case cudaLaunchAttributeIgnore:
            case cudaLaunchAttributeAccessPolicyWindow:
            case cudaLaunchAttributeSynchronizationPolicy:
            case cudaLaunchAttributePriority: break;
            default: return call.refuse();
        }
    }
    int error = cudaSuccess;
    const Work work = launchWork(call,
                                 {const_cast<void*>(stub), config->gridDim, config->blockDim,
                                  unsigned(config->dynamicSmemBytes), arguments, nullptr},
                                 isCooperative, error);
    if (error) return call.done(error);
    return perform(call, config->stream, cudaGraphNodeTypeKernel, work);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    LOCKSTEP_ORDINARY("cudaLaunchHostFunc");
    if (!function) return call.done(cudaErrorInvalidValue);
    return perform(call, stream, cudaGraphNodeTypeHost, [function, data](Call& now, cudaStream_t in) {
        waitedFor(in);  // a host thread that sees what the function did has waited, too
        now.tell({.kind = OperationKind::HostFunction, .stream = numberOf(in), .isAsynchronous = true});
        function(data);
        return int(cudaSuccess);
    });
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
    LOCKSTEP_ORDINARY("cudaFuncSetAttribute");
    Kernel* const kernel = kernelOf(call, stub);
    if (!kernel) return call.done(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || std::uint64_t(value) + kernel->facts.sharedBytes > state().device.sharedOptIn)
            return call.done(cudaErrorInvalidValue);
        kernel->enabledShared = std::uint64_t(value);
    }
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
    LOCKSTEP_ORDINARY("cudaFuncGetAttributes");
    const Kernel* const kernel = kernelOf(call, stub);
    if (!kernel || !attributes) return call.done(cudaErrorInvalidDeviceFunction);
    const Device& device = state().device;
    *attributes = {.sharedSizeBytes = kernel->facts.sharedBytes,
                   .constSizeBytes = kernel->facts.constantBytes,
                   .localSizeBytes = kernel->facts.localBytes,
                   .maxThreadsPerBlock = int(kernel->facts.mostThreads),
                   .numRegs = int(kernel->facts.registers),
                   .ptxVersion = int(device.major * 10 + device.minor),
                   .binaryVersion = int(device.major * 10 + device.minor),
                   .cacheModeCA = 0,
                   .maxDynamicSharedSizeBytes = int(kernel->mostDynamicShared(device)),
                   .preferredShmemCarveout = -1};
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
    LOCKSTEP_ORDINARY("cudaFuncSetCacheConfig");
    return call.done(kernelOf(call, stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig) {
    LOCKSTEP_ORDINARY("cudaFuncSetSharedMemConfig");
    return call.done(kernelOf(call, stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int blockSize,
                                                          size_t sharedBytes) {
    LOCKSTEP_ORDINARY("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const Kernel* const kernel = kernelOf(call, stub);
    if (!kernel) return call.done(cudaErrorInvalidDeviceFunction);
    if (!blocks || blockSize <= 0) return call.done(cudaErrorInvalidValue);
    const Answered answered =
        call.ask(Ask::Occupancy, {kernel->module, std::uint64_t(blockSize), sharedBytes}, kernel->name);
    *blocks = int(answered.answer.numbers[0]);
    return call.done(answered);
}
}
