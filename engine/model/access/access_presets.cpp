// The classic access patterns, one row each.
#include "model/access/access_pattern.h"

#include <algorithm>
#include <array>

namespace lockstep::model {
namespace {

using trace::Space;

AccessPreset preset(std::string_view name, Words title, Space space, std::string expression,
                    u32 widthBytes = 4, RowLayout rows = {}, LaneMask off = {}) {
    return {.name = name,
            .title = title,
            .pattern = {.space = space,
                        .widthBytes = widthBytes,
                        .expression = std::move(expression),
                        .rows = rows,
                        .off = off}};
}

}  // namespace

std::span<const AccessPreset> accessPresets() {
    static const std::array kPresets{
        preset("column", english("A column of 32 × 32 words"), Space::Shared, "tid * 32"),
        preset("column-padded", english("The column, a word of padding per row"), Space::Shared, "tid * 32",
               4, {.padding = 1}),
        preset("column-swizzled", english("The column, XOR swizzle"), Space::Shared, "tid * 32", 4,
               {.swizzled = true}),
        preset("row", english("Neighboring words"), Space::Shared, "tid"),
        preset("broadcast", english("One word for all lanes"), Space::Shared, "0"),
        preset("stride-2", english("Every second word"), Space::Shared, "tid * 2"),
        preset("four-words", english("Four words per lane (float4)"), Space::Shared, "tid", 16),
        preset("aligned", english("Neighboring words, aligned"), Space::Global, "tid"),
        preset("off-by-one", english("One word off"), Space::Global, "tid + 1"),
        preset("swapped", english("Lanes 3 and 4 of each half change places"), Space::Global,
               "tid % 16 == 3 ? tid + 1 : tid % 16 == 4 ? tid - 1 : tid"),
        preset("reversed", english("Backwards"), Space::Global, "31 - tid"),
        preset("structures", english("One member of 12-byte structures"), Space::Global, "tid * 3"),
        preset("matrix-column", english("A column of a wide matrix"), Space::Global, "tid * 1024"),
        preset("half-off", english("Only the first half of the lanes"), Space::Global, "tid", 4, {},
               ~LaneMask::firstLanes(16)),
        preset("bytes", english("One byte per lane"), Space::Global, "tid", 1),
        preset("scattered", english("Scattered"), Space::Global, "tid * 73 % 256"),
    };
    return kPresets;
}

const AccessPreset* findAccessPreset(std::string_view name) {
    const auto found = std::ranges::find(accessPresets(), name, &AccessPreset::name);
    return found == accessPresets().end() ? nullptr : &*found;
}

const AccessPreset* presetOf(const AccessPattern& pattern) {
    const Expected<AccessQuery> query = queryOf(pattern);
    const auto found = std::ranges::find_if(accessPresets(), [&](const AccessPreset& preset) {
        AccessPattern same = pattern;
        same.expression = preset.pattern.expression;
        if (same != preset.pattern) return false;
        const Expected<AccessQuery> its = queryOf(preset.pattern);
        return pattern == preset.pattern || (query && its && query->offsets == its->offsets);
    });
    return found == accessPresets().end() ? nullptr : &*found;
}

}  // namespace lockstep::model
