#include "model/words.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::model {

namespace {

u32 dimensions(Dim3 at, Dim3 extents) {
    return extents.z > 1 || at.z > 0 ? 3 : extents.y > 1 || at.y > 0 ? 2 : 1;
}

}  // namespace

std::string coordinates(Dim3 at, Dim3 extents) {
    switch (dimensions(at, extents)) {
        case 1: return fmt::format("x {}", at.x);
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

Text threadOfBlock(Dim3 thread, Dim3 blockExtents, Dim3 block, Dim3 gridExtents) {
    const std::string t = coordinates(thread, blockExtents), b = coordinates(block, gridExtents);
    return {fmt::format("thread {} of block {}", t, b), fmt::format("线程块 {} 的线程 {}", b, t)};
}

Text laneList(LaneMask lanes) {
    std::vector<std::string> runs;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!lanes.has(Lane{lane})) continue;
        const u32 first = lane;
        while (lane + 1 < kWarpSize && lanes.has(Lane{lane + 1}))
            ++lane;
        runs.push_back(first == lane ? fmt::format("{}", first) : fmt::format("{}–{}", first, lane));
    }
    if (runs.empty()) return {"no lane", "没有通道"};
    Text text{lanes.count() == 1 ? "lane " : "lanes ", "通道 "};
    for (std::size_t at = 0; at < runs.size(); ++at) {
        text.en += at == 0 ? "" : at + 1 == runs.size() ? " and " : ", ";
        text.en += runs[at];
        text.zh += (at == 0 ? "" : "、") + runs[at];
    }
    return text;
}

Text verb(trace::AccessKind kind) {
    struct Row {
        const char *en, *zh;
    };
    constexpr std::array<Row, 5> rows = {{{"reads", "读取"},
                                          {"writes", "写入"},
                                          {"updates", "原子更新"},
                                          {"updates", "原子更新"},
                                          {"copies", "异步复制"}}};
    const Row& row = rows[std::size_t(kind) % rows.size()];
    return {row.en, row.zh};
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
    return text;
}

std::string spaced(std::string_view chinese) {
    // In UTF-8 the ideographs begin with e4 to e9; their punctuation, which brings its own space, with e3 or
    // ef.
    const auto beginsIdeograph = [](char c) { return u8(c) >= 0xe4 && u8(c) <= 0xe9; };
    const auto isLatin = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    std::string text;
    bool afterIdeograph = false;
    for (std::size_t at = 0; at < chinese.size();) {
        const char c = chinese[at];
        const char before = text.empty() ? ' ' : text.back();
        const bool closes = isLatin(before) || before == ')' || before == ']',
                   opens = isLatin(c) || c == '(' || c == '[' || c == '_';
        if ((beginsIdeograph(c) && closes) || (afterIdeograph && opens)) text += ' ';
        const std::size_t bytes = u8(c) < 0x80 ? 1 : u8(c) < 0xe0 ? 2 : u8(c) < 0xf0 ? 3 : 4;
        text += chinese.substr(at, bytes);
        afterIdeograph = beginsIdeograph(c);
        at += bytes;
    }
    return text;
}

Text placeText(const std::string& name) {
    for (std::string_view unit : {" bytes", " byte"})
        if (name.ends_with(unit)) return {name, name.substr(0, name.size() - unit.size()) + " 字节"};
    return {name, name};
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

Text placesText(const std::string& name) {
    if (!rangeOf(name) && !wholeNames(name)) return {name, name};
    return {firstElement(name) + " to " + lastElement(name), firstElement(name) + " 到 " + lastElement(name)};
}

}  // namespace lockstep::model
