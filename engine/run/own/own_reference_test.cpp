// A user's own kernel against each form of reference: correct, wrong, and every syntax mistake.
#include "run/own/own_reference.h"

#include "base/files/npy.h"
#include "run/own/reference_example.h"
#include "trace/lks/lks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep::run {
namespace {

Expected<Run> runWith(const std::string& kernel, const std::vector<std::string>& references) {
    Experiment experiment = copyExperiment(kernel);
    auto bound = bindReferences(references, experiment, {});
    if (!bound) return Unexpected{bound.error()};
    experiment.reference = *bound;
    Options options;
    options.backend = "emulator";
    return run(std::move(experiment), options);
}

std::string mistakeIn(const std::string& reference) {
    const auto bound = bindReferences(std::vector{reference}, copyExperiment("wrong"), {});
    return bound ? "" : describe(bound.error());
}

// A file in its own folder.
class ExpectedFile {
public:
    ExpectedFile(const char* name, const Buffer& buffer)
        : path_(std::filesystem::temp_directory_path() / ("lockstep_" + std::to_string(getpid()) + name)) {
        EXPECT_TRUE(writeNpy(path_, buffer));
    }
    ExpectedFile(const ExpectedFile&) = delete;
    ~ExpectedFile() { std::filesystem::remove(path_); }
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

TEST(OwnReferenceTest, ARightKernelMatchesEachForm) {
    const ExpectedFile file("right.npy", copyExperiment("right").buffers[0]);
    for (const std::string& reference : {std::string("copy:in=0,out=1"), std::string("copy"),
                                         std::string("kernel:right,grid=1,block=32"), "1=" + file.path()}) {
        const Expected<run::Run> run = runWith("right", {reference});
        ASSERT_TRUE(run) << describe(run.error());
        ASSERT_TRUE(run->comparison) << reference;
        EXPECT_TRUE(run->comparison->correct) << reference;
        EXPECT_EQ(run->correct(), true);
        ASSERT_TRUE(run->recording.check);
        EXPECT_NE(run->recording.check->reference.find(reference), std::string::npos)
            << run->recording.check->reference;
    }
}

TEST(OwnReferenceTest, AWrongKernelIsToldByEachForm) {
    const ExpectedFile file("wrong.npy", copyExperiment("right").buffers[0]);
    for (const std::string& reference :
         {std::string("copy:in=0,out=1,n=16"), std::string("kernel:right"), "1=" + file.path()}) {
        const Expected<run::Run> run = runWith("wrong", {reference});
        ASSERT_TRUE(run) << describe(run.error());
        ASSERT_TRUE(run->comparison) << reference;
        EXPECT_EQ(run->correct(), false);
        EXPECT_EQ(run->comparison->wrongCount, 2u) << reference;
        EXPECT_EQ(run->comparison->maxError, 16) << reference;
        EXPECT_EQ(run->comparison->first->buffer, "out");
        EXPECT_EQ(run->comparison->first->index, 7u);
        EXPECT_EQ(run->comparison->first->want, 8);
    }
}

TEST(OwnReferenceTest, NamesEveryValueThatFollowedFromTheBuffers) {
    EXPECT_EQ(runWith("right", {"copy"})->recording.check->reference, "copy:in=0,out=1,n=16");
    EXPECT_EQ(runWith("right", {"transpose"})->recording.check->reference, "transpose:in=0,out=1,width=4");
    EXPECT_EQ(runWith("right", {"row_reduction:rows=0,results=1,op=sum"})->recording.check->reference,
              "row_reduction:rows=0,results=1,batches=16,n=1,op=sum");
    EXPECT_EQ(runWith("right", {"copy:tolerance=0.5"})->recording.check->reference,
              "copy:in=0,out=1,n=16,tolerance=0.5");
}

TEST(OwnReferenceTest, ExtentsMayCoverTheBeginningOfABuffer) {
    const Expected<run::Run> run = runWith("wrong", {"copy:n=7"});
    EXPECT_TRUE(run->comparison->correct);
    EXPECT_FALSE(runWith("wrong", {"copy:n=8"})->comparison->correct);
}

TEST(OwnReferenceTest, AReferenceKernelThatCannotTellLeavesTheResultUnchecked) {
    const Expected<run::Run> run = runWith("right", {"kernel:idle"});
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_FALSE(run->comparison);
    EXPECT_FALSE(run->correct());
    ASSERT_EQ(run->notes.size(), 1u);
    EXPECT_NE(run->notes[0].message.english().find("stores to no buffer"), std::string::npos);
}

TEST(OwnReferenceTest, ARecordingKeepsTheVerdictAndCanBeCheckedAgain) {
    Expected<run::Run> run = runWith("wrong", {"copy"});
    const Expected<trace::Recording> kept = trace::unpack(trace::pack(run->recording), "kept.lks");
    ASSERT_TRUE(kept) << describe(kept.error());
    Expected<run::Run> opened = reopen(*kept, "");
    ASSERT_TRUE(opened) << describe(opened.error());
    ASSERT_TRUE(opened->comparison);
    EXPECT_EQ(opened->comparison->wrongCount, 2u);
    EXPECT_EQ(opened->comparison->first->want, 8);
    EXPECT_EQ(opened->recording.check->reference, "copy:in=0,out=1,n=16");
    ASSERT_TRUE(checkAgainst(std::vector<std::string>{"copy:n=7"}, *opened));
    EXPECT_TRUE(opened->comparison->correct);
    ASSERT_TRUE(checkAgainst(std::vector<std::string>{"kernel:right"}, *opened));
    EXPECT_EQ(opened->comparison->wrongCount, 2u);
    const Expected<void> other = checkAgainst(std::vector<std::string>{"kernel:other.cu:right"}, *opened);
    EXPECT_NE(other.error().message.english().find("its own kernels only"), std::string::npos)
        << other.error().message.english();
    run->recording.check.reset();
    EXPECT_FALSE(reopen(*trace::unpack(trace::pack(run->recording), "kept.lks"), "")->comparison);
}

TEST(OwnReferenceTest, AMistakeIsOneSentenceThatSaysWhatToDo) {
    struct Case {
        const char *reference, *says;
    };
    const Case cases[] = {
        {"cpoy",
         "there is no reference 'cpoy'; did you mean 'copy'? (the references are copy, histogram, matmul"},
        {"matmul:M=0,N=1,Q=1", "there is no 'Q' (matmul takes M, N, P and width (or j, k and l))"},
        {"matmul:M=0,N=1", "say which argument is P: P=0, for example"},
        {"copy:in=0,out=9", "out=9: there is no argument 9; the kernel's arguments are numbered 0 to 2"},
        {"copy:in=0,out=2", "out=2: argument 2 is a value, not a buffer; buffers are: 0 and 1"},
        {"copy:in=x", "in=x: write the index of an argument"},
        {"copy:n=17", "in needs 17 elements (n = 17), but argument 0 has 16; give other values"},
        {"copy:n=0", "n=0: write a whole number from 1"},
        {"copy:n=99999999999999999999", "write a whole number from 1"},
        {"scan:in=0,out=1", "in=0: argument 0 holds f32, and in of scan holds i32"},
        {"stencil:in=0,out=1,rows=3",
         "stencil: columns does not follow from the buffers (in has 16 and out has 16 elements): give "
         "columns"},
        {"stencil:width=4,rows=4", "give width, or rows and columns, not both"},
        {"reduction:in=0,out=1", "op is missing: op=sum, for example (sum, product"},
        {"reduction:in=0,out=1,op=plus", "op=plus: choose sum, product"},
        {"reduction:in=0,out=1,op=xor", "'xor' works on whole numbers only"},
        {"copy:tolerance=x", "write the largest relative difference"},
        {"kernel:rihgt", "the recording has no kernel 'rihgt'; it has right, wrong, other and idle"},
        {"kernel:other", "other has 1 parameter, and wrong is launched with 3"},
        {"kernel:wrong", "this is the kernel itself"},
        {"kernel:right,grid=0", "grid 0: write one to three whole numbers from 1"},
        {"kernel:right,gird=1", "there is no 'gird'; did you mean 'grid'?"},
        {"1=missing.npy", "there is no file missing.npy"},
        {"2=missing.npy", "argument 2 is a value"},
        {"7=missing.npy", "there is no argument 7"},
    };
    for (const Case& c : cases) {
        const std::string mistake = mistakeIn(c.reference);
        EXPECT_TRUE(mistake.starts_with(std::string("--reference ") + c.reference + ": "))
            << c.reference << ": " << mistake;
        EXPECT_NE(mistake.find(c.says), std::string::npos) << mistake;
    }
    const std::vector<std::string> two{"copy", "kernel:right"};
    EXPECT_NE(bindReferences(two, copyExperiment("wrong"), {})
                  .error()
                  .message.english()
                  .find("another reference already"),
              std::string::npos);
}

TEST(OwnReferenceTest, AFileOfAnotherTypeOrLengthIsRefused) {
    const ExpectedFile doubles(
        "f64.npy",
        {.name = "x", .type = ElementType::F64, .shape = {16}, .bytes = std::vector<std::byte>(128)});
    EXPECT_NE(
        mistakeIn("1=" + doubles.path()).find("16 elements of type f64, but 16 of type f32 are asked for"),
        std::string::npos)
        << mistakeIn("1=" + doubles.path());
    const ExpectedFile three(
        "short.npy",
        {.name = "x", .type = ElementType::F32, .shape = {3}, .bytes = std::vector<std::byte>(12)});
    EXPECT_NE(mistakeIn("1=" + three.path()).find("3 elements of type f32, but 16"), std::string::npos);
}

TEST(OwnReferenceTest, TheDocumentationListsEveryReferenceOfTheTable) {
    std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + "/docs/guide/check-results.md");
    const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (const catalog::Reference& reference : catalog::references()) {
        const std::string row =
            "| `" + std::string(reference.name) + "` | " + catalog::namesTaken(reference).english() + " |";
        EXPECT_NE(page.find(row), std::string::npos) << row;
    }
}

TEST(OwnReferenceTest, HelpListsEveryReferenceOfTheTable) {
    for (const catalog::Reference& reference : catalog::references())
        EXPECT_NE(referencesHelp().english().find(std::string(reference.name) + " takes "), std::string::npos)
            << reference.name;
    EXPECT_NE(referencesHelp().english().find("matmul takes M, N, P and width (or j, k and l)"),
              std::string::npos)
        << referencesHelp().english();
}

}  // namespace
}  // namespace lockstep::run
