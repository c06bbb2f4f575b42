// Messages and faults for trace::Writer and trace::Reader: between processes of the program, whose words are
// the same.
#pragma once

#include "base/fault.h"
#include "trace/lks/archive.h"

#include <utility>

namespace lockstep {

// Words travel as the key of their text.
inline void fields(trace::Writer& writer, const Message& message) {
    const Message::Parts parts = message.parts();
    writer(parts.key, parts.own.en, parts.own.zh, parts.values);
}

// A message within messages deeper than ours ever are is damaged.
inline void fields(trace::Reader& reader, Message& message, u32 deepest = 16) {
    Message::Parts parts;
    u64 count = 0;
    reader(parts.key, parts.own.en, parts.own.zh, count);
    reader.check(deepest > 0 || count == 0);
    for (u64 i = 0; i < count && !reader.hasFailed(); ++i)
        fields(reader, parts.values.emplace_back(), deepest - 1);
    std::optional<Message> read = Message::of(std::move(parts));
    reader.check(read.has_value());
    if (read) message = std::move(*read);
}

void fields(auto& a, trace::Like<SourcePlace> auto& p) { a(p.file, p.line, p.column); }

void fields(auto& a, trace::Like<Fault> auto& f) {
    a(f.kind, f.message, f.place);
    a.check(f.kind <= FaultKind::TooLarge);
}

}  // namespace lockstep
