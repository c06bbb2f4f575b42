#include "app/shell/drawing/changed_tiles.h"

#include "app/shell/drawing/solid_rects.h"

#include <bit>
#include <cmath>
#include <limits>

namespace lockstep::shell {
namespace {

u64 mixed(u64 hash, u64 value) {
    constexpr u64 kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    return std::rotl((hash ^ value) * kOdd, 29);
}
u64 mixed(u64 hash, const ImVec2& v) { return mixed(hash, std::bit_cast<u64>(v)); }
u64 mixed(u64 hash, const ImVec4& v) { return mixed(mixed(hash, ImVec2{v.x, v.y}), ImVec2{v.z, v.w}); }
u64 mixed(u64 hash, const ImDrawVert& v) { return mixed(mixed(mixed(hash, v.pos), v.uv), u64{v.col}); }

// ImGui's texture data has its own number before the renderer assigns one.
u64 textureOf(const ImDrawCmd& command) {
    return command.TexRef._TexData ? u64(command.TexRef._TexData->UniqueID) : u64(command.TexRef._TexID);
}

const ImDrawVert& corner(const ImDrawList& list, const ImDrawCmd& command, u32 index) {
    return list.VtxBuffer.Data[command.VtxOffset + list.IdxBuffer.Data[command.IdxOffset + index]];
}

bool overlap(const PixelBox& a, const PixelBox& b) { return !both(a, b).isEmpty(); }
PixelBox around(const PixelBox& a, const PixelBox& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
}

// Merges the two boxes with the least cost, and any that the result overlaps.
void mergeTwo(std::vector<PixelBox>& boxes) {
    std::size_t first = 0, second = 1;
    s64 least = std::numeric_limits<s64>::max();
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = a + 1; b < boxes.size(); ++b)
            if (const s64 more = around(boxes[a], boxes[b]).count() - boxes[a].count() - boxes[b].count();
                more < least)
                least = more, first = a, second = b;
    PixelBox merged = around(boxes[first], boxes[second]);
    boxes.erase(boxes.begin() + std::ptrdiff_t(second));
    boxes.erase(boxes.begin() + std::ptrdiff_t(first));
    for (std::size_t i = 0; i < boxes.size();) {
        if (!overlap(merged, boxes[i])) {
            ++i;
            continue;
        }
        merged = around(merged, boxes[i]);
        boxes.erase(boxes.begin() + std::ptrdiff_t(i));
        i = 0;
    }
    boxes.push_back(merged);
}

}  // namespace

// One pixel larger on each side: the renderer decides which pixels an edge covers.
ChangedTiles::Reach ChangedTiles::reachOf(f32 left, f32 top, f32 right, f32 bottom) const {
    const auto tile = [](f32 pixel, int most) {
        return u16(std::clamp(int(std::floor(pixel / f32(kSide))), 0, most));
    };
    if (!(left <= right && top <= bottom)) return {};
    return {tile(left - 1, columns_), tile(top - 1, rows_), tile(right + 1 + kSide, columns_),
            tile(bottom + 1 + kSide, rows_)};
}

void ChangedTiles::mark(Reach reach, u64 what) {
    reaches_.push_back(reach);
    for (int y = reach.top; y < reach.bottom; ++y)
        for (int x = reach.left; x < reach.right; ++x) {
            u64& tile = now_[indexOf(x, y)];
            tile = mixed(tile, what);
        }
}

std::vector<PixelBox> ChangedTiles::take(const ImDrawData& data) {
    before_.swap(now_);
    if (const PixelBox frame = wholeFrame(data); !(frame == frame_)) {
        frame_ = frame;
        columns_ = (frame.right + kSide - 1) / kSide, rows_ = (frame.bottom + kSide - 1) / kSide;
        before_.clear();
    }
    now_.assign(std::size_t(columns_) * std::size_t(rows_), 0);
    reaches_.clear();

    const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
    for (const ImDrawList* list : data.CmdLists)
        for (const ImDrawCmd& command : list->CmdBuffer) {
            if (command.UserCallback) {
                const PixelBox box = solidBox(command);
                mark(reachOf(f32(box.left), f32(box.top), f32(box.right), f32(box.bottom)),
                     mixed(mixed(1, command.ClipRect), u64{solidColor(command)}));
                continue;
            }
            const PixelBox clip = scissorOf(command.ClipRect, data);
            const u64 state = mixed(mixed(2, command.ClipRect), textureOf(command));
            for (u32 i = 0; i + 2 < command.ElemCount; i += 3) {
                const ImDrawVert &a = corner(*list, command, i), &b = corner(*list, command, i + 1),
                                 &c = corner(*list, command, i + 2);
                const auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
                const auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
                const Reach reach = reachOf(std::max((left - origin.x) * scale.x, f32(clip.left)),
                                            std::max((top - origin.y) * scale.y, f32(clip.top)),
                                            std::min((right - origin.x) * scale.x, f32(clip.right)),
                                            std::min((bottom - origin.y) * scale.y, f32(clip.bottom)));
                mark(reach, mixed(mixed(mixed(state, a), b), c));
            }
        }
    return changed();
}

std::vector<PixelBox> ChangedTiles::changed() const {
    if (before_.empty()) return {frame_};
    std::vector<char> differs(now_.size());
    for (std::size_t i = 0; i < now_.size(); ++i)
        differs[i] = now_[i] != before_[i];
    const auto rowDiffers = [&](int y, int left, int right) {
        const auto row = differs.begin() + std::ptrdiff_t(y) * columns_;
        return std::all_of(row + left, row + right, [](char d) { return d; });
    };
    constexpr std::size_t kMany = 64, kFew = 8;  // a box costs a pass over the triangles
    std::vector<PixelBox> boxes;
    for (int y = 0; y < rows_; ++y)
        for (int x = 0; x < columns_; ++x) {
            if (!differs[indexOf(x, y)]) continue;
            int right = x + 1, bottom = y + 1;
            while (right < columns_ && differs[indexOf(right, y)])
                ++right;
            while (bottom < rows_ && rowDiffers(bottom, x, right))
                ++bottom;
            for (int row = y; row < bottom; ++row)
                std::fill_n(differs.begin() + std::ptrdiff_t(row) * columns_ + x, right - x, char{0});
            boxes.push_back(both(frame_, {x * kSide, y * kSide, right * kSide, bottom * kSide}));
            if (boxes.size() > kMany) return {frame_};
        }
    while (boxes.size() > kFew)
        mergeTwo(boxes);
    return boxes;
}

void ChangedTiles::cutDown(ImDrawData& data, const std::vector<PixelBox>& boxes) const {
    const auto shows = [](Reach reach, const PixelBox& box) {
        return reach.left * kSide < box.right && reach.right * kSide > box.left &&
               reach.top * kSide < box.bottom && reach.bottom * kSide > box.top && reach.left < reach.right;
    };
    auto begin = reaches_.begin();
    for (ImDrawList* list : data.CmdLists) {
        ImVector<ImDrawCmd> commands;
        ImVector<ImDrawIdx> indices;
        for (const ImDrawCmd& command : list->CmdBuffer) {
            const PixelBox clip =
                command.UserCallback ? solidBox(command) : scissorOf(command.ClipRect, data);
            const std::ptrdiff_t shapes = command.UserCallback ? 1 : command.ElemCount / 3;
            for (const PixelBox& box : boxes) {
                const PixelBox seen = both(clip, box);
                if (seen.isEmpty()) continue;
                if (command.UserCallback) {
                    commands.push_back(solidRect(seen, solidColor(command)));
                    continue;
                }
                ImDrawCmd part = command;
                part.IdxOffset = u32(indices.Size);
                for (std::ptrdiff_t shape = 0; shape < shapes; ++shape)
                    if (shows(begin[shape], box))
                        for (u32 k = 0; k < 3; ++k)
                            indices.push_back(list->IdxBuffer.Data[command.IdxOffset + 3 * u32(shape) + k]);
                part.ElemCount = u32(indices.Size) - part.IdxOffset;
                part.ClipRect = clipOf(seen, data);
                if (part.ElemCount > 0) commands.push_back(part);
            }
            begin += shapes;
        }
        list->CmdBuffer.swap(commands);
        list->IdxBuffer.swap(indices);
    }
}

}  // namespace lockstep::shell
