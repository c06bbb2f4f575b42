#include "app/panels/scene_builder.h"

#include <chrono>
#include <utility>

namespace lockstep::app {

SceneBuilder::SceneBuilder(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { work(); }) {}

SceneBuilder::~SceneBuilder() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
        waiting_.clear();
    }
    changed_.notify_one();
    thread_.join();
}

void SceneBuilder::begin(std::function<void()> work) {
    {
        const std::scoped_lock lock(mutex_);
        waiting_.push_back(std::move(work));
        ++begun_;
    }
    changed_.notify_one();
}

void SceneBuilder::dispose(std::shared_ptr<const void> old) {
    {
        const std::scoped_lock lock(mutex_);
        old_.push_back(std::move(old));
    }
    changed_.notify_one();
}

void SceneBuilder::waitALittle() {
    if (patience_ <= Clock::duration::zero()) return;
    const Clock::time_point begin = Clock::now();
    std::unique_lock lock(mutex_);
    built_.wait_for(lock, patience_, [this] { return !isBuilding_ && waiting_.empty(); });
    patience_ -= Clock::now() - begin;
}

bool SceneBuilder::isBusy() const {
    const std::scoped_lock lock(mutex_);
    return isBuilding_ || !waiting_.empty();
}

// Pictures come before what is only in the way.
void SceneBuilder::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || !waiting_.empty() || !old_.empty(); });
        if (ending_) return;
        if (waiting_.empty()) {
            std::shared_ptr<const void> old = std::move(old_.front());
            old_.pop_front();
            lock.unlock();
            old.reset();
            lock.lock();
            continue;
        }
        std::function<void()> next = std::move(waiting_.front());
        waiting_.pop_front();
        isBuilding_ = true;
        lock.unlock();
        next();
        next = {};
        lock.lock();
        isBuilding_ = false;
        built_.notify_one();
        wake_();
    }
}

}  // namespace lockstep::app
