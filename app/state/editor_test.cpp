// The editor, as the state has it: what is typed is compiled after a moment without touching the file, and no
// text is lost whatever becomes of the file or the window.
#include "app/state/editor_update.h"
#include "app/state/first_run.h"
#include "app/state/update.h"
#include "ptx/module.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

constexpr const char* kFile = "/no-such-folder/saxpy.cu";
constexpr f64 kLong = EditorState::kSecondsUntilRun;

SharedText text(std::string_view of) { return std::make_shared<const std::string>(of); }

class EditorTest : public testing::Test {
protected:
    std::vector<Effect> act(const Action& action) { return update(state_, action); }
    std::vector<Effect> edit(EditorAction action) { return update(state_, std::move(action)); }
    const EditedText& edited() const { return *state_.editor.find(kFile); }
    // It is the experiment, and open in the editor.
    void open(std::string_view contents = "one\n", const std::string& file = kFile) {
        OwnKernel own;
        own.file = file;
        act(SetChoice{{.family = {}, .variant = {}, .values = {}, .own = own}});
        edit(EditFile{});
        edit(TextRead{file, text(contents)});
    }
    template <class Wanted> static const Wanted* in(const std::vector<Effect>& effects) {
        for (const Effect& effect : effects)
            if (const auto* found = std::get_if<Wanted>(&effect)) return found;
        return nullptr;
    }
    template <class Wanted> static const Wanted* task(const std::vector<Effect>& effects) {
        for (const Effect& effect : effects)
            if (const auto* task = std::get_if<EditorTask>(&effect))
                if (const auto* found = std::get_if<Wanted>(task)) return found;
        return nullptr;
    }
    void arrives(const StartRun& job) {
        act(RunArrived{.ticket = job.ticket, .run = std::make_shared<const run::Run>(*runFirst())});
    }

    State state_ = initialState(catalogue(), firstChoice(catalogue()));
};

TEST_F(EditorTest, OpensTheExperimentsFile) {
    OwnKernel own;
    own.file = kFile;
    act(SetChoice{{.family = {}, .variant = {}, .values = {}, .own = own}});
    const std::vector<Effect> effects = edit(EditFile{});
    ASSERT_TRUE(task<ReadText>(effects));
    EXPECT_EQ(task<ReadText>(effects)->file, kFile);
    EXPECT_FALSE(state_.editor.open) << "until it is read";
    edit(TextRead{kFile, text("one\n")});
    EXPECT_TRUE(state_.editor.open);
    EXPECT_EQ(*edited().text, "one\n");
    EXPECT_FALSE(edited().isUnsaved());
    edit(ShowEditor{false});
    EXPECT_FALSE(state_.editor.open);
    EXPECT_EQ(state_.broughtUp, "source");
    edit(EditFile{.file = kFile, .line = 1});
    EXPECT_TRUE(state_.editor.open);
    EXPECT_EQ(state_.editor.line, 1u);
}

TEST_F(EditorTest, WhatIsTypedIsCompiledAfterAMoment) {
    open();
    const std::vector<Effect> typed = edit(TypeText{kFile, text("two\n")});
    EXPECT_FALSE(in<StartRun>(typed));
    EXPECT_FALSE(task<WriteText>(typed));
    EXPECT_TRUE(edited().isUnsaved());
    EXPECT_FALSE(in<StartRun>(act(Tick{kLong / 2})));
    edit(TypeText{kFile, text("three\n")});
    EXPECT_FALSE(in<StartRun>(act(Tick{kLong / 2 + 0.01}))) << "each key restarts the delay";
    const std::vector<Effect> due = act(Tick{kLong});
    ASSERT_TRUE(in<StartRun>(due));
    EXPECT_EQ(*in<StartRun>(due)->text, "three\n");
    EXPECT_FALSE(in<StartRun>(act(Tick{kLong}))) << "once";
}

TEST_F(EditorTest, TheNextKeyCancelsTheRun) {
    open();
    edit(TypeText{kFile, text("two\n")});
    const std::vector<Effect> due = act(Tick{kLong});
    const StartRun job = *in<StartRun>(due);
    EXPECT_TRUE(state_.job.running);
    edit(TypeText{kFile, text("three\n")});
    EXPECT_TRUE(job.progress->cancelled);
    EXPECT_FALSE(state_.job.running);
    arrives(job);
    EXPECT_FALSE(state_.run) << "what it comes to is not shown";
}

TEST_F(EditorTest, TheLastPictureStaysAndIsSaidToBeOfAnEarlierText) {
    open();
    edit(TypeText{kFile, text("two\n")});
    arrives(*in<StartRun>(act(Tick{kLong})));
    ASSERT_TRUE(state_.run);
    EXPECT_FALSE(state_.isOfEarlierText());
    const auto before = state_.run;
    edit(TypeText{kFile, text("two!\n")});
    EXPECT_TRUE(state_.isOfEarlierText());
    const std::vector<Effect> due = act(Tick{kLong});
    act(RunFailed{in<StartRun>(due)->ticket,
                  fail(FaultKind::Syntax, Message::plain("no"), {.file = kFile, .line = 1}).value()});
    EXPECT_EQ(state_.run, before);
    EXPECT_TRUE(state_.isOfEarlierText());
    EXPECT_EQ(state_.editor.failed, edited().text);
    edit(TypeText{kFile, text("two\n")});
    EXPECT_FALSE(state_.isOfEarlierText()) << "it is that text again";
}

TEST_F(EditorTest, AKernelThatWasRenamedIsKnownByItsNewName) {
    open();
    state_.choice.own->entry = "scale";
    edit(TypeText{kFile, text("two\n")});
    arrives(*in<StartRun>(act(Tick{kLong})));
    ASSERT_TRUE(state_.run && state_.choice.own);
    EXPECT_EQ(state_.choice.own->entry, ptx::shortName(state_.run->recording.launches.front().entry));
    EXPECT_FALSE(state_.isOfAnother());
}

TEST_F(EditorTest, WithoutACompilerNothingIsStarted) {
    open();
    act(CompilerMissing{});
    edit(TypeText{kFile, text("two\n")});
    EXPECT_FALSE(in<StartRun>(act(Tick{kLong})));
}

TEST_F(EditorTest, PtxIsRunAsItIsTypedWithoutACompiler) {
    constexpr const char* kPtx = "/no-such-folder/twice.ptx";
    open(".version 8.3\n", kPtx);
    act(CompilerMissing{});
    edit(TypeText{kPtx, text(".version 8.4\n")});
    EXPECT_TRUE(in<StartRun>(act(Tick{kLong})));
}

TEST_F(EditorTest, SavingWritesTheTextAndTheFileThatChangedRunsAgain) {
    open();
    EXPECT_TRUE(edit(SaveText{}).empty()) << "it is saved";
    edit(TypeText{kFile, text("two\n")});
    const std::vector<Effect> saves = edit(SaveText{});
    ASSERT_TRUE(task<WriteText>(saves));
    EXPECT_EQ(*task<WriteText>(saves)->text, "two\n");
    EXPECT_EQ(*task<WriteText>(saves)->before, "one\n");
    const std::vector<Effect> changed = edit(FileChanged{kFile});
    ASSERT_TRUE(task<ReadText>(changed));
    const std::vector<Effect> read = edit(TextRead{kFile, text("two\n"), true});
    EXPECT_TRUE(in<StartRun>(read));
    edit(TextSaved{kFile, text("two\n")});
    EXPECT_FALSE(edited().isUnsaved());
}

TEST_F(EditorTest, ASaveElsewhereOfAFileThatIsNotInTheEditorRunsItAgain) {
    OwnKernel own;
    own.file = kFile;
    act(SetChoice{{.family = {}, .variant = {}, .values = {}, .own = own}});
    EXPECT_TRUE(in<StartRun>(edit(FileChanged{kFile})));
}

TEST_F(EditorTest, AnotherProgramsTextIsTakenOverWhereNothingIsUnsaved) {
    open();
    const u64 before = edited().revision;
    EXPECT_TRUE(in<StartRun>(edit(TextRead{kFile, text("theirs\n"), true})));
    EXPECT_EQ(*edited().text, "theirs\n");
    EXPECT_GT(edited().revision, before);
    EXPECT_FALSE(edited().isUnsaved());
}

TEST_F(EditorTest, OfTwoTextsItIsAskedWhichStays) {
    open();
    edit(TypeText{kFile, text("ours\n")});
    EXPECT_FALSE(in<StartRun>(edit(TextRead{kFile, text("theirs\n"), true})));
    ASSERT_TRUE(edited().onDisk);
    EXPECT_EQ(*edited().text, "ours\n");
    EXPECT_TRUE(edit(SaveText{}).empty()) << "not over what is asked about";
    edit(ChooseText{kFile, true});
    EXPECT_EQ(*edited().text, "ours\n");
    EXPECT_TRUE(edited().isUnsaved());
    EXPECT_EQ(*task<WriteText>(edit(SaveText{}))->before, "theirs\n");

    edit(TextRead{kFile, text("theirs again\n"), true});
    EXPECT_TRUE(in<StartRun>(edit(ChooseText{kFile, false})));
    EXPECT_EQ(*edited().text, "theirs again\n");
    EXPECT_FALSE(edited().isUnsaved());
}

TEST_F(EditorTest, ClosingAsksAboutUnsavedText) {
    open();
    edit(TypeText{kFile, text("two\n")});
    edit(CloseText{kFile});
    ASSERT_TRUE(state_.editor.find(kFile));
    EXPECT_TRUE(edited().isClosing);
    edit(CloseUnsaved{kFile, Unsaved::Keep});
    EXPECT_FALSE(edited().isClosing);
    edit(CloseText{kFile});
    ASSERT_TRUE(task<WriteText>(edit(CloseUnsaved{kFile, Unsaved::Save})));
    ASSERT_TRUE(state_.editor.find(kFile)) << "until it is written";
    edit(TextSaved{kFile, edited().text});
    EXPECT_FALSE(state_.editor.find(kFile));
    EXPECT_FALSE(state_.editor.open);
}

TEST_F(EditorTest, OpeningAnotherFileLosesNothing) {
    open();
    edit(TypeText{kFile, text("two\n")});
    edit(EditFile{"/no-such-folder/other.cu"});
    edit(TextRead{"/no-such-folder/other.cu", text("other\n")});
    EXPECT_EQ(state_.editor.front, "/no-such-folder/other.cu");
    EXPECT_EQ(*edited().text, "two\n");
    act(ChooseVariant{"matmul", "naive"});
    EXPECT_EQ(*edited().text, "two\n");
    edit(TurnToText{kFile});
    EXPECT_EQ(state_.editor.front, kFile);
}

TEST_F(EditorTest, RecoveredTextIsShownUnsaved) {
    edit(TextsRecovered{{{.file = kFile, .text = text("mine\n"), .saved = text("one\n")}}});
    EXPECT_TRUE(state_.editor.open);
    EXPECT_TRUE(edited().isRecovered);
    EXPECT_TRUE(edited().isUnsaved());
    edit(TextRead{kFile, text("one\n")});
    EXPECT_FALSE(edited().onDisk) << "the file is as it was";
    edit(TextRead{kFile, text("theirs\n")});
    EXPECT_TRUE(edited().onDisk) << "asked which one stays";
    edit(ChooseText{kFile, true});
    EXPECT_EQ(*edited().text, "mine\n");
    EXPECT_FALSE(edited().isRecovered);
}

TEST_F(EditorTest, ADeletedFileLeavesItsText) {
    open();
    edit(TextRead{kFile, nullptr, true, fail(FaultKind::NotFound, Message::plain("gone")).value()});
    EXPECT_TRUE(edited().isUnsaved());
    EXPECT_EQ(*edited().text, "one\n");
}

TEST_F(EditorTest, ACopyOfTheCatalogsKernelHasItsLaunchAndItsReference) {
    state_.exportFolder = "/no-such-folder";
    act(ShowRun{runFirst()});
    const std::vector<Effect> effects = edit(EditCopy{});
    const CreateText* create = task<CreateText>(effects);
    ASSERT_TRUE(create);
    EXPECT_EQ(create->kernel.file, "/no-such-folder/matmul-tiled-bounds.cu");
    EXPECT_TRUE(create->from.ends_with("kernels/matmul/tiled_bounds.cu")) << create->from;
    EXPECT_EQ(create->kernel.block, "2,2");
    EXPECT_EQ(create->kernel.arguments.size(), 4u);
    EXPECT_EQ(create->kernel.references, std::vector<std::string>{"matmul:M=0,N=1,P=2,width=3"});
    const std::vector<Effect> created = edit(TextCreated{create->kernel, text("copy\n")});
    ASSERT_TRUE(in<StartRun>(created));
    EXPECT_EQ(*in<StartRun>(created)->text, "copy\n");
    EXPECT_EQ(state_.editor.front, create->kernel.file);
    EXPECT_TRUE(state_.editor.open);
    act(Undo{});
    EXPECT_EQ(state_.choice.variant, "tiled-bounds");
    EXPECT_TRUE(state_.editor.find(create->kernel.file)) << "undo of the experiment is none of the text";
}

TEST_F(EditorTest, ACopyOfSeveralLaunchesHasThemAll) {
    state_.exportFolder = "/no-such-folder";
    state_.choice = {.family = "scan",
                     .variant = "shuffle",
                     .values = catalog::resolve(*catalogue().find("scan"), {}).value()};
    const std::vector<Effect> effects = edit(EditCopy{});
    const CreateText* create = task<CreateText>(effects);
    ASSERT_TRUE(create);
    ASSERT_EQ(create->kernel.further.size(), 2u);
    EXPECT_TRUE(create->kernel.further[0].starts_with("scan_shuffle<<<1, ")) << create->kernel.further[0];
    EXPECT_TRUE(create->kernel.further[0].find("(buffer:2, buffer:2, i32[1]=") != std::string::npos)
        << create->kernel.further[0];
    EXPECT_TRUE(create->kernel.further[1].starts_with("scan_add_totals<<<")) << create->kernel.further[1];
}

TEST_F(EditorTest, TheFileIsOpenedElsewhereAtTheLineOfTheCursor) {
    EXPECT_FALSE(task<OpenElsewhere>(edit(EditElsewhere{}))) << "the catalog's is not to be edited";
    ASSERT_TRUE(state_.fault);
    EXPECT_NE(state_.fault->message.english().find("F6"), std::string::npos);
    OwnKernel own;
    own.file = kFile;
    arrives(*in<StartRun>(act(SetChoice{{.family = {}, .variant = {}, .values = {}, .own = own}})));
    act(ToEnd{.back = true});
    act(Step{explain::Stride::Event});
    const run::Run& run = *state_.run;
    const auto& warp = run.recording.trace.find(state_.cursor.launch, state_.cursor.block)->warps[0];
    const u32 line = explain::lineOf(*run.module, warp.steps[state_.cursor.step].pc).line;
    ASSERT_GT(line, 1u);
    const std::vector<Effect> here = edit(EditElsewhere{});
    ASSERT_TRUE(task<OpenElsewhere>(here));
    EXPECT_EQ(task<OpenElsewhere>(here)->file, kFile);
    EXPECT_EQ(task<OpenElsewhere>(here)->line, line);
    const std::vector<Effect> other = edit(EditElsewhere{.file = "/no-such-folder/other.cu"});
    EXPECT_EQ(task<OpenElsewhere>(other)->line, 0u) << "the cursor is in another file";
}

TEST_F(EditorTest, OnlyTheLastFileIsWaitedForUntilItIsReadOrCanceled) {
    const u64 first = in<LookForKernels>(act(OpenFile{kFile}))->ticket;
    const u64 second = in<LookForKernels>(act(OpenFile{"/no-such-folder/other.cu"}))->ticket;
    act(LookEnded{first});
    ASSERT_TRUE(state_.looking);
    EXPECT_EQ(state_.looking->file, "/no-such-folder/other.cu");
    act(Tick{0.25});
    act(Tick{0.5});
    EXPECT_EQ(state_.looking->seconds, 0.75);
    act(LookEnded{second});
    EXPECT_FALSE(state_.looking);
    act(OpenFile{kFile});
    EXPECT_TRUE(in<StopLook>(act(StopLooking{})));
    EXPECT_FALSE(state_.looking);
    EXPECT_FALSE(in<StopLook>(act(StopLooking{}))) << "there is nothing to cancel";
}

TEST_F(EditorTest, ANewKernelIsOneThatRuns) {
    state_.exportFolder = "/no-such-folder";
    const std::vector<Effect> effects = edit(NewKernel{});
    const CreateText* create = task<CreateText>(effects);
    ASSERT_TRUE(create);
    EXPECT_EQ(create->kernel.file, "/no-such-folder/kernel.cu");
    EXPECT_TRUE(create->from.empty());
    EXPECT_NE(newKernelText().find("void " + create->kernel.entry), std::string_view::npos);
}

TEST(TextForEditor, KeepsHowLinesEnd) {
    EXPECT_EQ(*textForEditor("f.cu", "a\r\nb\r\n"), "a\nb\n");
    EXPECT_EQ(textForFile("a\nb\n", true), "a\r\nb\r\n");
    EXPECT_EQ(*textForEditor("f.cu", "a\nb"), "a\nb");
    EXPECT_FALSE(textForEditor("f.cu", "a\r\nb\n")) << "both ways in one file";
}

TEST(TextForEditor, RefusesWhatItWouldNotKeep) {
    EXPECT_TRUE(textForEditor("f.cu", "// \u00e9 \u4e2d\n"));
    EXPECT_FALSE(textForEditor("f.cu", "// \U0001f600\n"));
    EXPECT_FALSE(textForEditor("f.cu", "// \xe9\n"));
    EXPECT_FALSE(textForEditor("f.cu", std::string_view("a\0b", 3)));
}

TEST_F(EditorTest, OnlyWhatIsOfThisTextIsSaidToBeOfIt) {
    open();
    edit(TypeText{kFile, text("two\n")});
    EXPECT_FALSE(state_.isOfText(edited())) << "nothing is on show";
    arrives(*in<StartRun>(act(Tick{kLong})));
    EXPECT_TRUE(state_.isOfText(edited()));
    OwnKernel other = *state_.choice.own;
    other.entry = "gone";
    const std::vector<Effect> starts =
        act(SetChoice{{.family = {}, .variant = {}, .values = {}, .own = other}});
    act(RunFailed{in<StartRun>(starts)->ticket,
                  fail(FaultKind::NotFound, Message::plain("has no kernel"), {.file = kFile}).value()});
    EXPECT_TRUE(state_.isOfAnother());
    EXPECT_FALSE(state_.isOfText(edited())) << "still on screen is the experiment before";
    EXPECT_FALSE(state_.isOfEarlierText());
}

TEST_F(EditorTest, TheKernelsOfTheTextAreOffered) {
    open();
    const auto asked = [&](const Action& action) { return in<LookForKernels>(act(action))->text; };
    EXPECT_EQ(*asked(OpenFile{kFile}), "one\n");
    edit(TypeText{kFile, text("two\n")});
    EXPECT_EQ(*asked(OpenFile{kFile}), "two\n") << "not saved";
    EXPECT_EQ(*asked(LookAgain{*state_.choice.own}), "two\n");
    EXPECT_EQ(asked(OpenFile{"/no-such-folder/other.cu"}), nullptr) << "as it was saved";
}

}  // namespace
}  // namespace lockstep::app
