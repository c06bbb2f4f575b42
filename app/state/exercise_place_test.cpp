// An exercise's file in the window: where it is written, how it is launched, and what is said of its results.
#include "app/state/exercise_place.h"

#include "app/state/first_run.h"
#include "app/state/update.h"
#include "base/check.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"
#include "lessons/place_on_show.h"
#include "model/source_line.h"
#include "run/resources.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::app {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

class ExercisePlaceTest : public testing::Test {
protected:
    ExercisePlaceTest() {
        auto read = exercises::readExercise(kResources.assets() / "exercises" / "row-sums");
        state_.lessons.exercises = {
            {"row-sums", std::make_shared<const exercises::Exercise>(std::move(*read)), false}};
        state_.exportFolder = "/no-such-folder";
        does(ShowLessons{});
        does(OpenExercise{"row-sums"});
    }
    std::vector<Effect> does(LessonAction action) { return update(state_, Action(std::move(action))); }
    ExerciseAttempt& attempt() { return state_.lessons.exercise; }
    void judged(exercises::State compiles, u32 line) {
        auto verdict = std::make_shared<exercises::Verdict>();
        verdict->rules = {{.rule = "compiles", .quantity = "compiles", .state = compiles, .line = line}};
        const std::vector<Effect> effects = does(CheckExercise{});
        ASSERT_EQ(effects.size(), 1u);
        does(ExerciseChecked{attempt().ticket, verdict});
    }

    State state_ = initialState(catalogue(), firstChoice(catalogue()));
};

TEST_F(ExercisePlaceTest, AStartFileIsProposedWhereNoPathIsGiven) {
    const std::vector<Effect> effects = does(BeginExercise{});
    EXPECT_EQ(attempt().file, "/no-such-folder/row-sums.cu");
    ASSERT_EQ(effects.size(), 1u);
    const auto* task = std::get_if<LessonTask>(&effects[0]);
    ASSERT_TRUE(task);
    EXPECT_EQ(std::get<WriteStart>(*task).file, attempt().file);
}

TEST_F(ExercisePlaceTest, ItsFileIsEditedBesideItsRun) {
    does(BeginExercise{});
    const std::string file = attempt().file;
    (void)update(state_, EditorAction{EditFile{file}});
    ASSERT_TRUE(state_.choice.own);
    EXPECT_EQ(state_.choice.own->file, file);
    EXPECT_EQ(state_.choice.own->entry, kernelOfExercise(state_.lessons, file)->entry);
    (void)update(state_, EditorAction{TextRead{file, std::make_shared<const std::string>("kernel\n")}});
    EXPECT_TRUE(state_.editor.open);
    EXPECT_EQ(state_.editedExperiment(), state_.editor.inFront());
    EXPECT_FALSE(state_.lessons.open) << "the list would cover it";
}

TEST_F(ExercisePlaceTest, WithoutAFileThereIsASentenceAboutWhatToDo) {
    EXPECT_TRUE(does(CheckExercise{}).empty());
    ASSERT_TRUE(attempt().fault);
    EXPECT_NE(describe(*attempt().fault).find("path"), std::string::npos);
    does(TypeExerciseFile{"mine.cu"});
    EXPECT_FALSE(attempt().fault);
}

TEST_F(ExercisePlaceTest, ItsFileIsOpenedWithTheLaunchThatItIsJudgedWith) {
    attempt().file = "/somewhere/else/../mine.cu";
    const auto lookedFor = [&](const std::string& path) {
        const std::vector<Effect> effects = update(state_, OpenFile{path});
        return effects.empty() ? OwnKernel{} : std::get<LookForKernels>(effects[0]).kernel;
    };
    const OwnKernel mine = lookedFor("/somewhere/mine.cu");
    EXPECT_EQ(mine.entry, "row_sums");
    EXPECT_EQ(mine.block, "32,4");
    EXPECT_EQ(mine.arguments.front(), "i32[64][32]=random:-100:100");
    EXPECT_TRUE(lookedFor("/somewhere/other.cu").entry.empty());
}

TEST_F(ExercisePlaceTest, ARuleThatFailsLeadsToItsLine) {
    attempt().file = "/somewhere/mine.cu";
    const std::vector<Effect> effects = update(state_, ShowLineOfExercise{11, "rows=33"});
    EXPECT_FALSE(state_.lessons.open);
    ASSERT_TRUE(state_.choice.own);
    EXPECT_EQ(state_.choice.own->arguments.back(), "i32:33");
    EXPECT_EQ(state_.wantedLine, 11u);
    EXPECT_TRUE(std::ranges::any_of(
        effects, [](const Effect& effect) { return std::holds_alternative<StartRun>(effect); }));
}

TEST_F(ExercisePlaceTest, TheCursorGoesToTheFirstStepAtALine) {
    lessons::LessonRuns runs(kResources, catalogue());
    const auto on = runs.find({.kernel = "banks/stride"});
    ASSERT_TRUE(on) << describe(on.error());
    const run::Run& ran = *on->run;
    const u32 line = 11;  // out[threadIdx.x] = words[threadIdx.x * stride];
    const std::optional<viz::Cursor> at = stepAtLine(ran, on->cursor, line);
    ASSERT_TRUE(at);
    const trace::FocusBlock* block = ran.recording.trace.find(at->launch, at->block);
    const auto& steps = block->warps[at->warp.value].steps;
    EXPECT_EQ(model::sourceLineOf(steps[at->step].pc, *ran.module).line, line);
    for (u32 step = 0; step < at->step; ++step)
        EXPECT_NE(model::sourceLineOf(steps[step].pc, *ran.module).line, line);
    EXPECT_FALSE(stepAtLine(ran, on->cursor, 4000));
}

TEST_F(ExercisePlaceTest, AFileThatDoesNotCompileKeepsTheEarlierResultAsEarlier) {
    attempt().file = "/somewhere/mine.cu";
    judged(exercises::State::Holds, 0);
    const auto first = attempt().verdict;
    EXPECT_FALSE(attempt().earlier);
    judged(exercises::State::Fails, 13);
    judged(exercises::State::Fails, 12);
    EXPECT_EQ(attempt().earlier, first);
    EXPECT_FALSE(attempt().verdict->compiles());
    judged(exercises::State::Holds, 0);
    EXPECT_FALSE(attempt().earlier);
}

}  // namespace
}  // namespace lockstep::app
