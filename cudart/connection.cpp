#include "cudart/connection.h"

#include "cudart/transfer.h"
#include "cudart/unwaited.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <link.h>
#include <mutex>
#include <ucontext.h>

namespace lockstep::cudart {
namespace {

constexpr int kNoDevice = 100, kInitializationError = 3;

struct Connection {
    int socket = -1, memory = -1;
    pid_t process = 0;
    Pending* pending = nullptr;
    std::mutex mutex;

    Connection();
    void greet(const char* itsVersion);
    bool keep(const Question& question, const void* text, std::size_t textBytes);
    bool tellKept();
};

Connection& connection() {
    static Connection& theOne = *new Connection;  // outlives the program's own destructors
    return theOne;
}

alignas(16) char signalStack[1 << 16];

extern "C" char __executable_start, etext;  // where the linker puts the program's own code

// The address behind the instruction that was interrupted, or behind the call into a library that led to it.
std::uint64_t placeOf(const void* context) {
    const auto* registers = static_cast<const ucontext_t*>(context);
    std::uint64_t at = 0;
#if defined(__x86_64__)
    at = std::uint64_t(registers->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    at = registers->uc_mcontext.pc;
#endif
    const auto isOwn = [](std::uint64_t address) {
        return address >= reinterpret_cast<std::uint64_t>(&__executable_start) &&
               address < reinterpret_cast<std::uint64_t>(&etext);
    };
    if (isOwn(at)) return at + 1;
    void* frames[64];
    const int count = backtrace(frames, 64);
    int i = 0;
    while (i < count && reinterpret_cast<std::uint64_t>(frames[i]) != at)
        ++i;  // those of the handler
    for (; i < count; ++i)
        if (isOwn(reinterpret_cast<std::uint64_t>(frames[i])))
            return reinterpret_cast<std::uint64_t>(frames[i]);
    return at + 1;
}

bool isWrite(const void* context) {
#if defined(__x86_64__)
    constexpr long long kWrite = 2;  // of the error code of a page fault
    return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWrite;
#else
    (void)context;
    return false;
#endif
}

// An access to memory before the work that writes it was waited for is told, and goes on.
bool goesOn(siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    const unwaited::Found found = unwaited::open(address);
    if (found.isTooEarly) {
        Question question{.ask = Ask::Misused, .caller = placeOf(context)};
        question.numbers[0] = std::uint64_t(Misuse::TooEarly);
        question.numbers[1] = address;
        question.numbers[2] = isWrite(context);
        question.numbers[3] = found.caller;
        ask(question);
    }
#if defined(__x86_64__)
    constexpr long long kTrap = 0x100;  // the flag by which a processor stops behind each instruction
    if (found.isClosed && unwaited::opensForOne())
        static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] |= kTrap;
#endif
    return found.isClosed;
}

void onTrap(int, siginfo_t*, void* context) {
#if defined(__x86_64__)
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
#endif
    (void)context;
    unwaited::closeAgain();
}

// Says where the program crashed, then lets it crash as it would have.
void onCrash(int number, siginfo_t* info, void* context) {
    if (number == SIGSEGV && goesOn(info, context)) return;
    Connection& line = connection();
    if (line.socket >= 0 && getpid() == line.process) {
        Question question{.ask = Ask::Crashed, .caller = placeOf(context)};
        question.numbers[0] = std::uint64_t(number);
        question.numbers[1] = reinterpret_cast<std::uint64_t>(info->si_addr);
        sendAll(line.socket, &question, sizeof question);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void watchCrashes() {
    void* first = nullptr;
    backtrace(&first, 1);  // which loads what it needs now, not in a handler
    stack_t stack{};
    stack.ss_sp = signalStack;
    stack.ss_size = sizeof signalStack;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        sigaction(number, &action, nullptr);
#if defined(__x86_64__)
    action.sa_sigaction = onTrap;
    sigaction(SIGTRAP, &action, nullptr);
#endif
}

Connection::Connection() : process(getpid()) {
    const char* numbers = std::getenv(kEnvironment);
    char itsVersion[sizeof kProtocolVersion] = {};
    static_assert(sizeof kProtocolVersion == 17);
    if (!numbers || std::sscanf(numbers, "%d,%d,%16s", &socket, &memory, itsVersion) < 2 ||
        fcntl(socket, F_GETFD) < 0) {
        socket = -1;
        return;
    }
    greet(itsVersion);
    unsetenv(kEnvironment);  // not for the programs that this one starts
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    fcntl(memory, F_SETFD, FD_CLOEXEC);
    void* const shared = mmap(nullptr, kPendingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (shared != MAP_FAILED) pending = static_cast<Pending*>(shared);
    watchCrashes();
}

// A lockstep of another protocol says so itself and closes the socket, but for those that had no greeting.
void Connection::greet(const char* itsVersion) {
    if (!*itsVersion) {
        std::fputs(
            "lockstep is older than the runtime library that the program was linked with "
            "(liblockstep_cudart.a): build or install both together\n",
            stderr);
        _exit(2);
    }
    Greeting greeting;
    std::memcpy(greeting.version, kProtocolVersion, sizeof greeting.version);
    sendAll(socket, &greeting, sizeof greeting);
}

// False: it has to be told now.
bool Connection::keep(const Question& question, const void* text, std::size_t textBytes) {
    const std::size_t bytes = sizeof question + textBytes;
    if (!pending || bytes > sizeof pending->questions) return false;
    if (bytes > sizeof pending->questions - pending->bytes && !tellKept()) return false;
    char* const at = pending->questions + pending->bytes;
    std::memcpy(at, &question, sizeof question);
    std::memcpy(at + sizeof question, text, textBytes);
    std::atomic_ref(pending->bytes).fetch_add(bytes, std::memory_order_release);
    return true;
}
bool Connection::tellKept() {
    if (!pending || !pending->bytes) return true;
    const Question question{.ask = Ask::Kept};
    Answer answer;
    if (!sendAll(socket, &question, sizeof question) || !receiveAll(socket, &answer, sizeof answer))
        return false;
    pending->bytes = 0;
    return true;
}

// Crashes are watched from the start.
__attribute__((constructor)) void connect() { connection(); }

}  // namespace

bool isConnected() { return connection().socket >= 0 && getpid() == connection().process; }
int memoryFile() { return connection().memory; }

Answered ask(Question question, const void* text, std::size_t textBytes) {
    Answered answered;
    Connection& line = connection();
    answered.answer.error = line.socket < 0 ? kNoDevice : kInitializationError;
    if (!isConnected()) return answered;
    const std::lock_guard lock(line.mutex);
    question.textBytes = std::uint32_t(textBytes);
    if (question.ask == Ask::Operation && line.keep(question, text, textBytes)) return answered;
    bool done = line.tellKept() && sendAll(line.socket, &question, sizeof question) &&
                sendAll(line.socket, text, textBytes);
    if (done && hasAnswer(question.ask)) {
        done = receiveAll(line.socket, &answered.answer, sizeof answered.answer);
        if (done) {
            answered.text.resize(answered.answer.textBytes);
            done = receiveAll(line.socket, answered.text.data(), answered.text.size());
        }
    }
    if (!done) _exit(1);  // lockstep is gone
    return answered;
}

}  // namespace lockstep::cudart
