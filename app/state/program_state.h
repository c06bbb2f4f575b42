// The part of the window's state that whole programs have: which file can be run, the run under way or done,
// and what of its record is looked at.
#pragma once

#include "base/fault.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::operations {
struct ProgramReport;  // operations/report.h
}

namespace lockstep::app {

// A launch of a program that was run, as an experiment: on what it found in memory.
struct ProgramLaunch {
    std::string file;   // of the program
    u64 number = 0;     // from 1
    std::string title;  // "scan<<<8, 256>>>"
    bool operator==(const ProgramLaunch& other) const { return file == other.file && number == other.number; }
};

struct ProgramState {
    static constexpr std::size_t kMostOutput = std::size_t{128} << 10;  // of what it prints

    std::set<std::string> files;                   // that have a main(), of those that were opened
    std::string file;                              // the one that can be run; empty: none
    bool open = false;                             // its page is in front
    std::map<std::string, std::string> arguments;  // by file, as typed
    std::map<std::string, std::string> compile;    // further files and options, likewise

    // Of the run under way, or of the last one.
    std::string ran;  // its file
    u64 ticket = 0;
    bool isUnderWay = false;
    bool isStarted = false;  // it is compiled
    bool isCanceling = false;
    f64 seconds = 0;
    u64 launches = 0;     // so far
    std::string printed;  // the first kMostOutput bytes
    u64 printedBytes = 0;
    std::vector<std::string> source;                          // lines of its file, as it was compiled
    std::shared_ptr<const operations::ProgramReport> report;  // null: it has not ended
    std::optional<Fault> fault;                               // why there is none

    std::optional<u32> followed;  // a buffer
    u32 line = 0;                 // of its source, that is looked at
    u32 timesTurnedTo = 0;        // counts requests, so that a repeated one is noticed
    u64 opening = 0;              // the launch that is being opened

    bool canRun() const { return !file.empty(); }
    const std::string& argumentsOf(const std::string& path) const;
    const std::string& compileOf(const std::string& path) const;
};

}  // namespace lockstep::app
