// lockstep compare: runs kernels, or one kernel at several sizes, and reports what changes from the first to
// each of the others.
#include "app/cli/commands/commands.h"
#include "app/cli/json/run_json.h"
#include "app/cli/options/view_options.h"
#include "app/cli/terminal/output.h"
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "base/text/quantities.h"
#include "base/text/words.h"
#include "explain/comparison/difference.h"
#include "explain/sentences/sample_text.h"
#include "model/metrics.h"
#include "run/machine/machine_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace lockstep::cli {
namespace {

struct Arguments {
    RunOptions run;
    std::vector<std::string> kernels;
    std::string json;
};

// One of the compared runs.
struct Side {
    std::string name;  // "matmul/tiled:width=64"
    run::Run run;
};

// "FAMILY/VARIANT:name=value,name=value"; settings after the colon override the common ones.
struct Request {
    std::string what;
    std::vector<std::string> settings;
};

Request requestOf(const std::string& word) {
    Request request{word.substr(0, word.find(':')), {}};
    for (std::size_t at = request.what.size(); at < word.size();) {
        const std::size_t end = std::min(word.find(',', at + 1), word.size());
        request.settings.push_back(word.substr(at + 1, end - at - 1));
        at = end;
    }
    return request;
}

std::string nameIn(const std::string& setting) { return setting.substr(0, setting.find('=')); }

// --set applies to every kernel that has the parameter; a parameter that no kernel has is an error.
Expected<std::vector<ViewOptions>> viewsOf(const Arguments& arguments, Session& session) {
    std::vector<ViewOptions> views;
    std::vector<bool> isUsed(arguments.run.settings.size());
    for (const std::string& word : arguments.kernels) {
        const bool isRecording = word.ends_with(".lks");
        if (const std::optional<OwnFile> own = ownFileIn(word)) {
            ViewOptions& view = views.emplace_back();
            view.run = arguments.run;
            view.run.what = own->file;
            view.run.entry = own->entry;
            view.run.settings.clear();
            continue;
        }
        const Request request = isRecording ? Request{word, {}} : requestOf(word);
        for (const std::string& setting : request.settings)
            if (setting.find('=') == std::string::npos)
                return fail(
                    FaultKind::Usage,
                    Message(english("{0}: write values as FAMILY/VARIANT:name=value,name=value"), word));
        ViewOptions& view = views.emplace_back();
        view.run = arguments.run;
        view.run.what = request.what;
        view.run.settings.clear();
        view.run.grid.clear(), view.run.block.clear(), view.run.arguments.clear();
        view.run.further.clear();
        if (isRecording) continue;
        view.run.references.clear();  // a kernel of the catalog has its own
        const Expected<const catalog::Catalog*> catalog = session.catalog();
        if (!catalog) return Unexpected{catalog.error()};
        const auto found = lookUp(**catalog, request.what);
        if (!found) return Unexpected{found.error()};
        view.run.settings = request.settings;
        for (std::size_t i = 0; i < isUsed.size(); ++i) {
            const std::string& setting = arguments.run.settings[i];
            const bool isTaken = std::ranges::find(found->second->parameters, nameIn(setting)) !=
                                 found->second->parameters.end();
            isUsed[i] = isUsed[i] || isTaken;
            if (isTaken &&
                std::ranges::find(request.settings, nameIn(setting), nameIn) == request.settings.end())
                view.run.settings.push_back(setting);
        }
    }
    if (const auto unused = std::ranges::find(isUsed, false); unused != isUsed.end()) {
        const std::string& setting = arguments.run.settings[std::size_t(unused - isUsed.begin())];
        return fail(
            FaultKind::Usage,
            Message(
                english("--set {0}: none of these kernels has a parameter '{1}' (lockstep list shows them)"),
                setting, nameIn(setting)));
    }
    return views;
}

Expected<std::vector<Side>> runAll(const Arguments& arguments, Session& session) {
    const Expected<std::vector<ViewOptions>> views = viewsOf(arguments, session);
    if (!views) return Unexpected{views.error()};
    std::vector<Side> sides;
    for (std::size_t i = 0; i < views->size(); ++i) {
        Expected<run::Run> run = openRun((*views)[i], session);
        if (!run) return Unexpected{run.error()};
        sides.push_back({arguments.kernels[i], std::move(*run)});
    }
    return sides;
}

// Counters are integers, and printed as such.
Json number(f64 value) { return value == std::floor(value) ? Json(s64(value)) : Json(value); }

Json differencesJson(const std::vector<explain::Difference>& differences) {
    Json list = Json::array();
    for (const explain::Difference& difference : differences)
        list.push_back({{"metric", difference.metric},
                        {"a", number(difference.a)},
                        {"b", number(difference.b)},
                        {"ratio", difference.ratio ? Json(*difference.ratio) : Json(nullptr)},
                        {"sentence", difference.sentence.english()},
                        {"sentence_zh", difference.sentence.in(Language::Chinese)}});
    return list;
}

Json comparisonJson(const Side& a, const Side& b) {
    return {{"a", runJson(a.run)},
            {"b", runJson(b.run)},
            {"differences", differencesJson(explain::differencesOf(a.run.report, b.run.report))}};
}

// Two runs: one comparison. More: each with the first.
Json compareJson(const std::vector<Side>& sides) {
    if (sides.size() == 2) return comparisonJson(sides[0], sides[1]);
    Json comparisons = Json::array();
    for (std::size_t i = 1; i < sides.size(); ++i)
        comparisons.push_back(comparisonJson(sides[0], sides[i]));
    return {{"comparisons", comparisons}};
}

void printRow(const std::string& name, const std::vector<Side>& sides, std::size_t width, const auto& cell) {
    printOut("{:<48}", name);
    for (const Side& side : sides)
        printOut("  {:>{}}", cell(side), width);
    printOut("\n");
}

std::string verdictOf(const run::Run& run, Language language) {
    if (!run.recording.complete) return say(language, english("verdict", "stopped"));
    const std::optional<bool> correct = run.correct();
    if (!correct) return "-";
    return say(language, *correct ? english("verdict", "right") : english("verdict", "wrong"));
}

// GPU measurements, made here or from recordings: below the model's figures, under the same names.
void printMeasured(const std::vector<Side>& sides, std::size_t width, Language language) {
    const auto isMeasured = [](const Side& side) { return side.run.measured.has_value(); };
    if (std::ranges::none_of(sides, isMeasured)) return;
    printOut("\n");
    printRow(say(language, english("measured on")), sides, width,
             [&](const Side& side) { return isMeasured(side) ? side.run.measured->device : "-"; });
    printRow(say(language, english("time (median)")), sides, width, [&](const Side& side) {
        return isMeasured(side) && side.run.measured->timing
                   ? timeText(side.run.measured->timing->kernel.median)
                   : "-";
    });
    for (const model::Metric& metric : model::metrics()) {
        const auto valueIn = [&](const Side& side) -> std::optional<u64> {
            if (!isMeasured(side)) return {};
            const auto found = side.run.measured->counters.find(metric.key);
            return found == side.run.measured->counters.end() ? std::nullopt
                                                              : std::optional(u64(found->second));
        };
        if (std::ranges::all_of(sides, [&](const Side& side) { return valueIn(side).value_or(0) == 0; }))
            continue;
        printRow(say(language, metric.what), sides, width,
                 [&](const Side& side) { return valueIn(side) ? grouped(*valueIn(side)) : "-"; });
    }
}

// Whether ptxas's result for the kernel is known or predicted.
std::string sourceOf(const run::Run& run, Language language) {
    return say(language, run::hasMachineCode(run) ? english("from SASS") : english("modeled"));
}

// Of a sample that proves nothing about the other blocks there is nothing to compare.
Message whyNotCompared(const run::Run& a, const run::Run& b) {
    for (const run::Run* run : {&a, &b})
        if (run->recording.sample && !run->recording.sample->isExtrapolated())
            return Message(english("not compared: {0}"),
                           explain::whyNotExtrapolated(*run->recording.sample, *run->module));
    return {};
}

void printComparison(const std::vector<Side>& sides, Language language) {
    std::size_t width = 17;  // "from machine code"
    for (const Side& side : sides)
        width = std::max(width, side.name.size());
    printRow("", sides, width, [](const Side& side) { return side.name; });
    printRow(say(language, english("column", "result")), sides, width,
             [&](const Side& side) { return verdictOf(side.run, language); });
    printRow(say(language, english("shared accesses, branches, registers")), sides, width,
             [&](const Side& side) { return sourceOf(side.run, language); });
    printRow(say(language, english("column", "findings")), sides, width,
             [](const Side& side) { return grouped(side.run.recording.findings.size()); });
    const auto isSample = [](const Side& side) { return side.run.recording.sample.has_value(); };
    if (std::ranges::any_of(sides, isSample))
        printRow(say(language, english("blocks that ran")), sides, width, [&](const Side& side) {
            return isSample(side) ? explain::blocksOf(*side.run.recording.sample).in(language)
                                  : say(language, english("all"));
        });
    for (const model::Metric& metric : model::metrics()) {
        const auto valueIn = [&](const Side& side) {
            const auto found = side.run.report.counters.find(metric.key);
            return found == side.run.report.counters.end() ? std::nullopt : std::optional(found->second);
        };
        if (std::ranges::all_of(sides, [&](const Side& side) { return valueIn(side).value_or(0) == 0; }))
            continue;
        printRow(say(language, metric.what), sides, width,
                 [&](const Side& side) { return valueIn(side) ? grouped(*valueIn(side)) : "-"; });
    }
    printMeasured(sides, width, language);
    for (std::size_t i = 1; i < sides.size(); ++i) {
        printOut("\n{}\n", say(language, english("{0} against {1}:"), sides[i].name, sides[0].name));
        if (const Message why = whyNotCompared(sides[0].run, sides[i].run); !why.empty()) {
            printOut("  {}\n", why.in(language));
            continue;
        }
        const std::vector<explain::Difference> differences =
            explain::differencesOf(sides[0].run.report, sides[i].run.report);
        for (const explain::Difference& difference : differences) {
            const std::optional<run::Measured>&a = sides[0].run.measured, &b = sides[i].run.measured;
            const auto counted = a && b && a->device == b->device
                                     ? explain::countedOtherwise(difference, a->counters, b->counters)
                                     : std::nullopt;
            printOut("  {}\n",
                     (counted ? explain::predictedAndMeasured(difference, *counted) : difference.sentence)
                         .in(language));
        }
        if (differences.empty()) printOut("  {}\n", say(language, english("All values are the same.")));
    }
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    if (arguments.kernels.size() < 2)
        return fail(FaultKind::Usage, english("say what to compare: two kernels or more (FAMILY/VARIANT, "
                                              "FAMILY/VARIANT:name=value,..., FILE.cu:KERNEL or FILE.lks)"));
    const auto isOwnFile = [](const std::string& kernel) { return ownFileIn(kernel).has_value(); };
    const auto isOwn = [&](const std::string& kernel) {
        return kernel.ends_with(".lks") || isOwnFile(kernel);
    };
    const RunOptions& run = arguments.run;
    if ((!run.grid.empty() || !run.block.empty() || !run.arguments.empty()) &&
        std::ranges::none_of(arguments.kernels, isOwnFile))
        return fail(
            FaultKind::Usage,
            english("--grid, --block and --arg go with FILE.cu:KERNEL; a kernel of the catalog takes --set"));
    if (!arguments.run.references.empty() && std::ranges::none_of(arguments.kernels, isOwn))
        return fail(FaultKind::Usage, english("--reference goes with a FILE.cu:KERNEL or a FILE.lks; a "
                                              "kernel of the catalog has its own reference"));
    const Expected<std::vector<Side>> sides = runAll(arguments, session);
    if (!sides) return Unexpected{sides.error()};
    if (!arguments.json.empty())
        if (const Expected<void> written = writeJson(compareJson(*sides), arguments.json); !written)
            return Unexpected{written.error()};
    if (arguments.json != "-") printComparison(*sides, session.language());
    const bool allRight = std::ranges::all_of(*sides, [](const Side& side) {
        return side.run.correct().value_or(true) && side.run.recording.complete;
    });
    return allRight ? kDone : kKernelIsWrong;
}

}  // namespace

Action addCompare(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command
        .add("kernels", arguments->kernels,
             english("two or more: FAMILY/VARIANT, with values of its own as FAMILY/VARIANT:width=64,tile=8; "
                     "FILE.cu:KERNEL, launched as the file does unless --grid, --block and --arg say how; or "
                     "FILE.lks"))
        .type("");
    arguments->run.isEntryInWord = true;
    arguments->run.measures = arguments->run.readsMachineCode = true;
    addRunOptions(command, arguments->run);
    addMachineCodeOption(command, arguments->run);
    addLaunchOptions(command, arguments->run, kBlockNames);
    command.addJson(arguments->json, english("write everything as JSON to this file"));
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
