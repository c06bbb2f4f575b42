// The whole sentence for every error that a family.toml can have, including file and line.
#include "catalog/catalog.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

// Line 1 is the title's.
constexpr const char* kFamily = R"(title = { en = 'Add', zh = '加' }
story = { en = 'a', zh = 'b' }
parameters = [
  { name = 'n', min = 1, max = 100, default = 8, help = { en = 'a', zh = 'b' } },
  { name = 'block', kind = 'compile', values = [64, 32], default = 32, help = { en = 'a', zh = 'b' } },
]
buffers = [
  { name = 'x', type = 'f32', shape = ['n'], initial = 'random' },
  { name = 'y', type = 'i32', shape = ['n', '2'], output = true },
]
[[variants]]
name = 'v0'
file = 'v0.cu'
title = { en = 'a', zh = 'b' }
launches = [{ entry = 'add<{block}>', grid = ['ceil_div(n, block)'], block = ['block'], shared = '4 * block', arguments = ['x', 'y', 'n', 'f32: 2'] }]
expected = [{ when = 'n % block != 0', findings = ['out_of_bounds'], correct = false }]
)";

std::string with(const std::string& from, const std::string& to) {
    std::string text = kFamily;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(FamilyParser, ReadsAWholeFamily) {
    const Expected<Family> family = parseFamily(kFamily, "kernels/add/family.toml");
    ASSERT_TRUE(family) << describe(family.error());
    EXPECT_EQ(family->name, "add");
    EXPECT_EQ(family->title.in(Language::Chinese), "加");
    EXPECT_EQ(family->stage, "");
    ASSERT_EQ(family->parameters.size(), 2u);
    EXPECT_EQ(family->parameters[1].kind, Parameter::Kind::Compile);
    EXPECT_EQ(family->parameters[1].values, (std::vector<s64>{32, 64}));
    EXPECT_EQ(family->parameters[1].max, 64);
    EXPECT_EQ(family->parameters[1].prebuilt, family->parameters[1].values);
    EXPECT_TRUE(family->parameters[0].prebuilt.empty());
    ASSERT_EQ(family->buffers.size(), 2u);
    EXPECT_EQ(family->buffers[0].tolerance, 1e-5);
    EXPECT_FALSE(family->buffers[1].tolerance) << "whole numbers are exact";
    EXPECT_EQ(family->buffers[1].initial, "zero");
    ASSERT_EQ(family->variants.size(), 1u);
    EXPECT_EQ(family->variants[0].parameters, (std::vector<std::string>{"n", "block"}));

    const Values values{{"n", 100}, {"block", 64}};
    const Expected<Experiment> experiment = makeExperiment(*family, family->variants[0], values);
    ASSERT_TRUE(experiment) << describe(experiment.error());
    EXPECT_EQ(experiment->launches[0].entry, "add<64>");
    EXPECT_EQ(experiment->launches[0].grid, (Dim3{2, 1, 1}));
    EXPECT_EQ(experiment->launches[0].dynamicSharedBytes, 256u);
    const std::vector<std::byte> two{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0x40}};
    EXPECT_EQ(std::get<ScalarArgument>(experiment->launches[0].arguments[3]).bytes, two);
    EXPECT_EQ(experiment->expected.size(), 1u);
    EXPECT_TRUE(computeReference(*experiment)->empty()) << "there is no reference to compare with";
}

TEST(FamilyParser, AVariantChangesOneAboveIt) {
    const auto wrongAfter = parseFamily(with("launches =", "after = 'v9'\nlaunches ="), "f.toml");
    ASSERT_FALSE(wrongAfter);
    EXPECT_NE(describe(wrongAfter.error())
                  .find("'v9' is no variant above this one; name the one that this variant changes, or write "
                        "\"\" if it changes none"),
              std::string::npos)
        << describe(wrongAfter.error());
    const auto none = parseFamily(with("launches =", "after = ''\nlaunches ="), "f.toml");
    ASSERT_TRUE(none) << describe(none.error());
    EXPECT_EQ(none->variants[0].after, "");
}

TEST(FamilyParser, AVariantSaysWhereItOpens) {
    const auto opens = [](const std::string& table) {
        return parseFamily(with("launches =", "opens = " + table + "\nlaunches ="), "f.toml");
    };
    const Expected<Family> family = opens("{ at = 'a[i]', does = 'store', time = 3, warp = 1, lane = 31 }");
    ASSERT_TRUE(family) << describe(family.error());
    const std::optional<Opening>& opening = family->variants[0].opening;
    ASSERT_TRUE(opening);
    EXPECT_EQ(opening->at, "a[i]");
    EXPECT_EQ(opening->does, Opening::Does::Store);
    EXPECT_EQ(opening->time, 3u);
    EXPECT_EQ(opening->warp, 1u);
    EXPECT_EQ(opening->lane, 31u);
    EXPECT_FALSE(parseFamily(kFamily, "f.toml")->variants[0].opening);

    struct Case {
        std::string table, message;
    };
    const Case cases[] = {
        {"{ time = 2 }", "f.toml:15: 'at' is missing here"},
        {"{ at = '' }", "f.toml:15: 'at' must be a piece of a line of the .cu"},
        {"{ at = 'a', does = 'stores' }",
         "f.toml:15: 'does' is one of access, load, store, atomic, "
         "branch, shuffle, not 'stores'; did you mean 'store'?"},
        {"{ at = 'a', lane = 32 }", "f.toml:15: 'lane' must be 0 to 31"},
        {"{ at = 'a', time = 0 }", "f.toml:15: 'time' must be 1 to 1,000,000"},
        {"{ at = 'a', line = 1 }", "f.toml:15: 'line' is not known here; did you mean 'lane'?"},
    };
    for (const Case& c : cases) {
        const Expected<Family> wrong = opens(c.table);
        ASSERT_FALSE(wrong) << c.message;
        EXPECT_EQ(describe(wrong.error()), c.message);
    }
}

TEST(FamilyParser, ReadsLinksAndNotes) {
    const std::string note =
        "[[notes]]\nname = 'why'\nviews = ['times']\nvariants = ['v0']\nquestion = { en = 'Why {n: n}?', zh "
        "= '问 {n: n}？' }\n"
        "answer = [{ en = 'a', zh = 'b' }, { en = 'c', zh = 'd' }]\n";
    const std::string looked = with("launches =",
                                    "brief = { en = 'x', zh = 'y' }\nlook = { en = 'see [v0](variant:v0)', "
                                    "zh = '见 [v0](variant:v0)' }\nlaunches =");
    const Expected<Family> family = parseFamily(looked + note, "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    EXPECT_EQ(family->variants[0].brief.zh, "y");
    EXPECT_EQ(family->variants[0].look.in(Language::English), "see v0");
    ASSERT_EQ(family->variants[0].look.linksIn(Language::Chinese).size(), 1u);
    ASSERT_EQ(family->notes.size(), 1u);
    EXPECT_EQ(family->notes[0].question.en, "Why {n: n}?");
    ASSERT_EQ(family->notes[0].answer.size(), 2u);
    EXPECT_EQ(family->notes[0].answer[1].zh, "d");

    struct Case {
        std::string text, message;
    };
    const auto noteWith = [&](const std::string& from, const std::string& to) {
        std::string text = kFamily + note;
        const std::size_t at = text.find(from, std::string(kFamily).size());
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    const Case cases[] = {
        {noteWith("name = 'why'", "name = '?'"),
         "f.toml:18: '?' is no name for a note: letters, digits, - and _ only"},
        {noteWith("['v0']", "['v1']"), "f.toml:20: there is no variant 'v1'; did you mean 'v0'?"},
        {noteWith("[{ en = 'a', zh = 'b' }, { en = 'c', zh = 'd' }]", "[]"),
         "f.toml:22: a note answers with at least one sentence"},
        {noteWith("[{ en = 'a', zh = 'b' }, { en = 'c', zh = 'd' }]", "'a'"),
         "f.toml:22: 'answer' must be a list of texts: [{ en = \"...\", zh = \"...\" }]"},
        {kFamily + note + note, "f.toml:24: there are two notes 'why'"},
    };
    for (const Case& c : cases) {
        const Expected<Family> wrong = parseFamily(c.text, "f.toml");
        ASSERT_FALSE(wrong) << c.message;
        EXPECT_EQ(describe(wrong.error()), c.message);
    }
    const Expected<Family> lost =
        parseFamily(with("launches =", "look = { en = '[x](nowhere)', zh = 'y' }\nlaunches ="), "f.toml");
    ASSERT_FALSE(lost);
    EXPECT_TRUE(describe(lost.error()).starts_with("f.toml:15: 'nowhere' leads nowhere; a link is"))
        << describe(lost.error());
}

TEST(FamilyParser, SaysWhatIsWrongWithFileAndLine) {
    struct Case {
        std::string text;
        const char* description;
    };
    const Case cases[] = {
        {with("title = { en = 'Add', zh = '加' }\n", ""), "f.toml:1: 'title' is missing here"},
        {with(", zh = '加'", ""), "f.toml:1: 'zh' is missing here"},
        {with("{ en = 'Add', zh = '加' }", "3"),
         "f.toml:1: 'title' must be a text, or { en = \"...\", zh = \"...\" }"},
        {with("story = {", "stroy = {"), "f.toml:1: 'story' is missing here"},
        {with("story =", "reference = 'ad'\nstory ="), "f.toml:2: there is no CPU reference 'ad'"},
        {with("story =", "reference = 'matmull'\nstory ="),
         "f.toml:2: there is no CPU reference 'matmull'; did you mean 'matmul'?"},
        {with("story =", "reference = 'matmul'\nstory ="),
         "f.toml:2: the reference 'matmul' needs a buffer M of type f32 with 2 extents"},
        {with("'n', min = 1", "'n-1', min = 1"),
         "f.toml:4: 'n-1' is no name for a parameter: letters, digits and _ only"},
        {with("name = 'block'", "name = 'n'"), "f.toml:5: there are two parameters 'n'"},
        {with("min = 1, ", ""), "f.toml:4: 'min' is missing here"},
        {with("min = 1", "min = '1'"), "f.toml:4: 'min' must be a whole number"},
        {with("max = 100", "max = 0"), "f.toml:4: max (0) is less than min (1)"},
        {with("default = 8", "default = 800"), "f.toml:4: the default of 'n', 800, is not one of its values"},
        {with("default = 32", "default = 33"),
         "f.toml:5: the default of 'block', 33, is not one of its values"},
        {with("kind = 'compile'", "kind = 'compiled'"),
         "f.toml:5: 'compiled' is no kind of parameter; say \"runtime\" or \"compile\""},
        {with("values = [64, 32]", "min = 1, max = 1000"),
         "f.toml:5: a compile-time parameter has at most 256 values: each is an instantiation of the "
         "kernel"},
        {with("values = [64, 32]", "values = [64, 32], prebuilt = [48]"),
         "f.toml:5: not all of these are values of 'block'"},
        {with("values = [64, 32]", "values = [64, 32], prebuilt = [64]"),
         "f.toml:5: the default of 'block' must be prebuilt"},
        {with("max = 100", "max = 100, prebuilt = [8]"),
         "f.toml:4: only a compile-time parameter has prebuilt values"},
        {with("values = [64, 32]", "values = [32, 32]"), "f.toml:5: a value is listed twice"},
        {with("values = [64, 32]", "values = []"),
         "f.toml:5: 'values' must be a list of whole numbers: [1, 2]"},
        {with("max = 100", "max = 100, step = 2"), "f.toml:4: 'step' is not known here"},
        {with("max = 100", "maxx = 100"), "f.toml:4: 'max' is missing here"},
        {with("name = 'y'", "name = 'x'"), "f.toml:9: there are two buffers 'x'"},
        {with("name = 'y'", "name = 'n'"), "f.toml:9: 'n' is a parameter already"},
        {with("'f32', shape", "'float', shape"),
         "f.toml:8: 'float' is no type; say \"f32\" or \"i32\", for example"},
        {with("shape = ['n']", "shape = []"), "f.toml:8: a shape has 1 to 3 extents"},
        {with("shape = ['n']", "shape = ['m']"), "f.toml:8: 'm' is no parameter of this family"},
        {with("shape = ['n']", "shape = [3]"), "f.toml:8: 'shape' must be a text in quotes"},
        {with("initial = 'random'", "initial = 'randm'"),
         "f.toml:8: 'randm' is no initial content; say zero, iota, permutation, const:X, random, "
         "random:LOW:HIGH or the "
         "name of a .npy file"},
        {with("initial = 'random'", "tolerance = 'none'"),
         "f.toml:8: a tolerance is \"exact\" or a relative error such as 1e-5"},
        {with("initial = 'random'", "tolerance = 2"),
         "f.toml:8: a relative tolerance lies between 0 and 1; for none, say \"exact\""},
        {with("output = true", "output = 1"), "f.toml:9: 'output' must be true or false"},
        {with("name = 'v0'", "name = 'v 0'"),
         "f.toml:12: 'v 0' is no name for a variant: letters, digits, - and _ only"},
        {with("'v0.cu'", "'../v0.cu'"), "f.toml:13: '../v0.cu' is no .cu file of this folder"},
        {with("add<{block}>", "add<{block>"), "f.toml:15: '}' is missing in 'add<{block>'"},
        {with("add<{block}>", "add<{n}>"),
         "f.toml:15: 'n' is a runtime parameter: an entry can only name those of kind \"compile\""},
        {with("add<{block}>", "add<{blok}>"),
         "f.toml:15: 'blok' is no parameter of this family; did you mean 'block'?"},
        {with("ceil_div(n, block)", "ceil_div(n)"),
         "f.toml:15: ',' is expected: ceil_div takes two numbers (column 11 of 'ceil_div(n)')"},
        {with("grid = ['ceil_div(n, block)']", "grid = ['1', '1', '1', '1']"),
         "f.toml:15: 'grid' has 1 to 3 extents: x, y, z"},
        {with("'y', 'n'", "'yy', 'n'"), "f.toml:15: 'yy' is no parameter of this family; did you mean 'y'?"},
        {with("'f32: 2'", "'z'"), "f.toml:15: 'z' is no parameter of this family"},
        {with("'f32: 2'", "'float: 2'"), "f.toml:15: 'float' is no type"},
        {with("'out_of_bounds'", "'out_of_bound'"),
         "f.toml:16: 'out_of_bound' is no kind of finding; did you mean 'out_of_bounds'?"},
        {with("n % block != 0", "n % block !="),
         "f.toml:16: a number or a parameter is expected (column 13 of 'n % block !=')"},
        {with("file = 'v0.cu'", "file = 'v0.cu'\nbuffers = { z = {} }"),
         "f.toml:14: 'z' is no buffer of this family; give an existing one's shape, initial or tolerance"},
        {with("file = 'v0.cu'", "file = 'v0.cu'\nbuffers = { x = { shape = ['n', 'n'] } }"),
         "f.toml:14: 'x' has 1 extent in this family"},
        {with("[[variants]]", "[variants]"), "f.toml:11: 'variants' must be a list of tables: [[variants]]"},
    };
    for (const Case& c : cases) {
        const Expected<Family> family = parseFamily(c.text, "f.toml");
        ASSERT_FALSE(family) << c.description;
        EXPECT_EQ(describe(family.error()), c.description);
    }
}

// `kFamily` with a third parameter, a choice.
std::string choosing(const std::string& choice) {
    return with("]\nbuffers",
                "  { name = 'kind', " + choice + ", help = { en = 'a', zh = 'b' } },\n]\nbuffers");
}
std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(FamilyParser, AVariantHasTheBuffersThatItsLaunchesTake) {
    const Expected<Family> family =
        parseFamily(with(with("story =", "result = { y = 'i' }\nstory ="), "'x', 'y', ", "'x', "), "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    ASSERT_EQ(family->variants[0].buffers.size(), 1u);
    EXPECT_EQ(family->variants[0].buffers[0].name, "x");
    EXPECT_TRUE(family->variants[0].results.empty());
    EXPECT_TRUE(makeExperiment(*family, family->variants[0], {{"n", 8}, {"block", 32}}));
}

TEST(FamilyParser, AChoiceGoesByItsLabels) {
    const std::string types = choosing(
        "kind = 'compile', choices = ['i32', 'i64'], spelled = ['int', 'long long'], default = 'i64'");
    const Expected<Family> family = parseFamily(
        with(with(types, "type = 'i32'", "type = '{kind}'"), "add<{block}>", "add<{kind}, {block}>"),
        "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    const Variant& variant = family->variants[0];
    EXPECT_EQ(variant.parameters, (std::vector<std::string>{"n", "block", "kind"}));
    using Settings = std::vector<std::pair<std::string, std::string>>;
    const Values values = *resolve(*family, variant, Settings{});
    EXPECT_EQ(values.at("kind"), 1);
    EXPECT_EQ(makeExperiment(*family, variant, values)->launches[0].entry, "add<long long, 32>");
    EXPECT_EQ(makeExperiment(*family, variant, values)->buffers[1].type, ElementType::I64);
    const Values other = *resolve(*family, variant, Settings{{"kind", "i32"}});
    EXPECT_EQ(makeExperiment(*family, variant, other)->launches[0].entry, "add<int, 32>");
    EXPECT_EQ(makeExperiment(*family, variant, other)->buffers[1].type, ElementType::I32);
    EXPECT_EQ(resolve(*family, variant, Settings{{"kind", "i46"}}).error().message.english(),
              "kind=i46 is not possible; kind can be i32, i64; did you mean 'i64'?");
    EXPECT_EQ(resolve(*family, variant, Settings{{"kind", "0"}}).error().message.english(),
              "kind=0 is not possible; kind can be i32, i64");
}

TEST(FamilyParser, ALabelIsANameInExpressions) {
    const std::string folds = choosing("choices = ['sum', 'max'], default = 'sum'");
    const Expected<Family> family =
        parseFamily(with(folds, "'4 * block'", "'kind == max ? max(4, 2) * block : 8'"), "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    const auto sharedOf = [&](s64 kind) {
        return makeExperiment(*family, family->variants[0], {{"n", 8}, {"block", 32}, {"kind", kind}})
            ->launches[0]
            .dynamicSharedBytes;
    };
    EXPECT_EQ(sharedOf(0), 8u);
    EXPECT_EQ(sharedOf(1), 128u);
}

TEST(FamilyParser, WhatIsRequiredAndNotMetIsSaidInBothLanguages) {
    const std::string text = with(
        "expected = [",
        "requires = [{ that = 'n >= block / 8', message = { en = 'too few', zh = '太少' } }]\nexpected = [");
    const Expected<Family> family = parseFamily(text, "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    EXPECT_TRUE(makeExperiment(*family, family->variants[0], {{"n", 4}, {"block", 32}}));
    const Expected<Experiment> impossible =
        makeExperiment(*family, family->variants[0], {{"n", 3}, {"block", 32}});
    ASSERT_FALSE(impossible);
    EXPECT_EQ(impossible.error().kind, FaultKind::Usage);
    EXPECT_EQ(describe(impossible.error()), "too few");
    EXPECT_EQ(describe(impossible.error(), Language::Chinese), "太少");
}

TEST(FamilyParser, SaysWhatIsWrongWithChoicesAndRequirements) {
    struct Case {
        std::string text;
        const char* description;
    };
    const Case cases[] = {
        {choosing("choices = ['a b'], default = 'a b'"),
         "f.toml:6: 'a b' is no label: letters, digits and _ only"},
        {choosing("choices = ['a', 'a'], default = 'a'"), "f.toml:6: 'a' is listed twice"},
        {choosing("choices = ['left', 'right'], default = 'rigth'"),
         "f.toml:6: the default of 'kind', rigth, is not one of its choices; did you mean 'right'?"},
        {choosing("choices = ['a', 'b'], default = 0"), "f.toml:6: 'default' must be a text in quotes"},
        {choosing("choices = ['a', 'b'], default = 'a', min = 0"), "f.toml:6: 'min' is not known here"},
        {choosing("choices = ['a', 'b'], spelled = ['A'], default = 'a'"),
         "f.toml:6: 'spelled' has 1 texts for 2 choices"},
        {choosing("choices = ['n', 'b'], default = 'b'"),
         "f.toml:3: the label 'n' of 'kind' means something else already"},
        {choosing("choices = ['row', 'b'], default = 'b'"),
         "f.toml:3: the label 'row' of 'kind' means something else already"},
        {choosing("choices = ['x', 'b'], default = 'b'"),
         "f.toml:3: the label 'x' of 'kind' means something else already"},
        {with(choosing("choices = ['a', 'b'], default = 'a'"), "'n % block != 0'", "'kind == c'"),
         "f.toml:17: 'c' is no parameter of this family"},
        {with(choosing("choices = ['a', 'b'], default = 'a'"), "type = 'i32'", "type = '{kind}'"),
         "f.toml:10: '{kind}' is no choice among types: a parameter with choices = [\"i32\", \"f32\"], for "
         "example"},
        {with("type = 'i32'", "type = '{n}'"),
         "f.toml:9: '{n}' is no choice among types: a parameter with choices = [\"i32\", \"f32\"], for "
         "example"},
        {with(with(choosing("choices = ['i32', 'f32'], default = 'f32'"), "type = 'f32'", "type = '{kind}'"),
              "initial = 'random'", "initial = 'random:0.5:1.0'"),
         "f.toml:9: 'random:0.5:1.0' is not a range of whole numbers, and i32 holds nothing else"},
        {with("name = 'n'", "name = 'row'"), "f.toml:4: 'row' has a meaning of its own in expressions"},
        {with("expected = [",
              "requires = [{ that = 'n > 8', message = { en = 'a', zh = 'b' } }]\nexpected = ["),
         "f.toml:16: the defaults of the parameters do not meet 'n > 8'"},
        {with("story =", "reference = 'matmul'\nresult = { y = '1' }\nstory ="),
         "f.toml:3: say 'reference' or 'result', not both"},
        {with("story =", "result = { x = '1' }\nstory ="),
         "f.toml:2: 'x' is no output of this family; give an output buffer's elements as an expression: "
         "\"in[i]\""},
        {with(with("name = 'x', ", "name = 'x', output = true, "),
              "story =", "result = { y = '1' }\nstory ="),
         "f.toml:2: 'x' is an output, too: what should it hold?"},
    };
    for (const Case& c : cases) {
        const Expected<Family> family = parseFamily(c.text, "f.toml");
        ASSERT_FALSE(family) << c.description;
        EXPECT_EQ(describe(family.error()), c.description);
    }
}

// `kFamily` whose block is a quarter of n.
std::string computing(const std::string& computed) {
    return with("values = [64, 32], default = 32", "values = [2, 64, 32], computed = '" + computed + "'");
}

TEST(FamilyParser, AComputedParameterFollowsFromOthers) {
    const Expected<Family> family = parseFamily(computing("n / 4"), "kernels/add/family.toml");
    ASSERT_TRUE(family) << describe(family.error());
    const Variant& variant = family->variants[0];
    EXPECT_EQ(variant.parameters, std::vector<std::string>{"n"});
    EXPECT_EQ(variant.computed, std::vector<std::string>{"block"});
    using Settings = std::vector<std::pair<std::string, std::string>>;
    const Expected<Experiment> experiment =
        makeExperiment(*family, variant, *resolve(*family, variant, Settings{{"n", "8"}}));
    ASSERT_TRUE(experiment) << describe(experiment.error());
    EXPECT_EQ(experiment->values.at("block"), 2);
    EXPECT_EQ(experiment->launches[0].entry, "add<2>");
    EXPECT_EQ(experiment->launches[0].grid, (Dim3{4, 1, 1}));

    EXPECT_EQ(makeExperiment(*family, variant, *resolve(*family, variant, Settings{{"n", "12"}}))
                  .error()
                  .message.english(),
              "these parameters give block = n / 4, that is, 3; it can be 2, 32, 64");
    EXPECT_EQ(resolve(*family, variant, Settings{{"block", "32"}}).error().message.english(),
              "add/v0 has no parameter 'block' (it has n)");
    EXPECT_EQ(resolve(*family, Settings{{"block", "32"}}).error().message.english(),
              "add has no parameter 'block' (it has n)");
}

TEST(FamilyParser, WholeNumbersAndRealsMayBeginDifferently) {
    const std::string text = choosing("kind = 'compile', choices = ['i32', 'f32'], default = 'i32'");
    const Expected<Family> family =
        parseFamily(with(with(text, "type = 'f32'", "type = '{kind}'"), "initial = 'random'",
                         "initial = { whole = 'const:7', real = 'const:0.5' }"),
                    "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    const auto firstOf = [&](s64 kind) {
        return makeExperiment(*family, family->variants[0], {{"n", 8}, {"block", 32}, {"kind", kind}})
            ->buffers[0]
            .valueAt(0);
    };
    EXPECT_EQ(firstOf(0), 7);
    EXPECT_EQ(firstOf(1), 0.5);
}

TEST(FamilyParser, ReadsWhatSomebodyHasPublished) {
    const std::string figures = with(
        "file = 'v0.cu'", "file = 'v0.cu'\npublished = { milliseconds = 8.054, gigabytes_per_second = 2 }");
    const Expected<Family> family =
        parseFamily(with(figures, "story =", "published_on = { en = 'G80', zh = 'G80' }\nstory ="), "f.toml");
    ASSERT_TRUE(family) << describe(family.error());
    EXPECT_EQ(family->publishedOn.en, "G80");
    ASSERT_TRUE(family->variants[0].published);
    EXPECT_EQ(family->variants[0].published->milliseconds, 8.054);
    EXPECT_EQ(family->variants[0].published->gigabytesPerSecond, 2);
    EXPECT_EQ(parseFamily(figures, "f.toml").error().message.english(),
              "say in the family's 'published_on' which device and size these figures are of, and who "
              "published them");
}

TEST(FamilyParser, ReadsWhatAKernelGetsDone) {
    const std::string family = with("story =", "work = { bytes = '4 * n' }\nstory =");
    const Expected<Family> plain = parseFamily(family, "f.toml");
    ASSERT_TRUE(plain) << describe(plain.error());
    EXPECT_EQ(workOf(*plain, plain->variants[0], {{"n", 100}, {"block", 32}}).bytes, 400);
    EXPECT_EQ(workOf(*plain, plain->variants[0], {{"n", 100}, {"block", 32}}).operations, 0);
    const Expected<Family> own = parseFamily(
        with(family, "file = 'v0.cu'", "file = 'v0.cu'\nwork = { operations = 'n * n', limit = true }"),
        "f.toml");
    ASSERT_TRUE(own) << describe(own.error());
    EXPECT_EQ(workOf(*own, own->variants[0], {{"n", 100}, {"block", 32}}).operations, 10000);
    EXPECT_EQ(workOf(*own, own->variants[0], {{"n", 100}, {"block", 32}}).bytes, 0);
    EXPECT_TRUE(own->variants[0].work.isLimit);

    const auto complaint = [](const char* work) {
        return parseFamily(with("story =", "work = { " + std::string(work) + " }\nstory ="), "f.toml")
            .error()
            .message.english();
    };
    EXPECT_EQ(complaint("bytes = '4 * m'"), "'m' is no parameter of this family");
    EXPECT_EQ(complaint("limit = true"),
              "say the 'bytes' that must be transferred, or the 'operations' that must be done");
    EXPECT_EQ(complaint("bytes = '4', seconds = 1"), "'seconds' is not known here");
}

TEST(FamilyParser, SaysWhatIsWrongWithComputedParametersAndFigures) {
    const std::string on = with("story =", "published_on = { en = 'a', zh = 'b' }\nstory =");
    const auto published = [&](const std::string& figures) {
        return with(on, "file = 'v0.cu'", "file = 'v0.cu'\npublished = { " + figures + " }");
    };
    struct Case {
        std::string text;
        const char* description;
    };
    const Case cases[] = {
        {computing("n / 5"),
         "f.toml:3: the defaults of the other parameters give 'block' none of its values"},
        {computing("m / 4"), "f.toml:3: 'm' is no parameter of this family"},
        {computing("block / 4"),
         "f.toml:3: the defaults of the other parameters give 'block' none of its values"},
        {with(computing("n / 4"), "kind = 'compile', ", ""),
         "f.toml:5: only a compile-time parameter is computed; elsewhere, write the expression itself"},
        {published("milliseconds = 1"), "f.toml:15: 'gigabytes_per_second' is missing here"},
        {published("milliseconds = 0, gigabytes_per_second = 1"),
         "f.toml:15: 'milliseconds' must be more than 0"},
        {published("milliseconds = 1, gigabytes_per_second = 'a'"),
         "f.toml:15: 'gigabytes_per_second' must be a number"},
        {published("milliseconds = 1, gigabytes_per_second = 1, runs = 3"),
         "f.toml:15: 'runs' is not known here"},
    };
    for (const Case& c : cases) {
        const Expected<Family> family = parseFamily(c.text, "f.toml");
        ASSERT_FALSE(family) << c.description;
        EXPECT_EQ(describe(family.error()), c.description);
    }
}

TEST(FamilyParser, MistakesOfTomlItselfHaveTheirPlace) {
    const Expected<Family> family = parseFamily("title = { en = 'a' \nstory", "f.toml");
    ASSERT_FALSE(family);
    EXPECT_EQ(family.error().kind, FaultKind::Syntax);
    EXPECT_EQ(family.error().place.file, "f.toml");
    EXPECT_EQ(family.error().place.line, 1u);
    EXPECT_FALSE(family.error().message.english().empty());
    // Texts for which toml++ itself would abort the program.
    for (const char* text : {"[=]", "[ é]", "a = 1 é", "é = 1", "a = [1, 。2]", "\xca\x82]\5\n"})
        EXPECT_FALSE(parseFamily(text, "f.toml")) << text;
}

TEST(FamilyParser, ImpossibleCombinationsOfParametersAreNamed) {
    struct Case {
        std::string text;
        const char* message;
    };
    const Case cases[] = {
        {with("block = ['block']", "block = ['block', '64']"),
         "these parameters give blocks of 2,048 threads; 1,024 is the most"},
        {with("block = ['block']", "block = ['2000']"),
         "these parameters give a block of 2,000 in x; it can be 1 to 1,024"},
        {with("ceil_div(n, block)", "n - 8"),
         "these parameters give a grid of 0 in x; it can be 1 to 2,147,483,647"},
        {with("ceil_div(n, block)", "n / (n - 8)"), "division by zero (column 4 of 'n / (n - 8)')"},
        {with("4 * block", "0 - block"), "these parameters give -32 bytes of shared memory"},
        {with("shape = ['n', '2']", "shape = ['n', '0']"),
         "these parameters give the buffer y an extent of 0"},
        {with("shape = ['n', '2']", "shape = ['n', '1000000000']"),
         "these parameters give the buffer y more than 2 GiB"},
        {with("'f32: 2'", "'u8: 300'"), "300 does not fit in u8, which goes from 0 to 255"},
    };
    for (const Case& c : cases) {
        const Expected<Family> family = parseFamily(c.text, "f.toml");
        ASSERT_TRUE(family) << describe(family.error());
        const Expected<Experiment> experiment =
            makeExperiment(*family, family->variants[0], {{"n", 8}, {"block", 32}});
        ASSERT_FALSE(experiment) << c.message;
        EXPECT_EQ(experiment.error().message.english(), c.message);
    }
}

}  // namespace
}  // namespace lockstep::catalog
