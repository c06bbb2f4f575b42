#include "cudart/connection.h"

#include "cudart/transfer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <mutex>
#include <ucontext.h>

namespace lockstep::cudart {
namespace {

constexpr int kNoDevice = 100, kInitializationError = 3;

struct Connection {
    int socket = -1, memory = -1;
    pid_t process = 0;
    std::mutex mutex;

    Connection();
};

Connection& connection() {
    static Connection& theOne = *new Connection;  // outlives the program's own destructors
    return theOne;
}

alignas(16) char signalStack[1 << 16];

// Says where the program crashed, then lets it crash as it would have.
void onCrash(int number, siginfo_t* info, void* context) {
    Connection& line = connection();
    if (line.socket >= 0 && getpid() == line.process) {
        Question question{.ask = Ask::Crashed};
        const auto* registers = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
        question.caller = std::uint64_t(registers->uc_mcontext.gregs[REG_RIP]) + 1;
#elif defined(__aarch64__)
        question.caller = registers->uc_mcontext.pc + 1;
#endif
        question.numbers[0] = std::uint64_t(number);
        question.numbers[1] = reinterpret_cast<std::uint64_t>(info->si_addr);
        sendAll(line.socket, &question, sizeof question);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void watchCrashes() {
    stack_t stack{};
    stack.ss_sp = signalStack;
    stack.ss_size = sizeof signalStack;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        sigaction(number, &action, nullptr);
}

Connection::Connection() : process(getpid()) {
    const char* numbers = std::getenv(kEnvironment);
    if (!numbers || std::sscanf(numbers, "%d,%d", &socket, &memory) != 2 || fcntl(socket, F_GETFD) < 0) {
        socket = -1;
        return;
    }
    unsetenv(kEnvironment);  // not for the programs that this one starts
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    fcntl(memory, F_SETFD, FD_CLOEXEC);
    watchCrashes();
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
    bool done = sendAll(line.socket, &question, sizeof question) && sendAll(line.socket, text, textBytes);
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
