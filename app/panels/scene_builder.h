// Builds scenes that take long in the background, so that frames show the last picture meanwhile.
#pragma once

#include "base/integers.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace lockstep::app {

// One thread, because the views of a block share a cache (viz::BlockCache): nobody else may use that while
// the builder is busy.
class SceneBuilder {
public:
    // `wake` is called, from the builder's thread, when something has been built.
    explicit SceneBuilder(std::function<void()> wake);
    ~SceneBuilder();  // waits for what is being built; the rest is left out
    SceneBuilder(const SceneBuilder&) = delete;
    SceneBuilder& operator=(const SceneBuilder&) = delete;

    void begin(std::function<void()> work);
    // Releasing a run, or what was kept of it, takes as long as a frame.
    void dispose(std::shared_ptr<const void> old);
    bool isBusy() const;
    // A frame waits a little: what is built by then costs no further frame. For all that it begins together.
    void newFrame() { patience_ = kPatience; }
    void waitALittle();
    u64 begun() const { return begun_; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr Clock::duration kPatience = std::chrono::milliseconds(16);

    void work();

    std::function<void()> wake_;
    Clock::duration patience_ = kPatience;  // of this frame, what is left
    mutable std::mutex mutex_;
    std::condition_variable changed_, built_;
    std::deque<std::function<void()>> waiting_;
    std::deque<std::shared_ptr<const void>> old_;
    u64 begun_ = 0;
    bool isBuilding_ = false, ending_ = false;
    std::thread thread_;
};

}  // namespace lockstep::app
