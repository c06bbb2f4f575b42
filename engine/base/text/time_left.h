// How long work still takes, as far as its pace tells.
#pragma once

#include "base/integers.h"
#include "base/text/message.h"

#include <optional>

namespace lockstep {

// By the pace of late: what is done first is often slower than the rest.
class TimeLeft {
public:
    // seconds: of a monotonic clock. A share smaller than the last one starts over.
    void tell(f64 seconds, f64 share) {
        if (!isBegun_ || share < latest_.share) before_ = middle_ = {seconds, share};
        isBegun_ = true;
        latest_ = {seconds, share};
        if (seconds - middle_.seconds >= kSpan) before_ = middle_, middle_ = latest_;
    }
    // Seconds. None: not known yet.
    std::optional<f64> left() const {
        const f64 passed = latest_.seconds - before_.seconds, moved = latest_.share - before_.share;
        if (passed < kLeast || moved <= 0) return {};
        return (1 - latest_.share) * passed / moved;
    }

private:
    static constexpr f64 kLeast = 1, kSpan = 4;  // seconds: of what is judged by, up to twice the second
    struct At {
        f64 seconds = 0, share = 0;
    };
    At before_, middle_, latest_;
    bool isBegun_ = false;
};

// "about 40 s left", "about 3 min left": no more digits than an estimate has.
Message leftText(f64 seconds);

}  // namespace lockstep
