#include "explain/sentences/address_names.h"

#include "model/access/test_access.h"
#include "model/test_kernel.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using model::accessAt, model::pcOf, model::testModule, model::testRecording;

TEST(NameOfBufferBytes, UsesRowMajorIndices) {
    const trace::Recording recording = testRecording();
    const Buffer &matrix = recording.initial[0], &row = recording.initial[1];
    struct Case {
        const Buffer& buffer;
        s64 offset;
        u32 width;
        const char* name;
    };
    const Case cases[] = {
        {matrix, 0, 4, "M[0][0]"},    {matrix, 12, 4, "M[1][0]"},     {matrix, 32, 4, "M[2][2]"},
        {matrix, 36, 4, "M[3][0]"},   {matrix, -4, 4, "M[-1][2]"},    {matrix, 13, 1, "M + 13 bytes"},
        {matrix, 1, 1, "M + 1 byte"}, {matrix, -6, 4, "M - 6 bytes"}, {matrix, 8, 2, "M + 8 bytes"},
        {row, 36, 4, "P[9]"},         {row, -8, 4, "P[-2]"},          {row, 16, 16, "P[4..7]"},
        {matrix, 0, 8, "M[0][0..1]"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(nameOfBufferBytes(c.buffer, c.offset, c.width), c.name);
    const Buffer cube{
        .name = "T", .type = ElementType::U8, .shape = {2, 3, 4}, .bytes = std::vector<std::byte>(24)};
    EXPECT_EQ(nameOfBufferBytes(cube, 23, 1), "T[1][2][3]");
    const Buffer shapeless{.name = "x", .type = ElementType::U8, .shape = {}, .bytes = {}};
    EXPECT_EQ(nameOfBufferBytes(shapeless, 5, 1), "x[5]");
    const Buffer empty{.name = "x", .type = ElementType::U8, .shape = {0, 0}, .bytes = {}};
    EXPECT_EQ(nameOfBufferBytes(empty, 5, 1), "x + 5 bytes");
}

TEST(NameOfElement, HasTheIndicesOfItsBuffer) {
    const std::vector<Buffer> buffers{{"v", ElementType::F64, {32}, std::vector<std::byte>(256)},
                                      {"out", ElementType::F32, {8, 64}, std::vector<std::byte>(2048)}};
    EXPECT_EQ(nameOfElement(buffers, "out", 65), "out[1][1]");
    EXPECT_EQ(nameOfElement(buffers, "v", 3), "v[3]");
    EXPECT_EQ(nameOfElement(buffers, "gone", 3), "gone[3]");
}

TEST(NameOfBufferBytes, CountsVectorsWhereTheSourceHasThem) {
    const Buffer words{
        .name = "in", .type = ElementType::F32, .shape = {32}, .bytes = std::vector<std::byte>(128)};
    const TypeLayout four = layoutOf("const float4*", ""), two = layoutOf("float2*", ""),
                     mixed = layoutOf("Item*", "struct Item { int a[3]; float key; };");
    EXPECT_EQ(nameOfBufferBytes(words, 48, 16, four), "in[3]");
    EXPECT_EQ(nameOfBufferBytes(words, 48, 4, four), "in[3].x");
    EXPECT_EQ(nameOfBufferBytes(words, 60, 4, four), "in[3].w");
    EXPECT_EQ(nameOfBufferBytes(words, 12, 4, two), "in[1].y");
    EXPECT_EQ(nameOfBufferBytes(words, -4, 4, four), "in[-1].w");
    EXPECT_EQ(nameOfBufferBytes(words, 32, 32, four), "in[2..3]");
    EXPECT_EQ(nameOfBufferBytes(words, 20, 4, mixed), "in[1].a[1]");
    EXPECT_EQ(nameOfBufferBytes(words, 28, 4, mixed), "in[1].key");
    EXPECT_EQ(nameOfBufferBytes(words, 48, 16), "in[12..15]");
}

TEST(NameOfAddress, KnowsBuffersModuleVariablesAndSharedArrays) {
    const ptx::Module module = testModule();
    const trace::Recording recording = testRecording();
    const auto name = [&](trace::Space space, u64 address, std::span<const ArrayShape> shapes = {}) {
        trace::WarpAccess access = accessAt(space, trace::AccessKind::Load, 4, [=](u64) { return address; });
        access.pc = pcOf(module, "ld.shared.f32");
        return nameOfAddress(access, Lane{7}, module, recording, shapes);
    };
    const ArrayShape tile{.name = "Mds", .shape = {2, 2}, .elementBytes = 4};
    EXPECT_EQ(name(trace::Space::Global, deviceAddressOf(0) + 12), "M[1][0]");
    EXPECT_EQ(name(trace::Space::Global, deviceAddressOf(1) + 40), "P[10]");
    EXPECT_EQ(name(trace::Space::Global, deviceAddressOf(2) + 8), "table + 8 bytes");
    EXPECT_EQ(name(trace::Space::Global, deviceAddressOf(3)), "");
    EXPECT_EQ(name(trace::Space::Global, 16), "");
    EXPECT_EQ(name(trace::Space::Shared, 12), "Mds + 12 bytes");
    EXPECT_EQ(name(trace::Space::Shared, 12, {&tile, 1}), "Mds[1][1]");
    EXPECT_EQ(name(trace::Space::Shared, 16), "Nds");
    EXPECT_EQ(name(trace::Space::Shared, 52), "dynamic + 4 bytes");
    EXPECT_EQ(name(trace::Space::Local, 0), "");
}

}  // namespace
}  // namespace lockstep::explain
