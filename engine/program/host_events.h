// What went wrong in the program's host code: calls that failed, misuse of the runtime, launches that were
// refused, memory that was never freed.
#pragma once

#include "cudart/protocol.h"
#include "program/buffer_names.h"
#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/record.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace lockstep::program {

class HostEvents {
public:
    explicit HostEvents(const DeviceHeap& heap) : heap_(heap) {}

    // What the runtime library tells without waiting for an answer: Failed, Misused and Asked.
    void note(const cudart::Question& question, const std::string& text);
    // Lines in which the compiler saw a call whose result nobody looks at.
    void addUnusedResults(std::set<CodePlace> places) { unusedResults_ = std::move(places); }
    void refuse(const std::string& kernel, u64 caller, Message why);
    enum class BadPointer : u8 { None, OfHost, Freed };
    void givePointer(const std::string& kernel, u64 caller, u64 argument, u64 pointer, BadPointer kind);

    void want(CodeLines& lines) const;
    // Once the lines are known.
    void finish(ProgramRecord& record, const CodeLines& lines, BufferNames& names) const;

private:
    struct Event {
        cudart::Ask ask = cudart::Ask::Failed;
        std::string function;
        u64 caller = 0;
        u64 numbers[4] = {};
        Message detail{};  // why a launch was refused
        u64 count = 1;
        u64 unasked = 0;  // of a failed call: how often nobody has asked for the error since
    };
    void add(Event event);
    std::string kindOf(const Event& event) const;
    void addFailure(ProgramRecord& record, const Event& event, const CodePlace& place) const;

    const DeviceHeap& heap_;
    std::vector<Event> events_;
    std::vector<std::size_t> sinceAsked_;  // failed calls
    std::set<CodePlace> unusedResults_;
    std::map<std::tuple<cudart::Ask, std::string, u64, u64, u64>, std::size_t> known_;  // which event it is
};

}  // namespace lockstep::program
