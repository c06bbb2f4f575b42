// Extents from what was given and from the buffers' lengths, and the references without a family.
#include "catalog/references/reference_extents.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::catalog {
namespace {

std::string solved(std::string_view reference, const std::vector<u64>& lengths, const Extents& given = {}) {
    std::vector<SuppliedBuffer> supplied;
    for (const u64 length : lengths)
        supplied.push_back({u32(supplied.size()), length});
    const Expected<Extents> extents = solveExtents(*findReference(reference), supplied, given);
    if (!extents) return extents.error().message.english();
    std::string text;
    for (const auto& [name, value] : *extents)
        text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
    return text;
}

TEST(ReferenceExtents, FollowFromTheBuffers) {
    EXPECT_EQ(solved("matmul", {9, 9, 9}), "j=3 k=3 l=3");
    EXPECT_EQ(solved("matmul", {12, 20, 15}), "j=3 k=4 l=5");
    EXPECT_EQ(
        solved("matmul", {12, 12, 12}),
        "matmul: j, k and l do not follow from the buffers (M has 12, N has 12 and P has 12 elements): give "
        "width, or j, k and l");
    EXPECT_EQ(solved("transpose", {64, 64}), "columns=8 rows=8");
    EXPECT_EQ(solved("transpose", {64, 64}, {{"rows", 2}}), "columns=32 rows=2");
    EXPECT_EQ(solved("row_reduction", {4096, 64}), "batches=64 n=64");
    EXPECT_EQ(solved("histogram", {1000, 10}), "bins=10 n=1000");
    EXPECT_EQ(solved("scan", {8, 9}),
              "scan: n does not follow from the buffers (in has 8 and out has 9 elements): give n");
}

TEST(ReferenceExtents, ThatWereGivenMustFit) {
    EXPECT_EQ(solved("matmul", {100, 100, 100}, {{"width", 8}}), "j=8 k=8 l=8");
    EXPECT_EQ(solved("matmul", {12, 20, 15}, {{"j", 3}}), "j=3 k=4 l=5");
    EXPECT_EQ(
        solved("matmul", {9, 9, 8}, {{"width", 3}}),
        "matmul: P needs 9 elements (j x l = 3 x 3), but argument 2 has 8; give other values, or a longer "
        "buffer");
    EXPECT_EQ(solved("matmul", {9, 9, 9}, {{"width", 1 << 20}, {"j", 3}}),
              "matmul: give width, or j, k and l, not both");
    EXPECT_NE(solved("matmul", {9, 9, 9}, {{"width", u64{1} << 40}}).find("too many elements"),
              std::string::npos);
    EXPECT_NE(solved("matmul", {12, 20, 15}, {{"j", 5}}).find("do not follow"), std::string::npos);
}

TEST(ReferenceExtents, EveryReferenceNamesThem) {
    for (const Reference& reference : references())
        for (const ReferenceBuffer& buffer : reference.buffers) {
            EXPECT_EQ(buffer.extents.size(), buffer.dimensions) << reference.name;
            for (const std::string_view extent : buffer.extents)
                EXPECT_TRUE(std::ranges::none_of(reference.buffers,
                                                 [&](const auto& other) { return other.name == extent; }))
                    << reference.name << " has a buffer and an extent " << extent;
        }
    EXPECT_EQ(namesTaken(*findReference("matmul")).english(), "M, N, P and width (or j, k and l)");
    EXPECT_EQ(namesTaken(*findReference("reduction")).english(), "in, out, n, parts, op and chunk");
}

Experiment twoBuffers(const std::vector<u64>& in, const std::vector<u64>& out) {
    Experiment experiment;
    for (auto& [name, shape] : {std::pair{"in", in}, std::pair{"out", out}}) {
        u64 count = 1;
        for (const u64 extent : shape)
            count *= extent;
        Buffer buffer{.name = name, .type = ElementType::F32, .shape = shape, .bytes = {}};
        buffer.bytes.resize(4 * count);
        for (u64 i = 0; i < count; ++i)
            buffer.as<f32>()[i] = f32(i);
        experiment.buffers.push_back(std::move(buffer));
    }
    return experiment;
}

std::vector<f32> resultOf(std::string_view reference, const Experiment& experiment) {
    EXPECT_EQ(findReference(reference)->check(experiment).english(), "");
    const std::map<u32, Buffer> results = findReference(reference)->compute(experiment, nullptr);
    EXPECT_EQ(results.size(), 1u);
    const std::span<const f32> elements = results.at(1).as<f32>();
    return {elements.begin(), elements.end()};
}

TEST(MovementReferences, CopyAndTranspose) {
    EXPECT_EQ(resultOf("copy", twoBuffers({3}, {3})), (std::vector<f32>{0, 1, 2}));
    EXPECT_EQ(resultOf("transpose", twoBuffers({2, 3}, {3, 2})), (std::vector<f32>{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(findReference("transpose")->check(twoBuffers({2, 3}, {2, 3})).english(),
              "in is 2 x 3 and out is 2 x 3: a transpose needs rows x columns and columns x rows");
}

TEST(ReductionReference, FoldsPartsOfTheInput) {
    Family family;
    Parameter op;
    op.name = "op";
    op.choices = {"sum", "max"};
    family.parameters = {op};
    const auto reduced = [&](u64 in, u64 out, Values values) {
        Experiment experiment = twoBuffers({in}, {out});
        experiment.family = &family;
        experiment.values = std::move(values);
        const std::string wrong = findReference("reduction")->check(experiment).english();
        return wrong.empty() ? std::pair(wrong, resultOf("reduction", experiment))
                             : std::pair(wrong, std::vector<f32>{});
    };
    EXPECT_EQ(reduced(6, 1, {{"op", 0}}).second, (std::vector<f32>{15}));
    EXPECT_EQ(reduced(6, 2, {{"op", 1}}).second, (std::vector<f32>{2, 5}));
    EXPECT_EQ(reduced(5, 2, {{"op", 0}, {"chunk", 4}}).second, (std::vector<f32>{6, 4}));
    EXPECT_EQ(reduced(5, 2, {{"op", 0}}).first,
              "5 elements are not 2 equal parts: give chunk, the elements of one part");
    EXPECT_EQ(reduced(5, 2, {{"op", 0}, {"chunk", 2}}).first,
              "5 elements in parts of 2 are 3 parts, and out has 2 elements");
}

}  // namespace
}  // namespace lockstep::catalog
