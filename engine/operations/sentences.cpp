#include "operations/sentences.h"

#include "base/text/counted.h"
#include "base/text/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace lockstep::operations {
namespace {

std::string extentText(Dim3 extent) {
    if (extent.z > 1) return fmt::format("({}, {}, {})", extent.x, extent.y, extent.z);
    return extent.y > 1 ? fmt::format("({}, {})", extent.x, extent.y) : std::to_string(extent.x);
}

bool hasSeveralFiles(const Operations& all) {
    const std::string* first = nullptr;
    for (const Operation& operation : all.list) {
        if (!operation.place.line) continue;
        if (first && *first != operation.place.file) return true;
        first = &operation.place.file;
    }
    return false;
}

Message sideText(const std::optional<Side>& side, const Operations& all) {
    if (!side || !side->buffer) return english("host memory");
    const Buffer& buffer = all.buffers[*side->buffer];
    return side->offset ? Message(english("{0}, {1} {1:byte|bytes} from its beginning"), buffer.name,
                                  grouped(side->offset))
                        : Message::plain(buffer.name);
}

Message namesOf(const std::vector<u32>& buffers, const Operations& all) {
    std::vector<Message> names;
    for (u32 buffer : buffers)
        names.push_back(Message::plain(all.buffers[buffer].name));
    return listed(names);
}

Message launchSentence(const Operation& launch, const Operations& all) {
    Message text(english("Launch {0}: {1}"), grouped(launch.launch), launchText(launch));
    if (!launch.written.empty()) text += Message(english("; writes {0}"), namesOf(launch.written, all));
    return text;
}

Message copySentence(const Operation& copy, const Operations& all) {
    return Message(english("Copies {0} {0:byte|bytes} from {1} to {2}"), grouped(copy.bytes),
                   sideText(copy.from, all), sideText(copy.to, all));
}

Message waitSentence(const Operation& wait, const Operations& all) {
    if (wait.event) return Message(english("The host waits for {0}"), eventText(all, *wait.event));
    if (wait.stream) return Message(english("The host waits for {0}"), streamText(all, *wait.stream));
    return english("The host waits for the device");
}

Message sentenceOf(const Operation& operation, const Operations& all) {
    switch (operation.kind) {
        case Kind::Launch: return launchSentence(operation, all);
        case Kind::Copy: return copySentence(operation, all);
        case Kind::Fill:
            return Message(english("Fills {0} {0:byte|bytes} of {1}"), grouped(operation.bytes),
                           sideText(operation.to, all));
        case Kind::EventRecord:
            return operation.event ? Message(english("Records {0}"), eventText(all, *operation.event))
                                   : Message(english("Records an event"));
        case Kind::StreamWait:
            return operation.event ? Message(english("What follows in the stream waits for {0}"),
                                             eventText(all, *operation.event))
                                   : Message(english("What follows in the stream waits for an event"));
        case Kind::Synchronize: return waitSentence(operation, all);
        case Kind::HostFunction: return english("A function of the host, called in the order of the stream");
    }
    return {};
}

constexpr std::array kMemories{english("device memory"), english("managed memory"), english("pinned memory"),
                               english("registered host memory"), english("a variable of the device")};

Message writtenBy(const Use& use, const Operations& all) {
    if (use.kind == Kind::Launch)
        return Message(english("last written by kernel {0}, launch {1}"), use.function, grouped(use.launch));
    return use.kind == Kind::Fill
               ? Message(english("last written by {0} at {1}"), use.function, placeText(use.place, all))
               : Message(english("last written by a copy at {0}"), placeText(use.place, all));
}

}  // namespace

std::string launchText(const Operation& launch) {
    return fmt::format("{}<<<{}, {}>>>", launch.function, extentText(launch.grid), extentText(launch.block));
}

Message placeText(const CodePlace& place, const Operations& all) {
    if (!place.line) return english("an unknown line");
    if (!hasSeveralFiles(all)) return Message(english("line {0}"), place.line);
    return Message::plain(
        fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line));
}

Message streamText(const Operations& all, u32 index) {
    const Stream& stream = all.streams[index];
    if (stream.kind == StreamKind::Default) return english("the default stream");
    if (stream.kind == StreamKind::PerThread) return english("the per-thread default stream");
    const auto made = std::count_if(all.streams.begin(), all.streams.begin() + index + 1,
                                    [](const Stream& each) { return each.kind == StreamKind::Made; });
    return Message(english("stream {0}"), made);
}

Message eventText(const Operations& all, u32 event) {
    const std::string& name = all.events[event].name;
    return name.empty() ? Message(english("event {0}"), event + 1) : Message(english("event {0}"), name);
}

Message describe(const Operation& operation, const Operations& all) {
    Message text = sentenceOf(operation, all);
    const bool saysStream = operation.stream && operation.kind != Kind::Synchronize;
    if (saysStream) text += Message(english(", in {0}"), streamText(all, *operation.stream));
    text += operation.kind == Kind::Launch
                ? Message(english(" ({0})"), placeText(operation.place, all))
                : Message(english(" ({0}, {1})"), operation.function, placeText(operation.place, all));
    if (!operation.error.empty()) text += Message(english("; ended with {0}"), operation.error);
    if (operation.findings)
        text += Message(english("; {0} {0:finding|findings}"), grouped(operation.findings));
    return text + english(".");
}

Message historyOf(const Buffer& buffer, const Operations& all) {
    std::vector<Message> parts;
    if (buffer.lastWritten)
        parts.push_back(writtenBy(*buffer.lastWritten, all));
    else
        parts.emplace_back(english("never written by the device or a copy"));
    if (buffer.lastCopiedToHost)
        parts.emplace_back(english("copied to the host at {0}"),
                           placeText(buffer.lastCopiedToHost->place, all));
    if (buffer.freed.line) parts.emplace_back(english("freed at {0}"), placeText(buffer.freed, all));
    Message text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += Message(english("; {0}"), parts[i]);
    return text;
}

Message describe(const Buffer& buffer, const Operations& all) {
    Message what(english("{0}: {1} of {2}"), buffer.name, capacityText(f64(buffer.bytes)),
                 kMemories[std::size_t(buffer.memory)]);
    if (!buffer.allocated.line) return what;
    return std::move(what) + Message(english(", allocated at {0}"), placeText(buffer.allocated, all));
}

std::vector<u64> usesOf(u32 buffer, const Operations& all) {
    const auto isHere = [&](const std::optional<Side>& side) { return side && side->buffer == buffer; };
    std::vector<u64> uses;
    for (u64 i = 0; i < all.list.size(); ++i) {
        const Operation& operation = all.list[i];
        if (isHere(operation.from) || isHere(operation.to) ||
            std::ranges::find(operation.given, buffer) != operation.given.end() ||
            std::ranges::find(operation.written, buffer) != operation.written.end())
            uses.push_back(i);
    }
    return uses;
}

std::optional<u32> bufferNamed(const std::string& nameOrLine, const Operations& all) {
    for (u32 i = u32(all.buffers.size()); i-- > 0;)
        if (all.buffers[i].name == nameOrLine || std::to_string(all.buffers[i].allocated.line) == nameOrLine)
            return i;
    return {};
}

}  // namespace lockstep::operations
