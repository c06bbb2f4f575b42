#include "run/run.h"

#include <algorithm>

#include "model/profile.h"
#include "ptx/shared_layout.h"

namespace lockstep::run {
namespace {

Expected<const model::Profile*> profileNamed(const std::string& name) {
    if (const model::Profile* profile = model::findProfile(name)) return profile;
    std::string known;
    for (const model::Profile& profile : model::profiles()) known += " " + profile.name;
    return fail(FaultKind::Usage, "there is no profile '" + name + "'; the profiles are" + known);
}

f64 median(std::vector<f64> seconds) {
    std::ranges::sort(seconds);
    const std::size_t half = seconds.size() / 2;
    return seconds.size() % 2 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
}

// Who ran, in the words of the catalogue or of the command line.
trace::Recording describeExperiment(const Experiment& experiment, const Options& options) {
    trace::Recording recording;
    recording.entry = experiment.entry;
    recording.backend = "emulator";
    recording.profile = options.profile;
    if (experiment.catalog) {
        recording.family = experiment.catalog->family->name;
        recording.variant = experiment.catalog->variant->name;
        for (const std::string& name : experiment.catalog->variant->parameters)
            recording.parameters.emplace_back(name, std::to_string(experiment.catalog->values.at(name)));
    }
    recording.ptx = experiment.module->text();
    for (std::size_t file = 0; file < experiment.module->sources.size(); ++file)
        if (!experiment.module->sources[file].empty())
            recording.sources.emplace_back(experiment.module->files[file], experiment.module->sources[file]);
    recording.launches = experiment.launches;
    return recording;
}

}  // namespace

u64 sharedBytes(const ptx::Module& module, const Launch& launch) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    return entry ? ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).totalBytes : launch.dynamicSharedBytes;
}

bool Run::hasFaults() const {
    return std::ranges::any_of(recording.findings, [](const trace::Finding& f) { return !trace::isRemark(f.kind); });
}

std::optional<bool> Run::correct() const {
    if (hasFaults()) return false;
    if (!comparison) return std::nullopt;
    return comparison->correct;
}

Expected<Run> run(Experiment experiment, const Options& options) {
    if (options.backend == "gpu")
        return fail(FaultKind::Gpu, "this build cannot run on a GPU yet; leave out --backend gpu to use the emulator");
    if (options.backend != "auto" && options.backend != "emulator")
        return fail(FaultKind::Usage, "there is no backend '" + options.backend + "'; say auto, emulator or gpu");
    const Expected<const model::Profile*> profile = profileNamed(options.profile);
    if (!profile) return Unexpected{profile.error()};

    Run run;
    run.module = experiment.module;
    run.recording = describeExperiment(experiment, options);
    run.source = experiment.source;
    std::vector<Buffer> results;
    std::vector<f64> seconds;
    for (u32 execution = 0; execution < std::max(options.repeat, 1u); ++execution) {
        results = experiment.buffers;
        Expected<simt::Result> result = simt::run(*experiment.module, experiment.launches, results, options.emulator);
        if (!result) return Unexpected{result.error()};
        run.recording.counts = std::move(result->counts);
        run.recording.trace = std::move(result->trace);
        run.recording.findings = std::move(result->findings);
        run.recording.sequential = result->statistics.sequential;
        run.recording.complete = result->statistics.complete;
        run.statistics = result->statistics;
        seconds.push_back(result->statistics.seconds);
        if (!run.statistics.complete) break;
    }
    run.statistics.seconds = median(seconds);
    if (seconds.size() > 1) run.repeatSeconds = std::move(seconds);

    if (experiment.catalog && run.recording.complete) {
        experiment.catalog->buffers = std::move(experiment.buffers);
        run.comparison = catalog::compare(*experiment.catalog, catalog::computeReference(*experiment.catalog), results);
        experiment.buffers = std::move(experiment.catalog->buffers);
        experiment.catalog->buffers.clear();
    }
    run.catalog = std::move(experiment.catalog);
    run.recording.initial = std::move(experiment.buffers);
    run.recording.final = std::move(results);
    run.report = model::makeReport(*run.module, run.recording, **profile);
    return run;
}

Expected<Run> reopen(trace::Recording recording, const std::string& profileName) {
    const Expected<const model::Profile*> profile = profileNamed(profileName);
    if (!profile) return Unexpected{profile.error()};
    Expected<ptx::Module> module = ptx::parse(recording.ptx, recording.entry);
    if (!module) return Unexpected{module.error()};
    module->sources.resize(module->files.size());
    for (const auto& [file, text] : recording.sources)
        for (std::size_t i = 0; i < module->files.size(); ++i)
            if (module->files[i] == file) module->sources[i] = text;

    Run run;
    run.module = std::make_shared<ptx::Module>(std::move(*module));
    run.recording = std::move(recording);
    run.source = run.module->files.size() > 1 ? run.module->files[1] : run.recording.entry;
    run.report = model::makeReport(*run.module, run.recording, **profile);
    return run;
}

}  // namespace lockstep::run
