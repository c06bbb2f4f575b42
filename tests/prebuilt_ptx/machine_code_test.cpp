// The shipped machine code of the catalog: there for each prebuilt PTX, executed with the same result as the
// PTX. With LOCKSTEP_REBUILD_MACHINE_CODE set, makes it instead (scripts/rebuild-machine-code). The same of
// the kernels of tests/truth, whose machine code lies beside them.
#include "../support/shipped_catalog.h"
#include "catalog/prebuilt.h"
#include "cuda/compiler/disassemble.h"
#include "ptx/analysis/shared_layout.h"
#include "run/machine/code_archive.h"
#include "run/machine/launch_timer.h"
#include "sass/decode.h"
#include "simt/decode/decode.h"
#include "simt/emulator.h"
#include "simt/opcodes/truth_cases.h"
#include "time/machine/run_launch.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};
constexpr u32 kComputeCapability = 90;
const fs::path kOfTruth = fs::path(LOCKSTEP_SOURCE_DIR) / "tests/truth/own/machine_code.zst";

bool isRebuilding() { return std::getenv("LOCKSTEP_REBUILD_MACHINE_CODE") != nullptr; }

std::string contentsOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Instance {
    const catalog::Family& family;
    const catalog::Variant& variant;
    catalog::Values values;
    std::string path() const { return catalog::prebuiltPath(family, variant, values); }
    ptx::Module module() const {
        Expected<ptx::Module> module = ptx::parse(contentsOf(kResources.assets() / "ptx" / path()), path());
        EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
        return std::move(*module);
    }
};

std::vector<Instance> instances() {
    std::vector<Instance> all;
    for (const catalog::Family& family : shipped().all())
        for (const catalog::Variant& variant : family.variants)
            for (catalog::Values& values : catalog::prebuiltInstances(family, variant))
                all.push_back({family, variant, std::move(values)});
    return all;
}

// At some of its sizes it accesses what lies beyond an array, or across the end of one.
bool mayLeaveMemory(const catalog::Variant& variant) {
    return std::ranges::any_of(variant.expected, [](const catalog::ExpectedOutcome& outcome) {
        return std::ranges::any_of(outcome.findings, [](const std::string& finding) {
            return finding == "out_of_bounds" || finding == "misaligned";
        });
    });
}

const run::CodeArchive& archiveOf(const fs::path& file) {
    static std::map<fs::path, Expected<run::CodeArchive>> read;
    const auto [found, isNew] = read.try_emplace(file, run::CodeArchive::read(file));
    if (!found->second) {
        ADD_FAILURE() << describe(found->second.error());
        std::abort();
    }
    return *found->second;
}

// What a run of machine code left, or why there is none.
struct Executed {
    std::string fault;
    std::vector<Buffer> buffers;
    time::LaunchCounts counts;
};

Executed execute(const ptx::Module& module, std::span<const Launch> launches, std::vector<Buffer> buffers,
                 const sass::MachineCode& code) {
    Executed result{.fault = {}, .buffers = std::move(buffers), .counts = {}};
    const simt::DeviceMemory memory(module, result.buffers);
    const Expected<time::ModuleConstants> constants = run::moduleConstants(module, code, memory);
    if (!constants) return {.fault = describe(constants.error()), .buffers = {}, .counts = {}};
    for (const Launch& launch : launches) {
        const sass::Function* const function = code.find(launch.entry);
        if (!function) return {.fault = "no machine code of " + launch.entry, .buffers = {}, .counts = {}};
        const Expected<sass::DecodedFunction> decoded = sass::decode(*function);
        if (!decoded) return {.fault = describe(decoded.error()), .buffers = {}, .counts = {}};
        const ptx::Function* const entry = module.findEntry(launch.entry);
        const auto parameters = simt::parameterBlock(module, *entry, launch, result.buffers.size());
        const u64 shared = ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).totalBytes;
        const Expected<time::Program> program = time::makeProgram(
            *decoded, {.grid = launch.grid, .block = launch.block, .sharedBytes = u32(shared)}, *parameters,
            *constants);
        if (!program) return {.fault = describe(program.error()), .buffers = {}, .counts = {}};
        constexpr u64 kEndless = 20'000'000;
        const Expected<time::LaunchCounts> counts =
            time::runLaunch(*program, memory, {.warpInstructions = kEndless});
        if (!counts) return {.fault = describe(counts.error()), .buffers = {}, .counts = {}};
        result.counts.warpInstructions += counts->warpInstructions;
        result.counts.globalLoadSectors += counts->globalLoadSectors;
        result.counts.globalStoreSectors += counts->globalStoreSectors;
    }
    return result;
}

std::string firstDifference(std::span<const Buffer> want, std::span<const Buffer> got) {
    for (std::size_t b = 0; b < want.size(); ++b)
        for (u64 i = 0; i < want[b].count() && want[b].bytes != got[b].bytes; ++i) {
            const u32 bytes = info(want[b].type).bytes;
            if (!std::equal(&want[b].bytes[i * bytes], &want[b].bytes[i * bytes] + bytes,
                            &got[b].bytes[i * bytes]))
                return want[b].name + "[" + std::to_string(i) + "]: " + std::to_string(got[b].valueAt(i)) +
                       " instead of " + std::to_string(want[b].valueAt(i));
        }
    return {};
}

std::vector<Launch> namedAsInPtx(const ptx::Module& module, std::vector<Launch> launches) {
    for (Launch& launch : launches)
        for (const ptx::Function& function : module.functions)
            if (function.isEntry && ptx::shortName(function.name) == launch.entry)
                launch.entry = function.name;
    return launches;
}

TEST(MachineCode, IsRebuiltOnRequest) {
    if (!isRebuilding()) GTEST_SKIP() << "scripts/rebuild-machine-code asks for it";
    cuda::Disassembler disassembler;
    run::CodeArchive catalog, truth;
    const auto add = [&](run::CodeArchive& to, const ptx::Module& module, const std::string& name) {
        const cuda::Disassembler::Answer code = disassembler.of(module, kComputeCapability);
        ASSERT_TRUE(code) << name << ": " << describe(code.error());
        to.add(module.text(), **code);
    };
    for (const Instance& instance : instances())
        add(catalog, instance.module(), instance.path());
    std::set<std::string> added;
    for (const simt::Case& test : simt::cases())
        if (added.insert(test.ptx).second) add(truth, simt::experimentOf(test).module, test.ptx);
    fs::create_directories(run::shippedCodeFile(kResources, kComputeCapability).parent_path());
    ASSERT_TRUE(catalog.write(run::shippedCodeFile(kResources, kComputeCapability)));
    ASSERT_TRUE(truth.write(kOfTruth));
}

TEST(MachineCode, IsThereForEveryPrebuiltPtxAndNoOther) {
    if (isRebuilding()) GTEST_SKIP() << "the files are being written";
    const run::CodeArchive& archive = archiveOf(run::shippedCodeFile(kResources, kComputeCapability));
    EXPECT_EQ(archive.compiler(), "ptxas 13.0.88");
    std::set<std::string_view> texts;
    std::vector<ptx::Module> modules;
    for (const Instance& instance : instances()) {
        modules.push_back(instance.module());
        EXPECT_TRUE(archive.of(modules.back().text()))
            << instance.path() << ": run scripts/rebuild-machine-code";
        texts.insert(modules.back().text());
    }
    EXPECT_EQ(archive.size(), texts.size());
}

// Bit for bit, faults of the kernels included: in the catalog they do what a GPU does with them, but where
// they leave memory.
TEST(MachineCode, OfTheCatalogLeavesInMemoryWhatThePtxLeaves) {
    if (isRebuilding()) GTEST_SKIP() << "the files are being written";
    const run::CodeArchive& archive = archiveOf(run::shippedCodeFile(kResources, kComputeCapability));
    std::size_t same = 0;
    const std::vector<Instance> all = instances();
    for (const Instance& instance : all) {
        SCOPED_TRACE(instance.path());
        const ptx::Module module = instance.module();
        const Expected<sass::MachineCode> code = archive.of(module.text());
        Expected<catalog::Experiment> experiment =
            catalog::makeExperiment(instance.family, instance.variant, instance.values);
        ASSERT_TRUE(code && experiment);
        const std::vector<Launch> launches = namedAsInPtx(module, experiment->launches);
        std::vector<Buffer> want = experiment->buffers;
        ASSERT_TRUE(simt::run(module, launches, want, {}));
        const Executed got = execute(module, launches, experiment->buffers, *code);
        if (!got.fault.empty() && mayLeaveMemory(instance.variant)) {
            EXPECT_TRUE(got.fault.ends_with("which lies outside of memory")) << got.fault;
            ++same;
            continue;
        }
        EXPECT_EQ(got.fault, "");
        if (!got.fault.empty()) continue;
        EXPECT_EQ(firstDifference(want, got.buffers), "");
        ++same;
    }
    EXPECT_EQ(same, all.size());
}

// Kernels that are not executed, each with its reason; those with faults of their own end otherwise.
const std::map<std::string, std::string> kNotExecuted = {
    {"arrive_wait", "the machine instruction SYNCS at 0x110 is not executed"},
};

TEST(MachineCode, OfTheTruthKernelsLeavesInMemoryWhatThePtxLeaves) {
    if (isRebuilding()) GTEST_SKIP() << "the files are being written";
    std::size_t same = 0;
    for (const simt::Case& test : simt::cases()) {
        SCOPED_TRACE(test.id);
        const simt::Experiment experiment = simt::experimentOf(test);
        std::vector<Buffer> want = experiment.buffers;
        simt::Options limited;
        limited.limit = std::chrono::seconds(2);
        const Expected<simt::Result> result =
            simt::run(experiment.module, {&experiment.launch, 1}, want, limited);
        if (!result) continue;  // the emulator has no such instruction: wmma
        const bool isFaulty = std::ranges::any_of(
            result->findings, [](const trace::Finding& finding) { return !trace::isRemark(finding.kind); });
        if (isFaulty) continue;
        const Expected<sass::MachineCode> code = archiveOf(kOfTruth).of(experiment.module.text());
        ASSERT_TRUE(code);
        const Executed got = execute(experiment.module, {&experiment.launch, 1}, experiment.buffers, *code);
        const auto known = kNotExecuted.find(test.id);
        EXPECT_EQ(got.fault, known == kNotExecuted.end() ? "" : known->second);
        if (!got.fault.empty()) continue;
        EXPECT_EQ(firstDifference(want, got.buffers), "");
        ++same;
    }
    EXPECT_EQ(same, 53u);
}

// A GPU's own count (ncu, smsp__inst_executed) of recorded runs: the machine code takes the way that a GPU
// takes.
TEST(MachineCode, ExecutesAsManyInstructionsAsAGpu) {
    if (isRebuilding()) GTEST_SKIP() << "the files are being written";
    const run::CodeArchive& archive = archiveOf(run::shippedCodeFile(kResources, kComputeCapability));
    const nlohmann::json recording =
        nlohmann::json::parse(contentsOf(kResources.assets() / "recordings/nvidia-h200.json"));
    constexpr f64 kMost = 100'000;
    std::size_t equal = 0, compared = 0;
    for (const nlohmann::json& recorded : recording["runs"]) {
        if (!recorded.contains("counters") ||
            recorded["counters"].value("smsp__inst_executed", kMost) >= kMost)
            continue;
        const auto found = shipped().lookUp(recorded["kernel"].get<std::string>());
        if (!found) continue;
        std::vector<std::pair<std::string, std::string>> settings;
        for (const auto& [name, value] : recorded["parameters"].items())
            settings.emplace_back(name, value.get<std::string>());
        const auto values = catalog::resolve(*found->first, *found->second, settings);
        if (!values || catalog::notPrebuilt(*found->first, *found->second, *values)) continue;
        const Instance instance{*found->first, *found->second, *values};
        const ptx::Module module = instance.module();
        const Expected<sass::MachineCode> code = archive.of(module.text());
        Expected<catalog::Experiment> experiment =
            catalog::makeExperiment(*found->first, *found->second, *values);
        if (!code || !experiment) continue;
        const Executed got = execute(module, namedAsInPtx(module, experiment->launches),
                                     std::move(experiment->buffers), *code);
        if (!got.fault.empty()) continue;
        ++compared;
        const u64 counted = recorded["counters"]["smsp__inst_executed"].get<u64>();
        equal += got.counts.warpInstructions == counted;
        // What depends on who comes first (a loop that tries again) may differ.
        EXPECT_NEAR(f64(got.counts.warpInstructions), f64(counted), 0.02 * f64(counted))
            << recorded["kernel"] << " " << recorded["parameters"];
    }
    EXPECT_GE(compared, 100u);
    EXPECT_GE(equal, compared * 9 / 10);
}

}  // namespace
}  // namespace lockstep
