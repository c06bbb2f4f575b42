#include "explain/sentences/words.h"

#include "explain/sentences/lane_lists.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::explain {

namespace {

u32 dimensions(Dim3 at, Dim3 extents) {
    return extents.z > 1 || at.z > 0 ? 3 : extents.y > 1 || at.y > 0 ? 2 : 1;
}

}  // namespace

std::string coordinates(Dim3 at, Dim3 extents) {
    switch (dimensions(at, extents)) {
        case 1: return fmt::format("{}", at.x);
        case 2: return fmt::format("(x {}, y {})", at.x, at.y);
        default: return fmt::format("(x {}, y {}, z {})", at.x, at.y, at.z);
    }
}

std::string shortCoordinates(Dim3 at, Dim3 extents) {
    switch (dimensions(at, extents)) {
        case 1: return fmt::format("x{}", at.x);
        case 2: return fmt::format("x{} y{}", at.x, at.y);
        default: return fmt::format("x{} y{} z{}", at.x, at.y, at.z);
    }
}

std::string extentsText(Dim3 extents) {
    switch (dimensions({0, 0, 0}, extents)) {
        case 1: return fmt::format("{}", extents.x);
        case 2: return fmt::format("{} × {} (x, y)", extents.x, extents.y);
        default: return fmt::format("{} × {} × {} (x, y, z)", extents.x, extents.y, extents.z);
    }
}

Message threadOfBlock(Dim3 thread, Dim3 blockExtents, Dim3 block, Dim3 gridExtents) {
    return Message(english("thread {0} of block {1}"), coordinates(thread, blockExtents),
                   coordinates(block, gridExtents));
}

Message laneList(LaneMask lanes) {
    if (const std::optional<Message> brief = everySoMany(lanes)) return Message(english("lanes {0}"), *brief);
    std::vector<std::string> runs;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes.has(Lane{lane})) continue;
        const u32 first = lane;
        while (lane + 1 < kWarpSize && lanes.has(Lane{lane + 1}))
            ++lane;
        runs.push_back(first == lane ? fmt::format("{}", first) : fmt::format("{}–{}", first, lane));
    }
    if (runs.empty()) return english("no lane");
    if (lanes.count() == 1) return Message(english("lane {0}"), runs[0]);
    Message list = Message::plain(runs[0]);
    for (std::size_t at = 1; at < runs.size(); ++at) {
        const bool isLast = at + 1 == runs.size();
        list =
            Message(isLast ? english("the last of the lanes", "{0} and {1}") : english("lanes", "{0}, {1}"),
                    list, runs[at]);
    }
    return Message(english("lanes {0}"), list);
}

Words verb(trace::AccessKind kind) {
    constexpr std::array<Words, 5> kVerbs = {english("an access", "reads"), english("an access", "writes"),
                                             english("an access", "updates"), english("an access", "updates"),
                                             english("an access", "copies")};
    return kVerbs[std::size_t(kind) % kVerbs.size()];
}

Message placeText(const std::string& name) {
    for (std::string_view unit : {" bytes", " byte"}) {
        if (!name.ends_with(unit)) continue;
        const std::string way = name.substr(0, name.size() - unit.size());  // "Mds + 12"
        if (const std::size_t blank = way.rfind(' '); blank != std::string::npos)
            return Message(english("a place", "{0} {1} {1:byte|bytes}"), way.substr(0, blank),
                           way.substr(blank + 1));
    }
    return Message::plain(name);
}

namespace {

// "M[0][", "4", "7" of "M[0][4..7]".
struct ElementRange {
    std::string before, first, last;
};
std::optional<ElementRange> rangeOf(const std::string& name) {
    const std::size_t dots = name.find(".."), open = name.rfind('[');
    if (dots == std::string::npos || open == std::string::npos || open > dots || !name.ends_with(']'))
        return std::nullopt;
    return ElementRange{name.substr(0, open + 1), name.substr(open + 1, dots - open - 1),
                        name.substr(dots + 2, name.size() - dots - 3)};
}

// "M[0][3]" and "M[1][0]" of "M[0][3]..M[1][0]", a range that goes on in the next row.
std::optional<std::pair<std::string, std::string>> wholeNames(const std::string& name) {
    const std::size_t dots = name.find("]..");
    if (dots == std::string::npos) return std::nullopt;
    return std::pair(name.substr(0, dots + 1), name.substr(dots + 3));
}

}  // namespace

std::string firstElement(const std::string& name) {
    if (const auto names = wholeNames(name)) return names->first;
    const auto range = rangeOf(name);
    return range ? range->before + range->first + "]" : name;
}

std::string lastElement(const std::string& name) {
    if (const auto names = wholeNames(name)) return names->second;
    const auto range = rangeOf(name);
    return range ? range->before + range->last + "]" : name;
}

Message placesText(const std::string& name) {
    if (!rangeOf(name) && !wholeNames(name)) return Message::plain(name);
    const auto range = rangeOf(name);
    const bool areTwo =
        range && !wholeNames(name) && std::atoll(range->last.c_str()) == std::atoll(range->first.c_str()) + 1;
    return Message(areTwo ? english("two elements", "{0} and {1}") : english("{0} to {1}"),
                   firstElement(name), lastElement(name));
}

}  // namespace lockstep::explain
