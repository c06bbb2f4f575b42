// exec --serve: tells the window that started it how the program fares, and opens launches for it afterwards.
#pragma once

#if LOCKSTEP_EXEC

#include "base/expected.h"
#include "base/progress.h"
#include "operations/news.h"
#include "program/record.h"
#include "run/run.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace lockstep::cli {

// A line of the standard input: "open 3", "open 3 1,0,0" (with the events of that block, too), "stop" (what
// is under way). Its end ends the process, and the program with it.
class LaunchServer {
public:
    // news: a file descriptor. From here on the standard input is empty for the program.
    static Expected<std::unique_ptr<LaunchServer>> begin(int news, Progress& program);
    ~LaunchServer();
    LaunchServer(const LaunchServer&) = delete;
    LaunchServer& operator=(const LaunchServer&) = delete;

    std::atomic<u64>& launches() { return launches_; }  // of the program, so far
    void started();
    void failed(const Fault& fault);
    // Until the requests end.
    void serve(const program::ProgramRecord& record, const run::Options& how);

private:
    LaunchServer(int requests, int news, Progress& program);
    void read(const std::stop_token& stop);
    void take(const std::string& line);
    void tell(const operations::News& news);
    void tellLaunches(const std::stop_token& stop);

    struct Wanted {
        u64 launch = 0;
        std::optional<Dim3> block{};
    };
    int requests_, news_;
    Progress& program_;
    std::atomic<u64> launches_{0};
    std::mutex writing_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Wanted> wanted_;
    std::shared_ptr<Progress> opening_;
    bool isOver_ = false;
    std::jthread reader_, counter_;  // the last members: they end before what they use
};

}  // namespace lockstep::cli

#endif
