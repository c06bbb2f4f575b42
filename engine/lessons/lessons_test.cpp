// Every lesson that ships, walked to its end with right and wrong answers, in both languages.
#include "base/files/text_file.h"
#include "explain/sentences/lane_lists.h"
#include "explain/source/source_line.h"
#include "lessons/answer_step.h"
#include "lessons/answer_text.h"
#include "lessons/check_lesson.h"
#include "lessons/kinds.h"
#include "lessons/lesson_notes.h"
#include "lessons/step_on_show.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>

namespace lockstep::lessons {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& shippedCatalog() {
    static const catalog::Catalog catalog = *catalog::Catalog::read(kResources.kernels());
    return catalog;
}

std::vector<Lesson> shipped() { return lessonsIn(kResources.assets() / "lessons"); }

bool isChinese(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return u8(c) >= 0xe4 && u8(c) <= 0xe9; });
}

// All that its places name.
std::vector<std::string> viewsOf(const Lesson& lesson) {
    std::vector<std::string> views;
    for (const LessonStep& step : lesson.steps) {
        views.push_back(step.place.view);
        for (const auto& [name, place] : step.others)
            views.push_back(place.view);
    }
    return views;
}

TEST(Lessons, HaveNoMistakes) {
    LessonRuns runs(kResources, shippedCatalog());
    ASSERT_FALSE(shipped().empty());
    for (const Lesson& lesson : shipped()) {
        const Expected<ReadLesson> read = readLesson(lesson.folder);
        ASSERT_TRUE(read);
        for (const Fault& fault : checkLesson(*read, runs, viewsOf(read->lesson)))
            ADD_FAILURE() << describe(fault);
    }
}

TEST(Lessons, AreInBothLanguagesAndTheirTextsDiffer) {
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps) {
            ASSERT_EQ(step.texts.size(), 2u) << lesson.name << " " << step.id;
            EXPECT_TRUE(isChinese(step.text(Language::Chinese).body)) << lesson.name << " " << step.id;
            EXPECT_FALSE(isChinese(step.text(Language::English).body)) << lesson.name << " " << step.id;
        }
}

// The right answer is right; wrong ones get a reason in both languages.
void walk(const AskedStep& asked) {
    const Expected<std::string> truth = rightAnswer(asked);
    ASSERT_TRUE(truth) << describe(truth.error());
    EXPECT_EQ(answerStep(asked, *truth)->judged.verdict, Verdict::Right) << *truth;
    const auto wrong = wrongAnswers(asked, 3);
    ASSERT_TRUE(wrong) << describe(wrong.error());
    EXPECT_FALSE(wrong->empty());
    for (const std::string& answer : *wrong) {
        const Expected<Answered> answered = answerStep(asked, answer);
        ASSERT_TRUE(answered) << describe(answered.error());
        EXPECT_EQ(answered->judged.verdict, Verdict::Wrong) << answer;
        const Expected<std::string> en = replyTo(asked, *answered, Language::English),
                                    zh = replyTo(asked, *answered, Language::Chinese);
        ASSERT_TRUE(en && zh);
        EXPECT_GT(en->size(), 10u) << answer;
        EXPECT_TRUE(isChinese(*zh)) << answer << ": " << *zh;
        EXPECT_EQ(en->find('{'), std::string::npos) << *en;
    }
}

TEST(Lessons, RightAnswersAreRightAndTypicalOnesWrongWithAReasonInBothLanguages) {
    LessonRuns runs(kResources, shippedCatalog());
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps)
            for (u64 seed = 0; seed < (step.varied.empty() ? 1u : 3u); ++seed) {
                if (step.question.kind.empty()) continue;
                SCOPED_TRACE(lesson.name + " " + step.id);
                const Expected<AskedStep> asked = AskedStep::ask(step, runs, seed);
                ASSERT_TRUE(asked) << describe(asked.error());
                walk(*asked);
            }
}

// Kinds of questions whose answer is a figure of the run. Where it is the same whatever is drawn, that is
// what the step teaches.
TEST(Lessons, AStepCanBePracticedWithAnotherAnswer) {
    const std::set<std::string> figures{"number", "lanes", "cell", "sectors", "round", "paths"},
        alwaysTheSame{"banks broadcast", "shuffles who-has-it", "shuffles everyone", "tiles corner",
                      "occupancy registers"};
    LessonRuns runs(kResources, shippedCatalog());
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps) {
            if (!figures.contains(step.question.kind)) continue;
            std::set<std::string> answers;
            for (u64 seed = 0; seed < 12 && answers.size() < 2; ++seed)
                answers.insert(*rightAnswer(*AskedStep::ask(step, runs, seed)));
            const std::string name = lesson.name + " " + step.id;
            EXPECT_EQ(answers.size() == 1, alwaysTheSame.contains(name)) << name << ": " << *answers.begin();
        }
}

// Whether a text has this in it, not as a part of a longer list or number.
bool hasPiece(std::string_view text, std::string_view piece) {
    const auto goesOn = [&](std::size_t at) {
        constexpr std::string_view kOfLists = "0123456789,-";
        return at < text.size() && kOfLists.find(text[at]) != std::string_view::npos &&
               (text[at] != ',' || (at + 2 < text.size() && std::isdigit(u8(text[at + 2]))));
    };
    for (std::size_t at = text.find(piece); at != std::string_view::npos; at = text.find(piece, at + 1)) {
        const bool begins = at == 0 || !std::isdigit(u8(text[at - 1]));
        if (begins && !goesOn(at + piece.size())) return true;
    }
    return false;
}

// Ways to tell the right answer that this text uses; empty: it does not tell it.
std::string givenAway(const AskedStep& asked, const std::string& answer, std::string reply,
                      Language language) {
    const Question& question = asked.question();
    std::string truth = *rightAnswer(asked);
    const std::string body = *asked.filled(asked.step().text(language).body, language);
    const auto tells = [&](s64 number) { return namesNumber(reply, number) && !namesNumber(body, number); };
    const auto lineName = [&](u32 line) { return say(language, english("line {0}"), line); };
    if (question.kind == "number" && tells(*asked.number(question.answer))) return truth;
    if (question.kind == "lanes") {
        const LaneMask right = *asked.lanes(question.answer), exist = *asked.lanes("all_lanes");
        for (const LaneMask lanes : std::array{right, exist & ~right}) {
            const std::array<std::string, 3> lists{textOf(lanes), explain::lanesText(lanes, language),
                                                   explain::lanesInBrief(lanes, language)};
            for (const std::string& list : lists)
                if (!lanes.empty() && hasPiece(reply, list) && !hasPiece(body, list)) return list;
        }
        return {};
    }
    if (question.kind == "line" || question.kind == "barrier") {
        const std::vector<u32> lines =
            question.kind == "line" ? *asked.lines(question.answer) : std::vector{u32(std::stoul(truth))};
        for (const u32 line : lines)
            if (std::to_string(line) != answer && hasPiece(reply, lineName(line))) return lineName(line);
        return {};
    }
    // A place has its name, with numbers in it.
    if (!question.changes.empty())
        if (const std::string name = placeName(asked, question.to, {}).in(language); !name.empty())
            if (const std::size_t at = reply.find(name); at != std::string::npos)
                reply.erase(at, name.size());
    // Of several, a number may be of another by chance: what is asked is how they compare.
    if (question.changes.size() == 1 && tells(*asked.number(question.to + "_" + question.changes[0])))
        return question.changes[0];
    const std::string* meaning = asked.step().text(language).findChoice(truth);
    if (meaning && reply.find(*asked.filled(*meaning, language)) != std::string::npos) return *meaning;
    const bool isName = question.kind == "choice";
    return !isName && hasPiece(reply, truth) && truth.size() > 2 ? truth : std::string();
}

TEST(Lessons, AReplyToAWrongAnswerDoesNotTellTheRightOne) {
    LessonRuns runs(kResources, shippedCatalog());
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps)
            for (u64 seed = 0; seed < (step.varied.empty() ? 1u : 4u); ++seed) {
                if (step.question.kind.empty()) continue;
                SCOPED_TRACE(lesson.name + " " + step.id + " " + std::to_string(seed));
                const AskedStep asked = *AskedStep::ask(step, runs, seed);
                const std::vector<std::string> wrong = *wrongAnswers(asked, 8);
                for (const std::string& answer : wrong)
                    for (const Language language : kLessonLanguages) {
                        const std::string reply = *replyTo(asked, *answerStep(asked, answer), language);
                        EXPECT_EQ(givenAway(asked, answer, reply, language), "") << answer << ": " << reply;
                    }
            }
}

std::vector<std::string> allOrders(const AskedStep& asked) {
    std::vector<std::string> names, all;
    for (const Option& option : asked.question().options)
        names.push_back(option.name);
    std::ranges::sort(names);
    do {
        all.push_back(fmt::format("{}", fmt::join(names, " < ")));
    } while (std::ranges::next_permutation(names).found);
    return all;
}

// Every order, every answer to a question about a difference; of others the usual wrong ones.
std::vector<std::string> manyAnswers(const AskedStep& asked) {
    if (asked.question().kind == "order") return allOrders(asked);
    if (asked.question().kind != "difference") return *wrongAnswers(asked, 8);
    std::vector<std::string> all{""};
    for (const std::string& change : asked.question().changes) {
        std::vector<std::string> longer;
        for (const std::string& begun : all)
            for (const char* how : {"less", "same", "more"})
                longer.push_back(fmt::format("{}{}{} {}", begun, begun.empty() ? "" : ", ", change, how));
        all = longer;
    }
    return all;
}

TEST(Lessons, EveryWrongAnswerGetsAReasonNotOnlyThatItIsWrong) {
    LessonRuns runs(kResources, shippedCatalog());
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps) {
            if (step.question.kind.empty()) continue;
            const AskedStep asked = *AskedStep::ask(step, runs, 0);
            for (const std::string& answer : manyAnswers(asked)) {
                const Answered answered = *answerStep(asked, answer);
                if (answered.judged.verdict != Verdict::Wrong || answered.mistake) continue;
                const std::string reply = *replyTo(asked, answered, Language::English);
                EXPECT_FALSE(answered.judged.isBare)
                    << lesson.name << " " << step.id << ": " << answer << ": " << reply;
                EXPECT_FALSE(answered.judged.isOld)
                    << lesson.name << " " << step.id << ": " << answer << ": " << reply;
            }
        }
}

// A comment may say which line it is.
TEST(Lessons, TheLinesToChooseFromHaveNoComments) {
    LessonRuns runs(kResources, shippedCatalog());
    u32 hidden = 0;
    for (const Lesson& lesson : shipped())
        for (std::size_t number = 0; number < lesson.steps.size(); ++number) {
            const LessonStep& step = lesson.steps[number];
            if (step.question.kind != "line" && step.question.kind != "barrier") continue;
            const auto shown = showStep(std::make_shared<Lesson>(lesson), number, runs, 0);
            ASSERT_TRUE(shown) << describe(shown.error());
            EXPECT_FALSE((*shown)->code.empty()) << step.id;
            for (const CodeLine& line : (*shown)->code)
                if (const std::size_t at = line.text.find("//"); at != std::string::npos) {
                    EXPECT_EQ(line.text.substr(at), "// …") << lesson.name << " " << step.id;
                    ++hidden;
                }
        }
    EXPECT_GT(hidden, 0u) << "some of these kernels are commented";
}

// Else the run can only say that it is wrong: what is decisive for a choice is its answer.
TEST(Lessons, EveryWrongChoiceIsAnsweredByTheLesson) {
    LessonRuns runs(kResources, shippedCatalog());
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps) {
            if (step.question.kind != "choice") continue;
            SCOPED_TRACE(lesson.name + " " + step.id);
            const AskedStep asked = *AskedStep::ask(step, runs, 0);
            const std::vector<std::string> wrong = *wrongAnswers(asked, 8);
            for (const std::string& answer : wrong)
                EXPECT_NE(answerStep(asked, answer)->mistake, nullptr) << answer;
        }
}

// What the run says to an answer of a shipped lesson.
std::string replyOf(const char* lesson, const char* step, std::string_view answer) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson read = readLesson(kResources.assets() / "lessons" / lesson)->lesson;
    const AskedStep asked = *AskedStep::ask(*read.find(step), runs, 0);
    return *replyTo(asked, *answerStep(asked, answer), Language::English);
}

TEST(Lessons, MissingLanesAreCountedAndOneWrongLaneIsExplained) {
    EXPECT_EQ(replyOf("divergence", "lone", "none"),
              "1 lane is missing. Which lanes come here is decided by the branch at line 10.");
    EXPECT_EQ(replyOf("tiles", "m-outside", "0"),
              "Lane 0 is wrong. Lane 0 is active here. 2 lanes are missing.");
    EXPECT_EQ(replyOf("reduction", "who-adds", "0, 2, 4"),
              "Lane 2 is wrong. Lane 2 is inactive here (skipped this code at line 14; waiting "
              "at line 16). 6 lanes are missing.");
    EXPECT_EQ(replyOf("tiles", "m-outside", "1, 3-5"), "The warp has 4 lanes only: there is no lane 4.");
}

TEST(Lessons, ABarrierIsRightWhereverItLeavesNothingToFind) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson races = readLesson(kResources.assets() / "lessons" / "races")->lesson;
    struct Case {
        const char *step, *line;
        Verdict verdict;
    };
    constexpr Case cases[] = {
        {"place", "8", Verdict::Right},          {"place", "10", Verdict::Right},
        {"place", "7", Verdict::Wrong},          {"place", "11", Verdict::Wrong},
        {"place", "4", Verdict::Wrong},          {"place", "behind it", Verdict::Unreadable},
        {"place-in-loop", "14", Verdict::Right}, {"place-in-loop", "15", Verdict::Wrong},
        {"place-in-loop", "9", Verdict::Wrong},  {"place-in-loop", "17", Verdict::Wrong}};
    for (const Case& c : cases) {
        const Expected<AskedStep> asked = AskedStep::ask(*races.find(c.step), runs, 0);
        ASSERT_TRUE(asked) << describe(asked.error());
        const Expected<Answered> answered = answerStep(*asked, c.line);
        ASSERT_TRUE(answered) << describe(answered.error());
        EXPECT_EQ(answered->judged.verdict, c.verdict) << c.step << " " << c.line;
        if (c.verdict == Verdict::Wrong) {
            EXPECT_NE(answered->judged.reason.english().find(std::string("line ") + c.line),
                      std::string::npos);
        }
    }
}

TEST(Lessons, AMistakeThatALessonListsGetsItsRemark) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson banks = readLesson(kResources.assets() / "lessons" / "banks")->lesson;
    const LessonStep& step = *banks.find("broadcast");
    const AskedStep asked = *AskedStep::ask(step, runs, 0);
    const Answered answered = *answerStep(asked, "32");
    ASSERT_NE(answered.mistake, nullptr);
    EXPECT_EQ(answered.mistake->belief, 4u);
    EXPECT_NE(replyTo(asked, answered, Language::English)->find("common belief"), std::string::npos);
}

TEST(Lessons, ARemarkStandsBeforeWhatTheRunSays) {
    EXPECT_TRUE(replyOf("tiles", "phases", "1").starts_with("That leaves the last column"));
    EXPECT_EQ(replyOf("banks", "swizzle", "fewer"),
              "Each lane still loads an element of its own, so the words are as many as before. Only where "
              "they lie has changed.")
        << "figures would give the right one away";
}

TEST(Lessons, WhatHoldsAtTwoPlacesIsToldOfEach) {
    const std::string reply = replyOf("tiles", "corner", "0");
    EXPECT_NE(reply.find("Line 19: "), std::string::npos) << reply;
    EXPECT_NE(reply.find("Line 33: "), std::string::npos) << reply;
    const std::string change = replyOf("banks", "odd", "same same same");
    EXPECT_NE(change.find("stride = 7: "), std::string::npos) << change;
}

TEST(Lessons, WordsAreExplainedByWordsAndNotByBanks) {
    EXPECT_EQ(
        replyOf("banks", "padding", "less more more"),
        "Different words that are requested: not more. padding = 1: No two lanes request the same word.");
}

TEST(Lessons, AnElementThatIsNotThereIsCalledThat) {
    EXPECT_NE(replyOf("tiles", "thread", "P[9][9]").find("there is no such element"), std::string::npos);
    EXPECT_NE(replyOf("tiles", "alias", "M[3]").find("An element of M has 2 indices"), std::string::npos);
}

TEST(Lessons, AnOrderWrittenTheOtherWayRoundIsNotJudged) {
    EXPECT_NE(replyOf("multiplies", "against-cpu", "cpu > naive > tiled").find("cannot be read"),
              std::string::npos);
}

TEST(Lessons, EveryBarrierAtWhichLanesWaitInVainIsALineOfTheFinding) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson faults = readLesson(kResources.assets() / "lessons" / "faults")->lesson;
    EXPECT_EQ(AskedStep::ask(*faults.find("branches"), runs, 0)->lines("finding_lines")->size(), 2u);
}

TEST(Lessons, AnElementWithItsIndicesExchangedIsCalledThat) {
    EXPECT_TRUE(replyOf("tiles", "thread", "P[2][1]").starts_with("Row and column are exchanged."));
    EXPECT_EQ(
        replyOf("tiles", "thread", "P[0][1]"),
        "A row of P has 3 elements, so P[0][1] is element 1 of P in the order of memory, counted from 0: "
        "what the thread accesses comes later. Lane 0 accesses P[0][2] here.");
}

TEST(Lessons, AnswersMayHaveTheWordsOfTheQuestion) {
    for (const char* answer : {"total_requests less, total_wavefronts more, barriers more",
                               "requests less, wavefronts more, barriers more",
                               "Requests to global memory: less; wavefronts: more; barriers: more",
                               "请求数更少，波前数更多，屏障数更多", "less more more"})
        EXPECT_EQ(replyOf("tiles", "saving", answer), "Right.") << answer;
    EXPECT_EQ(replyOf("tiles", "saving", "sectors less, wavefronts more, barriers more").find("Right."),
              std::string::npos);
    EXPECT_EQ(replyOf("occupancy", "scarcest", "Registers -> warps"),
              replyOf("occupancy", "scarcest", "registers warps"));
}

// In the order of their places, or by their names in any.
TEST(Lessons, ValuesOfARoundMayBeNamed) {
    EXPECT_EQ(replyOf("reduction", "round", "126 130"), "Right.");
    EXPECT_EQ(replyOf("reduction", "round", "sdata[32] = 130, sdata[0] = 126"), "Right.");
    EXPECT_EQ(replyOf("reduction", "round", "130 126"),
              "The values are right, but not their order: the places ascend, and the value of sdata[0] comes "
              "first.");
    EXPECT_TRUE(
        replyOf("reduction", "round", "sdata[1] = 126").starts_with("This cannot be read as an answer."));
}

TEST(Lessons, AnAnswerThatIsTooLargeIsToldWhatIsServedTogether) {
    EXPECT_EQ(replyOf("banks", "stride", "16"),
              "16 is too large. Lanes 0 and 1 request different banks, 0 and 8: one wavefront serves both.");
    EXPECT_TRUE(replyOf("shuffles", "edge", "1")
                    .ends_with("In __shfl_down_sync() lane 16 keeps its own value: a warp has no lane 32."));
}

TEST(Lessons, AnUnreadableAnswerIsToldHowToBeWritten) {
    EXPECT_EQ(
        replyOf("tiles", "n-outside", "2 or 3"),
        "This cannot be read as an answer. Write lanes, as 0-7, 12 or 0-30/2 for every second one; none "
        "is an answer, too.");
}

// A part that is missing is no mistake, and nothing is to be written where one chooses.
TEST(Lessons, AnUnfinishedAnswerIsToldWhatItLacks) {
    EXPECT_EQ(replyOf("divergence", "paths", "0-30/2"), "16 lanes are in no group yet.");
    EXPECT_EQ(replyOf("divergence", "paths", "0-3"), "Lanes 0 and 1 take different paths at line 10.")
        << "what is there is judged first";
    EXPECT_EQ(replyOf("banks", "machine", "0-7"), "24 lanes are in no group yet.");
    EXPECT_EQ(replyOf("banks", "odd", "wavefronts less"),
              "Not answered yet: banks from which something is requested and different words that are "
              "requested.");
    EXPECT_EQ(replyOf("banks", "swizzle", ""), "Choose one of the explanations first.");
}

TEST(Lessons, ANumberThatNobodyExpectedIsToldWhichWayItIsWrong) {
    EXPECT_EQ(replyOf("divergence", "slots", "84"),
              "84 is too large. Lanes 0 and 1 take different paths at line 10.");
    EXPECT_TRUE(
        replyOf("divergence", "slots", "83").starts_with("That is how many instructions are issued."));
    EXPECT_EQ(replyOf("tiles", "phases", "3"),
              "3 is too large. Each time around its loop this warp passes barriers at lines 26 and 30.");
}

TEST(Lessons, ABroadcastIsExplainedWithoutItsWavefronts) {
    const std::string reply = replyOf("banks", "broadcast", "7");
    EXPECT_TRUE(reply.ends_with("lanes 0–31 share word 0.")) << reply;
    EXPECT_EQ(reply.find("wavefront"), std::string::npos) << reply;
}

// Of all terms, in the order of the question: of the misplaced ones alone, it would tell which they are.
TEST(Lessons, AWrongOrderIsToldHowManyStandRightAndWhatTermsFollowFrom) {
    LessonRuns runs(kResources, shippedCatalog());
    std::size_t orders = 0;
    for (const Lesson& lesson : shipped())
        for (const LessonStep& step : lesson.steps) {
            if (step.question.kind != "order") continue;
            SCOPED_TRACE(lesson.name + " " + step.id);
            const AskedStep asked = *AskedStep::ask(step, runs, 0);
            std::set<std::string> clues;
            for (const std::string& answer : allOrders(asked)) {
                const Answered answered = *answerStep(asked, answer);
                if (answered.judged.verdict != Verdict::Wrong) continue;
                const std::string reply = *replyTo(asked, answered, Language::English);
                const std::size_t end = reply.find("right place");
                ASSERT_NE(end, std::string::npos) << reply;
                clues.insert(reply.substr(reply.find('.', end)));
                ++orders;
            }
            EXPECT_EQ(clues.size(), 1u) << fmt::format("{}", fmt::join(clues, "\n"));
        }
    EXPECT_GT(orders, 0u);
}

TEST(Lessons, WhatIsShownBeforeTheAnswerHasNoComments) {
    LessonRuns runs(kResources, shippedCatalog());
    auto banks = std::make_shared<Lesson>(readLesson(kResources.assets() / "lessons" / "banks")->lesson);
    const auto shown = *showStep(banks, banks->indexOf(*banks->find("swizzle")), runs, 0);
    const auto codeOf = [](const run::Run& run) {
        std::string all;
        for (const std::string& source : run.module->sources)
            all += source;
        return all;
    };
    const std::string before = codeOf(*shown->before), whole = codeOf(*shown->asked.on().run);
    EXPECT_EQ(before.find("every bank"), std::string::npos);
    EXPECT_NE(whole.find("every bank"), std::string::npos);
    EXPECT_EQ(std::ranges::count(before, '\n'), std::ranges::count(whole, '\n'));
}

TEST(Lessons, BeforeAQuestionAboutActiveLanesTheRunEndsWhereTheyPart) {
    LessonRuns runs(kResources, shippedCatalog());
    struct Case {
        const char *lesson, *step;
        u32 line;  // of the last step that is shown
    };
    constexpr Case cases[] = {{"divergence", "lone", 6},
                              {"reduction", "who-adds", 13},
                              {"tiles", "m-outside", 16},
                              {"tiles", "n-outside", 19},
                              {"tiles", "corner", 11}};
    for (const Case& c : cases) {
        SCOPED_TRACE(std::string(c.lesson) + " " + c.step);
        const auto lesson =
            std::make_shared<Lesson>(readLesson(kResources.assets() / "lessons" / c.lesson)->lesson);
        const auto shown = *showStep(lesson, lesson->indexOf(*lesson->find(c.step)), runs, 0);
        const PlaceOnShow& on = shown->asked.on();
        const auto& warp = shown->before->recording.trace.find(on.cursor.launch, on.cursor.block)
                               ->warps[on.cursor.warp.value];
        ASSERT_EQ(warp.steps.size(), shown->hidden.step);
        EXPECT_EQ(explain::lineOf(*on.run->module, warp.steps.back().pc).line, c.line);
        EXPECT_LT(shown->hidden.step, on.cursor.step);
        EXPECT_NE(warp.steps.back().active, on.active()) << "it would be the answer";
    }
}

TEST(Lessons, ASeedDrawsOtherFiguresAndTheSameSeedTheSameOnes) {
    LessonRuns runs(kResources, shippedCatalog());
    const Lesson banks = readLesson(kResources.assets() / "lessons" / "banks")->lesson;
    const LessonStep& step = *banks.find("bank");
    std::set<std::string> texts;
    for (u64 seed = 0; seed < 12; ++seed) {
        const std::string text =
            *AskedStep::ask(step, runs, seed)->filled(step.text(Language::English).body, Language::English);
        EXPECT_EQ(
            text,
            *AskedStep::ask(step, runs, seed)->filled(step.text(Language::English).body, Language::English));
        texts.insert(text);
    }
    EXPECT_GT(texts.size(), 2u);
}

// docs/lessons: a lecturer's page for each lesson. With LOCKSTEP_WRITE_LESSON_PAGES set they are written.
TEST(Lessons, EachHasAPageForTheLecturer) {
    LessonRuns runs(kResources, shippedCatalog());
    const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/lessons";
    for (const Lesson& lesson : shipped()) {
        const Expected<std::string> notes = lessonNotes(lesson, runs, Language::English);
        ASSERT_TRUE(notes) << describe(notes.error());
        const std::filesystem::path file = folder / (lesson.name + ".md");
        if (std::getenv("LOCKSTEP_WRITE_LESSON_PAGES")) {
            std::filesystem::create_directories(folder);
            std::ofstream(file, std::ios::binary) << *notes;
        }
        const Expected<std::string> page = readTextFile(file, {});
        ASSERT_TRUE(page) << describe(page.error());
        EXPECT_TRUE(*page == *notes) << file << " is not of its lesson: lockstep lesson notes docs/lessons";
        const Expected<std::string> chinese = lessonNotes(lesson, runs, Language::Chinese);
        ASSERT_TRUE(chinese) << describe(chinese.error());
        EXPECT_TRUE(isChinese(*chinese));
    }
}

// docs/guide/lessons.md: what a teacher looks up there.
TEST(Lessons, ThePageOfTheGuideListsEveryQuantityAndTheStepOfEveryBelief) {
    const Expected<std::string> page =
        readTextFile(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/guide" /
                         "lessons"
                         ".md",
                     {});
    ASSERT_TRUE(page);
    for (const Quantity& quantity : quantities()) {
        const std::string row =
            "| `" + std::string(quantity.name) + "` | " + std::string(quantity.meaning.english()) + " |";
        EXPECT_NE(page->find(row), std::string::npos) << row;
    }
    for (const QuestionKind& kind : questionKinds())
        EXPECT_NE(page->find("| `" + std::string(kind.name) + "` | "), std::string::npos) << kind.name;
    std::map<u32, std::string> steps;
    for (u32 belief = 1; belief <= kBeliefs; ++belief)
        steps[belief] = "waiting";
    std::vector<Lesson> lessons = shipped();
    std::ranges::sort(lessons, {}, &Lesson::name);
    for (const Lesson& lesson : lessons)
        for (const LessonStep& step : lesson.steps)
            for (const u32 belief : step.question.beliefs) {
                std::string& known = steps[belief];
                if (known == "waiting")
                    known.clear();
                else
                    known += ", ";
                known.append(lesson.name).append(" ").append(step.id);
            }
    for (const auto& [belief, met] : steps) {
        const std::size_t row = page->find("\n| " + std::to_string(belief) + " | ");
        ASSERT_NE(row, std::string::npos) << belief;
        const std::string line = page->substr(row + 1, page->find('\n', row + 1) - row - 1);
        EXPECT_TRUE(line.ends_with(" | " + met + " |")) << line << ", not " << met;
    }
}

}  // namespace
}  // namespace lockstep::lessons
