// One call of the runtime by the program: its name, where it came from, what became of it.
#pragma once

#include "cuda_runtime.h"
#include "cudart/connection.h"
#include "cudart/state.h"

#undef __noinline__  // of CUDA: libstdc++ uses this name, too

namespace lockstep::cudart {

class Call {
public:
    Call(const char* name, const void* caller);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // Waits for what was launched: its output appears, and its error, which stays.
    void synchronize();
    // The same, of some of the work: which, is told to `unwaited` by the caller.
    void synchronizeSome();
    // The error that stays until the device is reset; 0: none.
    int sticky() const { return state().sticky; }

    Answered ask(Question question, const void* text = nullptr, std::size_t textBytes = 0);
    Answered ask(Ask kind, std::initializer_list<std::uint64_t> numbers = {}, const std::string& text = {});
    // Tells of an operation that is done, or has failed.
    struct Operation {
        OperationKind kind = OperationKind::Copy;
        std::uint64_t stream = kNone, event = kNone;
        const void* to = nullptr;
        const void* from = nullptr;
        std::uint64_t bytes = 0;
        int error = 0;
        bool isAsynchronous = false;
    };
    void tell(const Operation& operation);
    void misused(Misuse misuse, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0);

    // Remembers the error and says that the call failed.
    cudaError_t done(int error);
    // Of <<<>>>, which returns nothing.
    cudaError_t doneUnseen(int error);
    std::uint64_t caller() const { return caller_; }
    cudaError_t done(const Answered& answered) { return done(answered.answer.error); }
    // Not offered: a sentence names what.
    cudaError_t refuse();

private:
    cudaError_t fail(int error, bool isUnseen);

    std::lock_guard<std::recursive_mutex> lock_;
    const char* name_;
    std::uint64_t caller_;
};

// What a call that waits for all work is answered while a stream is captured; 0: it may wait. The capture
// fails.
int waitForAllIsForbidden();

// Of a call that waits for the device; returns where an error stays.
#define LOCKSTEP_CALL(name) Call call(name, __builtin_return_address(0))
#define LOCKSTEP_SYNCHRONIZING(name)                                                \
    LOCKSTEP_CALL(name);                                                            \
    if (const int forbidden = waitForAllIsForbidden()) return call.done(forbidden); \
    call.synchronize();                                                             \
    if (call.sticky()) return call.done(call.sticky())
#define LOCKSTEP_SYNCHRONIZING_SOME(name) \
    LOCKSTEP_CALL(name);                  \
    call.synchronizeSome();               \
    if (call.sticky()) return call.done(call.sticky())
#define LOCKSTEP_ORDINARY(name) \
    LOCKSTEP_CALL(name);        \
    if (call.sticky()) return call.done(call.sticky())

// What lies at an address that the program gave.
struct Pointed {
    const Allocation* allocation = nullptr;  // null: memory of the host, or nothing
    std::uint64_t address = 0;
    bool isLost = false;  // in the device's range, but in no allocation

    bool isDevice() const { return isLost || (allocation && allocation->memory == Memory::Device); }
    bool isHost() const { return !isLost && (!allocation || allocation->memory != Memory::Device); }
    char* here() const;
    std::uint64_t room() const;  // bytes from here to its end; of the host's memory: all
};
Pointed pointed(const void* pointer);

// The kernel of a host stub, its facts known; null: there is none.
Kernel* kernelOf(Call& call, const void* stub);
Variable* variableOf(Call& call, const void* shadow);
int allocate(Call& call, void** pointer, std::size_t bytes, Memory memory, std::size_t rowBytes = 0);
// The pages of host memory, with what they hold, become pages of the file of device memory; fileOffset: where
// in it `pointer` is.
bool shareWithDevice(Call& call, const void* pointer, std::size_t bytes, std::uint64_t& fileOffset);
// The pages of registered memory become the program's own again, but those that other such memory has in
// common with it. False: they cannot.
bool takeFromDevice(std::uint64_t address);
void showPrinted();

}  // namespace lockstep::cudart
