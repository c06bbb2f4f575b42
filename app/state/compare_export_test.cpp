// The state, action by action: comparing, exporting, the speed. No window.
#include "app/state/update.h"
#include "viz/compare/comparison.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::app {
namespace {

catalog::Catalog& shippedCatalog() {
    static catalog::Catalog catalog = [] {
        Expected<catalog::Catalog> read =
            catalog::Catalog::read(std::string(LOCKSTEP_SOURCE_DIR) + "/kernels");
        EXPECT_TRUE(read) << describe(read.error());
        return std::move(*read);
    }();
    return catalog;
}

class StateTest : public ::testing::Test {
protected:
    std::vector<StartRun> started(const Action& action) {
        std::vector<StartRun> runs;
        for (Effect& effect : update(state, action))
            if (auto* run = std::get_if<StartRun>(&effect)) runs.push_back(std::move(*run));
        return runs;
    }
    // The run arrives: not the kernel's own, but one in which the cursor can move.
    void arrive(const StartRun& job, run::Run run) {
        (void)update(state, RunArrived{job.ticket, std::make_shared<const run::Run>(std::move(run))});
    }

    State state = initialState(shippedCatalog(),
                               {"reduction", "v0",
                                shippedCatalog().find("reduction")
                                    ? catalog::resolve(*shippedCatalog().find("reduction"), {}).value()
                                    : catalog::Values{}});
};

TEST_F(StateTest, ComparingRunsTheSecondBesideTheFirstAndIsUndone) {
    const std::vector<StartRun> first = started(RunAgain{});
    ASSERT_EQ(first.size(), 1u);
    arrive(first[0], viz::treeSum(64));
    const std::shared_ptr<const run::Run> shown = state.run;

    Choice other = state.choice;
    other.variant = "v2";
    const std::vector<StartRun> second = started(CompareWith{other});
    ASSERT_EQ(second.size(), 1u) << "the first goes on standing";
    EXPECT_TRUE(second[0].compared);
    EXPECT_EQ(second[0].choice.variant, "v2");
    EXPECT_FALSE(state.job.running);
    EXPECT_TRUE(state.compared.job.running);
    arrive(second[0], viz::treeSum(32));
    EXPECT_EQ(state.run, shown);
    ASSERT_TRUE(state.compared.run);

    EXPECT_TRUE(started(Undo{}).empty());
    EXPECT_FALSE(state.compared.choice);
    EXPECT_EQ(state.compared.run, nullptr);
    const std::vector<StartRun> again = started(Redo{});
    ASSERT_EQ(again.size(), 1u);
    EXPECT_TRUE(again[0].compared);
    EXPECT_EQ(state.choice.variant, "v0");
    EXPECT_EQ(state.compared.choice->variant, "v2");
}

TEST_F(StateTest, AnotherKernelBesideBeginsAtTheGreatestDifference) {
    arrive(started(RunAgain{})[0], viz::columnRead(32));
    const viz::Cursor begin = state.cursor;
    Choice other = state.choice;
    other.variant = "v2";
    arrive(started(CompareWith{other})[0], viz::columnRead(33));
    EXPECT_EQ(state.cursor, viz::greatestDifference(*state.run, begin, *state.compared.run, viz::Tie::Phase));
    // Another size of the same two stays where it is.
    (void)update(state, ToEnd{.back = true});
    const viz::Cursor first = state.cursor;
    ASSERT_NE(first, viz::greatestDifference(*state.run, first, *state.compared.run, viz::Tie::Phase));
    other.values["n"] *= 2;
    const std::vector<StartRun> resized = started(CompareWith{other});
    ASSERT_EQ(resized.size(), 1u);
    arrive(resized[0], viz::columnRead(33));
    EXPECT_EQ(state.cursor, first);
}

TEST_F(StateTest, AViewHasTheWholeWidthInItsTaskUntilItIsPutBack) {
    (void)update(state, Enlarge{"sectors"});
    EXPECT_TRUE(isEnlarged(state));
    EXPECT_EQ(state.turnedTo, "sectors");
    (void)update(state, BringUp{"banks"});
    EXPECT_EQ(state.enlarged.at("explore"), "banks") << "what is asked for takes its place";
    (void)update(state, SetTask{"measure"});
    EXPECT_FALSE(isEnlarged(state)) << "each arrangement has its own";
    (void)update(state, SetTask{"explore"});
    EXPECT_TRUE(isEnlarged(state));
    (void)update(state, Enlarge{"timeline"});
    EXPECT_EQ(state.enlarged.at("explore"), "banks") << "the timeline is as wide as the window already";
    (void)update(state, Enlarge{});
    EXPECT_FALSE(isEnlarged(state));
    EXPECT_EQ(state.broughtUp, "banks") << "it is in sight among the others";
}

TEST_F(StateTest, AResultOfASupersededRunBesideIsThrownAway) {
    arrive(started(RunAgain{})[0], viz::treeSum(64));
    Choice other = state.choice;
    other.variant = "v1";
    const StartRun old = started(CompareWith{other})[0];
    other.variant = "v2";
    const StartRun current = started(CompareWith{other})[0];
    EXPECT_TRUE(old.progress->cancelled);
    arrive(old, viz::treeSum(32));
    EXPECT_EQ(state.compared.run, nullptr);
    arrive(current, viz::treeSum(32));
    EXPECT_NE(state.compared.run, nullptr);
}

TEST_F(StateTest, BothCursorsMoveTogetherWhicheverIsMoved) {
    arrive(started(RunAgain{})[0], viz::treeSum(64));
    Choice other = state.choice;
    other.variant = "v2";
    arrive(started(CompareWith{other})[0], viz::treeSum(64));
    (void)update(state,
                 MoveCursor{{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{7}, .step = 9}});
    EXPECT_EQ(state.compared.cursor, state.cursor) << "of the same kernel they are at the same place";
    EXPECT_TRUE(state.compared.moved);
    viz::Cursor there = state.compared.cursor;
    there.step = 14;
    (void)update(state, MoveCompared{there});
    EXPECT_EQ(state.cursor.step, 14u);
    EXPECT_EQ(state.compared.cursor.step, 14u);
    (void)update(state, SetView{"compare", {.options = viz::CompareOptions{"stage", viz::Tie::Step, {}}}});
    (void)update(state, Step{explain::Stride::Instruction, true});
    EXPECT_EQ(state.compared.cursor.step, 13u);
}

TEST_F(StateTest, ASizeInWhichBothAgreeStaysTheSame) {
    (void)started(RunAgain{});
    Choice other = state.choice;
    other.variant = "v2";
    (void)started(CompareWith{other});
    const s64 n = state.choice.values.at("n");
    EXPECT_EQ(started(SetParameter{"n", n / 2}).size(), 2u);
    EXPECT_EQ(state.choice.values.at("n"), n / 2);
    EXPECT_EQ(state.compared.choice->values.at("n"), n / 2);
    other = *state.compared.choice;
    other.values["n"] = n / 4;
    EXPECT_EQ(started(CompareWith{other}).size(), 1u);
    EXPECT_EQ(started(SetParameter{"n", n}).size(), 1u) << "they differ on purpose";
    EXPECT_EQ(state.compared.choice->values.at("n"), n / 4);
    (void)started(ChooseVariant{"matmul", "tiled"});
    EXPECT_FALSE(state.compared.choice) << "another family has nothing to do with it";
}

TEST_F(StateTest, ComparingBeginsWithTheNextVariant) {
    (void)started(RunAgain{});
    EXPECT_EQ(started(CompareWithAnother{}).size(), 1u);
    EXPECT_TRUE(state.compared.open);
    EXPECT_EQ(state.compared.choice->variant, shippedCatalog().find("reduction")->variants[1].name);
    (void)update(state, CloseComparison{});
    EXPECT_TRUE(started(CompareWithAnother{}).empty()) << "what was compared still is";
    EXPECT_TRUE(state.compared.open);
}

TEST_F(StateTest, AnExportHasANameAndAsksBeforeItReplaces) {
    arrive(started(RunAgain{})[0], viz::treeSum(64));
    (void)update(state, OpenExport{"banks"});
    EXPECT_EQ(state.exporting.settings.file, "reduction-v0-banks.png");
    ExportSettings settings = state.exporting.settings;
    settings.format = ExportFormat::Gif;
    (void)update(state, SetExport{settings});
    EXPECT_EQ(state.exporting.settings.file, "reduction-v0-banks.gif");
    settings = state.exporting.settings;
    settings.last = 100000;
    settings.file = testing::TempDir() + "/mine.gif";
    (void)update(state, SetExport{settings});
    EXPECT_EQ(state.exporting.settings.file, settings.file);
    EXPECT_LT(state.exporting.settings.last, 1000u) << "no more than the warp has";
    settings = state.exporting.settings;
    settings.view.clear();
    settings.format = ExportFormat::Svg;
    (void)update(state, SetExport{settings});
    EXPECT_EQ(state.exporting.settings.format, ExportFormat::Svg) << "the whole window, too";

    std::ofstream(settings.file) << "old";
    EXPECT_TRUE(update(state, ExportNow{}).empty());
    EXPECT_TRUE(state.exporting.asksToReplace);
    const std::vector<Effect> effects = update(state, ExportNow{});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<StartExport>(effects[0]).settings, state.exporting.settings);
    EXPECT_TRUE(state.exporting.running);
    EXPECT_TRUE(std::holds_alternative<StopExport>(update(state, CloseExport{}).at(0)));
    EXPECT_FALSE(state.exporting.running);
}

TEST_F(StateTest, SpeedGoesFromSlowMotionToAsFastAsItGoes) {
    arrive(started(RunAgain{})[0], viz::treeSum(64));
    (void)update(state, SetSpeed{0.001f});
    EXPECT_EQ(state.playback.stepsPerSecond, kSlowest);
    (void)update(state, TogglePlay{});
    EXPECT_NEAR(motionSeconds(state.playback, false), 1.28, 1e-6);
    EXPECT_EQ(motionSeconds(state.playback, true), 0);
    (void)update(state, SetStepUnit{explain::Stride::Instruction});
    (void)update(state, SetSpeed{1e9f});
    EXPECT_EQ(state.playback.stepsPerSecond, kFastest);
    (void)update(state, ToEnd{true});
    (void)update(state, TogglePlay{});
    const u32 before = state.cursor.step;
    (void)update(state, Tick{0.0102});
    EXPECT_EQ(state.cursor.step, before + 20u);
}

TEST_F(StateTest, AFolderThatIsNotThereIsSaidBeforeAnythingIsDrawn) {
    arrive(started(RunAgain{}).at(0), viz::treeSum(64));
    (void)update(state, OpenExport{"stage"});
    ExportSettings settings = state.exporting.settings;
    settings.file = "/no/such/folder/x.gif";
    (void)update(state, SetExport{settings});
    EXPECT_TRUE(update(state, ExportNow{}).empty());
    EXPECT_FALSE(state.exporting.running);
    ASSERT_TRUE(state.exporting.fault);
    EXPECT_EQ(state.exporting.fault->place.file, "/no/such/folder");
    settings.file = "x.gif";
    (void)update(state, SetExport{settings});
    EXPECT_FALSE(state.exporting.fault) << "another place is another try";
}

TEST_F(StateTest, AFileChosenInTheDesktopsDialogueSaysTheFormatAndIsNotAskedForTwice) {
    arrive(started(RunAgain{}).at(0), viz::treeSum(64));
    EXPECT_TRUE(update(state, ChooseExportFile{}).empty()) << "there is no dialog yet";
    (void)update(state, OpenExport{"banks"});
    const std::vector<Effect> asks = update(state, ChooseExportFile{});
    ASSERT_EQ(asks.size(), 1u);
    EXPECT_EQ(std::get<AskWhereToSave>(asks[0]).settings, state.exporting.settings);
    const std::string file = testing::TempDir() + "/chosen.svg";
    std::ofstream(file) << "old";
    (void)update(state, ExportFileChosen{file});
    EXPECT_EQ(state.exporting.settings.file, file);
    EXPECT_EQ(state.exporting.settings.format, ExportFormat::Svg);
    EXPECT_EQ(update(state, ExportNow{}).size(), 1u) << "the desktop has asked whether to replace it";
    (void)update(state, ExportEnded{file, std::nullopt});
    EXPECT_TRUE(update(state, ExportNow{}).empty()) << "that was for once";
    EXPECT_TRUE(state.exporting.asksToReplace);
    Fault none;
    none.message = Message::plain("no such program");
    (void)update(state, ExportFileChosen{"", none});
    EXPECT_EQ(state.exporting.settings.file, file);
    EXPECT_EQ(state.exporting.fault->message.english(), none.message.english());
}

}  // namespace
}  // namespace lockstep::app
