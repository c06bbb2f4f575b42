#include "catalog/prebuilt.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

TEST(Prebuilt, PathsNameOnlyWhatTheTextDependsOn) {
    const Catalog catalog = *Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    const Family& matmul = *catalog.find("matmul");
    const std::vector<std::pair<std::string, std::string>> settings{{"width", "3"}, {"tile", "2"}};
    const Values values = *resolve(matmul, settings);
    EXPECT_EQ(prebuiltPath(matmul, *matmul.find("naive"), values), "matmul/naive.ptx");
    EXPECT_EQ(prebuiltPath(matmul, *matmul.find("tiled-bounds"), values), "matmul/tiled-bounds/tile=2.ptx");
    EXPECT_EQ(sourceName(matmul, *matmul.find("tiled-bounds")), "kernels/matmul/tiled_bounds.cu");
    EXPECT_EQ(entriesOf(matmul, *matmul.find("tiled-bounds"), values),
              std::vector<std::string>{"mm_tiled_bounds<2>"});

    EXPECT_EQ(prebuiltInstances(matmul, *matmul.find("naive")).size(), 1u);
    const std::vector<Values> instances = prebuiltInstances(matmul, *matmul.find("tiled"));
    EXPECT_EQ(instances.size(), matmul.findParameter("tile")->prebuilt.size());
    EXPECT_EQ(instances.front().at("tile"), 2);
    EXPECT_EQ(instances.back().at("tile"), 32);
}

TEST(Prebuilt, WhatIsImpossibleHasNoFile) {
    const Expected<Family> family = parseFamily(
        "title = { en = 'a', zh = 'b' }\nstory = { en = 'a', zh = 'b' }\nparameters = [\n"
        "{ name = 'rows', kind = 'compile', values = [16, 32, 64], default = 16, help = { en = 'a', zh = 'b' "
        "} },\n"
        "{ name = 'type', kind = 'compile', choices = ['i64', 'f32'], default = 'f32', help = { en = 'a', zh "
        "= 'b' } },\n"
        "{ name = 'n', min = 1, max = 8, default = 8, help = { en = 'a', zh = 'b' } },\n]\n"
        "requires = [{ that = 'type == f32 || rows < 64', message = { en = 'a', zh = 'b' } }, { that = 'rows "
        "> n', message = { en = 'a', zh = 'b' } }]\n"
        "buffers = [{ name = 'x', type = 'i32', shape = ['n'] }]\n[[variants]]\nname = 'v'\nfile = "
        "'v.cu'\ntitle = { en = 'a', zh = 'b' }\n"
        "launches = [{ entry = 'v<{type}, {rows}>', grid = ['n'], block = ['rows'] }]\n",
        "kernels/f/family.toml");
    ASSERT_TRUE(family) << describe(family.error());
    std::vector<std::string> paths;
    for (const Values& values : prebuiltInstances(*family, family->variants[0]))
        paths.push_back(prebuiltPath(*family, family->variants[0], values));
    EXPECT_EQ(paths, (std::vector<std::string>{"f/v/rows=16,type=i64.ptx", "f/v/rows=16,type=f32.ptx",
                                               "f/v/rows=32,type=i64.ptx", "f/v/rows=32,type=f32.ptx",
                                               "f/v/rows=64,type=f32.ptx"}));
}

TEST(Prebuilt, OneFileHasAllInstancesOfAComputedParameter) {
    const Catalog catalog = *Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    const Family& reduction = *catalog.find("reduction");
    const Variant& turnkey = *reduction.find("turnkey");
    const std::vector<std::pair<std::string, std::string>> settings{{"type", "i64"}, {"op", "xor"}};
    const Values values = *resolve(reduction, turnkey, settings);
    EXPECT_EQ(prebuiltPath(reduction, turnkey, values), "reduction/turnkey/type=i64,op=xor.ptx");
    const std::vector<std::string> entries = entriesOf(reduction, turnkey, values);
    EXPECT_EQ(entries.size(), 11u) << "the powers of two from 1 to 1024";
    EXPECT_EQ(entries.front(), "reduce_batches<long long, Xor, 1>");
    EXPECT_EQ(entries.back(), "reduce_batches<long long, Xor, 1024>");
    EXPECT_EQ(
        prebuiltInstances(reduction, turnkey).size(),
        reduction.findParameter("type")->prebuilt.size() * reduction.findParameter("op")->prebuilt.size());
}

TEST(Prebuilt, ValuesOfTheParametersThatTheEntriesNameAreSaid) {
    const Catalog catalog = *Catalog::read(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "kernels");
    const Family& matmul = *catalog.find("matmul");
    const Parameter &tile = *matmul.findParameter("tile"), &width = *matmul.findParameter("width");
    const Variant &tiled = *matmul.find("tiled"), &naive = *matmul.find("naive");
    Values values = *resolve(matmul, {});
    EXPECT_EQ(notPrebuilt(matmul, tiled, values), nullptr);
    values["tile"] = 5;
    EXPECT_EQ(notPrebuilt(matmul, tiled, values), &tile);
    EXPECT_EQ(notPrebuilt(matmul, naive, values), nullptr) << "its entry is the same for every tile";

    ASSERT_TRUE(prebuiltValues(matmul, tiled, tile));
    EXPECT_EQ(prebuiltValues(matmul, tiled, tile)->english(), "2, 4, 8, 16 and 32");
    EXPECT_FALSE(prebuiltValues(matmul, tiled, width));
    EXPECT_FALSE(prebuiltValues(matmul, naive, tile));
    const Family& stencil = *catalog.find("stencil");
    EXPECT_FALSE(prebuiltValues(stencil, *stencil.find("tiled"), *stencil.findParameter("tile")))
        << "all of them";
}

TEST(Prebuilt, HeaderIsReadBack) {
    const PrebuiltHeader header{.compiler = "NVRTC 13.0.88",
                                .flags = "--gpu-architecture=compute_75 -lineinfo",
                                .sourceHash = hashOf("x")};
    EXPECT_EQ(format(header),
              "// Prebuilt by Lockstep: NVRTC 13.0.88 --gpu-architecture=compute_75 -lineinfo; source "
              "af63f54c86021707\n");
    EXPECT_EQ(readPrebuiltHeader(format(header) + ".version 6.3\n"), header);
    EXPECT_FALSE(readPrebuiltHeader("//\n// Generated by NVIDIA NVVM Compiler\n"));
}

// Published test vectors of 64-bit FNV-1a: draft-eastlake-fnv, "Test Vectors".
TEST(Prebuilt, HashIsFnv1a) {
    EXPECT_EQ(hashOf(""), "cbf29ce484222325");
    EXPECT_EQ(hashOf("a"), "af63dc4c8601ec8c");
    EXPECT_EQ(hashOf("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace lockstep::catalog
