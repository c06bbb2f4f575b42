// One more view is a row of the table: commands, help, compare, presentations and the window follow.
#include "app/cli/program.h"
#include "app/state/update.h"
#include "viz/testing/added_view.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lockstep {
namespace {

struct Ran {
    int status;
    std::string said;
};

Ran run(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = cli::runProgram(int(arguments.size()), arguments.data());
    std::string said = testing::internal::GetCapturedStdout();
    return {status, said + testing::internal::GetCapturedStderr()};
}

std::string picture(const std::vector<std::string>& more) {
    const std::string out = testing::TempDir() + "/one_more_view.svg";
    std::filesystem::remove(out);
    std::vector<std::string> words{"lockstep", "show", "coalescing/sequential", "--step", "3", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.said;
    std::ifstream file(out, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class OneMoreViewTest : public testing::Test {
protected:
    void SetUp() override { (void)viz::addedView(); }
};

TEST_F(OneMoreViewTest, IsDrawnByName) {
    EXPECT_NE(picture({"--view", "added"}).find("a picture of step 3"), std::string::npos);
}

TEST_F(OneMoreViewTest, IsComparedWhereItsRowSaysSo) {
    const std::string both = picture({"--view", "compare", "--with", "coalescing/stride", "--each", "added"});
    const std::size_t first = both.find("a picture of step ");
    EXPECT_NE(first, std::string::npos);
    EXPECT_NE(both.find("a picture of step ", first + 1), std::string::npos) << "of both runs";
}

TEST_F(OneMoreViewTest, IsInTheHelp) {
    const Ran ran = run({"lockstep", "show", "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.said.find("added"), std::string::npos) << ran.said;
}

TEST_F(OneMoreViewTest, IsALensAndCanBeEnlarged) {
    EXPECT_TRUE(app::isLens("added"));
    EXPECT_TRUE(app::mayBeEnlarged("added"));
    app::State state;
    for (std::size_t i = 0; i < viz::views().size(); ++i)
        if (state.presenting.lens != "added") (void)app::update(state, app::NextLens{});
    EXPECT_EQ(state.presenting.lens, "added");
}

}  // namespace
}  // namespace lockstep
