// What the program and its worker process say to each other, and how it is written: a frame of a header and
// fields in little-endian order, one behind the other. A version of its own, for both ends are the same
// binary: another version is a mistake, not a dialect.
#pragma once

#include "base/expected.h"
#include "cuda/worker/job.h"

#include <span>
#include <variant>
#include <vector>

namespace lockstep::cuda {

inline constexpr u16 kMessageVersion = 6;

// To the worker.
struct AskDevices {};
struct AskCounters {
    u32 device = 0;
};

// From the worker. A Job is answered by Stages, then Outcome, Timing, Counted as far as asked for, then
// Finished.
enum class Stage : u8 { Starting, Compiling, Running, Timing, Counting };
struct AtStage {
    Stage stage = Stage::Starting;
    u64 done = 0, total = 0;  // executions, passes; total 0: not counted
};
struct Counted {
    Counters counters;            // the first reading
    std::vector<Counters> again;  // those after it
    std::optional<Fault> refused;
};
struct CounterSupport {
    std::string library;  // path of CUPTI; empty: not found
    std::optional<Fault> refused;
};
// The end of a request; contextIsSpent: the worker ends itself, and another has to be started.
struct Finished {
    std::optional<Fault> fault;
    bool contextIsSpent = false;
    bool kernelFailed = false;  // the fault is the kernel's: an illegal address and the like
};

using WorkerMessage = std::variant<AskDevices, AskCounters, Job, DriverInfo, CounterSupport, AtStage, Outcome,
                                   Timing, Counted, Finished>;

// A frame: header and body.
std::vector<std::byte> encode(const WorkerMessage& message);

inline constexpr std::size_t kHeaderBytes = 16;
struct Header {
    u16 kind = 0;  // the alternative of WorkerMessage
    u64 bodyBytes = 0;
};
// Of exactly kHeaderBytes. A Fault of kind Damaged where this is no header of ours.
Expected<Header> readHeader(std::span<const std::byte> bytes);
// The body that belongs to it; nothing of it is believed unchecked.
Expected<WorkerMessage> decode(const Header& header, std::span<const std::byte> body);

}  // namespace lockstep::cuda
