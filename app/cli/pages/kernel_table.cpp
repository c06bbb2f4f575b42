#include "app/cli/pages/kernel_table.h"

#include "explain/sentences/finding_text.h"
#include "run/recordings/recordings.h"
#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::cli {
namespace {

constexpr std::string_view kIntroduction = R"(# The kernels

Every kernel of the catalog, run on the emulator at its defaults, with the rules of cc90. Written by

    lockstep list --table docs/guide/kernels.md

Sectors are of 32 bytes, per request of a warp to global memory: 4 is the least for 32 lanes with 4 bytes each, 32 the most.
Wavefronts are passes through shared memory, per request: 1 is the least for 4 bytes a lane. Both count the accesses as they were
written, all launches together; atomics are left out. A dash: the kernel makes no such access.

The columns named after a GPU were measured on it and are kept in assets/recordings: the time of all launches (median, without
copies, second-level cache warm), and the sectors of loads as its counters had them. A dash: not recorded. "hangs": the
kernel does not come to its end there; "stopped": the hardware ends it, for an illegal address for example.
)";

using Recordings = std::vector<run::HardwareRecording>;

std::string headerOf(const Recordings& recordings) {
    std::string names =
        "| kernel | what it is | sectors per load | sectors per store | wavefronts per shared request | "
        "result |";
    std::string line = "|---|---|---|---|---|---|";
    for (const run::HardwareRecording& recording : recordings) {
        names += fmt::format(" {}: µs | {}: sectors per load |", recording.device, recording.device);
        line += "---|---|";
    }
    return names + "\n" + line + "\n";
}

std::string ratio(const std::map<std::string, f64>& counters, const char* sectors, const char* requests) {
    const auto above = counters.find(sectors), below = counters.find(requests);
    if (above == counters.end() || below == counters.end() || below->second == 0) return "–";
    return fmt::format("{:.2f}", above->second / below->second);
}

std::string timeCell(const std::optional<run::Measured>& measured, const run::RecordedRun* run) {
    if (run && run->ending == run::Ending::Hangs) return "hangs";
    if (run && run->ending == run::Ending::Stopped) return "stopped";
    return measured && measured->timing ? fmt::format("{:.2f}", 1e3 * measured->timing->kernel.median) : "–";
}

// The cells of one row: each recording's figures for this run.
std::string measuredCells(const trace::Recording& of, const Recordings& recordings) {
    std::string cells;
    for (const run::HardwareRecording& recording : recordings) {
        const std::optional<run::Measured> measured = recording.find(of);
        cells += fmt::format(
            " {} | {} |", timeCell(measured, recording.findRun(of.family + "/" + of.variant, of.parameters)),
            measured ? ratio(measured->counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                             "l1tex__t_requests_pipe_lsu_mem_global_op_ld")
                     : "–");
    }
    return cells;
}

std::string parametersOf(const run::RecordedRun& run) {
    std::string text;
    for (const auto& [name, value] : run.parameters)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    return text;
}

// Published figures beside our recordings, at the size that the family gives for them.
std::string publishedTable(const catalog::Family& family, const Recordings& recordings) {
    constexpr const char* kPublishedSize = "4194304";  // 2^22, as published_on has it
    std::string table;
    for (const run::HardwareRecording& recording : recordings) {
        std::string rows;
        for (const catalog::Variant& variant : family.variants) {
            if (!variant.published) continue;
            for (const run::RecordedRun& run : recording.runs) {
                const bool isOfSize =
                    std::ranges::find(run.parameters, std::pair<std::string, std::string>(
                                                          "n", kPublishedSize)) != run.parameters.end();
                if (run.kernel != family.name + "/" + variant.name || !isOfSize || !run.measured.timing)
                    continue;
                const f64 milliseconds = run.measured.timing->kernel.median;
                rows +=
                    fmt::format("| {} | {} | {} | {} | {:.4f} | {:.0f} |\n", run.kernel, parametersOf(run),
                                variant.published->milliseconds, variant.published->gigabytesPerSecond,
                                milliseconds, f64(4194304) * 4 / milliseconds / 1e6);
            }
        }
        if (rows.empty()) continue;
        table += fmt::format(
            "\nPublished: {}. Ours: {}, {}, with a warm second-level cache of {} MiB.\n\n"
            "| kernel | parameters | published: ms | published: GB/s | {}: ms | {}: GB/s "
            "|\n|---|---|---|---|---|---|\n{}",
            family.publishedOn.en, recording.device, recording.date, recording.l2Bytes >> 20,
            recording.device, recording.device, rows);
    }
    return table;
}

struct Rate {
    u64 cost = 0, requests = 0;
    std::string text() const {
        return requests == 0 ? "–" : fmt::format("{:.2f}", f64(cost) / f64(requests));
    }
};

struct Costs {
    Rate load, store, shared;
};

Costs costsOf(const model::Report& report) {
    Costs costs;
    for (const model::SiteReport& site : report.sites) {
        const bool isLoad = site.kind == trace::AccessKind::Load;
        if (!isLoad && site.kind != trace::AccessKind::Store) continue;
        if (site.space == trace::Space::Shared) {
            costs.shared.cost += site.wavefronts;
            costs.shared.requests += site.executions;
        } else if (site.space == trace::Space::Global) {
            Rate& rate = isLoad ? costs.load : costs.store;
            rate.cost += site.sectors;
            rate.requests += site.requests;
        }
    }
    return costs;
}

// "right", "wrong: Data race", "right (warning: Assumes warp-synchronous execution)".
std::string verdictOf(const run::Run& run) {
    std::set<std::string_view> kinds, remarks;
    for (const trace::Finding& finding : run.recording.findings)
        if (finding.kind != trace::FindingKind::Truncated)
            (trace::isRemark(finding.kind) ? remarks : kinds)
                .insert(explain::titleOf(finding.kind).in(Language::English));
    const std::optional<bool> correct = run.correct();
    std::string verdict = !correct ? "not compared" : *correct ? "right" : "wrong";
    if (!kinds.empty()) verdict += fmt::format(": {}", fmt::join(kinds, ", "));
    if (kinds.empty() && !remarks.empty()) verdict += fmt::format(" (warning: {})", fmt::join(remarks, ", "));
    return verdict;
}

std::string escaped(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.insert(at, "\\");
    return text;
}

std::string defaultsOf(const catalog::Family& family) {
    std::vector<std::string> defaults;
    for (const catalog::Parameter& parameter : family.parameters)
        if (parameter.computed.empty())
            defaults.push_back(
                fmt::format("{} = {}", parameter.name, parameter.shown(parameter.defaultValue)));
    return fmt::format("{}", fmt::join(defaults, ", "));
}

Expected<std::string> rowOf(const catalog::Family& family, const catalog::Variant& variant,
                            const run::Resources& resources, const Recordings& recordings,
                            Progress* progress) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment = run::open(resources, family, variant, *values);
    if (!experiment) return Unexpected{experiment.error()};
    run::Options options;
    options.backend = "emulator";
    options.emulator.progress = progress;
    const Expected<run::Run> run = run::run(std::move(*experiment), options);
    if (!run) return Unexpected{run.error()};
    const Costs costs = costsOf(run->report);
    return fmt::format("| {}/{} | {} | {} | {} | {} | {} |{}\n", family.name, variant.name,
                       escaped(variant.title.en), costs.load.text(), costs.store.text(), costs.shared.text(),
                       verdictOf(*run), measuredCells(run->recording, recordings));
}

// Documentation of the family's variants.
std::string textsOf(const catalog::Family& family) {
    std::string texts;
    for (const catalog::Variant& variant : family.variants) {
        texts += fmt::format("\n**{}/{}**: {} {}", family.name, variant.name, variant.brief.en,
                             variant.look.in(Language::English));
        if (!variant.fixes.empty()) texts += fmt::format(" *Fixes:* {}", variant.fixes.in(Language::English));
        if (!variant.wrong.empty())
            texts += fmt::format(" *Still wrong:* {}", variant.wrong.in(Language::English));
        texts += '\n';
    }
    return texts;
}

}  // namespace

Expected<std::string> kernelTable(const catalog::Catalog& catalog, const run::Resources& resources,
                                  TableWork* work) {
    const Expected<Recordings> recordings = run::shippedRecordings(resources);
    if (!recordings) return Unexpected{recordings.error()};
    std::string page(kIntroduction);
    for (const catalog::Family& family : catalog.families()) {
        page += fmt::format("\n## {}: {}\n\n{}\n\nDefaults: {}.\n\n{}", family.name, family.title.en,
                            family.story.in(Language::English), defaultsOf(family), headerOf(*recordings));
        for (const catalog::Variant& variant : family.variants) {
            if (work && work->progress.cancelled) return page;
            Expected<std::string> row =
                rowOf(family, variant, resources, *recordings, work ? &work->progress : nullptr);
            if (!row) return row;
            if (work) ++work->rows;
            page += *row;
        }
        page += publishedTable(family, *recordings);
        page += textsOf(family);
    }
    return page;
}

}  // namespace lockstep::cli
