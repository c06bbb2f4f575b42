// What rows of the memory view are called, and what a GPU counts under which names.
#pragma once

#include "witness/readers/reader.h"
#include "witness/record/times.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

struct Name {
    std::string_view en, zh;
};
inline constexpr std::array<std::pair<Space, Name>, 5> kSpaces{{{Space::Global, {"global", "全局"}},
                                                                {Space::Shared, {"shared", "共享"}},
                                                                {Space::Local, {"local", "本地"}},
                                                                {Space::Constant, {"constant", "常量"}},
                                                                {Space::Param, {"parameter", "参数"}}}};
inline constexpr std::array<std::pair<AccessKind, Name>, 5> kKinds{
    {{AccessKind::Load, {"load", "读取"}},
     {AccessKind::Store, {"store", "写入"}},
     {AccessKind::Atomic, {"atomic", "原子操作"}},
     {AccessKind::Reduction, {"atomic (RED)", "原子操作（不取返回值）"}},
     {AccessKind::AsyncCopy, {"asynchronous copy", "异步复制"}}}};

// "global load", "全局内存读取".
inline std::optional<std::pair<Space, AccessKind>> accessNamed(std::string_view text, bool english) {
    for (const auto& [space, names] : kSpaces)
        for (const auto& [kind, kinds] : kKinds)
            if (text == (english ? fmt::format("{} {}", names.en, kinds.en)
                                 : fmt::format("{}内存{}", names.zh, kinds.zh)))
                return std::pair{space, kind};
    if (text == (english ? "shared atomic (result unused)" : "共享内存原子操作（不取返回值）"))
        return std::pair{Space::Shared, AccessKind::Reduction};
    if (text == (english ? "asynchronous copy from global" : "异步复制（读取全局内存）"))
        return std::pair{Space::Global, AccessKind::AsyncCopy};
    if (text == (english ? "asynchronous copy to shared" : "异步复制（写入共享内存）"))
        return std::pair{Space::Shared, AccessKind::AsyncCopy};
    return std::nullopt;
}

// Not a number where one of them was not counted.
inline f64 sumOf(const std::map<std::string, f64>& counters, const std::vector<std::string>& names) {
    f64 sum = names.empty() ? NAN : 0;
    for (const std::string& name : names) {
        const auto found = counters.find(name);
        sum += found == counters.end() ? NAN : found->second;
    }
    return sum;
}

// A row of the levels: what is simulated, and under which names ncu counts it.
struct Reader::Level {
    std::string_view en, zh;
    std::optional<f64> requests, sectors, hits, onward;
    std::vector<std::string> requestMetrics, sectorMetrics;
    std::string hitMetric, onwardMetric;  // onward: "-": sectors less hits; "=": the sectors; "": no counter
};

// What a GPU counted of a level; not a number where it did not.
struct Counted {
    f64 requests = NAN, sectors = NAN, hits = NAN, onward = NAN;
};
template <class Level> Counted countedOf(const Level& level, const run::RecordedRun& recorded) {
    const auto& counters = recorded.measured.counters;
    Counted counted{sumOf(counters, level.requestMetrics), sumOf(counters, level.sectorMetrics),
                    sumOf(counters, {level.hitMetric}), sumOf(counters, {level.onwardMetric})};
    if (level.onwardMetric == "=") counted.onward = counted.sectors;
    if (level.onwardMetric == "-") counted.onward = counted.sectors - counted.hits;
    return counted;
}
inline std::optional<f64> known(f64 value) { return std::isnan(value) ? std::nullopt : std::optional(value); }

}  // namespace lockstep::witness
