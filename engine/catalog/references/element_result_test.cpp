// Expected results as in a family.toml, element by element.
#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::catalog {
namespace {

// A family with the buffers x (in) and y (out), one extent or two.
Expected<Family> family(const std::string& x, const std::string& y, const std::string& shape,
                        const std::string& result, const std::string& more = "") {
    const std::string text =
        "title = { en = 'a', zh = 'b' }\nstory = { en = 'a', zh = 'b' }\nresult = { y = '" + result +
        "' }\nparameters = [\n  { name = 'n', min = 1, max = 10000000, default = 6, help = { en = 'a', zh = "
        "'b' } },\n"
        "  { name = 'fold', choices = ['add', 'greatest'], default = 'add', help = { en = 'a', zh = 'b' } "
        "},\n]\n"
        "buffers = [{ name = 'x', type = '" +
        x + "', shape = " + shape + ", initial = 'iota' },\n  { name = 'y', type = '" + y +
        "', shape = " + shape +
        ", output = true }]\n[[variants]]\nname = 'v'\nfile = 'v.cu'\ntitle = { en = 'a', zh = 'b' }\n"
        "launches = [{ entry = 'v', grid = ['1'], block = ['32'], arguments = ['x', 'y', 'n'] }]\n" +
        more;
    return parseFamily(text, "f.toml");
}

Experiment experimentOf(const Family& family, s64 n = 6, s64 fold = 0) {
    Expected<Experiment> experiment = makeExperiment(family, family.variants[0], {{"n", n}, {"fold", fold}});
    EXPECT_TRUE(experiment) << (experiment ? "" : describe(experiment.error()));
    return std::move(*experiment);
}

std::vector<f64> elements(const Buffer& buffer) {
    std::vector<f64> values;
    for (u64 i = 0; i < buffer.count(); ++i)
        values.push_back(buffer.valueAt(i));
    return values;
}

TEST(ElementResult, IsAnExpressionOfPlaceParametersAndInitialElements) {
    struct Case {
        const char *x, *y, *shape, *result;
        std::vector<f64> want;
    };
    const Case cases[] = {
        {"i32", "i32", "['n']", "x[n - 1 - i]", {5, 4, 3, 2, 1, 0}},
        {"i32", "i32", "['n']", "x[i * 5 % n] + 1", {1, 6, 5, 4, 3, 2}},
        {"f32", "f32", "['n']", "x[i] / 4", {0, 0.25, 0.5, 0.75, 1, 1.25}},
        {"i32", "i32", "['n']", "x[i] / 4", {0, 0, 0, 0, 1, 1}},
        {"f32", "i32", "['n']", "x[i] > 2", {0, 0, 0, 1, 1, 1}},
        {"i32", "u8", "['n']", "x[i] * 100 - 1", {255, 99, 199, 43, 143, 243}},
        {"i32", "f64", "['n']", "max(x[i], 2) * n", {12, 12, 12, 18, 24, 30}},
        {"f32", "f32", "['2', 'n / 2']", "x[row + 2 * (n / 2 - 1 - column)]", {4, 2, 0, 5, 3, 1}},
        {"i32", "i32", "['n']", "sum(k, i + 1, x[k])", {0, 1, 3, 6, 10, 15}},
        {"i32", "i32", "['n']", "sum(j, n, sum(k, n, j == k) * x[j])", {15, 15, 15, 15, 15, 15}},
        {"f16", "f16", "['n']", "sum(k, i, x[k] / 2)", {0, 0, 0.5, 1.5, 3, 5}},
        {"i32", "i32", "['n']", "fold == add ? x[i] : 0", {0, 1, 2, 3, 4, 5}},
        {"i32", "i32", "['n']", "i < n - 1 ? x[i + 1] : y[i] - 7", {1, 2, 3, 4, 5, -7}},
    };
    for (const Case& c : cases) {
        const Expected<Family> read = family(c.x, c.y, c.shape, c.result);
        ASSERT_TRUE(read) << c.result << ": " << describe(read.error());
        const auto result = computeReference(experimentOf(*read));
        ASSERT_TRUE(result) << c.result << ": " << describe(result.error());
        ASSERT_EQ(result->size(), 1u);
        EXPECT_EQ(elements(result->at(1)), c.want) << c.result;
    }
}

TEST(ElementResult, AMovedElementKeepsItsBits) {
    const Expected<Family> read = family("f32", "f32", "['n']", "i % 2 == 0 ? x[i] : x[n - 1]");
    ASSERT_TRUE(read) << describe(read.error());
    Experiment experiment = experimentOf(*read);
    const u32 signalling = 0x7f800001;
    std::memcpy(experiment.buffers[0].bytes.data(), &signalling, 4);
    std::memcpy(experiment.buffers[0].bytes.data() + 20, &signalling, 4);
    const auto result = computeReference(experiment);
    EXPECT_EQ(result->at(1).as<u32>()[0], signalling);
    EXPECT_EQ(result->at(1).as<u32>()[3], signalling);
    EXPECT_EQ(result->at(1).as<f32>()[4], 4);
}

TEST(ElementResult, WholeNumbersAreWholeBeyondTheReachOfReals) {
    const Expected<Family> read = family("i64", "i64", "['n']", "x[i] + 9007199254740992");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(computeReference(experimentOf(*read))->at(1).as<s64>()[1], 9007199254740993);
}

TEST(ElementResult, ElementsThatDoNotExistAreFaults) {
    const Expected<Family> read = family("i32", "i32", "['n']", "x[i + 2]");
    ASSERT_TRUE(read) << describe(read.error());
    const auto result = computeReference(experimentOf(*read));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message.english(),
              "the result of y cannot be computed, element 4: element 6 of x is asked for, which has 6 "
              "(column 2 of 'x[i + 2]')");
    EXPECT_FALSE(computeReference(experimentOf(*family("i32", "i32", "['n']", "x[i] / x[0]"))));
}

// Enough for several cores: each piece knows its rows and columns, and the first of several faults is
// reported.
TEST(ElementResult, IsTheSameInPieces) {
    constexpr s64 kElements = 600'002;
    const Expected<Family> places =
        family("i32", "i32", "['2', 'n / 2']", "x[column + row * (n / 2)] + 7 * row + 3 * column");
    ASSERT_TRUE(places) << describe(places.error());
    const auto result = computeReference(experimentOf(*places, kElements));
    ASSERT_TRUE(result) << describe(result.error());
    const auto values = result->at(1).as<s32>();
    for (s64 i = 0; i < kElements; ++i)
        ASSERT_EQ(values[u64(i)], i + 7 * (i / (kElements / 2)) + 3 * (i % (kElements / 2)));

    const Expected<Family> beyond = family("i32", "i32", "['n']", "x[i + 400000]");
    ASSERT_TRUE(beyond) << describe(beyond.error());
    const auto refused = computeReference(experimentOf(*beyond, kElements));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.english().starts_with(
        "the result of y cannot be computed, element 200,002: "))
        << refused.error().message.english();
}

TEST(ElementResult, MistakesAreSeenWhenTheFamilyIsRead) {
    struct Case {
        const char *x, *y, *result, *description;
    };
    constexpr Case cases[] = {
        {"i32", "i32", "x[i", "f.toml:3: ']' is expected (column 4 of 'x[i')"},
        {"i32", "i32", "x[i][i]",
         "f.toml:3: an element has one index, as it lies in memory: write in[row * columns + column] (column "
         "5 of "
         "'x[i][i]')"},
        {"i32", "i32", "max(k, n, x[i])", "f.toml:3: max takes two numbers (column 10 of 'max(k, n, x[i])')"},
        {"i32", "i32", "z[i]", "f.toml:3: there is no buffer 'z' (column 2 of 'z[i]')"},
        {"i32", "i32", "x[k]", "f.toml:3: 'k' is no parameter of this family (column 4 of 'x[k]')"},
        {"i32", "i32", "x", "f.toml:3: 'x' is no parameter of this family (column 2 of 'x')"},
        {"i32", "i32", "x[row]",
         "f.toml:3: 'row' is of a result with rows and columns, and y has 1 extent (column 6 of "
         "'x[row]')"},
        {"i32", "i32", "x[-1]", "f.toml:3: x has no element -1 (column 2 of 'x[-1]')"},
        {"f32", "f32", "x[i] % 2",
         "f.toml:3: % takes whole numbers, and one of these is real (column 7 of 'x[i] % 2')"},
        {"f32", "f32", "x[x[i]]", "f.toml:3: an index is a whole number (column 2 of 'x[x[i]]')"},
        {"f32", "i32", "x[i]", "f.toml:3: 'x[i]' is a real number, and the elements of y are whole"},
        {"i32", "i32", "sum(i, n, 1)",
         "f.toml:3: sum(k, count, term) begins with a name of its own, such as k (column 6 of 'sum(i, n, "
         "1)')"},
        {"i32", "i32", "sqrt(4)",
         "f.toml:3: there is no function 'sqrt'; there are ceil_div, min and max, and sum(k, count, term) "
         "(column 6 of 'sqrt(4)')"},
    };
    for (const Case& c : cases) {
        const Expected<Family> read = family(c.x, c.y, "['n']", c.result);
        ASSERT_FALSE(read) << c.result;
        EXPECT_EQ(describe(read.error()), c.description);
    }
}

TEST(ElementResult, AVariantMayHaveItsOwn) {
    const Expected<Family> read = family("i32", "i32", "['n']", "x[i]", "result = { y = 'x[i] * 2' }\n");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_EQ(elements(computeReference(experimentOf(*read))->at(1)), (std::vector<f64>{0, 2, 4, 6, 8, 10}));
}

TEST(ElementResult, StopsWhenNobodyWantsItAnyMore) {
    const Expected<Family> read = family("i32", "i32", "['n']", "sum(k, 1000000000000, x[i])");
    ASSERT_TRUE(read) << describe(read.error());
    const std::atomic<bool> cancelled{true};
    const auto result = computeReference(experimentOf(*read), &cancelled);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->empty());
}

}  // namespace
}  // namespace lockstep::catalog
