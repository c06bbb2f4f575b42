// Every variant of the catalogue does what its family.toml says it does: right or wrong, and with these
// findings; on both engines, record by record.
#include "catalog/catalog.h"
#include "catalog/prebuilt.h"
#include "ptx/module.h"
#include "simt/emulator.h"
#include "simt/same_results.h"
#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace lockstep {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

const std::filesystem::path kRoot = LOCKSTEP_SOURCE_DIR;

ptx::Module prebuilt(const catalog::Family& family, const catalog::Variant& variant,
                     const catalog::Values& values) {
    const std::filesystem::path file = kRoot / "assets/ptx" / catalog::prebuiltPath(family, variant, values);
    std::ifstream in(file, std::ios::binary);
    Expected<ptx::Module> module =
        ptx::parse(std::string(std::istreambuf_iterator<char>(in), {}), file.string());
    EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
    return std::move(*module);
}

struct Outcome {
    std::set<std::string> kinds;  // without remarks
    bool correct = false;
};

Outcome expectedOutcome(const catalog::Experiment& experiment) {
    Outcome outcome{.kinds = {}, .correct = true};
    for (const catalog::ExpectedOutcome& expected : experiment.expected) {
        outcome.kinds.insert(expected.findings.begin(), expected.findings.end());
        outcome.correct = outcome.correct && expected.correct;
    }
    return outcome;
}

Outcome realOutcome(const catalog::Experiment& experiment) {
    const ptx::Module module = prebuilt(*experiment.family, *experiment.variant, experiment.values);
    std::vector<Launch> launches = experiment.launches;
    for (Launch& launch : launches)
        for (const ptx::Function& function : module.functions)
            if (function.isEntry && ptx::shortName(function.name) == launch.entry)
                launch.entry = function.name;
    std::vector<Buffer> results = experiment.buffers;
    simt::Options everyFinding;
    everyFinding.mostFindings = 100'000;
    const Expected<simt::Result> result = simt::run(module, launches, results, everyFinding);
    if (!result) {
        ADD_FAILURE() << describe(result.error());
        return {};
    }
    std::vector<Buffer> others = experiment.buffers;
    everyFinding.engine = simt::Engine::Plain;
    const Expected<simt::Result> plain = simt::run(module, launches, others, everyFinding);
    EXPECT_EQ(plain ? simt::firstDifference(*plain, others, *result, results) : describe(plain.error()), "");

    Outcome outcome;
    for (const trace::Finding& finding : result->findings)
        if (!trace::isRemark(finding.kind) && finding.kind != trace::FindingKind::Truncated)
            outcome.kinds.emplace(trace::nameOf(finding.kind));
    const auto reference = catalog::computeReference(experiment);
    if (!reference) {
        ADD_FAILURE() << describe(reference.error());
        return {};
    }
    outcome.correct = catalog::compare(experiment, *reference, results).correct;
    return outcome;
}

void expectOutcome(const catalog::Family& family, const catalog::Variant& variant, const Settings& settings) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, settings);
    ASSERT_TRUE(values) << describe(values.error());
    const Expected<catalog::Experiment> experiment = catalog::makeExperiment(family, variant, *values);
    ASSERT_TRUE(experiment) << describe(experiment.error());

    std::string what = family.name + "/" + variant.name;
    for (const auto& [name, value] : settings)
        what += " " + name + "=" + value;
    const Outcome want = expectedOutcome(*experiment), got = realOutcome(*experiment);
    EXPECT_EQ(got.kinds, want.kinds) << what;
    EXPECT_EQ(got.correct, want.correct) << what;
}

TEST(Catalogue, EveryVariantKeepsItsPromisesAtItsDefaults) {
    for (const catalog::Family& family : shipped().families())
        for (const catalog::Variant& variant : family.variants)
            expectOutcome(family, variant, {});
}

TEST(Catalogue, MatrixMultipliesKeepTheirPromisesAtEverySize) {
    const catalog::Family& matmul = *shipped().find("matmul");
    struct Case {
        const char *width, *tile;
    };
    // The worked example; one tile larger than the matrix; one warp and more; multiples and not; more than
    // one phase.
    constexpr Case cases[] = {{"3", "2"},   {"1", "2"},   {"3", "4"},  {"10", "5"},  {"12", "6"}, {"13", "6"},
                              {"16", "16"}, {"17", "16"}, {"40", "8"}, {"33", "32"}, {"40", "16"}};
    for (const catalog::Variant& variant : matmul.variants) {
        if (variant.name == "rectangular") continue;
        const bool hasTile = std::ranges::find(variant.parameters, "tile") != variant.parameters.end();
        for (const Case& c : cases)
            expectOutcome(matmul, variant, hasTile ? Settings{{"width", c.width}, {"tile", c.tile}} : Settings{{"width", c.width}});
    }
}

TEST(Catalogue, FastMatrixMultipliesAreRightAcrossTheirOwnTiles) {
    const catalog::Family& matmul = *shipped().find("matmul");
    // Rows of 16 bytes or not; below, at and above the tiles of 64, 128 and 256 elements and the depth of 8.
    for (const char* name : {"register-1d", "register-2d", "vector-loads", "padded", "double-buffered", "warp-tiled"})
        for (const char* width : {"4", "31", "100", "128", "131", "260"})
            expectOutcome(matmul, *matmul.find(name), {{"width", width}});
}

TEST(Catalogue, TheRectangularMultiplyIsRightForEveryShape) {
    const catalog::Family& matmul = *shipped().find("matmul");
    struct Case {
        const char *j, *k, *l, *tile;
    };
    constexpr Case cases[] = {{"1", "1", "1", "2"},
                              {"5", "7", "9", "4"},
                              {"1", "50", "3", "16"},
                              {"33", "1", "65", "32"},
                              {"16", "32", "48", "16"}};
    for (const Case& c : cases)
        expectOutcome(matmul, *matmul.find("rectangular"),
                      {{"j", c.j}, {"k", c.k}, {"l", c.l}, {"tile", c.tile}});
}

}  // namespace
}  // namespace lockstep
