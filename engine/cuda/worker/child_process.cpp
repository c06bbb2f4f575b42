#include "cuda/worker/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <spawn.h>

extern char** environ;

namespace lockstep::cuda {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMillisecondsBetweenLooks = 20;  // at `cancelled`

// Our end of the child's output, and the child, which does not outlive this.
class Child {
public:
    Child(pid_t process, int output, bool isGroup) : process_(process), output_(output), isGroup_(isGroup) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        close(output_);
        if (process_ < 0) return;
        kill(isGroup_ ? -process_ : process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    int output() const { return output_; }
    // Its status after it has exited by itself.
    std::optional<int> ended() {
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
        process_ = -1;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    pid_t process_;
    int output_;
    bool isGroup_;
};

// Tells what is printed, line by line.
class Lines {
public:
    explicit Lines(const std::function<void(std::string_view)>& tell) : tell_(tell) {}
    void add(std::string_view text) {
        if (!tell_) return;
        for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
            tell_(line_.append(text.substr(0, end)));
            line_.clear();
        }
        line_.append(text);
    }

private:
    const std::function<void(std::string_view)>& tell_;
    std::string line_;
};

Fault cannotStart(const std::filesystem::path& program, int error) {
    return fail(FaultKind::System,
                Message(english("{0} cannot be started: {1}"), program.string(), std::strerror(error)))
        .value();
}

}  // namespace

Expected<ChildResult> runChild(const std::filesystem::path& program, std::vector<std::string> arguments,
                               const ChildLimits& limits) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return Unexpected{cannotStart(program, errno)};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::string name = program.string();
    std::vector<char*> words{name.data()};
    for (std::string& argument : arguments)
        words.push_back(argument.data());
    words.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (limits.endsItsChildren) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process = -1;
    const int refused = posix_spawn(&process, name.c_str(), &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (refused) {
        close(ends[0]);
        return Unexpected{cannotStart(program, refused)};
    }

    Child child(process, ends[0], limits.endsItsChildren);
    Lines lines(limits.said);
    ChildResult result;
    std::array<char, 65536> piece;
    bool isOpen = true;
    for (const auto until = Clock::now() + limits.longest;;) {
        if (limits.cancelled && *limits.cancelled)
            return fail(FaultKind::Cancelled, english("The run was canceled"));
        if (Clock::now() > until)
            return fail(FaultKind::System, Message(english("{0} did not end within {1} s and was stopped"),
                                                   name, limits.longest.count() / 1000));
        // It may close its output before it exits.
        if (!isOpen) {
            if (const std::optional<int> status = child.ended()) {
                result.exitStatus = *status;
                return result;
            }
            poll(nullptr, 0, 1);
            continue;
        }
        pollfd waiting{.fd = child.output(), .events = POLLIN, .revents = 0};
        if (poll(&waiting, 1, kMillisecondsBetweenLooks) <= 0) continue;
        const ssize_t count = read(child.output(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        isOpen = count > 0;
        if (isOpen) {
            result.output.append(piece.data(), std::size_t(count));
            lines.add({piece.data(), std::size_t(count)});
        }
        if (result.output.size() > limits.mostBytes)
            return fail(FaultKind::System, Message(english("{0} printed more than can be read"), name));
    }
}

}  // namespace lockstep::cuda
