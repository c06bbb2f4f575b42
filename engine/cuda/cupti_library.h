// The functions of CUPTI that we call: its range profiler, which reads hardware counters within our process.
#pragma once

#include "base/expected.h"
#include "cuda/dynamic_library.h"

#include <string>

namespace lockstep::cuda {

// As in cupti_profiler_host.h, cupti_range_profiler.h, cupti_profiler_target.h and cupti_target.h of the
// CUDA 13.0 toolkit, which we neither have nor need; a structure begins with its size up to the end of its
// last field.
namespace cupti {

using Result = int;
inline constexpr Result kSuccess = 0, kInsufficientPrivileges = 35, kVirtualizedInsufficientPrivileges = 40;
inline constexpr int kRangeProfiler = 0;  // CUPTI_PROFILER_TYPE_RANGE_PROFILER
inline constexpr int kUserRange = 2;      // CUPTI_UserRange
inline constexpr int kUserReplay = 3;     // CUPTI_UserReplay

// clang-format off: a table is read by its columns
struct Initialize {
    std::size_t size;
    void* priv;
};
struct GetChipName {
    std::size_t size;
    void* priv;
    std::size_t device;
    const char* chip;
};
struct CounterAvailability {
    std::size_t size;
    void* priv;
    void* context;
    std::size_t imageBytes;
    u8* image;
};
struct HostInitialize {
    std::size_t size;
    void* priv;
    int profiler;
    const char* chip;
    const u8* availability;
    void* host;
};
struct HostDeinitialize {
    std::size_t size;
    void* priv;
    void* host;
};
struct AddMetrics {
    std::size_t size;
    void* priv;
    void* host;
    const char** names;
    std::size_t count;
};
struct ConfigImageSize {
    std::size_t size;
    void* priv;
    void* host;
    std::size_t bytes;
};
struct ConfigImage {
    std::size_t size;
    void* priv;
    void* host;
    std::size_t bytes;
    u8* image;
};
struct Enable {
    std::size_t size;
    void* priv;
    void* context;
    void* profiler;
};
struct OfProfiler {
    std::size_t size;
    void* priv;
    void* profiler;
};  // Disable, Start, PopRange
struct DataSize {
    std::size_t size;
    void* priv;
    void* profiler;
    const char** names;
    std::size_t count;
    std::size_t ranges;
    u32 nodes;
    std::size_t bytes;
};
struct DataInitialize {
    std::size_t size;
    void* priv;
    void* profiler;
    std::size_t bytes;
    u8* data;
};
struct SetConfig {
    std::size_t size;
    void* priv;
    void* profiler;
    std::size_t configBytes;
    const u8* config;
    std::size_t dataBytes;
    u8* data;
    int range, replay;
    std::size_t rangesPerPass;
    u16 nestingLevels, leastNesting;
    std::size_t pass;
    u16 nesting;
};
struct Stop {
    std::size_t size;
    void* priv;
    void* profiler;
    std::size_t pass, nesting;
    u8 allPassesSubmitted;
};
struct PushRange {
    std::size_t size;
    void* priv;
    void* profiler;
    const char* name;
};
struct Decode {
    std::size_t size;
    void* priv;
    void* profiler;
    std::size_t dropped;
};
struct Evaluate {
    std::size_t size;
    void* priv;
    void* host;
    const u8* data;
    std::size_t bytes, range;
    const char** names;
    std::size_t count;
    f64* values;
};
// clang-format on

}  // namespace cupti

struct CuptiLibrary {
    explicit CuptiLibrary(DynamicLibrary l) : library(std::move(l)) {}

    DynamicLibrary library;
    std::string path;

    using Result = cupti::Result;
    Result (*getResultString)(Result, const char**) = nullptr;
    Result (*initialize)(cupti::Initialize*) = nullptr;
    Result (*getChipName)(cupti::GetChipName*) = nullptr;
    Result (*counterAvailability)(cupti::CounterAvailability*) = nullptr;
    Result (*hostInitialize)(cupti::HostInitialize*) = nullptr;
    Result (*hostDeinitialize)(cupti::HostDeinitialize*) = nullptr;
    Result (*addMetrics)(cupti::AddMetrics*) = nullptr;
    Result (*configImageSize)(cupti::ConfigImageSize*) = nullptr;
    Result (*configImage)(cupti::ConfigImage*) = nullptr;
    Result (*evaluate)(cupti::Evaluate*) = nullptr;
    Result (*enable)(cupti::Enable*) = nullptr;
    Result (*disable)(cupti::OfProfiler*) = nullptr;
    Result (*dataSize)(cupti::DataSize*) = nullptr;
    Result (*dataInitialize)(cupti::DataInitialize*) = nullptr;
    Result (*setConfig)(cupti::SetConfig*) = nullptr;
    Result (*start)(cupti::OfProfiler*) = nullptr;
    Result (*stop)(cupti::Stop*) = nullptr;
    Result (*pushRange)(cupti::PushRange*) = nullptr;
    Result (*popRange)(cupti::OfProfiler*) = nullptr;
    Result (*decode)(cupti::Decode*) = nullptr;
};

// Opened once and kept. Searched in $LOCKSTEP_CUPTI (the library's path), $CUDA_HOME and $CUDA_PATH,
// /usr/local/cuda, and the system's library folders. Fault: not found, or without the range profiler.
Expected<const CuptiLibrary*> cuptiLibrary();

}  // namespace lockstep::cuda
