#include "app/cli/json/sweep_json.h"

#include <cmath>
#include <vector>

namespace lockstep::cli {
namespace {

// Counters are integers, and written as such.
Json number(f64 value) {
    constexpr f64 kExact = 9007199254740992.0;
    return value == std::floor(value) && std::abs(value) < kExact ? Json(s64(value)) : Json(value);
}

std::vector<const run::SweepMetric*> metricsIn(const run::Sweep& sweep) {
    std::vector<const run::SweepMetric*> metrics;
    for (const run::SweepMetric& metric : run::sweepMetrics())
        if (sweep.has(metric.key)) metrics.push_back(&metric);
    return metrics;
}

const char* unitOf(const run::SweepMetric& metric) {
    switch (metric.unit) {
        case run::MetricUnit::Count: return "count";
        case run::MetricUnit::Ratio: return "ratio";
        case run::MetricUnit::Percent: return "percent";
        case run::MetricUnit::Milliseconds: return "ms";
        case run::MetricUnit::GigabytesPerSecond: return "GB/s";
        case run::MetricUnit::TeraOperationsPerSecond: return "TFLOP/s";
    }
    return "";
}

Json settingsJson(const std::vector<run::Setting>& settings) {
    Json json = Json::object();
    for (const auto& [name, value] : settings)
        json[name] = value;
    return json;
}

Json pointJson(const run::SweepPoint& point, std::span<const run::SweepMetric* const> metrics) {
    Json json{{"value", point.value}};
    for (const run::SweepMetric* metric : metrics)
        if (const auto found = point.metrics.find(metric->key); found != point.metrics.end())
            json[metric->key] = number(found->second);
    json.add({{"correct", point.correct},
              {"sampled", point.isSampled},
              {"error", point.error ? Json(describe(*point.error)) : Json(nullptr)}});
    return json;
}

Json seriesJson(const run::SweepSeries& series, std::span<const run::SweepMetric* const> metrics) {
    const bool isCounted = series.source == run::SweepSource::Emulator;
    Json points = Json::array();
    for (const run::SweepPoint& point : series.points) {
        Json one = pointJson(point, metrics);
        if (series.source == run::SweepSource::Model) one["model_error_percent"] = point.modelErrorPercent;
        points.push_back(std::move(one));
    }
    const auto textOrNull = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    return {{"variant", series.variant ? Json(series.variant->name) : Json(nullptr)},
            {"setting", series.setting ? settingsJson({*series.setting}) : Json(nullptr)},
            {"source", run::nameOf(series.source)},
            {"device", isCounted ? Json(nullptr) : textOrNull(series.device)},
            {"profile", isCounted ? textOrNull(series.device) : Json(nullptr)},
            {"recording", textOrNull(series.recording)},
            {"date", textOrNull(series.date)},
            {"points", std::move(points)}};
}

// RFC 4180
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

}  // namespace

Json sweepJson(const run::Sweep& sweep, const run::SweepMetric& metric) {
    const std::vector<const run::SweepMetric*> metrics = metricsIn(sweep);
    Json named = Json::array(), all = Json::array();
    for (const run::SweepMetric* one : metrics)
        named.push_back({{"key", one->key},
                         {"name", one->name},
                         {"title", one->title.english()},
                         {"unit", unitOf(*one)}});
    for (const run::SweepSeries& series : sweep.series)
        all.push_back(seriesJson(series, metrics));
    return {{"family", sweep.family->name},       {"parameter", sweep.parameter},
            {"fixed", settingsJson(sweep.fixed)}, {"metric", metric.key},
            {"metrics", std::move(named)},        {"series", std::move(all)}};
}

std::string sweepCsv(const run::Sweep& sweep) {
    const std::vector<const run::SweepMetric*> metrics = metricsIn(sweep);
    std::string text = "family,variant,setting,source,device,recording,parameter,value";
    for (const run::SweepMetric* metric : metrics)
        text += "," + cell(metric->key);
    text += ",correct,sampled,model_error_percent,error\n";
    for (const run::SweepSeries& series : sweep.series)
        for (const run::SweepPoint& point : series.points) {
            const auto setting =
                series.setting ? series.setting->first + "=" + series.setting->second : std::string();
            for (const std::string& part :
                 {sweep.family->name, series.variant ? series.variant->name : std::string("cpu"), setting,
                  std::string(run::nameOf(series.source)), series.device, series.recording, sweep.parameter})
                text += cell(part) + ",";
            text += std::to_string(point.value);
            for (const run::SweepMetric* metric : metrics) {
                const auto found = point.metrics.find(metric->key);
                text += "," + (found == point.metrics.end() ? "" : number(found->second).written());
            }
            text += std::string(",") + (point.correct ? *point.correct ? "true" : "false" : "") +
                    (point.isSampled ? ",true," : ",false,") +
                    (point.modelErrorPercent ? number(*point.modelErrorPercent).written() : "") + "," +
                    (point.error ? cell(describe(*point.error)) : "") + "\n";
        }
    return text;
}

}  // namespace lockstep::cli
