#include "cuda/worker/messages.h"

#include "base/check.h"
#include "trace/lks/lks_fields.h"
#include "trace/lks/message_fields.h"

#include <algorithm>
#include <cstring>

namespace lockstep::cuda {

using trace::Like;

static bool areOfKnownTypes(const std::vector<Buffer>& buffers) {
    return std::ranges::all_of(buffers, [](const Buffer& b) { return b.type <= ElementType::F64; });
}

void fields(auto& a, Like<Device> auto& d) {
    a(d.name, d.major, d.minor, d.memoryBytes, d.l2Bytes, d.multiprocessors, d.clockKhz, d.memoryClockKhz,
      d.sharedBytesOptIn);
}
void fields(auto& a, Like<CompiledLaunch> auto& l) {
    a(l.registers, l.staticSharedBytes, l.localBytes, l.blocksPerSm);
}
void fields(auto& a, Like<StrayBytes> auto& s) { a(s.buffer, s.offset, s.bytes); }
void fields(auto& a, Like<Scratch> auto& s) { a(s.bytes, s.wanted); }
void fields(auto& a, Like<VariableSetting> auto& s) { a(s.variable, s.offsetBytes, s.isAddress, s.value); }
void fields(auto& a, Like<ChangingVariable> auto& v) { a(v.name, v.steers); }
void fields(auto& a, Like<Copy> auto& c) { a(c.bytes, c.milliseconds); }
void fields(auto& a, Like<HostClock> auto& c) { a(c.firstMs, c.warmMs); }

void fields(auto&, Like<AskDevices> auto&) {}
void fields(auto& a, Like<AskCounters> auto& q) { a(q.device); }
void fields(auto& a, Like<Job> auto& j) {
    a(j.device, j.ptx, j.launches, j.buffers, j.guardBytes, j.scratch, j.settings, j.dataDependence,
      j.variables, j.timedExecutions, j.timingSeconds, j.cache, j.metrics, j.readings);
    a.check(areOfKnownTypes(j.buffers) && j.cache <= CacheState::Warm);
}
void fields(auto& a, Like<DriverInfo> auto& d) { a(d.version, d.release, d.devices); }
void fields(auto& a, Like<CounterSupport> auto& s) { a(s.library, s.refused); }
void fields(auto& a, Like<AtStage> auto& s) {
    a(s.stage, s.done, s.total);
    a.check(s.stage <= Stage::Counting);
}
void fields(auto& a, Like<Outcome> auto& o) {
    a(o.device, o.driver, o.driverRelease, o.launches, o.buffers, o.strays, o.addresses, o.scratch,
      o.pitchBytes, o.contextMilliseconds);
    a.check(areOfKnownTypes(o.buffers));
}
void fields(auto& a, Like<Timing> auto& t) {
    a(t.milliseconds, t.batch, t.cache, t.smMegahertz, t.host, t.toDevice, t.toHost);
    a.check(t.cache <= CacheState::Warm);
}
void fields(auto& a, Like<Counted> auto& c) { a(c.counters, c.again, c.refused); }
void fields(auto& a, Like<Finished> auto& f) { a(f.fault, f.contextIsSpent, f.kernelFailed); }

namespace {

constexpr u32 kMagic = 0x47'50'53'4c;  // "LSPG"

// Calls `use` with an empty alternative of that number.
template <std::size_t Kind = 0, class Use> void withAlternative(std::size_t kind, Use&& use) {
    if constexpr (Kind < std::variant_size_v<WorkerMessage>) {
        if (kind == Kind)
            use(std::variant_alternative_t<Kind, WorkerMessage>{});
        else
            withAlternative<Kind + 1>(kind, use);
    }
}

Unexpected damaged(const Words& what) {
    return fail(FaultKind::Damaged,
                Message(english("the GPU worker's message {0}; start the program again"), what));
}

}  // namespace

std::vector<std::byte> encode(const WorkerMessage& message) {
    trace::Writer writer;
    writer(kMagic, kMessageVersion, u16(message.index()), u64{0});
    std::visit([&](const auto& body) { writer(body); }, message);
    const u64 bodyBytes = writer.bytes.size() - kHeaderBytes;
    std::memcpy(writer.bytes.data() + kHeaderBytes - sizeof bodyBytes, &bodyBytes, sizeof bodyBytes);
    return std::move(writer.bytes);
}

Expected<Header> readHeader(std::span<const std::byte> bytes) {
    CHECK_EQ(bytes.size(), kHeaderBytes, "a whole header");
    trace::Reader reader(bytes);
    u32 magic = 0;
    u16 version = 0;
    Header header;
    reader(magic, version, header.kind, header.bodyBytes);
    if (magic != kMagic) return damaged(english("does not begin as one"));
    if (version != kMessageVersion) return damaged(english("is of another version of this program"));
    if (header.kind >= std::variant_size_v<WorkerMessage>) return damaged(english("is of no known kind"));
    return header;
}

Expected<WorkerMessage> decode(const Header& header, std::span<const std::byte> body) {
    WorkerMessage message;
    bool isWhole = false;
    withAlternative(header.kind, [&](auto alternative) {
        trace::Reader reader(body);
        reader(alternative);
        isWhole = reader.ok();
        message = std::move(alternative);
    });
    if (!isWhole) return damaged(english("is damaged"));
    return message;
}

}  // namespace lockstep::cuda
