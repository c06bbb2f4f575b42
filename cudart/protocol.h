// What a program that runs under `lockstep exec` and lockstep itself say to each other: the runtime library
// in the program asks, over a socket, and lockstep answers. Device memory is a file in memory that both have
// mapped. Plain data only: the two are compiled apart.
#pragma once

#include "cudart/protocol_version.h"

#include <cstdint>

namespace lockstep::cudart {

// The environment variable that names the two file descriptors, and says which protocol lockstep speaks:
// "SOCKET,MEMORY,VERSION".
inline constexpr const char* kEnvironment = "LOCKSTEP_EXEC";

// What the library says first: which protocol it speaks. To another one lockstep does not listen.
struct Greeting {
    char magic[8] = {'L', 'S', 'T', 'E', 'P', 'E', 'X', 'E'};
    char version[sizeof kProtocolVersion] = {};
};

// Device addresses: a range of the address space that Linux maps only on request. Each
// allocation has places of its own there, with as much room around it that an access out of bounds still
// tells which one was meant.
inline constexpr std::uint32_t kPlaceShift = 30;
inline constexpr std::uint64_t kFirstAddress = 0x2000'0000'0000, kEndAddress = 0x5000'0000'0000;
constexpr bool isDeviceAddress(std::uint64_t address) {
    return address >= kFirstAddress && address < kEndAddress;
}

// What a program's code begins with, as embedded by the compiler: this, then the PTX.
struct CodeHead {
    char magic[8];  // kCodeMagic
    std::uint64_t bytes;
};
inline constexpr char kCodeMagic[9] = "LSTEPPTX";

enum class Ask : std::uint32_t {
    Hello,      // numbers: process; answer: Device
    Module,     // text: PTX; answer: its number
    Variable,   // numbers: module, host address if managed, offset in the file; text: name; answer: address,
                // bytes, offset in the file
    Allocate,   // numbers: bytes, Memory, bytes of a row (0: no rows); answer: address, offset in the file,
                // bytes in the file
    Register,   // numbers: address, bytes, ; host memory whose pages are now the file's; answer: -
    Free,       // numbers: address, Memory
    Function,   // numbers: module; text: name; answer: FunctionFacts, then the sizes of its parameters (4
                // bytes each)
    Occupancy,  // numbers: module, threads of a block, dynamic shared bytes; text: name; answer: blocks
    Launch,  // numbers: module, grid, block, dynamic shared bytes, most of them, cooperative, stream; text:
             // name, 0, arguments; answer: the error that waiting will show, how many WrittenRanges, bytes
             // printed; text: these ranges, of memory that the host sees, what was printed, messages of
             // failed assertions
    Reset,   // cudaDeviceReset()
    Room,    // answer: free bytes, all bytes
    KernelHeap,    // numbers: bytes that malloc() in kernels shall have, 0: as it is; answer: bytes
    Kept,          // answer: -; there are Pending operations
    MakeImage,     // a texture or surface object; text: ImageFacts; answer: its number
    DestroyImage,  // numbers: its number; answer: -
    // These have no answer.
    Failed,   // numbers: error, 1 if it is one that stays and was told, 1 if what is returned cannot be seen
              // (<<<>>>); text: function
    Misused,  // numbers: Misuse, three more; text: function
    Crashed,  // numbers: signal, address
    Ended,    // numbers: bytes printed by kernels that were never shown
    Asked,    // for the last error: somebody looks at those before
    Operation,  // numbers: OperationKind, stream, event, destination, source, bytes, error, 1 if
                // asynchronous; text: function
};
constexpr bool hasAnswer(Ask ask) { return ask < Ask::Failed; }

enum class Memory : std::uint32_t { Device, Managed, Host, Registered };

enum class Misuse : std::uint32_t {
    WrongDirection,  // 0: the destination, 1: the source; its address; cudaMemcpyKind
    TooLong,         // address, bytes that were to be accessed
    Nowhere,         // address: of device memory, but of no allocation
    NotOffered,      // an argument or function that is not offered
    TooEarly,        // address, 1 for a write, where the work that writes there was asked for
};

// Operations that the runtime library does by itself. An address of 0: there is none.
enum class OperationKind : std::uint32_t {
    Copy,
    Fill,
    EventRecord,
    StreamWait,    // a stream for an event
    Synchronize,   // the host for an event, a stream or, where both are kNone, the device
    HostFunction,  // in the order of a stream
    MakeStream,
    MakeEvent,
};
// Streams and events are numbered as they are made.
inline constexpr std::uint64_t kNone = ~std::uint64_t{0}, kDefaultStream = 0, kPerThreadStream = 1;

struct Question {
    Ask ask = Ask::Hello;
    std::uint32_t textBytes = 0;
    std::uint64_t caller = 0;  // where the program called
    std::uint64_t numbers[12] = {};
};
struct Answer {
    std::int32_t error = 0;  // cudaError_t
    std::uint32_t textBytes = 0;
    std::uint64_t numbers[4] = {};
};

// Operations that the program has done and not told of yet: where the file of device memory begins, so that
// none is lost, however the program ends. They are looked at before the next question, or when there is no
// room for another.
inline constexpr std::uint64_t kPendingBytes = 64 << 10;
struct Pending {
    std::uint64_t bytes;  // of whole questions, each with its text
    char questions[kPendingBytes - sizeof(std::uint64_t)];
};

// Bytes that a launch wrote.
struct WrittenRange {
    std::uint64_t address = 0, bytes = 0;
};

struct Device {
    char name[256];
    std::uint32_t major, minor, multiprocessors, clockKilohertz, threadsPerBlock, threadsPerSm, blocksPerSm,
        registersPerSm;
    std::uint32_t block[3], grid[3];
    std::uint64_t memoryBytes, sharedPerBlock, sharedPerSm, sharedOptIn, sharedReserved, l2Bytes,
        memoryMegabytesPerSecond;
};
struct FunctionFacts {
    std::uint64_t sharedBytes, constantBytes, localBytes;
    std::uint32_t mostThreads, registers, parameters;
};

// What a texture or surface object describes. Layers are its depth.
struct ImageFacts {
    std::uint64_t address = 0, rowBytes = 0, sliceBytes = 0;
    std::uint32_t width = 0, height = 0, depth = 0, dimensions = 1, isLayered = 0, isLinear = 0;
    std::uint32_t channels = 0, channelBytes = 0, values = 0;  // values: cudaChannelFormatKind
    std::uint32_t isTexture = 0, modes[3] = {}, isFiltered = 0, readsFractions = 0,
                  hasNormalizedCoordinates = 0;
    float border[4] = {};
};

}  // namespace lockstep::cudart
