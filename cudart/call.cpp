#include "cudart/call.h"

#include "cudart/unwaited.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace lockstep::cudart {
namespace {

// What was printed and never waited for is lost on a GPU.
void atEnd() {
    if (isConnected())
        ask({.ask = Ask::Ended, .numbers = {state().printed.size() + state().assertions.size()}});
}

}  // namespace

State& state() {
    static State& theOne = *[] {
        State* made = new State;  // outlives the program's own destructors
        const Answered hello = ask({.ask = Ask::Hello, .numbers = {std::uint64_t(getpid())}});
        if (hello.text.size() == sizeof made->device)
            std::memcpy(&made->device, hello.text.data(), sizeof made->device);
        std::atexit(atEnd);
        return made;
    }();
    return theOne;
}

Call::Call(const char* name, const void* caller)
    : lock_(state().mutex), name_(name), caller_(reinterpret_cast<std::uint64_t>(caller)) {}

void showPrinted() {
    const auto show = [](std::string& text, std::FILE* to) {
        if (!text.empty()) std::fwrite(text.data(), 1, text.size(), to);
        text.clear();
    };
    show(state().printed, stdout);
    show(state().assertions, stderr);
}

void Call::synchronize() {
    unwaited::waited();
    synchronizeSome();
}

void Call::synchronizeSome() {
    showPrinted();
    State& s = state();
    if (s.pending && !s.sticky) s.sticky = s.pending;
    s.pending = 0;
}

Answered Call::ask(Question question, const void* text, std::size_t textBytes) {
    question.caller = caller_;
    return cudart::ask(question, text, textBytes);
}
Answered Call::ask(Ask kind, std::initializer_list<std::uint64_t> numbers, const std::string& text) {
    Question question{.ask = kind};
    std::size_t i = 0;
    for (std::uint64_t number : numbers)
        question.numbers[i++] = number;
    return ask(question, text.data(), text.size());
}
void Call::tell(const Operation& operation) {
    ask(Ask::Operation,
        {std::uint64_t(operation.kind), operation.stream, operation.event,
         reinterpret_cast<std::uint64_t>(operation.to), reinterpret_cast<std::uint64_t>(operation.from),
         operation.bytes, std::uint64_t(operation.error), std::uint64_t(operation.isAsynchronous)},
        name_);
}
void Call::misused(Misuse misuse, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    ask(Ask::Misused, {std::uint64_t(misuse), a, b, c}, name_);
}

cudaError_t Call::done(int error) { return fail(error, false); }
cudaError_t Call::doneUnseen(int error) { return fail(error, true); }

cudaError_t Call::fail(int error, bool isUnseen) {
    if (error == cudaSuccess) return cudaSuccess;
    State& s = state();
    s.lastError = error;
    const bool stays = error == s.sticky;
    if (error != cudaErrorNotReady)
        ask(Ask::Failed,
            {std::uint64_t(error), std::uint64_t(stays && s.isStickyTold), std::uint64_t(isUnseen)}, name_);
    s.isStickyTold |= stays;
    return cudaError_t(error);
}

cudaError_t Call::refuse() {
    misused(Misuse::NotOffered);
    return done(cudaErrorNotSupported);
}

char* Pointed::here() const {
    if (!allocation) return reinterpret_cast<char*>(address);
    const std::uint64_t base = std::prev(state().allocations.upper_bound(address))->first;
    return allocation->here + (address - base);
}
std::uint64_t Pointed::room() const {
    if (!allocation) return ~std::uint64_t{0};
    return allocation->bytes - (address - std::prev(state().allocations.upper_bound(address))->first);
}

Pointed pointed(const void* pointer) {
    Pointed found{.address = reinterpret_cast<std::uint64_t>(pointer)};
    const auto& all = state().allocations;
    auto next = all.upper_bound(found.address);
    if (next != all.begin()) {
        const auto& [base, allocation] = *std::prev(next);
        if (found.address - base < allocation.bytes || found.address == base) found.allocation = &allocation;
    }
    found.isLost = !found.allocation && isDeviceAddress(found.address);
    return found;
}

Kernel* kernelOf(Call& call, const void* stub) {
    State& s = state();
    const auto found = s.kernels.find(stub);
    if (found == s.kernels.end()) return nullptr;
    Kernel& kernel = found->second;
    if (!kernel.isKnown) {
        const Answered answered = call.ask(Ask::Function, {kernel.module}, kernel.name);
        if (answered.answer.error || answered.text.size() < sizeof kernel.facts) return nullptr;
        std::memcpy(&kernel.facts, answered.text.data(), sizeof kernel.facts);
        kernel.parameterBytes.resize(kernel.facts.parameters);
        std::memcpy(kernel.parameterBytes.data(), answered.text.data() + sizeof kernel.facts,
                    kernel.parameterBytes.size() * sizeof(std::uint32_t));
        kernel.isKnown = true;
    }
    return &kernel;
}

bool shareWithDevice(Call& call, const void* pointer, std::size_t bytes, std::uint64_t& fileOffset) {
    const std::uint64_t page = std::uint64_t(sysconf(_SC_PAGESIZE)),
                        first = reinterpret_cast<std::uint64_t>(pointer), begin = first / page * page,
                        end = (first + bytes + page - 1) / page * page;
    if (end <= begin || msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC))
        return false;  // not mapped
    const Answered answered = call.ask(Ask::Allocate, {end - begin, std::uint64_t(Memory::Registered)});
    if (answered.answer.error) return false;
    fileOffset = answered.answer.numbers[1];
    char* const copy = static_cast<char*>(
        mmap(nullptr, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFile(), off_t(fileOffset)));
    if (copy == MAP_FAILED) return false;
    std::memcpy(copy, reinterpret_cast<void*>(begin), end - begin);
    munmap(copy, end - begin);
    if (mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             memoryFile(), off_t(fileOffset)) == MAP_FAILED)
        return false;
    fileOffset += first - begin;
    return true;
}

bool takeFromDevice(std::uint64_t address) {
    const auto& all = state().allocations;
    const auto found = all.find(address), next = std::next(found);
    const std::uint64_t page = std::uint64_t(sysconf(_SC_PAGESIZE));
    std::uint64_t begin = address / page * page,
                  end = (address + found->second.bytes + page - 1) / page * page;
    if (next != all.end() && next->first < end) end -= page;
    if (found != all.begin()) {
        const auto before = std::prev(found);
        if (before->first + before->second.bytes > begin) begin += page;
    }
    void* const pages = reinterpret_cast<void*>(begin);
    if (begin >= end || msync(pages, end - begin, MS_ASYNC)) return true;  // none, or freed by the program
    void* const own = mmap(nullptr, end - begin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) return false;
    std::memcpy(own, pages, end - begin);
    if (mremap(own, end - begin, end - begin, MREMAP_MAYMOVE | MREMAP_FIXED, pages) != MAP_FAILED)
        return true;
    munmap(own, end - begin);
    return false;
}

namespace {

void keep(std::uint64_t address, Allocation allocation) { state().allocations[address] = allocation; }

}  // namespace

Variable* variableOf(Call& call, const void* shadow) {
    State& s = state();
    const auto found = s.variables.find(shadow);
    if (found == s.variables.end()) return nullptr;
    Variable& variable = found->second;
    if (variable.isKnown) return &variable;
    const Answered answered = call.ask(Ask::Variable, {variable.module}, variable.name);
    if (answered.answer.error) return nullptr;
    variable.address = answered.answer.numbers[0];
    variable.bytes = answered.answer.numbers[1];
    const std::uint64_t offset = answered.answer.numbers[2], page = std::uint64_t(sysconf(_SC_PAGESIZE));
    const std::size_t whole = std::max<std::size_t>(1, (variable.bytes + page - 1) / page) * page;
    void* const here = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFile(), off_t(offset));
    if (here == MAP_FAILED) return nullptr;
    keep(variable.address, {.bytes = variable.bytes, .here = static_cast<char*>(here), .mappedBytes = whole});
    variable.isKnown = true;
    return &variable;
}

int allocate(Call& call, void** pointer, std::size_t bytes, Memory memory, std::size_t rowBytes) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const Answered answered = call.ask(Ask::Allocate, {bytes, std::uint64_t(memory), rowBytes});
    if (answered.answer.error) return answered.answer.error;
    const std::uint64_t address = answered.answer.numbers[0], offset = answered.answer.numbers[1],
                        whole = answered.answer.numbers[2];
    const bool isSeen = memory != Memory::Device;  // the host uses the device's address
    const int flags = MAP_SHARED | (isSeen ? MAP_FIXED_NOREPLACE : 0);
    void* const here = mmap(isSeen ? reinterpret_cast<void*>(address) : nullptr, whole,
                            PROT_READ | PROT_WRITE, flags, memoryFile(), off_t(offset));
    if (here == MAP_FAILED) {
        call.ask(Ask::Free, {address, std::uint64_t(memory)});
        return cudaErrorMemoryAllocation;
    }
    keep(address, {.bytes = bytes, .here = static_cast<char*>(here), .mappedBytes = whole, .memory = memory});
    *pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
}

}  // namespace lockstep::cudart

using namespace lockstep::cudart;

extern "C" cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int) {
    LOCKSTEP_ORDINARY("cudaHostRegister");
    if (!pointer || !bytes) return call.done(cudaErrorInvalidValue);
    const auto first = reinterpret_cast<std::uint64_t>(pointer);
    const auto next = state().allocations.upper_bound(first);
    const Pointed at = pointed(pointer);
    if (first + bytes < first || at.isLost) return call.done(cudaErrorInvalidValue);
    if (at.allocation || (next != state().allocations.end() && next->first < first + bytes))
        return call.done(cudaErrorHostMemoryAlreadyRegistered);
    std::uint64_t offset = 0;
    if (!shareWithDevice(call, pointer, bytes, offset)) return call.done(cudaErrorMemoryAllocation);
    const Answered answered = call.ask(Ask::Register, {first, bytes, offset});
    if (answered.answer.error) return call.done(answered);
    keep(first, {.bytes = bytes, .here = static_cast<char*>(pointer), .memory = Memory::Registered});
    return cudaSuccess;
}

extern "C" cudaError_t cudaHostUnregister(void* pointer) {
    LOCKSTEP_ORDINARY("cudaHostUnregister");
    const auto first = reinterpret_cast<std::uint64_t>(pointer);
    const auto found = state().allocations.find(first);
    if (found == state().allocations.end() || found->second.memory != Memory::Registered)
        return call.done(cudaErrorHostMemoryNotRegistered);
    if (!takeFromDevice(first)) return call.done(cudaErrorMemoryAllocation);
    state().allocations.erase(found);
    return call.done(call.ask(Ask::Free, {first, std::uint64_t(Memory::Registered)}));
}
