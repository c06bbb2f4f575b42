#include "run/find_hints.h"

#include "explain/hints/hints.h"

#include <algorithm>
#include <set>

namespace lockstep::run {
namespace {

using explain::HintUnit;

// Of the whole grid; none: totals of two variants cannot be compared in this unit.
std::optional<u64> totalOf(HintUnit unit, const Run& run) {
    u64 sum = 0;
    switch (unit) {
        case HintUnit::Wavefronts:
            for (const model::SiteReport& site : run.report.sites)
                if (site.space == trace::Space::Shared) sum += site.machineWavefronts();
            return sum;
        case HintUnit::Sectors:
        case HintUnit::Transactions:
            for (const model::SiteReport& site : run.report.sites)
                if (site.space == trace::Space::Global && site.countsSectors == (unit == HintUnit::Sectors))
                    sum += site.sectors;
            return sum;
        case HintUnit::IssueSlots:
            for (const trace::GridCounts& counts : run.recording.counts)
                sum += counts.warpInstructions;
            return sum;
        default: return std::nullopt;
    }
}

// Variants that come after this one and fix something: those one step away, then those two, and so on.
std::vector<std::vector<const catalog::Variant*>> fixesOf(const catalog::Family& family,
                                                          const catalog::Variant& of) {
    constexpr std::size_t kMostSteps = 3;
    std::vector<std::vector<const catalog::Variant*>> steps;
    std::set<std::string_view> reached{of.name};
    while (steps.size() < kMostSteps) {
        std::vector<const catalog::Variant*> next;
        std::set<std::string_view> names;
        for (const catalog::Variant& variant : family.variants)
            if (reached.contains(variant.after) && !reached.contains(variant.name)) {
                names.insert(variant.name);
                if (!variant.fixes.empty()) next.push_back(&variant);
            }
        if (names.empty()) break;
        reached.insert(names.begin(), names.end());
        steps.push_back(std::move(next));
    }
    return steps;
}

std::optional<Run> runFix(const Resources& resources, const Run& of, const catalog::Variant& variant,
                          Progress* progress) {
    Expected<Experiment> experiment = open(resources, *of.catalog->family, variant, of.catalog->values);
    if (!experiment) return std::nullopt;
    Options options;
    options.backend = "emulator";
    options.profile = of.profile.name;
    options.caches = Caches::Off;
    options.wantsHints = false;
    options.emulator.progress = progress;
    Expected<Run> run = lockstep::run::run(std::move(*experiment), options);
    // One that is wrong, or cut off, cures nothing.
    if (!run || !run->recording.complete || run->correct() == false) return std::nullopt;
    return std::move(*run);
}

}  // namespace

void findHints(Run& run) {
    explain::Hints hints = run.emulated ? explain::hintsOf(run) : explain::Hints{};
    if (run.hints)  // fixes stay those of before
        for (explain::Hint& hint : hints.all)
            for (const explain::Hint& before : run.hints->all)
                if (before.rule == hint.rule && before.pc == hint.pc && before.launch == hint.launch)
                    hint.fix = before.fix;
    run.hints = std::make_shared<const explain::Hints>(std::move(hints));
}

void findFixes(const Resources& resources, Run& run, Progress* progress) {
    if (!run.hints || run.hints->all.empty() || !run.catalog || !run.catalog->variant ||
        run.recording.sample || run.statistics.threadInstructions > kMostForFixes)
        return;
    explain::Hints hints = *run.hints;
    struct Before {
        u64 excess;
        std::optional<u64> total;
    };
    std::vector<Before> before;
    for (const explain::Hint& hint : hints.all)
        before.push_back({explain::sumOf(hint.rule, run).excess, totalOf(hint.unit, run)});
    for (const std::vector<const catalog::Variant*>& step :
         fixesOf(*run.catalog->family, *run.catalog->variant)) {
        std::vector<std::size_t> open;  // cured by no step so far
        for (std::size_t i = 0; i < hints.all.size(); ++i)
            if (!hints.all[i].fix && before[i].total) open.push_back(i);
        if (open.empty()) break;
        for (const catalog::Variant* variant : step) {
            const std::optional<Run> fixed = runFix(resources, run, *variant, progress);
            if (progress && progress->cancelled) return;
            if (!fixed) continue;
            for (const std::size_t i : open) {
                explain::Hint& hint = hints.all[i];
                const u64 excess = explain::sumOf(hint.rule, *fixed).excess,
                          total = *totalOf(hint.unit, *fixed);
                if (2 * excess > before[i].excess || total >= *before[i].total) continue;
                if (!hint.fix || total < hint.fix->total)
                    hint.fix = {.variant = variant->name,
                                .excess = excess,
                                .total = total,
                                .before = *before[i].total};
            }
        }
    }
    run.hints = std::make_shared<const explain::Hints>(std::move(hints));
}

std::string compareCommand(const Run& run, const explain::HintFix& fix) {
    if (!run.catalog || !run.catalog->variant) return {};
    const catalog::Family& family = *run.catalog->family;
    std::string command = "lockstep compare " + family.name + "/" + run.catalog->variant->name + " " +
                          family.name + "/" + fix.variant;
    for (const std::string& name : run.catalog->variant->parameters) {
        const catalog::Parameter& parameter = *family.findParameter(name);
        const auto value = run.catalog->values.find(name);
        if (value != run.catalog->values.end() && value->second != parameter.defaultValue)
            command += " --set " + name + "=" + parameter.shown(value->second);
    }
    if (run.profile.name != model::defaultProfile().name) command += " --profile " + run.profile.name;
    return command;
}

}  // namespace lockstep::run
