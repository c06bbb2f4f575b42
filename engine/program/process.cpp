#include "program/process.h"

#include "cuda/worker/child_process.h"
#include "cudart/protocol.h"
#include "program/tools.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace lockstep::program {
namespace {

using Clock = std::chrono::steady_clock;

// Everything is there to read; only the current folder's files stay what they are, and what is written goes
// to a folder of its own.
std::vector<std::string> sandboxed(const std::filesystem::path& tool, const std::filesystem::path& program) {
    const std::string folder = program.parent_path().string();
    return {tool.string(),
            "--die-with-parent",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
            "--tmpfs",
            "/tmp",
            "--bind",
            folder,
            folder,
            "--setenv",
            "TMPDIR",
            "/tmp",
            "--"};
}

// bubblewrap may be installed and forbidden, as in many containers.
bool worksHere(const std::filesystem::path& tool) {
    const Expected<cuda::ChildResult> tried =
        cuda::runChild(tool,
                       {"--unshare-net", "--unshare-ipc", "--unshare-uts", "--ro-bind", "/", "/", "--dev",
                        "/dev", "--proc", "/proc", "--", "/bin/true"},
                       {});
    return tried && tried->exitStatus == 0;
}

void limit(int resource, u64 most) {
    rlimit now{};
    getrlimit(__rlimit_resource_t(resource), &now);
    now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
    now.rlim_max = now.rlim_cur;
    setrlimit(__rlimit_resource_t(resource), &now);
}

// On a terminal its group has the keyboard: it may read, and Ctrl+C ends it.
void takeTerminal(pid_t group) {
    if (!isatty(STDIN_FILENO)) return;
    const auto before = signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, group);
    signal(SIGTTOU, before);
}

// Processes of this user at the moment: the limit counts them all.
u64 processesOfUser() {
    u64 count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error))
        count += std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0])) != 0;
    return count;
}

}  // namespace

Process::~Process() {
    kill();
    if (output_ >= 0) close(output_);
    if (errors_ >= 0) close(errors_);
}

void Process::kill() {
    if (process_ < 0) return;
    ::kill(-process_, SIGKILL);
    waitpid(process_, &status_, 0);
    process_ = -1;
    takeTerminal(getpgrp());
}

Expected<void> Process::start(const std::filesystem::path& program, const std::string& name,
                              const std::vector<std::string>& arguments, int socket, int memory,
                              const ProcessLimits& limits) {
    limits_ = limits;
    std::vector<std::string> words;
    if (const std::filesystem::path tool = findTool("bwrap");
        limits.sandbox && !tool.empty() && worksHere(tool)) {
        words = sandboxed(tool, program);
        isSandboxed_ = true;
    }
    words.push_back(program.string());
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string file = words.front(), numbers = fmt::format("{},{}", socket, memory);
    const u64 mostProcesses = processesOfUser() + limits.processes;

    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC)) return fail(FaultKind::System, Message::plain(std::strerror(errno)));
    if (pipe2(err, O_CLOEXEC)) return fail(FaultKind::System, Message::plain(std::strerror(errno)));
    process_ = fork();
    if (process_ < 0)
        return fail(FaultKind::System,
                    Message(english("the program cannot be started: {0}"), std::strerror(errno)));
    if (process_ == 0) {
        setpgid(0, 0);
        takeTerminal(getpid());
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        fcntl(socket, F_SETFD, 0);
        fcntl(memory, F_SETFD, 0);
        setenv(cudart::kEnvironment, numbers.c_str(), 1);
        for (int number : {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE})
            signal(number, SIG_DFL);
        limit(RLIMIT_CPU, u64(limits.processorTime.count()));
        limit(RLIMIT_AS, limits.memoryBytes);
        limit(RLIMIT_FSIZE, limits.fileBytes);
        limit(RLIMIT_NPROC, mostProcesses);
        limit(RLIMIT_CORE, 0);
        if (!isSandboxed_) pointers[0] = const_cast<char*>(name.c_str());
        execv(file.c_str(), pointers.data());
        _exit(127);
    }
    setpgid(process_, process_);
    close(out[1]);
    close(err[1]);
    output_ = out[0];
    errors_ = err[0];
    return {};
}

Process::Ended Process::wait(const std::atomic<bool>& cancelled) {
    const auto until = Clock::now() + limits_.wallTime;
    u64 printed = 0;
    std::array<char, 65536> piece;
    bool isOver = false;
    for (Clock::time_point overAt; output_ >= 0 || errors_ >= 0 || !isOver;) {
        if (cancelled) return kill(), Ended::Cancelled;
        if (Clock::now() > until) return kill(), Ended::WallTime;
        if (!isOver && waitpid(process_, &status_, WNOHANG) == process_) {
            isOver = true;
            overAt = Clock::now();
        }
        // Children of the program may keep its output open; they end with it.
        if (isOver && Clock::now() > overAt + std::chrono::milliseconds(200)) break;
        pollfd waiting[2] = {{output_, POLLIN, 0}, {errors_, POLLIN, 0}};
        if (poll(waiting, 2, isOver ? 20 : 50) <= 0) continue;
        for (int i = 0; i < 2; ++i) {
            int& from = i == 0 ? output_ : errors_;
            if (from < 0 || !waiting[i].revents) continue;
            const ssize_t count = read(from, piece.data(), piece.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                close(from);
                from = -1;
                continue;
            }
            printed += u64(count);
            if (printed > limits_.outputBytes) return kill(), Ended::OutputLimit;
            std::FILE* const to = i == 0 ? stdout : stderr;
            std::fwrite(piece.data(), 1, std::size_t(count), to);
            std::fflush(to);
        }
    }
    ::kill(-process_, SIGKILL);  // what it left behind
    process_ = -1;
    takeTerminal(getpgrp());
    return WIFSIGNALED(status_) && WTERMSIG(status_) == SIGINT ? Ended::Cancelled : Ended::ByItself;
}

}  // namespace lockstep::program
