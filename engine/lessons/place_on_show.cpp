#include "lessons/place_on_show.h"

#include "catalog/references/reference_text.h"
#include "catalog/values/number_text.h"
#include "explain/access/warp_steps.h"
#include "explain/branches.h"
#include "explain/cursor/navigation.h"
#include "explain/exchange/lane_exchange.h"
#include "explain/inactive_lanes/paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::lessons {
namespace {

constexpr std::chrono::nanoseconds kLongestRun = std::chrono::seconds(10);

using catalog::Opening;
using trace::AccessKind;

constexpr std::size_t kMostRuns = 24;    // that are kept: a lesson has a dozen steps
constexpr u32 kMostFindings = 1u << 20;  // so that their number is not that of a list cut off

bool does(const run::Run& run, const trace::WarpTrace& warp, u32 step, Opening::Does wanted) {
    const Pc pc = warp.steps[step].pc;
    const trace::StoredAccess* access = explain::accessOf(warp, step);
    const auto touches = [&](AccessKind kind) {
        return access && access->kind == kind && !access->active.empty();
    };
    switch (wanted) {
        case Opening::Does::Anything: return true;
        case Opening::Does::Access: return access && !access->active.empty();
        case Opening::Does::Load: return touches(AccessKind::Load);
        case Opening::Does::Store: return touches(AccessKind::Store);
        case Opening::Does::Atomic: return access && trace::isAtomic(access->kind) && !access->active.empty();
        case Opening::Does::Branch: return explain::isConditionalBranch(*run.module, pc);
        case Opening::Does::Shuffle:
            return pc.value < run.module->instructions.size() && explain::isExchange(*run.module, pc);
    }
    return false;
}

bool isOnLine(const ptx::Module& module, Pc pc, std::string_view text) {
    return text.empty() ||
           explain::textOfLine(module, explain::lineOf(module, pc)).find(text) != std::string_view::npos;
}

Message neverThere(const run::Run& run, const trace::WarpTrace& warp, const Place& place) {
    const auto isInAnyFile = [&](const std::string& text) { return text.find(place.at) != text.npos; };
    if (std::ranges::none_of(run.module->sources, isInAnyFile))
        return Message(english("no line of the kernel's file has '{0}'"), place.at);
    const auto isThere = [&](const trace::Step& step) { return isOnLine(*run.module, step.pc, place.at); };
    if (std::ranges::none_of(warp.steps, isThere))
        return Message(english("the warp never comes to a line with '{0}'"), place.at);
    return Message(
        place.does == Opening::Does::Branch
            ? english("the warp comes to the line with '{0}', but to no branch there: of a short if the "
                      "compiler may make a choice between values instead")
            : english("the warp comes to the line with '{0}', but does nothing there that 'does' asks for"),
        place.at);
}

Expected<u32> stepOf(const run::Run& run, const trace::WarpTrace& warp, const Place& place) {
    if (place.step) {
        if (*place.step > warp.steps.size())
            return fail(FaultKind::Usage, Message(english("the warp has {0} {0:step|steps}, not {1}"),
                                                  warp.steps.size(), *place.step));
        return *place.step - 1;
    }
    u32 left = place.time;
    for (u32 s = 0; s < warp.steps.size(); ++s)
        if (isOnLine(*run.module, warp.steps[s].pc, place.at) && does(run, warp, s, place.does) &&
            --left == 0)
            return s;
    if (left == place.time) return fail(FaultKind::NotFound, neverThere(run, warp, place));
    return fail(FaultKind::NotFound,
                Message(english("the warp comes to the line with '{0}' {1} {1:time|times}, not {2}"),
                        place.at, place.time - left, place.time));
}

// What a file's launch follows from. Its time is part of it: it may be edited while the lesson is open.
std::string keyOf(const Place& place) {
    const FileLaunch& own = *place.own;
    std::error_code error;
    const auto time = std::filesystem::last_write_time(own.file, error).time_since_epoch().count();
    std::string key = fmt::format("{} {} {}|{}|{}|{}|{}|{}", own.file.string(), time, own.entry, own.grid,
                                  own.block, own.sharedBytes ? std::to_string(*own.sharedBytes) : "",
                                  fmt::join(own.arguments, " "), fmt::join(own.references, " "));
    for (const auto& [name, value] : place.settings)
        key += fmt::format(" {}={}", name, value);
    return key;
}

std::string keyOf(const Place& place, const catalog::Values& values) {
    std::string key = fmt::format("{} {} {},{},{}", place.kernel, place.profile, place.block.x, place.block.y,
                                  place.block.z);
    for (const auto& [name, value] : values)
        key += fmt::format(" {}={}", name, value);
    return place.own ? key + " " + keyOf(place) : key;
}

Expected<run::Experiment> openOwn(const OwnExperiment& own) {
    const Expected<run::FileRequest> request = run::requestOf(own.file, own.entry, own.launch);
    if (!request) return Unexpected{request.error()};
    return run::open(*request);
}

// A text that names a file, as the lesson's folder has it.
std::string withFileIn(const std::filesystem::path& folder, std::string text, const std::string& file) {
    const std::size_t at = file.empty() ? std::string::npos : text.rfind(file);
    if (at == std::string::npos || std::filesystem::path(file).is_absolute()) return text;
    return text.replace(at, file.size(), (folder / file).string());
}
std::vector<std::string> referencesIn(const std::filesystem::path& folder,
                                      const std::vector<std::string>& references) {
    std::vector<std::string> all;
    for (const std::string& reference : references) {
        const Expected<catalog::ReferenceText> text = catalog::parseReference(reference);
        all.push_back(text ? withFileIn(folder, reference, text->file) : reference);
    }
    return all;
}
// "f32[64]=heights.npy"
std::vector<std::string> argumentsIn(const std::filesystem::path& folder,
                                     const std::vector<std::string>& arguments) {
    std::vector<std::string> all;
    for (const std::string& argument : arguments) {
        const std::size_t file = argument.rfind('=') + 1;
        all.push_back(argument.ends_with(".npy") ? withFileIn(folder, argument, argument.substr(file))
                                                 : argument);
    }
    return all;
}

// The same fault at a line of the header, where it has no place of its own.
Unexpected atLine(Fault fault, u32 line) {
    if (fault.place.file.empty()) fault.place.line = line;
    return Unexpected{std::move(fault)};
}

}  // namespace

LaneMask PlaceOnShow::active() const {
    if (access) return access->active;
    return explain::isConditionalBranch(*run->module, here.step->pc)
               ? explain::pathAt(*run->module, warp(), cursor.step)
               : here.step->active;
}

Expected<catalog::Values> LessonRuns::valuesOf(const Place& place) const {
    if (place.own) {
        catalog::Values macros;
        for (const auto& [name, value] : place.settings)
            if (const std::optional<s64> number = catalog::parseWhole(value)) macros[name] = *number;
        return macros;
    }
    const auto found = catalog_->lookUp(place.kernel);
    if (!found) return atLine(found.error(), place.lineOf("kernel"));
    auto settings = place.settings;
    std::erase_if(settings, [&](const auto& setting) {
        return std::ranges::find(place.inherited, setting.first) != place.inherited.end() &&
               std::ranges::find(found->second->parameters, setting.first) == found->second->parameters.end();
    });
    auto values = catalog::resolve(*found->first, *found->second, settings);
    if (values) return values;
    for (const auto& setting : settings)
        if (auto one = catalog::resolve(*found->first, *found->second, std::vector{setting}); !one)
            return atLine(one.error(), place.lineOf("set." + setting.first));
    return atLine(values.error(), place.lineOf("set"));
}

std::map<std::string, std::string, std::less<>> LessonRuns::wordsOf(const Place& place) const {
    std::map<std::string, std::string, std::less<>> words;
    if (place.own) {
        for (const auto& [name, value] : place.settings)
            if (!catalog::parseWhole(value)) words[name] = value;
        return words;
    }
    const auto kernel = catalog_->lookUp(place.kernel);
    const Expected<catalog::Values> values = valuesOf(place);
    if (!kernel || !values) return words;
    for (const catalog::Parameter& parameter : kernel->first->parameters)
        if (const auto value = values->find(parameter.name); parameter.isChoice() && value != values->end())
            words[parameter.name] = parameter.shown(value->second);
    return words;
}

Expected<OwnExperiment> LessonRuns::ownOf(const Place& place) {
    const std::string key = keyOf(place);
    if (const auto kept = own_.find(key); kept != own_.end()) return kept->second;
    const FileLaunch& own = *place.own;
    const std::filesystem::path folder = own.file.parent_path();
    OwnExperiment made{.file = own.file,
                       .entry = own.entry,
                       .launch = {.grid = own.grid,
                                  .block = own.block,
                                  .dynamicSharedBytes = own.sharedBytes.value_or(0),
                                  .defines = {},
                                  .arguments = argumentsIn(folder, own.arguments),
                                  .includeFolders = {},
                                  .references = referencesIn(folder, own.references)}};
    for (const auto& [name, value] : place.settings)
        made.launch.defines.push_back(fmt::format("{}={}", name, value));
    const auto completed =
        run::completeFromFile(own.file, made.entry, made.launch, own.sharedBytes.has_value());
    if (!completed) return Unexpected{completed.error()};
    if (own_.size() >= kMostRuns) own_.clear();
    return own_[key] = made;
}

Expected<run::Experiment> LessonRuns::experimentOf(const Place& place, const catalog::Values& values) {
    if (place.own) {
        const Expected<OwnExperiment> own = ownOf(place);
        if (!own) return Unexpected{own.error()};
        return openOwn(*own);
    }
    const auto found = catalog_->lookUp(place.kernel);
    if (!found) return Unexpected{found.error()};
    return run::open(resources_, *found->first, *found->second, values);
}

Expected<LessonRuns::Kept> LessonRuns::runOf(const Place& place) {
    const Expected<catalog::Values> values = valuesOf(place);
    if (!values) return Unexpected{values.error()};
    const std::string key = keyOf(place, *values);
    if (const auto kept = runs_.find(key); kept != runs_.end()) return kept->second;
    if (const auto known = endless_.find(key); known != endless_.end()) return Unexpected{known->second};
    Expected<run::Experiment> experiment = experimentOf(place, *values);
    if (!experiment) return atLine(experiment.error(), place.lineOf(place.own ? "launch" : "kernel"));
    run::Options options;
    options.backend = "emulator";
    options.profile = place.profile;
    options.emulator.focus = std::vector{place.block};
    options.emulator.mostFindings = kMostFindings;
    options.emulator.limit = kLongestRun;
    Expected<run::Run> run = run::run(std::move(*experiment), options);
    if (!run)
        return atLine(run.error(), place.lineOf(model::findProfile(place.profile) ? "kernel" : "profile"));
    const auto isTimeLimit = [](const trace::Finding& finding) {
        return finding.kind == trace::FindingKind::Limit &&
               trace::stopReasonOf(finding) == trace::StopReason::TimeLimit;
    };
    if (std::ranges::any_of(run->recording.findings, isTimeLimit)) {
        auto endless = fail(FaultKind::TooLarge,
                            Message(english("the kernel does not end within {0} s: choose a smaller "
                                            "size, or look for an endless loop"),
                                    std::chrono::duration_cast<std::chrono::seconds>(kLongestRun).count()));
        endless_.emplace(key, endless.value());
        return endless;
    }
    if (runs_.size() >= kMostRuns) runs_.clear();
    const auto made = std::make_shared<const run::Run>(std::move(*run));
    std::optional<run::FileRequest> file;
    if (place.own)
        if (const Expected<OwnExperiment> own = ownOf(place))
            if (Expected<run::FileRequest> request = run::requestOf(own->file, own->entry, own->launch))
                file = std::move(*request);
    return runs_[key] = {made, std::make_shared<RunFacts>(resources_, made, std::move(file))};
}

Expected<PlaceOnShow> LessonRuns::find(const Place& place) {
    const auto wrong = [&](std::string_view key, Message message) {
        return atLine(fail(FaultKind::Usage, std::move(message)).value(), place.lineOf(key));
    };
    const Expected<Kept> run = runOf(place);
    if (!run) return Unexpected{run.error()};
    PlaceOnShow on{.run = run->run,
                   .cursor = {.launch = LaunchId{place.launch},
                              .block = place.block,
                              .warp = Warp{place.warp},
                              .lane = {},
                              .step = 0},
                   .here = {},
                   .facts = run->facts,
                   .recorded = place.recorded};
    if (const std::size_t launches = on.run->recording.launches.size(); place.launch >= launches)
        return wrong("launch_number",
                     Message(english("the kernel has {0} {0:launch|launches}, counted from 0; there is no "
                                     "launch {1}"),
                             launches, place.launch));
    on.here = explain::lookUp(*on.run, on.cursor);
    if (!on.here.block)
        return wrong("block", Message(english("the grid has no block {0}, {1}, {2}"), place.block.x,
                                      place.block.y, place.block.z));
    if (!on.here.warp)
        return wrong(
            "warp", Message(english("the block has {0} {0:warp|warps}, counted from 0; there is no warp {1}"),
                            on.here.block->warps.size(), place.warp));
    const Expected<u32> step = stepOf(*on.run, *on.here.warp, place);
    if (!step) return atLine(step.error(), place.lineOf(place.step ? "step" : "at"));
    on.cursor.step = *step;
    on.here = explain::lookUp(*on.run, on.cursor);
    if (!on.here.step) return fail(FaultKind::Usage, english("the warp has no steps"));
    if (on.here.access) on.access = on.here.warp->unpack(*on.here.access);
    const u32 lanes = explain::lanesOf(*on.here.block, on.cursor.warp);
    if (place.lane && *place.lane >= lanes)
        return wrong("lane",
                     Message(english("the warp has {0} {0:lane|lanes}, counted from 0; there is no lane {1}"),
                             lanes, *place.lane));
    on.cursor.lane = place.lane ? Lane{*place.lane} : on.active().empty() ? Lane{0} : on.active().lowest();
    return on;
}

}  // namespace lockstep::lessons
