#include "explain/sentences/lane_lists.h"

#include "base/text/punctuation.h"
#include "base/text/words.h"

#include <vector>

namespace lockstep::explain {

std::string lanesText(LaneMask lanes, Language language) {
    const std::string comma = listComma(language);
    std::string text;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes.has(Lane{lane})) continue;
        u32 last = lane;
        while (last + 1 < kWarpSize && lanes.has(Lane{last + 1}))
            ++last;
        text += (text.empty() ? "" : comma) + std::to_string(lane) +
                (last > lane ? (last > lane + 1 ? "–" : comma) + std::to_string(last) : "");
        lane = last;
    }
    return text;
}

std::optional<u32> strideOf(LaneMask lanes) {
    constexpr int kLong = 5;
    if (lanes.count() < kLong) return std::nullopt;
    std::optional<u32> before, stride;
    for (const Lane lane : lanes) {
        if (before && !stride) stride = lane.value - *before;
        if (stride && (*stride < 2 || lane.value - *before != *stride)) return std::nullopt;
        before = lane.value;
    }
    return stride;
}

std::optional<Message> everySoMany(LaneMask lanes) {
    const std::optional<u32> stride = strideOf(lanes);
    if (!stride) return std::nullopt;
    const u32 first = lanes.lowest().value;
    return Message(english("every so many of the lanes", "{0}, {1}, …, {2}"), first, first + *stride,
                   first + *stride * u32(lanes.count() - 1));
}

std::string lanesInBrief(LaneMask lanes, Language language) {
    const std::optional<Message> brief = everySoMany(lanes);
    return brief ? brief->in(language) : lanesText(lanes, language);
}

}  // namespace lockstep::explain
