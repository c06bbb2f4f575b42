#include "app/cli/commands/sweep_points.h"

#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/progress_line.h"
#include "run/machine/read_issues.h"
#include "run/sweep/modeled_times.h"
#include "viz/views/sweep_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace lockstep::cli {

std::string pointName(const run::SweepPlan& plan, const run::SweepTask& task) {
    return fmt::format("{}/{} {}{}={}", plan.family->name, task.variant->name,
                       task.setting ? task.setting->first + "=" + task.setting->second + " " : "",
                       plan.parameter, task.value);
}

std::string pointOf(std::size_t number, std::size_t all, const run::SweepPlan& plan,
                    const run::SweepTask& task, Language language) {
    return say(language, english("{0} of {1}: {2}"), number, all, pointName(plan, task));
}

Expected<run::Run> runPoint(const run::SweepPlan& plan, const run::SweepTask& task,
                            const catalog::Values& values, const RunOptions& options, Session& session,
                            Progress& progress, const std::string& of) {
    RunOptions own = options;
    own.what = plan.family->name + "/" + task.variant->name;
    own.settings.clear();
    for (const std::string& name : task.variant->parameters)
        own.settings.push_back(name + "=" + plan.family->findParameter(name)->shown(values.at(name)));
    Expected<run::Experiment> experiment = openExperiment(own, session);
    if (!experiment) return Unexpected{experiment.error()};
    Expected<run::Run> run = runExperiment(std::move(*experiment), own, session, progress, of);
    if (run && !run->recording.complete)
        return fail(FaultKind::System, english("the run was stopped before its end; see lockstep run"));
    return run;
}

Expected<void> modelPoint(run::Sweep& sweep, const run::SweepTask& task, const run::Run& run,
                          Session& session, Progress& progress, const std::string& of) {
    progress.done = progress.total = 0;
    const Language language = session.language();
    const ProgressLine working(language, [&, language] {
        const std::string what = progress.total ? say(language, english("executing the machine code: {0}%"),
                                                      std::min<u64>(99, 100 * progress.done / progress.total))
                                                : say(language, english("executing the machine code"));
        return fmt::format("{}: {}", of, what);
    });
    const Expected<const run::Resources*> resources = session.resources();
    if (!resources) return Unexpected{resources.error()};
    const Expected<run::TimedRun> timed = run::readTime(**resources, session.disassembler(), run, &progress);
    if (progress.cancelled) return {};
    run::addModeled(sweep, task, run, timed);
    if (!timed) return Unexpected{timed.error()};
    return {};
}

Expected<viz::SweepsOnShow> modelChart(const run::Run& run, const viz::ChartOptions& chart,
                                       const RunOptions& options,
                                       std::span<const run::RecordedMachine> machines, Session& session) {
    viz::SweepsOnShow shown;
    const catalog::Parameter* const parameter = viz::chartedParameter(run, machines, chart.parameter);
    if (!parameter) return shown;
    const catalog::Experiment& experiment = *run.catalog;
    const run::SweepPlan plan =
        run::proposedSweep(*experiment.family, {experiment.variant}, experiment.values, parameter->name);
    run::Sweep known = run::emptySweep(plan), made = run::emptySweep(plan);
    run::addRecorded(known, plan, machines);
    const std::vector<run::SweepTask> tasks = run::tasksToModel(plan, known, run::modeledDevice(run.profile));
    Progress progress;
    const InterruptCancels interrupt(progress, {SIGINT}, InterruptCancels::SecondTime::Quits);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const run::SweepTask& task = tasks[i];
        const std::string of = pointOf(i + 1, tasks.size(), plan, task, session.language());
        const Expected<catalog::Values> values = run::valuesOf(plan, task);
        progress.done = progress.total = 0;
        const Expected<run::Run> point = values
                                             ? runPoint(plan, task, *values, options, session, progress, of)
                                             : Expected<run::Run>(Unexpected{values.error()});
        Expected<void> modeled;
        if (point) {
            modeled = modelPoint(made, task, *point, session, progress, of);
        } else if (!progress.cancelled) {
            run::addError(made, task, run::SweepSource::Model, run::modeledDevice(run.profile),
                          point.error());
            modeled = Unexpected{point.error()};
        }
        if (progress.cancelled) {
            session.tell(english("canceled at {0} of {1}: the points before it are kept"), i + 1,
                         tasks.size());
            break;
        }
        if (!modeled)
            session.tell(pointName(plan, task) + ": " + describe(modeled.error(), session.language()));
    }
    shown.add(made);
    return shown;
}

}  // namespace lockstep::cli
