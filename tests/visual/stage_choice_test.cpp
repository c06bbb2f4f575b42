// Which stage shows a kernel: a file gets the one that the same kernel has in the catalog, and the user may
// choose another.
#include "../support/run_shipped.h"
#include "explain/cursor/navigation.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"
#include "viz/views/stage.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace lockstep {
namespace {

using namespace viz;

const Fonts& fonts() {
    static const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    EXPECT_TRUE(fonts) << describe(fonts.error());
    return *fonts;
}

ViewInput inputOf(const run::Run& run, ViewState state = {}, std::optional<Cursor> cursor = {}) {
    return {.run = run,
            .cursor = cursor.value_or(initialCursor(run)),
            .profile = run.profile,
            .size = {1142, 770},
            .metrics = fonts(),
            .state = state};
}

std::string stageOf(const run::Run& run, const Cursor& cursor) {
    const std::optional<BuiltStage> stage = buildShapedStage(inputOf(run, {}, cursor));
    return stage ? std::string(stage->name) : "generic";
}

// The same kernel with the same arguments, as if it had been opened as a file.
Expected<run::Run> runAsFile(const catalog::Family& family, const catalog::Variant& variant) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment = run::open({LOCKSTEP_SOURCE_DIR}, family, variant, *values);
    if (!experiment) return Unexpected{experiment.error()};
    experiment->catalog.reset();
    return run::run(std::move(*experiment), {});
}

TEST(StageChoiceTest, AFileHasTheStageThatItHasInTheCatalog) {
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants) {
            const std::string name = family.name + "/" + variant.name;
            const Expected<run::Run> entry = runShipped(name, {}), file = runAsFile(family, variant);
            ASSERT_TRUE(entry && file) << name;
            const Cursor cursor = initialCursor(*entry);
            if (family.stage == "generic") continue;  // it wants the buffers, where a file may get more
            EXPECT_EQ(stageOf(*file, cursor), stageOf(*entry, cursor)) << name;
        }
}

bool says(const Scene& scene, std::string_view part) {
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark);
            text && text->text.find(part) != std::string::npos)
            return true;
    return false;
}

TEST(StageChoiceTest, AFileSaysWhyAndOffersOthers) {
    const auto found = shipped().lookUp("matmul/tiled");
    ASSERT_TRUE(found);
    const Expected<run::Run> run = runAsFile(*found->first, *found->second);
    ASSERT_TRUE(run);
    const auto inWindow = [&](const ViewState& state = {}) {
        ViewInput in = inputOf(*run, state);
        in.titled = false;
        return in;
    };
    const Scene scene = findView("stage")->build(inWindow()),
                picture = findView("stage")->build(inputOf(*run));
    for (const Scene& each : {scene, picture})
        EXPECT_TRUE(says(each, "Matrix product: Each sum takes a row of M and a column of N."));
    EXPECT_TRUE(says(scene, "Requests"));
    EXPECT_FALSE(says(picture, "Requests")) << "nothing can be chosen in a file";
    std::vector<StageOptions> offered;
    for (const HitArea& area : scene.hits)
        if (area.hit.options) offered.push_back(optionsAs<StageOptions>(*area.hit.options));
    ASSERT_GE(offered.size(), 4u);
    for (const StageOptions& stage : offered) {
        const Scene other = findView("stage")->build(inWindow({.options = stage}));
        EXPECT_FALSE(other.marks.empty());
        EXPECT_TRUE(says(other, "Buffers")) << "the way back stands in each";
    }
    // The catalog's own stage says nothing of it; another that was chosen there does.
    const Expected<run::Run> entry = runShipped("matmul/tiled", {});
    ASSERT_TRUE(entry);
    EXPECT_FALSE(says(findView("stage")->build(inputOf(*entry)), "Each sum takes"));
    EXPECT_TRUE(
        says(findView("stage")->build(inputOf(*entry, {.options = offered.front()})), "Each sum takes"));
}

}  // namespace
}  // namespace lockstep
