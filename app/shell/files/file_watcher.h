// Reports when a file has been rewritten, whether the editor writes it in place or replaces it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

namespace lockstep::shell {

class FileWatcher {
public:
    // `wake` is called, from the watcher's thread, when the file has changed.
    explicit FileWatcher(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~FileWatcher() { watch({}); }
    FileWatcher(const FileWatcher&) = delete;
    FileWatcher& operator=(const FileWatcher&) = delete;

    // Watches only this file from now on; empty: none. Without system support, changes are never reported.
    void watch(const std::filesystem::path& file);
    // Whether the file has changed since the last call.
    bool hasChanged() { return changed_.exchange(false); }

private:
    void wait(int events, int stop);

    std::function<void()> wake_;
    std::filesystem::path file_;
    std::atomic<bool> changed_{false};
    int events_ = -1, stop_ = -1;  // inotify(7), eventfd(2)
    std::thread thread_;
};

}  // namespace lockstep::shell
