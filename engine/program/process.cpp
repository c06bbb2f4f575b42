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
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace lockstep::program {
namespace {

using Clock = std::chrono::steady_clock;

// Everything is there to read; only the current folder's files stay what they are, and what is written goes
// to a /tmp of its own, unless that is where we are.
std::vector<std::string> sandboxed(const std::filesystem::path& tool, const std::filesystem::path& program) {
    std::error_code error;
    const std::string folder = program.parent_path().string(),
                      here = std::filesystem::current_path(error).string();
    std::vector<std::string> words{tool.string(),
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
                                   "/proc"};
    const auto add = [&](std::initializer_list<std::string> more) {
        words.insert(words.end(), more.begin(), more.end());
    };
    const bool isTemporary = here == "/tmp";
    if (!isTemporary) add({"--tmpfs", "/tmp"});
    if (here.starts_with("/tmp/")) add({"--ro-bind", here, here});
    add({"--bind", folder, folder});
    if (!here.empty()) add({"--chdir", here});
    add({"--setenv", "TMPDIR", isTemporary ? folder : "/tmp", "--"});
    return words;
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

void limit(int resource, u64 most, u64 beforeTheHardOne = 0) {
    rlimit now{};
    getrlimit(__rlimit_resource_t(resource), &now);
    now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
    now.rlim_max = std::min<rlim_t>(now.rlim_cur + beforeTheHardOne, now.rlim_max);
    setrlimit(__rlimit_resource_t(resource), &now);
}

bool hasTerminal() {
    const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (terminal >= 0) close(terminal);
    return terminal >= 0;
}

// All processes that come from this one and live, or that only we can wait for, as /proc has them.
std::vector<pid_t> descendants() {
    std::multimap<pid_t, pid_t> children;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (!std::isdigit(static_cast<unsigned char>(name[0]))) continue;
        std::ifstream file(entry.path() / "stat");
        std::string text;
        std::getline(file, text, '\0');
        const std::size_t end = text.rfind(')');  // of the name, which may have any character
        char state = 0;
        pid_t parent = 0;
        if (end == std::string::npos) continue;
        std::istringstream(text.substr(end + 1)) >> state >> parent;
        if (state == 'X' || (state == 'Z' && parent != getpid())) continue;
        children.emplace(parent, pid_t(std::strtol(name.c_str(), nullptr, 10)));
    }
    std::vector<pid_t> found{getpid()};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (auto [at, end] = children.equal_range(found[i]); at != end; ++at)
            found.push_back(at->second);
    found.erase(found.begin());
    return found;
}

// Whatever a program started becomes ours when its parent ends (PR_SET_CHILD_SUBREAPER), so none is missed.
void killDescendants() {
    const auto until = Clock::now() + std::chrono::seconds(5);
    for (std::vector<pid_t> alive = descendants(); !alive.empty() && Clock::now() < until;
         alive = descendants()) {
        for (const pid_t each : alive)
            ::kill(each, SIGKILL);
        for (const pid_t each : alive)
            waitpid(each, nullptr, WNOHANG);
        usleep(1000);
    }
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
    ::kill(process_, SIGKILL);
    hasEnded(0);
    process_ = -1;
    killDescendants();
}

bool Process::hasEnded(int options) {
    rusage used{};
    if (wait4(process_, &status_, options, &used) != process_) return false;
    processorTime_ = std::chrono::seconds(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     std::chrono::microseconds(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    return true;
}

int Process::endingSignal() const {
    if (WIFSIGNALED(status_)) return WTERMSIG(status_);
    if (!isSandboxed_ || WEXITSTATUS(status_) <= 128) return 0;
    const int number = WEXITSTATUS(status_) - 128;  // as shells say it; or the program's own status
    return number <= SIGSYS ? number : 0;
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
    const std::string file = words.front(),
                      numbers = fmt::format("{},{},{}", socket, memory, cudart::kProtocolVersion);
    const u64 mostProcesses = processesOfUser() + limits.processes;

    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC)) return fail(FaultKind::System, Message::plain(std::strerror(errno)));
    if (pipe2(err, O_CLOEXEC)) return fail(FaultKind::System, Message::plain(std::strerror(errno)));
    isInOurGroup_ = hasTerminal();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    process_ = fork();
    if (process_ < 0)
        return fail(FaultKind::System,
                    Message(english("the program cannot be started: {0}"), std::strerror(errno)));
    if (process_ == 0) {
        if (!isInOurGroup_) setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        fcntl(socket, F_SETFD, 0);
        fcntl(memory, F_SETFD, 0);
        setenv(cudart::kEnvironment, numbers.c_str(), 1);
        for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ, SIGPIPE})
            signal(number, SIG_DFL);
        limit(RLIMIT_CPU, u64(limits.processorTime.count()), 1);  // SIGXCPU, then SIGKILL
        limit(RLIMIT_AS, limits.memoryBytes);
        limit(RLIMIT_FSIZE, limits.fileBytes);
        limit(RLIMIT_NPROC, mostProcesses);
        limit(RLIMIT_CORE, 0);
        if (!isSandboxed_) pointers[0] = const_cast<char*>(name.c_str());
        execv(file.c_str(), pointers.data());
        _exit(127);
    }
    if (!isInOurGroup_) setpgid(process_, process_);
    close(out[1]);
    close(err[1]);
    output_ = out[0];
    errors_ = err[0];
    return {};
}

Process::Ended Process::wait(const std::atomic<bool>& cancelled) {
    auto until = Clock::now() + limits_.wallTime;
    std::optional<Clock::time_point> cancelledAt;
    u64 printed = 0;
    std::array<char, PIPE_BUF> piece;  // a pipe with room has room for it
    bool isOver = false;
    for (Clock::time_point overAt; output_ >= 0 || errors_ >= 0 || !isOver;) {
        // On a terminal it has had the same Ctrl+C, and may say good-bye.
        constexpr std::chrono::seconds kFarewell{1};
        if (cancelled && !cancelledAt) cancelledAt = Clock::now();
        if (cancelledAt && (!isInOurGroup_ || Clock::now() > *cancelledAt + kFarewell))
            return kill(), Ended::Cancelled;
        if (Clock::now() > until) return kill(), Ended::WallTime;
        if (!isOver && hasEnded(WNOHANG)) {
            isOver = true;
            overAt = Clock::now();
        }
        // Children of the program may keep its output open; they end with it.
        if (isOver && Clock::now() > overAt + std::chrono::milliseconds(200)) break;
        pollfd waiting[2] = {{output_, POLLIN, 0}, {errors_, POLLIN, 0}};
        const Clock::time_point before = Clock::now();
        const int ready = poll(waiting, 2, isOver ? 20 : 50);
        // Ctrl+Z stopped all of us: that time does not count.
        if (const auto slept = Clock::now() - before; slept > std::chrono::seconds(1)) until += slept;
        if (ready <= 0) continue;
        for (int i = 0; i < 2; ++i) {
            int& from = i == 0 ? output_ : errors_;
            if (from < 0 || !waiting[i].revents) continue;
            std::FILE* const to = i == 0 ? stdout : stderr;
            pollfd room{fileno(to), POLLOUT, 0};
            if (poll(&room, 1, 20) == 0)
                continue;  // the output is not read, and the limits hold all the same
            const ssize_t count = read(from, piece.data(), piece.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                close(from);
                from = -1;
                continue;
            }
            printed += u64(count);
            if (printed > limits_.outputBytes) return kill(), Ended::OutputLimit;
            std::fwrite(piece.data(), 1, std::size_t(count), to);
            if (std::fflush(to) != 0 &&
                errno == EPIPE) {  // the reader is gone: the program gets SIGPIPE, too
                std::clearerr(to);
                close(from);
                from = -1;
            }
        }
    }
    process_ = -1;
    killDescendants();  // what it left behind
    return cancelled || endingSignal() == SIGINT ? Ended::Cancelled : Ended::ByItself;
}

}  // namespace lockstep::program
