#include "run/variant_accesses.h"

#include "catalog/values/expression.h"
#include "run/run.h"
#include "simt/emulator.h"

#include <algorithm>
#include <optional>

namespace lockstep::run {
namespace {

// Whether the word occurs in the expression.
bool isNamed(std::string_view expression, std::string_view word) {
    const auto goesOn = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = expression.find(word); at != std::string_view::npos;
         at = expression.find(word, at + 1)) {
        const bool begins = at == 0 || !goesOn(expression[at - 1]);
        const bool ends = at + word.size() == expression.size() || !goesOn(expression[at + word.size()]);
        if (begins && ends) return true;
    }
    return false;
}

catalog::Values asSmallAsByDefault(const catalog::Family& family, const catalog::Variant& variant,
                                   catalog::Values values) {
    for (const catalog::Parameter& parameter : family.parameters) {
        const auto named = [&](const std::string& extent) { return isNamed(extent, parameter.name); };
        const auto sizes = [&](const catalog::LaunchTemplate& launch) {
            return std::ranges::any_of(launch.grid, named);
        };
        const auto value = values.find(parameter.name);
        if (value != values.end() && std::ranges::any_of(variant.launches, sizes))
            value->second = std::min(value->second, parameter.defaultValue);
    }
    return values;
}

trace::WarpAccess loadThatIsStored(const trace::WarpTrace& warp) {
    trace::WarpAccess load;
    for (const trace::Step& step : warp.steps) {
        if (step.access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[step.access];
        if (access.space != trace::Space::Global) continue;
        if (access.kind == trace::AccessKind::Store) break;
        if (access.kind == trace::AccessKind::Load) load = warp.unpack(access);
    }
    return load;
}

std::optional<VariantAccess> accessOf(const Resources& resources, const catalog::Family& family,
                                      const catalog::Variant& variant, const catalog::Values& values) {
    Expected<Experiment> experiment =
        open(resources, family, variant, asSmallAsByDefault(family, variant, values));
    if (!experiment) return std::nullopt;
    simt::Options options;
    options.threads = 1;
    options.counts = false;
    options.focus = std::vector{Dim3{0, 0, 0}};
    const Expected<simt::Result> result =
        simt::run(*experiment->module, experiment->launches, experiment->buffers, options);
    if (!result) return std::nullopt;
    const trace::FocusBlock* block = result->trace.find(LaunchId{0}, {0, 0, 0});
    if (!block) return std::nullopt;
    VariantAccess found{
        .variant = variant.name, .title = variant.title, .ofWarps = {}, .threads = block->threads};
    for (const trace::WarpTrace& warp : block->warps)
        found.ofWarps.push_back(loadThatIsStored(warp));
    const auto isSome = [](const trace::WarpAccess& access) { return !access.active.empty(); };
    return std::ranges::any_of(found.ofWarps, isSome) ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

bool isToldByAccesses(const catalog::Family& family) { return family.stage == "coalescing"; }

std::vector<VariantAccess> accessesOfVariants(const Resources& resources, const catalog::Family& family,
                                              const catalog::Values& values) {
    std::vector<VariantAccess> all;
    for (const catalog::Variant& variant : family.variants)
        if (std::optional<VariantAccess> access = accessOf(resources, family, variant, values))
            all.push_back(std::move(*access));
    return all;
}

}  // namespace lockstep::run
