// The classic access patterns, one row each.
#include "model/access_pattern.h"

#include <algorithm>
#include <array>

namespace lockstep::model {
namespace {

using trace::Space;

AccessPreset preset(std::string_view name, Text title, Space space, std::string expression,
                    u32 widthBytes = 4, RowLayout rows = {}, LaneMask off = {}) {
    return {.name = name,
            .title = std::move(title),
            .pattern = {.space = space,
                        .widthBytes = widthBytes,
                        .expression = std::move(expression),
                        .rows = rows,
                        .off = off}};
}

}  // namespace

std::span<const AccessPreset> accessPresets() {
    static const std::array kPresets{
        preset("column", {"A column of 32 × 32 words", "32 × 32 个字中的一列"}, Space::Shared, "tid * 32"),
        preset("column-padded", {"The column, a word of padding per row", "同一列，每行末尾填充一个字"},
               Space::Shared, "tid * 32", 4, {.padding = 1}),
        preset("column-swizzled", {"The column, XOR swizzle", "同一列，用异或重排"}, Space::Shared,
               "tid * 32", 4, {.swizzled = true}),
        preset("row", {"Neighboring words", "相邻的字"}, Space::Shared, "tid"),
        preset("broadcast", {"One word for all lanes", "所有通道取同一个字"}, Space::Shared, "0"),
        preset("stride-2", {"Every second word", "每隔一个字取一个"}, Space::Shared, "tid * 2"),
        preset("four-words", {"Four words per lane (float4)", "每个通道四个字（float4）"}, Space::Shared,
               "tid", 16),
        preset("aligned", {"Neighboring words, aligned", "相邻的字，对齐"}, Space::Global, "tid"),
        preset("off-by-one", {"One word off", "错开一个字"}, Space::Global, "tid + 1"),
        preset("swapped", {"Lanes 3 and 4 of each half change places", "每个半线程束的通道 3 和 4 互换"},
               Space::Global, "tid % 16 == 3 ? tid + 1 : tid % 16 == 4 ? tid - 1 : tid"),
        preset("reversed", {"Backwards", "倒序"}, Space::Global, "31 - tid"),
        preset("structures", {"One member of 12-byte structures", "12 字节结构体的一个成员"}, Space::Global,
               "tid * 3"),
        preset("matrix-column", {"A column of a wide matrix", "宽矩阵的一列"}, Space::Global, "tid * 1024"),
        preset("half-off", {"Only the first half of the lanes", "只有前一半通道"}, Space::Global, "tid", 4,
               {}, ~LaneMask::firstLanes(16)),
        preset("bytes", {"One byte per lane", "每个通道一个字节"}, Space::Global, "tid", 1),
        preset("scattered", {"Scattered", "离散"}, Space::Global, "tid * 73 % 256"),
    };
    return kPresets;
}

const AccessPreset* findAccessPreset(std::string_view name) {
    const auto found = std::ranges::find(accessPresets(), name, &AccessPreset::name);
    return found == accessPresets().end() ? nullptr : &*found;
}

}  // namespace lockstep::model
