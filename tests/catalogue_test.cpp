// Every variant of the catalog does what its family.toml says it does: right or wrong, and with these
// findings; on both engines, record by record.
#include "base/files/text_file.h"
#include "catalog/catalog.h"
#include "catalog/prebuilt.h"
#include "catalog/values/random.h"
#include "ptx/module.h"
#include "run/catalog_ptx.h"
#include "simt/emulator.h"
#include "simt/opcodes/same_results.h"
#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace lockstep {
namespace {

const std::filesystem::path kRoot = LOCKSTEP_SOURCE_DIR;

ptx::Module moduleOf(const catalog::Experiment& experiment) {
    const catalog::Family& family = *experiment.family;
    const Expected<std::string> source =
        readTextFile(family.folder / experiment.variant->file, Message::plain("the variant's source"));
    EXPECT_TRUE(source) << experiment.variant->file;
    Expected<std::string> text =
        run::ptxOf({kRoot}, family, *experiment.variant, experiment.values, source.value_or(""));
    EXPECT_TRUE(text) << (text ? "" : describe(text.error()));
    Expected<ptx::Module> module = ptx::parse(text.value_or(""), experiment.variant->file);
    EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
    return std::move(*module);
}

struct Outcome {
    std::set<std::string> kinds;      // without remarks
    std::set<std::string> remarks{};  // of what is expected those that are named; of a run all
    bool correct = false;
};

bool isRemark(std::string_view kind) { return kind == trace::nameOf(trace::FindingKind::WarpSynchronous); }

Outcome expectedOutcome(const catalog::Experiment& experiment) {
    Outcome outcome{.kinds = {}, .remarks = {}, .correct = true};
    for (const catalog::ExpectedOutcome& expected : experiment.expected) {
        for (const std::string& kind : expected.findings)
            (isRemark(kind) ? outcome.remarks : outcome.kinds).insert(kind);
        outcome.correct = outcome.correct && expected.correct;
    }
    return outcome;
}

enum class Engines : u8 {
    Usual,
    Both
};  // Both: the plain one too, which is slower, and must leave the same records

Outcome realOutcome(const catalog::Experiment& experiment, Engines engines) {
    const ptx::Module module = moduleOf(experiment);
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
    if (engines == Engines::Both) {
        std::vector<Buffer> others = experiment.buffers;
        everyFinding.engine = simt::Engine::Plain;
        const Expected<simt::Result> plain = simt::run(module, launches, others, everyFinding);
        EXPECT_EQ(plain ? simt::firstDifference(*plain, others, *result, results) : describe(plain.error()),
                  "");
    }

    Outcome outcome;
    for (const trace::Finding& finding : result->findings)
        if (finding.kind != trace::FindingKind::Truncated)
            (trace::isRemark(finding.kind) ? outcome.remarks : outcome.kinds)
                .emplace(trace::nameOf(finding.kind));
    const auto reference = catalog::computeReference(experiment);
    if (!reference) {
        ADD_FAILURE() << describe(reference.error());
        return {};
    }
    outcome.correct = catalog::compare(experiment, *reference, results).correct;
    return outcome;
}

// False where the family says that these values do not go together, or they can only be compiled and there is
// no compiler here.
bool expectOutcome(const catalog::Family& family, const catalog::Variant& variant,
                   const catalog::Values& values, Engines engines = Engines::Both) {
    const Expected<catalog::Experiment> experiment = catalog::makeExperiment(family, variant, values);
    if (!experiment) {
        const auto isTheSentence = [&](const catalog::Requirement& r) {
            return r.message.en == experiment.error().message.english();
        };
        EXPECT_TRUE(std::ranges::any_of(variant.requirements, isTheSentence)) << describe(experiment.error());
        return false;
    }
    if (!run::checkCompilable(family, variant, values)) return false;
    std::string what = family.name + "/" + variant.name;
    for (const std::string& name : variant.parameters)
        what += " " + name + "=" + family.findParameter(name)->shown(values.at(name));
    const Outcome want = expectedOutcome(*experiment), got = realOutcome(*experiment, engines);
    EXPECT_EQ(got.kinds, want.kinds) << what;
    // What is right only where lanes run in lockstep is so at all sizes; beside a race it need not be named.
    EXPECT_TRUE(std::ranges::includes(got.remarks, want.remarks)) << what;
    EXPECT_EQ(got.correct, want.correct) << what;
    return true;
}

catalog::Values defaultsOf(const catalog::Family& family, const catalog::Variant& variant) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, {});
    EXPECT_TRUE(values) << (values ? "" : describe(values.error()));
    return *values;
}

// Values that are hard on a kernel and quick to run: one element, a warp and one more or less, a little more
// than that; of a choice all, of a list the ends.
std::vector<s64> awkwardValues(const catalog::Parameter& parameter) {
    std::set<s64> values{parameter.min, parameter.defaultValue};
    for (std::size_t value = 0; value < parameter.choices.size(); ++value)
        values.insert(s64(value));
    for (const s64 value : {1, 3, 31, 32, 33, 40})
        if (value > parameter.min && value <= parameter.max &&
            (parameter.values.empty() ||
             std::ranges::find(parameter.values, value) != parameter.values.end()))
            values.insert(value);
    if (!parameter.values.empty()) values.insert({parameter.values.front(), parameter.values.back()});
    return {values.begin(), values.end()};
}

TEST(Catalogue, EveryVariantKeepsItsPromisesAtItsDefaults) {
    for (const catalog::Family& family : shipped().all())
        for (const catalog::Variant& variant : family.variants)
            EXPECT_TRUE(expectOutcome(family, variant, defaultsOf(family, variant))) << variant.name;
}

TEST(Catalogue, EveryVariantsDefaultsArePrebuilt) {
    for (const catalog::Family& family : shipped().all())
        for (const catalog::Variant& variant : family.variants)
            EXPECT_FALSE(catalog::notPrebuilt(family, variant, defaultsOf(family, variant)))
                << family.name << "/" << variant.name;
}

TEST(Catalogue, EveryVariantKeepsItsPromisesAtAwkwardSizes) {
    for (const catalog::Family& family : shipped().all())
        for (const catalog::Variant& variant : family.variants) {
            // One parameter after the other; then all of them together, mixed.
            u32 possible = 0;
            for (const std::string& name : variant.parameters)
                for (const s64 value : awkwardValues(*family.findParameter(name))) {
                    catalog::Values values = defaultsOf(family, variant);
                    if (values.at(name) == value) continue;
                    values[name] = value;
                    possible += expectOutcome(family, variant, values, Engines::Usual);
                }
            constexpr u64 kMixes = 6;
            for (u64 mix = 0; mix < kMixes && variant.parameters.size() > 1; ++mix) {
                catalog::Values values = defaultsOf(family, variant);
                for (std::size_t i = 0; i < variant.parameters.size(); ++i) {
                    const std::vector<s64> candidates =
                        awkwardValues(*family.findParameter(variant.parameters[i]));
                    values[variant.parameters[i]] =
                        candidates[catalog::randomBelow(catalog::randomBits(mix, i), candidates.size())];
                }
                possible += expectOutcome(family, variant, values);
            }
            EXPECT_TRUE(possible > 0 || variant.parameters.empty())
                << variant.name << " is right at its defaults alone";
        }
}

TEST(Catalogue, FastMatrixMultipliesAreRightAcrossTheirOwnTiles) {
    const catalog::Family& matmul = *shipped().find("matmul");
    // Rows of 16 bytes or not; below, at and above the tiles of 64, 128 and 256 elements and the depth of 8.
    for (const char* name :
         {"register-1d", "register-2d", "vector-loads", "padded", "double-buffered", "warp-tiled"})
        for (const s64 width : {4, 31, 100, 128, 131, 260}) {
            catalog::Values values = defaultsOf(matmul, *matmul.find(name));
            values["width"] = width;
            EXPECT_TRUE(expectOutcome(matmul, *matmul.find(name), values));
        }
}

}  // namespace
}  // namespace lockstep
