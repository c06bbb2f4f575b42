#include "program/device_heap.h"

#include <gtest/gtest.h>

namespace lockstep::program {
namespace {

using cudart::Memory;

constexpr u64 kMiB = u64{1} << 20;

TEST(DeviceHeap, GivesEachAllocationAPlaceOfItsOwn) {
    DeviceHeap heap(64 * kMiB);
    const u64 a = heap.allocate(100, Memory::Device, 1)->address,
              b = heap.allocate(kMiB, Memory::Managed, 2)->address;
    EXPECT_TRUE(cudart::isDeviceAddress(a));
    EXPECT_EQ(a % 256, 0u);
    EXPECT_EQ(b % 4096, 0u) << "the host maps it there";
    EXPECT_GE(b - a, u64{1} << 29) << "far apart";
    EXPECT_EQ(heap.find(a + 99)->address, a);
    EXPECT_EQ(heap.find(a + 10'000'000)->address, a)
        << "out of bounds, it is still known which one was meant";
    EXPECT_EQ(heap.find(0x1234), nullptr);
    EXPECT_EQ(heap.freeBytes(), 63 * kMiB - 100);
}

TEST(DeviceHeap, RefusesMoreThanThereIs) {
    DeviceHeap heap(kMiB);
    EXPECT_EQ(heap.allocate(kMiB + 1, Memory::Device, 0), nullptr);
    ASSERT_NE(heap.allocate(kMiB, Memory::Device, 0), nullptr);
    EXPECT_EQ(heap.allocate(1, Memory::Device, 0), nullptr);
}

TEST(DeviceHeap, RemembersWhatWasFreedAndByWhom) {
    DeviceHeap heap(kMiB);
    const u64 address = heap.allocate(kMiB, Memory::Device, 7)->address;
    EXPECT_FALSE(heap.free(address + 4, 9));
    EXPECT_TRUE(heap.free(address, 9));
    EXPECT_FALSE(heap.free(address, 9)) << "twice";
    ASSERT_NE(heap.find(address), nullptr);
    EXPECT_TRUE(heap.find(address)->isFreed);
    EXPECT_EQ(heap.find(address)->freedBy, 9u);
    EXPECT_NE(heap.allocate(kMiB, Memory::Device, 0)->address, address) << "so that a use after free is told";
}

TEST(DeviceHeap, GivesThePlacesFreedLongestAgoAgain) {
    DeviceHeap heap(u64{8} << 30);
    const u64 kept = heap.allocate(64, Memory::Device, 1)->address;
    std::vector<u64> freed;
    const auto makeAndFree = [&](u64 bytes) {
        const HeapBlock* const made = heap.allocate(bytes, Memory::Managed, 2);
        if (!made) return u64{0};
        const u64 address = made->address;
        EXPECT_TRUE(heap.free(address, 3));
        return address;
    };
    while (freed.size() < 100'000) {
        const u64 address = makeAndFree(4);
        ASSERT_NE(address, 0u) << "after " << freed.size();
        ASSERT_NE(address, kept);
        if (!freed.empty() && address == freed.front()) break;
        freed.push_back(address);
    }
    EXPECT_GT(freed.size(), 24'000u) << "a use after free is told as long as may be";
    EXPECT_LT(freed.size(), 25'000u);
    EXPECT_EQ(makeAndFree(4), freed[1]);
    EXPECT_NE(makeAndFree(u64{5} << 30), 0u) << "large ones find room, too: among neighbors";
    EXPECT_EQ(heap.find(kept)->caller, 1u);
    EXPECT_FALSE(heap.find(kept)->isFreed);
    EXPECT_EQ(heap.freeBytes(), (u64{8} << 30) - 64);
}

TEST(DeviceHeap, LaunchesSeeWhatIsAlive) {
    DeviceHeap heap(kMiB);
    const u64 a = heap.allocate(64, Memory::Device, 0)->address,
              b = heap.allocate(64, Memory::Device, 0)->address;
    heap.free(a, 0);
    const ptx::Module module;
    const simt::LastingMemory memory = heap.memoryFor(0, module);
    ASSERT_EQ(memory.allocations.size(), 1u);
    EXPECT_EQ(memory.find(a), nullptr);
    ASSERT_NE(memory.find(b + 200), nullptr);
    EXPECT_EQ(memory.find(b + 200)->base, b);
    EXPECT_EQ(memory.find(b)->bytes, 64u);
}

}  // namespace
}  // namespace lockstep::program
