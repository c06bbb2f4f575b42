#include "lessons/answer_form.h"

#include "lessons/question_kinds.h"

#include <gtest/gtest.h>

namespace lockstep::lessons {
namespace {

TEST(AnswerForm, AKindWithoutAnInputOfItsOwnIsAnsweredAsText) {
    EXPECT_EQ(inputOf("wavefronts"), AnswerInput::Groups);
    EXPECT_EQ(inputOf("paths"), AnswerInput::Groups);
    EXPECT_EQ(inputOf("a kind of tomorrow"), AnswerInput::Text);
    for (const char* known : {"number", "lanes", "cell", "line", "choice", "order", "difference",
                              "wavefronts", "sectors", "paths", "round"}) {
        EXPECT_NE(findQuestionKind(known), nullptr) << known;
        EXPECT_NE(inputOf(known), AnswerInput::Text) << known;
    }
}

TEST(AnswerForm, ALaneIsInOneGroupAtMostAndEmptyGroupsWaitToBeFilled) {
    std::string text = withLane("", 0, Lane{0}, true);
    EXPECT_EQ(text, "0");
    text = withGroup(text);
    EXPECT_EQ(text, "0 | ");
    EXPECT_EQ(groupsBeingMade(text).size(), 2u);
    text = withLane(text, 1, Lane{1}, true);
    text = withLane(text, 1, Lane{2}, true);
    EXPECT_EQ(text, "0 | 1-2");
    text = withLane(text, 1, Lane{0}, true);
    EXPECT_EQ(text, " | 0-2");
    EXPECT_EQ(finished(AnswerInput::Groups, text), "0-2");
    EXPECT_EQ(withLane(text, 1, Lane{1}, false), " | 0, 2");
    EXPECT_EQ(finished(AnswerInput::Groups, "0-x | 3"), "0-x | 3") << "what cannot be read is said";
    EXPECT_EQ(finished(AnswerInput::Groups, " | "), "");
}

TEST(AnswerForm, SectorsAreARangeWhereTheyAreNeighbors) {
    std::string text = withSector("", 3, true);
    for (const s64 sector : {0, 1, 8, 2})
        text = withSector(text, sector, true);
    EXPECT_EQ(text, "0-3, 8");
    EXPECT_EQ(withSector(text, 1, false), "0, 2-3, 8");
}

TEST(AnswerForm, SumsAreWrittenOneByOne) {
    std::string text = withSum("", 0, "3");
    text = withSum(text, 1, "7");
    EXPECT_EQ(text, "3 7");
    EXPECT_EQ(withSum(text, 0, "5"), "5 7");
    EXPECT_EQ(withSum(text, 0, ""), "7");
}

TEST(AnswerForm, ChangesAndOrdersKeepTheNamesOfTheQuestion) {
    const Question question{.kind = "difference",
                            .options = {{"a", "1"}, {"b", "2"}, {"c", "3"}},
                            .changes = {"sectors", "wavefronts"}};
    std::string text = withChange(question, "", "wavefronts", "less");
    EXPECT_EQ(text, "wavefronts less");
    EXPECT_EQ(changeOf(text, "sectors"), std::nullopt);
    text = withChange(question, text, "sectors", "same");
    EXPECT_EQ(text, "sectors same, wavefronts less");
    EXPECT_EQ(changeOf(text, "wavefronts"), "less");

    Question order = question;
    order.kind = "order";
    EXPECT_EQ(emptyAnswer(order), "a < b < c");
    EXPECT_EQ(moved(order, "a < b < c", 0, 2), "b < c < a");
    EXPECT_EQ(moved(order, "c b x", 0, 1), "b < c < a") << "names that the question has not are left out";
    EXPECT_EQ(moved(order, "a < b < c", 0, 7), "a < b < c");
}

TEST(AnswerForm, ACellIsAnArrayAndItsIndices) {
    const CellParts cell = cellOf("M[1][0]");
    EXPECT_EQ(cell.array, "M");
    EXPECT_EQ(cell.indices, (std::vector<std::string>{"1", "0"}));
    EXPECT_EQ(textOf(cell), "M[1][0]");
    EXPECT_EQ(cellOf("M[1").indices, std::vector<std::string>{"1"});
    EXPECT_EQ(textOf(cellOf("")), "");
}

TEST(AnswerForm, AnElementIsFoundInWhatAViewSays) {
    const std::vector<ArrayShape> arrays{{"M", 2}, {"in", 1}};
    EXPECT_EQ(elementNamedIn("M[2][1] = 104.0, loaded by lane 3", arrays), "M[2][1]");
    EXPECT_EQ(elementNamedIn("通道 3 读取 in[17] = 2.0", arrays), "in[17]");
    EXPECT_EQ(elementNamedIn("M[1][0] and in[3]", arrays), "M[1][0]") << "the first one";
    EXPECT_EQ(elementNamedIn("in[3] and M[1][0]", arrays), "in[3]");
    EXPECT_EQ(elementNamedIn("M[2]", arrays), "") << "of two dimensions";
    EXPECT_EQ(elementNamedIn("min[2] of rows[1]", arrays), "") << "another array";
    EXPECT_EQ(elementNamedIn("M[ph][1]", arrays), "");
}

}  // namespace
}  // namespace lockstep::lessons
