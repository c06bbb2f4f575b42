// The program's process: under limits, in a sandbox where there is one. It and all that it started end
// together, also those that left its group or its session.
#pragma once

#include "base/expected.h"

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::program {

struct ProcessLimits {
    std::chrono::seconds processorTime{60};  // of host code
    std::chrono::seconds wallTime{600};
    u64 memoryBytes = u64{8} << 30;   // of its address space
    u64 fileBytes = u64{1} << 30;     // of each file that it writes
    u64 outputBytes = u64{64} << 20;  // printed
    u32 processes = 512;              // more than the user has already
    bool sandbox = true;
};

class Process {
public:
    Process() = default;
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Its standard input is ours; what it prints passes through us, to be counted. socket and memory: file
    // descriptors that it inherits. name: what it is told it is called.
    Expected<void> start(const std::filesystem::path& program, const std::string& name,
                         const std::vector<std::string>& arguments, int socket, int memory,
                         const ProcessLimits& limits);
    bool isSandboxed() const { return isSandboxed_; }

    enum class Ended : u8 { ByItself, OutputLimit, WallTime, Cancelled };
    // Passes its output on until it ends.
    Ended wait(const std::atomic<bool>& cancelled);
    int waitStatus() const { return status_; }
    // 0: it exited. In a sandbox a status of 128 + n may be a signal or the program's own.
    int endingSignal() const;
    // Of it and of those of its children that it waited for.
    std::chrono::microseconds processorTime() const { return processorTime_; }
    void kill();

private:
    bool hasEnded(int options);

    pid_t process_ = -1;
    int output_ = -1, errors_ = -1, status_ = 0;
    std::chrono::microseconds processorTime_{0};
    bool isSandboxed_ = false;
    bool isInOurGroup_ = false;  // on a terminal: Ctrl+C, Ctrl+Z and the keyboard reach it as they reach us
    ProcessLimits limits_;
};

}  // namespace lockstep::program
