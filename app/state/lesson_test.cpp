// A lesson in the window's state: what it sets, how answers are taken, what comes back when it is closed.
#include "app/state/lesson_update.h"
#include "app/state/update.h"
#include "base/check.h"
#include "exercises/exercise.h"
#include "exercises/judge.h"
#include "lessons/read_lesson.h"
#include "run/resources.h"
#include "run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace lockstep::app {
namespace {

using lessons::Outcome;

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& catalogue() {
    static const Expected<catalog::Catalog> read = catalog::Catalog::read(kResources.kernels());
    CHECK(read.has_value(), "the catalog must be readable");
    return *read;
}

// What works on a state in the background, here at once.
class Background {
public:
    explicit Background(State& state) : state_(state) {}

    // The runs that the window was asked for.
    std::vector<StartRun> runs;

    void does(const Action& action) {
        for (const Effect& effect : update(state_, action)) {
            if (const auto* run = std::get_if<StartRun>(&effect)) runs.push_back(*run);
            if (const auto* task = std::get_if<LessonTask>(&effect)) work(*task);
        }
    }
    void lesson(LessonAction action) { does(Action(std::move(action))); }
    // The window's run, as far as the state is concerned: the step's own.
    void arrive() {
        ASSERT_FALSE(runs.empty());
        does(RunArrived{.ticket = runs.back().ticket, .run = state_.lessons.step->asked.on().run});
    }

private:
    void work(const LessonTask& task) {
        if (const auto* wanted = std::get_if<PrepareStep>(&task)) {
            const auto step =
                lessons::showStep(wanted->lesson, wanted->number, runs_, wanted->seed, wanted->other.get());
            if (!step) return lesson(StepFailed{wanted->ticket, step.error()});
            return lesson(StepReady{wanted->ticket, *step});
        }
        if (const auto* wanted = std::get_if<JudgeAnswer>(&task)) {
            const auto reply = lessons::reply(*wanted->step, wanted->answer);
            ASSERT_TRUE(reply) << describe(reply.error());
            lesson(AnswerJudged{wanted->ticket, std::make_shared<const lessons::Reply>(*reply), {}});
        }
    }

    State& state_;
    lessons::LessonRuns runs_{kResources, catalogue()};
};

class LessonStateTest : public testing::Test {
protected:
    LessonStateTest() {
        std::vector<LessonEntry> all;
        for (lessons::Lesson& lesson : lessons::lessonsIn(kResources.assets() / "lessons")) {
            std::string name = lesson.name;
            all.push_back({name, std::make_shared<const lessons::Lesson>(std::move(lesson)), false});
        }
        background_.lesson(LessonsListed{all});
    }
    const lessons::StepOnShow& step() const { return *state_.lessons.step; }

    State state_ = initialState(catalogue(), firstChoice(catalogue()));
    Background background_{state_};
};

TEST_F(LessonStateTest, AStepSetsExperimentViewAndCursorAndClosingGivesTheEarlierBack) {
    const Choice before = state_.choice;
    background_.lesson(OpenLesson{"banks", "stride"});
    ASSERT_TRUE(state_.lessons.step);
    EXPECT_TRUE(state_.lessons.open);
    EXPECT_EQ(state_.choice.family + "/" + state_.choice.variant, "banks/stride");
    EXPECT_EQ(state_.choice.values.at("stride"), 8);
    EXPECT_EQ(state_.broughtUp, "banks");
    EXPECT_EQ(state_.broughtUpBeside, "source") << "whatever the step before had brought up";
    EXPECT_EQ(state_.cursor.step + 1, step().asked.on().cursor.step) << "just before what is asked about";
    EXPECT_TRUE(state_.lessons.hidesAnswer());

    (void)update(state_, Undo{});
    EXPECT_EQ(state_.choice, before) << "a step is a change as any other";
    (void)update(state_, Redo{});

    background_.lesson(ShowLessons{false});
    EXPECT_FALSE(state_.lessons.open);
    EXPECT_EQ(state_.choice, before);
    EXPECT_FALSE(state_.beforeLesson);
    (void)update(state_, Undo{});
    EXPECT_EQ(state_.choice.family, "banks") << "which can be undone, too";
}

TEST_F(LessonStateTest, TheRunOnShowEndsBeforeThePlaceUntilTheAnswer) {
    background_.lesson(OpenLesson{"banks", "stride"});
    EXPECT_EQ(state_.run, step().before);
    EXPECT_FALSE(state_.job.running) << "nothing has to be waited for";
    background_.does(RunAgain{});
    background_.arrive();
    EXPECT_EQ(state_.run, step().before) << "another run of the same experiment is not shown";
    background_.lesson(MakeAnswer{step().answer});
    background_.lesson(CheckAnswer{});
    EXPECT_EQ(state_.run, step().asked.on().run);
    EXPECT_EQ(state_.cursor, step().asked.on().cursor);
    background_.arrive();
    EXPECT_NE(state_.run, step().before);
    EXPECT_EQ(state_.cursor, step().asked.on().cursor) << "where it was, in the window's own run";
}

TEST_F(LessonStateTest, TheWholeRunFollowsTheAnswerWhereverTheCursorWasPut) {
    background_.lesson(OpenLesson{"divergence", "switch"});
    Cursor elsewhere = state_.cursor;
    elsewhere.step = 0;
    background_.does(MoveCursor{elsewhere});
    ASSERT_NE(state_.cursor, placeOf(step(), false));
    background_.lesson(MakeAnswer{step().answer});
    background_.lesson(CheckAnswer{});
    ASSERT_TRUE(state_.lessons.isSettled());
    EXPECT_EQ(state_.run, step().asked.on().run) << "not the part of it before the place";
    EXPECT_EQ(state_.cursor, step().asked.on().cursor);
}

TEST_F(LessonStateTest, AnAnswerAboutAChangeIsShownInTheChangedExperiment) {
    background_.lesson(OpenLesson{"banks", "padding"});
    EXPECT_EQ(state_.choice.values.at("padding"), 0);
    background_.lesson(MakeAnswer{step().answer});
    background_.lesson(CheckAnswer{});
    EXPECT_EQ(state_.choice.values.at("padding"), 1);
    EXPECT_EQ(step().in(Language::English).after, "padding = 1");
    ASSERT_FALSE(background_.runs.empty());
    background_.does(
        RunArrived{.ticket = background_.runs.back().ticket, .run = step().asked.other("padded")->run});
    EXPECT_EQ(state_.cursor, step().asked.other("padded")->cursor);
    background_.lesson(BackToPlace{});
    EXPECT_EQ(state_.choice.values.at("padding"), 1) << "that is its place now";
}

TEST_F(LessonStateTest, WhileACellIsAskedForTheCursorIsOnAnotherLane) {
    background_.lesson(OpenLesson{"tiles", "thread"});
    EXPECT_NE(state_.cursor.lane, step().asked.on().cursor.lane) << "views mark what is its own";
    background_.lesson(ShowAnswer{});
    EXPECT_EQ(state_.cursor.lane, step().asked.on().cursor.lane);
}

TEST_F(LessonStateTest, TheLastStepLeadsToTheNextLesson) {
    background_.lesson(OpenLesson{"tiles", {}});
    ASSERT_TRUE(state_.lessons.behind());
    EXPECT_EQ(state_.lessons.behind(), state_.lessons.current() + 1);
    background_.lesson(OpenLesson{state_.lessons.all.back().key, {}});
    EXPECT_FALSE(state_.lessons.behind());
}

TEST_F(LessonStateTest, WhatComesNextIsTheLessonOfTheLastVisit) {
    NextStep next = nextStepOf(state_.lessons);
    ASSERT_TRUE(next.step);
    EXPECT_EQ(next.entry, &state_.lessons.all.front());
    EXPECT_EQ(next.step, &next.entry->lesson->steps.front());
    lessons::Progress progress;
    progress.visit("banks", "bank", "2026-11-28 10:00");
    progress.visit("races", state_.lessons.find("races")->lesson->steps.front().id, "2026-11-29 10:00");
    progress.add("races", state_.lessons.find("races")->lesson->steps.front().id, Outcome::FirstTry);
    background_.lesson(ProgressRead{progress});
    next = nextStepOf(state_.lessons);
    EXPECT_EQ(next.entry->key, "races");
    EXPECT_EQ(next.step, &next.entry->lesson->steps[1]);
    // A step that was left without an answer is where the lesson goes on, whatever was left out before it.
    const auto& races = state_.lessons.find("races")->lesson->steps;
    progress.visit("races", races[3].id, "2026-11-29 10:00");
    background_.lesson(ProgressRead{progress});
    EXPECT_EQ(nextStepOf(state_.lessons).step, &races[3]);
    for (std::size_t i = 3; i < races.size(); ++i)
        progress.add("races", races[i].id, Outcome::Shown);
    background_.lesson(ProgressRead{progress});
    EXPECT_EQ(nextStepOf(state_.lessons).step, &races[1]) << "which was left out";
    for (const LessonEntry& entry : state_.lessons.all)
        for (const lessons::LessonStep& one : entry.lesson->steps)
            progress.add(entry.key, one.id, Outcome::Shown);
    background_.lesson(ProgressRead{progress});
    EXPECT_FALSE(nextStepOf(state_.lessons).step) << "all are done";
}

TEST_F(LessonStateTest, ARightAnswerMovesOnToThePlaceAndCountsByHowItCame) {
    struct Case {
        const char* step;
        bool isWrongFirst, hints;
        Outcome outcome;
    };
    for (const Case& c :
         {Case{"bank", false, false, Outcome::FirstTry}, Case{"stride", true, false, Outcome::LaterTry},
          Case{"column", true, true, Outcome::AfterHint}}) {
        background_.lesson(OpenLesson{"banks", c.step});
        if (c.isWrongFirst) {
            background_.lesson(MakeAnswer{"77"});
            background_.lesson(CheckAnswer{});
            ASSERT_TRUE(state_.lessons.attempt.reply);
            EXPECT_EQ(state_.lessons.attempt.reply->verdict, lessons::Verdict::Wrong);
            EXPECT_FALSE(state_.lessons.attempt.reply->words.at(Language::Chinese).empty());
            EXPECT_FALSE(state_.lessons.isSettled());
        }
        if (c.hints) background_.lesson(TakeHint{});
        background_.lesson(MakeAnswer{step().answer});
        EXPECT_FALSE(state_.lessons.attempt.reply) << "to another answer";
        background_.lesson(CheckAnswer{});
        EXPECT_TRUE(state_.lessons.isSettled());
        EXPECT_EQ(state_.cursor, step().asked.on().cursor);
        EXPECT_EQ(state_.lessons.progress.of("banks", c.step), c.outcome) << c.step;
    }
    const LessonCounts counts = countsOf(*state_.lessons.find("banks"), state_.lessons.progress);
    EXPECT_EQ(counts.done, 3u);
    EXPECT_EQ(counts.first, 1u);
    EXPECT_EQ(counts.helped, 1u);
}

TEST_F(LessonStateTest, ShownAnswersCountAsShownAndTryingAgainAsksForOtherFigures) {
    background_.lesson(OpenLesson{"banks", "stride"});
    background_.lesson(ShowAnswer{});
    EXPECT_EQ(state_.lessons.progress.of("banks", "stride"), Outcome::Shown);
    EXPECT_TRUE(state_.lessons.isSettled());
    background_.lesson(MakeAnswer{"1"});
    EXPECT_TRUE(state_.lessons.attempt.answer.empty()) << "it is known now";
    const s64 stride = step().asksAbout.values.at("stride");
    background_.lesson(TryAgain{});
    EXPECT_NE(step().asksAbout.values.at("stride"), stride);
    EXPECT_FALSE(state_.lessons.isSettled());
    background_.lesson(MakeAnswer{step().answer});
    background_.lesson(CheckAnswer{});
    EXPECT_EQ(state_.lessons.progress.of("banks", "stride"), Outcome::FirstTry) << "the better one stays";
}

TEST_F(LessonStateTest, EveryKindOfAShippedQuestionTakesItsRightAnswer) {
    for (const LessonEntry& entry : std::vector(state_.lessons.all))
        for (const lessons::LessonStep& one : entry.lesson->steps) {
            SCOPED_TRACE(entry.key + " " + one.id);
            background_.lesson(OpenLesson{entry.key, one.id});
            ASSERT_TRUE(state_.lessons.step) << describe(*state_.lessons.fault);
            background_.lesson(MakeAnswer{step().answer});
            background_.lesson(CheckAnswer{});
            EXPECT_TRUE(state_.lessons.isSettled()) << step().answer;
            for (const Language language : {Language::English, Language::Chinese})
                EXPECT_FALSE(step().in(language).body.empty());
        }
}

TEST_F(LessonStateTest, AnOldStepThatArrivesLateIsNotShown) {
    background_.lesson(OpenLesson{"banks", "bank"});
    const auto old = state_.lessons.step;
    const u64 ticket = state_.lessons.ticket;
    background_.lesson(GoToStep{1});
    background_.lesson(StepReady{ticket, old});
    EXPECT_EQ(step().number, 1u);
    background_.lesson(AnswerJudged{ticket, nullptr, {}});
    EXPECT_FALSE(state_.lessons.attempt.fault);
    background_.lesson(GoToStep{99});
    EXPECT_EQ(state_.lessons.number, 1u);
}

TEST_F(LessonStateTest, FoldersAndProgressAreOpenedAsFilesAre) {
    const std::string folder = (kResources.assets() / "lessons" / "races").string();
    const std::vector<Effect> effects = update(state_, OpenFile{folder});
    ASSERT_EQ(effects.size(), 1u);
    const auto* task = std::get_if<LessonTask>(&effects.front());
    ASSERT_TRUE(task);
    EXPECT_EQ(std::get<ReadLessonFolder>(*task).folder, folder);
    const std::vector<Effect> others = update(state_, OpenFile{"my.lessons"});
    ASSERT_EQ(others.size(), 1u);
    EXPECT_EQ(std::get<ReadProgress>(std::get<LessonTask>(others.front())).file, "my.lessons");
    lessons::Progress progress;
    progress.add("banks", "bank", Outcome::Shown);
    background_.lesson(ProgressRead{progress});
    EXPECT_EQ(state_.lessons.progress, progress);
    background_.lesson(OpenLesson{"banks", {}});
    EXPECT_EQ(state_.lessons.number, 1u) << "the first that has not been dealt with";
}

// Of the user, in a folder.
LessonEntry ownLesson(const std::filesystem::path& folder, const std::vector<std::string>& steps) {
    lessons::Lesson lesson{.name = folder.filename().string(), .folder = folder};
    for (const std::string& id : steps)
        lesson.steps.push_back({.id = id, .place = {}});
    return {std::string(kOwnLesson) + folder.string(),
            std::make_shared<const lessons::Lesson>(std::move(lesson)), true};
}

class OwnLessonStateTest : public testing::Test {
protected:
    OwnLessonStateTest() {
        std::filesystem::remove_all(folder_);
        for (const char* name : {"a/own", "b/own"})
            std::filesystem::create_directories(folder_ / name);
    }
    ~OwnLessonStateTest() override { std::filesystem::remove_all(folder_); }
    std::vector<LessonTask> does(const LessonAction& action) {
        return updateLesson(state_, action, tickets_).tasks;
    }
    std::string keyOf(const char* name) const { return std::string(kOwnLesson) + (folder_ / name).string(); }
    const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "lockstep-own-lessons";
    LessonState state_;
    u64 tickets_ = 0;
};

TEST_F(OwnLessonStateTest, TwoFoldersOfOneNameHaveProgressOfTheirOwn) {
    state_.progress.add(keyOf("a/own"), "waves", Outcome::FirstTry);
    does(LessonOpened{ownLesson(folder_ / "a/own", {"waves"}), {}, {}});
    does(LessonOpened{ownLesson(folder_ / "b/own", {"waves"}), {}, {}});
    EXPECT_EQ(countsOf(*state_.find(keyOf("a/own")), state_.progress).done, 1u);
    EXPECT_EQ(countsOf(*state_.find(keyOf("b/own")), state_.progress).done, 0u);
}

TEST_F(OwnLessonStateTest, WhatEarlierFilesSayIsTakenOverByTheFirstFolderOfTheName) {
    state_.progress.add("own/own", "waves", Outcome::LaterTry);
    does(LessonOpened{ownLesson(folder_ / "a/own", {"other"}), {}, {}});
    EXPECT_EQ(state_.progress.of(keyOf("a/own"), "waves"), std::nullopt) << "another lesson";
    does(LessonOpened{ownLesson(folder_ / "b/own", {"waves", "more"}), {}, {}});
    EXPECT_EQ(state_.progress.of(keyOf("b/own"), "waves"), Outcome::LaterTry);
    EXPECT_EQ(state_.progress.of("own/own", "waves"), Outcome::LaterTry) << "nothing is lost";
    does(LessonOpened{ownLesson(folder_ / "a/own", {"waves"}), {}, {}});
    EXPECT_EQ(state_.progress.of(keyOf("a/own"), "waves"), std::nullopt) << "it belongs to the other";
}

TEST_F(OwnLessonStateTest, WhatWasBegunIsListedAtTheNextStartAndSoIsWhatIsGone) {
    state_.progress.add(keyOf("a/own"), "waves", Outcome::FirstTry);
    state_.progress.visit(keyOf("gone/tiles"), "one", "2026-11-30 10:00");
    state_.progress.add(keyOf("gone/tiles"), "two", Outcome::Shown);
    state_.progress.visit("exercise/" + (folder_ / "mine").string(), "check", "2026-11-30 10:00");
    state_.progress.add("exercise/transpose", "check", Outcome::Seen);
    const std::vector<LessonTask> tasks = does(LessonsListed{{}, {}});
    ASSERT_EQ(tasks.size(), 1u);
    const auto& wanted = std::get<FindOwn>(tasks.front());
    EXPECT_EQ(wanted.lessons,
              (std::vector<std::string>{(folder_ / "a/own").string(), (folder_ / "gone/tiles").string()}));
    EXPECT_EQ(wanted.exercises, std::vector<std::string>{(folder_ / "mine").string()});
    const Fault gone = fail(FaultKind::NotFound, english("this folder is not there")).value();
    does(OwnFound{{ownLesson(folder_ / "a/own", {"waves", "more"})},
                  {},
                  {{(folder_ / "gone/tiles").string(), false, gone}}});
    ASSERT_TRUE(state_.find(keyOf("a/own")));
    EXPECT_EQ(nextStepOf(state_).step->id, "more");
    ASSERT_EQ(state_.lost.size(), 1u);
    does(LessonOpened{ownLesson(folder_ / "b/tiles", {"one", "two"}), {}, {}});
    EXPECT_EQ(state_.progress.of(keyOf("b/tiles"), "two"), Outcome::Shown) << "it was moved";
    EXPECT_TRUE(state_.lost.empty());
}

TEST_F(OwnLessonStateTest, AnExportAsksBeforeItReplacesOtherProgress) {
    const auto mayReplace = [&] {
        const std::vector<LessonTask> tasks = does(ExportLessonProgress{});
        return std::get<WriteProgress>(tasks.at(0)).mayReplace;
    };
    does(TypeLessonPath{"", "/x/mine.lessons"});
    EXPECT_FALSE(mayReplace());
    does(AskToReplaceProgress{"/x/mine.lessons"});
    does(TypeLessonPath{"", "/x/other.lessons"});
    EXPECT_FALSE(mayReplace()) << "asked of another file";
    does(AskToReplaceProgress{"/x/other.lessons"});
    EXPECT_TRUE(mayReplace());
    does(ProgressExported{"/x/other.lessons"});
    EXPECT_TRUE(mayReplace()) << "the file exported last";
    does(TypeLessonPath{"", "/x/mine.lessons"});
    EXPECT_FALSE(mayReplace());
}

TEST_F(LessonStateTest, AnExerciseOfOnesOwnIsOpenedAsAFolderIs) {
    const std::string folder = (kResources.assets() / "exercises" / "transpose").string();
    const std::vector<Effect> effects = update(state_, OpenFile{folder});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<ReadExerciseFolder>(std::get<LessonTask>(effects.front())).folder, folder);
    background_.lesson(OpenLesson{"banks", "bank"});
    const auto exercise = std::make_shared<const exercises::Exercise>(*exercises::readExercise(folder));
    background_.lesson(ExerciseOpened{{folder, exercise, true}, "2026-11-30 10:00"});
    EXPECT_TRUE(state_.lessons.open && state_.lessons.key.empty()) << "the start page";
    EXPECT_EQ(state_.lessons.exercise.key, folder);
    EXPECT_EQ(stateOf(state_.lessons.exercises.back(), state_.lessons.progress), ExerciseState::New);
    auto verdict = std::make_shared<exercises::Verdict>();
    background_.lesson(TypeExerciseFile{"mine.cu"});
    background_.lesson(CheckExercise{});
    background_.lesson(ExerciseChecked{state_.lessons.exercise.ticket, verdict});
    EXPECT_TRUE(state_.lessons.progress.of("exercise/" + folder, "check"));
    EXPECT_FALSE(state_.lessons.progress.of("exercise/transpose", "check")) << "the program's of that name";
}

}  // namespace
}  // namespace lockstep::app
