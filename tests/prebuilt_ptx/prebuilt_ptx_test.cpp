// Every prebuilt PTX of the catalog is there, belongs to its source, and is what the pinned NVRTC makes of
// it, byte for byte. With LOCKSTEP_REBUILD_PTX set, writes them instead (scripts/rebuild-ptx).
#include "../support/shipped_catalog.h"
#include "catalog/catalog.h"
#include "catalog/prebuilt.h"
#include "cuda/compiler/nvrtc.h"
#include "run/catalog_ptx.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCompiler = "NVRTC 13.0.88";  // the version that third_party/versions.cmake pins
const fs::path kRoot = LOCKSTEP_SOURCE_DIR;
const fs::path kPrebuilt = kRoot / "assets/ptx";

struct Instance {
    const catalog::Family& family;
    const catalog::Variant& variant;
    catalog::Values values;
    std::string path() const { return catalog::prebuiltPath(family, variant, values); }
    std::string sourceName() const { return catalog::sourceName(family, variant); }
};

std::vector<Instance> instances() {
    std::vector<Instance> all;
    for (const catalog::Family& family : shipped().all())
        for (const catalog::Variant& variant : family.variants)
            for (catalog::Values& values : catalog::prebuiltInstances(family, variant))
                all.push_back({family, variant, std::move(values)});
    return all;
}

std::string contentsOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string build(const Instance& instance) {
    const std::string source = contentsOf(kRoot / instance.sourceName());
    const Expected<cuda::CompiledPtx> compiled =
        run::compileForAnyDevice(instance.family, instance.variant, instance.values, source);
    if (!compiled) {
        ADD_FAILURE() << describe(compiled.error());
        return {};
    }
    EXPECT_EQ(compiled->compiler, kCompiler);
    for (const Fault& warning : compiled->warnings)  // a copy in the editor would show it
        ADD_FAILURE() << describe(warning);
    const catalog::PrebuiltHeader header{compiled->compiler, compiled->flags, catalog::hashOf(source)};
    return format(header) + compiled->text;
}

bool pinnedCompilerIsHere() {
    const Expected<cuda::CompiledPtx> probe = cuda::compile("__global__ void f() {}", "f.cu");
    return probe && probe->compiler == kCompiler;
}

TEST(PrebuiltPtx, IsThereForEveryInstanceOfItsSource) {
    if (std::getenv("LOCKSTEP_REBUILD_PTX")) GTEST_SKIP() << "the files are being written";
    for (const Instance& instance : instances()) {
        const std::optional<catalog::PrebuiltHeader> header =
            catalog::readPrebuiltHeader(contentsOf(kPrebuilt / instance.path()));
        ASSERT_TRUE(header) << instance.path()
                            << " is missing or was not written by scripts/rebuild-ptx: run it";
        EXPECT_EQ(header->sourceHash, catalog::hashOf(contentsOf(kRoot / instance.sourceName())))
            << instance.sourceName() << " was changed after " << instance.path()
            << " was built: run scripts/rebuild-ptx";
    }
}

TEST(PrebuiltPtx, HasNoFileThatNoInstanceUses) {
    if (std::getenv("LOCKSTEP_REBUILD_PTX")) GTEST_SKIP() << "the files are being written";
    std::set<std::string> used;
    for (const Instance& instance : instances())
        used.insert(instance.path());
    for (const auto& item : fs::recursive_directory_iterator(kPrebuilt)) {
        if (item.path().extension() != ".ptx") continue;
        EXPECT_TRUE(used.contains(fs::relative(item.path(), kPrebuilt).generic_string()))
            << item.path() << ": delete it";
    }
}

TEST(PrebuiltPtx, IsWhatThePinnedCompilerMakes) {
    if (std::getenv("LOCKSTEP_REBUILD_PTX")) GTEST_SKIP() << "the files are being written";
    if (!pinnedCompilerIsHere()) GTEST_SKIP() << kCompiler << " is not here; scripts/get-nvrtc fetches it";
    for (const Instance& instance : instances())
        ASSERT_EQ(contentsOf(kPrebuilt / instance.path()), build(instance)) << instance.path();
}

TEST(PrebuiltPtx, IsRebuiltOnRequest) {
    if (!std::getenv("LOCKSTEP_REBUILD_PTX")) GTEST_SKIP() << "scripts/rebuild-ptx asks for it";
    ASSERT_TRUE(pinnedCompilerIsHere()) << kCompiler << " is needed; scripts/get-nvrtc fetches it";
    fs::remove_all(kPrebuilt);
    for (const Instance& instance : instances()) {
        fs::create_directories((kPrebuilt / instance.path()).parent_path());
        std::ofstream(kPrebuilt / instance.path(), std::ios::binary) << build(instance);
    }
}

}  // namespace
}  // namespace lockstep
