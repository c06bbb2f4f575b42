#include "operations/news.h"

#include "trace/lks/message_fields.h"

#include <cstring>

namespace lockstep::operations {

using trace::Like;

static void fields(auto& a, Like<CodePlace> auto& p) { a(p.file, p.line); }
static void fields(auto& a, Like<Side> auto& s) { a(s.buffer, s.offset); }
static void fields(auto& a, Like<Operation> auto& o) {
    a(o.kind, o.function, o.place, o.stream, o.event, o.from, o.to, o.bytes, o.isAsynchronous, o.error,
      o.launch, o.grid.x, o.grid.y, o.grid.z, o.block.x, o.block.y, o.block.z, o.given, o.written,
      o.findings);
    a.check(o.kind <= Kind::HostFunction);
}
static void fields(auto& a, Like<Use> auto& u) {
    a(u.operation, u.kind, u.function, u.launch, u.place);
    a.check(u.kind <= Kind::HostFunction);
}
static void fields(auto& a, Like<Buffer> auto& b) {
    a(b.name, b.memory, b.bytes, b.allocated, b.freed, b.begin, b.end, b.lastWritten, b.lastCopiedToHost);
    a.check(b.memory <= Memory::Variable);
}
static void fields(auto& a, Like<Stream> auto& s) {
    a(s.kind, s.name, s.made);
    a.check(s.kind <= StreamKind::Made);
}
static void fields(auto& a, Like<Event> auto& e) { a(e.name, e.made); }
static void fields(auto& a, Like<Operations> auto& o) { a(o.list, o.count, o.streams, o.events, o.buffers); }
static void fields(auto& a, Like<ProgramFinding> auto& f) {
    a(f.kind, f.message, f.place, f.count, f.launches, f.isRemark, f.kernel);
}
static void fields(auto& a, Like<ProgramReport> auto& r) {
    a(r.operations, r.findings, r.launchCount, r.lastKept, r.end, r.status, r.endingPlace, r.ending);
    a.check(r.end <= End::Cancelled);
}
static void fields(auto& a, Like<News> auto& n) {
    a(n.kind, n.number, n.file, n.report, n.fault);
    a.check(n.kind <= News::Kind::NotOpened);
}

std::vector<std::byte> encode(const News& news) {
    trace::Writer body;
    fields(body, news);
    trace::Writer frame;
    frame(u64{body.bytes.size()});
    frame.bytes.insert(frame.bytes.end(), body.bytes.begin(), body.bytes.end());
    return std::move(frame.bytes);
}

Expected<std::vector<News>> takeNews(std::vector<std::byte>& arrived) {
    std::vector<News> all;
    std::size_t at = 0;
    for (u64 size = 0; arrived.size() - at >= sizeof size; at += size) {
        std::memcpy(&size, arrived.data() + at, sizeof size);
        if (arrived.size() - at - sizeof size < size) break;
        at += sizeof size;
        trace::Reader reader(std::span<const std::byte>(arrived).subspan(at, size));
        fields(reader, all.emplace_back());
        if (!reader.ok())
            return fail(FaultKind::Damaged, english("what lockstep exec tells of the program is damaged"));
    }
    arrived.erase(arrived.begin(), arrived.begin() + std::ptrdiff_t(at));
    return all;
}

}  // namespace lockstep::operations
