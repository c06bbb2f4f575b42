#include "program/execute.h"

#include "base/files/temporary_folder.h"
#include "cudart/protocol.h"
#include "program/server.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

namespace lockstep::program {
namespace {

// What a signal says, in a sentence.
Message crashText(int number, const Server::Crash* crash) {
    if (number == SIGSEGV || number == SIGBUS) {
        if (crash && cudart::isDeviceAddress(crash->address))
            return Message(
                english("The program crashed (segmentation fault): host code used a pointer to device "
                        "memory ({0}); only kernels and cudaMemcpy() can."),
                fmt::format("{:#x}", crash->address));
        if (crash && crash->address < 4096)
            return english("The program crashed (segmentation fault): it used a null pointer.");
        if (crash)
            return Message(
                english("The program crashed (segmentation fault): there is no memory at {0}, or the "
                        "stack is full."),
                fmt::format("{:#x}", crash->address));
        return english("The program crashed (segmentation fault).");
    }
    if (number == SIGABRT)
        return english("The program aborted itself (abort(), a failed assert() or an uncaught exception).");
    if (number == SIGFPE) return english("The program crashed: an integer was divided by zero.");
    if (number == SIGILL) return english("The program crashed: illegal instruction.");
    return Message(english("The program was ended by signal {0} ({1})."), number,
                   std::string(strsignal(number)));
}

void setEnding(ProgramRecord& record, Process::Ended ended, const Process& process, const Server& server,
               const CodeLines& lines, const ExecuteRequest& request) {
    using enum Process::Ended;
    switch (ended) {
        case Cancelled: record.end = End::Cancelled; return;
        case OutputLimit:
            record.end = End::OutputLimit;
            record.ending = Message(english("The program was stopped: it printed more than {0} MiB."),
                                    request.limits.outputBytes >> 20);
            return;
        case WallTime:
            record.end = End::TimeLimit;
            record.ending = Message(english("The program was stopped after {0} s: it did not end by itself "
                                            "(a loop without end, or it waits "
                                            "for input?)."),
                                    request.limits.wallTime.count());
            return;
        case ByItself: break;
    }
    const int status = process.waitStatus();
    int number = process.endingSignal();
    // The runtime tells of these in any program.
    const bool isTold =
        number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT;
    if (isTold && !WIFSIGNALED(status) && !(server.crash() && server.crash()->signal == number)) number = 0;
    record.status = number ? number : WEXITSTATUS(status);
    if (number == SIGXCPU || (number == SIGKILL && process.processorTime() >= request.limits.processorTime)) {
        record.end = End::TimeLimit;
        record.ending = Message(english("The program was stopped: its host code took more than {0} s of "
                                        "processor time (a loop without end?)."),
                                request.limits.processorTime.count());
    } else if (number == SIGKILL) {
        record.end = End::Crashed;
        record.ending = english(
            "The program was ended by SIGKILL: from another process, or from Linux, which does so where "
            "memory runs out.");
    } else if (number == SIGXFSZ) {
        record.end = End::Crashed;
        record.ending = Message(english("The program was stopped: it wrote a file of more than {0} MiB."),
                                request.limits.fileBytes >> 20);
    } else if (number) {
        record.end = End::Crashed;
        record.ending = crashText(number, server.crash());
        if (server.crash()) record.endingPlace = lines.at(server.crash()->caller);
    }
}

}  // namespace

Expected<ProgramRecord> execute(ExecuteRequest request) {
    const Expected<TemporaryFolder> folder = TemporaryFolder::make();
    if (!folder) return Unexpected{folder.error()};
    request.compile.folder = folder->path();
    request.compile.architecture = architectureFor(request.server.profile);
    const Expected<Compiled> compiled = compile(request.compile);
    if (!compiled) return Unexpected{compiled.error()};
    if (request.compiled) request.compiled(*compiled);

    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fail(FaultKind::System, Message::plain(std::strerror(errno)));
    CodeLines lines(compiled->program, request.compile.headers);
    Server server(request.server, lines);
    server.addUnusedResults(compiled->unusedResults);
    Process process;
    const Expected<void> started = process.start(
        compiled->program, "./" + std::filesystem::path(request.compile.files.front()).stem().string(),
        request.arguments, ends[1], server.memoryFile(), request.limits);
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        return Unexpected{started.error()};
    }
    std::thread serving([&] { server.serve(ends[0]); });
    const Process::Ended ended = process.wait(request.server.progress->cancelled);
    const bool isCancelled = ended == Process::Ended::Cancelled;
    request.server.progress->cancelled = true;  // a kernel that the program does not wait for may still run
    shutdown(ends[0], SHUT_RDWR);
    serving.join();
    close(ends[0]);
    if (server.speaksOtherwise())
        return fail(FaultKind::Usage,
                    english("this runtime library, which the program was linked with, is of another build "
                            "than lockstep itself: build or install both together"),
                    {.file = request.compile.library.string()});

    ProgramRecord record;
    record.isSandboxed = process.isSandboxed();
    lines.look();
    setEnding(record, ended, process, server, lines, request);
    server.finish(record);
    if (isCancelled) record.end = End::Cancelled;
    if (record.end == End::Exited && server.isTimeUp()) {
        record.end = End::TimeLimit;
        record.ending =
            Message(english("The kernels took more than {0} s of the emulator; those after that were not run "
                            "(--limit allows more)."),
                    std::chrono::duration_cast<std::chrono::seconds>(request.server.limit).count());
    }
    return record;
}

}  // namespace lockstep::program
