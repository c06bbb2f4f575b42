// Writes occupancy.csv: what cuda_occupancy.h of the CUDA toolkit answers over a sweep of block sizes, shared
// memory and registers.
//
//     g++ -I/usr/local/cuda/include ask_toolkit.cpp -o /tmp/ask && /tmp/ask > occupancy.csv
//
// Made with the header of toolkit 13.0. The devices' properties are what cudaGetDeviceProperties gives (CUDA
// C++ Programming Guide, "Compute Capabilities"). A block may have all the shared memory that its device can
// give it, and an SM sets all it can aside for shared memory. Blocks of the columns r...: by registers a
// thread; 0: not one block fits.
#include <cstddef>
#include <cstdio>
#include <initializer_list>
using std::size_t;
#include <cuda_occupancy.h>

namespace {

struct Device {
    const char* profile;
    int major, minor, threadsPerSm, sharedPerSm, sharedOptIn, reserved, multiprocessors;
};
constexpr Device kDevices[] = {
    {"cc35", 3, 5, 2048, 49152, 49152, 0, 15},         {"cc52", 5, 2, 2048, 98304, 49152, 0, 16},
    {"cc60", 6, 0, 2048, 65536, 49152, 0, 56},         {"cc61", 6, 1, 2048, 98304, 49152, 0, 20},
    {"cc70", 7, 0, 2048, 98304, 98304, 0, 80},         {"cc75", 7, 5, 1024, 65536, 65536, 0, 68},
    {"cc80", 8, 0, 2048, 167936, 166912, 1024, 108},   {"cc86", 8, 6, 1536, 102400, 101376, 1024, 82},
    {"cc89", 8, 9, 1536, 102400, 101376, 1024, 128},   {"cc90", 9, 0, 2048, 233472, 232448, 1024, 132},
    {"cc100", 10, 0, 2048, 233472, 232448, 1024, 148}, {"cc120", 12, 0, 1536, 102400, 101376, 1024, 170},
};
constexpr int kThreads[] = {1, 32, 33, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1000, 1024};
constexpr int kShared[] = {0,     1,     1000,  2048,  4096,   8448,   12288,  16384,
                           24576, 33000, 49152, 65536, 101376, 166912, 232448, 232449};
constexpr int kRegisters[] = {1,  8,  16, 24, 31, 32, 33,  40,  41,  48,  56,
                              64, 65, 72, 80, 96, 97, 128, 129, 168, 200, 255};

int blocks(const Device& device, int threads, int shared, int registers) {
    cudaOccDeviceProp properties;
    properties.computeMajor = device.major;
    properties.computeMinor = device.minor;
    properties.maxThreadsPerBlock = 1024;
    properties.maxThreadsPerMultiprocessor = device.threadsPerSm;
    properties.regsPerBlock = 65536;
    properties.regsPerMultiprocessor = 65536;
    properties.warpSize = 32;
    properties.sharedMemPerBlock = 49152;
    properties.sharedMemPerMultiprocessor = size_t(device.sharedPerSm);
    properties.numSms = device.multiprocessors;
    properties.sharedMemPerBlockOptin = size_t(device.sharedOptIn);
    properties.reservedSharedMemPerBlock = size_t(device.reserved);
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = registers;
    kernel.sharedSizeBytes = 0;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = size_t(shared);
    kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    state.cacheConfig = CACHE_PREFER_SHARED;
    state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &kernel, &state,
                                                                       threads, size_t(shared));
    return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -int(error);
}

}  // namespace

int main() {
    std::printf("profile,threads,shared_bytes");
    for (int registers : kRegisters)
        std::printf(",r%d", registers);
    std::printf("\n");
    for (const Device& device : kDevices)
        for (int threads : kThreads)
            for (int shared : kShared) {
                std::printf("%s,%d,%d", device.profile, threads, shared);
                for (int registers : kRegisters)
                    std::printf(",%d", blocks(device, threads, shared, registers));
                std::printf("\n");
            }
}
