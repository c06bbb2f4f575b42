// What a CUDA program asked of the device, in the order in which it did: launches, copies, fills, events and
// waits, the streams that they are in, and the memory that they use. There are no times: an emulator has
// none.
#pragma once

#include "base/dim3.h"
#include "base/integers.h"

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::operations {

// A line of the program's source; line 0: not known.
struct CodePlace {
    std::string file;
    u32 line = 0;
    auto operator<=>(const CodePlace&) const = default;
};

enum class Kind : u8 {
    Launch,
    Copy,
    Fill,
    EventRecord,
    StreamWait,   // a stream for an event
    Synchronize,  // the host for an event, a stream or the device
    HostFunction,
};

// Where a copy begins or ends, or what is filled.
struct Side {
    std::optional<u32> buffer;  // none: memory of the host alone
    u64 offset = 0;             // bytes from the buffer's first
};

struct Operation {
    Kind kind = Kind::Launch;
    std::string function;         // of the runtime: "cudaMemcpyAsync"; of a launch the kernel: "add<64>"
    CodePlace place{};            // of the call
    std::optional<u32> stream{};  // index; of a wait for the device or an event: none
    std::optional<u32> event{};   // index
    std::optional<Side> from{}, to{};
    u64 bytes = 0;  // copied or filled
    bool isAsynchronous = false;
    std::string error{};  // its name; empty: none

    // Of a launch:
    u64 launch = 0;  // its number, from 1
    Dim3 grid{}, block{};
    std::vector<u32> given{}, written{};  // buffers that its arguments point to, and those that it wrote

    u64 findings = 0;  // in the launch, or in the host code at this line; without remarks
};

// What wrote or read a buffer last. It may be an operation behind those that are kept.
struct Use {
    u64 operation = 0;  // its index
    Kind kind = Kind::Launch;
    std::string function{};
    u64 launch = 0;
    CodePlace place{};
};

enum class Memory : u8 { Device, Managed, Pinned, Registered, Variable };

struct Buffer {
    std::string name;  // of the host's variable, as far as its line says it: "d_a"
    Memory memory = Memory::Device;
    u64 bytes = 0;
    CodePlace allocated{}, freed{};
    u64 begin = 0;                     // operations asked for before it was allocated
    std::optional<u64> end{};          // and before it was freed; none: it never was
    std::optional<Use> lastWritten{};  // by the device or a copy. What the host stores by itself is not seen
    std::optional<Use> lastCopiedToHost{};
};

enum class StreamKind : u8 { Default, PerThread, Made };
struct Stream {
    StreamKind kind = StreamKind::Default;
    std::string name{};  // of the host's variable; empty: not known
    CodePlace made{};
};
struct Event {
    std::string name{};
    CodePlace made{};
};

struct Operations {
    std::vector<Operation> list;  // the first kMost
    u64 count = 0;
    std::vector<Stream> streams;
    std::vector<Event> events;
    std::vector<Buffer> buffers;  // in the order of their allocation

    static constexpr u64 kMost = 20'000, kMostBuffers = 10'000, kMostStreams = 10'000;
};

}  // namespace lockstep::operations
