#include "base/text/time_left.h"

#include <cmath>

namespace lockstep {

Message leftText(f64 seconds) {
    constexpr f64 kFew = 5, kMinute = 60, kHour = 3600;
    const auto whole = [](f64 value) { return u64(std::ceil(value)); };
    if (seconds <= kFew) return english("a few seconds left");
    if (seconds <= kMinute) return Message(english("about {0} s left"), whole(seconds / kFew) * u64(kFew));
    if (seconds <= 2 * kHour) return Message(english("about {0} min left"), whole(seconds / kMinute));
    return Message(english("about {0} h left"), whole(seconds / kHour));
}

}  // namespace lockstep
