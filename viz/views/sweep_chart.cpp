#include "viz/views/sweep_chart.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "base/text/quantities.h"
#include "model/profiles/profile.h"
#include "viz/marks/frame.h"
#include "viz/marks/size_text.h"
#include "viz/messages.h"
#include "viz/views/modeled_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace lockstep::viz {
namespace {

constexpr Words kCpuLoop = english("CPU loop");
constexpr Words kWithTransfers = english("kernel + transfers");
constexpr Words kFirstLaunch = english("first launch");
constexpr Words kKernelAlone = english("kernel");
constexpr Words kMeasuredHere = english("measured here on {0}");
constexpr Words kRecordedThere = english("recorded on {0}, {1}");
constexpr Words kRecordedSome = english("recorded on {0}");
constexpr Words kCountedHere = english("counted by the emulator under the rules of {0}");
constexpr Words kCountedSample = english("extrapolated from a sample of the blocks under the rules of {0}");
constexpr Words kModeledKey = english("modeled (mean error {0}%)"),
                kModeledKeyTwo = english("modeled (mean error {0} to {1}%)"),
                kModeledKeyNone = english("modeled (error not measured yet)");
constexpr Words kNoModeledTime = english("No modeled time at {0} = {1}: {2}."),
                kNoModeledTimes = english("No modeled time at {0} = {1} and {3} more: {2}.");
constexpr Words kWrongKey = english("wrong result");
constexpr Words kRulesOf = english("compute capability {0}");
constexpr Words kRecordedOnCpu = english("recorded on the host CPU of the {0} machine, {1}");
constexpr Words kPointHover = english("{0}, {1} = {2}: {3} ({5}); {4}.");
constexpr Words kWrongHover = english("{0}, {1} = {2}: {3} ({5}); {4}. Its result was wrong.");
constexpr Words kCpuHover = english("{0}, {1} = {2}: {3}; {4}.");
constexpr Words kOtherParameters = english("Other parameters: {0}.");
constexpr Words kTitle = english("Sweep");
constexpr Words kCaption = english("{0}, {1} = {2} to {3}");
constexpr Words kCaptionOne = english("{0}, {1} = {2}");
constexpr Words kEnds = english("{0}, {7}: {1} at {2} = {3}, {4} at {2} = {5} ({6}).");
constexpr Words kOneEnd = english("{0}, {5}: {1} at {2} = {3} ({4}).");
constexpr Words kNoPoints = english("No point of this sweep has this metric: {0}.");
constexpr Words kAlso = english("{0}, {1} = {2}");
constexpr Words kUnit = english("{0} ({1})");

// One line of the chart: points of a series and which of their figures.
struct Line {
    const run::SweepSeries* series = nullptr;
    const run::SweepMetric* metric = nullptr;
    std::string name;
};

const run::SweepMetric& metricOf(const run::Sweep& sweep, const SweepLook& look) {
    return look.metric ? *look.metric : run::defaultMetric(sweep);
}

bool isCurrent(const run::SweepSeries& series, const catalog::Experiment* current) {
    if (!current || series.variant != current->variant) return false;
    if (!series.setting) return true;
    const catalog::Parameter* parameter = current->family->findParameter(series.setting->first);
    const auto value = current->values.find(series.setting->first);
    return parameter && value != current->values.end() &&
           parameter->shown(value->second) == series.setting->second;
}

std::string nameOf(const run::SweepSeries& series, Language language) {
    if (!series.variant) return say(language, kCpuLoop);
    const std::string title = series.variant->title.in(language);
    return series.setting ? say(language, kAlso, title, series.setting->first, series.setting->second)
                          : title;
}

std::vector<Line> linesOf(const run::Sweep& sweep, const run::SweepMetric& metric, Language language) {
    std::set<std::pair<const catalog::Variant*, std::optional<run::Setting>>> kernels;
    for (const run::SweepSeries& series : sweep.series)
        if (series.variant && series.has(metric.key)) kernels.insert({series.variant, series.setting});
    std::vector<Line> lines;
    for (const run::SweepSeries& series : sweep.series) {
        if (series.has(metric.key)) lines.push_back({&series, &metric, nameOf(series, language)});
        if (metric.name != "time" || kernels.size() != 1 || !series.variant) continue;
        if (series.has(metric.key)) lines.back().name = say(language, kKernelAlone);
        for (const auto& [name, words] :
             {std::pair("time_with_transfers", &kWithTransfers), std::pair("first_launch", &kFirstLaunch)})
            if (const run::SweepMetric* more = run::findSweepMetric(name); series.has(more->key))
                lines.push_back({&series, more, say(language, *words)});
    }
    return lines;
}

PointSource sourceOf(const run::SweepSeries& series) {
    switch (series.source) {
        case run::SweepSource::Gpu: return PointSource::Measured;
        case run::SweepSource::Recording: return PointSource::Recorded;
        case run::SweepSource::Model: return PointSource::Modeled;
        case run::SweepSource::Emulator: break;
    }
    return PointSource::Counted;
}

std::string originOf(const run::SweepSeries& series, const run::SweepPoint& point, Language language) {
    switch (series.source) {
        case run::SweepSource::Gpu: return say(language, kMeasuredHere, series.device);
        case run::SweepSource::Recording:
            return say(language, series.variant ? kRecordedThere : kRecordedOnCpu, series.device,
                       series.date);
        case run::SweepSource::Model: return modeledOrigin(series.device, point.modelErrorPercent, language);
        case run::SweepSource::Emulator: break;
    }
    const model::Profile* profile = model::findProfile(series.device);
    return say(language, point.isSampled ? kCountedSample : kCountedHere,
               profile ? say(language, kRulesOf, model::capabilityOf(*profile)) : series.device);
}

// The parameters at which a point was made, beside those that the chart has on its axis and in its names.
std::string othersOf(const run::SweepPoint& point, Language language) {
    std::string list;
    for (const auto& [name, value] : point.others)
        list += fmt::format("{}{} = {}", list.empty() ? "" : listComma(language), name, value);
    return list.empty() ? list : "\n" + say(language, kOtherParameters, list);
}

// What the key says of a source: the devices of its series, or the first of several.
std::string keyText(const std::vector<Line>& lines, run::SweepSource source, Language language) {
    std::string text;
    for (const Line& line : lines)
        if (line.series->source == source) {
            const std::string one = source == run::SweepSource::Recording
                                        ? say(language, kRecordedSome, line.series->device)
                                        : originOf(*line.series, {}, language);
            if (text.empty())
                text = one;
            else if (text.find(line.series->device) == std::string::npos)
                text += listComma(language) + line.series->device;
        }
    return text;
}

// The errors of the modeled points: they differ by kind of launch.
std::string modeledKey(const std::vector<Line>& lines, Language language) {
    std::optional<std::pair<f64, f64>> errors;
    bool isModeled = false;
    for (const Line& line : lines)
        for (const run::SweepPoint& point : line.series->points) {
            isModeled |= line.series->source == run::SweepSource::Model && !point.error;
            if (!point.modelErrorPercent) continue;
            const f64 error = *point.modelErrorPercent;
            errors = errors ? std::pair(std::min(errors->first, error), std::max(errors->second, error))
                            : std::pair(error, error);
        }
    if (!errors) return isModeled ? say(language, kModeledKeyNone) : std::string();
    const std::string least = errorText(errors->first), most = errorText(errors->second);
    return least == most ? say(language, kModeledKey, most) : say(language, kModeledKeyTwo, least, most);
}

// What a modeled figure may be, by the model's error: a rate is the reciprocal of a time.
std::pair<f64, f64> rangeOf(const run::SweepPoint& point, f64 value, const run::SweepMetric& metric) {
    const f64 error = point.modelErrorPercent.value_or(0) / 100;
    if (metric.unit == run::MetricUnit::Milliseconds) return {value * (1 - error), value * (1 + error)};
    return {value / (1 + error), value / (1 - error)};
}

ChartSeries drawnOf(const run::Sweep& sweep, const Line& line, const SweepLook& look, Language language) {
    ChartSeries drawn{.name = line.name,
                      .source = sourceOf(*line.series),
                      .isCurrent = isCurrent(*line.series, look.current)};
    for (const run::SweepPoint& point : line.series->points) {
        const auto found = point.metrics.find(line.metric->key);
        if (found == point.metrics.end()) continue;
        const bool isWrong = !point.correct.value_or(true);
        const auto across =
            look.current ? look.current->values.find(sweep.parameter) : catalog::Values::const_iterator{};
        const auto [low, high] = rangeOf(point, found->second, *line.metric);
        drawn.points.push_back(
            {.x = f64(point.value),
             .y = found->second,
             .low = low,
             .high = high,
             .hover =
                 say(language,
                     !line.series->variant ? kCpuHover
                     : isWrong             ? kWrongHover
                                           : kPointHover,
                     line.name, sweep.parameter, point.value, metricText(*line.metric, found->second),
                     originOf(*line.series, point, language), line.metric->title) +
                 (drawn.source == PointSource::Modeled ? "\n" + say(language, kHowModeled) : std::string()) +
                 othersOf(point, language),
             .isWrong = isWrong,
             .isCurrent = drawn.isCurrent && look.current && across != look.current->values.end() &&
                          across->second == point.value});
    }
    return drawn;
}

std::string parameterTitle(const run::Sweep& sweep, Language language) {
    const catalog::Parameter* parameter = sweep.family->findParameter(sweep.parameter);
    const std::string unit = parameter ? parameter->unit.in(language) : std::string();
    const bool saysMore = !unit.empty() && unit != sweep.parameter;
    return saysMore ? say(language, kUnit, sweep.parameter, unit) : sweep.parameter;
}

std::pair<s64, s64> endsOf(const std::vector<Line>& lines) {
    std::optional<std::pair<s64, s64>> ends;
    for (const Line& line : lines)
        for (const run::SweepPoint& point : line.series->points)
            if (point.metrics.contains(line.metric->key)) {
                if (!ends) ends = std::pair(point.value, point.value);
                ends->first = std::min(ends->first, point.value);
                ends->second = std::max(ends->second, point.value);
            }
    return ends.value_or(std::pair(s64{0}, s64{0}));
}

}  // namespace

std::string metricText(const run::SweepMetric& metric, f64 value) {
    switch (metric.unit) {
        case run::MetricUnit::Milliseconds: return timeText(value);
        case run::MetricUnit::Percent: return fmt::format("{:.1f}%", value);
        case run::MetricUnit::GigabytesPerSecond: return bytesPerSecondText(1e9 * value);
        case run::MetricUnit::TeraOperationsPerSecond: return threeDigits(value) + " TFLOP/s";
        case run::MetricUnit::Ratio: return fmt::format("{:.2f}", value);
        case run::MetricUnit::Count: break;
    }
    return grouped(u64(std::llround(value)));
}

std::string metricTitle(const run::SweepMetric& metric, Language language) {
    const std::string_view unit = metric.unitName();
    return unit.empty() ? say(language, metric.title) : say(language, kUnit, metric.title, unit);
}

Chart chartOf(const run::Sweep& sweep, const SweepLook& look, Language language) {
    const run::SweepMetric& metric = metricOf(sweep, look);
    const std::vector<Line> lines = linesOf(sweep, metric, language);
    Chart chart{.across = parameterTitle(sweep, language),
                .up = metricTitle(metric, language),
                .series = {},
                .x = look.x,
                .y = look.y,
                .measured = keyText(lines, run::SweepSource::Gpu, language),
                .recorded = keyText(lines, run::SweepSource::Recording, language),
                .counted = keyText(lines, run::SweepSource::Emulator, language),
                .modeled = modeledKey(lines, language),
                .wrong = say(language, kWrongKey)};
    if (metric.unit == run::MetricUnit::Milliseconds) chart.tick = tickTimeText;
    for (const Line& line : lines)
        chart.series.push_back(drawnOf(sweep, line, look, language));
    return chart;
}

namespace {

// Of the current variant, or the first one: its figures at both ends.
std::string endsSentence(const run::Sweep& sweep, const SweepLook& look, Language language) {
    const run::SweepMetric& metric = metricOf(sweep, look);
    const std::vector<Line> lines = linesOf(sweep, metric, language);
    const auto ofKernel = [&](const Line& line) { return line.metric == &metric && line.series->variant; };
    // Of the current variant, else the first one, the series with the most points.
    const auto firstOf = std::ranges::find_if(lines, ofKernel);
    const auto rank = [&](const Line& one) {
        const auto has = [&](const run::SweepPoint& point) { return point.metrics.contains(metric.key); };
        return std::tuple(ofKernel(one), isCurrent(*one.series, look.current),
                          one.series->source != run::SweepSource::Model,
                          firstOf != lines.end() && one.name == firstOf->name,
                          std::ranges::count_if(one.series->points, has));
    };
    const auto line = firstOf == lines.end() ? lines.end() : std::ranges::max_element(lines, {}, rank);
    if (line == lines.end()) return say(language, kNoPoints, metric.title);
    std::vector<const run::SweepPoint*> points;
    for (const run::SweepPoint& point : line->series->points)
        if (point.metrics.contains(metric.key)) points.push_back(&point);
    const auto text = [&](const run::SweepPoint& point) {
        return metricText(metric, point.metrics.find(metric.key)->second);
    };
    const std::string name = nameOf(*line->series, language),
                      origin = originOf(*line->series, *points.back(), language);
    if (points.size() == 1)
        return say(language, kOneEnd, name, text(*points[0]), sweep.parameter, points[0]->value, origin,
                   metric.title);
    return say(language, kEnds, name, text(*points.front()), sweep.parameter, points.front()->value,
               text(*points.back()), points.back()->value, origin, metric.title);
}

// What the other parameters of its variants are at all points, whether chosen or by default.
std::vector<run::Setting> alikeOf(const run::Sweep& sweep) {
    std::vector<run::Setting> alike;
    for (const catalog::Parameter& parameter : sweep.family->parameters) {
        const bool isUsed = std::ranges::any_of(sweep.series, [&](const run::SweepSeries& series) {
            return series.variant && std::ranges::count(series.variant->parameters, parameter.name) > 0;
        });
        const bool isSeries = std::ranges::any_of(sweep.series, [&](const run::SweepSeries& series) {
            return series.setting && series.setting->first == parameter.name;
        });
        const auto chosen = std::ranges::find(sweep.fixed, parameter.name, &run::Setting::first);
        const std::string value =
            chosen == sweep.fixed.end() ? parameter.shown(parameter.defaultValue) : chosen->second;
        // A recording has some values with another number of blocks, say: that is said at its points.
        const bool varies = std::ranges::any_of(sweep.series, [&](const run::SweepSeries& series) {
            return std::ranges::any_of(series.points, [&](const run::SweepPoint& point) {
                const auto there = std::ranges::find(point.others, parameter.name, &run::Setting::first);
                return there != point.others.end() && there->second != value;
            });
        });
        if (varies || !isUsed || isSeries || parameter.name == sweep.parameter || !parameter.computed.empty())
            continue;
        alike.emplace_back(parameter.name, value);
    }
    return alike;
}

// What has to be known of modeled points: that they begin cold where others do not, and where there are none.
std::string modeledSentence(const std::vector<Line>& lines, const run::Sweep& sweep, Language language) {
    bool isModeled = false, isRecorded = false;
    for (const Line& line : lines) {
        isModeled |= line.series->source == run::SweepSource::Model;
        isRecorded |= line.series->source == run::SweepSource::Recording && line.series->variant;
    }
    std::string text;
    if (isModeled && isRecorded) text += sentenceGap(language) + say(language, kColdBesideWarm);
    const run::SweepPoint* first = nullptr;
    std::size_t more = 0;
    for (const run::SweepSeries& series : sweep.series)
        for (const run::SweepPoint& point : series.points)
            if (series.source == run::SweepSource::Model && point.error)
                first ? void(++more) : void(first = &point);
    if (!first) return text;
    const std::string why = describe(*first->error, language);
    return text + sentenceGap(language) +
           (more ? say(language, kNoModeledTimes, sweep.parameter, first->value, why, more)
                 : say(language, kNoModeledTime, sweep.parameter, first->value, why));
}

}  // namespace

std::string sweepSentence(const run::Sweep& sweep, const SweepLook& look, Language language) {
    return endsSentence(sweep, look, language) +
           modeledSentence(linesOf(sweep, metricOf(sweep, look), language), sweep, language);
}

Scene sweepScene(const ViewInput& in, const run::Sweep& sweep, const SweepLook& look) {
    Canvas canvas(in.size, in.metrics);
    const std::vector<Line> lines = linesOf(sweep, metricOf(sweep, look), in.language);
    const auto [first, last] = endsOf(lines);
    const std::string family = sweep.family->title.in(in.language);
    const std::string range = first == last
                                  ? say(in.language, kCaptionOne, family, sweep.parameter, first)
                                  : say(in.language, kCaption, family, sweep.parameter, first, last);
    const std::string alike = sizeText(alikeOf(sweep), in.language),
                      caption = alike.empty() ? range : range + " · " + alike;
    const Rect body = headWithoutKernel(canvas, in, kTitle.in(in.language), caption);
    drawChart(canvas, {body.x + space::kInset, body.y + 10, body.width - 2 * space::kInset, body.height - 18},
              chartOf(sweep, look, in.language));
    return std::move(canvas).take(sweepSentence(sweep, look, in.language));
}

}  // namespace lockstep::viz
