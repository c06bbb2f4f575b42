#include "app/shell/files/file_watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace lockstep::shell {
namespace {

// Closed after writing, or replaced by another file: then it is complete. Watches the folder, because the
// file itself may be replaced.
constexpr std::uint32_t kWhole = IN_CLOSE_WRITE | IN_MOVED_TO;

// Whether one of the events in the buffer names the file.
bool isNamed(const char* buffer, std::size_t bytes, const std::string& name) {
    for (std::size_t at = 0; at + sizeof(inotify_event) <= bytes;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        if (event->len > 0 && name == event->name) return true;
        at += sizeof(inotify_event) + event->len;
    }
    return false;
}

}  // namespace

void FileWatcher::watch(const std::filesystem::path& file) {
    if (file == file_) return;
    if (thread_.joinable()) {
        const std::uint64_t one = 1;
        if (write(stop_, &one, sizeof(one)) == sizeof(one))
            thread_.join();
        else
            thread_.detach();
        close(events_);
        close(stop_);
    }
    file_ = file;
    changed_ = false;
    if (file.empty()) return;
    events_ = inotify_init1(IN_CLOEXEC);
    stop_ = eventfd(0, EFD_CLOEXEC);
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (events_ < 0 || stop_ < 0 || inotify_add_watch(events_, folder.c_str(), kWhole) < 0) {
        close(events_);
        close(stop_);
        return;
    }
    thread_ = std::thread([this] { wait(events_, stop_); });
}

void FileWatcher::wait(int events, int stop) {
    const std::string name = file_.filename().string();
    std::array<pollfd, 2> both{pollfd{events, POLLIN, 0}, pollfd{stop, POLLIN, 0}};
    while (poll(both.data(), both.size(), -1) >= 0 || errno == EINTR) {
        if (both[1].revents) return;
        if (!both[0].revents) continue;
        alignas(inotify_event) std::array<char, 4096> buffer{};
        const ssize_t bytes = read(events, buffer.data(), buffer.size());
        if (bytes <= 0) return;
        if (!isNamed(buffer.data(), std::size_t(bytes), name)) continue;
        changed_ = true;
        wake_();
    }
}

}  // namespace lockstep::shell
