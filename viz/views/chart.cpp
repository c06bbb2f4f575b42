// One figure over a parameter of the kernel: the recordings' points, those swept in this session and the run
// on show, for the variants of the family.
#include "viz/parts/chart.h"

#include "base/text/counted.h"
#include "run/sweep/modeled_times.h"
#include "viz/marks/frame.h"
#include "viz/sweeps_on_show.h"
#include "viz/views/cost_page.h"
#include "viz/views/sweep_chart.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::viz {
namespace {

constexpr Words kTitle = english("Chart");
constexpr Words kNeedsTheCatalog = english("Charts show kernels of the catalog over their parameters.");
constexpr Words kNoParameter = english("This kernel has no parameter to plot against.");
constexpr Words kChooseMetric = english("Show {0}");
constexpr Words kChooseParameter = english("Plot against {0}");
constexpr Words kSweep = english("Sweep {0}");
constexpr Words kSweepHover =
    english("Run this variant, and the one that it is compared with, in the background at {0} = {1}");
constexpr Words kModelTimes = english("Model {0} {0:point|points}");
constexpr Words kModelTimesHover = english(
    "Nobody measured the {0} at {1} = {2}: let a model of it execute the machine code, in the "
    "background; each point says how far it may be off");
constexpr Words kUnderWay = english("Point {0} of {1}: cancel");
constexpr Words kUnderWayHover = english("Cancel the sweep; the points made so far are kept");
constexpr Words kFailed = english("{0} {0:point|points} without figures");
constexpr Words kFailedPoint = english("{0}, {1} = {2}: {3}");
constexpr Words kCostOfASum = english("Cost of a sum");
constexpr Words kCostHover =
    english("Processors times steps: one processor for each element against n / log n (Brent's theorem)");
constexpr Words kLinear = english("linear");
constexpr Words kLog = english("log");
constexpr Words kAxisHover = english("Make the value axis {0}");
constexpr Words kAxisAcrossHover = english("Make the {1} axis {0}");
constexpr Words kUpward = english("values: {0}");
constexpr Words kAcross = english("{1}: {0}");

// What the view offers, the most asked for first.
struct Offered {
    const char* metric;
    Words brief;
};
constexpr std::array kOffered{
    Offered{"time", english("a metric", "Time")},
    Offered{"bandwidth", english("a metric", "Bandwidth")},
    Offered{"tflops", english("a metric", "FLOP/s")},
    Offered{"sectors_per_request", english("a metric", "Sectors per request")},
    Offered{"global_sectors", english("a metric", "Sectors")},
    Offered{"l1_hit_rate", english("a metric", "L1 hit rate")},
    Offered{"l2_hit_rate", english("a metric", "L2 hit rate")},
    Offered{"shared_wavefronts", english("a metric", "Shared wavefronts")},
    Offered{"bank_conflicts", english("a metric", "Bank conflicts")},
    Offered{"ptx__branches_divergent", english("a metric", "Divergent branches")},
    Offered{"ptx__thread_inst_executed", english("a metric", "Thread instructions")},
};

constexpr f32 kChip = 24, kChipPitch = 28, kGap = 6, kGroupGap = 18, kLowView = 300, kMostRowsShare = 0.3f;
const TextStyle kChipText{.size = type::kCode, .align = Align::Centre};

struct Chip {
    std::string text;
    Hit hit;
    bool isOn = false;
    bool beginsGroup = false;
};

// What a chart is made of; the same for all pictures of a run, of the sweeps and of a choice.
struct Facts {
    const SweepsOnShow* sweeps = nullptr;
    std::size_t sweptPoints = 0;
    const run::Run* run = nullptr;
    u8 chosen = 0;
    const catalog::Parameter* parameter = nullptr;
    run::Sweep sweep;
    std::vector<s64> toModel{};  // values at which the run's variant has no time
};

std::size_t pointsIn(const SweepsOnShow* sweeps) {
    std::size_t points = 0;
    if (sweeps)
        for (const run::Sweep& sweep : sweeps->sweeps)
            for (const run::SweepSeries& series : sweep.series)
                points += series.points.size();
    return points;
}

run::SweepPlan planOver(const catalog::Experiment& experiment, const catalog::Parameter& parameter) {
    std::vector<const catalog::Variant*> variants;
    for (const catalog::Variant& variant : experiment.family->variants)
        variants.push_back(&variant);
    return run::proposedSweep(*experiment.family, std::move(variants), experiment.values, parameter.name);
}

std::span<const run::RecordedMachine> machinesOf(const ViewInput& in) {
    return in.machines ? std::span(*in.machines) : std::span<const run::RecordedMachine>();
}

// All that is known over this parameter where everything else is as in the run.
run::Sweep knownOver(const run::Run& run, std::span<const run::RecordedMachine> machines,
                     const SweepsOnShow* sweeps, const catalog::Parameter& parameter) {
    const catalog::Experiment& experiment = *run.catalog;
    const run::SweepPlan plan = planOver(experiment, parameter);
    run::Sweep sweep = run::emptySweep(plan);
    run::addRecorded(sweep, plan, machines, true);
    if (sweeps)
        if (const run::Sweep* swept = sweeps->find(sweep)) run::merge(sweep, *swept);
    const bool isMeasured = run.measured && run.measured->recording.empty();
    if (isMeasured || !run::modelMetricsOf(run).empty())
        run::addRun(sweep, {experiment.variant, {}, experiment.values.at(parameter.name)}, run);
    return sweep;
}

std::size_t pointsOf(const run::Sweep& sweep, const catalog::Variant* variant) {
    std::size_t most = 0;
    for (const run::SweepSeries& series : sweep.series)
        if (series.variant == variant) most = std::max(most, series.points.size());
    return most;
}

class Picture {
public:
    Picture(const ViewInput& in, const Facts& facts, const std::vector<const catalog::Parameter*>& parameters)
        : in_(in),
          facts_(facts),
          parameters_(parameters),
          options_(optionsAs<ChartOptions>(in.state.options)),
          canvas_(in.size, in.metrics) {
        const std::span<const run::SweepMetric> metrics = run::sweepMetrics();
        const bool isKnown = options_.metric > 0 && options_.metric <= metrics.size() &&
                             facts.sweep.has(metrics[options_.metric - 1u].key);
        look_ = {.metric = isKnown ? &metrics[options_.metric - 1u] : &run::defaultMetric(facts.sweep),
                 .x = options_.x,
                 .y = options_.y,
                 .current = &*in.run.catalog};
    }

    Scene draw() {
        const Rect body =
            head(canvas_, in_, kTitle.in(in_.language), metricTitle(*look_.metric, in_.language));
        const f32 top = drawChips(body);
        drawChart(canvas_,
                  {body.x + space::kInset, top, body.width - 2 * space::kInset, body.bottom() - top - 8},
                  chartOf(facts_.sweep, look_, in_.language));
        return std::move(canvas_).take(sweepSentence(facts_.sweep, look_, in_.language));
    }

private:
    Chip sweepChip() const {
        if (in_.sweeps->isUnderWay)
            return {.text = say(in_.language, kUnderWay, std::min(in_.sweeps->done + 1, in_.sweeps->total),
                                in_.sweeps->total),
                    .hit = {.hover = say(in_.language, kUnderWayHover), .sweep = ""}};
        const run::SweepPlan plan = planOver(*in_.run.catalog, *facts_.parameter);
        std::string values;
        for (const s64 value : plan.values)
            values += (values.empty() ? "" : ", ") + grouped(u64(std::max<s64>(value, 0)));
        return {.text = say(in_.language, kSweep, facts_.parameter->name),
                .hit = {.hover = say(in_.language, kSweepHover, facts_.parameter->name, values),
                        .sweep = facts_.parameter->name}};
    }

    std::optional<Chip> modelChip() const {
        if (in_.sweeps->isUnderWay || facts_.toModel.empty()) return std::nullopt;
        std::string values;
        for (const s64 value : facts_.toModel)
            values += (values.empty() ? "" : ", ") + grouped(u64(std::max<s64>(value, 0)));
        return Chip{.text = say(in_.language, kModelTimes, facts_.toModel.size()),
                    .hit = {.hover = say(in_.language, kModelTimesHover, run::modeledDevice(in_.run.profile),
                                         facts_.parameter->name, values),
                            .sweep = facts_.parameter->name,
                            .modeled = true}};
    }

    // Points without figures, and why.
    std::optional<Chip> failedChip() const {
        std::string reasons;
        u64 count = 0;
        for (const run::SweepSeries& series : facts_.sweep.series)
            for (const run::SweepPoint& point : series.points)
                if (point.error) {
                    ++count;
                    constexpr u64 kMostTold = 6;
                    if (count <= kMostTold)
                        reasons += (reasons.empty() ? "" : "\n") + say(in_.language, kFailedPoint,
                                                                       series.variant->title.in(in_.language),
                                                                       facts_.sweep.parameter, point.value,
                                                                       describe(*point.error, in_.language));
                }
        if (count == 0) return std::nullopt;
        return Chip{.text = say(in_.language, kFailed, count), .hit = {.hover = std::move(reasons)}};
    }

    Chip axisChip(bool isAcross) const {
        std::vector<f64> values;
        for (const ChartSeries& series : chartOf(facts_.sweep, look_, in_.language).series)
            for (const ChartPoint& point : series.points)
                values.push_back(isAcross ? point.x : point.y);
        constexpr std::size_t kSomeTicks = 6;
        const bool isLog =
            isAcross ? parameterScale(values, look_.x).isLog : metricScale(values, look_.y, kSomeTicks).isLog;
        ChartOptions other = options_;
        (isAcross ? other.x : other.y) = isLog ? AxisScaling::Linear : AxisScaling::Log;
        return {.text = say(in_.language, isAcross ? kAcross : kUpward, isLog ? kLog : kLinear,
                            facts_.sweep.parameter),
                .hit = {.hover = say(in_.language, isAcross ? kAxisAcrossHover : kAxisHover,
                                     isLog ? kLinear : kLog, facts_.sweep.parameter),
                        .options = other},
                .beginsGroup = isAcross};
    }

    std::vector<Chip> chips() const {
        std::vector<Chip> all;
        if (in_.sweeps && !in_.titled) {  // nothing to click on in a file
            all.push_back(sweepChip());
            if (std::optional<Chip> model = modelChip()) all.push_back(std::move(*model));
        }
        const std::span<const run::SweepMetric> metrics = run::sweepMetrics();
        bool begins = true;
        for (const Offered& offered : kOffered) {
            const run::SweepMetric* metric = run::findSweepMetric(offered.metric);
            if (!facts_.sweep.has(metric->key)) continue;
            ChartOptions chosen = options_;
            chosen.metric = u16(metric - metrics.data() + 1);
            chosen.y = AxisScaling::Auto;
            all.push_back(
                {.text = say(in_.language, offered.brief),
                 .hit = {.hover = say(in_.language, kChooseMetric, metric->title), .options = chosen},
                 .isOn = metric == look_.metric,
                 .beginsGroup = std::exchange(begins, false)});
        }
        if (parameters_.size() > 1)
            for (std::size_t i = 0; i < parameters_.size(); ++i) {
                ChartOptions chosen = options_;
                chosen.parameter = u8(i + 1);
                chosen.x = AxisScaling::Auto;
                all.push_back({.text = parameters_[i]->name,
                               .hit = {.hover = say(in_.language, kChooseParameter, parameters_[i]->name),
                                       .options = chosen},
                               .isOn = parameters_[i] == facts_.parameter,
                               .beginsGroup = i == 0});
            }
        for (const bool isAcross : {true, false})
            all.push_back(axisChip(isAcross));
        if (hasCostPage(in_.run)) {
            ChartOptions chosen = options_;
            chosen.isCost = true;
            all.push_back({.text = say(in_.language, kCostOfASum),
                           .hit = {.hover = say(in_.language, kCostHover), .options = chosen},
                           .beginsGroup = true});
        }
        if (std::optional<Chip> failed = failedChip()) {
            failed->beginsGroup = true;
            all.push_back(std::move(*failed));
        }
        return all;
    }

    // Side by side, in as many lines as they take and the view has room for. Returns where the chart begins.
    f32 drawChips(const Rect& body) {
        const f32 most =
            body.height < kLowView ? 1 : std::max(1.0f, body.height * kMostRowsShare / kChipPitch);
        if (body.height < kLeastChart.height + kChipPitch + 2 * kGap) return body.y + kGap;
        f32 x = space::kInset, y = body.y + 10 + kChip / 2, rows = 1;
        bool isFirst = true;
        for (Chip& chip : chips()) {
            const f32 wide = canvas_.width(chip.text, kChipText) + 16;
            if (!isFirst) x += chip.beginsGroup ? kGroupGap : kGap;
            if (x + wide > body.width - space::kInset) {
                if (rows + 1 > most) continue;
                x = space::kInset, y += kChipPitch, ++rows;
                if (x + wide > body.width - space::kInset) continue;
            }
            const Rect box{x, y - kChip / 2, wide, kChip};
            const bool isButton = chip.hit.options || chip.hit.sweep;
            if (isButton)
                canvas_.rect(box, {.fill = role(chip.isOn ? RoleKind::Wasted : RoleKind::Raised),
                                   .radius = radius::kControl});
            TextStyle style = kChipText;
            style.role = role(isButton ? RoleKind::Text : RoleKind::Finding);
            canvas_.text(box.centre(), chip.text, style);
            canvas_.hit(box, std::move(chip.hit));
            x += wide;
            isFirst = false;
        }
        return y + kChip / 2 + 8;
    }

    const ViewInput& in_;
    const Facts& facts_;
    const std::vector<const catalog::Parameter*>& parameters_;
    const ChartOptions options_;
    SweepLook look_;
    Canvas canvas_;
};

Facts factsOver(const run::Run& run, std::span<const run::RecordedMachine> machines,
                const SweepsOnShow* sweeps, const std::vector<const catalog::Parameter*>& parameters,
                u8 chosen) {
    Facts facts{sweeps, pointsIn(sweeps), &run, chosen, nullptr, {}};
    if (chosen > 0 && chosen <= parameters.size()) {
        facts.parameter = parameters[chosen - 1u];
        facts.sweep = knownOver(run, machines, sweeps, *facts.parameter);
        return facts;
    }
    // The one over which most is known of this variant.
    std::size_t most = 0;
    for (const catalog::Parameter* parameter : parameters) {
        run::Sweep sweep = knownOver(run, machines, sweeps, *parameter);
        const std::size_t points = pointsOf(sweep, run.catalog->variant);
        if (facts.parameter && points <= most) continue;
        most = points;
        facts.parameter = parameter;
        facts.sweep = std::move(sweep);
    }
    return facts;
}

Facts factsOf(const ViewInput& in, const std::vector<const catalog::Parameter*>& parameters, u8 chosen) {
    Facts facts = factsOver(in.run, machinesOf(in), in.sweeps, parameters, chosen);
    const std::string device = run::modeledDevice(in.run.profile);
    if (device.empty() || !in.sweeps) return facts;
    const run::SweepPlan plan = run::proposedSweep(*in.run.catalog->family, {in.run.catalog->variant},
                                                   in.run.catalog->values, facts.parameter->name);
    for (const run::SweepTask& task : run::tasksToModel(plan, facts.sweep, device))
        facts.toModel.push_back(task.value);
    return facts;
}

}  // namespace

const catalog::Parameter* chartedParameter(const run::Run& run,
                                           std::span<const run::RecordedMachine> machines, u8 chosen) {
    if (!run.catalog || !run.catalog->variant) return nullptr;
    const std::vector<const catalog::Parameter*> parameters =
        run::sweepableParameters(*run.catalog->family, *run.catalog->variant);
    return factsOver(run, machines, nullptr, parameters, chosen).parameter;
}

Scene buildChart(const ViewInput& in) {
    if (!in.run.catalog || !in.run.catalog->variant)
        return emptyScene(in, kTitle, say(in.language, kNeedsTheCatalog));
    const std::vector<const catalog::Parameter*> parameters =
        run::sweepableParameters(*in.run.catalog->family, *in.run.catalog->variant);
    if (parameters.empty()) return emptyScene(in, kTitle, say(in.language, kNoParameter));
    const ChartOptions options = optionsAs<ChartOptions>(in.state.options);
    if (options.isCost && hasCostPage(in.run)) return buildCostPage(in, options);
    const u8 chosen = options.parameter;
    Facts anew;
    Facts* kept = in.cache ? std::any_cast<Facts>(&in.cache->facts) : nullptr;
    const bool isCurrent = kept && kept->run == &in.run && kept->sweeps == in.sweeps &&
                           kept->sweptPoints == pointsIn(in.sweeps) && kept->chosen == chosen;
    if (!isCurrent) {
        if (!kept) kept = in.cache ? &in.cache->facts.emplace<Facts>() : &anew;
        *kept = factsOf(in, parameters, chosen);
    }
    return Picture(in, *kept, parameters).draw();
}

}  // namespace lockstep::viz
