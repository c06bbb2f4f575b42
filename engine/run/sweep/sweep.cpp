#include "run/sweep/sweep.h"

#include "base/nearest.h"
#include "catalog/values/number_text.h"
#include "run/sweep/sweep_range.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace lockstep::run {
namespace {

bool hasParameter(const catalog::Variant& variant, std::string_view name) {
    return std::ranges::find(variant.parameters, name) != variant.parameters.end();
}

struct Subjects {
    const catalog::Family* family = nullptr;
    std::vector<const catalog::Variant*> named;  // explicitly
    std::vector<const catalog::Variant*> all;    // and those that the family's name stands for
};

Expected<Subjects> subjectsOf(const catalog::Catalog& catalog, std::span<const std::string> kernels) {
    Subjects subjects;
    const auto add = [&](const catalog::Variant& variant) {
        if (std::ranges::find(subjects.all, &variant) == subjects.all.end()) subjects.all.push_back(&variant);
    };
    for (const std::string& word : kernels) {
        const catalog::Family* family = catalog.find(word);
        const catalog::Variant* variant = nullptr;
        if (!family && subjects.family && word.find('/') == std::string::npos)
            family = (variant = subjects.family->find(word)) ? subjects.family : nullptr;
        if (!family) {
            const auto found = catalog.lookUp(word);
            if (!found) return Unexpected{found.error()};
            std::tie(family, variant) = *found;
        }
        if (subjects.family && subjects.family != family)
            return fail(FaultKind::Usage,
                        Message(english("{0} and {1} are two families; a sweep takes variants of one"),
                                subjects.family->name, family->name));
        subjects.family = family;
        if (variant) {
            subjects.named.push_back(variant);
            add(*variant);
        } else {
            for (const catalog::Variant& one : family->variants)
                add(one);
        }
    }
    if (!subjects.family)
        return fail(FaultKind::Usage, english("say what to sweep: FAMILY, or FAMILY/VARIANT (lockstep list "
                                              "shows them)"));
    return subjects;
}

Expected<void> checkParameter(const Subjects& subjects, const Setting& setting) {
    std::vector<std::string> names;
    for (const catalog::Variant* variant : subjects.all)
        for (const std::string& name : variant->parameters)
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    if (std::ranges::find(names, setting.first) != names.end()) return {};
    return fail(
        FaultKind::Usage,
        Message(
            english("--set {0}: none of these kernels has a parameter '{1}'{2} (lockstep list shows them)"),
            setting.first + "=" + setting.second, setting.first, didYouMean(setting.first, names)));
}

// Which of the settings goes across, and which makes the series.
Expected<std::pair<const Setting*, const Setting*>> sweptOf(std::span<const Setting> settings) {
    std::vector<const Setting*> swept;
    for (const Setting& setting : settings)
        if (isSwept(setting.second)) swept.push_back(&setting);
    if (swept.empty())
        return fail(FaultKind::Usage,
                    english("say which parameter to sweep: --set width=64:4096:x2, width=16:256:+16 or "
                            "width=64,256,1024"));
    if (swept.size() > 2)
        return fail(FaultKind::Usage,
                    Message(english("{0} parameters have several values; a sweep takes one, and a second for "
                                    "its series"),
                            swept.size()));
    if (swept.size() == 1) return std::pair(swept[0], static_cast<const Setting*>(nullptr));
    if (!isRange(swept[0]->second) && isRange(swept[1]->second)) std::swap(swept[0], swept[1]);
    return std::pair(swept[0], swept[1]);
}

SweepSeries& seriesOf(Sweep& sweep, const SweepSeries& like) {
    const auto found = std::ranges::find_if(sweep.series, [&](const SweepSeries& series) {
        return series.variant == like.variant && series.setting == like.setting &&
               series.source == like.source && series.device == like.device &&
               series.recording == like.recording;
    });
    return found == sweep.series.end() ? sweep.series.emplace_back(like) : *found;
}

void put(SweepSeries& series, SweepPoint point) {
    const auto at = std::ranges::lower_bound(series.points, point.value, {}, &SweepPoint::value);
    if (at != series.points.end() && at->value == point.value)
        *at = std::move(point);
    else
        series.points.insert(at, std::move(point));
}

// How alike a recorded run has to be to a task.
enum class Likeness : u8 {
    Same,     // in all parameters
    SameWork  // in what was chosen; what else is set otherwise, as the number of blocks, changes no work
};

// The task that a recorded run is of; none: it differs in what the plan fixes.
std::optional<SweepTask> taskOf(const catalog::Values& values, const SweepPlan& plan,
                                const catalog::Variant& variant, Likeness likeness) {
    if (!hasParameter(variant, plan.parameter)) return std::nullopt;
    const auto isChosen = [&](const std::string& name) {
        return !plan.isProposed && std::ranges::find(plan.fixed, name, &Setting::first) != plan.fixed.end();
    };
    const auto matches = [&](const SweepTask& task) {
        const Expected<catalog::Values> wanted = valuesOf(plan, task);
        if (!wanted) return false;
        const bool isSame = std::ranges::all_of(variant.parameters, [&](const std::string& name) {
            const bool isFree = likeness == Likeness::SameWork && !isChosen(name) &&
                                (!task.setting || name != task.setting->first);
            return name == plan.parameter || isFree || wanted->at(name) == values.at(name);
        });
        if (!isSame || likeness == Likeness::Same) return isSame;
        const catalog::Work work = catalog::workOf(*plan.family, variant, values),
                            same = catalog::workOf(*plan.family, variant, *wanted);
        return work.bytes == same.bytes && work.operations == same.operations &&
               work.bytes + work.operations > 0;
    };
    SweepTask task{&variant, {}, values.at(plan.parameter)};
    if (plan.seriesParameter.empty()) return matches(task) ? std::optional(task) : std::nullopt;
    for (const std::string& value : plan.seriesValues) {
        task.setting = Setting(plan.seriesParameter, value);
        if (matches(task)) return task;
    }
    return std::nullopt;
}

}  // namespace

Expected<SweepPlan> planSweep(const catalog::Catalog& catalog, std::span<const std::string> kernels,
                              std::span<const Setting> settings) {
    const Expected<Subjects> subjects = subjectsOf(catalog, kernels);
    if (!subjects) return Unexpected{subjects.error()};
    for (const Setting& setting : settings)
        if (const Expected<void> known = checkParameter(*subjects, setting); !known)
            return Unexpected{known.error()};
    const auto swept = sweptOf(settings);
    if (!swept) return Unexpected{swept.error()};
    const auto [across, series] = *swept;
    SweepPlan plan{.family = subjects->family,
                   .variants = {},
                   .parameter = across->first,
                   .values = {},
                   .seriesParameter = {},
                   .seriesValues = {},
                   .fixed = {}};
    if (subjects->family->findParameter(plan.parameter)->isChoice())
        return fail(
            FaultKind::Usage,
            Message(english("--set {0}={1}: the values of this parameter are names; sweep another one, "
                            "and this one makes its series"),
                    across->first, across->second));
    const Expected<std::vector<std::string>> values = sweptValues(across->first, across->second);
    if (!values) return Unexpected{values.error()};
    for (const std::string& text : *values) {
        const std::optional<s64> value = catalog::parseWhole(text);
        if (!value)
            return fail(FaultKind::Usage, Message(english("--set {0}={1}: {2} is not a whole number"),
                                                  across->first, across->second, text));
        plan.values.push_back(*value);
    }
    std::ranges::sort(plan.values);
    plan.values.erase(std::ranges::unique(plan.values).begin(), plan.values.end());
    if (series) {
        Expected<std::vector<std::string>> all = sweptValues(series->first, series->second);
        if (!all) return Unexpected{all.error()};
        plan.seriesParameter = series->first;
        plan.seriesValues = std::move(*all);
    }
    const auto hasSwept = [&](const catalog::Variant& variant) {
        return hasParameter(variant, plan.parameter) && (!series || hasParameter(variant, series->first));
    };
    for (const catalog::Variant* variant : subjects->named)
        if (!hasSwept(*variant))
            return fail(
                FaultKind::Usage,
                Message(english("{0}/{1} has no parameter '{2}'; leave it out"), plan.family->name,
                        variant->name,
                        hasParameter(*variant, plan.parameter) ? plan.seriesParameter : plan.parameter));
    for (const catalog::Variant* variant : subjects->all)
        if (hasSwept(*variant)) plan.variants.push_back(variant);
    if (plan.variants.empty())
        return fail(FaultKind::Usage, Message(english("no variant of {0} has both '{1}' and '{2}'"),
                                              plan.family->name, plan.parameter, plan.seriesParameter));
    for (const Setting& setting : settings)
        if (&setting != across && &setting != series) plan.fixed.push_back(setting);
    return plan;
}

std::vector<const catalog::Parameter*> sweepableParameters(const catalog::Family& family,
                                                           const catalog::Variant& variant) {
    std::vector<const catalog::Parameter*> parameters;
    for (const std::string& name : variant.parameters)
        if (const catalog::Parameter* parameter = family.findParameter(name);
            parameter && !parameter->isChoice() && parameter->computed.empty())
            parameters.push_back(parameter);
    return parameters;
}

namespace {

std::vector<s64> proposedValues(const catalog::Parameter& parameter, s64 around) {
    constexpr s64 kFew = 33;
    constexpr int kDown = 4, kUp = 3;  // factors of two
    if (!parameter.values.empty()) {
        // Only those that need no compiler.
        std::vector<s64> values = parameter.prebuilt.empty() ? parameter.values : parameter.prebuilt;
        std::ranges::sort(values);
        return values;
    }
    std::set<s64> values{around};
    if (parameter.max - parameter.min < kFew) {
        for (s64 value = parameter.min; value <= parameter.max; ++value)
            values.insert(value);
    } else {
        const s64 least = std::max<s64>(parameter.min, 1);
        for (s64 value = around / 2, i = 0; i < kDown && value >= least; value /= 2, ++i)
            values.insert(value);
        for (s64 value = around, i = 0; i < kUp && value > 0 && value <= parameter.max / 2; ++i)
            values.insert(value *= 2);
    }
    return {values.begin(), values.end()};
}

}  // namespace

SweepPlan proposedSweep(const catalog::Family& family, std::vector<const catalog::Variant*> variants,
                        const catalog::Values& around, const std::string& parameter) {
    std::erase_if(variants,
                  [&](const catalog::Variant* variant) { return !hasParameter(*variant, parameter); });
    SweepPlan plan{.family = &family,
                   .variants = std::move(variants),
                   .parameter = parameter,
                   .values = proposedValues(*family.findParameter(parameter), around.at(parameter)),
                   .seriesParameter = {},
                   .seriesValues = {},
                   .fixed = {}};
    for (const catalog::Parameter& other : family.parameters)
        if (other.name != parameter && other.computed.empty())
            plan.fixed.emplace_back(other.name, other.shown(around.at(other.name)));
    plan.isProposed = true;
    return plan;
}

std::vector<SweepTask> tasksOf(const SweepPlan& plan) {
    std::vector<SweepTask> tasks;
    for (const s64 value : plan.values)
        for (const catalog::Variant* variant : plan.variants) {
            if (plan.seriesParameter.empty()) tasks.push_back({variant, {}, value});
            for (const std::string& of : plan.seriesValues)
                tasks.push_back({variant, Setting(plan.seriesParameter, of), value});
        }
    return tasks;
}

Expected<catalog::Values> valuesOf(const SweepPlan& plan, const SweepTask& task) {
    std::vector<Setting> settings;
    for (const Setting& setting : plan.fixed)
        if (hasParameter(*task.variant, setting.first)) settings.push_back(setting);
    if (task.setting) settings.push_back(*task.setting);
    settings.emplace_back(plan.parameter, std::to_string(task.value));
    return catalog::resolve(*plan.family, *task.variant, settings);
}

const char* nameOf(SweepSource source) {
    switch (source) {
        case SweepSource::Emulator: return "emulator";
        case SweepSource::Gpu: return "gpu";
        case SweepSource::Recording: return "recording";
        case SweepSource::Model: return "model";
    }
    return "";
}

bool SweepSeries::has(std::string_view metricKey) const {
    return std::ranges::any_of(points, [&](const SweepPoint& point) {
        return point.metrics.find(metricKey) != point.metrics.end();
    });
}

bool Sweep::has(std::string_view metricKey) const {
    return std::ranges::any_of(series, [&](const SweepSeries& one) { return one.has(metricKey); });
}

bool Sweep::hasErrors() const {
    return std::ranges::any_of(series, [](const SweepSeries& one) {
        return std::ranges::any_of(one.points,
                                   [](const SweepPoint& point) { return point.error.has_value(); });
    });
}

Sweep emptySweep(const SweepPlan& plan) {
    return {.family = plan.family, .parameter = plan.parameter, .fixed = plan.fixed, .series = {}};
}

std::vector<Setting> othersOf(const Sweep& sweep, const SweepTask& task, const catalog::Values& values) {
    std::vector<Setting> others;
    for (const std::string& name : task.variant->parameters) {
        const catalog::Parameter* parameter = sweep.family->findParameter(name);
        const auto value = values.find(name);
        if (!parameter || value == values.end() || name == sweep.parameter ||
            (task.setting && name == task.setting->first))
            continue;
        others.emplace_back(name, parameter->shown(value->second));
    }
    return others;
}

void addPoint(Sweep& sweep, const SweepSeries& series, SweepPoint point) {
    put(seriesOf(sweep, series), std::move(point));
}

void addRun(Sweep& sweep, const SweepTask& task, const Run& run) {
    const std::vector<Setting> others =
        run.catalog ? othersOf(sweep, task, run.catalog->values) : std::vector<Setting>{};
    const bool isHere = run.measured && run.measured->recording.empty();
    if (isHere)
        put(seriesOf(sweep, {.variant = task.variant,
                             .setting = task.setting,
                             .source = SweepSource::Gpu,
                             .device = run.measured->device}),
            {.value = task.value,
             .metrics = measuredMetricsOf(*run.measured, *sweep.family, *task.variant, run.catalog->values),
             .others = others,
             .correct = run.correct()});
    SweepPoint counted{.value = task.value,
                       .metrics = modelMetricsOf(run),
                       .others = others,
                       .correct = run.recording.sample ? std::nullopt : run.correct(),
                       .isSampled = run.recording.sample.has_value()};
    if (counted.metrics.empty()) {
        if (isHere) return;
        counted.error =
            fail(FaultKind::TooLarge, english("the blocks that were run say nothing of the whole grid"))
                .value();
    }
    put(seriesOf(sweep, {.variant = task.variant,
                         .setting = task.setting,
                         .source = SweepSource::Emulator,
                         .device = run.profile.name}),
        std::move(counted));
}

void addError(Sweep& sweep, const SweepTask& task, SweepSource source, const std::string& device,
              Fault fault) {
    put(seriesOf(sweep,
                 {.variant = task.variant, .setting = task.setting, .source = source, .device = device}),
        {.value = task.value, .metrics = {}, .error = std::move(fault)});
}

void addRecorded(Sweep& sweep, const SweepPlan& plan, std::span<const RecordedMachine> machines,
                 bool everywhere) {
    const auto isWanted = [&](s64 value) {
        return everywhere || std::ranges::binary_search(plan.values, value);
    };
    const auto addThose = [&](const RecordedMachine& machine, Likeness likeness,
                              std::vector<SweepPoint>& onCpu) {
        const HardwareRecording& recording = machine.recording;
        for (const RecordedRun& recorded : recording.runs) {
            const auto variant = std::ranges::find_if(plan.variants, [&](const catalog::Variant* one) {
                return recorded.kernel == plan.family->name + "/" + one->name;
            });
            if (variant == plan.variants.end() || recorded.ending != Ending::Whole) continue;
            const Expected<catalog::Values> values =
                catalog::resolve(*plan.family, **variant, recorded.parameters);
            if (!values) continue;
            const std::optional<SweepTask> task = taskOf(*values, plan, **variant, likeness);
            if (!task || !isWanted(task->value)) continue;
            SweepSeries& series = seriesOf(sweep, {.variant = *variant,
                                                   .setting = task->setting,
                                                   .source = SweepSource::Recording,
                                                   .device = recording.device,
                                                   .recording = recording.name,
                                                   .date = recording.date});
            const bool hasPoint =
                std::ranges::find(series.points, task->value, &SweepPoint::value) != series.points.end();
            if (likeness == Likeness::SameWork && hasPoint) continue;
            put(series, {.value = task->value,
                         .metrics = recordedMetricsOf(recorded, *plan.family, **variant, *values),
                         .others = othersOf(sweep, *task, *values),
                         .correct = recorded.correct});
            const auto isThere = std::ranges::find(onCpu, task->value, &SweepPoint::value) != onCpu.end();
            if (recorded.cpuMilliseconds && !task->setting && !isThere)
                onCpu.push_back({.value = task->value, .metrics = {{"time_ms", *recorded.cpuMilliseconds}}});
        }
    };
    for (const RecordedMachine& machine : machines) {
        std::vector<SweepPoint> onCpu;
        addThose(machine, Likeness::Same, onCpu);
        addThose(machine, Likeness::SameWork, onCpu);
        for (SweepPoint& point : onCpu)
            put(seriesOf(sweep, {.source = SweepSource::Recording,
                                 .device = machine.recording.device,
                                 .recording = machine.recording.name,
                                 .date = machine.recording.date}),
                std::move(point));
    }
}

void merge(Sweep& sweep, const Sweep& other) {
    for (const SweepSeries& series : other.series) {
        SweepSeries like = series;
        like.points.clear();
        SweepSeries& into = seriesOf(sweep, like);
        for (const SweepPoint& point : series.points)
            put(into, point);
    }
}

const SweepMetric& defaultMetric(const Sweep& sweep, std::size_t values) {
    if (values == 0) {
        std::set<s64> all;
        for (const SweepSeries& series : sweep.series)
            for (const SweepPoint& point : series.points)
                all.insert(point.value);
        values = all.size();
    }
    const auto timed = [&](const SweepSeries& series) {
        const auto count = std::ranges::count_if(
            series.points, [](const SweepPoint& point) { return point.metrics.contains("time_ms"); });
        if (series.source == SweepSource::Model) return count > 0;  // that is what it was asked for
        return series.variant && count > 1 && 2 * std::size_t(count) >= values;
    };
    if (std::ranges::any_of(sweep.series, timed)) return *findSweepMetric("time");
    const bool isCounted =
        std::ranges::find(sweep.series, SweepSource::Emulator, &SweepSeries::source) != sweep.series.end();
    for (const char* key : {"sectors_per_request", "bank_conflicts", "ptx__branches_divergent"}) {
        std::optional<f64> first;
        for (const SweepSeries& series : sweep.series)
            for (const SweepPoint& point : series.points) {
                if (isCounted && series.source != SweepSource::Emulator)
                    continue;  // hardware's vary a little
                const auto found = point.metrics.find(key);
                if (found == point.metrics.end()) continue;
                if (!first) first = found->second;
                constexpr f64 kSeen = 0.02;  // of the larger one: less is not seen
                if (std::abs(*first - found->second) > kSeen * std::max(*first, found->second))
                    return *findSweepMetric(key);
            }
    }
    return *findSweepMetric("ptx__thread_inst_executed");
}

}  // namespace lockstep::run
