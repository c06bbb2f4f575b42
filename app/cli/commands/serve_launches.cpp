#if LOCKSTEP_EXEC

#include "app/cli/commands/serve_launches.h"

#include "app/cli/commands/save_launches.h"
#include "base/files/temporary_folder.h"
#include "program/kept_launches.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

namespace lockstep::cli {
namespace {

using operations::News;

constexpr int kOftenMs = 100;

operations::ProgramReport reportOf(const program::ProgramRecord& record) {
    return {.operations = record.operations,
            .findings = record.findings,
            .launchCount = record.launchCount,
            .lastKept = record.kept ? record.kept->last() : 0,
            .end = record.end,
            .status = record.status,
            .endingPlace = record.endingPlace,
            .ending = record.ending};
}

}  // namespace

Expected<std::unique_ptr<LaunchServer>> LaunchServer::begin(int news, Progress& program) {
    const int requests = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
              nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (requests < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        fcntl(news, F_SETFD, FD_CLOEXEC) < 0)
        return fail(FaultKind::System,
                    Message(english("--serve {0}: {1}"), news, Message::plain(std::strerror(errno))));
    close(nothing);
    return std::unique_ptr<LaunchServer>(new LaunchServer(requests, news, program));
}

LaunchServer::LaunchServer(int requests, int news, Progress& program)
    : requests_(requests),
      news_(news),
      program_(program),
      reader_([this](const std::stop_token& stop) { read(stop); }),
      counter_([this](const std::stop_token& stop) { tellLaunches(stop); }) {}

LaunchServer::~LaunchServer() {
    for (std::jthread* thread : {&counter_, &reader_})
        if (thread->joinable()) thread->request_stop(), thread->join();
    close(requests_);
    close(news_);
}

void LaunchServer::read(const std::stop_token& stop) {
    std::string text;
    std::array<char, 4096> piece{};
    while (!stop.stop_requested()) {
        pollfd waiting{requests_, POLLIN, 0};
        if (poll(&waiting, 1, kOftenMs) <= 0) continue;
        const ssize_t count = ::read(requests_, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        text.append(piece.data(), std::size_t(count));
        for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
            take(text.substr(0, end));
            text.erase(0, end + 1);
        }
    }
    const std::scoped_lock lock(mutex_);
    isOver_ = program_.cancelled = true;
    if (opening_) opening_->cancelled = true;
    changed_.notify_all();
}

void LaunchServer::take(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    const std::scoped_lock lock(mutex_);
    if (word == "stop") {
        program_.cancelled = true;
        if (opening_) opening_->cancelled = true;
    }
    if (word != "open") return;
    Wanted wanted;
    words >> wanted.launch;
    Dim3 block;
    char comma = 0;
    if (words >> block.x >> comma >> block.y >> comma >> block.z) wanted.block = block;
    wanted_.push_back(wanted);
    changed_.notify_all();
}

// If the window no longer reads, its requests have ended, too.
void LaunchServer::tell(const News& news) {
    const std::vector<std::byte> bytes = operations::encode(news);
    const std::scoped_lock lock(writing_);
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count = write(news_, bytes.data() + at, bytes.size() - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        at += std::size_t(count);
    }
}

void LaunchServer::tellLaunches(const std::stop_token& stop) {
    for (u64 told = 0; !stop.stop_requested(); usleep(kOftenMs * 1000))
        if (const u64 now = launches_; now != told)
            tell({.kind = News::Kind::Launches, .number = told = now});
}

void LaunchServer::started() { tell({.kind = News::Kind::Started}); }
void LaunchServer::failed(const Fault& fault) { tell({.kind = News::Kind::Failed, .fault = fault}); }

void LaunchServer::serve(const program::ProgramRecord& record, const run::Options& how) {
    counter_.request_stop();
    counter_.join();
    tell({.kind = News::Kind::Ended, .report = reportOf(record)});
    const Expected<TemporaryFolder> folder = TemporaryFolder::make();
    for (u64 files = 0;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return isOver_ || !wanted_.empty(); });
        if (isOver_) return;
        const Wanted wanted = wanted_.front();
        wanted_.pop_front();
        const std::shared_ptr<Progress> progress = opening_ = std::make_shared<Progress>();
        lock.unlock();
        if (!folder) {
            tell({.kind = News::Kind::NotOpened, .number = wanted.launch, .fault = folder.error()});
            continue;
        }
        run::Options options = how;
        options.emulator.progress = progress.get();
        if (wanted.block) options.emulator.focus = {*wanted.block};
        const std::string file = (folder->path() / (std::to_string(++files) + ".lks")).string();
        const Expected<void> saved = saveLaunch(record, wanted.launch, file, options);
        if (progress->cancelled)
            tell({.kind = News::Kind::NotOpened,
                  .number = wanted.launch,
                  .fault = fail(FaultKind::Cancelled, english("The run was canceled")).value()});
        else if (!saved)
            tell({.kind = News::Kind::NotOpened, .number = wanted.launch, .fault = saved.error()});
        else
            tell({.kind = News::Kind::Opened, .number = wanted.launch, .file = file});
    }
}

}  // namespace lockstep::cli

#endif
