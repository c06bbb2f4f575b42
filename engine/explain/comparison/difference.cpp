#include "explain/comparison/difference.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "model/metrics.h"
#include "model/profiles/profile.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lockstep::explain {
namespace {

// What follows from several counters. None where it has no meaning: no request, no sectors a request.
struct Derived {
    const char* key;
    Words what;  // of one figure: "sectors per load request"
    Words sentence;
    std::optional<f64> (*value)(const model::Report& report);
};

std::optional<f64> quotient(const model::Report& report, const char* dividend, const char* divisor) {
    const auto a = report.counters.find(dividend), b = report.counters.find(divisor);
    if (a == report.counters.end() || b == report.counters.end() || b->second == 0) return std::nullopt;
    return f64(a->second) / f64(b->second);
}

const std::array<Derived, 4>& derived() {
    static const std::array<Derived, 4> table{{
        {"sectors_per_load_request", english("sectors per load request"),
         english("Sectors per load request in B: {0} instead of {1}."),
         [](const model::Report& r) {
             return quotient(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_ld");
         }},
        {"sectors_per_store_request", english("sectors per store request"),
         english("Sectors per store request in B: {0} instead of {1}."),
         [](const model::Report& r) {
             return quotient(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_st");
         }},
        {"threads_per_warp_instruction", english("active lanes per warp instruction"),
         english("Active lanes per warp instruction in B: {0} instead of {1}."),
         [](const model::Report& r) {
             return quotient(r, "ptx__thread_inst_executed", "ptx__inst_executed");
         }},
        {"warps_per_sm", english("resident warps per SM"),
         english("Resident warps per SM in B: {0} instead of {1}."),
         [](const model::Report& r) -> std::optional<f64> { return r.occupancy.possibleWarpsPerSm; }},
    }};
    return table;
}

// Two figures side by side have as many decimals.
int decimalsOf(f64 value) { return value == std::floor(value) ? 0 : 2; }

std::string plain(f64 value, int decimals) {
    return decimals == 0 ? grouped(u64(value)) : fmt::format("{:.{}f}", value, decimals);
}

// "8", "4.25", "13.4": three digits that count
std::string times(f64 ratio) {
    const f64 whole = std::round(ratio);
    if (std::abs(ratio - whole) < 0.05 || ratio >= 100) return grouped(u64(whole));
    return fmt::format("{}", std::round(ratio * (ratio < 10 ? 100 : 10)) / (ratio < 10 ? 100 : 10));
}

// "12", "4.5", "0.03": two digits that count
std::string percent(f64 share) {
    const f64 value = 100 * share;
    return value >= 1 ? percentOfShare(share, value >= 10 ? 0 : 1) : fmt::format("{:.2g}", value);
}

// From here on a factor is said, below it a percentage.
constexpr f64 kFactor = 1.95;

// From one number to another, neither of them 0.
struct Change {
    Words brief;     // {0}: the figure
    Words sentence;  // {0}: of what, {1}: the new number, {2}: the old one, {3}: the figure
    std::string figure = {};
};

Change changeOf(f64 a, f64 b) {
    const f64 ratio = b / a;
    if (ratio >= kFactor) {
        if (times(ratio) == "2")
            return {english("twice as many"), english("Twice as many {0} in B: {1} instead of {2}.")};
        return {english("{0} times as many"), english("{3} times as many {0} in B: {1} instead of {2}."),
                times(ratio)};
    }
    if (ratio > 1)
        return {english("{0}% more"), english("{3}% more {0} in B: {1} instead of {2}."), percent(ratio - 1)};
    // A fraction reads as exact: "1/8 as many", but "86% fewer" of 20 instead of 139.
    const bool isOneOfMany = std::fmod(a, b) == 0;
    if (ratio > 1 / kFactor || !isOneOfMany)
        return {english("{0}% fewer"), english("{3}% fewer {0} in B: {1} instead of {2}."),
                percent(1 - ratio)};
    if (times(1 / ratio) == "2")
        return {english("half as many"), english("Half as many {0} in B: {1} instead of {2}.")};
    return {english("1/{0} as many"), english("1/{3} as many {0} in B: {1} instead of {2}."),
            times(1 / ratio)};
}

Message counterSentence(const Words& what, u64 a, u64 b) {
    if (a == 0) return Message(english("{0} instead of 0 {1} in B."), grouped(b), what);
    if (b == 0) return Message(english("0 instead of {1} {0} in B."), what, grouped(a));
    const Change change = changeOf(f64(a), f64(b));
    return Message(change.sentence, what, grouped(b), grouped(a), change.figure);
}

Message change(f64 a, f64 b) {
    if (a == 0) return english("none in A");
    if (b == 0) return english("none in B");
    return changeInWords(a, b);
}

// Further apart than a prediction and a count of the same may be.
bool isOff(f64 predicted, f64 counted) {
    constexpr f64 kClose = 0.1;
    return std::abs(predicted - counted) > kClose * std::max(predicted, counted);
}

std::string wholeText(f64 value) { return grouped(u64(std::round(value))); }

std::optional<f64> ratioOf(f64 a, f64 b) { return a == 0 ? std::nullopt : std::optional(b / a); }

}  // namespace

Message changeInWords(f64 a, f64 b) {
    const Change change = changeOf(a, b);
    return Message(change.brief, change.figure);
}

std::optional<Counted> countedOtherwise(const Difference& difference,
                                        const std::map<std::string, f64>& countersOfA,
                                        const std::map<std::string, f64>& countersOfB) {
    const auto a = countersOfA.find(difference.metric), b = countersOfB.find(difference.metric);
    if (a == countersOfA.end() || b == countersOfB.end()) return std::nullopt;
    const bool sameSense = (difference.b - difference.a) * (b->second - a->second) > 0;
    if (sameSense && !isOff(difference.a, a->second) && !isOff(difference.b, b->second)) return std::nullopt;
    return Counted{std::round(a->second), std::round(b->second)};
}

namespace {

// Why a prediction and a count may go opposite ways.
Message withWhyOpposite(const std::string& metric, const Message& sentence) {
    const bool isOfCaches = metric.find("lookup_hit") != std::string::npos || metric.starts_with("dram") ||
                            metric.starts_with("lts");
    return Message(isOfCaches ? english("{0} Cache contents depend on timing: trust the measurement.")
                              : english("{0} The GPU executes SASS, not this PTX: trust the measurement."),
                   sentence);
}

}  // namespace

Message predictedAndMeasured(const Difference& difference, const Counted& counted) {
    const auto [a, b] = counted;
    const Message measured =
        a == b ? Message(english("{0} in both"), wholeText(a))
        : a == 0 || b == 0
            ? Message(english("{0} instead of {1}"), wholeText(b), wholeText(a))
            : Message(english("{0} ({1} instead of {2})"), changeInWords(a, b), wholeText(b), wholeText(a));
    const Message sentence =
        difference.a == 0 || difference.b == 0
            ? Message(english("Predicted: {1} instead of {2} {0} in B; measured: {3}."), difference.what,
                      wholeText(difference.b), wholeText(difference.a), measured)
            : Message(english("Predicted: {0} {1} in B ({2} instead of {3}); measured: {4}."),
                      difference.change, difference.what, wholeText(difference.b), wholeText(difference.a),
                      measured);
    const bool isOpposite = (difference.b - difference.a) * (b - a) < 0;
    return isOpposite ? withWhyOpposite(difference.metric, sentence) : sentence;
}

namespace {

// They are not equal.
Difference differenceIn(const model::Metric& metric, u64 a, u64 b) {
    const f64 from = f64(a), to = f64(b);
    return {metric.key,
            from,
            to,
            ratioOf(from, to),
            metric.what,
            change(from, to),
            counterSentence(metric.what, a, b)};
}

}  // namespace

std::optional<Difference> differenceOfCounted(std::string_view metric,
                                              const std::map<std::string, f64>& countersOfA,
                                              const std::map<std::string, f64>& countersOfB) {
    const model::Metric* const found = model::findMetric(metric);
    if (!found || found->isPredicted()) return std::nullopt;
    const auto a = countersOfA.find(found->key), b = countersOfB.find(found->key);
    if (a == countersOfA.end() || b == countersOfB.end()) return std::nullopt;
    const u64 from = u64(std::round(a->second)), to = u64(std::round(b->second));
    return from == to ? std::nullopt : std::optional(differenceIn(*found, from, to));
}

std::vector<Difference> differencesOf(const model::Report& a, const model::Report& b) {
    std::vector<Difference> differences;
    for (const model::Metric& metric : model::metrics()) {
        const auto inA = a.counters.find(metric.key), inB = b.counters.find(metric.key);
        if (inA == a.counters.end() || inB == b.counters.end() || inA->second == inB->second) continue;
        differences.push_back(differenceIn(metric, inA->second, inB->second));
    }
    for (const Derived& figure : derived()) {
        const std::optional<f64> from = figure.value(a), to = figure.value(b);
        if (!from || !to || *from == *to) continue;
        const int both = std::max(decimalsOf(*from), decimalsOf(*to));
        differences.push_back({figure.key, *from, *to, ratioOf(*from, *to), figure.what, change(*from, *to),
                               Message(figure.sentence, plain(*to, both), plain(*from, both))});
    }
    return differences;
}

}  // namespace lockstep::explain
