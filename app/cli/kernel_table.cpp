#include "app/cli/kernel_table.h"

#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::cli {
namespace {

constexpr std::string_view kIntroduction = R"(# The kernels

Every kernel of the catalogue, run on the emulator at its defaults, with the rules of cc90. Written by

    lockstep list --table docs/kernels.md

Sectors are of 32 bytes, per request of a warp to global memory: 4 is the least for 32 lanes with 4 bytes each, 32 the most.
Wavefronts are passes through shared memory, per request: 1 is the least for 4 bytes a lane. Both count the accesses as they were
written, all launches together; atomics are left out. A dash: the kernel makes no such access.
)";

constexpr std::string_view kHeader =
    "| kernel | what it is | sectors per load | sectors per store | wavefronts per shared request | result "
    "|\n"
    "|---|---|---|---|---|---|\n";

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

// "right", "wrong: race", "right (remark: warp_synchronous)".
std::string verdictOf(const run::Run& run) {
    std::set<std::string_view> kinds, remarks;
    for (const trace::Finding& finding : run.recording.findings)
        if (finding.kind != trace::FindingKind::Truncated)
            (trace::isRemark(finding.kind) ? remarks : kinds).insert(trace::nameOf(finding.kind));
    const std::optional<bool> correct = run.correct();
    std::string verdict = !correct ? "not compared" : *correct ? "right" : "wrong";
    if (!kinds.empty()) verdict += fmt::format(": {}", fmt::join(kinds, ", "));
    if (kinds.empty() && !remarks.empty()) verdict += fmt::format(" (remark: {})", fmt::join(remarks, ", "));
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
                            const run::Resources& resources) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment = run::open(resources, family, variant, *values);
    if (!experiment) return Unexpected{experiment.error()};
    run::Options options;
    options.backend = "emulator";
    const Expected<run::Run> run = run::run(std::move(*experiment), options);
    if (!run) return Unexpected{run.error()};
    const Costs costs = costsOf(run->report);
    return fmt::format("| {}/{} | {} | {} | {} | {} | {} |\n", family.name, variant.name,
                       escaped(variant.title.en), costs.load.text(), costs.store.text(), costs.shared.text(),
                       verdictOf(*run));
}

}  // namespace

Expected<std::string> kernelTable(const catalog::Catalog& catalog, const run::Resources& resources) {
    std::string page(kIntroduction);
    for (const catalog::Family& family : catalog.families()) {
        page += fmt::format("\n## {}: {}\n\nDefaults: {}.\n\n{}", family.name, family.title.en,
                            defaultsOf(family), kHeader);
        for (const catalog::Variant& variant : family.variants) {
            const Expected<std::string> row = rowOf(family, variant, resources);
            if (!row) return row;
            page += *row;
        }
    }
    return page;
}

}  // namespace lockstep::cli
