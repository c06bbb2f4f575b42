#include "model/difference.h"

#include "base/counted.h"
#include "base/percent.h"
#include "model/metrics.h"
#include "model/profile.h"
#include "model/words.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lockstep::model {
namespace {

// What follows from several counters. None where it has no meaning: no request, no sectors a request.
struct Derived {
    const char* key;
    Text what;  // of one figure: "sectors per load request"
    std::optional<f64> (*value)(const Report& report);
};

std::optional<f64> quotient(const Report& report, const char* dividend, const char* divisor) {
    const auto a = report.counters.find(dividend), b = report.counters.find(divisor);
    if (a == report.counters.end() || b == report.counters.end() || b->second == 0) return std::nullopt;
    return f64(a->second) / f64(b->second);
}

const std::array<Derived, 4>& derived() {
    static const std::array<Derived, 4> table{{
        {"sectors_per_load_request",
         {"sectors per load request", "每个读取请求的扇区数"},
         [](const Report& r) {
             return quotient(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_ld");
         }},
        {"sectors_per_store_request",
         {"sectors per store request", "每个写入请求的扇区数"},
         [](const Report& r) {
             return quotient(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_st");
         }},
        {"threads_per_warp_instruction",
         {"active lanes per warp instruction", "每条线程束指令的活动通道数"},
         [](const Report& r) { return quotient(r, "ptx__thread_inst_executed", "ptx__inst_executed"); }},
        {"warps_per_sm",
         {"warps that an SM can hold at once", "一个 SM 能同时容纳的线程束数"},
         [](const Report& r) -> std::optional<f64> { return r.occupancy.possibleWarpsPerSm; }},
    }};
    return table;
}

std::string plain(f64 value) {
    if (value == std::floor(value)) return grouped(u64(value));
    return fmt::format("{:.2f}", value);
}

// "8", "3.2"
std::string times(f64 ratio) {
    const f64 whole = std::round(ratio);
    if (std::abs(ratio - whole) < 0.05 || ratio >= 100) return grouped(u64(whole));
    return fmt::format("{:.1f}", ratio);
}

// "12", "4.5", "0.03": two digits that count
std::string percent(f64 share) {
    const f64 value = 100 * share;
    return value >= 1 ? percentOfShare(share, value >= 10 ? 0 : 1) : fmt::format("{:.2g}", value);
}

// From here on a factor is said, below it a percentage.
constexpr f64 kFactor = 1.95;

Text counterSentence(const Text& what, u64 a, u64 b) {
    if (a == 0)
        return {fmt::format("{} {}, where there were none.", grouped(b), what.en),
                fmt::format("{}：{}，原来没有。", what.zh, grouped(b))};
    if (b == 0)
        return {fmt::format("No {} any more: there were {}.", what.en, grouped(a)),
                fmt::format("不再有{}：原来有 {}。", what.zh, grouped(a))};
    const Text change = changeInWords(f64(a), f64(b));
    return {fmt::format("{} {}: {} instead of {}.", capitalised(change.en), what.en, grouped(b), grouped(a)),
            fmt::format("{}{}：{}，原为 {}。", what.zh, change.zh, grouped(b), grouped(a))};
}

Text change(f64 a, f64 b) {
    if (a == 0) return {"none in A", "A 中没有"};
    if (b == 0) return {"none in B", "B 中没有"};
    return changeInWords(a, b);
}

std::optional<f64> ratioOf(f64 a, f64 b) { return a == 0 ? std::nullopt : std::optional(b / a); }

}  // namespace

Text changeInWords(f64 a, f64 b) {
    const f64 ratio = b / a;
    if (ratio >= kFactor) {
        const std::string factor = times(ratio);
        return {factor == "2" ? "twice as many" : factor + " times as many", "增加到 " + factor + " 倍"};
    }
    if (ratio > 1) return {percent(ratio - 1) + "% more", "增加 " + percent(ratio - 1) + "%"};
    if (ratio > 1 / kFactor) return {percent(1 - ratio) + "% fewer", "减少 " + percent(1 - ratio) + "%"};
    const std::string factor = times(1 / ratio);
    if (factor == "2") return {"half as many", "减少一半"};
    return {factor + " times fewer", "减少到 1/" + factor};
}

std::vector<Difference> differencesOf(const Report& a, const Report& b) {
    std::vector<Difference> differences;
    for (const Metric& metric : metrics()) {
        const auto inA = a.counters.find(metric.key), inB = b.counters.find(metric.key);
        if (inA == a.counters.end() || inB == b.counters.end() || inA->second == inB->second) continue;
        const f64 from = f64(inA->second), to = f64(inB->second);
        differences.push_back({metric.key, from, to, ratioOf(from, to), metric.what, change(from, to),
                               counterSentence(metric.what, inA->second, inB->second)});
    }
    for (const Derived& figure : derived()) {
        const std::optional<f64> from = figure.value(a), to = figure.value(b);
        if (!from || !to || *from == *to) continue;
        differences.push_back(
            {figure.key,
             *from,
             *to,
             ratioOf(*from, *to),
             figure.what,
             change(*from, *to),
             {fmt::format("{}: {} instead of {}.", capitalised(figure.what.en), plain(*to), plain(*from)),
              fmt::format("{}：{}，原为 {}。", figure.what.zh, plain(*to), plain(*from))}});
    }
    return differences;
}

}  // namespace lockstep::model
