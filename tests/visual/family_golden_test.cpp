// A picture of every view of every family, as SVG text against tests/golden/families. A family or a view more brings its pictures along:
// LOCKSTEP_UPDATE_GOLDEN=1 writes them; look at them before they are committed.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "../support/run_shipped.h"
#include "run/recordings.h"
#include "viz/beside.h"
#include "viz/fonts.h"
#include "viz/navigation.h"
#include "viz/painters/svg/svg.h"
#include "viz/playground.h"
#include "viz/test_golden.h"
#include "viz/test_tidy.h"
#include "viz/times_facts.h"
#include "viz/view.h"

namespace lockstep {
namespace {

using namespace viz;

// What is drawn of a family, small enough to be looked at, and what stands beside it. A family without a row: its first two variants at
// their defaults.
struct Sample {
    std::string family, variant, other;
    Settings settings{};
    Language language = Language::English;
    const char* theme = "dark";
};
std::vector<Sample> samples() {
    std::vector<Sample> all{
        {"banks", "stride", "broadcast", {}, Language::Chinese, "light"},
        {"coalescing", "stride", "sequential", {{"n", "64"}, {"block", "32"}, {"stride", "3"}}},
        {"divergence", "parity", "by-warp", {{"n", "64"}, {"block", "64"}, {"steps", "2"}}, Language::Chinese},
        {"histogram", "private-copies", "global-atomics", {{"n", "256"}, {"blocks", "2"}, {"block", "64"}}, Language::English, "light"},
        {"matmul", "tiled-bounds", "tiled", {{"width", "3"}, {"tile", "2"}}},
        {"reduction", "v0", "v2", {{"n", "64"}, {"block", "64"}}, Language::English, "projector"},
        {"scan", "hillis-steele", "blelloch", {{"n", "64"}, {"block", "32"}}, Language::Chinese, "projector"},
        {"stencil", "tiled", "global", {{"rows", "12"}, {"columns", "12"}, {"tile", "8"}}, Language::Chinese, "light"},
        {"transpose", "shared", "shared-padded", {{"rows", "32"}, {"columns", "32"}}},
    };
    for (const catalog::Family& family : shipped().families())
        if (std::ranges::find(all, family.name, &Sample::family) == all.end())
            all.push_back({family.name, family.variants.front().name, family.variants[family.variants.size() > 1 ? 1 : 0].name});
    return all;
}

// Where nothing else is said, as large as the middle of a small window.
Size sizeOf(std::string_view view) {
    if (view == "timeline") return {747, 160};
    if (view == "banks" || view == "playground") return {540, 420};
    if (view == "source" || view == "findings") return {460, 360};
    if (view == "compare") return {1000, 640};
    return {640, 440};
}

Settings settingsFor(const std::string& kernel, const Settings& all) {
    const auto found = shipped().lookUp(kernel);
    EXPECT_TRUE(found) << kernel;
    Settings taken;
    for (const auto& setting : all)
        if (std::ranges::find(found->second->parameters, setting.first) != found->second->parameters.end()) taken.push_back(setting);
    return taken;
}

run::Run ran(const std::string& kernel, const Settings& settings, const std::vector<RecordedMachine>& machines) {
    Expected<run::Run> run = runShipped(kernel, settingsFor(kernel, settings));
    if (!run) {
        ADD_FAILURE() << kernel << ": " << describe(run.error());
        std::abort();
    }
    attachRecorded(*run, machines);
    return std::move(*run);
}

bool touchesShared(const run::Run& run) {
    return std::ranges::any_of(run.report.sites, [](const model::SiteReport& site) { return site.space == trace::Space::Shared; });
}

// None: the view has nothing to say of this family.
std::optional<Scene> sceneOf(const ViewRow& view, const Sample& sample, const run::Run& run, const run::Run& other, const Fonts& fonts, const std::vector<RecordedMachine>& machines) {
    if (view.ofSharedMemory && !touchesShared(run)) return std::nullopt;
    const Cursor cursor = view.ofSharedMemory ? worstBankConflict(run, initialCursor(run)) : initialCursor(run);
    const Beside beside{other, tied(run, cursor, other, Tie::Phase), other.profile};
    Playground playground;
    if (!view.needsRun) {
        const std::optional<model::AccessPattern> taken = patternAt(run, cursor);
        if (!taken) return std::nullopt;
        playground.pattern = *taken;
    }
    return view.build({.run = run, .cursor = cursor, .profile = run.profile, .size = sizeOf(view.name), .language = sample.language, .metrics = fonts, .machines = &machines, .beside = &beside,
                       .playground = &playground});
}

TEST(FamilyGoldenTest, EveryViewOfEveryFamilyLooksAsItDid) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    Expected<std::vector<run::HardwareRecording>> recordings = run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(recordings) << describe(recordings.error());
    const std::vector<RecordedMachine> machines = recordedMachines(std::move(*recordings), shipped());
    std::set<std::string> drawn;
    for (const Sample& sample : samples()) {
        const run::Run run = ran(sample.family + "/" + sample.variant, sample.settings, machines), other = ran(sample.family + "/" + sample.other, sample.settings, machines);
        for (const ViewRow& view : views()) {
            const std::optional<Scene> scene = sceneOf(view, sample, run, other, *fonts, machines);
            if (!scene) continue;
            const std::string name = sample.family + "-" + std::string(view.name);
            drawn.insert(name + ".svg");
            expectGolden("families/" + name, toSvg(*scene, *findTheme(sample.theme)));
            for (const std::string& untidy : untidyTexts(*scene, *fonts)) ADD_FAILURE() << name << ": " << untidy;
        }
    }
    for (const auto& file : std::filesystem::directory_iterator(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/golden/families"))
        EXPECT_TRUE(drawn.contains(file.path().filename().string())) << file.path() << " is of no family or view that there is: remove it";
}

}  // namespace
}  // namespace lockstep
