// The protocol between the program and its worker process: frames of a header and little-endian fields in
// order. It has its own version number; both ends are the same binary, so another version is an error.
#pragma once

#include "base/expected.h"
#include "cuda/worker/job.h"

#include <span>
#include <variant>
#include <vector>

namespace lockstep::cuda {

inline constexpr u16 kMessageVersion = 7;

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
// The end of a request; contextIsSpent: the worker exits, and another must be started.
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
// Of exactly kHeaderBytes. Fault of kind Damaged: not a valid header.
Expected<Header> readHeader(std::span<const std::byte> bytes);
// The body that belongs to it; fully validated.
Expected<WorkerMessage> decode(const Header& header, std::span<const std::byte> body);

}  // namespace lockstep::cuda
