#include "app/shell/drawing/draw_data_image.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <ranges>

namespace lockstep::shell {
namespace {

// 0..1, not premultiplied.
struct Rgba {
    f32 r, g, b, a;
    bool operator==(const Rgba&) const = default;
};
Rgba times(const Rgba& x, const Rgba& y) { return {x.r * y.r, x.g * y.g, x.b * y.b, x.a * y.a}; }

Rgba unpacked(ImU32 c) {
    return {f32(c >> IM_COL32_R_SHIFT & 0xff) / 255, f32(c >> IM_COL32_G_SHIFT & 0xff) / 255,
            f32(c >> IM_COL32_B_SHIFT & 0xff) / 255, f32(c >> IM_COL32_A_SHIFT & 0xff) / 255};
}

// Between the four nearest texels, as GL_LINEAR does.
Rgba sample(const ImTextureData& texture, f32 u, f32 v) {
    const f32 x = u * f32(texture.Width) - 0.5f, y = v * f32(texture.Height) - 0.5f;
    const int left = int(std::floor(x)), top = int(std::floor(y));
    const f32 fx = x - f32(left), fy = y - f32(top);
    Rgba sum{};
    for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx) {
            const int tx = std::clamp(left + dx, 0, texture.Width - 1),
                      ty = std::clamp(top + dy, 0, texture.Height - 1);
            const u8* p = texture.Pixels + (std::size_t(ty) * std::size_t(texture.Width) + std::size_t(tx)) *
                                               std::size_t(texture.BytesPerPixel);
            const f32 weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) / 255;
            const bool rgba = texture.BytesPerPixel == 4;
            sum.r += weight * f32(rgba ? p[0] : 255);
            sum.g += weight * f32(rgba ? p[1] : 255);
            sum.b += weight * f32(rgba ? p[2] : 255);
            sum.a += weight * f32(rgba ? p[3] : p[0]);
        }
    return sum;
}

class Target {
public:
    Target(u32 width, u32 height, viz::Color ground)
        : width_(int(width)),
          height_(int(height)),
          pixels_(std::size_t{width} * height,
                  {f32(ground.r) / 255, f32(ground.g) / 255, f32(ground.b) / 255}) {}

    struct Corner {
        f32 x, y, u, v;
        Rgba color;
    };
    struct Box {
        int left, top, right, bottom;
    };

    void triangle(std::array<Corner, 3> c, const ImTextureData& texture, Box clip) {
        const f32 area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y);
        if (area == 0 || !std::isfinite(area)) return;
        if (area < 0) std::swap(c[1], c[2]);
        const f32 inverse = 1 / std::fabs(area);
        const auto [minX, maxX] = std::minmax({c[0].x, c[1].x, c[2].x});
        const auto [minY, maxY] = std::minmax({c[0].y, c[1].y, c[2].y});
        const int left = std::max({0, clip.left, int(std::floor(minX))}),
                  right = std::min({width_, clip.right, int(std::ceil(maxX)) + 1});
        const int top = std::max({0, clip.top, int(std::floor(minY))}),
                  bottom = std::min({height_, clip.bottom, int(std::ceil(maxY)) + 1});
        const bool plain = c[0].u == c[1].u && c[0].u == c[2].u && c[0].v == c[1].v && c[0].v == c[2].v;
        const Rgba plainTexel = plain ? sample(texture, c[0].u, c[0].v) : Rgba{};
        const bool oneColor = plain && c[0].color == c[1].color && c[0].color == c[2].color;
        for (int y = top; y < bottom; ++y) {
            const f32 py = f32(y) + 0.5f;
            const auto weight = [&](std::size_t i, int x) {
                const Corner &a = c[(i + 1) % 3], &b = c[(i + 2) % 3];
                return ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (f32(x) + 0.5f - a.x)) * inverse;
            };
            // An edge divides a row at one place.
            int begin = left, end = right;
            for (std::size_t i = 0; i < 3; ++i) {
                const Corner &a = c[(i + 1) % 3], &b = c[(i + 2) % 3];
                // A pixel on the edge between two triangles belongs to one of them: the top-left rule.
                const bool owns = a.y == b.y ? b.x > a.x : b.y < a.y;
                const auto isInside = [&](int x) {
                    const f32 w = weight(i, x);
                    return w > 0 || (w == 0 && owns);
                };
                const auto columns = std::views::iota(begin, std::max(begin, end));
                if (b.y > a.y)
                    end = begin + int(std::ranges::partition_point(columns, isInside) - columns.begin());
                else
                    begin +=
                        int(std::ranges::partition_point(columns, std::not_fn(isInside)) - columns.begin());
            }
            if (oneColor) {
                fill(y, begin, end, times(plainTexel, c[0].color));
                continue;
            }
            for (int x = begin; x < end; ++x) {
                const std::array<f32, 3> w{weight(0, x), weight(1, x), weight(2, x)};
                const auto mixed = [&](auto member) {
                    return w[0] * member(c[0]) + w[1] * member(c[1]) + w[2] * member(c[2]);
                };
                const Rgba texel = plain ? plainTexel
                                         : sample(texture, mixed([](const Corner& k) { return k.u; }),
                                                  mixed([](const Corner& k) { return k.v; }));
                blend(x, y,
                      times(texel, {mixed([](const Corner& k) { return k.color.r; }),
                                    mixed([](const Corner& k) { return k.color.g; }),
                                    mixed([](const Corner& k) { return k.color.b; }),
                                    mixed([](const Corner& k) { return k.color.a; })}));
            }
        }
    }

    viz::Image image() const {
        constexpr f32 kHalf = 0.5f;  // what is above it is rounded up
        viz::Image image{u32(width_), u32(height_), {}};
        image.rgba.resize(pixels_.size() * 4, 255);
        for (std::size_t i = 0; i < pixels_.size(); ++i)
            for (std::size_t channel = 0; channel < 3; ++channel)
                image.rgba[4 * i + channel] = u8(std::clamp(pixels_[i][channel], 0.0f, 1.0f) * 255 + kHalf);
        return image;
    }

private:
    using Pixel = std::array<f32, 3>;
    Pixel* at(int x, int y) { return &pixels_[std::size_t(y) * std::size_t(width_) + std::size_t(x)]; }
    void fill(int y, int begin, int end, Rgba c) {
        constexpr f32 kOpaque = 1 - 1e-6f;  // a mean of texels that are 1 may be a little less
        if (begin < end && c.a >= kOpaque)
            std::fill(at(begin, y), at(begin, y) + (end - begin), Pixel{c.r, c.g, c.b});
        else
            for (int x = begin; x < end; ++x)
                blend(x, y, c);
    }
    void blend(int x, int y, Rgba c) {
        Pixel& p = *at(x, y);
        p = {p[0] + (c.r - p[0]) * c.a, p[1] + (c.g - p[1]) * c.a, p[2] + (c.b - p[2]) * c.a};
    }

    int width_, height_;
    std::vector<Pixel> pixels_;
};

}  // namespace

void serveTextures(ImDrawData& data) {
    if (!data.Textures) return;
    for (ImTextureData* texture : *data.Textures) {
        if (texture->Status == ImTextureStatus_WantCreate || texture->Status == ImTextureStatus_WantUpdates) {
            texture->SetTexID(ImTextureID(texture->UniqueID) + 1);
            texture->SetStatus(ImTextureStatus_OK);
        } else if (texture->Status == ImTextureStatus_WantDestroy) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        }
    }
}

viz::Image drawDataImage(const ImDrawData& data, viz::Color ground) {
    const f32 sx = data.FramebufferScale.x, sy = data.FramebufferScale.y;
    Target target(u32(std::lround(data.DisplaySize.x * sx)), u32(std::lround(data.DisplaySize.y * sy)),
                  ground);
    for (const ImDrawList* list : data.CmdLists)
        for (const ImDrawCmd& command : list->CmdBuffer) {
            const ImTextureData* texture = command.TexRef._TexData;
            if (command.UserCallback || !texture || !texture->Pixels) continue;
            const Target::Box clip{int((command.ClipRect.x - data.DisplayPos.x) * sx),
                                   int((command.ClipRect.y - data.DisplayPos.y) * sy),
                                   int((command.ClipRect.z - data.DisplayPos.x) * sx),
                                   int((command.ClipRect.w - data.DisplayPos.y) * sy)};
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
                std::array<Target::Corner, 3> corners;
                for (unsigned k = 0; k < 3; ++k) {
                    const ImDrawVert& v = list->VtxBuffer[int(
                        command.VtxOffset + list->IdxBuffer[int(command.IdxOffset + i + k)])];
                    corners[k] = {(v.pos.x - data.DisplayPos.x) * sx, (v.pos.y - data.DisplayPos.y) * sy,
                                  v.uv.x, v.uv.y, unpacked(v.col)};
                }
                target.triangle(corners, *texture, clip);
            }
        }
    return target.image();
}

}  // namespace lockstep::shell
