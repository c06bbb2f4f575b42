#include "program/host_events.h"

#include "base/text/counted.h"
#include "program/runtime_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lockstep::program {
namespace {

using cudart::Ask;
using cudart::Memory;
using cudart::Misuse;
using cudart::Question;

bool frees(std::string_view function) { return function.starts_with("cudaFree"); }

// Events in words.
class Words {
public:
    Words(const DeviceHeap& heap, const CodeLines& lines, BufferNames& names)
        : heap_(heap), lines_(lines), names_(names) {}

    Message badArgument(const std::string& kernel, const u64* n) const {
        if (HostEvents::BadPointer(n[2]) == HostEvents::BadPointer::OfHost)
            return Message(english("Argument {0} of kernel {1} is a pointer to host memory, which a kernel "
                                   "cannot use: copy the data to memory from cudaMalloc() and pass that."),
                           n[0], kernel);
        const HeapBlock* const block = heap_.find(n[1]);
        return Message(english("Argument {0} of kernel {1} points to {2}, which was freed in {3}."), n[0],
                       kernel, named(n[1]), line(block ? block->freedBy : 0));
    }

    Message misuse(const std::string& function, const u64* n) const {
        switch (Misuse(u32(n[0]))) {
            case Misuse::WrongDirection: return wrongDirection(function, n[1] == 0, n[2], n[3]);
            case Misuse::TooLong: {
                const HeapBlock* const block = heap_.find(n[1]);
                const u64 offset = block ? n[1] - block->address : 0;
                return Message(english("{0} of {1} {1:byte|bytes} goes past the end of {2}, of which {3} "
                                       "{3:byte|bytes} are left there."),
                               function, grouped(n[2]), named(n[1]),
                               grouped(block && block->bytes > offset ? block->bytes - offset : 0));
            }
            case Misuse::Nowhere: {
                const HeapBlock* const block = heap_.find(n[1]);
                if (n[2] && block && block->isFreed && frees(function))
                    return Message(english("{0} is given {1}, which was freed in {2}: it is freed twice."),
                                   function, named(n[1]), line(block->freedBy));
                if (n[2] && block && block->isFreed)
                    return Message(english("{0} is given {1}, which was freed in {2}."), function,
                                   named(n[1]), line(block->freedBy));
                return Message(english("{0} is given a pointer ({1}) that no call of cudaMalloc() returned."),
                               function, fmt::format("{:#x}", n[1]));
            }
            case Misuse::NotOffered:
                return Message(english("{0} is used in a way that is not offered here; it returns "
                                       "cudaErrorNotSupported."),
                               function);
            case Misuse::TooEarly:
                return Message(
                    n[2] ? english("Host code writes {0} while work that writes it may still run (asked for "
                                   "in {1}): call cudaDeviceSynchronize(), or wait for its stream, first.")
                         : english("Host code reads {0} before the work that writes it (asked for in {1}) "
                                   "was waited for: call cudaDeviceSynchronize(), or wait for its stream, "
                                   "first."),
                    named(n[1]), line(n[3]));
        }
        return {};
    }

private:
    Message wrongDirection(const std::string& function, bool isDestination, u64 address, u64 kind) const {
        static constexpr const char* kKinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                                 "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                                 "cudaMemcpyDefault"};
        if (kind >= std::size(kKinds))
            return Message(english("{0} is given host memory; it fills device memory."), function);
        const bool isDevice = heap_.find(address) != nullptr;
        return Message(isDestination
                           ? (isDevice ? english("{0} with {1}: the destination, {2}, is device memory.")
                                       : english("{0} with {1}: the destination is host memory."))
                           : (isDevice ? english("{0} with {1}: the source, {2}, is device memory.")
                                       : english("{0} with {1}: the source is host memory.")),
                       function, kKinds[kind], named(address));
    }
    Message line(u64 caller) const {
        const CodePlace place = lines_.at(caller);
        return place.line ? Message(english("line {0}"), place.line) : Message(english("an unknown line"));
    }
    Message named(u64 address) const {
        const HeapBlock* const block = heap_.find(address);
        return Message::plain(block ? names_.of(*block) : fmt::format("{:#x}", address));
    }

    const DeviceHeap& heap_;
    const CodeLines& lines_;
    BufferNames& names_;
};

// Device memory that was never freed, by the line that allocated it.
void addLeaks(ProgramRecord& record, const DeviceHeap& heap, const CodeLines& lines) {
    std::map<std::pair<CodePlace, bool>, std::pair<u64, u64>> leaks;
    for (const HeapBlock& block : heap.blocks())
        if (!block.isFreed && !block.module && !block.isKernelHeap && block.memory != Memory::Registered) {
            auto& [count, bytes] = leaks[{lines.at(block.caller), block.memory == Memory::Host}];
            ++count;
            bytes += block.bytes;
        }
    for (const auto& [where, leak] : leaks)
        record.findings.push_back(
            {.kind = "leak",
             .message = Message(
                 where.second
                     ? english("{0} {0:allocation|allocations} of pinned memory, {1} {1:byte|bytes} in all, "
                               "{0:is|are} never freed.")
                     : english("{0} {0:allocation|allocations} of device memory, {1} {1:byte|bytes} in all, "
                               "{0:is|are} never freed."),
                 leak.first, grouped(leak.second)),
             .place = where.first,
             .count = leak.first,
             .isRemark = true});
    if (!heap.kernelHeap()) return;
    std::map<CodePlace, std::pair<u64, u64>> ofKernels;
    for (const simt::KernelHeap::Left& left : heap.kernelHeap()->left()) {
        auto& [count, bytes] = ofKernels[{fromHere(left.site.file), left.site.line}];
        count += left.count;
        bytes += left.bytes;
    }
    for (const auto& [place, leak] : ofKernels)
        record.findings.push_back(
            {.kind = "leak",
             .message = Message(english("{0} {0:allocation|allocations} by malloc() in kernels, {1} "
                                        "{1:byte|bytes} in all, {0:is|are} never freed."),
                                leak.first, grouped(leak.second)),
             .place = place,
             .count = leak.first,
             .isRemark = true});
}

}  // namespace

void HostEvents::note(const Question& question, const std::string& text) {
    if (question.ask == Ask::Asked) {
        for (std::size_t i : sinceAsked_)
            events_[i].unasked = 0;
        sinceAsked_.clear();
        return;
    }
    Event event{.ask = question.ask, .function = text, .caller = question.caller};
    std::copy_n(question.numbers, 4, event.numbers);
    if (question.ask == Ask::Misused && question.numbers[0] == u64(Misuse::Nowhere)) {
        const HeapBlock* const block = heap_.find(question.numbers[1]);  // later it may be another
        event.numbers[2] = block && block->isFreed;
    }
    add(std::move(event));
}

void HostEvents::refuse(const std::string& kernel, u64 caller, Message why) {
    add({.ask = Ask::Launch, .function = kernel, .caller = caller, .detail = std::move(why)});
}

void HostEvents::givePointer(const std::string& kernel, u64 caller, u64 argument, u64 pointer,
                             BadPointer kind) {
    add({.ask = Ask::Launch,
         .function = kernel,
         .caller = caller,
         .numbers = {argument, pointer, u64(kind), 0}});
}

void HostEvents::add(Event event) {
    constexpr std::size_t kMostEvents = 1000;
    const auto key = std::tuple(event.ask, event.function, event.caller, event.numbers[0], event.numbers[2]);
    std::size_t at = events_.size();
    if (const auto found = known_.find(key); found != known_.end()) {
        at = found->second;
        ++events_[at].count;
    } else if (at < kMostEvents) {
        known_.emplace(key, at);
        events_.push_back(std::move(event));
    } else {
        return;
    }
    if (events_[at].ask == Ask::Failed && events_[at].unasked++ == 0) sinceAsked_.push_back(at);
}

void HostEvents::want(CodeLines& lines) const {
    for (const Event& event : events_) {
        lines.wants(event.caller);
        if (event.ask == Ask::Misused && event.numbers[0] == u64(Misuse::TooEarly))
            lines.wants(event.numbers[3]);
    }
    for (const HeapBlock& block : heap_.blocks())
        lines.wants(block.caller), lines.wants(block.freedBy);
}

std::string HostEvents::kindOf(const Event& event) const {
    static constexpr const char* kMisuses[] = {"wrong_direction", "copy_out_of_bounds", "bad_pointer",
                                               "not_offered", "too_early"};
    if (event.ask == Ask::Misused && event.numbers[0] == u64(Misuse::Nowhere) && event.numbers[2])
        return frees(event.function) ? "double_free" : "use_after_free";
    if (event.ask == Ask::Misused) return kMisuses[std::min(event.numbers[0], std::size(kMisuses) - 1)];
    if (!event.detail.empty()) return "launch_refused";
    return BadPointer(event.numbers[2]) == BadPointer::OfHost ? "host_pointer" : "use_after_free";
}

// Whoever uses what a call returns, or asks for the last error afterwards, knows of it; of <<<>>> nothing is
// returned. What is wrong with the call may be found already.
void HostEvents::addFailure(ProgramRecord& record, const Event& event, const CodePlace& place) const {
    const bool isRepeated = event.numbers[1] == 1, isUnseen = event.numbers[2] == 1;
    const std::string error = nameOfError(s64(event.numbers[0]));
    const bool isAsked = !event.unasked || isRepeated || (!isUnseen && !unusedResults_.contains(place));
    record.failed.push_back({event.function, error, place, event.count, isRepeated, isAsked});
    const auto saysMore = [&](const Event& other) {
        return other.ask != Ask::Failed && other.caller == event.caller;
    };
    // The limit of the emulator's time is no fault of the program's; that it stopped a kernel is told there.
    const bool isLimit = event.numbers[0] == u64(cudaErrorLaunchTimeout);
    if (isAsked || isLimit || std::ranges::any_of(events_, saysMore)) return;
    record.findings.push_back(
        {.kind = "unchecked_error",
         .message =
             isUnseen
                 ? Message(english("The launch failed with {0}, and the program went on: it does not ask for "
                                   "the error. Call cudaGetLastError() after a launch."),
                           error)
                 : Message(
                       english("{0} failed with {1}, and the program went on: what it returns is not used."),
                       event.function, error),
         .place = place,
         .count = event.count});
}

void HostEvents::finish(ProgramRecord& record, const CodeLines& lines, BufferNames& names) const {
    const Words words(heap_, lines, names);
    for (const Event& event : events_) {
        const CodePlace place = lines.at(event.caller);
        if (event.ask == Ask::Failed) {
            addFailure(record, event, place);
            continue;
        }
        const bool isMisuse = event.ask == Ask::Misused, isRefused = !event.detail.empty();
        record.findings.push_back({.kind = kindOf(event),
                                   .message = isMisuse ? words.misuse(event.function, event.numbers)
                                              : isRefused
                                                  ? Message(english("The launch of {0} was refused: {1}."),
                                                            event.function, event.detail)
                                                  : words.badArgument(event.function, event.numbers),
                                   .place = place,
                                   .count = event.count});
    }
    if (record.end == End::Exited) addLeaks(record, heap_, lines);
}

}  // namespace lockstep::program
