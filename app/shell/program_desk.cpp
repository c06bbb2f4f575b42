#include "app/shell/program_desk.h"

#include "app/shell/runner.h"
#include "base/files/text_file.h"
#include "operations/news.h"
#include "run/recordings/saved_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <filesystem>
#include <spawn.h>
#include <utility>

extern char** environ;

namespace lockstep::shell {
namespace {

using operations::News;
using Clock = std::chrono::steady_clock;

constexpr int kOftenMs = 50, kNewsDescriptor = 3;
constexpr std::chrono::seconds kGrace{3};  // of a process that was told to stop

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
        begin = end + 1;
    }
    return lines;
}

// Without what a terminal would act on.
std::string readable(const std::string& text) {
    std::string shown;
    for (const char c : text)
        if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20) shown += c;
    return shown;
}

class Pipe {
public:
    Pipe() {
        if (pipe2(ends_.data(), O_CLOEXEC)) ends_ = {-1, -1};
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() { close(0), close(1); }
    bool isOpen(int end) const { return ends_[std::size_t(end)] >= 0; }
    int end(int end) const { return ends_[std::size_t(end)]; }
    void close(int end) {
        int& number = ends_[std::size_t(end)];
        if (number >= 0) ::close(std::exchange(number, -1));
    }

private:
    std::array<int, 2> ends_{};
};

}  // namespace

// One `lockstep exec`, from its start until another program is run.
class ProgramDesk::Session {
public:
    Session(ProgramDesk& desk, const app::StartProgram& program, std::string profile)
        : desk_(desk), program_(program), profile_(std::move(profile)) {
        thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    ~Session() {
        thread_.request_stop();
        thread_.join();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    u64 ticket() const { return program_.ticket; }
    const std::string& file() const { return program_.file; }
    void stop() { isStopped_ = true; }
    // False: the process that could open it has ended.
    bool open(app::StartRun job, std::string profile) {
        const std::scoped_lock lock(mutex_);
        if (isOver_) return false;
        wanted_.push_back({std::move(job), std::move(profile)});
        return true;
    }

private:
    struct Wanted {
        app::StartRun job;
        std::string profile;
        bool isAsked = false;
    };

    // Fault: it cannot be started.
    Expected<void> spawn() {
        if (desk_.lockstep_.empty())
            return fail(FaultKind::NotFound, english("lockstep does not find its own executable"));
        std::error_code ignored;
        const std::filesystem::path file = std::filesystem::absolute(program_.file, ignored);
        const std::string folder = file.parent_path().string();
        std::vector<std::string> words{
            desk_.lockstep_, "exec", file.string(), "--serve", std::to_string(kNewsDescriptor), "--quiet"};
        if (!profile_.empty()) words.insert(words.end(), {"--profile", profile_});
        words.insert(words.end(), program_.compile.begin(), program_.compile.end());
        words.emplace_back("--");
        words.insert(words.end(), program_.arguments.begin(), program_.arguments.end());
        std::vector<char*> pointers;
        for (std::string& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, requests_.end(0), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output_.end(1), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors_.end(1), STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions, news_.end(1), kNewsDescriptor);
        if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        // A session of its own: no terminal, so that neither its keys nor its input are the program's.
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
        const int refused =
            posix_spawn(&process_, desk_.lockstep_.c_str(), &actions, &attributes, pointers.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        requests_.close(0), output_.close(1), errors_.close(1), news_.close(1);
        if (!refused) return {};
        process_ = -1;
        return fail(FaultKind::System,
                    Message(english("the program cannot be started: {0}"), std::strerror(refused)));
    }

    void work(const std::stop_token& stop) {
        stepBehindTheFrames();
        if (Expected<std::string> text = readTextFile(program_.file, {}))
            send(app::ProgramRead{ticket(), linesOf(*text)});
        if (const Expected<void> spawned = spawn(); !spawned) return end(spawned.error());
        std::optional<Clock::time_point> toldToStop;
        while (news_.isOpen(0)) {
            if (stop.stop_requested()) break;
            if (isStopped_ && !isEnded_ && !toldToStop) {
                ask("stop\n");
                toldToStop = Clock::now();
            }
            if (toldToStop && !isEnded_ && Clock::now() > *toldToStop + kGrace) {
                kill(process_, SIGKILL);
                break;
            }
            askForLaunches();
            readAll();
        }
        requests_.close(1);
        const int status = reap();
        end(isStopped_ ? fail(FaultKind::Cancelled, english("The program was canceled.")).value()
            : WIFSIGNALED(status)
                ? fail(FaultKind::System,
                       Message(english("lockstep exec, which ran the program, was ended by signal {0}."),
                               WTERMSIG(status)))
                      .value()
                : fail(FaultKind::System,
                       Message(english("The program could not be run; what lockstep exec said is below.")))
                      .value());
    }

    // Told to end by the end of its input; then without a choice. What it started ends with it.
    int reap() {
        int status = 0;
        const auto until = Clock::now() + std::chrono::seconds(1);
        while (waitpid(process_, &status, WNOHANG) == 0) {
            if (Clock::now() > until) {
                kill(process_, SIGKILL);
                waitpid(process_, &status, 0);
                break;
            }
            usleep(10'000);
        }
        return status;
    }

    void ask(const std::string& line) {
        // What it does not read would block: a pipe has room for a thousand such lines.
        (void)!write(requests_.end(1), line.data(), line.size());
    }

    void readAll() {
        std::array<pollfd, 3> waiting{
            {{news_.end(0), POLLIN, 0}, {output_.end(0), POLLIN, 0}, {errors_.end(0), POLLIN, 0}}};
        if (poll(waiting.data(), waiting.size(), kOftenMs) > 0) {
            std::array<char, 1 << 16> piece;
            for (std::size_t i = waiting.size(); i-- > 0;) {
                if (!waiting[i].revents) continue;
                Pipe& from = i == 0 ? news_ : i == 1 ? output_ : errors_;
                const ssize_t count = read(from.end(0), piece.data(), piece.size());
                if (count < 0 && errno == EINTR) continue;
                if (count <= 0) {
                    from.close(0);
                } else if (i == 0) {
                    const auto* bytes = reinterpret_cast<const std::byte*>(piece.data());
                    arrived_.insert(arrived_.end(), bytes, bytes + count);
                } else {
                    printed_.append(piece.data(), std::min(std::size_t(count), room_));
                    room_ -= std::min(room_, std::size_t(count));
                    printedBytes_ += u64(count);
                }
            }
        }
        // Not more often than it can be read.
        if (printedBytes_ && (Clock::now() > toldPrinted_ + std::chrono::milliseconds(kOftenMs)))
            tellPrinted();
        takeNews();
    }
    void tellPrinted() {
        if (printedBytes_)
            send(app::ProgramPrinted{ticket(), readable(std::exchange(printed_, {})),
                                     std::exchange(printedBytes_, 0)});
        toldPrinted_ = Clock::now();
    }

    void takeNews() {
        Expected<std::vector<News>> all = operations::takeNews(arrived_);
        if (!all) {
            news_.close(0);
            return end(all.error());
        }
        for (News& news : *all) {
            using enum News::Kind;
            switch (news.kind) {
                case Started: send(app::ProgramStarted{ticket()}); break;
                case Launches: send(app::ProgramLaunched{ticket(), news.number}); break;
                case Ended:
                    // All that it printed came before.
                    drain();
                    isEnded_ = true;
                    send(app::ProgramEnded{ticket(), std::make_shared<const operations::ProgramReport>(
                                                         std::move(*news.report))});
                    break;
                case Failed:
                    drain();
                    end(*news.fault);
                    break;
                case Opened:
                case NotOpened: opened(news); break;
            }
        }
    }
    void drain() {
        std::array<char, 1 << 16> piece;
        for (Pipe* from : {&output_, &errors_})
            for (pollfd waiting{from->end(0), POLLIN, 0};
                 from->isOpen(0) && poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN);) {
                const ssize_t count = read(from->end(0), piece.data(), piece.size());
                if (count <= 0) break;
                printed_.append(piece.data(), std::min(std::size_t(count), room_));
                room_ -= std::min(room_, std::size_t(count));
                printedBytes_ += u64(count);
            }
        tellPrinted();
    }
    // There will be no report.
    void end(const Fault& fault) {
        tellPrinted();
        std::deque<Wanted> left;
        {
            const std::scoped_lock lock(mutex_);
            isOver_ = true;
            left = std::move(wanted_);
        }
        for (const Wanted& wanted : left)
            send(app::RunFailed{wanted.job.ticket, fault});
        if (std::exchange(isEnded_, true)) return;
        send(app::ProgramEnded{ticket(), nullptr, fault});
    }

    // One at a time. One that is no longer wanted is not asked for, or told to stop.
    void askForLaunches() {
        if (!isEnded_) return;
        const std::scoped_lock lock(mutex_);
        while (!wanted_.empty() && !wanted_.front().isAsked && wanted_.front().job.progress->cancelled)
            wanted_.pop_front();
        if (wanted_.empty()) return;
        Wanted& wanted = wanted_.front();
        if (wanted.isAsked) {
            if (wanted.job.progress->cancelled && !std::exchange(toldToStopOpening_, true)) ask("stop\n");
            return;
        }
        wanted.isAsked = true;
        toldToStopOpening_ = false;
        std::string line = "open " + std::to_string(wanted.job.choice.launch->number);
        if (!wanted.job.focus.empty()) {
            const Dim3 block = wanted.job.focus.front();
            line +=
                " " + std::to_string(block.x) + "," + std::to_string(block.y) + "," + std::to_string(block.z);
        }
        ask(line + "\n");
    }
    void opened(const News& news) {
        Wanted wanted;
        {
            const std::scoped_lock lock(mutex_);
            if (wanted_.empty() || !wanted_.front().isAsked) return;
            wanted = std::move(wanted_.front());
            wanted_.pop_front();
        }
        if (news.kind == News::Kind::NotOpened) return send(app::RunFailed{wanted.job.ticket, *news.fault});
        Expected<run::Run> run = run::openSaved(news.file, wanted.profile, desk_.catalog_);
        std::error_code ignored;
        std::filesystem::remove(news.file, ignored);
        if (!run) return send(app::RunFailed{wanted.job.ticket, run.error()});
        send(app::RunArrived{wanted.job.ticket, std::make_shared<const run::Run>(std::move(*run))});
    }

    void send(app::ProgramAction action) const { desk_.arrive(std::move(action)); }
    void send(app::Action action) const { desk_.arrive(std::move(action)); }

    ProgramDesk& desk_;
    const app::StartProgram program_;
    const std::string profile_;
    Pipe requests_, output_, errors_, news_;  // end 0 is read
    pid_t process_ = -1;
    std::vector<std::byte> arrived_;
    std::string printed_;  // and not told yet
    u64 printedBytes_ = 0;
    std::size_t room_ = app::ProgramState::kMostOutput;
    Clock::time_point toldPrinted_{};
    bool isEnded_ = false;  // the program is over, one way or the other
    bool toldToStopOpening_ = false;
    std::atomic<bool> isStopped_ = false;
    std::mutex mutex_;
    std::deque<Wanted> wanted_;
    bool isOver_ = false;
    std::jthread thread_;  // the last member
};

ProgramDesk::ProgramDesk(std::string lockstep, const catalog::Catalog* catalog, std::function<void()> wake)
    : lockstep_(std::move(lockstep)), catalog_(catalog), wake_(std::move(wake)) {}

ProgramDesk::~ProgramDesk() { session_.reset(); }

void ProgramDesk::arrive(app::Action action) {
    {
        const std::scoped_lock lock(mutex_);
        arrived_.push_back(std::move(action));
    }
    wake_();
}

std::vector<app::Action> ProgramDesk::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(arrived_, {});
}

void ProgramDesk::start(const app::StartProgram& program, const std::string& profile) {
    session_.reset();
#ifdef __linux__
    session_ = std::make_shared<Session>(*this, program, profile);
#else
    arrive(app::ProgramAction{app::ProgramEnded{
        program.ticket, nullptr,
        fail(FaultKind::Unsupported,
             english("Programs can be run on Linux only: that needs its processes and its limits."))
            .value()}});
#endif
}

void ProgramDesk::stop(u64 ticket) {
    if (session_ && session_->ticket() == ticket) session_->stop();
}

void ProgramDesk::open(app::StartRun job, const std::string& profile) {
    const u64 ticket = job.ticket;
    if (session_ && session_->file() == job.choice.launch->file && session_->open(std::move(job), profile))
        return;
    arrive(app::RunFailed{
        ticket, fail(FaultKind::NotFound,
                     english("Run the program again: its launches can be opened until another one is run."))
                    .value()});
}

}  // namespace lockstep::shell
