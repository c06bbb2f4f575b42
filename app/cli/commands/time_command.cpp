// lockstep time: how many cycles a kernel takes on the profile's device, by a model that executes its machine
// code, and what its warps wait for.
#include "app/cli/commands/commands.h"
#include "app/cli/options/run_options.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "base/text/counted.h"
#include "run/machine/changed_times.h"
#include "run/machine/read_machine_code.h"
#include "run/machine/timed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>
#include <numeric>

namespace lockstep::cli {
namespace {

struct Arguments {
    RunOptions run;
    std::string json;
    u32 sms = 0;
    bool whatIf = false;
};

Json stallsJson(const std::array<f64, time::kStalls>& stalls) {
    Json json = Json::object();
    for (std::size_t i = 0; i < time::kStalls; ++i)
        json[time::kStallNames[i]] = stalls[i];
    return json;
}

Json linesJson(const run::TimedRun& timed) {
    Json lines = Json::array();
    for (const run::TimedLine& line : timed.lines) {
        std::array<f64, time::kStalls> stalls{}, exposed{};
        for (std::size_t i = 0; i < time::kStalls && line.issued; ++i) {
            stalls[i] = f64(line.stalls[i]) / f64(line.issued);
            exposed[i] = f64(line.exposed[i]) / f64(line.issued);
        }
        lines.push_back(Json{{"file", line.file},
                             {"line", line.line},
                             {"issued", line.issued},
                             {"stalls", stallsJson(stalls)},
                             {"exposed", stallsJson(exposed)}});
    }
    return lines;
}

Json changesJson(const run::ChangedTimes& times) {
    Json changes = Json::array();
    for (const run::ChangedTime& changed : times.changes) {
        Json row{{"change", std::string(changed.row->name)},
                 {"meaning", std::string(changed.row->meaning.english())}};
        if (changed.why) {
            row["elapsed_cycles"] = nullptr;
            row["reason"] = changed.why->english();
        } else {
            row["elapsed_cycles"] = changed.elapsedCycles;
            row["saved"] = times.saved(changed);
        }
        changes.push_back(std::move(row));
    }
    return Json{{"elapsed_cycles", times.elapsedCycles},
                {"simulated_sms", times.simulatedSms},
                {"changes", std::move(changes)}};
}

Json timeJson(const run::Run& run, const Expected<run::TimedRun>& timed) {
    Json json{{"kernel", Json{{"family", run.recording.family},
                              {"variant", run.recording.variant},
                              {"entry", run.recording.entry}}},
              {"profile", run.profile.name}};
    if (!timed) {
        json["time"] = nullptr;
        json["reason"] = describe(timed.error());
        return json;
    }
    json["time"] =
        Json{{"elapsed_cycles", timed->elapsedCycles},
             {"sm_active_cycles", timed->activeCycles},
             {"microseconds", timed->microseconds},
             {"clock_mhz", timed->clockMhz},
             {"simulated_sms", timed->launches.empty() ? 0 : timed->launches.front().simulatedSms},
             {"simulated_blocks", timed->launches.empty() ? 0 : timed->launches.front().simulatedBlocks},
             {"checked_blocks", timed->checkedBlocks ? Json(*timed->checkedBlocks) : Json(nullptr)},
             {"compiler", timed->compiler},
             {"stalls", stallsJson(timed->stalls)},
             {"lines", linesJson(*timed)},
             {"error", timed->error.english()}};
    return json;
}

void printTime(const run::TimedRun& timed, Language language) {
    const auto line = [&](const Words& words, const auto&... values) {
        printLine(language, words, values...);
    };
    line(english("{0} cycles elapsed, {1} with an active SM: {2} µs at {3} MHz (modeled, {4})"),
         grouped(timed.elapsedCycles), grouped(timed.activeCycles), fmt::format("{:.2f}", timed.microseconds),
         grouped(timed.clockMhz), timed.error);
    if (!timed.isWhole) {
        const time::LaunchTime& first = timed.launches.front();
        line(english("{0} of {1} SMs were simulated, with {2} of {3} {3:block|blocks}"), first.simulatedSms,
             first.sms, grouped(first.simulatedBlocks), grouped(first.blocks));
        if (timed.checkedBlocks)
            line(english("what {0} of {1} {1:block|blocks} leave in memory was compared with the emulator's"),
                 grouped(*timed.checkedBlocks), grouped(first.blocks));
    }
    line(english("Warps per issued instruction, by what they wait for:"));
    std::array<std::size_t, time::kStalls> order{};
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return timed.stalls[i]; });
    constexpr f64 kLeast = 0.005;
    for (const std::size_t i : order)
        if (timed.stalls[i] >= kLeast) printOut("  {:<20}{:8.2f}\n", time::kStallNames[i], timed.stalls[i]);
    line(english(
        "By line: warp instructions, the cycles that warps waited there (a sum over all warps), and of "
        "these the exposed ones, in which no other warp of the sub-core issued"));
    for (const run::TimedLine& row : timed.lines) {
        u64 waited = 0, exposed = 0;
        std::size_t most = std::size_t(time::Stall::NotSelected);
        for (std::size_t i = std::size_t(time::Stall::NotSelected); i < time::kStalls; ++i) {
            waited += row.stalls[i];
            exposed += row.exposed[i];
            if (row.stalls[i] > row.stalls[most]) most = i;
        }
        const std::string place = row.line ? fmt::format("{}:{}", row.file, row.line) : std::string("-");
        printOut("  {:<44}{:>12}{:>14}{:>14}  {}\n", place, grouped(row.issued), grouped(waited),
                 grouped(exposed), row.stalls[most] ? time::kStallNames[most] : std::string_view());
    }
}

void printChanges(const run::ChangedTimes& times, Language language) {
    const auto line = [&](const Words& words, const auto&... values) {
        printLine(language, words, values...);
    };
    line(english("What if? The same launch with one thing changed in the model; as it is: {0} cycles"),
         grouped(times.elapsedCycles));
    for (const run::ChangedTime& changed : times.changes) {
        const std::string title = say(language, changed.row->title);
        if (changed.why) {
            line(english("of a change: why there is no time", "  {0}: {1}"), title, *changed.why);
            continue;
        }
        const f64 saved = times.saved(changed);
        const std::string percent = fmt::format("{:.1f}", 100 * std::abs(saved));
        if (changed.elapsedCycles == times.elapsedCycles)
            line(english("  {0}: the same"), title);
        else if (saved >= 0)
            line(english("  {0}: {1} cycles, {2}% less"), title, grouped(changed.elapsedCycles), percent);
        else
            line(english("  {0}: {1} cycles, {2}% more"), title, grouped(changed.elapsedCycles), percent);
    }
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    Expected<run::Experiment> experiment = openExperiment(arguments.run, session);
    if (!experiment) return Unexpected{experiment.error()};
    if (!arguments.json.empty() && arguments.json != "-")
        if (const Expected<void> place = canBeWritten(arguments.json); !place)
            return Unexpected{place.error()};
    const Expected<run::Run> run = runExperiment(std::move(*experiment), arguments.run, session);
    if (!run) return Unexpected{run.error()};
    const Language language = session.language();
    std::optional<run::ChangedTimes> changes;
    const auto timed = [&]() -> Expected<run::TimedRun> {
        if (const Expected<void> possible = run::canBeTimed(*run); !possible)
            return Unexpected{possible.error()};
        Progress progress;
        const InterruptCancels interrupt(progress, {SIGINT});
        const ProgressLine working(language, [&, language] {
            return progress.total ? say(language, english("executing the machine code: {0}%"),
                                        std::min<u64>(99, 100 * progress.done / progress.total))
                                  : say(language, english("executing the machine code"));
        });
        const Expected<const run::Resources*> resources = session.resources();
        if (!resources) return Unexpected{resources.error()};
        const auto code = run::shippedOrRead(**resources, session.disassembler(), *run);
        if (!code) return Unexpected{code.error()};
        run::TimingOptions options;
        options.model.sms = arguments.sms;
        options.progress = &progress;
        Expected<run::TimedRun> timed = run::timeRun(*run, **code, options);
        if (timed && arguments.whatIf) {
            Expected<run::ChangedTimes> all = run::changedTimes(*run, **code, &progress);
            if (!all) return Unexpected{all.error()};
            changes = std::move(*all);
        }
        return timed;
    }();
    if (!arguments.json.empty()) {
        Json json = timeJson(*run, timed);
        if (changes) json["what_if"] = changesJson(*changes);
        if (const Expected<void> written = writeJson(json, arguments.json); !written)
            return Unexpected{written.error()};
    }
    if (arguments.json != "-") {
        if (timed)
            printTime(*timed, language);
        else
            printLine(language, english("No time: {0}"), describe(timed.error(), language));
        if (changes) printChanges(*changes, language);
    }
    return timed ? kDone : kKernelIsWrong;
}

}  // namespace

Action addTime(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    addKernel(command, arguments->run, english("FAMILY/VARIANT, FILE.cu or FILE.ptx"));
    arguments->run.backend = "emulator";
    arguments->run.caches = "off";
    addExecutionOptions(command, arguments->run);
    addFileOptions(command, arguments->run);
    command.addJson(arguments->json, english("write the time as JSON to this file"));
    command.add(
        "--what-if", arguments->whatIf,
        english("also the first launch with one thing changed: no bank conflicts, every load a hit, ..."));
    command
        .add("--sms", arguments->sms,
             english("simulate so many SMs (default: all, or fewer where it is large)"))
        .takesWhole(1, 1024);
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
