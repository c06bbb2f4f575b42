// A CUPTI for tests: three passes, after which metric number n of range r has the value 100 r + n; told to be
// noisy, the second reading (the profiler opened anew) has most, the third something between.
#include "cuda/cupti_library.h"
#include "orders.h"

namespace {

using namespace lockstep::cuda::cupti;

int profiler, host, passes = 0, readings = 0;
std::size_t ranges = 0;
bool isOpen = false;

}  // namespace

EXPORTED int cuptiGetResultString(int code, const char** text) {
    if (code != kInsufficientPrivileges) return 1;
    *text = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES";
    return 0;
}
EXPORTED int cuptiProfilerInitialize(Initialize*) { return fake::resultOf("cuptiProfilerInitialize"); }
EXPORTED int cuptiDeviceGetChipName(GetChipName* p) {
    p->chip = "FAKE100";
    return 0;
}
EXPORTED int cuptiProfilerGetCounterAvailability(CounterAvailability* p) {
    p->imageBytes = 64;
    return fake::resultOf("cuptiProfilerGetCounterAvailability");
}
EXPORTED int cuptiProfilerHostInitialize(HostInitialize* p) {
    p->host = &host;
    return 0;
}
EXPORTED int cuptiProfilerHostDeinitialize(HostDeinitialize*) { return 0; }
EXPORTED int cuptiProfilerHostConfigAddMetrics(AddMetrics*) {
    return fake::resultOf("cuptiProfilerHostConfigAddMetrics");
}
EXPORTED int cuptiProfilerHostGetConfigImageSize(ConfigImageSize* p) {
    p->bytes = 128;
    return 0;
}
EXPORTED int cuptiProfilerHostGetConfigImage(ConfigImage*) { return 0; }
EXPORTED int cuptiProfilerHostEvaluateToGpuValues(Evaluate* p) {
    if (p->range >= ranges) return 1;
    for (std::size_t i = 0; i < p->count; ++i)
        p->values[i] = double(100 * p->range + i) + double(fake::trait("noise", 0)) * (readings == 1   ? 0
                                                                                       : readings == 2 ? 2
                                                                                                       : 1);
    return 0;
}
EXPORTED int cuptiRangeProfilerEnable(Enable* p) {
    p->profiler = &profiler;
    passes = 0;
    ++readings;
    return fake::resultOf("cuptiRangeProfilerEnable");
}
EXPORTED int cuptiRangeProfilerDisable(OfProfiler*) { return 0; }
EXPORTED int cuptiRangeProfilerGetCounterDataSize(DataSize* p) {
    p->bytes = 256;
    return 0;
}
EXPORTED int cuptiRangeProfilerCounterDataImageInitialize(DataInitialize*) { return 0; }
EXPORTED int cuptiRangeProfilerSetConfig(SetConfig* p) {
    return p->range == kUserRange && p->replay == kUserReplay ? 0 : 1;
}
EXPORTED int cuptiRangeProfilerStart(OfProfiler*) {
    ranges = 0;
    return fake::resultOf("cuptiRangeProfilerStart");
}
EXPORTED int cuptiRangeProfilerPushRange(PushRange*) {
    if (isOpen) return 1;
    isOpen = true;
    return 0;
}
EXPORTED int cuptiRangeProfilerPopRange(OfProfiler*) {
    if (!isOpen) return 1;
    isOpen = false;
    ++ranges;
    return 0;
}
EXPORTED int cuptiRangeProfilerStop(Stop* p) {
    p->allPassesSubmitted = ++passes == 3;
    return 0;
}
EXPORTED int cuptiRangeProfilerDecodeData(Decode*) { return 0; }
