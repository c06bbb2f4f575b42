// A picture of every view of every family against tests/golden/families, with measurements kept beside it:
// recording.json, taken once from the shipped recording of an H200, so that a new one changes no picture. A
// family or a view more brings its pictures along.
#include "../support/run_shipped.h"
#include "../support/scene_text.h"
#include "explain/cursor/navigation.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/opening.h"
#include "viz/cursor/playground.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_tidy.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace lockstep {
namespace {

using namespace viz;

// What is drawn of a family, small enough to be looked at, and what stands beside it. A family without a row:
// its first two variants at their defaults.
struct Sample {
    std::string family, variant, other;
    Settings settings{};
    Language language = Language::English;
};
std::vector<Sample> samples() {
    std::vector<Sample> all{
        {"banks", "stride", "broadcast", {}, Language::Chinese},
        {"coalescing", "stride", "sequential", {{"n", "64"}, {"block", "32"}, {"stride", "3"}}},
        {"divergence",
         "parity",
         "by-warp",
         {{"n", "64"}, {"block", "64"}, {"steps", "2"}},
         Language::Chinese},
        {"histogram", "private-copies", "global-atomics", {{"n", "256"}, {"blocks", "2"}, {"block", "64"}}},
        {"matmul", "tiled-bounds", "tiled", {{"width", "3"}, {"tile", "2"}}},
        {"reduction", "v0", "v2", {{"n", "64"}, {"block", "64"}}},
        {"scan", "hillis-steele", "blelloch", {{"n", "64"}, {"block", "32"}}, Language::Chinese},
        {"stencil", "tiled", "global", {{"rows", "12"}, {"columns", "12"}, {"tile", "8"}}, Language::Chinese},
        {"transpose", "shared", "shared-padded", {{"rows", "32"}, {"columns", "32"}}},
    };
    for (const catalog::Family& family : shipped().families())
        if (std::ranges::find(all, family.name, &Sample::family) == all.end())
            all.push_back({family.name, family.variants.front().name,
                           family.variants[family.variants.size() > 1 ? 1 : 0].name});
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
        if (std::ranges::find(found->second->parameters, setting.first) != found->second->parameters.end())
            taken.push_back(setting);
    return taken;
}

run::Run ran(const std::string& kernel, const Settings& settings,
             const std::vector<run::RecordedMachine>& machines) {
    Expected<run::Run> run = runShipped(kernel, settingsFor(kernel, settings));
    if (!run) {
        ADD_FAILURE() << kernel << ": " << describe(run.error());
        std::abort();
    }
    run::attachRecorded(*run, machines);
    return std::move(*run);
}

bool touchesShared(const run::Run& run) {
    return std::ranges::any_of(
        run.report.sites, [](const model::SiteReport& site) { return site.space == trace::Space::Shared; });
}

// None: the view has nothing to say of this family.
std::optional<Scene> sceneOf(const ViewRow& view, const Sample& sample, const run::Run& run,
                             const run::Run& other, const Fonts& fonts,
                             const std::vector<run::RecordedMachine>& machines) {
    if (view.accessesOf == trace::Space::Shared && !touchesShared(run)) return std::nullopt;
    const Cursor cursor = view.accessesOf == trace::Space::Shared
                              ? explain::worstBankConflict(run, run.profile, initialCursor(run))
                              : initialCursor(run);
    const ComparedRun beside{other, tied(run, cursor, other, Tie::Phase), other.profile};
    Playground playground;
    if (!view.needsRun) {
        const std::optional<model::AccessPattern> taken = patternAt(run, cursor);
        if (!taken) return std::nullopt;
        playground.pattern = *taken;
    }
    return view.build({.run = run,
                       .cursor = cursor,
                       .profile = run.profile,
                       .size = sizeOf(view.name),
                       .language = sample.language,
                       .metrics = fonts,
                       .machines = &machines,
                       .compared = &beside,
                       .playground = &playground});
}

// A family's two runs, made once.
struct Pair {
    run::Run run, other;
};

class FamilyGoldenTest
    : public ::testing::TestWithParam<std::pair<std::string, std::string>> {  // family, view
protected:
    static void SetUpTestSuite() {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_ = std::make_unique<Fonts>(std::move(*fonts));
        Expected<run::HardwareRecording> recording =
            run::readRecording(LOCKSTEP_SOURCE_DIR "/tests/golden/recording.json");
        ASSERT_TRUE(recording) << describe(recording.error());
        std::vector<run::HardwareRecording> recordings;
        recordings.push_back(std::move(*recording));
        machines_ = run::recordedMachines(std::move(recordings), shipped());
    }
    static void TearDownTestSuite() {
        fonts_.reset();
        machines_.clear();
        pairs_.clear();
    }

    static const Pair& pairOf(const Sample& sample) {
        const auto found = pairs_.find(sample.family);
        if (found != pairs_.end()) return found->second;
        return pairs_
            .emplace(sample.family,
                     Pair{ran(sample.family + "/" + sample.variant, sample.settings, machines_),
                          ran(sample.family + "/" + sample.other, sample.settings, machines_)})
            .first->second;
    }

    static inline std::unique_ptr<Fonts> fonts_;
    static inline std::vector<run::RecordedMachine> machines_;
    static inline std::map<std::string, Pair> pairs_;
};

std::vector<std::pair<std::string, std::string>> everyPicture() {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Sample& sample : samples())
        for (const ViewRow& view : views())
            all.emplace_back(sample.family, view.name);
    return all;
}

// What stands in each half of a comparison has pictures of its own: of the comparison itself two are enough.
bool hasGolden(const std::string& family, std::string_view view) {
    return view != "compare" || family == "matmul" || family == "reduction";
}

std::string fileOf(const std::string& family, std::string_view view) {
    return "families/" + family + "/" + std::string(view);
}

TEST_P(FamilyGoldenTest, LooksAsItDid) {
    const std::vector<Sample> all = samples();
    const Sample& sample = *std::ranges::find(all, GetParam().first, &Sample::family);
    const Pair& pair = pairOf(sample);
    const std::optional<Scene> scene =
        sceneOf(*findView(GetParam().second), sample, pair.run, pair.other, *fonts_, machines_);
    const std::string name = fileOf(sample.family, GetParam().second);
    if (!scene) {
        EXPECT_FALSE(std::filesystem::exists(LOCKSTEP_SOURCE_DIR "/tests/golden/" + name + ".txt"))
            << "this view says nothing of the family: remove the file";
        return;
    }
    if (hasGolden(sample.family, GetParam().second)) expectGolden(name, *scene);
    for (const std::string& untidy : untidyTexts(*scene, *fonts_))
        ADD_FAILURE() << name << ": " << untidy;
}

INSTANTIATE_TEST_SUITE_P(Every, FamilyGoldenTest, ::testing::ValuesIn(everyPicture()),
                         [](const auto& info) { return info.param.first + "_" + info.param.second; });

TEST(FamilyGoldens, AreOfFamiliesAndViewsThatThereAre) {
    std::set<std::string> known;
    for (const auto& [family, view] : everyPicture())
        if (hasGolden(family, view)) known.insert(fileOf(family, view) + ".txt");
    const std::filesystem::path golden = LOCKSTEP_SOURCE_DIR "/tests/golden";
    for (const auto& file : std::filesystem::recursive_directory_iterator(golden / "families"))
        EXPECT_TRUE(file.is_directory() || known.contains(file.path().lexically_relative(golden).string()))
            << file.path() << ": remove it";
}

// Who reads a change has to read these.
TEST(Goldens, StaySmall) {
    constexpr u64 kMostBytes = 2'000'000, kMostLines = 15'000;
    u64 bytes = 0, lines = 0;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(LOCKSTEP_SOURCE_DIR "/tests/golden")) {
        if (!file.is_regular_file()) continue;
        std::ifstream in(file.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        bytes += text.size();
        lines += u64(std::ranges::count(text, '\n'));
    }
    EXPECT_GT(lines, 0u);
    EXPECT_LE(bytes, kMostBytes);
    EXPECT_LE(lines, kMostLines);
}

}  // namespace
}  // namespace lockstep
