// What a whole program did, and what was found in it, without its launches' memory: what lockstep's own
// processes tell each other of it.
#pragma once

#include "base/text/message.h"
#include "operations/operations.h"

#include <string>
#include <vector>

namespace lockstep::operations {

struct ProgramFinding {
    std::string kind;  // "out_of_bounds", "leak"
    Message message;
    CodePlace place;
    u64 count = 1;          // how often
    u64 launches = 1;       // in how many launches of the kernel
    bool isRemark = false;  // does not make the program wrong
    std::string kernel{};   // empty: found in the host code
};

enum class End : u8 {
    Exited,
    Crashed,    // a signal
    TimeLimit,  // of its own work, of the emulator's or of the clock
    OutputLimit,
    Cancelled,
};

struct ProgramReport {
    Operations operations;
    std::vector<ProgramFinding> findings;  // of launches and of host code, each once
    u64 launchCount = 0;
    u64 lastKept = 0;  // launches from the first to this one can be opened; 0: none
    End end = End::Exited;
    int status = 0;           // of exit(), or the signal's number
    CodePlace endingPlace{};  // of a crash
    Message ending;           // in words, if it did not just exit

    // Of findings that are no remarks.
    u64 problems() const;
};

// How it ended, in a sentence.
Message endingOf(const ProgramReport& report);

}  // namespace lockstep::operations
