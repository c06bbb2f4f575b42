#include "base/copy_buffers.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace lockstep {
namespace {

std::vector<Buffer> twoBuffers() {
    return {{"M", ElementType::F32, {3 << 20}, std::vector<std::byte>(12 << 20, std::byte{7})},
            {"P", ElementType::I8, {3}, {std::byte{1}, std::byte{2}, std::byte{3}}}};
}

TEST(CopyBuffers, CopiesAllOfThem) {
    const std::vector<Buffer> from = twoBuffers();
    std::vector<Buffer> to;
    ASSERT_TRUE(copyBuffers(from, to, {}));
    ASSERT_EQ(to.size(), 2u);
    for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_EQ(to[b].name, from[b].name);
        EXPECT_EQ(to[b].type, from[b].type);
        EXPECT_EQ(to[b].shape, from[b].shape);
        EXPECT_EQ(to[b].bytes, from[b].bytes);
    }
}

TEST(CopyBuffers, EndsWithinABufferWhenNobodyWantsItAnyMore) {
    int asked = 0;
    std::vector<Buffer> to;
    EXPECT_FALSE(copyBuffers(twoBuffers(), to, [&] { return ++asked == 2; }));
    EXPECT_EQ(asked, 2);
    EXPECT_GT(to[0].bytes.size(), 0u);
    EXPECT_LT(to[0].bytes.size(), twoBuffers()[0].bytes.size());
}

}  // namespace
}  // namespace lockstep
