#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::catalog {
namespace {

const Catalog& shipped() {
    static const Expected<Catalog> catalog =
        Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    if (!catalog) {
        ADD_FAILURE() << describe(catalog.error());
        std::abort();
    }
    return *catalog;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

Experiment make(const std::string& name, const Settings& settings) {
    const auto [family, variant] = *shipped().lookUp(name);
    const Expected<Values> values = resolve(*family, *variant, settings);
    EXPECT_TRUE(values) << (values ? "" : values.error().message.english());
    Expected<Experiment> experiment = makeExperiment(*family, *variant, *values);
    EXPECT_TRUE(experiment) << (experiment ? "" : experiment.error().message.english());
    return std::move(*experiment);
}

TEST(Catalog, ShipsTheMatrixMultiplies) {
    const Family* matmul = shipped().find("matmul");
    ASSERT_NE(matmul, nullptr);
    for (const char* name : {"naive", "naive-swapped", "tiled", "tiled-bounds", "missing-first-barrier",
                             "missing-second-barrier", "rectangular"})
        EXPECT_NE(matmul->find(name), nullptr) << name;
    EXPECT_EQ(matmul->findParameter("width")->defaultValue, 64);
    EXPECT_EQ(matmul->findParameter("tile")->defaultValue, 16);
    EXPECT_EQ(matmul->findParameter("tile")->values.size(), 31u);
}

TEST(Catalog, EveryTextIsThereInBothLanguages) {
    const auto isTranslated = [](const auto& text) {
        return !text.in(Language::English).empty() &&
               text.in(Language::English) != text.in(Language::Chinese);
    };
    for (const Family& family : shipped().families()) {
        EXPECT_TRUE(isTranslated(family.title) && isTranslated(family.story)) << family.name;
        for (const Variant& variant : family.variants)
            EXPECT_TRUE(isTranslated(variant.title) && isTranslated(variant.look) &&
                        isTranslated(variant.brief))
                << variant.name;
    }
}

TEST(Catalog, EveryVariantMakesAnExperimentAtItsDefaults) {
    for (const Family& family : shipped().families())
        for (const Variant& variant : family.variants) {
            const Expected<Values> values = resolve(family, Settings{});
            const Expected<Experiment> experiment = makeExperiment(family, variant, *values);
            EXPECT_TRUE(experiment) << variant.name << ": "
                                    << (experiment ? "" : experiment.error().message.english());
        }
}

TEST(Catalog, TheWorkedExampleHasItsGridBlocksAndArguments) {
    const Experiment experiment = make("matmul/tiled-bounds", {{"width", "3"}, {"tile", "2"}});
    ASSERT_EQ(experiment.launches.size(), 1u);
    const Launch& launch = experiment.launches[0];
    EXPECT_EQ(launch.entry, "mm_tiled_bounds<2>");
    EXPECT_EQ(launch.grid, (Dim3{2, 2, 1}));
    EXPECT_EQ(launch.block, (Dim3{2, 2, 1}));
    ASSERT_EQ(launch.arguments.size(), 4u);
    for (u32 i = 0; i < 3; ++i)
        EXPECT_EQ(std::get<BufferArgument>(launch.arguments[i]).buffer, i);
    const std::vector<std::byte> width{std::byte{3}, std::byte{0}, std::byte{0}, std::byte{0}};
    EXPECT_EQ(std::get<ScalarArgument>(launch.arguments[3]).bytes, width);
    ASSERT_EQ(experiment.buffers.size(), 3u);
    EXPECT_EQ(experiment.buffers[0].shape, (std::vector<u64>{3, 3}));
    EXPECT_NE(experiment.buffers[0].bytes, experiment.buffers[1].bytes)
        << "M and N have numbers of their own";
    EXPECT_TRUE(experiment.expected.empty());
}

TEST(Catalog, AVariantMayHaveItsOwnShapesAndParameters) {
    const Experiment experiment =
        make("matmul/rectangular", {{"j", "5"}, {"k", "7"}, {"l", "9"}, {"tile", "4"}});
    EXPECT_EQ(experiment.launches[0].grid, (Dim3{3, 2, 1}));
    EXPECT_EQ(experiment.buffers[0].shape, (std::vector<u64>{5, 7}));
    EXPECT_EQ(experiment.buffers[1].shape, (std::vector<u64>{7, 9}));
    EXPECT_EQ(experiment.buffers[2].shape, (std::vector<u64>{5, 9}));
    EXPECT_EQ(experiment.variant->parameters, (std::vector<std::string>{"tile", "j", "k", "l"}));
    EXPECT_EQ(shipped().find("matmul")->find("tiled")->parameters,
              (std::vector<std::string>{"width", "tile"}));
}

TEST(Catalog, ExpectationsHoldUnderTheirConditions) {
    struct Case {
        const char *variant, *width, *tile;
        std::vector<std::string> kinds;
    };
    const Case cases[] = {
        {"tiled", "64", "16", {}},
        {"tiled", "1000", "16", {"out_of_bounds", "race"}},
        {"tiled", "3", "4", {"out_of_bounds", "race"}},
        {"tiled", "1", "2", {"out_of_bounds"}},
        {"tiled-bounds", "1000", "16", {}},
        {"missing-second-barrier", "64", "16", {"race"}},
        {"missing-second-barrier", "64", "5", {}},
        {"missing-second-barrier", "16", "16", {}},
    };
    for (const Case& c : cases) {
        const Experiment experiment =
            make(std::string("matmul/") + c.variant, {{"width", c.width}, {"tile", c.tile}});
        std::vector<std::string> kinds;
        for (const ExpectedOutcome& outcome : experiment.expected) {
            kinds.insert(kinds.end(), outcome.findings.begin(), outcome.findings.end());
            EXPECT_FALSE(outcome.correct);
        }
        EXPECT_EQ(kinds, c.kinds) << c.variant << " width " << c.width << " tile " << c.tile;
    }
}

TEST(Catalog, LookingUpSaysWhatIsNearest) {
    struct Case {
        const char *name, *message;
    };
    constexpr Case cases[] = {
        {"matmull/tiled", "there is no family 'matmull'; did you mean 'matmul'? (lockstep list shows them)"},
        {"matmul/tilde",
         "the family 'matmul' has no variant 'tilde'; did you mean 'tiled'? (lockstep list shows them)"},
        {"matmul",
         "'matmul' is a family; name one of its variants, for example matmul/naive (lockstep list matmul "
         "shows them)"},
        {"/", "there is no family '' (lockstep list shows them)"},
    };
    for (const Case& c : cases) {
        const auto found = shipped().lookUp(c.name);
        ASSERT_FALSE(found) << c.name;
        EXPECT_EQ(found.error().message.english(), c.message);
    }
}

TEST(Catalog, SettingsAreChecked) {
    const auto [family, tiled] = *shipped().lookUp("matmul/tiled");
    struct Case {
        Settings settings;
        const char* message;
    };
    const Case cases[] = {
        {{{"width", "0"}}, "width=0 is not possible; width can be 1 to 4096"},
        {{{"width", "4097"}}, "width=4097 is not possible; width can be 1 to 4096"},
        {{{"width", "12x"}}, "width=12x is not possible; width can be 1 to 4096"},
        {{{"width", ""}}, "width= is not possible; width can be 1 to 4096"},
        {{{"width", "99999999999999999999"}},
         "width=99999999999999999999 is not possible; width can be 1 to 4096"},
        {{{"tile", "33"}}, "tile=33 is not possible; tile can be 2 to 32"},
        {{{"wdith", "3"}},
         "matmul/tiled has no parameter 'wdith' (it has width, tile); did you mean 'width'?"},
        {{{"j", "3"}}, "matmul/tiled has no parameter 'j' (it has width, tile)"},
    };
    for (const Case& c : cases) {
        const Expected<Values> values = resolve(*family, *tiled, c.settings);
        ASSERT_FALSE(values) << c.message;
        EXPECT_EQ(values.error().message.english(), c.message);
    }
    EXPECT_TRUE(resolve(*family, Settings{{"j", "3"}})) << "the family as a whole has it";
    EXPECT_EQ(resolve(*family, Settings{{"tile", "8"}})->at("width"), 64);
}

TEST(Catalog, SameSeedSameNumbers) {
    const auto found = *shipped().lookUp("matmul/naive");
    const Values values = *resolve(*found.first, Settings{});
    const auto bytes = [&](u64 seed) {
        return makeExperiment(*found.first, *found.second, values, seed)->buffers[0].bytes;
    };
    EXPECT_EQ(bytes(1), bytes(1));
    EXPECT_NE(bytes(1), bytes(2));
}

TEST(Catalog, ComparesAgainstTheReference) {
    const Experiment experiment = make("matmul/tiled-bounds", {{"width", "20"}, {"tile", "16"}});
    const std::map<u32, Buffer> reference = *computeReference(experiment);
    ASSERT_EQ(reference.size(), 1u);
    std::vector<Buffer> results = experiment.buffers;
    results[2] = reference.at(2);
    EXPECT_TRUE(compare(experiment, reference, results).correct);
    EXPECT_EQ(compare(experiment, reference, results).maxError, 0);

    results[2].as<f32>()[21] += 16;
    results[2].as<f32>()[22] -= 32;
    const Comparison wrong = compare(experiment, reference, results);
    EXPECT_FALSE(wrong.correct);
    EXPECT_EQ(wrong.wrongCount, 2u);
    EXPECT_EQ(wrong.maxError, 32);
    ASSERT_TRUE(wrong.first);
    EXPECT_EQ(wrong.first->buffer, "P");
    EXPECT_EQ(wrong.first->index, 21u);
    EXPECT_EQ(wrong.first->got, wrong.first->want + 16);
}

TEST(Catalog, AFolderWithoutFamiliesIsNamed) {
    const Expected<Catalog> catalog = Catalog::read("/no/such/folder");
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().message.english(),
              "there is no family of kernels below /no/such/folder; a family is a folder with a family.toml");
}

}  // namespace
}  // namespace lockstep::catalog
