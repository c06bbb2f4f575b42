#include "run/gpu/counter_readings.h"

#include "base/check.h"
#include "base/median.h"
#include "model/tolerances.h"

#include <algorithm>

namespace lockstep::run {
namespace {

std::map<std::string, f64> sumOf(const cuda::Counters& counters) {
    std::map<std::string, f64> sums;
    for (const auto& launch : counters)
        for (const auto& [name, value] : launch)
            sums[name.substr(0, name.rfind(".sum"))] += value;
    return sums;
}

}  // namespace

std::vector<std::map<std::string, f64>> readingsOf(const cuda::Counted& counted) {
    std::vector<std::map<std::string, f64>> readings{sumOf(counted.counters)};
    for (const cuda::Counters& again : counted.again)
        readings.push_back(sumOf(again));
    return readings;
}

f64 settled(const std::string& metric, const std::vector<f64>& readings) {
    CHECK(!readings.empty(), "it was read");
    const model::Tolerance* tolerance = model::findTolerance(metric);
    switch (tolerance ? tolerance->stands() : model::Stands::Median) {
        case model::Stands::First: return readings.front();
        case model::Stands::Least: return std::ranges::min(readings);
        case model::Stands::Median: break;
    }
    return median(readings);
}

std::map<std::string, f64> settled(const std::vector<std::map<std::string, f64>>& readings) {
    CHECK(!readings.empty(), "it was read");
    std::map<std::string, f64> figures;
    for (const auto& [metric, first] : readings.front()) {
        std::vector<f64> values;
        for (const auto& reading : readings)
            if (const auto found = reading.find(metric); found != reading.end())
                values.push_back(found->second);
        figures[metric] = settled(metric, values);
    }
    return figures;
}

}  // namespace lockstep::run
