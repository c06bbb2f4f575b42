// Exercises are read with every mistake named by file and line, and the ones that ship are complete.
#include "exercises/exercise.h"

#include "base/files/temporary_folder.h"
#include "base/files/text_file.h"
#include "cuda/compiler/nvrtc.h"
#include "exercises/exercise_launch.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace lockstep::exercises {
namespace {

constexpr const char* kExercise = R"toml(title = { en = "Copy", zh = "复制" }
task = { en = "Copy it.", zh = "复制它。" }
topics = ["coalescing"]
sizes = [{ n = 64 }, { n = 50 }]
rules = ["correct", "sectors <= 1.1 * least", "bank_conflicts = 0"]
result = { out = "in[i]" }
launches = [{ entry = "copy", grid = ["ceil_div(n, 32)"], block = ["32"], arguments = ["in", "out", "n"] }]

[[buffers]]
name = "in"
type = "i32"
shape = ["n"]
initial = "random"

[[buffers]]
name = "out"
type = "i32"
shape = ["n"]
output = true
)toml";

std::string with(std::string_view old, std::string_view by) {
    std::string text = kExercise;
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), by);
}

TEST(Exercise, HasTheDataOfAFamilyAndRulesAndSizes) {
    const Expected<Exercise> exercise = parseExercise(kExercise, "teacher/copy/exercise.toml");
    ASSERT_TRUE(exercise) << describe(exercise.error());
    EXPECT_EQ(exercise->name, "copy");
    EXPECT_EQ(exercise->title.in(Language::Chinese), "复制");
    EXPECT_EQ(exercise->startFile(), "teacher/copy/start.cu");
    ASSERT_EQ(exercise->sizes.size(), 2u);
    EXPECT_EQ(exercise->sizes[1].text, "n=50");
    ASSERT_EQ(exercise->rules.size(), 3u);
    EXPECT_EQ(exercise->rules[1].quantity->name, "sectors");
    EXPECT_EQ(exercise->rules[1].comparison, Comparison::AtMost);
    EXPECT_DOUBLE_EQ(exercise->rules[1].factor, 1.1);
    EXPECT_EQ(exercise->rules[1].limit, "least");
    const Expected<catalog::Experiment> data =
        catalog::makeExperiment(*exercise->family, exercise->variant(), exercise->sizes[1].values, 7);
    ASSERT_TRUE(data) << describe(data.error());
    EXPECT_EQ(data->buffers[0].count(), 50u);
    EXPECT_EQ(data->launches[0].grid.x, 2u);
}

TEST(ExerciseLaunch, HasDataAndLaunchOfASizeInTheWordsOfTheCommandLine) {
    const Expected<Exercise> exercise =
        readExercise(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "assets" / "exercises" / "row-sums");
    ASSERT_TRUE(exercise) << describe(exercise.error());
    const Expected<ExerciseLaunch> launch = launchOf(*exercise, sizeNamed(*exercise, "rows=50"));
    ASSERT_TRUE(launch) << describe(launch.error());
    EXPECT_EQ(launch->entry, "row_sums");
    EXPECT_EQ(launch->text.grid, "2");
    EXPECT_EQ(launch->text.block, "32,4");
    const std::vector<std::string> arguments{"i32[50][32]=random:-100:100", "i32[50]=random", "i32:50"};
    EXPECT_EQ(launch->text.arguments, arguments);
    EXPECT_EQ(sizeNamed(*exercise, "").text, "rows=64");
}

// What the form of the window and `lockstep run` take.
TEST(ExerciseLaunch, OfEveryExerciseThatShipsCanBeAskedFor) {
    for (const Exercise& exercise :
         readShelf(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "assets" / "exercises").exercises)
        for (const Size& size : exercise.sizes) {
            const Expected<ExerciseLaunch> launch = launchOf(exercise, size);
            ASSERT_TRUE(launch) << exercise.name << describe(launch.error());
            const auto request = run::requestOf(exercise.startFile(), launch->entry, launch->text);
            EXPECT_TRUE(request) << exercise.name << ": " << describe(request.error());
            EXPECT_EQ(exercise.variant().launches.size(), 1u + launch->text.further.size());
        }
}

// A copy of a kernel that the catalog launches with others launches them all, on the same buffers.
TEST(ExerciseLaunch, OfSeveralLaunchesHasThemAll) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const Expected<catalog::Catalog> catalog =
        catalog::Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    ASSERT_TRUE(catalog) << describe(catalog.error());
    std::size_t several = 0;
    for (const catalog::Family& family : catalog->families())
        for (const catalog::Variant& variant : family.variants) {
            if (variant.launches.size() < 2) continue;
            SCOPED_TRACE(family.name + "/" + variant.name);
            ++several;
            const catalog::Values values = catalog::resolve(family, variant, {}).value();
            Expected<ExerciseLaunch> launch = launchOf(family, variant, values);
            ASSERT_TRUE(launch) << describe(launch.error());
            ASSERT_EQ(launch->text.further.size(), variant.launches.size() - 1);
            if (variant.reference == "scan") launch->text.references = {"scan:in=0,out=1"};
            const auto request = run::requestOf(family.folder / variant.file, launch->entry, launch->text);
            ASSERT_TRUE(request) << describe(request.error());
            Expected<run::Experiment> experiment = run::open(*request);
            ASSERT_TRUE(experiment) << describe(experiment.error());
            const catalog::Experiment shipped = catalog::makeExperiment(family, variant, values, 1).value();
            ASSERT_EQ(experiment->launches.size(), shipped.launches.size());
            for (std::size_t i = 0; i < shipped.launches.size(); ++i) {
                const Launch &own = experiment->launches[i], &its = shipped.launches[i];
                EXPECT_EQ(own.grid, its.grid);
                EXPECT_EQ(own.block, its.block);
                EXPECT_EQ(own.dynamicSharedBytes, its.dynamicSharedBytes);
                ASSERT_EQ(own.arguments.size(), its.arguments.size());
                for (std::size_t a = 0; a < its.arguments.size(); ++a) {
                    const auto *buffer = std::get_if<BufferArgument>(&own.arguments[a]),
                               *same = std::get_if<BufferArgument>(&its.arguments[a]);
                    ASSERT_EQ(buffer != nullptr, same != nullptr);
                    if (buffer) {
                        EXPECT_EQ(experiment->buffers[buffer->buffer].bytes.size(),
                                  shipped.buffers[same->buffer].bytes.size());
                    } else {
                        EXPECT_EQ(std::get<ScalarArgument>(own.arguments[a]).bytes,
                                  std::get<ScalarArgument>(its.arguments[a]).bytes);
                    }
                }
            }
            run::Options options;
            options.backend = "emulator";
            const Expected<run::Run> run = run::run(std::move(*experiment), options);
            ASSERT_TRUE(run) << describe(run.error());
            const bool isRight = variant.expected.empty();
            EXPECT_EQ(run->hasFaults(), !isRight) << "as the catalog says of it";
            if (variant.reference == "scan") {
                EXPECT_EQ(run->correct(), isRight);
            }
        }
    EXPECT_GE(several, 7u);
}

TEST(Exercise, NamesAMistakeWithFileAndLine) {
    struct Case {
        std::string_view old, by;
        const char* message;
    };
    const Case cases[] = {
        {"title = { en = \"Copy\", zh = \"复制\" }", "", "'title' is missing here"},
        {"task = {", "tusk = {", "'task' is missing here"},
        {"topics", "topic", "e.toml:3: 'topic' is not known here; did you mean 'topics'?"},
        {"{ n = 50 }", "{ m = 50 }", "e.toml:4: every size gives the same parameters a value: at least one"},
        {"{ n = 50 }", "{ n = -1 }", "e.toml:4: 'n' must be a whole number from 0 to 1,073,741,824"},
        {"{ n = 64 }, { n = 50 }", "", "e.toml:4: 'sizes' must be a list of tables: [[sizes]]"},
        {"\"correct\"", "\"corect\"",
         "e.toml:5: 'corect' is no quantity that a rule can speak of; did you mean 'correct'? (lockstep "
         "check --rules lists them)"},
        {"\"correct\"", "\"correct = 1\"", "e.toml:5: 'correct' holds or does not: write it alone"},
        {"bank_conflicts = 0", "bank_conflicts",
         "e.toml:5: the rule needs a limit, for example bank_conflicts <= 2"},
        {"bank_conflicts = 0", "bank_conflicts <= least",
         "e.toml:5: the least of bank_conflicts is not known: give a number"},
        {"bank_conflicts = 0", "bank_conflicts <= 2 * blocs",
         "e.toml:5: 'blocs' is neither a parameter nor a quantity; did you mean 'blocks'?"},
        {"1.1 * least", "1.1 + least",
         "e.toml:5: '1.1' can only be a factor at the beginning of a limit, as in 1.1 * least"},
        {"\"in[i]\"", "\"in[j]\"", "'j'"},
        {"result = { out = \"in[i]\" }", "",
         "'result' is missing here: what an output should hold, or 'reference', the CPU reference "
         "that computes it"},
        {"ceil_div(n, 32)", "ceil_div(m, 32)", "e.toml:7: 'm' is no parameter of this family"},
        {"launches = [{", "launches = [{ color = 1, ", "e.toml:7: 'color' is not known here"},
        {"type = \"i32\"", "type = \"int\"",
         "e.toml:11: 'int' is no type; say \"f32\" or \"i32\", for example"},
        {"{ n = 64 }, { n = 50 }", "{ blocks = 64 }, { blocks = 50 }",
         "e.toml:4: 'blocks' has a meaning of its own in rules"},
        {"title = {", "title = ", "e.toml:1:"},
    };
    for (const Case& c : cases) {
        const Expected<Exercise> wrong = parseExercise(with(c.old, c.by), "e.toml");
        ASSERT_FALSE(wrong) << c.message;
        EXPECT_NE(describe(wrong.error()).find(c.message), std::string::npos)
            << describe(wrong.error()) << "\n"
            << c.message;
    }
}

TEST(Exercise, AMistakeInOneLeavesTheOthersUsable) {
    const Expected<TemporaryFolder> folder = TemporaryFolder::make();
    ASSERT_TRUE(folder);
    const auto write = [&](const char* name, std::string_view text, bool hasStart) {
        const std::filesystem::path one = folder->path() / name;
        std::filesystem::create_directory(one);
        std::ofstream(one / "exercise.toml") << text;
        if (hasStart) std::ofstream(one / "start.cu") << "\n";
    };
    write("a", kExercise, true);
    write("b", "title = 3\n", true);
    write("c", kExercise, false);
    const Shelf shelf = readShelf(folder->path());
    ASSERT_EQ(shelf.exercises.size(), 1u);
    EXPECT_EQ(shelf.exercises[0].name, "a");
    ASSERT_EQ(shelf.mistakes.size(), 2u);
    EXPECT_EQ(shelf.mistakes[0].place.line, 1u);
    EXPECT_NE(describe(shelf.mistakes[1]).find("start.cu, is not in this folder"), std::string::npos);
}

TEST(Exercise, OnePerBodyOfMaterialAndFourThatCombineShip) {
    const Shelf shelf = readShelf(LOCKSTEP_SOURCE_DIR "/assets/exercises");
    for (const Fault& mistake : shelf.mistakes)
        ADD_FAILURE() << describe(mistake);
    EXPECT_EQ(shelf.exercises.size(), 16u);
    std::set<std::string> bodies;
    u64 combined = 0;
    for (const Exercise& exercise : shelf.exercises) {
        EXPECT_GE(exercise.sizes.size(), 3u) << exercise.name;
        EXPECT_FALSE(exercise.title.zh.empty() || exercise.task.zh.empty()) << exercise.name;
        if (exercise.topics.size() == 1)
            EXPECT_TRUE(bodies.insert(exercise.topics[0]).second) << exercise.name;
        else
            ++combined;
        for (const Size& size : exercise.sizes) {
            const auto data = catalog::makeExperiment(*exercise.family, exercise.variant(), size.values, 1);
            EXPECT_TRUE(data) << exercise.name << " " << size.text << (data ? "" : describe(data.error()));
        }
    }
    EXPECT_EQ(bodies.size(), 12u);
    EXPECT_EQ(combined, 4u);
}

}  // namespace
}  // namespace lockstep::exercises
