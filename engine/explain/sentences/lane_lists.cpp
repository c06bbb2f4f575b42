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

std::optional<Message> everySoMany(LaneMask lanes) {
    constexpr int kLong = 5;
    std::vector<u32> numbers;
    for (const Lane lane : lanes)
        numbers.push_back(lane.value);
    if (lanes.count() < kLong) return std::nullopt;
    const u32 stride = numbers[1] - numbers[0];
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (stride < 2 || numbers[i] - numbers[i - 1] != stride) return std::nullopt;
    return Message(english("every so many of the lanes", "{0}, {1}, …, {2}"), numbers[0], numbers[1],
                   numbers.back());
}

std::string lanesInBrief(LaneMask lanes, Language language) {
    const std::optional<Message> brief = everySoMany(lanes);
    return brief ? brief->in(language) : lanesText(lanes, language);
}

}  // namespace lockstep::explain
