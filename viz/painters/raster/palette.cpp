#include "viz/painters/raster/animation.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr std::size_t kMostColors = 256;

u32 distance(const std::array<u8, 3>& a, const std::array<u8, 3>& b) {
    u32 sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        sum += u32((int(a[i]) - int(b[i])) * (int(a[i]) - int(b[i])));
    return sum;
}

}  // namespace

void ColorCount::add(const Image& image) {
    u32 last = 0;
    u64* count = nullptr;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        const u32 color = u32{image.rgba[i]} << 16 | u32{image.rgba[i + 1]} << 8 | image.rgba[i + 2];
        if (!count || color != last) count = &pixels_[color], last = color;
        ++*count;
    }
}

Palette ColorCount::palette() const {
    std::vector<std::pair<u64, u32>> found;
    for (const auto& [color, pixels] : pixels_)
        found.emplace_back(pixels, color);
    std::ranges::sort(found, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    const auto parts = [](u32 color) {
        return std::array<u8, 3>{u8(color >> 16), u8(color >> 8), u8(color)};
    };
    Palette palette;
    std::vector<bool> isTaken(found.size());
    // Ever closer neighbors are let in until the palette is full.
    for (u32 apart = found.size() > kMostColors ? 32 : 0;; apart /= 2) {
        for (std::size_t i = 0; i < found.size() && palette.size() < kMostColors; ++i) {
            if (isTaken[i]) continue;
            const std::array<u8, 3> color = parts(found[i].second);
            if (std::ranges::any_of(
                    palette, [&](const auto& other) { return distance(color, other) < apart * apart; }))
                continue;
            palette.push_back(color);
            isTaken[i] = true;
        }
        if (apart == 0 || palette.size() == kMostColors) return palette;
    }
}

}  // namespace lockstep::viz
