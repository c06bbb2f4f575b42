// What a program did, as far as lockstep saw it: its operations and launches, the calls that failed, what was
// found.
#pragma once

#include "base/dim3.h"
#include "base/text/message.h"
#include "operations/report.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::program {

class KeptLaunches;  // kept_launches.h

using operations::CodePlace;
using operations::End;
using operations::ProgramFinding;

struct LaunchRecord {
    std::string kernel;  // "add<64>"
    Dim3 grid, block;
    u64 dynamicSharedBytes = 0;
    std::vector<std::string> arguments;
    CodePlace place;
    std::string error{};                    // the name of the error that it ended with; empty: none
    std::map<std::string, f64> counters{};  // as in `run --json`
    f64 seconds = 0;
    std::vector<ProgramFinding> findings{};
};

struct FailedCall {
    std::string function, error;
    CodePlace place;
    u64 count = 1;
    bool isRepeated = false;  // an error that stays, and that another call had before
    bool isAsked = false;     // the program uses what the call returned, or asked for the last error
};

struct ProgramRecord {
    std::vector<LaunchRecord> launches;  // the first kMostLaunches
    u64 firstLaunches = 0;               // so many of these are the program's first ones, in their order
    u64 launchCount = 0;
    operations::Operations operations;
    std::shared_ptr<const KeptLaunches> kept;
    std::vector<FailedCall> failed;
    std::vector<ProgramFinding> findings;  // of launches and of host code, each once
    End end = End::Exited;
    int status = 0;           // of exit(), or the signal's number
    CodePlace endingPlace{};  // of a crash
    Message ending;           // in words, if it did not just exit
    bool isSandboxed = false;
    f64 emulatedSeconds = 0;

    static constexpr u64 kMostLaunches = 10'000;
};

}  // namespace lockstep::program
