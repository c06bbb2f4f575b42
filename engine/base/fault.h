// A user's mistake as a value: what is wrong, where, and what to do about it. Nothing throws across folders.
#pragma once

#include "base/dim3.h"
#include "base/indices.h"
#include "base/integers.h"
#include "base/text/message.h"

#include <optional>
#include <string>
#include <utility>

namespace lockstep {

enum class FaultKind : u8 {
    Usage,        // an invalid command line or parameter
    Syntax,       // a file that does not parse: PTX, CUDA, TOML
    Unsupported,  // well-formed, but not supported
    NotFound,     // a file, kernel, family, view that does not exist
    Damaged,      // a file that is not what it says it is
    System,       // an operating system error: permissions, disk, memory
    Gpu,          // an error of the driver, device or profiler
    Cancelled,
    TooLarge,  // too much work for the emulator
};

// Where in a text: 1-based; 0 = not known. An empty file means "no place in a file".
struct SourcePlace {
    std::string file;
    u32 line = 0, column = 0;
};

struct Fault {
    FaultKind kind = FaultKind::Usage;
    Message message;  // one sentence: what is wrong and what to do; without the place
    SourcePlace place;
    std::optional<Pc> pc;
    std::optional<Dim3> block, thread;
};

// "file:12:3: message", or the message alone: the one way a Fault reaches the user.
std::string describe(const Fault& fault, Language language = Language::English);

}  // namespace lockstep
