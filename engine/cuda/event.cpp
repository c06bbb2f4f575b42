#include "cuda/driver_error.h"
#include "cuda/gpu.h"

#include <utility>

namespace lockstep::cuda {

Expected<Event> Event::create(const Context& context) {
    Event event;
    if (const auto made = check(context.driver(), context.driver().eventCreate(&event.handle_, 0),
                                english("making an event"));
        !made)
        return Unexpected{made.error()};
    event.driver_ = &context.driver();
    return event;
}

Event::Event(Event&& other) noexcept
    : driver_(std::exchange(other.driver_, nullptr)), handle_(std::exchange(other.handle_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(handle_, other.handle_);
    return *this;
}

Event::~Event() {
    if (driver_) driver_->eventDestroy(handle_);
}

Expected<void> Event::record() const {
    return check(*driver_, driver_->eventRecord(handle_, nullptr), english("timing"));
}

Expected<void> Event::wait() const {
    return check(*driver_, driver_->eventSynchronize(handle_), english("running"));
}

Expected<f64> Event::milliseconds(const Event& from, const Event& to) {
    float milliseconds = 0;
    if (const auto read =
            check(*from.driver_, from.driver_->eventElapsedTime(&milliseconds, from.handle_, to.handle_),
                  english("timing"));
        !read)
        return Unexpected{read.error()};
    return f64(milliseconds);
}

}  // namespace lockstep::cuda
