#include "cuda/helper_kernels.h"

#include <cstring>

namespace lockstep::cuda {
namespace {

// For the oldest devices that current drivers support. Volatile loads are not eliminated, although their
// values are unused.
constexpr const char* kPtx = R"(
.version 6.0
.target sm_50
.address_size 64

.visible .entry lockstep_sweep(.param .u64 from, .param .u64 vectors)
{
    .reg .pred %p;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [from];
    ld.param.u64 %rd2, [vectors];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    cvt.u64.u32 %rd3, %r4;
    mov.u32 %r5, %nctaid.x;
    mul.wide.u32 %rd4, %r5, %r2;
next:
    setp.ge.u64 %p, %rd3, %rd2;
    @%p bra done;
    shl.b64 %rd5, %rd3, 4;
    add.u64 %rd6, %rd1, %rd5;
    ld.volatile.global.v4.u32 {%r1, %r5, %r6, %r7}, [%rd6];
    add.u64 %rd3, %rd3, %rd4;
    bra next;
done:
    ret;
}

.visible .entry lockstep_spin(.param .u64 cycles, .param .u64 sink)
{
    .reg .pred %p;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [cycles];
    mov.u64 %rd2, %clock64;
again:
    mov.u64 %rd3, %clock64;
    sub.u64 %rd4, %rd3, %rd2;
    setp.lt.u64 %p, %rd4, %rd1;
    @%p bra again;
    ld.param.u64 %rd5, [sink];
    st.global.u64 [%rd5], %rd4;
    ret;
}
)";

constexpr u64 kMeasuredCycles = 2'000'000;  // about a millisecond: long compared with an event's overhead

template <class T> std::vector<std::byte> bytesOf(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

PackedArguments packed(u64 first, u64 second) {
    PackedArguments arguments({}, {});
    arguments.add(bytesOf(first));
    arguments.add(bytesOf(second));
    return arguments;
}

}  // namespace

Expected<HelperKernels> HelperKernels::load(const Context& context) {
    Expected<Module> module = Module::load(context, kPtx);
    if (!module) return Unexpected{module.error()};
    Expected<DeviceMemory> sink = DeviceMemory::allocate(context, sizeof(u64));
    if (!sink) return Unexpected{sink.error()};
    HelperKernels helpers(context, std::move(*module), std::move(*sink));
    for (const auto& [name, kernel] :
         {std::pair{"lockstep_sweep", &helpers.sweep_}, std::pair{"lockstep_spin", &helpers.spin_}}) {
        Expected<Kernel> found = helpers.module_.kernel(name);
        if (!found) return Unexpected{found.error()};
        *kernel = std::move(*found);
    }
    return helpers;
}

Expected<void> HelperKernels::coolCache() {
    const u64 bytes = 3 * std::max<u64>(context_->device().l2Bytes, u64{1} << 20);
    if (!swept_) {
        Expected<DeviceMemory> memory = DeviceMemory::allocate(*context_, bytes);
        if (!memory) return Unexpected{memory.error()};
        swept_ = std::move(*memory);
        if (Expected<void> filled = swept_->fill(0); !filled) return filled;
    }
    PackedArguments arguments = packed(swept_->address(), bytes / 16);
    const u32 blocks = 4 * std::max(context_->device().multiprocessors, 1u);
    return launch(*context_, sweep_,
                  {.entry = sweep_.name,
                   .grid = {blocks, 1, 1},
                   .block = {512, 1, 1},
                   .dynamicSharedBytes = 0,
                   .arguments = {}},
                  arguments);
}

Expected<void> HelperKernels::spin(u64 cycles) {
    PackedArguments arguments = packed(cycles, sink_.address());
    return launch(*context_, spin_,
                  {.entry = spin_.name, .grid = {}, .block = {}, .dynamicSharedBytes = 0, .arguments = {}},
                  arguments);
}

Expected<f64> HelperKernels::megahertz() {
    Expected<Event> before = Event::create(*context_), after = Event::create(*context_);
    if (!before) return Unexpected{before.error()};
    if (!after) return Unexpected{after.error()};
    Expected<void> done = spin(kMeasuredCycles / 10);  // the events are queued meanwhile
    if (done) done = before->record();
    if (done) done = spin(kMeasuredCycles);
    if (done) done = after->record();
    if (done) done = after->wait();
    if (!done) return Unexpected{done.error()};
    Expected<f64> milliseconds = Event::milliseconds(*before, *after);
    if (!milliseconds) return milliseconds;
    return *milliseconds > 0 ? f64(kMeasuredCycles) / *milliseconds / 1e3 : 0;
}

}  // namespace lockstep::cuda
