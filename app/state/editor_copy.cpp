#include "app/state/editor_copy.h"

#include "app/state/whole_path.h"
#include "exercises/exercise_launch.h"
#include "run/own/proposed_references.h"

#include <fmt/format.h>

#include <filesystem>

namespace lockstep::app {
namespace {

std::string newFile(const State& state, const std::string& stem) {
    const std::filesystem::path folder = wholePath(state.exportFolder.empty() ? "." : state.exportFolder);
    std::error_code ignored;
    std::filesystem::path file = (folder / (stem + ".cu")).lexically_normal();
    for (u32 number = 2; std::filesystem::exists(file, ignored) || state.editor.find(file.string()); ++number)
        file = (folder / fmt::format("{}-{}.cu", stem, number)).lexically_normal();
    return file.string();
}

std::vector<std::string> referencesOf(const State& state, const catalog::Variant& variant) {
    if (!state.run || state.isOfAnother() || !state.run->catalog) return {};
    for (std::string& reference : run::proposedReferences(run::kernelShapeOf(*state.run)))
        if (!variant.reference.empty() && reference.starts_with(variant.reference + ":"))
            return {std::move(reference)};
    return {};
}

}  // namespace

Expected<CreateText> copyOfExperiment(const State& state) {
    const catalog::Family* family = state.catalog ? state.catalog->find(state.choice.family) : nullptr;
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (!variant)
        return fail(FaultKind::Usage, english("Choose a kernel of the catalog: a copy of it can be edited."));
    const Expected<exercises::ExerciseLaunch> launch =
        exercises::launchOf(*family, *variant, state.choice.values);
    if (!launch) return Unexpected{launch.error()};
    return CreateText{.kernel = {.file = newFile(state, family->name + "-" + variant->name),
                                 .entry = launch->entry,
                                 .grid = launch->text.grid,
                                 .block = launch->text.block,
                                 .shared = std::to_string(launch->text.dynamicSharedBytes),
                                 .arguments = launch->text.arguments,
                                 .defines = {},
                                 .references = referencesOf(state, *variant),
                                 .further = launch->text.further},
                      .from = (family->folder / variant->file).string()};
}

// Some threads have nothing to do, so that the bounds check shows.
CreateText newKernel(const State& state) {
    return {.kernel = {.file = newFile(state, "kernel"),
                       .entry = "saxpy",
                       .grid = "4",
                       .block = "256",
                       .shared = "0",
                       .arguments = {"i32:1000", "f32:2", "f32[1000]=random", "f32[1000]=random"},
                       .defines = {}}};
}

}  // namespace lockstep::app
