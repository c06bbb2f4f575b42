#include "cuda/worker/worker.h"

#include "cuda/driver_error.h"
#include "cuda/worker/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <spawn.h>
#include <thread>

extern char** environ;

namespace lockstep::cuda {
namespace {

using namespace std::chrono_literals;

// Loading the driver, opening a device and compiling take seconds at worst; a driver that takes longer hangs.
constexpr auto kMostStarting = 60s;
constexpr auto kBetweenLooks = 50ms;  // at `cancelled`
constexpr auto kMostDying =
    1s;  // of a process whose channel has closed: on a busy machine it can be reaped only a while later
constexpr auto kMostEnding = 10s;  // of a killed process: the driver first stops its kernels

Fault diedFault(Stage stage, const Message& how) {
    static constexpr std::array kEnded{
        english("the GPU worker ended while starting ({0}); the next run starts a new one"),
        english("the GPU worker ended while compiling the kernel ({0}); the next run starts a new one"),
        english("the GPU worker ended while running the kernel ({0}); the next run starts a new one"),
        english("the GPU worker ended while timing the kernel ({0}); the next run starts a new one"),
        english("the GPU worker ended while counting ({0}); the next run starts a new one")};
    return gpuFault(Message(kEnded[std::size_t(stage)], how));
}

Fault limitFault(const JobLimits& limits, Stage stage) {
    if (stage == Stage::Starting || stage == Stage::Compiling)
        return gpuFault(
            english("the NVIDIA driver did not get ready within a minute; look at nvidia-smi, and "
                    "restart the computer if it hangs, too"));
    const f64 seconds = std::chrono::duration<f64>(*limits.limit).count();
    std::string text = std::to_string(seconds);
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.') text.pop_back();
    if (stage == Stage::Timing)
        return gpuFault(
            Message(english("the kernel ended on the GPU, but timing it took more than {0} s and was "
                            "stopped; on the command line a larger --limit gives it more time"),
                    text));
    if (stage == Stage::Counting)
        return gpuFault(
            Message(english("the kernel ended on the GPU, but reading its counters took more than {0} s and "
                            "was stopped; on the command line a larger --limit gives it more time"),
                    text));
    return gpuFault(Message(
        english(
            "the kernel was still running on the GPU after {0} s and was stopped; it may never end (see the "
            "findings), and if it is only slow, time it again with a larger --limit on the command line"),
        text));
}

}  // namespace

Worker::~Worker() { end(); }

Expected<void> Worker::start() {
    if (channel_) return {};
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
        return fail(FaultKind::System,
                    Message(english("the GPU worker cannot be started: {0}"), std::strerror(errno)));
    Channel ours(sockets[0]);

    // The child's end gets the number it expects; kernel output goes to standard error, because standard
    // output may be JSON.
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], kWorkerSocket);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    std::vector<char*> arguments{command_.program.data()};
    for (std::string& argument : command_.arguments)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const int refused =
        posix_spawn(&process_, command_.program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]);
    if (refused) {
        process_ = -1;
        return fail(FaultKind::System, Message(english("the GPU worker {0} cannot be started: {1}"),
                                               command_.program, std::strerror(refused)));
    }
    channel_ = std::move(ours);
    ++starts_;
    return {};
}

Message Worker::end(std::chrono::milliseconds grace) {
    channel_.reset();
    if (process_ < 0) return english("it was not running");
    int status = 0;
    // A process that has exited by itself gives its status; any other is killed.
    const auto isOverWithin = [&](Clock::duration time) {
        for (const auto until = Clock::now() + time; waitpid(process_, &status, WNOHANG) != process_;) {
            if (Clock::now() >= until) return false;
            std::this_thread::sleep_for(5ms);
        }
        return true;
    };
    const bool endedItself = isOverWithin(grace);
    if (!endedItself) {
        kill(process_, SIGKILL);
        (void)isOverWithin(kMostEnding);
    }
    process_ = -1;
    if (!endedItself) return english("it was ended");
    if (WIFSIGNALED(status)) return Message(english("signal {0}"), WTERMSIG(status));
    return Message(english("exit status {0}"), WEXITSTATUS(status));
}

template <class Reply> Expected<Reply> Worker::ask(const WorkerMessage& question) {
    if (const Expected<void> started = start(); !started) return Unexpected{started.error()};
    std::optional<Reply> reply;
    if (channel_->send(question)) {
        while (true) {
            Channel::Received received = channel_->receive(Clock::now() + kMostStarting);
            if (!received.message) {
                if (received.end == Channel::End::TimedOut) {
                    end();
                    return Unexpected{limitFault({}, Stage::Starting)};
                }
                break;
            }
            if (auto* found = std::get_if<Reply>(&*received.message)) reply = std::move(*found);
            auto* finished = std::get_if<Finished>(&*received.message);
            if (!finished) continue;
            if (finished->contextIsSpent) end();
            if (finished->fault) return Unexpected{*finished->fault};
            if (reply) return std::move(*reply);
            break;
        }
    }
    return Unexpected{diedFault(Stage::Starting, end(kMostDying))};
}

Expected<DriverInfo> Worker::devices() { return ask<DriverInfo>(AskDevices{}); }

Expected<CounterSupport> Worker::counters(u32 device) { return ask<CounterSupport>(AskCounters{device}); }

JobReport Worker::run(const Job& job, const JobLimits& limits) {
    JobReport report;
    if (const Expected<void> started = start(); !started) {
        report.fault = started.error();
        return report;
    }
    const auto isCancelled = [&] {
        return limits.progress && limits.progress->cancelled.load(std::memory_order_relaxed);
    };
    std::optional<Clock::time_point> until = Clock::now() + kMostStarting;
    bool isConnected = channel_->send(job);
    while (isConnected) {
        if (isCancelled()) {
            end();
            report.fault = Fault{.kind = FaultKind::Cancelled,
                                 .message = english("the run was canceled"),
                                 .place = {},
                                 .pc = {},
                                 .block = {},
                                 .thread = {}};
            return report;
        }
        const Clock::time_point look = Clock::now() + kBetweenLooks;
        Channel::Received received = channel_->receive(until ? std::min(*until, look) : look);
        if (!received.message) {
            if (received.end != Channel::End::TimedOut) break;
            if (!until || Clock::now() < *until) continue;
            end();
            report.fault = limitFault(limits, report.stage);
            report.timedOut = true;
            return report;
        }
        if (auto* outcome = std::get_if<Outcome>(&*received.message)) report.outcome = std::move(*outcome);
        if (auto* timing = std::get_if<Timing>(&*received.message)) report.timing = std::move(*timing);
        if (auto* counted = std::get_if<Counted>(&*received.message)) report.counted = std::move(*counted);
        if (const auto* at = std::get_if<AtStage>(&*received.message)) {
            if (at->stage == Stage::Running && report.stage < Stage::Running)
                until = limits.limit ? std::optional(Clock::now() + *limits.limit) : std::nullopt;
            if (at->stage != report.stage && limits.stage) limits.stage(at->stage);
            report.stage = at->stage;
            if (limits.progress) {
                limits.progress->total.store(at->total, std::memory_order_relaxed);
                limits.progress->restartAt(at->done);
            }
        }
        if (const auto* finished = std::get_if<Finished>(&*received.message)) {
            report.fault = finished->fault;
            report.kernelFailed = finished->kernelFailed;
            report.gpuIsLost = finished->contextIsSpent && !finished->kernelFailed;
            if (finished->contextIsSpent) end();
            return report;
        }
    }
    report.fault = diedFault(report.stage, end(kMostDying));
    return report;
}

}  // namespace lockstep::cuda
