#include "run/activity.h"

#include <utility>

namespace lockstep::run {
namespace {

thread_local std::function<void(Activity)> listening;

}  // namespace

ActivityListener::ActivityListener(std::function<void(Activity)> told)
    : before_(std::exchange(listening, std::move(told))) {}

ActivityListener::~ActivityListener() { listening = std::move(before_); }

void beginActivity(Activity activity) {
    if (listening) listening(activity);
}

}  // namespace lockstep::run
