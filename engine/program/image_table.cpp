#include "program/image_table.h"

#include <algorithm>
#include <initializer_list>

namespace lockstep::program {
namespace {

using cudart::ImageFacts;
using simt::Image;

constexpr u32 kFloat = 2;  // cudaChannelFormatKindFloat

bool isKnown(const ImageFacts& f) {
    const auto isOneOf = [](u32 value, std::initializer_list<u32> these) {
        return std::ranges::find(these, value) != these.end();
    };
    return isOneOf(f.channels, {1, 2, 4}) && isOneOf(f.channelBytes, {1, 2, 4}) && f.values <= kFloat &&
           isOneOf(f.dimensions, {1, 2, 3}) &&
           std::ranges::all_of(f.modes, [](u32 mode) { return mode <= u32(Image::AddressMode::Border); }) &&
           (f.values != kFloat || f.channelBytes > 1) &&
           (!f.isFiltered || f.isLinear || f.readsFractions || f.values == kFloat) &&
           (!f.readsFractions || (f.channelBytes < 4 && f.values != kFloat));
}

// All texels lie in so many bytes.
bool fits(const ImageFacts& f, u64 bytes) {
    constexpr u32 kMost = 1u << 31;
    if (!f.width || !f.height || !f.depth || f.width > kMost || f.height > kMost || f.depth > kMost)
        return false;
    u64 last = 0, rows = 0;
    const u64 row = u64{f.width} * f.channels * f.channelBytes;
    return !__builtin_mul_overflow(u64{f.depth} - 1, f.sliceBytes, &last) &&
           !__builtin_mul_overflow(u64{f.height} - 1, f.rowBytes, &rows) &&
           !__builtin_add_overflow(last, rows, &last) && !__builtin_add_overflow(last, row, &last) &&
           last <= bytes;
}

}  // namespace

std::optional<u64> ImageTable::add(const ImageFacts& facts, const DeviceHeap& heap, u64 caller) {
    const HeapBlock* const block = heap.find(facts.address);
    if (!block || block->isFreed || facts.address < block->address ||
        facts.address - block->address > block->bytes || !isKnown(facts))
        return std::nullopt;
    const u64 offset = facts.address - block->address;
    if (!fits(facts, block->bytes - offset)) return std::nullopt;
    made_.push_back(
        {.facts = facts, .block = u32(block - heap.blocks().data()), .offset = offset, .caller = caller});
    return kFirst + made_.size() - 1;
}

bool ImageTable::destroy(u64 number, u64 caller) {
    if (number - kFirst >= made_.size() || made_[number - kFirst].isDestroyed) return false;
    made_[number - kFirst].isDestroyed = true;
    made_[number - kFirst].destroyedBy = caller;
    return true;
}

void ImageTable::destroyAll() {
    for (MadeImage& image : made_)
        image.isDestroyed = true;
}

const MadeImage* ImageTable::find(u64 number) const {
    return number - kFirst < made_.size() ? &made_[number - kFirst] : nullptr;
}

void ImageTable::want(CodeLines& lines) const {
    for (const MadeImage& image : made_)
        if (image.isDestroyed) lines.wants(image.destroyedBy);
}

void ImageTable::addTo(simt::LastingMemory& memory, const DeviceHeap& heap) const {
    memory.firstImage = kFirst;
    for (const MadeImage& made : made_) {
        const ImageFacts& f = made.facts;
        const HeapBlock& block = heap.blocks()[made.block];
        Image image{.isTexture = f.isTexture != 0,
                    .firstByte = made.offset,
                    .address = block.address + made.offset,
                    .isLinear = f.isLinear != 0,
                    .dimensions = u8(f.dimensions),
                    .isLayered = f.isLayered != 0,
                    .width = f.width,
                    .height = f.height,
                    .depth = f.depth,
                    .rowBytes = f.rowBytes,
                    .sliceBytes = f.sliceBytes,
                    .channels = u8(f.channels),
                    .channelBytes = u8(f.channelBytes),
                    .values = Image::Values(f.values),
                    .isFiltered = f.isFiltered != 0,
                    .readsFractions = f.readsFractions != 0,
                    .hasNormalizedCoordinates = f.hasNormalizedCoordinates != 0};
        for (u32 i = 0; i < 3; ++i)
            image.modes[i] = Image::AddressMode(f.modes[i]);
        std::copy_n(f.border, 4, image.border.begin());
        if (made.isDestroyed)
            image.state = Image::State::Destroyed;
        else if (block.isFreed)
            image.state = Image::State::Freed;
        if (image.state == Image::State::Valid) {
            const simt::Allocation* const allocation = memory.find(image.address);
            image.allocation = u32(allocation - memory.allocations.data());
            image.host = block.bytesOnHost() + made.offset;
        }
        memory.images.push_back(image);
    }
}

}  // namespace lockstep::program
