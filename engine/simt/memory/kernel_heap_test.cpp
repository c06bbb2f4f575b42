#include "simt/memory/kernel_heap.h"

#include <gtest/gtest.h>

namespace lockstep::simt {
namespace {

using Freed = KernelHeap::Freed;

KernelHeap::Site lineOf(u32 line) { return {.file = "a.cu", .line = line, .pc = Pc{line}}; }

TEST(KernelHeap, PiecesLieAsFarApartAsOnAnH200) {
    struct Case {
        u64 bytes, apart;
    };
    for (const auto& [bytes, apart] :
         {Case{1, 80}, {16, 80}, {64, 80}, {80, 160}, {128, 160}, {200, 240}, {256, 320}, {500, 560}}) {
        KernelHeap heap;
        const u32 site = heap.numberOf(lineOf(1));
        const u64 first = *heap.allocate(bytes, site);
        EXPECT_EQ(*heap.allocate(bytes, site) - first, apart) << bytes;
    }
}

TEST(KernelHeap, KnowsWhichBytesAreInUse) {
    KernelHeap heap;
    const u32 site = heap.numberOf(lineOf(1));
    const u64 at = *heap.allocate(40, site);
    EXPECT_EQ(at % 16, 0u);
    EXPECT_TRUE(heap.holds(at, 4));
    EXPECT_TRUE(heap.holds(at + 36, 4));
    EXPECT_FALSE(heap.holds(at + 40, 4));
    EXPECT_FALSE(heap.holds(at - 4, 4));
    EXPECT_TRUE(heap.holds(at, 32));
    EXPECT_FALSE(heap.holds(at + 32, 16));
    EXPECT_EQ(heap.free(at + 4, site), Freed::Within);
    EXPECT_EQ(heap.free(at + 4096, site), Freed::NotOfHeap);
    EXPECT_EQ(heap.free(at, site), Freed::Done);
    EXPECT_FALSE(heap.holds(at, 4));
    EXPECT_EQ(heap.free(at, site), Freed::Twice);
    EXPECT_TRUE(heap.left().empty());
}

TEST(KernelHeap, GivesFreedMemoryAgainOnceTheRestIsUsedUp) {
    KernelHeap heap(8000);
    const u32 site = heap.numberOf(lineOf(1));
    const u64 first = *heap.allocate(3000, site), second = *heap.allocate(3000, site);
    EXPECT_FALSE(heap.allocate(3000, site));
    EXPECT_EQ(heap.free(first, site), Freed::Done);
    EXPECT_EQ(heap.free(second, site), Freed::Done);
    const u64 both = *heap.allocate(6000, site);
    EXPECT_EQ(both, first);
    EXPECT_TRUE(heap.find(both)->isReused);
    heap.beginLaunch();
    EXPECT_FALSE(heap.find(both)->isReused);
}

TEST(KernelHeap, SaysWhatIsLeftByTheSiteThatAllocatedIt) {
    KernelHeap heap;
    const u32 one = heap.numberOf(lineOf(1)), two = heap.numberOf(lineOf(2));
    EXPECT_EQ(heap.numberOf(lineOf(1)), one);
    heap.allocate(10, one);
    heap.allocate(20, two);
    heap.allocate(30, two);
    const std::vector<KernelHeap::Left> left = heap.left();
    ASSERT_EQ(left.size(), 2u);
    EXPECT_EQ(left[1].site, lineOf(2));
    EXPECT_EQ(left[1].count, 2u);
    EXPECT_EQ(left[1].bytes, 50u);
}

}  // namespace
}  // namespace lockstep::simt
