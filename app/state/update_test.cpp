// The effect of each action on the state, with the window's default example.
#include "app/state/update.h"

#include "app/state/first_run.h"
#include "app/state/own_launch.h"
#include "app/state/verdicts.h"
#include "base/check.h"
#include "explain/cursor/lookup.h"
#include "explain/inactive_lanes/paths.h"
#include "run/machine/machine_run.h"
#include "run/resources.h"
#include "run/run.h"
#include "viz/cursor/opening.h"
#include "viz/issues_on_show.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace lockstep::app {
namespace {

std::shared_ptr<const run::Run> firstRun() {
    static const auto run = [] {
        run::Options options;
        options.emulator.focusAll = true;
        return runFirst(options);
    }();
    return run;
}

State fresh() { return initialState(catalogue(), firstChoice(catalogue())); }

State shown() {
    State state = fresh();
    (void)update(state, ShowRun{firstRun()});
    return state;
}

std::shared_ptr<const run::Run> runOf(const std::string& name) {
    const auto found = catalogue().lookUp(name);
    CHECK(found.has_value(), "the catalog must know it");
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, {});
    Expected<run::Experiment> experiment =
        run::open(run::Resources{LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
    CHECK(experiment.has_value(), "it must open");
    Expected<run::Run> done = run::run(std::move(*experiment), {});
    CHECK(done.has_value(), "it must run");
    return std::make_shared<const run::Run>(std::move(*done));
}

TEST(CompilerFetchTest, IsOfferedOnceIsCanceledAndRunsWhatCouldNotBeCompiled) {
    State state = shown();
    EXPECT_TRUE(update(state, FetchCompiler{}).empty()) << "there is a compiler";
    (void)update(state, CompilerMissing{false});
    EXPECT_TRUE(update(state, FetchCompiler{}).empty()) << "it cannot be fetched here";
    (void)update(state, CompilerMissing{true});

    const std::vector<Effect> begun = update(state, FetchCompiler{});
    ASSERT_EQ(begun.size(), 1u);
    const auto* const start = std::get_if<StartFetch>(begun.data());
    ASSERT_TRUE(start);
    EXPECT_TRUE(update(state, FetchCompiler{}).empty()) << "it is under way";
    (void)update(state, CompilerFetching{"nvidia-cuda-nvrtc 13.0.88"});
    (void)update(state, Tick{0.5});
    ASSERT_TRUE(state.fetching);
    EXPECT_EQ(state.fetching->package, "nvidia-cuda-nvrtc 13.0.88");
    EXPECT_EQ(state.fetching->seconds, 0.5);

    (void)update(state, StopFetching{});
    EXPECT_TRUE(*start->cancelled);
    (void)update(state, CompilerFetched{fail(FaultKind::Cancelled, Message::plain("canceled")).value()});
    EXPECT_FALSE(state.fetching || state.hasCompiler || state.fault);
    EXPECT_EQ(state.notices.back().text.english(), "Fetching was canceled; nothing is kept");

    (void)update(state, FetchCompiler{});
    (void)update(state, CompilerFetched{fail(FaultKind::System, Message::plain("no")).value()});
    EXPECT_TRUE(state.fault && !state.fetching && !state.hasCompiler);

    (void)update(state, FetchCompiler{});
    const std::vector<Effect> runs = update(state, CompilerFetched{});
    EXPECT_TRUE(state.hasCompiler);
    EXPECT_TRUE(std::ranges::any_of(
        runs, [](const Effect& effect) { return std::holds_alternative<StartRun>(effect); }));
}

TEST(CompilerFetchTest, TheToolkitIsFetchedToReadTheMachineCodeOnShow) {
    State state = shown();
    EXPECT_TRUE(update(state, FetchCompiler{Fetched::Toolkit}).empty()) << "it cannot be fetched here";
    state.canFetchToolkit = true;
    const std::vector<Effect> begun = update(state, FetchCompiler{Fetched::Toolkit});
    ASSERT_EQ(begun.size(), 1u);
    EXPECT_EQ(std::get<StartFetch>(begun[0]).what, Fetched::Toolkit);
    EXPECT_TRUE(update(state, FetchCompiler{Fetched::Toolkit}).empty()) << "it is under way";
    const std::vector<Effect> reads = update(state, CompilerFetched{});
    ASSERT_EQ(reads.size(), 1u);
    EXPECT_EQ(std::get<ReadMachineCode>(reads[0]).of, state.run);
}

TEST(RecordingTest, WhatIsOpenedIsWhatTheExperimentSaysAndIsUndone) {
    State state = shown();
    const Choice before = state.choice;
    const std::vector<Effect> effects = update(state, ShowRun{runOf("reduction/v1"), "v1.lks"});
    EXPECT_TRUE(std::ranges::none_of(effects, [](const Effect& e) {
        return std::holds_alternative<StartRun>(e);
    })) << "it is on show already";
    EXPECT_EQ(state.choice.family, "reduction");
    EXPECT_EQ(state.choice.variant, "v1");
    ASSERT_FALSE(state.recent.empty());
    EXPECT_EQ(state.recent.front(), state.choice);
    ASSERT_EQ(state.undo.size(), 1u);
    const std::vector<Effect> again = update(state, RunAgain{});
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(std::get<StartRun>(again.front()).choice, state.choice) << "Run runs what is on show";
    (void)update(state, Undo{});
    EXPECT_EQ(state.choice, before);

    State opened = fresh();
    (void)update(opened, ShowRun{runOf("reduction/v1"), "v1.lks"});
    EXPECT_EQ(opened.choice.family, "reduction");
    EXPECT_TRUE(opened.undo.empty()) << "the window opened on it";
}

// Like the shell: performs the effects and reports the results.
void arrive(State& state, const std::vector<Effect>& effects) {
    for (const Effect& effect : effects)
        if (const auto* job = std::get_if<StartRun>(&effect))
            (void)update(state, RunArrived{job->ticket, firstRun()});
}

std::shared_ptr<const run::Run> runOf(const Choice& choice) {
    const auto found = catalogue().lookUp(choice.family + "/" + choice.variant);
    Expected<run::Experiment> experiment =
        run::open(run::Resources{LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, choice.values);
    CHECK(experiment.has_value(), "it must open");
    run::Options options;
    options.emulator.focusAll = true;
    Expected<run::Run> done = run::run(std::move(*experiment), options);
    CHECK(done.has_value(), "it must run");
    return std::make_shared<const run::Run>(std::move(*done));
}

// As `arrive`, with what was really chosen.
void run(State& state, const std::vector<Effect>& effects) {
    for (const Effect& effect : effects)
        if (const auto* job = std::get_if<StartRun>(&effect))
            (void)update(state, RunArrived{job->ticket, runOf(job->choice)});
}

std::string_view lineAt(const State& state) {
    const Pc pc = explain::lookUp(*state.run, state.cursor).step->pc;
    return explain::textOfLine(*state.run->module, explain::lineOf(*state.run->module, pc));
}

TEST(PlaceTest, TheBlockAtTheCursorIsRunFirstWhereTheCursorStays) {
    State state = fresh();
    const auto started = [&] { return std::get<StartRun>(update(state, RunAgain{}).front()); };
    EXPECT_EQ(started().before, nullptr) << "nothing is on show";
    run(state, update(state, RunAgain{}));
    const StartRun again = started();
    EXPECT_EQ(again.before, state.run);
    EXPECT_EQ(again.at, state.cursor);
    state.range = StepRange{.launch = LaunchId{0}, .block = {1, 0, 0}, .warp = Warp{0}};
    EXPECT_EQ(started().before, nullptr) << "steps of another block are chosen";
    state.range.reset();
    state.isOpening = true;
    EXPECT_EQ(started().before, nullptr) << "it is not known where the cursor goes";
}

TEST(PlaceTest, StaysTheSameAcrossSizesAndVariantsAndElseIsTheMostTelling) {
    State state = fresh();
    run(state, update(state, RunAgain{}));
    const auto goTo = [&](std::string_view line, u32 time) {
        (void)update(state, ToEnd{.back = true});
        for (u32 seen = 0; seen < time;) {
            (void)update(state, Step{explain::Stride::Instruction});
            ASSERT_FALSE(state.inVain) << line;
            const auto* access = explain::lookUp(*state.run, state.cursor).access;
            if (lineAt(state).find(line) != std::string_view::npos && access) ++seen;
        }
    };
    goTo("P[", 1);
    const std::string_view line = lineAt(state);
    const u32 step = state.cursor.step;
    run(state, update(state, SetParameter{"width", 7}));
    EXPECT_EQ(lineAt(state), line);
    EXPECT_GT(state.cursor.step, step) << "the number of the step is another";
    run(state, update(state, Undo{}));
    EXPECT_EQ(state.cursor.step, step) << "and back";
    run(state, update(state, ChooseVariant{"matmul", "tiled"}));
    EXPECT_EQ(lineAt(state).substr(0, 2), "P[") << "of another variant, too";
    run(state, update(state, RunAgain{}));
    EXPECT_EQ(lineAt(state).substr(0, 2), "P[");

    run(state, update(state, ChooseVariant{"transpose", "naive"}));
    EXPECT_EQ(state.cursor, viz::initialCursor(*state.run)) << "another family has no such place";
}

TEST(SizesTest, AreRememberedByEachFamilyAndLeakIntoNone) {
    State state = fresh();
    (void)update(state, SetParameter{"width", 512});
    (void)update(state, ChooseVariant{"transpose", "naive"});
    const auto defaults = [](const char* family) {
        const catalog::Family& of = *catalogue().find(family);
        return *catalog::resolve(of, of.variants.front(), {});
    };
    EXPECT_EQ(state.choice.values, defaults("transpose"));
    const std::string first = catalogue().find("transpose")->find("naive")->parameters.front();
    (void)update(state, SetParameter{first, 64});
    (void)update(state, ChooseVariant{"matmul", "naive"});
    EXPECT_EQ(state.choice.values.at("width"), 512);
    (void)update(state, ChooseVariant{"reduction", "v0"});
    EXPECT_EQ(state.choice.values, defaults("reduction"));
    (void)update(state, ChooseVariant{"transpose", "naive"});
    EXPECT_EQ(state.choice.values.at(first), 64);
}

TEST(CancelTest, GoesBackToTheExperimentThatIsOnShow) {
    State state = fresh();
    arrive(state, update(state, RunAgain{}));
    const Choice before = state.choice;
    (void)update(state, SetParameter{"width", 2048});
    EXPECT_TRUE(state.isOfAnother());
    EXPECT_TRUE(update(state, CancelRun{}).empty());
    EXPECT_EQ(state.choice, before);
    EXPECT_FALSE(state.isOfAnother());
    (void)update(state, CancelRun{});
    EXPECT_EQ(state.choice, before) << "there is nothing to cancel";
    (void)update(state, Undo{});
    EXPECT_EQ(state.choice.values.at("width"), 2048) << "it can be undone";
    EXPECT_TRUE(state.job.running);

    arrive(state, update(state, CompareWith{Choice{"matmul", "naive", before.values}}));
    const std::optional<Choice> compared = state.compared.choice;
    ASSERT_TRUE(compared);
    Choice other = *compared;
    other.values["width"] = 2048;
    (void)update(state, CompareWith{other});
    (void)update(state, CancelRun{});
    EXPECT_EQ(state.compared.choice, compared) << "of what it is compared with, too";

    State first = fresh();
    (void)update(first, RunAgain{});
    (void)update(first, CancelRun{});
    EXPECT_EQ(first.choice, firstChoice(catalogue())) << "nothing is on show yet";
}

Choice own(const std::string& file, const std::string& entry, const std::string& grid = "4") {
    OwnKernel kernel;
    kernel.file = file;
    kernel.entry = entry;
    kernel.grid = grid;
    return {.family = {}, .variant = {}, .values = {}, .own = kernel};
}

TEST(PresentingTest, HasAThemeOfItsOwnAndGoesThroughTheLenses) {
    State state = shown();
    EXPECT_EQ(themeShown(state), "dark");
    (void)update(state, Present{});
    EXPECT_EQ(themeShown(state), "projector");
    (void)update(state, SetTheme{"light"});
    EXPECT_EQ(themeShown(state), "light");
    EXPECT_EQ(state.theme, "dark") << "the desk keeps its own";

    std::vector<std::string> lenses;
    state.run.reset();  // of which some have nothing to show
    for (std::size_t i = 0; i < viz::views().size(); ++i)
        lenses.push_back(state.presenting.lens), (void)update(state, NextLens{});
    EXPECT_EQ(state.presenting.lens, "") << "once round";
    EXPECT_EQ((std::vector<std::string>(lenses.begin(), lenses.begin() + 7)),
              (std::vector<std::string>{"", "banks", "sectors", "lanes", "source", "read", "issue"}))
        << "what shows the cursor's step comes first";
    for (const viz::ViewRow& view : viz::views())
        EXPECT_EQ(std::ranges::count(lenses, view.name == "stage" ? "" : view.name), 1) << view.name;
    (void)update(state, NextLens{.back = true});
    EXPECT_EQ(state.presenting.lens, lenses.back());
    (void)update(state, SetLens{"nothing"});
    EXPECT_EQ(state.presenting.lens, lenses.back()) << "no view";
    (void)update(state, BringUp{"stage"});
    EXPECT_EQ(state.presenting.lens, "");
    (void)update(state, BringUp{"times"});
    EXPECT_EQ(state.presenting.lens, "times") << "its key and the palette lead there, too";
    (void)update(state, SetLens{"source"});
    EXPECT_EQ(state.presenting.lens, "source");

    (void)update(state, Present{false});
    EXPECT_EQ(themeShown(state), "dark");
    (void)update(state, Present{});
    EXPECT_EQ(themeShown(state), "light") << "as it was left";
    EXPECT_EQ(state.presenting.lens, "source");
}

TEST(PresentingTest, TheBlackScreenEndsWhenTheLectureGoesOn) {
    State state = shown();
    (void)update(state, Present{});
    (void)update(state, BlackOut{});
    EXPECT_TRUE(state.presenting.black);
    (void)update(state, Step{explain::Stride::Event});
    EXPECT_FALSE(state.presenting.black);
    (void)update(state, BlackOut{});
    (void)update(state, Present{false});
    (void)update(state, Present{});
    EXPECT_FALSE(state.presenting.black);
}

TEST(StepUnitTest, IsAnEventUntilAnotherIsChosenSoThatSetUpIsSkipped) {
    State state = shown();
    const auto& warp = state.run->recording.trace.find(state.cursor.launch, state.cursor.block)->warps[0];
    const auto happens = [&](u32 s) {
        return warp.steps[s].access != trace::Step::kNone ||
               std::ranges::binary_search(warp.barrierSteps, s) ||
               explain::divergenceAt(*state.run->module, warp, s);
    };
    (void)update(state, ToEnd{.back = true});
    ASSERT_EQ(state.cursor.step, 0u);
    EXPECT_EQ(state.playback.unit, explain::Stride::Event);
    (void)update(state, TogglePlay{});
    std::vector<u32> played;
    for (int i = 0; i < 1000 && state.playback.playing; ++i) {
        const u32 before = state.cursor.step;
        (void)update(state, Tick{0.5});
        if (state.cursor.step != before) played.push_back(state.cursor.step);
    }
    ASSERT_GT(played.size(), 5u);
    EXPECT_GT(played.front(), 1u) << "the kernel's first instructions set up";
    EXPECT_TRUE(std::ranges::all_of(played, happens));
    (void)update(state, Step{state.playback.unit});
    EXPECT_EQ(state.inVain, (NoFurtherStep{explain::Stride::Event, false}));
    (void)update(state, Step{explain::Stride::Instruction});
    EXPECT_EQ(state.cursor.step, played.back() + 1) << "by instruction it goes on";
}

TEST(PresentingTest, NextGoesFromOneThingThatHappensToTheNextAndBack) {
    State state = shown();
    (void)update(state, ToEnd{.back = true});
    const auto& warp = state.run->recording.trace.find(state.cursor.launch, state.cursor.block)->warps[0];
    const auto happens = [&](u32 s) {
        return warp.steps[s].access != trace::Step::kNone ||
               std::ranges::find(warp.barrierSteps, s) != warp.barrierSteps.end() ||
               explain::divergenceAt(*state.run->module, warp, s);
    };
    std::vector<u32> wanted, met;
    for (u32 s = 1; s < warp.steps.size(); ++s)
        if (happens(s)) wanted.push_back(s);
    for (u32 before = state.cursor.step;; before = state.cursor.step) {
        (void)update(state, Step{explain::Stride::Event});
        if (state.cursor.step == before) break;
        met.push_back(state.cursor.step);
    }
    EXPECT_EQ(met, wanted);
    ASSERT_GT(met.size(), 10u);
    (void)update(state, Step{explain::Stride::Event, true});
    EXPECT_EQ(state.cursor.step, met[met.size() - 2]);
}

StepRange stepsOf(const State& state, u32 first, u32 last) {
    return {.launch = state.cursor.launch,
            .block = state.cursor.block,
            .warp = state.cursor.warp,
            .first = first,
            .last = last};
}

TEST(StepRangeTest, IsChosenByTheEndAtWhichTheCursorStands) {
    State state = shown();
    (void)update(state, ToEnd{.back = true});
    for (int i = 0; i < 6; ++i)
        (void)update(state, Step{explain::Stride::Instruction});
    (void)update(state, SelectOn{});
    (void)update(state, SelectOn{});
    EXPECT_EQ(state.range, stepsOf(state, 6, 8));
    EXPECT_EQ(state.cursor.step, 8u);
    for (int i = 0; i < 3; ++i)
        (void)update(state, SelectOn{.back = true});
    EXPECT_EQ(state.range, stepsOf(state, 5, 6)) << "it turned around at where it began";
    (void)update(state, Step{explain::Stride::Instruction, true});
    EXPECT_EQ(state.range, stepsOf(state, 5, 6)) << "steps alone leave it as it is";
    (void)update(state, SelectOn{.back = true});
    EXPECT_EQ(state.range, stepsOf(state, 3, 4)) << "away from its ends another one begins";
    (void)update(state, SelectSteps{stepsOf(state, 4, 99999)});
    EXPECT_EQ(state.range, stepsOf(state, 3, 4)) << "what was not recorded cannot be chosen";
    (void)update(state, SelectSteps{});
    EXPECT_FALSE(state.range);
}

TEST(StepRangeTest, IsWhatAnExportOffersAndEndsWithItsExperiment) {
    State state = shown();
    (void)update(state, SelectSteps{stepsOf(state, 4, 12)});
    (void)update(state, OpenExport{"stage"});
    EXPECT_EQ(state.exporting.settings.first, 5u);
    EXPECT_EQ(state.exporting.settings.last, 13u);
    EXPECT_TRUE(commandLine(state, "timeline").ends_with(" --range 5..13")) << commandLine(state, "timeline");
    EXPECT_EQ(commandLine(state, "stage").find("--range"), std::string::npos);
    (void)update(state, ShowRun{firstRun()});
    EXPECT_TRUE(state.range) << "the same experiment once more";
    auto other = std::make_shared<run::Run>(*firstRun());
    other->recording.variant = "tiled";
    (void)update(state, ShowRun{other});
    EXPECT_FALSE(state.range);
}

TEST(CachesTest, ARunIsShownBeforeThemAndStaysWhereItIsWhenTheyCome) {
    State state = fresh();
    const std::vector<Effect> started = update(state, RunAgain{});
    const u64 ticket = std::get<StartRun>(started[0]).ticket;
    auto without = std::make_shared<run::Run>(*firstRun());
    without->caches.reset();
    (void)update(state, RunArrived{.ticket = ticket, .run = without, .moreToCome = true});
    EXPECT_EQ(state.run, without);
    EXPECT_TRUE(state.job.running && state.job.isShown);
    (void)update(state, Step{explain::Stride::Instruction});
    (void)update(state, TogglePlay{});
    const viz::Cursor at = state.cursor;
    const f64 motion = state.playback.motion = 0.5;
    (void)update(state, RunArrived{.ticket = ticket, .run = firstRun()});
    EXPECT_EQ(state.run, firstRun());
    EXPECT_FALSE(state.job.running);
    EXPECT_EQ(state.cursor, at);
    EXPECT_EQ(state.playback.motion, motion) << "what moves goes on";
    EXPECT_TRUE(state.playback.playing);
}

TEST(FocusTest, IsShownBeforeTheGridWhichChangesTheFiguresAlone) {
    State state = fresh();
    const std::vector<Effect> started = update(state, RunAgain{});
    const u64 ticket = std::get<StartRun>(started[0]).ticket;
    auto focus = std::make_shared<run::Run>(*firstRun());
    focus->recording.sample =
        trace::Sample{.blocks = 1, .of = 4096, .grid = {}, .unproved = trace::Unproved::UnderWay};
    focus->comparison.reset();
    EXPECT_TRUE(update(state, RunArrived{.ticket = ticket, .run = focus, .moreToCome = true}).empty());
    EXPECT_EQ(state.run, focus);
    EXPECT_TRUE(state.job.running);
    const auto saysSo = [&](Language language) {
        const std::vector<Verdict> verdicts = verdictsOf(*state.run, state.cursor, language);
        return std::ranges::any_of(
            verdicts, [](const Verdict& v) { return v.text.find("4,096") != std::string::npos; });
    };
    EXPECT_TRUE(saysSo(Language::English) && saysSo(Language::Chinese));
    (void)update(state, Step{explain::Stride::Instruction});
    const viz::Cursor at = state.cursor;
    (void)update(state, RunArrived{.ticket = ticket, .run = firstRun()});
    EXPECT_EQ(state.run, firstRun());
    EXPECT_EQ(state.cursor, at);
    EXPECT_FALSE(state.job.running);
    EXPECT_FALSE(saysSo(Language::English));
}

TEST(FocusTest, IsNotUnderWayAnyMoreWhenTheGridWasCancelledOrHasFailed) {
    const auto unprovedAfter = [](bool isCancelled) {
        State state = fresh();
        const u64 ticket = std::get<StartRun>(update(state, RunAgain{})[0]).ticket;
        auto focus = std::make_shared<run::Run>(*firstRun());
        focus->recording.sample =
            trace::Sample{.blocks = 1, .of = 4096, .grid = {}, .unproved = trace::Unproved::UnderWay};
        (void)update(state, RunArrived{.ticket = ticket, .run = focus, .moreToCome = true});
        if (isCancelled) {
            (void)update(state, CancelRun{});
            EXPECT_EQ(state.notices.back().text.english(),
                      "The run was canceled; kept as a sample: 1 of 4,096 blocks");
        } else
            (void)update(state, RunFailed{ticket, fail(FaultKind::System, english("It failed")).value()});
        EXPECT_EQ(state.run->recording.trace.blocks.size(), firstRun()->recording.trace.blocks.size());
        return state.run->recording.sample->unproved;
    };
    EXPECT_EQ(unprovedAfter(true), trace::Unproved::Stopped);
    EXPECT_EQ(unprovedAfter(false), trace::Unproved::Stopped);
}

TEST(CachesTest, AreLeftOutWhenTheyAreCancelled) {
    State state = fresh();
    const std::vector<Effect> started = update(state, RunAgain{});
    const StartRun& job = std::get<StartRun>(started[0]);
    (void)update(state, RunArrived{.ticket = job.ticket, .run = firstRun(), .moreToCome = true});
    const std::vector<Effect> effects = update(state, CancelRun{});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<ReadMachineCode>(effects[0])) << "nothing more comes of it now";
    EXPECT_TRUE(job.progress->cancelled);
    EXPECT_FALSE(state.job.running || state.job.isShown);
    EXPECT_EQ(state.run, firstRun()) << "the picture stays";
    (void)update(state, RunFailed{job.ticket, Fault{.kind = FaultKind::Cancelled,
                                                    .message = Message::plain("The run was canceled"),
                                                    .place = {},
                                                    .pc = {},
                                                    .block = {},
                                                    .thread = {}}});
    EXPECT_FALSE(state.fault);
}

TEST(TooLargeTest, IsOfferedAsASampleUntilAnotherExperimentIsChosen) {
    State state = fresh();
    const Fault fault{.kind = FaultKind::TooLarge,
                      .message = Message::plain("too large"),
                      .place = {},
                      .pc = {},
                      .block = {},
                      .thread = {}};
    StartRun job = std::get<StartRun>(update(state, RunAgain{})[0]);
    EXPECT_EQ(job.sampleBlocks, 0u);
    (void)update(state, RunFailed{job.ticket, fault});
    EXPECT_TRUE(state.isTooLarge());
    EXPECT_FALSE(state.fault);
    job = std::get<StartRun>(update(state, RunSample{})[0]);
    EXPECT_EQ(job.sampleBlocks, 64u);
    EXPECT_FALSE(state.isTooLarge());
    arrive(state, {job});
    EXPECT_EQ(std::get<StartRun>(update(state, RunAgain{})[0]).sampleBlocks, 64u)
        << "as long as it is the same";
    EXPECT_EQ(std::get<StartRun>(update(state, RunSample{false})[0]).sampleBlocks, 0u);
    (void)update(state, RunSample{});
    EXPECT_EQ(std::get<StartRun>(update(state, SetParameter{"width", 8})[0]).sampleBlocks, 0u)
        << "it may be small";
    (void)update(state, RunFailed{state.job.ticket, fault});
    EXPECT_TRUE(state.isTooLarge());
    (void)update(state, SetParameter{"width", 9});
    EXPECT_FALSE(state.isTooLarge());
}

TEST(MachineCodeTest, IsAskedForOnceARunIsOnShowAndTakesItsPlace) {
    State state = fresh();
    const u64 ticket = std::get<StartRun>(update(state, RunAgain{})[0]).ticket;
    EXPECT_TRUE(update(state, RunArrived{.ticket = ticket, .run = firstRun(), .moreToCome = true}).empty())
        << "its caches come first";
    const std::vector<Effect> effects = update(state, RunArrived{.ticket = ticket, .run = firstRun()});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<ReadMachineCode>(effects[0]).of, firstRun());
    (void)update(state, Step{explain::Stride::Instruction});
    const viz::Cursor at = state.cursor;
    auto with = std::make_shared<run::Run>(*firstRun());
    with->machine = std::make_shared<run::MachineRun>();
    EXPECT_TRUE(update(state, MachineCodeRead{firstRun(), with}).empty());
    EXPECT_EQ(state.run, with);
    EXPECT_EQ(state.cursor, at);
    (void)update(state, MachineCodeRead{firstRun(), firstRun()});
    EXPECT_EQ(state.run, with) << "what came too late is of a run that is gone";

    const std::vector<Effect> opened = update(state, ShowRun{firstRun(), "a.lks"});
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_FALSE(std::get<ReadMachineCode>(opened[0]).compared);
    EXPECT_TRUE(update(state, ShowRun{with, "b.lks"}).empty()) << "that has it";
}

TEST(IssuesTest, AreAskedForOnceForABlockAndAnewForAnother) {
    State state = fresh();
    EXPECT_TRUE(update(state, WantIssues{}).empty()) << "there is no run yet";
    const u64 ticket = std::get<StartRun>(update(state, RunAgain{})[0]).ticket;
    (void)update(state, RunArrived{.ticket = ticket, .run = firstRun()});
    const std::vector<Effect> asked = update(state, WantIssues{});
    ASSERT_EQ(asked.size(), 1u);
    const TimeIssues first = std::get<TimeIssues>(asked[0]);
    EXPECT_EQ(first.of, firstRun());
    EXPECT_TRUE(update(state, WantIssues{}).empty()) << "it is under way";
    auto done = std::make_shared<viz::IssuesOnShow>(state.cursor);
    done->run = std::make_shared<const run::IssueRun>();
    (void)update(state, IssuesArrived{first.ticket, done});
    EXPECT_EQ(state.issues.shown, done);
    EXPECT_TRUE(update(state, WantIssues{}).empty()) << "it is there";
    state.cursor.block = {1, 0, 0};
    const std::vector<Effect> anew = update(state, WantIssues{});
    ASSERT_EQ(anew.size(), 1u) << "another block";
    (void)update(state, IssuesArrived{first.ticket, done});
    EXPECT_NE(state.issues.shown, done) << "what came too late is of another block";
    const std::shared_ptr<Progress> progress = std::get<TimeIssues>(anew[0]).progress;
    EXPECT_FALSE(progress->cancelled);
    (void)update(state, RunAgain{});
    EXPECT_TRUE(progress->cancelled) << "canceled with the experiment";
}

TEST(IssuesTest, WaitsAreOfTheRunWhateverItsBlock) {
    State state = fresh();
    const u64 ticket = std::get<StartRun>(update(state, RunAgain{})[0]).ticket;
    (void)update(state, RunArrived{.ticket = ticket, .run = firstRun()});
    const TimeIssues asked = std::get<TimeIssues>(update(state, WantIssues{viz::Modeled::Waits}).at(0));
    EXPECT_EQ(asked.what, viz::Modeled::Waits);
    auto done = std::make_shared<viz::IssuesOnShow>(*asked.shown);
    done->waits = std::make_shared<const run::WaitsOfRun>();
    (void)update(state, IssuesArrived{asked.ticket, done});
    EXPECT_TRUE(update(state, WantIssues{viz::Modeled::Waits}).empty()) << "they are there";
    state.cursor.block = {1, 0, 0};
    EXPECT_TRUE(update(state, WantIssues{viz::Modeled::Waits}).empty()) << "and are those of any block";
    const TimeIssues block = std::get<TimeIssues>(update(state, WantIssues{}).at(0));
    EXPECT_EQ(block.shown->waits, done->waits) << "the time of a block leaves them as they are";
}

run::Sweep onePoint(const RunSweep& job, std::size_t number) {
    run::Sweep points = run::emptySweep(job.plan);
    run::Run run;
    run.recording.complete = true;
    run.profile.name = "cc90";
    run.report.counters = {{"ptx__inst_executed", number}};
    run::addRun(points, run::tasksOf(job.plan)[number], run);
    return points;
}

TEST(SweepTest, KeepsThePointsOfThisSession) {
    State state = shown();
    const std::vector<Effect> effects = update(state, StartSweep{"width"});
    ASSERT_EQ(effects.size(), 1u);
    const RunSweep job = std::get<RunSweep>(effects[0]);
    EXPECT_EQ(job.plan.parameter, "width");
    ASSERT_EQ(job.plan.variants.size(), 1u);
    EXPECT_EQ(job.plan.variants[0]->name, state.choice.variant);
    const u64 total = run::tasksOf(job.plan).size();
    EXPECT_TRUE(state.sweeps.shown->isUnderWay);
    EXPECT_EQ(state.sweeps.shown->total, total);
    const auto before = state.sweeps.shown;
    const auto arrives = [&](u64 ticket, std::size_t number) {
        (void)update(state, SweepPointArrived{ticket, std::make_shared<run::Sweep>(onePoint(job, number)),
                                              number + 1, total});
    };
    arrives(job.ticket, 0);
    EXPECT_TRUE(before->sweeps.empty()) << "a picture of it may be in use";
    ASSERT_EQ(state.sweeps.shown->sweeps.size(), 1u);
    EXPECT_EQ(state.sweeps.shown->done, 1u);
    arrives(job.ticket + 7, 1);
    EXPECT_EQ(state.sweeps.shown->sweeps[0].series[0].points.size(), 1u) << "of a sweep that was superseded";
    for (std::size_t i = 1; i < total; ++i)
        arrives(job.ticket, i);
    EXPECT_FALSE(state.sweeps.shown->isUnderWay);
    EXPECT_EQ(state.sweeps.shown->sweeps[0].series[0].points.size(), total);
}

TEST(SweepTest, AsksTheModelForWhatHasNoTimeAndNotTwice) {
    State state = shown();
    (void)update(state, CompareWith{Choice{"matmul", "naive", state.choice.values}});
    const std::vector<Effect> effects = update(state, StartSweep{"width", true});
    ASSERT_EQ(effects.size(), 1u);
    const RunSweep job = std::get<RunSweep>(effects[0]);
    EXPECT_TRUE(job.modeled);
    EXPECT_FALSE(job.device) << "no GPU has a part in it";
    EXPECT_EQ(job.plan.variants.size(), 1u) << "of the variant on show";
    EXPECT_EQ(job.tasks.size(), run::tasksOf(job.plan).size()) << "there are no recordings here";
    EXPECT_EQ(state.sweeps.shown->total, job.tasks.size());
    run::Sweep made = run::emptySweep(job.plan);
    for (const run::SweepTask& task : job.tasks)
        run::addError(made, task, run::SweepSource::Model, "NVIDIA H200",
                      fail(FaultKind::Unsupported, english("no time")).value());
    (void)update(state, SweepPointArrived{job.ticket, std::make_shared<run::Sweep>(made), job.tasks.size(),
                                          job.tasks.size()});
    EXPECT_FALSE(state.sweeps.shown->isUnderWay);
    EXPECT_TRUE(update(state, StartSweep{"width", true}).empty()) << "that there is none is known";
}

TEST(ModelTest, WhatNoViewAsksForAnyLongerIsCanceled) {
    State state = shown();
    const viz::ViewState asks{.options = viz::TimesOptions{.isModeled = true}};
    (void)update(state, SetView{"times", asks});
    const std::vector<Effect> effects = update(state, WantIssues{viz::Modeled::Time});
    ASSERT_EQ(effects.size(), 1u);
    const TimeIssues job = std::get<TimeIssues>(effects[0]);
    EXPECT_EQ(job.what, viz::Modeled::Time);
    EXPECT_TRUE(update(state, WantIssues{viz::Modeled::Time}).empty()) << "it is under way";
    (void)update(state, SetView{"times", {}});
    EXPECT_TRUE(job.progress->cancelled);
    EXPECT_FALSE(state.issues.isUnderWay);
}

TEST(SweepTest, IsCanceledAndKeepsWhatItHas) {
    State state = shown();
    (void)update(state, CompareWith{Choice{"matmul", "naive", state.choice.values}});
    const RunSweep job = std::get<RunSweep>(update(state, StartSweep{})[0]);
    EXPECT_EQ(job.plan.variants.size(), 2u) << "and the one that it is compared with";
    EXPECT_EQ(state.broughtUp, "chart");
    (void)update(state, SweepPointArrived{job.ticket, std::make_shared<run::Sweep>(onePoint(job, 0)), 1, 9});
    const std::vector<Effect> effects = update(state, CancelSweep{});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<StopSweep>(effects[0]));
    EXPECT_TRUE(job.progress->cancelled);
    EXPECT_FALSE(state.sweeps.shown->isUnderWay);
    EXPECT_EQ(state.sweeps.shown->sweeps.size(), 1u);
    EXPECT_TRUE(update(state, CancelSweep{}).empty());
    EXPECT_TRUE(update(state, StartSweep{"nothing"}).empty());
}

TEST(RecentTest, HasEachKernelInTheSizesItWasLastRunIn) {
    State state = fresh();
    arrive(state, update(state, RunAgain{}));
    ASSERT_EQ(state.recent.size(), 1u);
    const Choice first = state.choice;
    arrive(state, update(state, SetParameter{"width", 8}));
    ASSERT_EQ(state.recent.size(), 2u) << "the same kernel in another size";
    EXPECT_EQ(state.recent[0].values.at("width"), 8);
    EXPECT_EQ(state.recent[1], first);
    arrive(state, update(state, SetChoice{first}));
    ASSERT_EQ(state.recent.size(), 2u) << "each once";
    EXPECT_EQ(state.recent[0], first);
    arrive(state, update(state, ChooseVariant{"matmul", "naive"}));
    arrive(state, update(state, ChooseVariant{"transpose", "naive"}));
    ASSERT_EQ(state.recent.size(), 4u);
    EXPECT_EQ(state.recent[0].family, "transpose");
    arrive(state, update(state, SetChoice{state.recent[3]}));
    EXPECT_EQ(state.choice.variant, "tiled-bounds");
    EXPECT_EQ(state.choice.values.at("width"), 8);
    ASSERT_EQ(state.recent.size(), 4u);
    EXPECT_EQ(state.recent[0].variant, "tiled-bounds");
    for (const int width : {9, 10, 11, 12, 13, 14})
        arrive(state, update(state, SetParameter{"width", width}));
    ASSERT_EQ(state.recent.size(), 6u) << "the last four sizes do not crowd out the others";
    EXPECT_EQ(state.recent[3].values.at("width"), 11);
    EXPECT_EQ(state.recent[4].family, "transpose");
    for (const int width : {15, 16, 17})
        arrive(state, update(state, SetParameter{"width", width, true}));
    arrive(state, update(state, SetParameter{"width", 17, false}));
    EXPECT_EQ(state.recent[0].values.at("width"), 17);
    EXPECT_EQ(state.recent[1].values.at("width"), 14) << "not what a slider was dragged through";

    arrive(state, update(state, SetChoice{own("/a/k.cu", "f")}));
    arrive(state, update(state, SetChoice{own("/a/k.cu", "g")}));
    arrive(state, update(state, SetChoice{own("/a/k.cu", "f", "8")}));
    ASSERT_EQ(state.recent.size(), 8u);
    EXPECT_EQ(state.recent[0].own->grid, "8");
    EXPECT_EQ(state.recent[1].own->entry, "g");
    (void)update(state, SetChoice{own("/a/other.cu", "f")});
    (void)update(state, RunFailed{state.job.ticket,
                                  {.kind = FaultKind::Usage,
                                   .message = Message::plain("no"),
                                   .place = {},
                                   .pc = {},
                                   .block = {},
                                   .thread = {}}});
    EXPECT_EQ(state.recent.size(), 8u) << "what has never run is nothing to come back to";
    for (int i = 0; i < 50; ++i)
        arrive(state, update(state, SetChoice{own("/a/" + std::to_string(i) + ".cu", "f")}));
    EXPECT_EQ(state.recent.size(), 20u);
}

TEST(UndoTest, GoesBackThroughKernelsSizesAndFilesAndDropsWhatWasRedone) {
    State state = fresh();
    (void)update(state, Undo{});
    (void)update(state, Redo{});
    EXPECT_EQ(state.choice, firstChoice(catalogue())) << "there is nothing to undo";
    EXPECT_FALSE(state.job.running);

    (void)update(state, SetParameter{"width", 5, true});
    (void)update(state, SetParameter{"width", 6, true});
    (void)update(state, SetParameter{"width", 7, false});
    EXPECT_EQ(state.undo.size(), 1u) << "a drag is one change";
    (void)update(state, SetParameter{"width", 7});
    EXPECT_EQ(state.undo.size(), 1u) << "no change, no step";
    (void)update(state, SetChoice{own("/a/k.cu", "f")});
    (void)update(state, ChooseVariant{"reduction", "v0"});
    (void)update(state, Undo{});
    ASSERT_TRUE(state.choice.own);
    EXPECT_EQ(state.choice.own->file, "/a/k.cu");
    (void)update(state, Undo{});
    EXPECT_EQ(state.choice.values.at("width"), 7);
    (void)update(state, Undo{});
    EXPECT_EQ(state.choice, firstChoice(catalogue()));
    for (int i = 0; i < 5; ++i)
        (void)update(state, Redo{});
    EXPECT_EQ(state.choice.family, "reduction");
    (void)update(state, Undo{});
    (void)update(state, ChooseVariant{"matmul", "naive"});
    EXPECT_TRUE(state.redo.empty());
    (void)update(state, Redo{});
    EXPECT_EQ(state.choice.variant, "naive");
    for (s64 i = 0; i < 500; ++i)
        (void)update(state, SetParameter{"width", 2 + i % 100});
    EXPECT_EQ(state.undo.size(), 200u) << "bounded";
}

TEST(OpenFileTest, LeadsToARecordingOrToTheQuestionOrToASentence) {
    State state = shown();
    std::vector<Effect> effects = update(state, OpenFile{"/a/run.lks"});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<ReadRecording>(effects[0]).path, "/a/run.lks");

    effects = update(state, OpenFile{"/a/notes.txt"});
    EXPECT_TRUE(effects.empty());
    ASSERT_TRUE(state.fault);
    EXPECT_EQ(state.fault->place.file, "/a/notes.txt");

    effects = update(state, OpenFile{"/a/k.cu"});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<LookForKernels>(effects[0]).kernel.grid, "1") << "never seen before";
    (void)update(state, KernelsFound{{.kernel = own("/a/k.cu", "f").own.value(),
                                      .found = {{"f", "f(int)", {"i32:1024"}}}}});
    EXPECT_TRUE(state.dialog);
    EXPECT_FALSE(state.fault);
    arrive(state, update(state, SetChoice{own("/a/k.cu", "f", "12,2")}));
    EXPECT_FALSE(state.dialog);
    arrive(state, update(state, ChooseVariant{"matmul", "naive"}));
    effects = update(state, OpenFile{"/a/k.cu"});
    EXPECT_EQ(std::get<LookForKernels>(effects[0]).kernel.grid, "12,2") << "as it was launched last time";

    const std::shared_ptr<const run::Run> before = state.run;
    (void)update(state, CouldNot{{.kind = FaultKind::Usage,
                                  .message = Message::plain("line 3: expected ;"),
                                  .place = {},
                                  .pc = {},
                                  .block = {},
                                  .thread = {}}});
    EXPECT_EQ(state.run, before) << "the last good picture stays";
    EXPECT_EQ(state.fault->message.english(), "line 3: expected ;");
}

TEST(OpenFileTest, OfSeveralFilesTheFirstIsOpenedAndOtherKernelsWaitInTheEditor) {
    State state = shown();
    const std::vector<Effect> effects =
        update(state, OpenFiles{{"/a/a.cu", "/a/b.cu", "/a/c.lks", "/a/d.ptx"}});
    ASSERT_EQ(effects.size(), 3u);
    EXPECT_EQ(std::get<LookForKernels>(effects[0]).kernel.file, "/a/a.cu");
    for (std::size_t i = 1; i < effects.size(); ++i) {
        const auto& read = std::get<ReadText>(std::get<EditorTask>(effects[i]));
        EXPECT_TRUE(read.behind);
        (void)update(state,
                     EditorAction{TextRead{.file = read.file,
                                           .text = std::make_shared<const std::string>("// " + read.file),
                                           .behind = true}});
    }
    ASSERT_EQ(state.said.size(), 2u);
    EXPECT_NE(state.said[0].english().find("b.cu, d.ptx"), std::string::npos) << state.said[0].english();
    EXPECT_NE(state.said[1].english().find("c.lks"), std::string::npos) << state.said[1].english();
    ASSERT_EQ(state.editor.texts.size(), 2u);
    EXPECT_TRUE(state.editor.open);
    EXPECT_EQ(state.editor.front, "/a/b.cu");
    EXPECT_EQ(state.editor.timesFocused, 0u) << "the keyboard stays with the question about the first one";
    EXPECT_EQ(update(state, OpenFiles{{"/a/a.cu"}}).size(), 1u);
    EXPECT_EQ(state.said.size(), 2u) << "of one there is nothing to say";
}

TEST(OwnLaunchTest, IsAskedAgainWhereItCannotBeLaunchedSo) {
    State state = shown();
    const OwnKernelDialog question{.kernel = own("/a/k.cu", "f").own.value(),
                                   .found = {{"f", "f(int)", {"i32:1024"}}}};
    (void)update(state, KernelsFound{question});
    const Choice before = state.choice;
    EXPECT_TRUE(update(state, SetChoice{own("/a/k.cu", "f", "4x4")}).empty()) << "nothing is started";
    ASSERT_TRUE(state.dialog && state.dialog->fault);
    EXPECT_EQ(fieldOf(*state.dialog->fault), LaunchField{LaunchField::Kind::Grid})
        << state.dialog->fault->message.english();
    EXPECT_EQ(state.dialog->kernel.grid, "4x4") << "to be mended";
    EXPECT_EQ(state.choice, before);
    Choice shared = own("/a/k.cu", "f");
    shared.own->shared = "much";
    (void)update(state, SetChoice{shared});
    EXPECT_EQ(fieldOf(*state.dialog->fault), LaunchField{LaunchField::Kind::Shared});

    (void)update(state, SetChoice{own("/a/k.cu", "f", "4")});
    EXPECT_FALSE(state.dialog) << "it is on its way";
    (void)update(state, RunFailed{state.job.ticket,
                                  {.kind = FaultKind::Usage,
                                   .message = Message::plain("--arg 2 ('i32'): write a value"),
                                   .place = {},
                                   .pc = {},
                                   .block = {},
                                   .thread = {}}});
    ASSERT_TRUE(state.dialog && state.dialog->fault) << "and back";
    EXPECT_EQ(fieldOf(*state.dialog->fault), (LaunchField{LaunchField::Kind::Argument, 2}));

    (void)update(state, SetChoice{own("/a/k.cu", "f", "8")});
    (void)update(state, RunFailed{state.job.ticket,
                                  {.kind = FaultKind::Syntax,
                                   .message = Message::plain("expected ;"),
                                   .place = {},
                                   .pc = {},
                                   .block = {},
                                   .thread = {}}});
    EXPECT_FALSE(state.dialog) << "no field is to blame";
    EXPECT_EQ(state.fault->message.english(), "expected ;");
}

TEST(ScrollTest, CodeThatWasScrolledAcrossBeginsAtItsFirstColumnWhereTheCursorGoes) {
    State state = shown();
    (void)update(state, SetView{"source", {.pan = {-120, -40}}});
    (void)update(state, SetView{"stage", {.pan = {-120, -40}, .zoom = 2}});
    viz::Cursor lane = state.cursor;
    lane.lane = Lane{1};
    (void)update(state, MoveCursor{lane});
    EXPECT_EQ(state.views.find("source")->second.pan, (viz::Point{-120, -40})) << "it is the same line";
    (void)update(state, Step{explain::Stride::Instruction, false});
    EXPECT_EQ(state.views.find("source")->second.pan, (viz::Point{0, -40}));
    EXPECT_EQ(state.views.find("stage")->second.pan, (viz::Point{-120, -40})) << "what zooms stays";
}

TEST(InVainTest, AStepThatFindsNoFurtherPlaceSaysSoUntilTheCursorMoves) {
    State state = shown();
    for (const explain::Stride stride :
         {explain::Stride::Conflict, explain::Stride::Finding}) {  // the first example has neither
        const viz::Cursor before = state.cursor;
        (void)update(state, Step{stride, true});
        EXPECT_EQ(state.inVain, (NoFurtherStep{stride, true}));
        EXPECT_EQ(state.cursor, before);
        (void)update(state, Tick{1});
        EXPECT_TRUE(state.inVain) << "it does not go by itself";
        (void)update(state, Step{explain::Stride::Instruction});
        EXPECT_FALSE(state.inVain);
    }
    State none = fresh();
    (void)update(none, Step{explain::Stride::Conflict});
    EXPECT_FALSE(none.inVain) << "there is no run to step through";
}

TEST(TaskTest, IsOneOfThemAndEndsThePresentation) {
    State state = shown();
    (void)update(state, Present{});
    (void)update(state, SetTask{"measure"});
    EXPECT_EQ(state.task, "measure");
    EXPECT_FALSE(state.presenting.on);
    (void)update(state, SetTask{"cooking"});
    EXPECT_EQ(state.task, "measure");
}

TEST(PresentingTest, PassesOverViewsThatHaveNothingToShow) {
    State state = shown();
    auto run = std::make_shared<run::Run>(viz::parity());  // without shared memory
    run->catalog.reset();
    state.run = run;
    (void)update(state, Present{});
    std::set<std::string> lenses;
    for (std::size_t i = 0; i < viz::views().size(); ++i)
        lenses.insert(state.presenting.lens), (void)update(state, NextLens{});
    for (const char* nothing : {"banks", "compare", "chart"})
        EXPECT_FALSE(lenses.contains(nothing)) << nothing;
    for (const char* something : {"", "sectors", "lanes", "source", "memory"})
        EXPECT_TRUE(lenses.contains(something)) << something;
    (void)update(state, SetLens{"chart"});
    EXPECT_EQ(state.presenting.lens, "chart") << "it is there for who asks for it";
}

TEST(TourTest, BeginsWithTheFirstKernelWhateverIsOnShow) {
    State state = shown();
    (void)update(state, ChooseVariant{"transpose", "naive"});
    (void)update(state, SetTask{"measure"});
    (void)update(state, TakeTour{});
    EXPECT_EQ(state.tour, 0u);
    EXPECT_EQ(state.task, "explore");
    EXPECT_EQ(state.choice, firstChoice(catalogue()));
    (void)update(state, SetParameter{"width", 5});
    (void)update(state, TakeTour{2});
    EXPECT_EQ(state.tour, 2u);
    EXPECT_EQ(state.choice.values.at("width"), 5) << "what was tried stays";
    EXPECT_EQ(state.broughtUp, "source");
    (void)update(state, TakeTour{kTourSteps});
    EXPECT_EQ(state.tour, 2u) << "there is no such step";
    (void)update(state, LeaveTour{});
    EXPECT_FALSE(state.tour);
}

TEST(TourTest, LeadsBackToTheViewBeforeIt) {
    State state = shown();
    (void)update(state, BringUp{"banks"});
    (void)update(state, TakeTour{});
    (void)update(state, TakeTour{2});
    EXPECT_EQ(state.turnedTo, "source");
    (void)update(state, LeaveTour{});
    EXPECT_EQ(state.broughtUp, "banks");
    EXPECT_EQ(state.turnedTo, "banks");
    (void)update(state, TakeTour{});
    (void)update(state, BringUp{"memory"});
    (void)update(state, LeaveTour{});
    EXPECT_EQ(state.turnedTo, "memory") << "another one was turned to";
}

TEST(NoticesTest, TellThatARunWasCanceled) {
    State state = shown();
    (void)update(state, CancelRun{});
    EXPECT_TRUE(state.said.empty()) << "there was none";
    (void)update(state, RunAgain{});
    (void)update(state, CancelRun{});
    ASSERT_EQ(state.said.size(), 1u);
    EXPECT_EQ(state.said[0].english(), "The run was canceled");
}

TEST(NoticesTest, AreInTheLanguageOfTheWindow) {
    State state = shown();
    (void)update(state, SetParameter{"width", 5000});
    EXPECT_NE(state.said[0].in(Language::Chinese), state.said[0].english());
}

TEST(ParameterTest, WhatIsTakenInsteadOfATypedValueIsSaid) {
    State state = shown();
    (void)update(state, SetParameter{"width", 5});
    EXPECT_TRUE(state.notices.empty());
    (void)update(state, SetParameter{"width", 5000});
    EXPECT_EQ(state.choice.values.at("width"), 4096);
    ASSERT_EQ(state.notices.size(), 1u);
    EXPECT_EQ(state.notices[0].text.english(), "width goes from 1 to 4,096: 4,096 is taken instead of 5,000");
}

TEST(ExportTest, WhatGoesWrongWhileItIsOpenStandsInIt) {
    State state = shown();
    (void)update(state, OpenExport{"stage"});
    (void)update(state, CouldNot{fail(FaultKind::NotFound, english("no program of this desktop")).value()});
    EXPECT_TRUE(state.exporting.fault);
    EXPECT_FALSE(state.fault);
}

TEST(HintTest, GoesOnceItHasBeenMadeUseOf) {
    const Action skills[] = {Step{explain::Stride::Instruction},
                             TogglePlay{},
                             ShowPalette{},
                             ShowKeys{},
                             DismissHint{},
                             TakeTour{}};
    for (const Action& action : skills) {
        State state = shown();
        state.showHint = true;
        (void)update(state, Tick{0.1});
        (void)update(state, SetTheme{"light"});
        EXPECT_TRUE(state.showHint) << "what happens by itself, or by a look around, teaches nothing";
        (void)update(state, action);
        EXPECT_FALSE(state.showHint);
    }
}

TEST(CommandsUsedTest, TheLatestComesFirstAndOnlyOnce) {
    State state = fresh();
    for (const char* id : {"run", "undo", "run", "view.banks"})
        (void)update(state, UsedCommand{id});
    EXPECT_EQ(state.recentCommands, (std::vector<std::string>{"view.banks", "run", "undo"}));
    for (int i = 0; i < 200; ++i)
        (void)update(state, UsedCommand{std::to_string(i)});
    EXPECT_EQ(state.recentCommands.size(), 50u);
}

// What is said lies under what was said before for a while; the same again is said once, as the latest.
TEST(NoticesTest, StackAndGo) {
    State state = initialState(catalogue(), firstChoice(catalogue()));
    const auto texts = [&] {
        std::vector<std::string> all;
        for (const Notice& notice : state.notices)
            all.push_back(notice.text.english());
        return all;
    };
    (void)update(state, Say{Message::plain("one")});
    (void)update(state, Say{Message::plain("two")});
    (void)update(state, Tick{1});
    (void)update(state, Say{Message::plain("one")});
    EXPECT_EQ(texts(), (std::vector<std::string>{"two", "one"}));
    for (int i = 0; i < 20; ++i)
        (void)update(state, Say{Message::plain("number " + std::to_string(i))});
    EXPECT_LT(state.notices.size(), 10u);
    EXPECT_EQ(texts().back(), "number 19");
    (void)update(state, Tick{60});
    EXPECT_TRUE(state.notices.empty());
    EXPECT_EQ(state.said.back().english(), "number 19") << "and can be read again";
    EXPECT_EQ(state.said.size(), 23u);
    for (int i = 0; i < 500; ++i)
        (void)update(state, Say{Message::plain("again " + std::to_string(i))});
    EXPECT_EQ(state.said.size(), 100u);
    EXPECT_EQ(state.said.back().english(), "again 499");
}

}  // namespace
}  // namespace lockstep::app
