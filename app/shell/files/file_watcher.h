// Tells when a file has been written anew, however the editor does it: in place, or by another file put in
// its place.
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

    // This file from now on and no other; empty: none. Where the system cannot tell, nothing is ever told.
    void watch(const std::filesystem::path& file);
    // Since the last call.
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
