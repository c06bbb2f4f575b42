// A whole program, as the state has it: run on request alone, its launches opened as experiments, and what
// arrives of an earlier run ignored.
#include "app/state/first_run.h"
#include "app/state/program_update.h"
#include "app/state/update.h"
#include "operations/report.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

std::shared_ptr<const operations::ProgramReport> report() {
    operations::ProgramReport made;
    made.launchCount = made.lastKept = 3;
    for (u64 number = 1; number <= 3; ++number)
        made.operations.list.push_back({.function = number == 2 ? "scan" : "add",
                                        .place = {"main.cu", 40},
                                        .launch = number,
                                        .grid = {4, 1, 1},
                                        .block = {32, 1, 1}});
    made.operations.count = 3;
    made.operations.buffers.resize(2);
    return std::make_shared<const operations::ProgramReport>(std::move(made));
}

class ProgramTest : public testing::Test {
protected:
    std::vector<Effect> act(ProgramAction action) { return update(state_, std::move(action)); }
    const ProgramState& program() const { return state_.program; }
    StartProgram run() {
        const std::vector<Effect> effects = act(RunProgram{});
        return std::get<StartProgram>(std::get<ProgramTask>(effects.at(0)));
    }
    // Run to its end.
    void ran() {
        act(ProgramFound{"main.cu"});
        act(ProgramEnded{run().ticket, report()});
    }
    void arrives(const StartRun& job) {
        (void)update(state_,
                     RunArrived{.ticket = job.ticket, .run = std::make_shared<const run::Run>(*runFirst())});
    }

    State state_ = initialState(catalogue(), firstChoice(catalogue()));
};

TEST_F(ProgramTest, IsRunOnRequestAlone) {
    EXPECT_TRUE(act(ProgramFound{"main.cu"}).empty()) << "opening a file runs nothing";
    EXPECT_FALSE(program().open);
    EXPECT_TRUE(program().canRun());
    act(TypeProgramArguments{"-n 4 'two words'"});
    const StartProgram start = run();
    EXPECT_EQ(start.file, "main.cu");
    EXPECT_EQ(start.arguments, (std::vector<std::string>{"-n", "4", "two words"}));
    EXPECT_TRUE(program().open);
    EXPECT_TRUE(program().isUnderWay);
    EXPECT_TRUE(act(RunProgram{}).empty()) << "it runs";
}

TEST_F(ProgramTest, WithoutAFileSaysWhatToOpen) {
    EXPECT_TRUE(act(RunProgram{}).empty());
    ASSERT_TRUE(program().fault);
    EXPECT_EQ(describe(*program().fault), "Open a .cu that has a main(): that is a program.");
}

TEST_F(ProgramTest, ArgumentsAreThoseOfTheFile) {
    act(ProgramFound{"a.cu"});
    act(TypeProgramArguments{"1"});
    act(ProgramFound{"b.cu"});
    EXPECT_TRUE(run().arguments.empty());
    act(ProgramEnded{program().ticket, report()});
    act(ProgramFound{"a.cu"});
    EXPECT_EQ(run().arguments, std::vector<std::string>{"1"});
}

TEST_F(ProgramTest, WhatItIsCompiledWithIsOfTheFile) {
    act(ProgramFound{"a.cu"});
    act(TypeCompileOptions{"kernels.cu -DWIDTH=64"});
    EXPECT_EQ(run().compile, (std::vector<std::string>{"kernels.cu", "-DWIDTH=64"}));
    act(ProgramEnded{program().ticket, report()});
    EXPECT_EQ(act(SaveTimeline{}).size(), 1u);
    act(ProgramFound{"b.cu"});
    EXPECT_TRUE(run().compile.empty());
    EXPECT_TRUE(act(SaveTimeline{}).empty()) << "there is none";
}

TEST_F(ProgramTest, ArgumentsWithAnOpenQuoteAreRefused) {
    act(ProgramFound{"main.cu"});
    act(TypeProgramArguments{"'two words"});
    EXPECT_TRUE(act(RunProgram{}).empty());
    EXPECT_FALSE(program().isUnderWay);
    ASSERT_TRUE(program().fault);
    EXPECT_EQ(describe(*program().fault), "The arguments end within quotes: add the other '.");
}

TEST_F(ProgramTest, WhatArrivesOfAnEarlierRunChangesNothing) {
    act(ProgramFound{"main.cu"});
    const u64 first = run().ticket;
    act(ProgramEnded{first, nullptr, fail(FaultKind::System, Message::plain("ended")).value()});
    const u64 second = run().ticket;
    act(ProgramLaunched{first, 7});
    act(ProgramPrinted{first, "old", 3});
    act(ProgramEnded{first, report()});
    EXPECT_EQ(program().launches, 0u);
    EXPECT_TRUE(program().printed.empty());
    EXPECT_TRUE(program().isUnderWay);
    act(ProgramLaunched{second, 2});
    EXPECT_EQ(program().launches, 2u);
}

TEST_F(ProgramTest, OutputIsBounded) {
    act(ProgramFound{"main.cu"});
    const u64 ticket = run().ticket;
    for (int i = 0; i < 4; ++i)
        act(ProgramPrinted{ticket, std::string(ProgramState::kMostOutput / 2, 'a'), 1'000'000});
    EXPECT_EQ(program().printed.size(), ProgramState::kMostOutput);
    EXPECT_EQ(program().printedBytes, 4'000'000u);
}

TEST_F(ProgramTest, IsCanceledOnce) {
    act(ProgramFound{"main.cu"});
    const u64 ticket = run().ticket;
    const std::vector<Effect> effects = act(CancelProgram{});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(std::get<StopProgram>(std::get<ProgramTask>(effects[0])).ticket, ticket);
    EXPECT_TRUE(act(CancelProgram{}).empty());
}

TEST_F(ProgramTest, ALaunchIsOpenedAsAnExperiment) {
    ran();
    const std::vector<Effect> effects = act(OpenLaunch{2});
    ASSERT_EQ(effects.size(), 1u);
    const StartRun& job = std::get<StartRun>(effects[0]);
    ASSERT_TRUE(job.choice.launch);
    EXPECT_EQ(job.choice.launch->number, 2u);
    EXPECT_EQ(job.choice.launch->title, "scan<<<4, 32>>>");
    EXPECT_TRUE(program().open) << "until it is there";
    arrives(job);
    EXPECT_FALSE(program().open);
    EXPECT_EQ(state_.broughtUp, "stage");
    EXPECT_TRUE(state_.recent.empty()) << "it cannot be opened by itself later";
    EXPECT_EQ(state_.programOnShow(), program().report);
    act(ShowProgram{});
    EXPECT_TRUE(program().open);
    EXPECT_TRUE(act(OpenLaunch{2}).empty()) << "it is on show";
    EXPECT_FALSE(program().open);
    (void)update(state_, Undo{});
    EXPECT_FALSE(state_.choice.launch) << "undo leads back to the kernel";
}

TEST_F(ProgramTest, ALaunchThatCannotBeOpenedLeavesWhatIsOnShow) {
    ran();
    const StartRun first = std::get<StartRun>(act(OpenLaunch{1}).at(0));
    arrives(first);
    const StartRun second = std::get<StartRun>(act(OpenLaunch{2}).at(0));
    (void)update(state_, RunFailed{second.ticket, fail(FaultKind::NotFound, Message::plain("gone")).value()});
    EXPECT_EQ(state_.choice.launch->number, 1u);
    EXPECT_TRUE(state_.fault);
    EXPECT_TRUE(act(OpenLaunch{9}).empty()) << "there is none";
}

TEST_F(ProgramTest, TwoLaunchesAreCompared) {
    ran();
    arrives(std::get<StartRun>(act(OpenLaunch{1}).at(0)));
    const std::vector<Effect> effects = update(state_, CompareWithAnother{});
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_TRUE(std::get<StartRun>(effects[0]).compared);
    EXPECT_EQ(std::get<StartRun>(effects[0]).choice.launch->number, 3u) << "the next one of the same kernel";
    EXPECT_TRUE(state_.compared.open);
    const std::vector<Effect> other = act(CompareLaunch{2});
    ASSERT_EQ(other.size(), 1u);
    EXPECT_EQ(std::get<StartRun>(other[0]).choice.launch->number, 2u);
}

TEST_F(ProgramTest, ABufferIsFollowedUntilItIsClickedAgain) {
    ran();
    act(FollowBuffer{1});
    EXPECT_EQ(program().followed, 1u);
    act(FollowBuffer{1});
    EXPECT_FALSE(program().followed);
    act(FollowBuffer{7});
    EXPECT_FALSE(program().followed) << "there is none";
}

TEST(HasMainTest, IsADefinitionOutsideCommentsAndStrings) {
    EXPECT_TRUE(hasMain("int main() { }"));
    EXPECT_TRUE(hasMain("int main (int argc, char** argv)\n{ }"));
    EXPECT_TRUE(hasMain("auto main() -> int { }"));
    EXPECT_FALSE(hasMain("// int main()\n__global__ void k() {}"));
    EXPECT_FALSE(hasMain("const char* text = \"int main()\";"));
    EXPECT_FALSE(hasMain("void domain() {} int remain(int x) { return main(); }"));
    EXPECT_FALSE(hasMain("int main_loop() {}"));
}

TEST(SplitArgumentsTest, KeepsQuotedPartsTogether) {
    EXPECT_EQ(*splitArguments("  a  \"b c\" d\\ e '' "), (std::vector<std::string>{"a", "b c", "d e", ""}));
    EXPECT_TRUE(splitArguments("")->empty());
}

}  // namespace
}  // namespace lockstep::app
