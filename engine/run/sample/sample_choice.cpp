#include "run/sample/sample_choice.h"

#include <algorithm>
#include <set>

namespace lockstep::run {
namespace {

struct Stretch {
    u32 first, last;
};

std::vector<Stretch> stretchesOf(u32 extent) {
    if (extent == 1) return {{0, 0}};
    if (extent == 2) return {{0, 0}, {1, 1}};
    return {{0, 0}, {1, extent - 2}, {extent - 1, extent - 1}};
}

// Axes along which the box has more than one position.
u32 dimensionsOf(const trace::SampleBox& box) {
    return u32(box.first.x != box.last.x) + u32(box.first.y != box.last.y) + u32(box.first.z != box.last.z);
}

bool isWithin(Dim3 at, const trace::SampleBox& box) {
    return at.x >= box.first.x && at.x <= box.last.x && at.y >= box.first.y && at.y <= box.last.y &&
           at.z >= box.first.z && at.z <= box.last.z;
}

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
class Random {
public:
    explicit Random(u64 seed) : state_(seed) {}
    u64 below(u64 bound) {
        state_ += 0x9e3779b97f4a7c15u;
        u64 z = state_;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return (z ^ z >> 31) % bound;
    }

private:
    u64 state_;
};

std::vector<trace::SampleBox> inwards(Dim3 grid) {
    std::vector<trace::SampleBox> boxes = boxesOf(grid);
    std::ranges::stable_sort(boxes, {}, dimensionsOf);
    return boxes;
}

}  // namespace

std::vector<trace::SampleBox> boxesOf(Dim3 grid) {
    std::vector<trace::SampleBox> boxes;
    for (const Stretch z : stretchesOf(grid.z))
        for (const Stretch y : stretchesOf(grid.y))
            for (const Stretch x : stretchesOf(grid.x))
                boxes.push_back(
                    {.first = {x.first, y.first, z.first}, .last = {x.last, y.last, z.last}, .blocks = {}});
    return boxes;
}

std::vector<u64> tellingBlocks(const trace::SampleBox& box, Dim3 grid) {
    std::set<u64> blocks;
    const auto [first, last] = std::pair(box.first, box.last);
    for (const u32 z : {first.z, last.z})
        for (const u32 y : {first.y, last.y})
            for (const u32 x : {first.x, last.x})
                blocks.insert(linearOf({x, y, z}, grid));
    if (first.x < last.x) blocks.insert(linearOf({first.x + 1, first.y, first.z}, grid));
    if (first.y < last.y) blocks.insert(linearOf({first.x, first.y + 1, first.z}, grid));
    if (first.z < last.z) blocks.insert(linearOf({first.x, first.y, first.z + 1}, grid));
    return {blocks.begin(), blocks.end()};
}

u64 neededBlocks(Dim3 grid) {
    u64 needed = 0;
    for (const trace::SampleBox& box : boxesOf(grid))
        needed += tellingBlocks(box, grid).size();
    return needed;
}

std::vector<trace::SampleBox> chooseSample(Dim3 grid, u64 blocks, u64 seed, std::span<const Dim3> focus) {
    std::vector<trace::SampleBox> boxes = boxesOf(grid);
    std::set<u64> chosen;
    const u64 all = grid.count();
    for (const Dim3 block : focus)
        if (block.x < grid.x && block.y < grid.y && block.z < grid.z) chosen.insert(linearOf(block, grid));
    if (blocks >= all)
        for (u64 block = 0; block < all; ++block)
            chosen.insert(block);
    for (const trace::SampleBox& box : inwards(grid))
        for (const u64 block : tellingBlocks(box, grid))
            if (chosen.size() < blocks) chosen.insert(block);
    Random random(seed);
    while (chosen.size() < std::min(blocks, all))
        chosen.insert(random.below(all));
    for (const u64 block : chosen)
        std::ranges::find_if(boxes, [&](const trace::SampleBox& box) {
            return isWithin(coordinatesOf(block, grid), box);
        })->blocks.push_back(block);
    return boxes;
}

}  // namespace lockstep::run
