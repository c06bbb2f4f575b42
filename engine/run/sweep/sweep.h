// A sweep: one or several variants of a family at many values of one of its parameters, and what was counted
// or measured at each. It runs nothing itself: the command line and the window run its points and add them.
#pragma once

#include "run/recordings/times_facts.h"
#include "run/sweep/sweep_metrics.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::run {

// What to run.
struct SweepPlan {
    const catalog::Family* family = nullptr;
    std::vector<const catalog::Variant*> variants;  // that have the swept parameters
    std::string parameter;                          // across; its values, ascending, each once:
    std::vector<s64> values;
    std::string seriesParameter;            // a second one, each of whose values makes a series; empty: none
    std::vector<std::string> seriesValues;  // as written: of a choice, labels
    std::vector<Setting> fixed;             // for the variants that have them
    bool isProposed = false;  // what is fixed comes from an experiment, and was not chosen for this
};

// `kernels`: FAMILY, FAMILY/VARIANT, or a VARIANT of the family named before. `settings`: one or two with
// several values (sweep_range.h). Of two, the one with a first and a last value goes across, else the first.
// Fault: a sentence for the user; values that the parameter cannot have are not one, but of their points.
Expected<SweepPlan> planSweep(const catalog::Catalog& catalog, std::span<const std::string> kernels,
                              std::span<const Setting> settings);

// The parameters of a variant that can go across: those whose values are numbers.
std::vector<const catalog::Parameter*> sweepableParameters(const catalog::Family& family,
                                                           const catalog::Variant& variant);
// A sweep of variants of a family around an experiment's values, for who names only the parameter: all values
// of one that has few, else by factors of two to both sides. All else is as in the experiment; variants that
// do not have the parameter are left out.
SweepPlan proposedSweep(const catalog::Family& family, std::vector<const catalog::Variant*> variants,
                        const catalog::Values& around, const std::string& parameter);

// One point to run.
struct SweepTask {
    const catalog::Variant* variant = nullptr;
    std::optional<Setting> setting;  // of the second parameter
    s64 value = 0;
};
// In the order in which to run them: all series at the smallest value, then at the next.
std::vector<SweepTask> tasksOf(const SweepPlan& plan);
// Of all parameters, at the task's point. Fault: a value that a parameter cannot have.
Expected<catalog::Values> valuesOf(const SweepPlan& plan, const SweepTask& task);

enum class SweepSource : u8 {
    Emulator,   // counted by the model from what the emulator ran
    Gpu,        // measured just now
    Recording,  // measured once, elsewhere
    Model,      // of the cycle model, which executes the machine code (modeled_times.h)
};
const char* nameOf(SweepSource source);  // "emulator", "gpu", "recording", "model"

struct SweepPoint {
    s64 value = 0;
    MetricValues metrics;           // empty where there is an error
    std::vector<Setting> others{};  // the variant's parameters but those of the axis and of the series
    std::optional<bool> correct{};  // none: not compared with the CPU reference
    bool isSampled = false;         // counted from some of the blocks
    // Of the model's: its mean error on launches of this kind; none: it is not known, or the point is no
    // model's.
    std::optional<f64> modelErrorPercent{};
    std::optional<Fault> error{};  // why there are no figures
};

// Points of one variant, ascending by value, each once.
struct SweepSeries {
    const catalog::Variant* variant = nullptr;  // null: the family's plain loop on the machine's CPU
    std::optional<Setting> setting{};
    SweepSource source = SweepSource::Emulator;
    std::string device{};  // the GPU, also the modeled one; of the emulator the profile whose rules are
                           // applied: "cc90"
    std::string recording{}, date{};
    std::vector<SweepPoint> points{};
    bool has(std::string_view metricKey) const;
};

struct Sweep {
    const catalog::Family* family = nullptr;
    std::string parameter;
    std::vector<Setting> fixed;  // what all its points have in common
    std::vector<SweepSeries> series;

    bool has(std::string_view metricKey) const;  // in one point at least
    bool hasErrors() const;
};

Sweep emptySweep(const SweepPlan& plan);
// Adds a run's points: what the model counted, and what a GPU measured just now (not what is attached from a
// recording). A point of the same value is replaced.
void addRun(Sweep& sweep, const SweepTask& task, const Run& run);
void addError(Sweep& sweep, const SweepTask& task, SweepSource source, const std::string& device,
              Fault fault);
// Adds a point, or why there is none; one of the same series and value is replaced.
void addPoint(Sweep& sweep, const SweepSeries& series, SweepPoint point);
// The parameters of a point but those of the axis and of its series, as SweepPoint has them.
std::vector<Setting> othersOf(const Sweep& sweep, const SweepTask& task, const catalog::Values& values);
// Adds the recordings' points of the plan, and where a value has none, one of the same work whose other
// parameters were not chosen: SweepPoint::others says them; everywhere: at every value that was recorded, not
// only the plan's. The CPU's loop is added once for each machine, where it was timed.
void addRecorded(Sweep& sweep, const SweepPlan& plan, std::span<const RecordedMachine> machines,
                 bool everywhere = false);
// Adds all points of another sweep of the same family and parameter.
void merge(Sweep& sweep, const Sweep& other);

// What a user most likely wants to see: the time where a series has one at half of the sweep's values or
// more, and at two at least, or one was modeled; else the first of sectors per request, bank conflicts and
// divergent branches that is not the same everywhere, else thread instructions. `values`: how many the sweep
// has; 0: those of its points.
const SweepMetric& defaultMetric(const Sweep& sweep, std::size_t values = 0);

}  // namespace lockstep::run
