#include "run/activity.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/time_left.h"

#include <cmath>
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

Message emulatedSoFar(const Progress& progress, std::optional<f64> secondsLeft) {
    const u64 done = progress.done, total = progress.total, steps = progress.steps;
    constexpr f64 kParts = 1e6;
    const u32 percent = wholePercentOf(u64(std::floor(shareDone(progress) * kParts)), u64(kParts));
    if (done == 0 && steps > 0)
        return Message(english("{0} of {1} {1:block|blocks}, {2} warp {2:instruction|instructions}"), done,
                       grouped(total), grouped(steps));
    const Message blocks(english("{0}%, {1} of {2} {2:block|blocks}"), percent, grouped(done),
                         grouped(total));
    return secondsLeft ? Message(english("{0}, {1}"), blocks, leftText(*secondsLeft)) : blocks;
}

}  // namespace lockstep::run
