#include "cuda/worker/worker_process.h"

#include "cuda/counters.h"
#include "cuda/driver_error.h"
#include "cuda/gpu.h"
#include "cuda/worker/channel.h"
#include "cuda/worker/execute.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace lockstep::cuda {
namespace {

// Queue of requests. A separate thread reads them, so that the process notices the program's exit even while
// the GPU hangs, and exits with it.
class Requests {
public:
    explicit Requests(const Channel& channel) : thread_([this, &channel] { listen(channel); }) {
        thread_.detach();
    }

    WorkerMessage next() {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !waiting_.empty(); });
        WorkerMessage request = std::move(waiting_.front());
        waiting_.pop_front();
        return request;
    }

private:
    void listen(const Channel& channel) {
        while (true) {
            Channel::Received received = channel.receive();
            if (!received.message) _exit(0);
            const std::lock_guard lock(mutex_);
            waiting_.push_back(std::move(*received.message));
            arrived_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<WorkerMessage> waiting_;
    std::thread thread_;
};

// The devices' contexts, each opened on first use.
class Contexts {
public:
    // openedIn: milliseconds to open it, if it was not open.
    Expected<const Context*> of(u32 device, f64* openedIn = nullptr) {
        if (const auto found = open_.find(device); found != open_.end()) {
            // A thread has one current context: the last one made current.
            const DriverLibrary& driver = found->second.driver();
            driver.contextSetCurrent(found->second.native());
            return &found->second;
        }
        const auto start = std::chrono::steady_clock::now();
        Expected<Context> opened = Context::open(device);
        if (!opened) return Unexpected{opened.error()};
        if (openedIn)
            *openedIn =
                std::chrono::duration<f64, std::milli>(std::chrono::steady_clock::now() - start).count();
        return &open_.emplace(device, std::move(*opened)).first->second;
    }

private:
    std::map<u32, Context> open_;
};

// Handles each request; its Fault goes into the Finished message.
class Server {
public:
    explicit Server(const Channel& channel) : channel_(channel) {}

    Expected<void> answer(const AskDevices&) {
        Expected<DriverInfo> info = findDriver();
        if (!info) return Unexpected{info.error()};
        channel_.send(std::move(*info));
        return {};
    }
    Expected<void> answer(const AskCounters& question) {
        const Expected<const Context*> context = contexts_.of(question.device);
        if (!context) return Unexpected{context.error()};
        used_ = *context;
        channel_.send(counterSupport(**context));
        return {};
    }
    Expected<void> answer(const Job& job) {
        channel_.send(AtStage{Stage::Starting});
        f64 openedIn = 0;
        const Expected<const Context*> context = contexts_.of(job.device, &openedIn);
        if (!context) return Unexpected{context.error()};
        used_ = *context;
        return execute(**context, job, [&](WorkerMessage message) {
            if (auto* outcome = std::get_if<Outcome>(&message)) outcome->contextMilliseconds = openedIn;
            channel_.send(message);
        });
    }
    template <class Other> Expected<void> answer(const Other&) {
        return fail(FaultKind::Damaged,
                    english("the GPU worker was sent what only it may send; start the program again"));
    }

    // After a fault: probes the device with an empty operation.
    DriverResult state() const { return used_ ? used_->driver().contextSynchronize() : kDriverSuccess; }

private:
    const Channel& channel_;
    Contexts contexts_;
    const Context* used_ = nullptr;
};

}  // namespace

int serveAsWorker() {
    signal(SIGINT, SIG_IGN);  // Ctrl+C is handled by the program, which then cancels
    const Channel channel(kWorkerSocket);
    Requests requests(channel);
    Server server(channel);
    while (true) {
        const WorkerMessage request = requests.next();
        const Expected<void> done =
            std::visit([&](const auto& body) { return server.answer(body); }, request);
        Finished finished;
        if (!done) {
            finished.fault = done.error();
            const DriverResult state = server.state();
            finished.contextIsSpent = state != kDriverSuccess;
            finished.kernelFailed = isKernelsFault(state);
        }
        channel.send(finished);
        // An unusable context cannot be closed properly, either.
        if (finished.contextIsSpent) _exit(0);
    }
}

}  // namespace lockstep::cuda
